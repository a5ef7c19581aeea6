// The progress line. See progress_line.h.
#include "cli/progress_line.h"

#include <atomic>
#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>

#include "system/standard_streams.h"

namespace espalier::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto kSilence = 1s;
constexpr auto kPause = 100ms;
constexpr std::string_view kClearLine = "\r\x1b[K";

// Is the line on the terminal now? The signal handler reads it too.
std::atomic<bool> is_drawn = false;

// Writes directly: a signal handler must not use streams.
void write_to_terminal(std::string_view text) {
  if (!system::write_directly(system::Stream::errors, text)) is_drawn = false;
}

// Erases the line, and ends the program as the signal would have.
extern "C" void clear_and_end(int signal) {
  clear_progress_line();
  system::end_by_signal(signal);
}

bool is_shown(const CommonOptions& options) {
  return !options.quiet && !system::is_dumb_terminal() && system::is_terminal(system::Stream::errors);
}

}  // namespace

void clear_progress_line() {
  if (is_drawn.exchange(false)) write_to_terminal(kClearLine);
}

ProgressLine::ProgressLine(const CommonOptions& options) {
  if (!is_shown(options)) return;
  using system::Signal;
  handler_.emplace(std::initializer_list<Signal>{Signal::interrupt, Signal::terminate, Signal::hangup}, clear_and_end);
  // The drawing thread takes no signals: the working threads block them where they must not be interrupted.
  const system::HeldSignals held(system::HeldSignals::Which::all);
  try {
    thread_ = std::thread([this] { draw_until_done(); });
  } catch (const std::system_error&) {
    // The system starts no thread: the work is done without a line.
  }
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  changed_.notify_one();
  thread_.join();
  clear_progress_line();
}

void ProgressLine::finish_one(const std::function<void()>& write) {
  const std::lock_guard lock(mutex_);
  clear_progress_line();
  ++progress_.done;
  write();
}

void ProgressLine::draw_until_done() {
  std::unique_lock lock(mutex_);
  const auto is_done = [this] { return is_done_; };
  if (changed_.wait_for(lock, kSilence, is_done)) return;
  do {
    std::string line = std::string(kClearLine) + progress_.step.load();
    const std::uint64_t total = progress_.total;
    if (total > 0) line += ": " + std::to_string(progress_.done) + " of " + std::to_string(total);
    is_drawn = true;
    write_to_terminal(line);
  } while (!changed_.wait_for(lock, kPause, is_done));
}

}  // namespace espalier::cli
