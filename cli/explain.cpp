// espalier explain: what a rule means, why it matters, a bad and a good example; or the reference of an element: of a
// dialect, or of what the project at PATH or an engine declares. Without a name it lists all rules. Exit status 2 for
// an unknown name.
#include <espalier/espalier.hpp>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/help.h"
#include "project/explain_element.h"
#include "project/schemas.h"
#include "replay/names.h"
#include "report/line_view.h"
#include "report/output_form.h"
#include "rules/rules.h"
#include "text/decode.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

constexpr std::size_t kLineWidth = 88;

struct ExplainOptions {
  std::string name;  // of a rule or an element; empty: all rules
  std::string path = ".";
  std::string configuration;
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
  std::cout << row.code << ' ' << row.name << " (" << rules::default_severity(row) << "): " << row.summary << "\n\n";
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
    std::cout << row.code << "  " << std::left << std::setw(7) << rules::default_severity(row) << "  "
              << std::setw(static_cast<int>(width)) << row.name << "  " << row.summary << '\n';
  }
}

nlohmann::ordered_json example_json(std::span<const rules::ExampleFile> example) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const rules::ExampleFile& file : example) files.push_back({{"file", file.path}, {"text", readable(file.text)}});
  return files;
}

nlohmann::ordered_json json_of(const std::vector<rules::Rule>& chosen) {
  nlohmann::ordered_json rules_json = nlohmann::ordered_json::array();
  for (const rules::Rule rule : chosen) {
    const rules::RuleInfo& row = rules::info(rule);
    rules_json.push_back({{"code", row.code},
                          {"rule", row.name},
                          {"severity", rules::default_severity(row)},
                          {"mayBeLowered", row.may_be_lowered},
                          {"fix", rules::fix_grade_name(row.fix)},
                          {"since", row.since},
                          {"summary", row.summary},
                          {"why", row.why},
                          {"bad", example_json(row.bad)},
                          {"good", example_json(row.good)}});
  }
  return rules_json;
}

// ---- Elements

constexpr int kFactIndent = 12;

std::vector<std::string_view> words_of(ir::Results results) {
  std::vector<std::string_view> words;
  for (const Result result : {Result::running, Result::success, Result::failure}) {
    if ((results >> static_cast<unsigned>(result) & 1) != 0) words.push_back(replay::result_name(result));
  }
  return words;
}

std::string answers_text(ir::Results results) {
  std::string text;
  const std::vector<std::string_view> words = words_of(results);
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + std::string(words[i]);
  }
  return text;
}

std::string need_text(const dialects::AttributeReference& attribute) {
  if (!attribute.need.empty()) return attribute.need;
  return attribute.otherwise.empty() ? "" : "default " + text::quote(attribute.otherwise);
}

void write_element(const project::ExplainedElement& element) {
  const dialects::ElementReference& reference = element.reference;
  std::cout << reference.name << " (" << element.dialect << ", " << element.kind << ")\n";
  if (!reference.doc.empty()) write_wrapped(reference.doc + '.');
  std::vector<std::pair<std::string_view, std::string>> facts;
  if (!reference.holds.empty()) facts.emplace_back("holds", reference.holds);
  if (element.results != 0) facts.emplace_back("answers", answers_text(element.results));
  facts.insert(facts.end(), element.facts.begin(), element.facts.end());
  if (!facts.empty()) std::cout << '\n';
  for (const auto& [word, text] : facts) {
    std::cout << "  " << std::left << std::setw(kFactIndent - 2) << word
              << wrapped(report::visible(text), kLineWidth - kFactIndent, kFactIndent);
  }
  for (const dialects::AttributeReference& attribute : reference.attributes) {
    const std::string need = need_text(attribute);
    std::string value = attribute.value;
    if (!need.empty()) value += (value.empty() ? "" : "; ") + need;
    std::cout << "\n  " << report::visible(attribute.name) << (value.empty() ? "" : ": ") << report::visible(value)
              << '\n';
    if (!attribute.doc.empty()) std::cout << "      " << wrapped(report::visible(attribute.doc), kLineWidth - 6, 6);
  }
  if (reference.takes_parameters) std::cout << "\n  Other attributes are its parameters.\n";
}

