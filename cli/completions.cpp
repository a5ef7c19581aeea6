// Completions for shells. See completions.h. Names and values of options contain only letters, digits and '-';
// descriptions may contain anything.
#include "cli/completions.h"

#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "cli/help.h"

namespace espalier::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& separator = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> all_names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options_of(app)) {
    for (std::string& name : names_of(*option)) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> verbs_of(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* verb : program.get_subcommands(nullptr)) names.push_back(verb->get_name());
  return names;
}

// The valid values of an option or argument; empty when they are not a fixed list.
std::vector<std::string> words_of(const CLI::App& program, const CLI::Option& option) {
  return value_name(option) == "VERB" ? verbs_of(program) : value_words(option);
}

bool is_path(const CLI::Option& option) {
  const std::string name = value_name(option);
  return name == "FILE" || name == "PATH" || name == "FOLDER";
}

bool is_repeatable(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

std::string replaced(std::string text, const std::string& characters, const std::string& before) {
  for (std::size_t at = 0; (at = text.find_first_of(characters, at)) != std::string::npos; at += before.size() + 1) {
    text.insert(at, before);
  }
  return text;
}

// In single quotes; a single quote itself is written as '\''.
std::string quoted_for_zsh(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return "'" + result + "'";
}

std::string quoted_for_fish(const std::string& text) { return "'" + replaced(text, "\\'", "\\") + "'"; }

// One option of zsh's _arguments: '(-j --threads)'{-j+,--threads=}'[text]:COUNT:'.
std::string zsh_option(const CLI::App& program, const CLI::Option& option) {
  const std::vector<std::string> names = names_of(option);
  std::string value;
  if (!is_flag(option)) {
    const std::vector<std::string> words = words_of(program, option);
    value = ":" + value_name(option) + ":" +
            (!words.empty()    ? "(" + joined(words) + ")"
             : is_path(option) ? "_files"
                               : "");
  }
  const std::string text = quoted_for_zsh("[" + replaced(option.get_description(), "\\[]:", "\\") + "]" + value);
  std::vector<std::string> forms;
  forms.reserve(names.size());
  for (const std::string& name : names) {
    forms.push_back(name + (is_flag(option) ? "" : name.starts_with("--") ? "=" : "+"));
  }
  const std::string once = is_repeatable(option) ? "'*'" : "'(" + joined(names) + ")'";
  return once + (forms.size() == 1 ? forms.front() : "{" + joined(forms, ",") + "}") + text;
}

std::string zsh_argument(const CLI::App& program, const CLI::Option& option) {
  const std::vector<std::string> words = words_of(program, option);
  const std::string values = !words.empty() ? "(" + joined(words) + ")" : is_path(option) ? "_files" : "";
  return quoted_for_zsh((is_repeatable(option) ? "*:" : "1:") + option.get_name() + ":" + values);
}

std::string bash_offer(const std::vector<std::string>& words) {
  return words.empty() ? "" : "COMPREPLY=($(compgen -W '" + joined(words) + "' -- \"$current\")); ";
}

std::string bash_case(const std::string& pattern, const std::string& commands) {
  return "    " + pattern + ") " + commands + ";;\n";
}

}  // namespace

std::string bash_completions(const CLI::App& program) {
  std::string values;     // of options
  std::string options;    // of verbs
  std::string arguments;  // of verbs
  for (const CLI::App* verb : program.get_subcommands(nullptr)) {
    for (const CLI::Option* option : options_of(*verb)) {
      if (is_flag(*option)) continue;
      const std::string pattern = verb->get_name() + "," + joined(names_of(*option), "|" + verb->get_name() + ",");
      values += bash_case(pattern, bash_offer(words_of(program, *option)) + "return ");
    }
    options += bash_case(verb->get_name(), bash_offer(all_names_of(*verb)));
    for (const CLI::Option* argument : positionals_of(*verb)) {
      const std::vector<std::string> words = words_of(program, *argument);
      if (!words.empty()) arguments += bash_case(verb->get_name(), bash_offer(words));
    }
  }
  std::vector<std::string> first = verbs_of(program);
  for (const std::string& name : all_names_of(program)) first.push_back(name);
  return "# Completions of espalier for bash, written by 'espalier completions bash'.\n"
         "# Where nothing is offered, bash completes file names.\n"
         "_espalier() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}\n"
         "  COMPREPLY=()\n"
         "  # \"--option=value\" comes as three words.\n"
         "  if [[ $current == '=' ]]; then\n"
         "    current=''\n"
         "  elif [[ $previous == '=' ]]; then\n"
         "    previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "  fi\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    " +
         bash_offer(first) +
         "return\n"
         "  fi\n"
         "  case $verb,$previous in\n" +
         values +
         "  esac\n"
         "  if [[ $current == -* ]]; then\n"
         "    case $verb in\n" +
         options +
         "    esac\n"
         "    return\n"
         "  fi\n"
         "  case $verb in\n" +
         arguments +
         "  esac\n"
         "}\n"
         "complete -o bashdefault -o default -F _espalier espalier\n";
}

