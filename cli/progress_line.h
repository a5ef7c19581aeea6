// A progress line for work that takes more than a second. It is drawn on standard error if that is a terminal, and is
// erased before anything else is written, also when the program is interrupted.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "cli/cli.h"
#include "project/progress.h"
#include "system/signals.h"

namespace espalier::cli {

// Erases the line if it is shown. May be called by signal handlers.
void clear_progress_line();

class ProgressLine {
 public:
  explicit ProgressLine(const CommonOptions& options);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Updated by the work; null when nothing is shown.
  project::Progress* progress() { return thread_.joinable() ? &progress_ : nullptr; }
  // What is done from now on, and how often: see Progress. One of them is done: its result is written without the line.
  void begin(const char* step, std::uint64_t total) { progress_.begin(step, total); }
  void finish_one(const std::function<void()>& write);

 private:
  void draw_until_done();

  project::Progress progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::optional<system::SignalHandler> handler_;
  std::thread thread_;
};

}  // namespace espalier::cli
