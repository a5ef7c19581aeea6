// The prompt of replay --step. See step.h.
//
// Each command that does something is a line of a trace, or runs lines of the one that the prompt began with. The lines
// so far are all that is kept: going back runs them again from the beginning without the last ones, which gives the
// same bytes in every agent.
#include "cli/step.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "cli/watch.h"
#include "replay/event.h"
#include "replay/line.h"
#include "report/output_form.h"
#include "system/output_files.h"
#include "text/json.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

const std::string kTyped = "<stdin>";  // the place of what is typed

using Words = std::vector<std::string>;

// A word as JSON: numbers, true, false and null are themselves, other words are strings.
std::string json_of(const std::string& word) {
  text::JsonFault fault;
  const auto value = text::parse_json(word, 0, fault);
  const bool is_word = !value || value->kind == text::JsonKind::string || value->kind == text::JsonKind::list ||
                       value->kind == text::JsonKind::object;
  return is_word ? text::json_string(word) : word;
}

std::string json_list_of(Words::const_iterator first, Words::const_iterator last) {
  std::string list;
  for (; first != last; ++first) list += (list.empty() ? "" : ", ") + json_of(*first);
  return '[' + list + ']';
}

// Words after the name of a command, as a line of a trace.
std::string with_data(const char* key, const Words& words) {
  const std::string data = words.size() > 1 ? ", \"data\": " + json_of(words[1]) : "";
  return std::string("{\"") + key + "\": " + text::json_string(words[0]) + data + '}';
}

std::string signal_line(const Words& words) { return with_data("signal", words); }
std::string stimulus_line(const Words& words) { return with_data("stimulus", words); }
std::string set_line(const Words& words) {
  return "{\"set\": {" + text::json_string(words[0]) + ": " + json_of(words[1]) + "}}";
}
std::string flags_line(const Words& words) { return "{\"flags\": " + json_list_of(words.begin(), words.end()) + '}'; }
std::string host_line(const Words& words) {
  const std::string answers = words.size() == 2 ? json_of(words[1]) : json_list_of(words.begin() + 1, words.end());
  return "{\"host\": {" + text::json_string(words[0]) + ": " + answers + "}}";
}
std::string tick_line(const Words& words) {
  const std::string times = words.size() > 1 ? ", \"times\": " + json_of(words[1]) : "";
  return "{\"tick\": " + (words.empty() ? "0.1" : json_of(words[0])) + times + '}';
}
std::string jump_line(const Words& words) { return "{\"jump\": " + json_of(words[0]) + '}'; }
std::string inject_line(const Words& words) {
  return "{\"inject\": {\"slot\": " + text::json_string(words[0]) + ", \"tree\": " + json_of(words[1]) + "}}";
}

constexpr std::size_t kMany = 1000;
constexpr std::string_view kCount = "[N]";  // the syntax of a number of lines

struct Command {
  std::string_view name;
  std::string_view syntax;  // of the words after it
  std::string_view help;
  std::size_t least_words;
  std::size_t most_words;
  std::string (*line)(const Words& words);            // of a trace; null: the prompt itself does it
  replay::LineKind kind = replay::LineKind::comment;  // of that line, if not all trees accept it
};

constexpr Command kCommands[] = {
    {"signal", "NAME [DATA]", "sends a signal", 1, 2, signal_line, replay::LineKind::signal},
    {"set", "NAME true|false", "sets a variable", 2, 2, set_line, replay::LineKind::set},
    {"flags", "NAME...", "sets the decision flags: these are on, all others off", 0, kMany, flags_line,
     replay::LineKind::flags},
    {"stimulus", "NAME [DATA]", "sets a stimulus", 1, 2, stimulus_line, replay::LineKind::stimulus},
    {"host", "NAME ANSWER...", "what the program answers from now on", 2, kMany, host_line},
    {"jump", "RULE", "makes a rule the current one; null resets the agent", 1, 1, jump_line, replay::LineKind::jump},
    {"inject", "SLOT TREE", "puts a tree into a slot; null empties it", 2, 2, inject_line, replay::LineKind::inject},
    {"tick", "[SECONDS [TIMES]]", "advances the clock, by 0.1 s unless given, and updates the agent", 0, 2, tick_line},
    {"agent", "INDEX|all", "chooses the agent that commands are for; 'tick' updates all", 1, 1, nullptr},
    {"{...}", "", "any line of a trace", 0, 0, nullptr},
    {"next", kCount, "runs the next line of the trace, or the next N", 0, 1, nullptr},
    {"run", "[LINE | EVENT]", "runs on to a line, an event such as 'enter Attack', a failure, or the end", 0, kMany,
     nullptr},
    {"skip", kCount, "skips the next line of the trace, or the next N", 0, 1, nullptr},
    {"list", kCount, "shows the next 10 lines of the trace, or the next N", 0, 1, nullptr},
    {"look", "[all]", "shows the state and the active branch, or the whole tree", 0, 1, nullptr},
    {"back", kCount, "takes back the last line that did something, or the last N", 0, 1, nullptr},
    {"save", "FILE", "writes what was done as a trace", 1, 1, nullptr},
    {"help", "", "shows this list", 0, 0, nullptr},
    {"quit", "", "ends", 0, 0, nullptr},
};

// Words are separated by spaces; one with spaces is in "...".
Words words_of(const std::string& text) {
  Words words;
  std::istringstream in(text);
  for (std::string word; in >> std::quoted(word);) words.push_back(word);
  return words;
}

// A number of lines or of a line; none: the word is not one.
std::optional<std::size_t> number_of(const std::string& word) {
  std::size_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, fault] = std::from_chars(word.data(), end, number);
  return fault != std::errc() || rest != end || number == 0 ? std::nullopt : std::optional(number);
}

