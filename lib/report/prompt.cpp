// The prompt of a stepped replay. See prompt.h.
//
// Each command that does something is a line of a trace, or runs lines of the one that the prompt began with. The lines
// so far are all that is kept: going back runs them again from the beginning without the last ones, which gives the
// same bytes in every agent.
#include "report/prompt.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>

#include "replay/event.h"
#include "replay/line.h"
#include "report/output_form.h"
#include "report/prompt_commands.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

const std::string kTyped = "<stdin>";  // the place of what is typed

}  // namespace

class Prompt::State {
 public:
  State(const Asset& asset, const SteppedTrace& trace, const replay::ReplayOptions& how, ReplayForm form,
        Prompt::Save save, std::ostream& out, PromptPast past)
      : asset_(asset),
        trace_(trace),
        how_(how),
        form_(std::move(form)),
        save_(std::move(save)),
        past_(std::move(past)),
        out_(out),
        path_(trace.path.empty() ? kTyped : trace.path) {
    form_.message_color = form_.story.color;
    begin();
  }

  Prompt::Begun run_first() {
    static_cast<void>(pass_idle());
    if (is_at_end()) return Prompt::Begun::empty;
    if (run_next() == Ran::fault || !pass_idle()) return Prompt::Begun::fault;
    first_ = done_.size();
    say_next();
    return Prompt::Begun::right;
  }

