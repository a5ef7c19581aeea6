// The prompt of replay --step. See step.h.
//
// Each command that does something is a line of a trace. The lines so far are all that is kept: going back runs them
// again from the beginning without the last ones, which gives the same bytes in every agent.
#include "cli/step.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iomanip>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "cli/output_files.h"
#include "cli/watch.h"
#include "report/output_form.h"
#include "text/json.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

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

struct Command {
  std::string_view name;
  std::string_view syntax;  // of the words after it
  std::string_view help;
  std::size_t least_words;
  std::size_t most_words;
  std::string (*line)(const Words& words);  // of a trace; null: the prompt itself does it
};

constexpr Command kCommands[] = {
    {"signal", "NAME [DATA]", "sends a signal", 1, 2, signal_line},
    {"set", "NAME true|false", "sets a variable", 2, 2, set_line},
    {"flags", "NAME...", "sets the decision flags: these are on, all others off", 0, kMany, flags_line},
    {"stimulus", "NAME [DATA]", "sets a stimulus", 1, 2, stimulus_line},
    {"host", "NAME ANSWER...", "what the game answers from now on", 2, kMany, host_line},
    {"jump", "RULE", "makes a rule the current one; null resets the agent", 1, 1, jump_line},
    {"inject", "SLOT TREE", "puts a tree into a slot; null empties it", 2, 2, inject_line},
    {"tick", "[SECONDS [TIMES]]", "advances the clock, by 0.1 s unless given, and updates the agent", 0, 2, tick_line},
    {"{...}", "", "any line of a trace", 0, 0, nullptr},
    {"look", "[all]", "shows the state and the active branch, or the whole tree", 0, 1, nullptr},
    {"back", "[N]", "takes back the last command that did something, or the last N", 0, 1, nullptr},
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

class Prompt {
 public:
  Prompt(const CommonOptions& options, const Asset& asset, const replay::ReplayOptions& how, report::ReplayForm form)
      : options_(options), asset_(asset), how_(how), form_(std::move(form)) {
    form_.message_color = form_.story.color;
  }

  int run(const std::string& tree) {
    lines_ = {"{\"trace\": 1" + (tree.empty() ? "" : ", \"tree\": " + text::json_string(tree)) + '}'};
    replay_ = std::make_unique<report::SteppedStory>(asset_, "<stdin>", how_, form_);
    if (!tell(lines_.front())) return kFailed;
    for (std::string text; read(text);) {
      if (!run_command(text)) break;
    }
    return kOk;
  }

 private:
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
      run_line(text.substr(first));
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
    if (words.size() < command->least_words || words.size() > command->most_words) {
      say("wrong arguments for '" + name + "'", name + ' ' + std::string(command->syntax));
    } else if (command->line != nullptr) {
      run_line(command->line(words));
    } else {
      run_own(name, words);
    }
    return true;
  }

  void run_own(const std::string& name, const Words& words) {
    if (name == "help") return help();
    if (name == "save") return save(words.front());
    if (name == "back") return back(words.empty() ? "1" : words.front());
    const bool is_all = !words.empty() && words.front() == "all";
    if (!words.empty() && !is_all) return say("wrong arguments for 'look'", "look [all]");
    static_cast<void>(tell(is_all ? "{\"print\": \"all\"}" : "{\"print\": \"active\"}"));
    replay_again();  // looking is no event
  }

  void say(const std::string& message, const std::string& hint = {}) {
    std::cout << text::visible(message) << '\n';
    if (!hint.empty()) std::cout << "  hint: " << text::visible(hint) << '\n';
  }

  // Runs a line and tells what happens. False: it has a fault.
  bool tell(const std::string& line) {
    std::string told;
    const bool is_right = replay_->run(line, &told);
    const report::FormScope scope(std::cout,
                                  form_.story.color ? report::OutputForm::colored : report::OutputForm::text);
    std::cout << told << std::flush;
    return is_right;
  }

  void run_line(const std::string& line) {
    if (tell(line)) {
      lines_.push_back(line);
    } else {
      replay_again();
    }
  }

  // Everything so far, silently.
  void replay_again() {
    replay_ = std::make_unique<report::SteppedStory>(asset_, "<stdin>", how_, form_);
    std::string told;
    for (const std::string& line : lines_) static_cast<void>(replay_->run(line, &told));
  }

  void back(const std::string& word) {
    std::size_t count = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (fault != std::errc() || end != word.data() + word.size() || count == 0) {
      return say(text::quote(word) + " is not a number of commands", "back [N]");
    }
    if (lines_.size() == 1) return say("there is nothing to take back");
    for (; count > 0 && lines_.size() > 1; --count) {
      say("  takes back " + lines_.back());
      lines_.pop_back();
    }
    replay_again();
  }

  void save(const std::string& path) {
    std::string trace;
    for (const std::string& line : lines_) trace += line + '\n';
    const std::set<std::string>& read = options_.notes->read;
    OutputFault fault;
    if (!write_files({{{path, trace}}, {read.begin(), read.end()}}, &fault)) return say(fault.message, fault.hint);
    say("  saved " + text::quote(path));
  }

  void help() {
    constexpr std::size_t kColumn = 26;
    for (const Command& command : kCommands) {
      std::string line = "  " + std::string(command.name) + ' ' + std::string(command.syntax);
      line.resize(std::max(line.size(), kColumn), ' ');
      say(line + ' ' + std::string(command.help));
    }
  }

  const CommonOptions& options_;
  const Asset& asset_;
  const replay::ReplayOptions& how_;
  report::ReplayForm form_;
  std::vector<std::string> lines_;  // of the trace
  std::unique_ptr<report::SteppedStory> replay_;
};

}  // namespace

int step(const CommonOptions& options, const Asset& asset, const std::string& tree, const replay::ReplayOptions& how,
         const report::ReplayForm& form) {
  return Prompt(options, asset, how, form).run(tree);
}

}  // namespace espalier::cli
