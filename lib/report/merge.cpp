// Joins reports. See merge.h. JSON and XML are parsed and written again as the reports of one run are; nothing of a
// report is trusted.
#include "report/merge.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "report/json_text.h"
#include "report/lcov.h"
#include "report/xml_text.h"
#include "text/names.h"
#include "text/shallow_json.h"
#include "text/xml.h"

namespace espalier::report {
namespace {

using text::quote;
using Reports = std::span<const PartialReport>;
using MaybeMerged = std::optional<Merged>;

constexpr int kMaxJsonDepth = 64;

// ---- JSON
// -------------------------------------------------------------------------------------------------------------

// Members of what may be any JSON: one that is missing or of another kind is empty or 0.
std::string text_of(const Json& json, const char* name) {
  const bool has_it = json.is_object() && json.contains(name) && json[name].is_string();
  return has_it ? json[name].get<std::string>() : "";
}

std::uint64_t number_of(const Json& json, const char* name) {
  const bool has_it = json.is_object() && json.contains(name) && json[name].is_number_unsigned();
  return has_it ? json[name].get<std::uint64_t>() : 0;
}

std::optional<Json> parse_report(const PartialReport& report) {
  Json json = text::parse_shallow_json<Json>(report.text, kMaxJsonDepth);
  if (number_of(json, "version") != 1) return std::nullopt;
  return json;
}

bool has_list(const Json& json, const char* key) { return json.contains(key) && json[key].is_array(); }

// The key of the list that a report consists of.
const char* list_key(const Json& json) {
  for (const char* key : {"trees", "results", "findings"}) {
    if (has_list(json, key)) return key;
  }
  return nullptr;
}

// A list with a line for each of its values.
std::string lines_of(const Json& list, std::string (*line_of)(const Json&)) {
  std::string text = "[";
  for (const Json& value : list) text += (text.size() == 1 ? "\n" : ",\n") + line_of(value);
  return text + (list.empty() ? "]" : "\n]");
}

// A tree of a cover, with a line for each item.
std::string tree_line(const Json& tree) {
  std::string text;
  for (const auto& [key, value] : tree.items()) {
    const bool is_list = key == "items" && value.is_array();
    text +=
        (text.empty() ? "{" : ",") + json_line(key) + ':' + (is_list ? lines_of(value, json_line) : json_line(value));
  }
  return text + '}';
}

// The sums of the numbers of all summaries.
Json sum_of(const std::vector<Json>& reports) {
  Json sum = Json::object();
  for (const Json& report : reports) {
    if (!report.contains("summary") || !report["summary"].is_object()) continue;
    for (const auto& [key, value] : report["summary"].items()) {
      if (value.is_number_unsigned()) sum[key] = number_of(sum, key.c_str()) + value.get<std::uint64_t>();
    }
  }
  return sum;
}

// What tells two entries of a report apart: they are the results of different runs.
std::string identity_of(const Json& entry, const char* key) {
  if (key == std::string_view("trees")) return "the tree " + quote(text_of(entry, "name"));
  if (key == std::string_view("results")) {
    return "the property " + quote(text_of(entry, "property")) + " of " + quote(text_of(entry, "tree"));
  }
  return {};
}

bool comes_before(const Json& a, const Json& b) {
  const auto place = [](const Json& finding) {
    return std::make_tuple(text_of(finding, "file"), number_of(finding, "line"), number_of(finding, "column"),
                           text_of(finding, "code"));
  };
  return place(a) < place(b);
}

MaybeMerged merge_json(Reports reports, std::string* error) {
  std::vector<Json> parsed;
  const char* key = nullptr;
  Json all = Json::array();
  Json refusals = Json::array();  // of runs that had no results
  std::map<std::string, std::string> origins;
  for (const PartialReport& report : reports) {
    std::optional<Json> json = parse_report(report);
    const char* const own = json ? list_key(*json) : nullptr;
    const auto is_object = [](const Json& entry) { return entry.is_object(); };
    if (own != nullptr && !std::all_of((*json)[own].begin(), (*json)[own].end(), is_object)) {
      *error = quote(report.name) + " is a damaged report: not all of its " + quote(own) + " are objects";
      return std::nullopt;
    }
    if (own == nullptr || (key != nullptr && std::string_view(key) != own)) {
      *error = quote(report.name) + (own == nullptr ? " is not a report of replay, prove or cover as JSON"
                                                    : " is a report of another verb than " + quote(reports[0].name));
      return std::nullopt;
    }
    key = own;
    for (Json& entry : (*json)[own]) {
      const std::string identity = identity_of(entry, own);
      const auto [origin, is_new] = origins.emplace(identity, report.name);
      if (!identity.empty() && !is_new) {
        *error = quote(origin->second) + " and " + quote(report.name) + " both have " + identity;
        return std::nullopt;
      }
      all.push_back(std::move(entry));
    }
    if (std::string_view(key) != "findings" && has_list(*json, "findings")) {
      for (Json& finding : (*json)["findings"]) refusals.push_back(std::move(finding));
    }
    parsed.push_back(std::move(*json));
  }
  const bool is_cover = std::string_view(key) == "trees";
  if (std::string_view(key) == "findings") std::stable_sort(all.begin(), all.end(), comes_before);
  const Json sum = sum_of(parsed);
  Merged merged;
  merged.text = "{\"version\":1," + json_line(key) + ':' + lines_of(all, is_cover ? tree_line : json_line) +
                ",\"summary\":" + json_line(sum) +
                (refusals.empty() ? "" : ",\"findings\":" + lines_of(refusals, json_line)) + "}\n";
  const auto number = [&](const char* name) { return number_of(sum, name); };
  const auto is_error = [](const Json& finding) { return text_of(finding, "severity") == "error"; };
  merged.has_failed = number("fails") + number("errors") > 0 || std::any_of(refusals.begin(), refusals.end(), is_error);
  if (is_cover) {
    const std::uint64_t possible = number("items") - std::min(number("items"), number("unreachable"));
    merged.cover_percent =
        possible == 0 ? 100 : 100 * static_cast<double>(number("reached")) / static_cast<double>(possible);
  }
  return merged;
}

// ---- JUnit
// ------------------------------------------------------------------------------------------------------------

struct Suite {
  std::string name;
  std::string tests;
  XmlCounts counts;
};

void add(const XmlCounts& counts, XmlCounts& sum) {
  sum.tests += counts.tests;
  sum.failures += counts.failures;
  sum.errors += counts.errors;
  sum.skipped += counts.skipped;
}

XmlCounts counts_of(const text::Element& test) {
  XmlCounts counts;
  counts.tests = 1;
  for (const text::Element& outcome : test.children()) {
    if (outcome.name() == "failure") ++counts.failures;
    if (outcome.name() == "error") ++counts.errors;
    if (outcome.name() == "skipped") ++counts.skipped;
  }
  return counts;
}

// The element as it is written.
std::string_view written(const text::Element& element, const text::XmlDocument& document) {
  const text::ParsedXml& parsed = *document.parsed();
  const text::Item& item = parsed.items[parsed.innermost(element.span().begin)];
  return parsed.text.substr(item.begin, item.end - item.begin);
}

struct Suites {
  std::vector<Suite> all;
  std::map<std::string, std::size_t> places;  // by name
};

// Adds the suites of a report; those of the same name are one. False: it is no report.
bool add_suites(const PartialReport& report, std::string& title, Suites& suites) {
  text::Sources sources;
  text::Findings findings;
  const auto document = text::XmlDocument::parse(report.name, report.text, sources, findings);
  if (document == nullptr || document->is_damaged() || document->root_name() != "testsuites") return false;
  const text::Element root = document->root();
  title = root.attribute("name").value();
  for (const text::Element& element : root.children()) {
    const std::string name(element.attribute("name").value());
    const auto [place, is_new] = suites.places.try_emplace(name, suites.all.size());
    if (is_new) suites.all.push_back({name, {}, {}});
    Suite& suite = suites.all[place->second];
    for (const text::Element& test : element.children()) {
      suite.tests.append("    ").append(written(test, *document)) += '\n';
      add(counts_of(test), suite.counts);
    }
  }
  return true;
}

MaybeMerged merge_junit(Reports reports, std::string* error) {
  Suites suites;
  std::set<std::string> titles;
  for (const PartialReport& report : reports) {
    std::string title;
    if (!add_suites(report, title, suites)) {
      *error = quote(report.name) + " is not a JUnit report";
      return std::nullopt;
    }
    titles.insert(title);
    if (titles.size() > 1) {
      *error = quote(report.name) + " is a report of another verb than " + quote(reports[0].name);
      return std::nullopt;
    }
  }
  Merged merged;
  XmlCounts all;
  std::string text;
  for (const Suite& suite : suites.all) {
    text += "  <testsuite" + xml_attribute("name", suite.name) + xml_counts(suite.counts) + ">\n" + suite.tests +
            "  </testsuite>\n";
    add(suite.counts, all);
  }
  merged.text = std::string(kXmlDeclaration) + "<testsuites" + xml_attribute("name", *titles.begin()) +
                xml_counts(all) + ">\n" + text + "</testsuites>\n";
  merged.has_failed = all.failures + all.errors > 0;
  return merged;
}

// ---- LCOV
// -------------------------------------------------------------------------------------------------------------

struct MergedLine {
  bool is_hit = false;
  std::vector<bool> branches;
};
using MergedFile = std::map<std::uint32_t, MergedLine>;

// "12,1" as 12 and the rest. Nothing: it does not begin with the number of a line.
std::optional<std::pair<std::uint32_t, std::string_view>> line_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end == text.data() + text.size() || *end != ',') return std::nullopt;
  return std::pair{number, text.substr(static_cast<std::size_t>(end - text.data()) + 1)};
}

