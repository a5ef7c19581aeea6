// The lines of a prompt. See prompt_lines.h.
#include "debug/prompt_lines.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace espalier::debug {
namespace {

bool is_idle(const std::string& text) {
  replay::Line line;
  return !replay::read_line(text, line) && replay::is_passed_over(line.kind);
}

}  // namespace

PromptLines::PromptLines(const Asset& asset, const SteppedTrace& trace, const replay::ReplayOptions& how,
                         const report::ReplayForm& form, Run& run)
    : asset_(asset), how_(how), form_(form), run_(run), path_(trace.path.empty() ? kTyped : trace.path) {
  form_.message_color = form_.story.color;
  for (const std::string& text : trace.lines) ahead_.push_back({text, {path_, ahead_.size() + 1}, is_idle(text)});
  begin();
}

void PromptLines::begin() {
  story_ = std::make_unique<report::SteppedStory>(asset_, path_, how_, form_);
  run_.show({}, 0);
  history_ = std::make_unique<LineHistory>(run_.history(), asset_, path_, how_);
}

// ---- Lines that are run

PromptLines::Ran PromptLines::run(Line line, std::optional<Line> ahead) {
  report::StepReport report = story_->run(line.text, line.place);
  if (!report.is_right || !history_->run(line.text, line.place)) {
    run_again();
    return {false, std::move(report.story)};
  }
  done_.push_back({std::move(line), std::move(ahead), std::exchange(skipped_, {}), report.story, run_.end(),
                   run_.history().source().lines.size()});
  return {true, std::move(report.story)};
}

PromptLines::Ran PromptLines::run_next() {
  Ran ran = run(ahead_.front(), ahead_.front());
  if (ran.is_right) ahead_.pop_front();
  return ran;
}

PromptLines::Ran PromptLines::run_typed(const std::string& text) {
  return run({text, typed_place(), is_idle(text)}, std::nullopt);
}

void PromptLines::skip_next() {
  skipped_.push_back(std::move(ahead_.front()));
  ahead_.pop_front();
}

void PromptLines::take_back() {
  Done last = std::move(done_.back());
  done_.pop_back();
  ahead_.insert(ahead_.begin(), skipped_.begin(), skipped_.end());
  skipped_ = std::move(last.skipped);
  if (last.ahead) ahead_.push_front(std::move(*last.ahead));
}

void PromptLines::run_again() {
  const std::size_t count = run_.count();
  begin();
  for (Done& each : done_) {
    each.story = story_->run(each.line.text, each.line.place).story;
    static_cast<void>(history_->run(each.line.text, each.line.place));
    each.end = run_.end();
    each.history_line = run_.history().source().lines.size();
  }
  run_.move_to(count);
}

// ---- Where the run is

std::size_t PromptLines::line_at(std::size_t count) const {
  const auto found = std::lower_bound(done_.begin(), done_.end(), count,
                                      [](const Done& each, std::size_t wanted) { return each.end < wanted; });
  return static_cast<std::size_t>(found - done_.begin());
}

bool PromptLines::is_inside() const {
  const std::size_t line = current();
  return line < done_.size() && run_.count() > (line == 0 ? 0 : done_[line - 1].end);
}

const PromptLines::Line* PromptLines::at(std::size_t line) const {
  if (line < done_.size()) return &done_[line].line;
  line -= done_.size();
  return line < ahead_.size() ? &ahead_[line] : nullptr;
}

std::optional<std::size_t> PromptLines::number_of(const Line& line) const {
  if (line.place.path == kTyped) return std::nullopt;
  return line.place.number;
}

std::vector<PromptLines::Line> PromptLines::until_here() const {
  std::vector<Line> lines;
  const std::size_t kept = current() + (is_inside() ? 1 : 0);
  for (std::size_t i = 0; i < kept; ++i) lines.push_back(done_[i].line);
  if (is_inside()) lines.back().text = run_.history().cut_at(run_.count()).before.back();
  return lines;
}

std::string PromptLines::look(const std::string& print) const {
  report::SteppedStory story(asset_, path_, how_, form_);
  for (const Line& line : until_here()) static_cast<void>(story.run(line.text, line.place));
  return story.run(print, typed_place()).story;
}

// ---- Other runs

std::string PromptLines::end_here() {
  if (run_.count() == run_.end()) return {};
  const bool is_part = is_inside();
  const std::vector<Line> kept = until_here();
  std::vector<Line> rest;
  if (is_part && kept.back().text != done_[kept.size() - 1].line.text) {
    rest.push_back(kept.back());
    rest.back().text = run_.history().cut_at(run_.count()).after.front();
  }
  const std::size_t line = kept.size();
  for (std::size_t i = line; i < done_.size(); ++i) rest.push_back(done_[i].line);
  skipped_.clear();
  ahead_.insert(ahead_.begin(), rest.begin(), rest.end());
  done_.resize(line);
  if (done_.back().line.text != kept.back().text) {
    done_.back().line.text = kept.back().text;
    if (done_.back().ahead) done_.back().ahead = done_.back().line;  // the rest is ahead already
  }
  run_again();
  run_.move_to(run_.end());
  return is_part ? done_.back().story : std::string();
}

std::vector<std::string> PromptLines::take_back_until(const std::vector<std::string>& lines) {
  std::vector<std::string> told;
  while (done_.size() > first && done_[done_.size() - 2].history_line >= lines.size()) {
    if (!done_.back().line.is_idle) told.push_back("takes back " + done_.back().line.text);
    take_back();
  }
  Done& last = done_.back();
  if (last.history_line == lines.size() && last.line.text != lines.back()) {
    told.push_back("takes back a part of " + last.line.text);
    last.line.text = lines.back();
  }
  run_again();
  run_.move_to(run_.end());
  return told;
}

void PromptLines::restore(Kept kept) {
  done_ = std::move(kept.done);
  ahead_ = std::move(kept.ahead);
  skipped_ = std::move(kept.skipped);
  run_again();
  run_.move_to(kept.count);
}

}  // namespace espalier::debug
