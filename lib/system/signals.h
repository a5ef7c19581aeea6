// What ends the program from outside: Ctrl-C, and signals.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

namespace espalier::system {

// Of Ctrl-C; of who asks the program to end; of a terminal that is gone. Their numbers are those of POSIX everywhere.
enum class Signal : std::uint8_t { hangup = 1, interrupt = 2, terminate = 15 };

// While such an object exists, its handler is called for these signals, which would otherwise end the program. Those
// that are ignored, as under nohup, or have another handler stay as they are. A handler may write directly, set atomic
// variables, and end the program.
class SignalHandler {
 public:
  using Handler = void (*)(int number);
  SignalHandler(std::initializer_list<Signal> signals, Handler handler);
  ~SignalHandler();
  SignalHandler(const SignalHandler&) = delete;
  SignalHandler& operator=(const SignalHandler&) = delete;

 private:
  std::vector<Signal> signals_;
  Handler handler_;
};

// While such an object exists, signals wait: those that end the program, or all, as for threads that are started then.
class HeldSignals {
 public:
  enum class Which : std::uint8_t { ending, all };
  explicit HeldSignals(Which which);
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  struct Before;  // of the system
  std::unique_ptr<Before> before_;
};

// Ends the program as this signal does that nobody handles. Called by handlers.
void end_by_signal(int number);
// Ends the program at once, without destructors. Called by handlers.
[[noreturn]] void end_at_once(int status);

}  // namespace espalier::system
