// Threads of the system. See deep_thread.h.
#include "text/deep_thread.h"

#include <csignal>
#include <utility>

namespace espalier::text {

DeepThread::DeepThread(std::function<void()> work) : work_(std::move(work)) {
  const auto run = [](void* function) -> void* {
    (*static_cast<std::function<void()>*>(function))();
    return nullptr;
  };
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  is_started_ = pthread_attr_setstacksize(&attributes, kStackBytes) == 0 &&
                pthread_create(&thread_, &attributes, run, &work_) == 0;
  pthread_attr_destroy(&attributes);
}

void DeepThread::join() {
  if (is_started_ && !is_joined_) pthread_join(thread_, nullptr);
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

}  // namespace espalier::text
