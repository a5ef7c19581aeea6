// The progress line. See progress_line.h.
#include "cli/progress_line.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <string_view>
#include <system_error>

namespace espalier::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto kSilence = 1s;
constexpr auto kPause = 100ms;
constexpr std::string_view kClearLine = "\r\x1b[K";

// Is the line on the terminal now? The signal handler reads it too.
std::atomic<bool> is_drawn = false;

// Writes directly to the descriptor: a signal handler must not use streams.
void write_to_terminal(std::string_view text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) == -1) is_drawn = false;
}

// Erases the line, and ends the program as the signal would have.
extern "C" void clear_and_end(int signal) {
  clear_progress_line();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};

bool has_handler(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == handler;
}

// Signals that are ignored, as under nohup, stay ignored.
void replace_handlers(void (*before)(int), void (*after)(int)) {
  for (const int signal : kEndingSignals) {
    if (has_handler(signal, before)) std::signal(signal, after);
  }
}

bool is_shown(const CommonOptions& options) {
  return !options.quiet && !is_dumb_terminal() && isatty(STDERR_FILENO) == 1;
}

}  // namespace

void clear_progress_line() {
  if (is_drawn.exchange(false)) write_to_terminal(kClearLine);
}

ProgressLine::ProgressLine(const CommonOptions& options) {
  if (!is_shown(options)) return;
  replace_handlers(SIG_DFL, clear_and_end);
  // The drawing thread takes no signals: the working threads block them where they must not be interrupted.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  try {
    thread_ = std::thread([this] { draw_until_done(); });
  } catch (const std::system_error&) {
    // The system starts no thread: the work is done without a line.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
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
  replace_handlers(clear_and_end, SIG_DFL);
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