  // False: it was the last one.
  bool run_command(const std::string& text) {
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

 private:
  struct DoneLine {
    std::string text;
    replay::LinePlace place;
    std::size_t next;  // line of the trace, before this one was run
    bool is_idle;
  };

  void run_own(const std::string& name, const Words& words) {
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
    if (trace_.path.empty()) return say("there is no trace", "begin with one: espalier replay --step --trace FILE");
    if (name == "run") return run_until(words);
    if (name == "list") return list(count(10));
    if (name == "next") return next(count(1));
    skip(count(1));
  }

  void say(const std::string& message, const std::string& hint = {}) {
    out_ << text::visible(message) << '\n';
    if (!hint.empty()) out_ << "  hint: " << text::visible(hint) << '\n';
  }

  // ---- Lines

  enum class Ran : std::uint8_t { right, failed, awaited, fault };

  void begin() { replay_ = std::make_unique<SteppedStory>(asset_, path_, how_, form_); }

  // Everything so far, silently.
  void replay_again() {
    begin();
    for (const DoneLine& line : done_) static_cast<void>(replay_->run(line.text, line.place));
  }

  StepReport tell(const std::string& line, const replay::LinePlace& place, std::string_view awaited = {}) {
    StepReport report = replay_->run(line, place, awaited);
    const FormScope scope(out_, form_.story.color ? OutputForm::colored : OutputForm::text);
    out_ << report.story << std::flush;
    return report;
  }

  Ran run_line(const std::string& line, const replay::LinePlace& place, std::string_view awaited = {}) {
    const StepReport report = tell(line, place, awaited);
    if (!report.is_right) {
      replay_again();
      return Ran::fault;
    }
    done_.push_back({line, place, next_, is_idle(line)});
    if (report.has_failed) return Ran::failed;
    return report.has_event ? Ran::awaited : Ran::right;
  }

  replay::LinePlace typed_place() const { return {kTyped, done_.size() + 1}; }

  void run_typed(const std::string& line) { static_cast<void>(run_line(line, typed_place())); }

  void choose_agent(const std::string& word) {
    const bool is_index = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    if (!is_index && word != "all") return say(text::quote(word) + " is not the index of an agent", "agent INDEX|all");
    agent_ = json_of(word);
  }

  // The line of a command, for the chosen agent.
  std::string of_agent(const std::string& line) const {
    if (agent_.empty()) return line;
    return line.substr(0, line.size() - 1) + ", \"agent\": " + agent_ + '}';
  }

  // Does the line do nothing, such as a comment?
  bool is_idle(const std::string& line) {
    return !replay::read_line(line, line_) && replay::is_passed_over(line_.kind);
  }

  void look(const Words& words) {
    const bool is_all = !words.empty() && words.front() == "all";
    if (!words.empty() && !is_all) return say("wrong arguments for 'look'", "look [all]");
    static_cast<void>(tell(of_agent(is_all ? "{\"print\": \"all\"}" : "{\"print\": \"active\"}"), typed_place()));
    replay_again();  // looking is no event
  }

  void back(std::size_t count) {
    const auto can_go_back = [this] {
      return std::any_of(done_.begin() + static_cast<std::ptrdiff_t>(first_), done_.end(),
                         [](const DoneLine& line) { return !line.is_idle; });
    };
    if (!can_go_back()) return say("there is nothing to take back");
    while (count > 0 && can_go_back()) {
      const DoneLine& line = done_.back();
      if (!line.is_idle) {
        say("  takes back " + line.text);
        --count;
      }
      next_ = line.next;
      done_.pop_back();
    }
    replay_again();
    say_next();
  }

  // ---- The past

  PromptPast::Lines lines() const {
    PromptPast::Lines lines;
    for (const DoneLine& line : done_) lines.push_back(line.text);
    return lines;
  }

  std::uint32_t agent() const {
    return static_cast<std::uint32_t>(agent_.empty() || agent_ == "0" ? 0 : number_of(agent_).value_or(0));
  }

  void who_wrote(const Words& words) {
    if (words.front() != "wrote") return say("wrong arguments for 'who'", "who wrote NAME");
    if (past_.who_wrote) say("  " + past_.who_wrote(lines(), agent(), words[1]));
  }

  void why(const std::string& node) {
    if (!past_.why) return;
    out_ << past_.why(lines(), agent(), node) << '\n';
  }

  // To where a value was written last, or to a time. What is typed then is what would have been.
  void back_to(const Words& words) {
    if (words.front() != "to") return say("wrong arguments for 'back'", "back " + std::string(kBack));
    if (!past_.until) return;
    PromptFault fault;
    const PromptPast::Lines until = past_.until(lines(), agent(), words[1], &fault);
    if (!fault.message.empty()) return say(fault.message, fault.hint);
    const std::size_t count = std::max(until.size(), first_);
    for (; done_.size() > count; done_.pop_back()) {
      const DoneLine& line = done_.back();
      if (!line.is_idle) say("  takes back " + line.text);
      next_ = line.next;
    }
    if (until.size() == done_.size() && done_.back().text != until.back()) {
      say("  takes back a part of " + done_.back().text);
      done_.back().text = until.back();
    }
    replay_again();
    say_next();
  }

  void save(const std::string& path) {
    std::string trace;
    for (const DoneLine& line : done_) trace += line.text + '\n';
    const PromptFault fault = save_(path, trace);
    if (!fault.message.empty()) return say(fault.message, fault.hint);
    const std::size_t left = trace_.lines.size() - next_;
    say("  saved " + text::quote(path) +
        (left == 0   ? ""
         : left == 1 ? ", without the last line of the trace, which was not run"
                     : ", without the last " + std::to_string(left) + " lines of the trace, which were not run"));
  }

  // ---- The trace that the prompt began with

  bool is_at_end() const { return next_ == trace_.lines.size(); }

  Ran run_next(std::string_view awaited = {}) {
    const Ran ran = run_line(trace_.lines[next_], {path_, next_ + 1}, awaited);
    if (ran != Ran::fault) ++next_;
    return ran;
  }

  // Goes on to a line that does something. The others are saved, too. False: one has a fault.
  bool pass_idle() {
    while (!is_at_end() && is_idle(trace_.lines[next_])) {
      if (run_next() == Ran::fault) return false;
    }
    return true;
  }

  // False: a line does not let the trace go on.
  bool run_on(std::string_view awaited = {}) {
    const Ran ran = run_next(awaited);
    return pass_idle() && ran == Ran::right;
  }

  void next(std::size_t count) {
    while (count > 0 && !is_at_end() && run_on()) --count;
    say_next();
  }

  void skip(std::size_t count) {
    for (; count > 0 && !is_at_end(); --count) {
      ++next_;
      static_cast<void>(pass_idle());
    }
    say_next();
  }

  void run_until(const Words& words) {
    const std::optional<std::size_t> number = words.size() == 1 ? number_of(words.front()) : std::nullopt;
    if (number && *number <= next_ + 1) return say("line " + words.front() + " is not ahead", "'back' goes back");
    std::string awaited;
    if (!number && !words.empty()) {
      const std::size_t colon = words.front().find(':');  // after the number of an agent
      const std::string kind = words.front().substr(colon == std::string::npos ? 0 : colon + 1);
      if (!replay::is_kind_name(kind)) {
        const std::string hint = text::did_you_mean(kind, replay::kind_names());
        return say("no event is called " + text::quote(kind), hint.empty() ? "run [LINE | EVENT]" : hint);
      }
      for (const std::string& word : words) awaited += (awaited.empty() ? "" : " ") + word;
    }
    while (!is_at_end() && !(number && *number <= next_ + 1) && run_on(awaited)) {
    }
    say_next();
  }

  void list(std::size_t count) {
    for (std::size_t i = next_; i < trace_.lines.size() && i < next_ + count; ++i) {
      const std::string number = std::to_string(i + 1);
      say(std::string(number.size() < 6 ? 6 - number.size() : 0, ' ') + number + "  " + trace_.lines[i]);
    }
    if (is_at_end()) say_next();
  }

  void say_next() {
    if (trace_.path.empty()) return;
    say(is_at_end() ? "  the trace has no more lines"
                    : "  next is line " + std::to_string(next_ + 1) + ": " + trace_.lines[next_]);
  }

  void help() {
    constexpr std::size_t kColumn = 26;
    for (const Command& command : commands()) {
      if (!replay::is_for_trees(asset_, command.kind)) continue;
      std::string line = "  " + std::string(command.name) + ' ' + std::string(command.syntax);
      line.resize(std::max(line.size(), kColumn), ' ');
      say(line + ' ' + std::string(command.help));
    }
  }

  const Asset& asset_;
  const SteppedTrace& trace_;
  const replay::ReplayOptions& how_;
  ReplayForm form_;
  Prompt::Save save_;
  PromptPast past_;
  std::ostream& out_;
  const std::string path_;  // of the trace, as it is shown
  std::unique_ptr<SteppedStory> replay_;
  std::vector<DoneLine> done_;
  std::size_t first_ = 0;  // of the lines that are done: it can be taken back
  std::size_t next_ = 0;   // line of the trace
  std::string agent_;      // that was chosen, as JSON; empty: none was
  replay::Line line_;      // only here to be reused
};

Prompt::Prompt(const Asset& asset, const SteppedTrace& trace, const replay::ReplayOptions& how, const ReplayForm& form,
               Save save, std::ostream& out, PromptPast past)
    : state_(std::make_unique<State>(asset, trace, how, form, std::move(save), out, std::move(past))) {}

Prompt::~Prompt() = default;

Prompt::Begun Prompt::begin() { return state_->run_first(); }

bool Prompt::run(const std::string& command) { return state_->run_command(command); }

}  // namespace espalier::report
