// The lines of a prompt: those that were run, with their stories and all that happened, and those ahead. Going back
// runs lines again from the beginning, which gives the same bytes in every agent.
#pragma once
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "debug/line_history.h"
#include "debug/run.h"
#include "replay/line.h"
#include "report/replays.h"

namespace espalier::debug {

// The trace that a prompt begins with: its first line is run, and commands run the others.
struct SteppedTrace {
  std::string path = {};                // empty: it is not a file, and has its first line alone
  std::vector<std::string> lines = {};  // without their endings
};

class PromptLines {
 public:
  struct Line {
    std::string text;
    replay::LinePlace place;
    bool is_idle = false;  // it does nothing, such as a comment
  };
  struct Done {
    Line line;
    std::optional<Line> ahead = {};  // what it was among the lines ahead; none: it was typed
    std::vector<Line> skipped = {};  // before it
    std::string story = {};
    std::size_t end = 0;           // so many moments had happened then
    std::size_t history_line = 0;  // so many lines had the history then, which lacks empty ones
  };

  // All must outlive this. The run gets the history of the lines.
  PromptLines(const Asset& asset, const SteppedTrace& trace, const replay::ReplayOptions& how,
              const report::ReplayForm& form, Run& run);

  // ---- Lines that are run, at the end of the history
  // What a line tells, to its fault if it has one: then it was not run.
  struct Ran {
    bool is_right = true;
    std::string story = {};
  };
  [[nodiscard]] Ran run_next();
  [[nodiscard]] Ran run_typed(const std::string& text);
  void skip_next();
  // Takes back the last line. It is ahead again, unless it was typed.
  void take_back();
  // To be called when lines were taken back.
  void run_again();

  // ---- The lines, and where the run is in them
  [[nodiscard]] const std::vector<Done>& done() const { return done_; }
  [[nodiscard]] const std::deque<Line>& ahead() const { return ahead_; }
  // The line that ends with so many moments.
  [[nodiscard]] std::size_t line_at(std::size_t count) const;
  // The line in which the run is, or before which: of done(), or as many as these are.
  [[nodiscard]] std::size_t current() const { return line_at(run_.count() + 1); }
  // Is the run inside it?
  [[nodiscard]] bool is_inside() const;
  // Of these, and behind them those ahead. Null: there is none.
  [[nodiscard]] const Line* at(std::size_t line) const;
  [[nodiscard]] const Line* next() const { return at(current()); }
  // The number of a line in the trace; none: it was typed.
  [[nodiscard]] std::optional<std::size_t> number_of(const Line& line) const;
  // The lines up to the update at which the run is: of one that updates several times a part.
  [[nodiscard]] std::vector<Line> until_here() const;
  // What `print` shows of an agent where the run is.
  [[nodiscard]] std::string look(const std::string& print) const;

  // ---- Other runs
  // Ends the history behind the update at which the run is: the rest is ahead again. Returns what is told of it.
  std::string end_here();
  // Takes back lines until those of the history are these; of the last one perhaps a part, and the rest of that is not
  // ahead again. Returns what is told of each.
  std::vector<std::string> take_back_until(const std::vector<std::string>& lines);
  struct Kept {
    std::vector<Done> done;
    std::deque<Line> ahead;
    std::vector<Line> skipped;
    std::size_t count;
  };
  [[nodiscard]] Kept keep() const { return {done_, ahead_, skipped_, run_.count()}; }
  void restore(Kept kept);
  // So many lines are not taken back.
  std::size_t first = 0;

 private:
  [[nodiscard]] Ran run(Line line, std::optional<Line> ahead);
  [[nodiscard]] replay::LinePlace typed_place() const { return {kTyped, done_.size() + 1}; }
  void begin();

  static constexpr const char* kTyped = "<stdin>";  // the place of what is typed
  const Asset& asset_;
  const replay::ReplayOptions& how_;
  report::ReplayForm form_;
  Run& run_;
  const std::string path_;  // of the trace, as it is shown
  std::unique_ptr<report::SteppedStory> story_;
  std::unique_ptr<LineHistory> history_;
  std::vector<Done> done_;
  std::deque<Line> ahead_;
  std::vector<Line> skipped_;  // behind the last line that is done
};

}  // namespace espalier::debug