std::string zsh_completions(const CLI::App& program) {
  std::string verbs;
  std::string cases;
  for (const CLI::App* verb : program.get_subcommands(nullptr)) {
    verbs += "        " + quoted_for_zsh(replaced(verb->get_name(), ":", "\\") + ":" + verb->get_description()) + "\n";
    cases += "        " + verb->get_name() + ")\n          _arguments -s -S";
    for (const CLI::Option* option : options_of(*verb)) cases += " \\\n            " + zsh_option(program, *option);
    for (const CLI::Option* argument : positionals_of(*verb)) {
      cases += " \\\n            " + zsh_argument(program, *argument);
    }
    cases += "\n          ;;\n";
  }
  std::string options;
  for (const CLI::Option* option : options_of(program)) options += " \\\n    " + zsh_option(program, *option);
  return "#compdef espalier\n"
         "# Completions of espalier for zsh, written by 'espalier completions zsh'.\n"
         "_espalier() {\n"
         "  local curcontext=$curcontext state line\n"
         "  typeset -A opt_args\n"
         "  _arguments -C" +
         options +
         " \\\n    '1: :->verb' \\\n    '*:: :->words'\n"
         "  case $state in\n"
         "    verb)\n"
         "      local -a verbs\n"
         "      verbs=(\n" +
         verbs +
         "      )\n"
         "      _describe verb verbs\n"
         "      ;;\n"
         "    words)\n"
         "      case $line[1] in\n" +
         cases +
         "      esac\n"
         "      ;;\n"
         "  esac\n"
         "}\n"
         "if [[ ${funcstack[1]} == _espalier ]]; then\n"
         "  _espalier \"$@\"\n"
         "else\n"
         "  compdef _espalier espalier\n"
         "fi\n";
}

std::string fish_completions(const CLI::App& program) {
  std::string text = "# Completions of espalier for fish, written by 'espalier completions fish'.\n";
  // An option or argument, under a condition; fish completes paths itself.
  const auto add = [&](const std::string& condition, const CLI::Option& option) {
    const std::vector<std::string> words = words_of(program, option);
    if (option.get_positional() && words.empty()) return;
    text += "complete -c espalier -n " + quoted_for_fish(condition);
    for (const std::string& name : option.get_snames()) text += " -s " + name;
    for (const std::string& name : option.get_lnames()) text += " -l " + name;
    if (option.get_positional()) {
      text += " -f";
    } else if (!is_flag(option)) {
      text += is_path(option) ? " -r -F" : " -x";
    }
    if (!words.empty()) text += " -a " + quoted_for_fish(joined(words));
    text += " -d " + quoted_for_fish(option.get_description()) + "\n";
  };
  for (const CLI::Option* option : options_of(program)) add("__fish_use_subcommand", *option);
  for (const CLI::App* verb : program.get_subcommands(nullptr)) {
    const std::string condition = "__fish_seen_subcommand_from " + verb->get_name();
    text += "complete -c espalier -n __fish_use_subcommand -f -a " + verb->get_name() + " -d " +
            quoted_for_fish(verb->get_description()) + "\n";
    for (const CLI::Option* option : options_of(*verb)) add(condition, *option);
    for (const CLI::Option* argument : positionals_of(*verb)) add(condition, *argument);
  }
  return text;
}

}  // namespace espalier::cli
