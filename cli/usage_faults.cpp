// Messages for command lines that are not valid. See usage_faults.h.
#include "cli/usage_faults.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "cli/command_line.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  return text::did_you_mean(word, {candidates.begin(), candidates.end()});
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

bool has_option(const CLI::App& app, const std::string& name) {
  const std::vector<std::string> names = option_names(app);
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Where the error is: the verb, or the program when no verb is given or unexpected words precede it.
const CLI::App& app_at_fault(const CLI::App& program) {
  const std::vector<CLI::App*> verbs = program.get_subcommands();
  return verbs.empty() || !program.remaining(false).empty() ? program : *verbs.front();
}

UsageFault unknown_option(const CLI::App& program, const CLI::App& verb, const std::string& word) {
  const std::string name = word.substr(0, word.find('=', 2));
  const std::string message = "unknown option " + text::quote(name);
  for (const CLI::App* given : program.get_subcommands()) {
    if (&verb == &program && has_option(*given, name)) {
      return {message, "options follow the verb: 'espalier " + given->get_name() + " " + name + "'"};
    }
  }
  const std::string hint = did_you_mean(name, option_names(verb));
  if (!hint.empty()) return {message, hint};
  for (const CLI::App* other : program.get_subcommands(nullptr)) {
    if (has_option(*other, name)) return {message, "it is an option of 'espalier " + other->get_name() + "'"};
  }
  return {message, {}};
}

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

bool has_unknown_option(const CLI::App& verb) {
  const std::vector<std::string> words = verb.remaining(false);
  return std::any_of(words.begin(), words.end(), is_option);
}

// Words that no option or argument takes.
UsageFault describe_extras(const CLI::App& program, const CLI::App& verb) {
  const std::vector<std::string> words = verb.remaining(false);
  for (const std::string& word : words) {
    if (is_option(word)) return unknown_option(program, verb, word);
  }
  return {"unexpected argument " + text::quote(words.empty() ? std::string() : words.front()), {}};
}

// The option that CLI11 names in a message: the one with the longest name that occurs in it.
const CLI::Option* named_option(const CLI::App& verb, std::string_view message) {
  const CLI::Option* found = nullptr;
  std::size_t longest = 0;
  for (const CLI::Option* option : verb.get_options()) {
    std::vector<std::string> names = option->get_lnames();
    names.push_back(option->get_name());
    for (const std::string& name : names) {
      if (name.size() <= longest || message.find(name) == std::string_view::npos) continue;
      found = option;
      longest = name.size();
    }
  }
  return found;
}

UsageFault describe_check(const CLI::Option* option, std::string_view message) {
  const std::size_t begin = message.find(": ");
  if (begin != std::string_view::npos) message.remove_prefix(begin + 2);
  const std::size_t mark = message.find(kHintMark);
  if (mark != std::string_view::npos)
    return {std::string(message.substr(0, mark)), std::string(message.substr(mark + 1))};
  return {(option == nullptr ? "" : quoted_name(*option) + ": ") + std::string(message), {}};
}

std::string value_hint(const CLI::Option& option) {
  const std::vector<std::string> words = value_words(option);
  return words.empty() ? shown_name(option) + " " + value_name(option) : one_of(words);
}

UsageFault describe_values(const CLI::Option& option) {
  const std::string name = quoted_name(option);
  if (is_flag(option)) return {name + " takes no value", {}};
  const std::size_t count = option.count();
  if (count > 1 && static_cast<int>(count) > option.get_items_expected_max()) return {name + " is given twice", {}};
  return {name + " needs a value", value_hint(option)};
}

UsageFault describe_missing(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    if (option->get_positional()) return {"'" + verb.get_name() + "' needs " + shown_name(*option), {}};
    return {"'" + verb.get_name() + "' needs the option " + quoted_name(*option), {}};
  }
  return {"missing verb", {}};
}

UsageFault describe_exclusion(const CLI::App& verb) {
  const auto has = [](const std::set<CLI::Option*>& options, const CLI::Option* option) {
    return std::any_of(options.begin(), options.end(), [&](const CLI::Option* each) { return each == option; });
  };
  for (const CLI::Option* option : verb.get_options()) {
    if (option->count() == 0) continue;
    for (const CLI::Option* other : verb.get_options()) {
      const std::string names = quoted_name(*option) + " and " + quoted_name(*other);
      if (other->count() > 0 && has(option->get_excludes(), other)) return {names + " cannot be given together", {}};
      const std::string needs = quoted_name(*option) + " needs " + quoted_name(*other);
      if (other->count() == 0 && has(option->get_needs(), other)) return {needs, {}};
    }
  }
  return {"some of the options cannot be given together", {}};
}