class Prompt {
 public:
  Prompt(const CommonOptions& options, const Asset& asset, const SteppedTrace& trace, const replay::ReplayOptions& how,
         report::ReplayForm form)
      : options_(options),
        asset_(asset),
        trace_(trace),
        how_(how),
        form_(std::move(form)),
        path_(trace.path.empty() ? kTyped : trace.path) {
    form_.message_color = form_.story.color;
    begin();
  }

  int run() {
    static_cast<void>(pass_idle());
    if (is_at_end())
      return fail("the trace " + text::quote(trace_.path) + " is empty", "its first line is {\"trace\": 1}");
    if (run_next() == Ran::fault || !pass_idle()) return kFailed;
    first_ = done_.size();
    say_next();
    for (std::string text; read(text);) {
      if (!run_command(text)) break;
    }
    return kOk;
  }

 private:
  struct DoneLine {
    std::string text;
    replay::LinePlace place;
    std::size_t next;  // line of the trace, before this one was run
    bool is_idle;
  };

  // False: the input has ended.
  bool read(std::string& text) {
    const bool is_typed = isatty(STDIN_FILENO) == 1;
    if (is_typed) std::cout << "> " << std::flush;
    if (!std::getline(std::cin, text)) {
      if (is_typed) std::cout << '\n';
      return false;
    }
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (!is_typed && !options_.quiet) std::cout << "> " << text << '\n';
    return true;
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
    const Command* command = text::find_by(&Command::name, kCommands, name);
    if (command == nullptr) {
      std::vector<std::string_view> names;
      for (const Command& each : kCommands) names.push_back(each.name);
      const std::string hint = text::did_you_mean(name, names);
      say("unknown command " + text::quote(name), hint.empty() ? "'help' lists the commands" : hint);
      return true;
    }
    words.erase(words.begin());
    const bool is_count = command->syntax != kCount || words.empty() || number_of(words.front());
    if (words.size() < command->least_words || words.size() > command->most_words || !is_count) {
      say("wrong arguments for '" + name + "'", name + ' ' + std::string(command->syntax));
    } else if (command->line != nullptr) {
      const std::string line = command->line(words);
      run_typed(command->line == tick_line ? line : of_agent(line));  // time is that of all agents
    } else {
      run_own(name, words);
    }
    return true;
  }

  void run_own(const std::string& name, const Words& words) {
    const auto count = [&](std::size_t otherwise) {
      return words.empty() ? otherwise : number_of(words.front()).value_or(otherwise);
    };
    if (name == "help") return help();
    if (name == "agent") return choose_agent(words.front());
    if (name == "look") return look(words);
    if (name == "save") return save(words.front());
    if (name == "back") return back(count(1));
    if (trace_.path.empty()) return say("there is no trace", "begin with one: espalier replay --step --trace FILE");
    if (name == "run") return run_until(words);
    if (name == "list") return list(count(10));
    if (name == "next") return next(count(1));
    skip(count(1));
  }

  void say(const std::string& message, const std::string& hint = {}) {
    std::cout << text::visible(message) << '\n';
    if (!hint.empty()) std::cout << "  hint: " << text::visible(hint) << '\n';
  }

  // ---- Lines

  enum class Ran : std::uint8_t { right, failed, awaited, fault };

  void begin() { replay_ = std::make_unique<report::SteppedStory>(asset_, path_, how_, form_); }

  // Everything so far, silently.
  void replay_again() {
    begin();
    for (const DoneLine& line : done_) static_cast<void>(replay_->run(line.text, line.place));
  }

  report::StepReport tell(const std::string& line, const replay::LinePlace& place, std::string_view awaited = {}) {
    report::StepReport report = replay_->run(line, place, awaited);
    const report::FormScope scope(std::cout,
                                  form_.story.color ? report::OutputForm::colored : report::OutputForm::text);
    std::cout << report.story << std::flush;
    return report;
  }

  Ran run_line(const std::string& line, const replay::LinePlace& place, std::string_view awaited = {}) {
    const report::StepReport report = tell(line, place, awaited);
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

  void save(const std::string& path) {
    std::string trace;
    for (const DoneLine& line : done_) trace += line.text + '\n';
    const std::set<std::string>& read = options_.notes->read;
    system::OutputFault fault;
    if (!system::write_files({{{path, trace}}, {read.begin(), read.end()}}, &fault))
      return say(fault.message, fault.hint);
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
    for (const Command& command : kCommands) {
      if (!replay::is_for_trees(asset_, command.kind)) continue;
      std::string line = "  " + std::string(command.name) + ' ' + std::string(command.syntax);
      line.resize(std::max(line.size(), kColumn), ' ');
      say(line + ' ' + std::string(command.help));
    }
  }

  const CommonOptions& options_;
  const Asset& asset_;
  const SteppedTrace& trace_;
  const replay::ReplayOptions& how_;
  report::ReplayForm form_;
  const std::string path_;  // of the trace, as it is shown
  std::unique_ptr<report::SteppedStory> replay_;
  std::vector<DoneLine> done_;
  std::size_t first_ = 0;  // of the lines that are done: it can be taken back
  std::size_t next_ = 0;   // line of the trace
  std::string agent_;      // that was chosen, as JSON; empty: none was
  replay::Line line_;      // only here to be reused
};

}  // namespace

int step(const CommonOptions& options, const Asset& asset, const SteppedTrace& trace, const replay::ReplayOptions& how,
         const report::ReplayForm& form) {
  return Prompt(options, asset, trace, how, form).run();
}

}  // namespace espalier::cli
