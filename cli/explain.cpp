// espalier explain: what a rule means, why it matters, a bad and a good example; or the reference of an element: of a
// dialect, or of what the project at PATH or an engine declares. Without a name it lists all rules. Exit status 2 for
// an unknown name.
#include <iostream>
#include <memory>

#include "cli/cli.h"
#include "cli/command_line.h"
#include "project/explain_element.h"
#include "project/explanations.h"
#include "project/schemas.h"
#include "report/output_form.h"
#include "rules/rules.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

struct ExplainOptions {
  std::string name;  // of a rule or an element; empty: all rules
  std::string path = ".";
  std::string configuration;
  std::string format = "human";
};

int write_json(const std::vector<rules::Rule>& rules, const std::vector<project::ExplainedElement>& elements,
               std::string_view site) {
  const report::FormScope form(std::cout, report::OutputForm::json);
  std::cout << project::explanations_json(rules, elements, site);
  return kOk;
}

int explain_element(const ExplainOptions& options) {
  project::Declarations declarations;
  std::string error;
  if (!project::read_declarations(options.path, options.configuration, declarations, error)) return fail(error);
  const dialects::Options& declared = declarations.options;
  const std::vector<project::ExplainedElement> found = project::explain_element(options.name, declared);
  if (found.empty()) {
    const std::vector<rules::Rule> rules = project::search_rules(options.name);
    const std::vector<project::ExplainedElement> containing = project::search_elements(options.name, declared);
    if (!rules.empty() || !containing.empty()) {
      if (options.format == "json") return write_json(rules, containing, declarations.site);
      std::cout << project::search_text(options.name, rules, containing);
      return kOk;
    }
    const std::vector<std::string> elements = project::explained_names(declared);
    std::vector<std::string_view> names = rules::codes_and_names();
    names.insert(names.end(), elements.begin(), elements.end());
    const std::string hint = text::did_you_mean(options.name, names);
    return fail("unknown rule or element " + text::quote(options.name),
                hint.empty() ? "'espalier explain' lists all rules" : hint);
  }
  if (options.format == "json") return write_json({}, found, {});
  for (const project::ExplainedElement& element : found)
    std::cout << (&element != &found.front() ? "\n\n" : "") << project::element_text(element);
  return kOk;
}

// Where the project publishes the pages of rules. What errors espalier.json has besides does not matter here.
std::string site_of(const ExplainOptions& options) {
  project::Declarations declarations;
  std::string error;
  static_cast<void>(project::read_declarations(options.path, options.configuration, declarations, error));
  return declarations.site;
}

int run_explain(const ExplainOptions& options) {
  std::vector<rules::Rule> chosen = rules::find_all(options.name);
  if (options.name.empty()) {
    for (const rules::RuleInfo& row : rules::all()) chosen.push_back(row.rule);
  } else if (chosen.empty()) {
    return explain_element(options);
  }
  const std::string site = site_of(options);
  if (options.format == "json") return write_json(chosen, {}, site);
  if (options.name.empty()) {
    std::cout << project::list_of_rules();
    return kOk;
  }
  for (std::size_t i = 0; i < chosen.size(); ++i)
    std::cout << (i > 0 ? "\n\n" : "") << project::rule_text(chosen[i], site);
  return kOk;
}

}  // namespace

void add_explain(CLI::App& program, int& status) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* verb = program.add_subcommand("explain", "explains a rule, with examples, or an element");
  takes(verb->add_option("NAME", options->name,
                         "code or name of a rule, or an element or declared node, in any case; any other word lists "
                         "what has that word in its name or summary; default: lists all rules"),
        "NAME");
  takes(verb->add_option("PATH", options->path, "a path in the project whose declarations are used"), "PATH")
      ->capture_default_str();
  takes(verb->add_option("--config", options->configuration, "uses this file instead of the nearest espalier.json"),
        "FILE");
  takes_one_of(verb->add_option("--format", options->format, "output format"), "FORMAT", "human|json")
      ->capture_default_str();
  verb->footer(
      "Examples:\n"
      "  espalier explain XML007\n"
      "  espalier explain duplicate-attribute\n"
      "  espalier explain Parallel\n"
      "  espalier explain Move samples/modular --format json\n"
      "  espalier explain");
  verb->callback([options, &status] { status = run_explain(*options); });
}

}  // namespace espalier::cli
