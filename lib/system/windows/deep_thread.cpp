// Threads of the system. See deep_thread.h.
#include "system/deep_thread.h"

#include <process.h>

#include <utility>

#include "system/windows/windows.h"

namespace espalier::system {

struct DeepThread::Thread {
  HANDLE handle = nullptr;
};

DeepThread::DeepThread(std::function<void()> work) : work_(std::move(work)) {
  const auto run = [](void* function) -> unsigned {
    (*static_cast<std::function<void()>*>(function))();
    return 0;
  };
  const std::uintptr_t handle = _beginthreadex(nullptr, static_cast<unsigned>(kStackBytes), run, &work_,
                                               STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
  if (handle == 0) return;
  thread_ = std::make_unique<Thread>();
  thread_->handle = reinterpret_cast<HANDLE>(handle);
}

DeepThread::~DeepThread() { join(); }

void DeepThread::join() {
  if (is_started() && !is_joined_) {
    WaitForSingleObject(thread_->handle, INFINITE);
    CloseHandle(thread_->handle);
  }
  is_joined_ = true;
}

void run_deep(const std::function<void()>& work) {
  DeepThread thread(work);
  if (!thread.is_started()) return work();
  thread.join();
}

}  // namespace espalier::system