template <class Kind>
bool is(const CLI::ParseError& error) {
  return dynamic_cast<const Kind*>(&error) != nullptr;
}

UsageFault describe(const CLI::App& program, const CLI::App& verb, const CLI::ParseError& error) {
  const std::string_view message = error.what();
  const CLI::Option* option = named_option(verb, message);
  // An unknown option is likely what an argument that seems to be missing was meant to be.
  const bool is_missing_more = is<CLI::RequiredError>(error) && has_unknown_option(verb);
  if (is<CLI::ExtrasError>(error) || is_missing_more) return describe_extras(program, verb);
  if (is<CLI::RequiredError>(error)) return describe_missing(verb);
  if (is<CLI::ExcludesError>(error) || is<CLI::RequiresError>(error)) return describe_exclusion(verb);
  if (is<CLI::ValidationError>(error)) return describe_check(option, message);
  if (option == nullptr) return {"invalid command line", {}};
  if (!is<CLI::ConversionError>(error)) return describe_values(*option);
  const std::string value = option->results().empty() ? std::string() : option->results().back();
  return {text::quote(value) + " is not a valid value for " + quoted_name(*option), {}};
}

// ---- Verbs

// Words that other programs have for a verb.
constexpr std::pair<std::string_view, std::string_view> kWordsOfOthers[] = {
    {"lint", " check validate analyze analyse fix "},
    {"replay", " test run simulate play exec "},
    {"compile", " build make "},
    {"fmt", " format "},
    {"dump", " print show list disassemble "},
    {"graph", " draw picture view dot svg "},
    {"cover", " coverage "},
    {"diff", " compare "},
    {"prove", " properties "},
    {"explain", " describe rules why doc "},
    {"help", " man "},
    {"init", " new create config "},
    {"schema", " xsd schemas "},
    {"lsp", " server language-server "},
    {"dap", " debug debugger debug-adapter "},
    {"merge", " join combine "},
};

// The verb that another program's word means; empty if there is none.
std::string_view verb_of_others(const std::string& word) {
  const auto* const found = std::find_if(std::begin(kWordsOfOthers), std::end(kWordsOfOthers), [&](const auto& words) {
    return words.second.find(' ' + word + ' ') != std::string_view::npos;
  });
  return found == std::end(kWordsOfOthers) ? std::string_view() : found->first;
}

// All that are nearest, if they are equally near: "did you mean 'init' or 'lint'?".
std::string nearest_verbs(const std::string& word, const std::vector<std::string>& verbs) {
  constexpr std::size_t kMaxNear = 3;
  std::vector<std::string_view> near;
  for (std::size_t edits = 1; edits <= 2 && near.empty() && 2 * edits <= word.size(); ++edits) {
    for (const std::string& verb : verbs) {
      if (text::is_near(word, verb, edits)) near.push_back(verb);
    }
  }
  if (near.empty() || near.size() > kMaxNear) return {};
  std::string names;
  for (const std::string_view verb : near) names += (names.empty() ? "" : " or ") + text::quote(verb);
  return "did you mean " + names + "?";
}

}  // namespace

std::string one_of(const std::vector<std::string>& words) {
  std::string text = "one of ";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string quoted_name(const CLI::Option& option) { return "'" + shown_name(option) + "'"; }

UsageFault describe_fault(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& verb = app_at_fault(program);
  UsageFault fault = describe(program, verb, error);
  if (!fault.hint.empty()) return fault;
  fault.hint = "'espalier " + (&verb == &program ? "" : verb.get_name() + " ") + "--help' lists the valid arguments";
  return fault;
}

UsageFault unknown_verb(const CLI::App& program, const std::string& word) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : program.get_subcommands(nullptr)) verbs.push_back(verb->get_name());
  const std::string_view other = verb_of_others(word);
  std::string hint = other.empty() ? did_you_mean(word, verbs) : "use " + text::quote(other);
  if (hint.empty()) hint = nearest_verbs(word, verbs);
  return {"unknown verb " + text::quote(word), hint.empty() ? "'espalier --help' lists all verbs" : hint};
}

}  // namespace espalier::cli
