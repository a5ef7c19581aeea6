// What signals leave for the work. See interruption.h.
#include "cli/interruption.h"

#include <chrono>
#include <cstdint>
#include <iostream>

#include "cli/progress_line.h"

namespace espalier::cli {
namespace {

// Signal handlers have nothing else to write to.
std::atomic<bool> is_interrupted = false;
std::atomic<int> signal_number = 0;

std::atomic<std::int64_t> came_at_ms = 0;

std::int64_t now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

// A program that sends a signal to a process and to its group sends it twice, and means it once.
constexpr std::int64_t kAtOnce_ms = 300;

extern "C" void interrupt(int signal) {
  if (!is_interrupted.exchange(true)) {
    came_at_ms = now_ms();
    signal_number = signal;
  } else if (now_ms() - came_at_ms > kAtOnce_ms) {
    clear_progress_line();
    system::end_by_signal(signal);
  }
}

}  // namespace

Interruption::Interruption() : handler_({system::Signal::interrupt, system::Signal::terminate}, interrupt) {}

Interruption::~Interruption() { is_interrupted = false; }

const std::atomic<bool>* Interruption::flag() const { return &is_interrupted; }

int Interruption::status(int otherwise) const {
  constexpr int kBySignal = 128;
  return has_come() ? kBySignal + signal_number : otherwise;
}

void tell_interruption(std::size_t done, std::size_t total, std::string_view what) {
  std::cerr << "espalier: interrupted: " << done << " of " << total << ' ' << what << (total == 1 ? "" : "s")
            << (done == 1 ? " is" : " are") << " done\n";
}

}  // namespace espalier::cli
