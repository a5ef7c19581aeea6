// Events of consoles, which come in a thread of their own. See signals.h.
#include "system/signals.h"

#include <atomic>

#include "system/windows/windows.h"

namespace espalier::system {
namespace {

constexpr std::size_t kSignals = 16;

// What the system calls has nothing else to read. Null: the signal ends the program.
std::atomic<SignalHandler::Handler> handlers[kSignals];
std::atomic<int> held = 0;  // objects that hold signals

Signal signal_of(DWORD event) {
  if (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT) return Signal::interrupt;
  return event == CTRL_CLOSE_EVENT ? Signal::hangup : Signal::terminate;
}

BOOL WINAPI take_event(DWORD event) {
  while (held > 0) Sleep(1);
  const Signal signal = signal_of(event);
  const SignalHandler::Handler handler = handlers[static_cast<std::size_t>(signal)];
  if (handler == nullptr) return FALSE;
  handler(static_cast<int>(signal));
  return TRUE;
}

void begin_listening() {
  static const BOOL is_listening = SetConsoleCtrlHandler(take_event, TRUE);
  static_cast<void>(is_listening);
}

void replace(const std::vector<Signal>& signals, SignalHandler::Handler before, SignalHandler::Handler after) {
  for (const Signal signal : signals) {
    SignalHandler::Handler expected = before;
    handlers[static_cast<std::size_t>(signal)].compare_exchange_strong(expected, after);
  }
}

}  // namespace

struct HeldSignals::Before {};

SignalHandler::SignalHandler(std::initializer_list<Signal> signals, Handler handler)
    : signals_(signals), handler_(handler) {
  begin_listening();
  replace(signals_, nullptr, handler_);
}

SignalHandler::~SignalHandler() { replace(signals_, handler_, nullptr); }

HeldSignals::HeldSignals(Which /*which*/) {
  begin_listening();
  ++held;
}

HeldSignals::~HeldSignals() { --held; }

void end_by_signal(int /*number*/) { TerminateProcess(GetCurrentProcess(), static_cast<UINT>(STATUS_CONTROL_C_EXIT)); }

void end_at_once(int status) {
  TerminateProcess(GetCurrentProcess(), static_cast<UINT>(status));
  for (;;) Sleep(1);
}

}  // namespace espalier::system
