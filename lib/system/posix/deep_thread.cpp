// Threads of the system. See deep_thread.h.
#include "system/deep_thread.h"

#include <pthread.h>

#include <csignal>
#include <utility>

namespace espalier::system {

struct DeepThread::Thread {
  pthread_t id = {};
};

DeepThread::DeepThread(std::function<void()> work) : work_(std::move(work)) {
  const auto run = [](void* function) -> void* {
    (*static_cast<std::function<void()>*>(function))();
    return nullptr;
  };
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  auto thread = std::make_unique<Thread>();
  const bool is_started = pthread_attr_setstacksize(&attributes, kStackBytes) == 0 &&
                          pthread_create(&thread->id, &attributes, run, &work_) == 0;
  if (is_started) thread_ = std::move(thread);
  pthread_attr_destroy(&attributes);
}

DeepThread::~DeepThread() { join(); }

void DeepThread::join() {
  if (is_started() && !is_joined_) pthread_join(thread_->id, nullptr);
  is_joined_ = true;
}

void run_deep(const std::function<void()>& work) {
  // Signals come to the thread that works, which may hold them back while it writes.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const auto with_signals = [&] {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    work();
  };
  DeepThread thread(with_signals);
  if (!thread.is_started()) return with_signals();
  thread.join();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace espalier::system
