// Ctrl-C and SIGTERM while a verb explores: the first one ends the exploration, and what is known is printed; the next
// one ends the program at once.
#pragma once
#include <atomic>
#include <cstddef>
#include <string_view>

#include "system/signals.h"

namespace espalier::cli {

class Interruption {
 public:
  // From now on, unless the signals are ignored, as under nohup. There is one of these at a time.
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // True as soon as a signal has come.
  const std::atomic<bool>* flag() const;
  bool has_come() const { return *flag(); }
  // The exit status: that of shells for the signal, or `otherwise` if none has come.
  int status(int otherwise) const;

 private:
  system::SignalHandler handler_;
};

// Says how far the work came: "interrupted: 3 of 15 trees are done".
void tell_interruption(std::size_t done, std::size_t total, std::string_view what);

}  // namespace espalier::cli