// The kinds of lines of LCOV's traces.
constexpr std::string_view kLcovKinds[] = {"TN", "SF", "VER", "FN",   "FNDA", "FNF", "FNH",  "FNL", "FNA",
                                           "DA", "LF", "LH",  "BRDA", "BRF",  "BRH", "MCDC", "MCF", "MCH"};

// Adds what one report says. False: it is no report of `cover`.
bool add_lcov(std::string_view text, std::map<std::string, MergedFile>& files) {
  MergedFile* file = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view kind = line.substr(0, line.find(':'));
    const std::string_view value = line.substr(std::min(kind.size() + 1, line.size()));
    if (kind == "SF") file = &files[std::string(value)];
    const bool is_record = line == "end_of_record" ||
                           std::any_of(std::begin(kLcovKinds), std::end(kLcovKinds), [&](std::string_view known) {
                             return kind == known && kind.size() < line.size();
                           });
    if (!is_record && !line.empty()) return false;
    if (kind != "DA" && kind != "BRDA") continue;
    const auto place = line_number(value);
    if (file == nullptr || !place) return false;
    MergedLine& of_file = (*file)[place->first];
    if (kind == "DA") of_file.is_hit |= place->second != "0";
    if (kind == "BRDA") of_file.branches.push_back(place->second.ends_with(",1"));
  }
  return true;
}

