// What rules and elements are, as text and as JSON. See explanations.h.
#include "project/explanations.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "rules/pages.h"
#include "text/decode.h"
#include "text/names.h"
#include "text/visible.h"
#include "text/wrapped.h"

namespace espalier::project {
namespace {

constexpr std::size_t kLineWidth = 88;

// `text` and blanks, at least `width` characters.
std::string padded(std::string_view text, std::size_t width) {
  std::string result(text);
  if (result.size() < width) result.resize(width, ' ');
  return result;
}

// Examples as text for readers: some are deliberately not UTF-8.
std::string readable(std::string_view example) { return text::decode(example).text; }

void add_example_file(std::string_view title, const rules::ExampleFile& file, std::string& out) {
  const std::string decoded = readable(file.text);
  std::string_view text = decoded;
  out.append("\n").append(title).append(" (").append(file.path).append("):\n\n");
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += (end == 0 ? "" : "    ") + text::visible(text.substr(0, end)) + '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

nlohmann::ordered_json example_json(std::span<const rules::ExampleFile> example) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const rules::ExampleFile& file : example) files.push_back({{"file", file.path}, {"text", readable(file.text)}});
  return files;
}

nlohmann::ordered_json json_of(const std::vector<rules::Rule>& chosen, std::string_view site) {
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
    if (std::string page = rules::page_of(row.code, site); !page.empty()) rules_json.back()["url"] = std::move(page);
  }
  return rules_json;
}

// ---- Elements

constexpr std::size_t kFactIndent = 12;

std::vector<std::string_view> words_of(ir::Results results) {
  constexpr std::pair<ir::Results, std::string_view> kWords[] = {
      {ir::kRuns, "running"}, {ir::kSucceeds, "success"}, {ir::kFails, "failure"}};
  std::vector<std::string_view> words;
  for (const auto& [result, word] : kWords) {
    if ((results & result) != 0) words.push_back(word);
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

nlohmann::ordered_json json_of(const std::vector<ExplainedElement>& elements) {
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

}  // namespace

std::string rule_text(rules::Rule rule, std::string_view site) {
  const rules::RuleInfo& row = rules::info(rule);
  std::string out = std::string(row.code) + ' ' + std::string(row.name) + " (" +
                    std::string(rules::default_severity(row)) + "): " + std::string(row.summary) + "\n\n" +
                    text::wrapped(row.why, kLineWidth);
  if (row.may_be_lowered) {
    out += '\n' + text::wrapped("espalier.json can lower it to a warning: {\"rules\": {\"" + std::string(row.name) +
                                    "\": \"warning\"}}. The tree then has the meaning stated above.",
                                kLineWidth);
  }
  for (const rules::ExampleFile& file : row.bad) add_example_file("Bad", file, out);
  for (const rules::ExampleFile& file : row.good) add_example_file("Good", file, out);
  if (const std::string page = rules::page_of(row.code, site); !page.empty()) out += '\n' + page + '\n';
  return out;
}

std::string list_of_rules() {
  std::size_t width = 0;
  for (const rules::RuleInfo& row : rules::all()) width = std::max(width, row.name.size());
  std::string out;
  for (const rules::RuleInfo& row : rules::all()) {
    out += std::string(row.code) + "  " + padded(rules::default_severity(row), 7) + "  " + padded(row.name, width) +
           "  " + std::string(row.summary) + '\n';
  }
  return out;
}

std::string element_text(const ExplainedElement& element) {
  const dialects::ElementReference& reference = element.reference;
  std::string out =
      std::string(reference.name) + " (" + std::string(element.dialect) + ", " + std::string(element.kind) + ")\n";
  if (!reference.doc.empty()) out += text::wrapped(reference.doc + '.', kLineWidth);
  std::vector<std::pair<std::string_view, std::string>> facts;
  if (!reference.holds.empty()) facts.emplace_back("holds", reference.holds);
  if (element.results != 0) facts.emplace_back("answers", answers_text(element.results));
  facts.insert(facts.end(), element.facts.begin(), element.facts.end());
  if (!facts.empty()) out += '\n';
  for (const auto& [word, text] : facts) {
    out += "  " + padded(word, kFactIndent - 2) +
           text::wrapped(text::visible(text), kLineWidth - kFactIndent, kFactIndent);
  }
  for (const dialects::AttributeReference& attribute : reference.attributes) {
    const std::string need = need_text(attribute);
    std::string value = attribute.value;
    if (!need.empty()) value += (value.empty() ? "" : "; ") + need;
    out += "\n  " + text::visible(attribute.name) + (value.empty() ? "" : ": ") + text::visible(value) + '\n';
    if (!attribute.doc.empty()) out += "      " + text::wrapped(text::visible(attribute.doc), kLineWidth - 6, 6);
  }
  if (reference.takes_parameters) out += "\n  Other attributes are its parameters.\n";
  return out;
}

std::vector<rules::Rule> search_rules(std::string_view word) {
  std::vector<rules::Rule> found;
  for (const rules::RuleInfo& row : rules::all()) {
    if (has_word(row.name, word) || has_word(row.summary, word)) found.push_back(row.rule);
  }
  return found;
}

std::string search_text(const std::string& word, const std::vector<rules::Rule>& rules,
                        const std::vector<ExplainedElement>& elements) {
  std::string out = "Nothing is named " + text::quote(word) + "; these have it in their name or summary:\n\n";
  for (const rules::Rule rule : rules) {
    const rules::RuleInfo& row = rules::info(rule);
    out += std::string(row.code) + "  " + std::string(row.name) + "  " + std::string(row.summary) + '\n';
  }
  if (!rules.empty() && !elements.empty()) out += '\n';
  for (const ExplainedElement& element : elements) {
    out += std::string(element.reference.name) + " (" + std::string(element.dialect) + ", " +
           std::string(element.kind) + ")  " + text::visible(element.reference.doc) + '\n';
  }
  return out;
}

std::string explanations_json(const std::vector<rules::Rule>& rules, const std::vector<ExplainedElement>& elements,
                              std::string_view site) {
  nlohmann::ordered_json result{{"version", 1}};
  if (!rules.empty()) result["rules"] = json_of(rules, site);
  if (!elements.empty()) result["elements"] = json_of(elements);
  return result.dump(2) + '\n';
}

}  // namespace espalier::project
