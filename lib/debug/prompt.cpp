// The prompt of a stepped replay. See prompt.h.
//
// Each command that does something is a line of a trace, or moves the run through the lines of the one that the prompt
// began with.
#include "debug/prompt.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "debug/messages.h"
#include "debug/prompt_state.h"
#include "debug/questions.h"
#include "replay/event.h"
#include "report/output_form.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::debug {

Prompt::State::State(const Asset& asset, const SteppedTrace& trace, const replay::ReplayOptions& how,
                     const report::ReplayForm& form, Prompt::Save save, Prompt::Explain explain, std::ostream& out)
    : asset_(asset),
      trace_(trace),
      form_(form),
      save_(std::move(save)),
      explain_(std::move(explain)),
      out_(out),
      run_([this](const std::string& text) { say("  " + text); }),
      lines_(asset, trace, how, form, run_) {}

Prompt::Begun Prompt::State::begin() {
  if (!pass_idle()) return Prompt::Begun::fault;
  if (lines_.ahead().empty()) return Prompt::Begun::empty;
  if (!run_next() || !pass_idle()) return Prompt::Begun::fault;
  lines_.first = lines_.done().size();
  say_next();
  return Prompt::Begun::right;
}

// ---- Commands

bool Prompt::State::run_command(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return true;
  if (text[first] == '{') {
    run_typed(text.substr(first));
    return true;
  }
  Words words = words_of(text);
  const std::string name = words.empty() ? text : words.front();
  if (name == "quit") return false;
  const Command* command = text::find_by(&Command::name, commands(), name);
  if (command == nullptr) {
    std::vector<std::string_view> names;
    for (const Command& each : commands()) names.push_back(each.name);
    const std::string hint = text::did_you_mean(name, names);
    say("unknown command " + text::quote(name), hint.empty() ? "'help' lists the commands" : hint);
    return true;
  }
  words.erase(words.begin());
  const bool takes_count = command->syntax == kCount || (command->syntax == kBack && words.size() < 2);
  const bool is_count = !takes_count || words.empty() || number_of(words.front());
  if (words.size() < command->least_words || words.size() > command->most_words || !is_count) {
    say("wrong arguments for '" + name + "'", name + ' ' + std::string(command->syntax));
  } else if (command->line != nullptr) {
    const std::string line = command->line(words);
    run_typed(name == "tick" ? line : of_agent(line));  // time is that of all agents
  } else {
    run_own(name, words);
  }
  return true;
}

void Prompt::State::run_own(const std::string& name, const Words& words) {
  const auto count = [&](std::size_t otherwise) {
    return words.empty() ? otherwise : number_of(words.front()).value_or(otherwise);
  };
  if (name == "help") return help();
  if (name == "agent") return choose_agent(words.front());
  if (name == "look") return look(words);
  if (name == "save") return save(words.front());
  if (name == "back" && words.size() == 2) return back_to(words);
  if (name == "back") return back(count(1));
  if (name == "who") return who_wrote(words);
  if (name == "why") return why(words.empty() ? std::string() : words.front());
  if (name == "step") return step(words);
  if (name == "goto") return go_to(words.front());
  if (name == "break") return set_breakpoint(words);
  if (name == "clear") return clear(words.front());
  if (name == "where") return where();
  if (name == "value") return value(words);
  if (name == "recorded") return show_recorded();
  if (name == "run" && !words.empty() && words.front() == "back") return run_back(words);
  if (trace_.path.empty() && lines_.next() == nullptr)
    return say("there is no trace", "begin with one: espalier replay --step --trace FILE");
  if (name == "run") return run_on(words);
  if (name == "list") return list(count(10));
  if (name == "next") return next(count(1));
  skip(count(1));
}

void Prompt::State::say(const std::string& message, const std::string& hint) {
  out_ << text::visible(message) << '\n';
  if (!hint.empty()) out_ << "  hint: " << text::visible(hint) << '\n';
}

void Prompt::State::tell(const std::string& story) {
  const report::FormScope scope(out_, form_.story.color ? report::OutputForm::colored : report::OutputForm::text);
  out_ << story << std::flush;
}

void Prompt::State::help() {
  constexpr std::size_t kColumn = 26;
  for (const Command& command : commands()) {
    if (!replay::is_for_trees(asset_, command.kind)) continue;
    std::string line = "  " + std::string(command.name) + ' ' + std::string(command.syntax);
    line.resize(std::max(line.size(), kColumn), ' ');
    say(line + ' ' + std::string(command.help));
  }
}

// ---- Lines

void Prompt::State::run_typed(const std::string& line) {
  const PromptLines::Kept before = lines_.keep();
  const bool is_past = before.count < run_.end();
  const bool was_recorded = recorded_.has_value();
  if (is_past) begin_what_if();
  const PromptLines::Ran ran = lines_.run_typed(line);
  run_.move_to(run_.end());
  tell(ran.story);
  if (ran.is_right || !is_past) return;
  lines_.restore(before);
  if (!was_recorded) recorded_.reset();
}

void Prompt::State::begin_what_if() {
  if (run_.count() == run_.end()) return;
  if (!recorded_) recorded_ = lines_.keep();
  const std::string when = run_.count() == 0 ? "0 s" : seconds_of(run_.moment_at(run_.count()).time_us);
  tell(lines_.end_here());
  say("  what if, from " + when + " on; 'recorded' goes back to the run as it was");
}

void Prompt::State::show_recorded() {
  if (!recorded_) return say("this is the run as it was");
  lines_.restore(std::move(*recorded_));
  recorded_.reset();
  say_moment();
}

