// Signals. See signals.h.
#include "system/signals.h"

#include <unistd.h>

#include <csignal>
#include <vector>

namespace espalier::system {
namespace {

void replace(const std::vector<Signal>& signals, SignalHandler::Handler before, SignalHandler::Handler after) {
  for (const Signal signal : signals) {
    const int number = static_cast<int>(signal);
    struct sigaction now = {};
    if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == before) std::signal(number, after);
  }
}

}  // namespace

struct HeldSignals::Before {
  sigset_t signals = {};
};

SignalHandler::SignalHandler(std::initializer_list<Signal> signals, Handler handler)
    : signals_(signals), handler_(handler) {
  replace(signals_, SIG_DFL, handler_);
}

SignalHandler::~SignalHandler() { replace(signals_, handler_, SIG_DFL); }

HeldSignals::HeldSignals(Which which) : before_(std::make_unique<Before>()) {
  sigset_t held;
  sigemptyset(&held);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGXCPU, SIGTSTP}) sigaddset(&held, signal);
  if (which == Which::all) sigfillset(&held);
  pthread_sigmask(SIG_BLOCK, &held, &before_->signals);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_->signals, nullptr); }

void end_by_signal(int number) {
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void end_at_once(int status) { _exit(status); }

}  // namespace espalier::system
