// A thread with a stack of known size. Recursions over input are bounded (text::kMaxNesting and others), but what they
// need at most is more than some systems and shells give a program.
#pragma once
#include <pthread.h>

#include <cstddef>
#include <functional>

namespace espalier::text {

inline constexpr std::size_t kStackBytes = std::size_t{16} << 20;  // reserved, and used only as far as it is needed

class DeepThread {
 public:
  // The work must not throw.
  explicit DeepThread(std::function<void()> work);
  ~DeepThread() { join(); }
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;

  // Has the system started it? Where there are no threads, as in browsers, it does not.
  [[nodiscard]] bool is_started() const { return is_started_; }
  void join();  // waits for the end; once

 private:
  std::function<void()> work_;
  pthread_t thread_{};
  bool is_started_ = false;
  bool is_joined_ = false;
};

// Does the work in such a thread, or in this one if there are no others.
void run_deep(const std::function<void()>& work);

}  // namespace espalier::text
