// espalier explain: what a rule means, why it matters, a bad and a good example. Without a rule it lists all
// rules. Exit status 2 for an unknown rule.
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/help.h"
#include "report/line_view.h"
#include "report/output_form.h"
#include "text/decode.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

constexpr std::size_t kLineWidth = 88;

struct ExplainOptions {
  std::string rule;  // empty: all
  std::string format = "human";
};

// Examples as text for readers: some are deliberately not UTF-8.
std::string readable(std::string_view example) { return text::decode(example).text; }

void write_example_file(std::string_view title, const rules::ExampleFile& file) {
  const std::string decoded = readable(file.text);
  std::string_view text = decoded;
  std::cout << '\n' << title << " (" << file.path << "):\n\n";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::cout << (end == 0 ? "" : "    ") << report::visible(text.substr(0, end)) << '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void write_wrapped(std::string_view text) { std::cout << wrapped(text, kLineWidth); }

void write_rule(rules::Rule rule) {
  const rules::RuleInfo& row = rules::info(rule);
  std::cout << row.code << ' ' << row.name << " (" << rules::severity_name(row.severity) << "): " << row.summary
            << "\n\n";
  write_wrapped(row.why);
  if (row.may_be_lowered) {
    std::cout << '\n';
    write_wrapped("espalier.json can lower it to a warning: {\"rules\": {\"" + std::string(row.name) +
                  "\": \"warning\"}}. The tree then has the meaning stated above.");
  }
  for (const rules::ExampleFile& file : row.bad) write_example_file("Bad", file);
  for (const rules::ExampleFile& file : row.good) write_example_file("Good", file);
}

void write_list() {
  std::size_t width = 0;
  for (const rules::RuleInfo& row : rules::all()) width = std::max(width, row.name.size());
  for (const rules::RuleInfo& row : rules::all()) {
    std::cout << row.code << "  " << std::left << std::setw(7) << rules::severity_name(row.severity) << "  "
              << std::setw(static_cast<int>(width)) << row.name << "  " << row.summary << '\n';
  }
}

nlohmann::ordered_json example_json(std::span<const rules::ExampleFile> example) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const rules::ExampleFile& file : example) files.push_back({{"file", file.path}, {"text", readable(file.text)}});
  return files;
}

void write_json(const std::vector<rules::Rule>& chosen) {
  const report::FormScope form(std::cout, report::OutputForm::json);
  nlohmann::ordered_json rules_json = nlohmann::ordered_json::array();
  for (const rules::Rule rule : chosen) {
    const rules::RuleInfo& row = rules::info(rule);
    rules_json.push_back({{"code", row.code},
                          {"rule", row.name},
                          {"severity", rules::severity_name(row.severity)},
                          {"mayBeLowered", row.may_be_lowered},
                          {"fix", rules::fix_grade_name(row.fix)},
                          {"since", row.since},
                          {"summary", row.summary},
                          {"why", row.why},
                          {"bad", example_json(row.bad)},
                          {"good", example_json(row.good)}});
  }
  std::cout << nlohmann::ordered_json{{"version", 1}, {"rules", rules_json}}.dump(2) << '\n';
}

int run_explain(const ExplainOptions& options) {
  std::vector<rules::Rule> chosen = rules::find_all(options.rule);
  if (options.rule.empty()) {
    for (std::size_t i = 0; i < rules::all().size(); ++i) chosen.push_back(static_cast<rules::Rule>(i));
  } else if (chosen.empty()) {
    const std::string hint = text::did_you_mean(options.rule, rules::codes_and_names());
    return fail("unknown rule " + text::quote(options.rule),
                hint.empty() ? "'espalier explain' lists all rules" : hint);
  }
  if (options.format == "json") {
    write_json(chosen);
  } else if (options.rule.empty()) {
    write_list();
  } else {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (i > 0) std::cout << "\n\n";
      write_rule(chosen[i]);
    }
  }
  return kOk;
}

}  // namespace

void add_explain(CLI::App& program, int& status) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* verb = program.add_subcommand("explain", "explains a rule: what, why, a bad and a good example");
  takes(verb->add_option("RULE", options->rule, "code or name of the rule, ignoring case; default: lists all rules"),
        "RULE");
  takes_one_of(verb->add_option("--format", options->format, "how rules are written"), "FORMAT", "human|json")
      ->capture_default_str();
  verb->footer(
      "Examples:\n"
      "  espalier explain XML007\n"
      "  espalier explain duplicate-attribute\n"
      "  espalier explain");
  verb->callback([options, &status] { status = run_explain(*options); });
}

}  // namespace espalier::cli
