// Threads of the system. See deep_thread.h.
#include "text/deep_thread.h"

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
  DeepThread thread(work);
  if (!thread.is_started()) work();
}

}  // namespace espalier::text
