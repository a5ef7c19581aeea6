// Work in several threads. See parallel.h.
#include "text/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#include "system/deep_thread.h"

namespace espalier::text {
namespace {

constexpr std::size_t kMaxThreads = 256;

}  // namespace

void run_parallel(std::size_t count, std::uint32_t thread_count, std::size_t least_share,
                  const std::function<Worker()>& make_worker) {
  std::size_t most = thread_count == 0 ? std::max(1u, std::thread::hardware_concurrency()) : thread_count;
  most = std::min({most, kMaxThreads, count / std::max<std::size_t>(least_share, 1)});
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> faults(std::max<std::size_t>(most, 1));
  const auto work = [&](std::size_t thread) {
    try {
      const Worker worker = make_worker();
      for (std::size_t i = next++; i < count; i = next++) worker(i);
    } catch (...) {
      faults[thread] = std::current_exception();
      next = count;  // the others end too
    }
  };
  std::vector<std::unique_ptr<system::DeepThread>> threads;
  for (std::size_t i = 1; i < most; ++i) {
    threads.push_back(std::make_unique<system::DeepThread>([&work, i] { work(i); }));
    if (!threads.back()->is_started()) break;  // those that run do all the work
  }
  work(0);
  threads.clear();
  for (const std::exception_ptr& fault : faults) {
    if (fault != nullptr) std::rethrow_exception(fault);
  }
}

}  // namespace espalier::text
