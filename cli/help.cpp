// --help. See help.h.
#include "cli/help.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string_view>

#include "cli/command_line.h"
#include "system/environment.h"
#include "system/standard_streams.h"
#include "text/wrapped.h"

namespace espalier::cli {
namespace {

constexpr std::size_t kMinWidth = 40;
constexpr std::size_t kUsualWidth = 80;
constexpr std::size_t kMaxColumn = 28;  // texts begin at this column at the latest

bool takes_many(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

// A name and its description; the descriptions of a table are aligned in one column.
struct Row {
  std::string name;
  std::string text;
};

std::string table(const std::vector<Row>& rows, std::size_t width) {
  std::size_t column = 0;
  for (const Row& row : rows) column = std::max(column, row.name.size() + 4);
  column = std::min({column, kMaxColumn, width / 2});
  std::string text;
  for (const Row& row : rows) {
    std::string line = "  " + row.name;
    if (line.size() + 2 > column) {
      text += line + '\n';
      line.clear();
    }
    line.resize(column, ' ');
    text += line + text::wrapped(row.text, width - column, column);
  }
  return text;
}

std::string section(std::string_view title, const std::vector<Row>& rows, std::size_t width) {
  return rows.empty() ? std::string() : '\n' + std::string(title) + ":\n" + table(rows, width);
}

std::vector<Row> rows_of(const std::vector<const CLI::Option*>& options) {
  std::vector<Row> rows;
  rows.reserve(options.size());
  for (const CLI::Option* option : options) rows.push_back({option_syntax(*option), option_text(*option)});
  return rows;
}

// Options of reports, and those that few people need; of any verb. What is in neither comes first.
constexpr std::string_view kReporting[] = {"format", "max-findings", "statistics", "fail-on", "fail-under",
                                           "events", "view",         "agent",      "witness", "verbose",
                                           "quiet",  "color",        "exit-code"};
constexpr std::string_view kRare[] = {"no-ignore", "skip-unknown", "isolated",     "stdin-filename", "config",
                                      "threads",   "no-cache",     "total-budget", "max-updates",    "reload",
                                      "record",    "shard",        "thrash"};

bool is_one_of(const CLI::Option& option, std::span<const std::string_view> names) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return option.check_lname(std::string(name)) || (name == "verbose" && option.check_sname("v"));
  });
}

std::string sections_of_options(const CLI::App& verb, std::size_t width) {
  std::vector<const CLI::Option*> usual;
  std::vector<const CLI::Option*> reporting;
  std::vector<const CLI::Option*> rare;
  for (const CLI::Option* option : options_of(verb)) {
    (is_one_of(*option, kRare) ? rare : is_one_of(*option, kReporting) ? reporting : usual).push_back(option);
  }
  return section("Options", rows_of(usual), width) + section("Options for reports", rows_of(reporting), width) +
         section("Rarely needed", rows_of(rare), width);
}

std::string footer_of(const CLI::App& app, std::size_t width) {
  return app.get_footer().empty() ? std::string() : '\n' + text::wrapped(app.get_footer(), width);
}

}  // namespace

std::size_t line_width() {
  const std::string columns = system::variable("COLUMNS").value_or("");
  std::size_t width = std::strtoul(columns.c_str(), nullptr, 10);
  if (width == 0) width = system::terminal_width();
  return width == 0 ? kUsualWidth : std::max(width, kMinWidth);
}

std::string help_text(const CLI::App& program, std::size_t width) {
  std::vector<Row> verbs;
  for (const CLI::App* verb : program.get_subcommands(nullptr)) {
    if (!verb->get_group().empty()) verbs.push_back({verb->get_name(), verb->get_description()});
  }
  return text::wrapped(program.get_description(), width) + '\n' +
         text::wrapped("Usage: espalier VERB [PATHS...] [OPTIONS]", width, 7) + section("Verbs", verbs, width) +
         section("Options", rows_of(options_of(program)), width) + footer_of(program, width);
}

std::string help_text(const CLI::App& program, const CLI::App& verb, std::size_t width) {
  if (&verb == &program) return help_text(program, width);
  return text::wrapped("espalier " + verb.get_name() + ": " + verb.get_description(), width) + '\n' +
         text::wrapped("Usage: " + usage_of(verb), width, 7) + footer_of(verb, width) +
         section("Arguments", rows_of(positionals_of(verb)), width) + sections_of_options(verb, width);
}

std::string usage_of(const CLI::App& verb) {
  std::string usage = "espalier " + verb.get_name();
  for (const CLI::Option* option : positionals_of(verb)) {
    const std::string name = option_syntax(*option);
    usage += option->get_required() ? " " + name : " [" + name + "]";
  }
  return usage + " [OPTIONS]";
}

std::string option_syntax(const CLI::Option& option) {
  if (option.get_positional() && option.get_lnames().empty() && option.get_snames().empty()) {
    return option.get_name() + (takes_many(option) ? "..." : "");
  }
  std::string syntax;
  for (const std::string& name : option.get_snames()) syntax += (syntax.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) syntax += (syntax.empty() ? "--" : ", --") + name;
  return is_flag(option) ? syntax : syntax + ' ' + value_name(option);
}

std::string option_text(const CLI::Option& option) {
  std::string words;
  for (const std::string& word : value_words(option)) words += (words.empty() ? "" : ", ") + word;
  const std::string usual = option.get_default_str().empty() ? "" : "default " + option.get_default_str();
  if (words.empty() && usual.empty()) return option.get_description();
  return option.get_description() + " (" + words + (words.empty() || usual.empty() ? "" : "; ") + usual + ")";
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& verb) {
  return verb.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& verb) {
  std::vector<const CLI::Option*> options = verb.get_options(
      [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
  // --help, which every verb has, comes last.
  std::stable_partition(options.begin(), options.end(),
                        [&](const CLI::Option* option) { return option != verb.get_help_ptr(); });
  return options;
}

}  // namespace espalier::cli