nlohmann::ordered_json json_of(const std::vector<project::ExplainedElement>& elements) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [dialect, kind, reference, results, facts] : elements) {
    nlohmann::ordered_json attributes = nlohmann::ordered_json::array();
    for (const dialects::AttributeReference& attribute : reference.attributes) {
      nlohmann::ordered_json row{{"name", attribute.name}, {"value", attribute.value}};
      if (!attribute.need.empty()) row["need"] = attribute.need;
      if (!attribute.otherwise.empty()) row["default"] = attribute.otherwise;
      if (!attribute.doc.empty()) row["summary"] = attribute.doc;
      attributes.push_back(std::move(row));
    }
    nlohmann::ordered_json element{
        {"dialect", dialect}, {"element", reference.name}, {"kind", kind}, {"summary", reference.doc}};
    if (!reference.holds.empty()) element["holds"] = reference.holds;
    if (results != 0) element["answers"] = words_of(results);
    for (const auto& [word, text] : facts) element[std::string(word)] = text;
    element["attributes"] = std::move(attributes);
    list.push_back(std::move(element));
  }
  return list;
}

// What is empty is left out, unless all is.
void write_json(const std::vector<rules::Rule>& rules, const std::vector<project::ExplainedElement>& elements) {
  const report::FormScope form(std::cout, report::OutputForm::json);
  nlohmann::ordered_json result{{"version", 1}};
  if (!rules.empty()) result["rules"] = json_of(rules);
  if (!elements.empty()) result["elements"] = json_of(elements);
  std::cout << result.dump(2) << '\n';
}

// What has the word in its name or its summary: a line for each.
int write_search(const std::string& word, const std::vector<rules::Rule>& rules,
                 const std::vector<project::ExplainedElement>& elements) {
  std::cout << "Nothing is named " << text::quote(word) << "; these have it in their name or summary:\n\n";
  for (const rules::Rule rule : rules) {
    const rules::RuleInfo& row = rules::info(rule);
    std::cout << row.code << "  " << row.name << "  " << row.summary << '\n';
  }
  if (!rules.empty() && !elements.empty()) std::cout << '\n';
  for (const project::ExplainedElement& element : elements) {
    std::cout << element.reference.name << " (" << element.dialect << ", " << element.kind << ")  "
              << report::visible(element.reference.doc) << '\n';
  }
  return kOk;
}

std::vector<rules::Rule> search_rules(std::string_view word) {
  std::vector<rules::Rule> found;
  for (std::size_t i = 0; i < rules::all().size(); ++i) {
    const rules::RuleInfo& row = rules::all()[i];
    if (project::has_word(row.name, word) || project::has_word(row.summary, word)) {
      found.push_back(row.rule);
    }
  }
  return found;
}

int explain_element(const ExplainOptions& options) {
  project::Declarations declarations;
  std::string error;
  if (!project::read_declarations(options.path, options.configuration, declarations, error)) return fail(error);
  const dialects::Options& declared = declarations.options;
  const std::vector<project::ExplainedElement> found = project::explain_element(options.name, declared);
  if (found.empty()) {
    const std::vector<rules::Rule> rules = search_rules(options.name);
    const std::vector<project::ExplainedElement> containing = project::search_elements(options.name, declared);
    if (!rules.empty() || !containing.empty()) {
      if (options.format != "json") return write_search(options.name, rules, containing);
      write_json(rules, containing);
      return kOk;
    }
    const std::vector<std::string> elements = project::explained_names(declared);
    std::vector<std::string_view> names = rules::codes_and_names();
    names.insert(names.end(), elements.begin(), elements.end());
    const std::string hint = text::did_you_mean(options.name, names);
    return fail("unknown rule or element " + text::quote(options.name),
                hint.empty() ? "'espalier explain' lists all rules" : hint);
  }
  if (options.format == "json") {
    write_json({}, found);
    return kOk;
  }
  for (const project::ExplainedElement& element : found) {
    if (&element != &found.front()) std::cout << "\n\n";
    write_element(element);
  }
  return kOk;
}

int run_explain(const ExplainOptions& options) {
  std::vector<rules::Rule> chosen = rules::find_all(options.name);
  if (options.name.empty()) {
    for (const rules::RuleInfo& row : rules::all()) chosen.push_back(row.rule);
  } else if (chosen.empty()) {
    return explain_element(options);
  }
  if (options.format == "json") {
    write_json(chosen, {});
  } else if (options.name.empty()) {
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