MaybeMerged merge_lcov(Reports reports, std::string* error) {
  std::map<std::string, MergedFile> files;
  for (const PartialReport& report : reports) {
    if (add_lcov(report.text, files)) continue;
    *error = quote(report.name) + " is not a report of cover as LCOV";
    return std::nullopt;
  }
  Merged merged;
  for (const auto& [name, lines] : files) {
    LcovWriter writer(name);
    for (const auto& [number, line] : lines) writer.add(number, line.is_hit, line.branches);
    merged.text += writer.text();
  }
  return merged;
}

char first_letter(const PartialReport& report) {
  const std::size_t at = report.text.find_first_not_of(" \t\r\n");
  return at == std::string::npos ? '\0' : report.text[at];
}

}  // namespace

std::optional<Merged> merge(std::span<const PartialReport> reports, std::string* error) {
  // A run without anything to do writes an empty LCOV report.
  const auto first =
      std::find_if(reports.begin(), reports.end(), [](const auto& each) { return first_letter(each) != '\0'; });
  const char letter = first == reports.end() ? '\0' : first_letter(*first);
  if (letter == '{') return merge_json(reports, error);
  return letter == '<' ? merge_junit(reports, error) : merge_lcov(reports, error);
}

std::optional<ReportForm> form_of(std::span<const PartialReport> reports) {
  for (const PartialReport& report : reports) {
    const char letter = first_letter(report);
    if (letter == '{') {
      const std::optional<Json> json = parse_report(report);
      const std::string_view key = json && list_key(*json) != nullptr ? list_key(*json) : "";
      if (!key.empty()) return ReportForm{key == "trees" ? "cover" : key == "results" ? "prove" : "lint", "json"};
    } else if (letter == '<') {
      Suites suites;
      std::string title;
      if (add_suites(report, title, suites)) return ReportForm{title.substr(title.rfind(' ') + 1), "junit"};
    } else if (letter != '\0') {
      std::map<std::string, MergedFile> files;
      if (add_lcov(report.text, files)) return ReportForm{"cover", "lcov"};
    }
  }
  return std::nullopt;
}

}  // namespace espalier::report
