// A thread with a stack of known size. Recursions over input are bounded (text::kMaxNesting and others), but what they
// need at most is more than some systems and shells give a program.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>

namespace espalier::system {

inline constexpr std::size_t kStackBytes = std::size_t{16} << 20;  // reserved, and used only as far as it is needed

class DeepThread {
 public:
  // The work must not throw.
  explicit DeepThread(std::function<void()> work);
  ~DeepThread();
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;

  // Has the system started it? Where there are no threads, as in browsers, it does not.
  [[nodiscard]] bool is_started() const { return thread_ != nullptr; }
  void join();  // waits for the end; once

 private:
  struct Thread;  // of the system
  std::function<void()> work_;
  std::unique_ptr<Thread> thread_;
  bool is_joined_ = false;
};

// Does the work in such a thread, or in this one if there are no others.
void run_deep(const std::function<void()>& work);

}  // namespace espalier::system
