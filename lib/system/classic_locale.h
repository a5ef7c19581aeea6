// The locale of a thread.
#pragma once

namespace espalier::system {

// While such an object exists, the thread's locale is "C", whatever that of the process is.
class ClassicLocale {
 public:
  ClassicLocale();
  ~ClassicLocale();
  ClassicLocale(const ClassicLocale&) = delete;
  ClassicLocale& operator=(const ClassicLocale&) = delete;

 private:
  void* before_;  // as the system has it
};

}  // namespace espalier::system