// False: it has a fault.
bool Prompt::State::run_next() {
  const PromptLines::Ran ran = lines_.run_next();
  tell(ran.story);
  run_.move_to(run_.end());
  return ran.is_right;
}

// Goes on to a line that does something. The others are saved, too. False: one has a fault.
bool Prompt::State::pass_idle() {
  while (!lines_.ahead().empty() && lines_.ahead().front().is_idle) {
    if (!run_next()) return false;
  }
  return true;
}

void Prompt::State::choose_agent(const std::string& word) {
  const bool is_index = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  if (!is_index && word != "all") return say(text::quote(word) + " is not the index of an agent", "agent INDEX|all");
  agent_ = json_of(word);
}

// The line of a command, for the chosen agent.
std::string Prompt::State::of_agent(const std::string& line) const {
  if (agent_.empty()) return line;
  return line.substr(0, line.size() - 1) + ", \"agent\": " + agent_ + '}';
}

std::uint32_t Prompt::State::agent() const {
  return static_cast<std::uint32_t>(agent_.empty() || agent_ == "0" ? 0 : number_of(agent_).value_or(0));
}

void Prompt::State::look(const Words& words) {
  const bool is_all = !words.empty() && words.front() == "all";
  if (!words.empty() && !is_all) return say("wrong arguments for 'look'", "look [all]");
  tell(lines_.look(of_agent(is_all ? "{\"print\": \"all\"}" : "{\"print\": \"active\"}")));
}

void Prompt::State::skip(std::size_t count) {
  begin_what_if();
  for (; count > 0 && !lines_.ahead().empty(); --count) {
    lines_.skip_next();
    static_cast<void>(pass_idle());
  }
  say_next();
}

void Prompt::State::back(std::size_t count) {
  static_cast<void>(lines_.end_here());
  const auto can_go_back = [this] {
    return std::any_of(lines_.done().begin() + static_cast<std::ptrdiff_t>(lines_.first), lines_.done().end(),
                       [](const PromptLines::Done& done) { return !done.line.is_idle; });
  };
  if (!can_go_back()) return say("there is nothing to take back");
  while (count > 0 && can_go_back()) {
    const PromptLines::Line line = lines_.done().back().line;
    if (!line.is_idle) {
      say("  takes back " + line.text);
      --count;
    }
    lines_.take_back();
  }
  lines_.run_again();
  run_.move_to(run_.end());
  say_next();
}

// To where a value was written last, or to a time. What is typed then is what would have been.
void Prompt::State::back_to(const Words& words) {
  if (words.front() != "to") return say("wrong arguments for 'back'", "back " + std::string(kBack));
  const std::string& name = words[1];
  const std::optional<double> time_s = seconds_in(name);
  const std::size_t write = last_write(run_.history(), run_.count(), agent(), name);
  if (write == 0 && !time_s)
    return say("nobody has written " + text::quote(name) + " yet", "a variable, an entry, or a time in seconds");
  static_cast<void>(lines_.end_here());
  constexpr double kMost_s = 1e12;
  const History::Cut cut =
      time_s ? run_.history().cut_until(static_cast<std::uint64_t>(std::llround(std::min(*time_s, kMost_s) * 1e6)))
             : run_.history().cut_at(write);
  for (const std::string& each : lines_.take_back_until(cut.before)) say("  " + each);
  say_next();
}

void Prompt::State::save(const std::string& path) {
  std::string trace;
  const std::vector<PromptLines::Line> done = lines_.until_here();
  for (const PromptLines::Line& line : done) trace += line.text + '\n';
  const PromptFault fault = save_(path, trace);
  if (!fault.message.empty()) return say(fault.message, fault.hint);
  const std::size_t left = lines_.ahead().size() + lines_.done().size() - done.size();
  say("  saved " + text::quote(path) +
      (left == 0   ? ""
       : left == 1 ? ", without the last line of the trace, which was not run"
                   : ", without the last " + std::to_string(left) + " lines of the trace, which were not run"));
}

void Prompt::State::list(std::size_t count) {
  const PromptLines::Line* line = lines_.next();
  for (std::size_t i = lines_.current(); line != nullptr && count > 0; --count, line = lines_.at(++i)) {
    const std::optional<std::size_t> known = lines_.number_of(*line);
    const std::string number = known ? std::to_string(*known) : "-";
    say(std::string(number.size() < 6 ? 6 - number.size() : 0, ' ') + number + "  " + line->text);
  }
  if (lines_.next() == nullptr) say_next();
}

void Prompt::State::say_next() {
  const PromptLines::Line* const line = lines_.next();
  if (line == nullptr) return trace_.path.empty() ? void() : say("  the trace has no more lines");
  const std::optional<std::size_t> number = lines_.number_of(*line);
  const std::string text = (number ? "line " + std::to_string(*number) + ": " : std::string()) + line->text;
  say((lines_.is_inside() ? "  inside " : "  next is ") + text);
}

// ---- The prompt

Prompt::Prompt(const Asset& asset, const SteppedTrace& trace, const replay::ReplayOptions& how,
               const report::ReplayForm& form, Save save, Explain explain, std::ostream& out)
    : state_(std::make_unique<State>(asset, trace, how, form, std::move(save), std::move(explain), out)) {}

Prompt::~Prompt() = default;

Prompt::Begun Prompt::begin() { return state_->begin(); }

bool Prompt::run(const std::string& command) { return state_->run_command(command); }

}  // namespace espalier::debug
