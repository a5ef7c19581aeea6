// Suppressions in XML comments. See suppressions.h.
#include "project/suppressions.h"

#include <algorithm>
#include <limits>
#include <map>

#include "rules/rules.h"
#include "rules/xml.h"
#include "text/names.h"

namespace espalier::project {
namespace {

using text::Rule;
using text::Span;

constexpr std::string_view kMarker = kSuppressionMarker;
constexpr std::string_view kSpace = " \t\r\n";
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr std::uint32_t kWholeFile = std::numeric_limits<std::uint32_t>::max();

// One rule named by a comment, and the part of the file that it applies to: empty if no element follows.
struct Suppression {
  Rule rule;
  std::uint32_t begin;
  std::uint32_t end;
  Span span;                 // of the rule's name in the comment
  bool is_reported = false;  // the comment has another fault, which is already reported
  bool is_used = false;
  std::size_t outer = kNone;  // the enclosing suppression of the same rule
};

using ByRule = std::map<Rule, std::vector<Suppression>>;  // of one file, in file order

// The content of a comment: the rules it names, with places, and whether a reason follows.
struct Words {
  std::vector<Span> names;
  bool has_reason = false;
};

Words read_words(std::string_view text, Span comment) {
  auto skip_space = [&](std::size_t at) {
    return std::min<std::size_t>(text.find_first_not_of(kSpace, at), comment.end);
  };
  auto is_name_byte = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  Words result;
  std::size_t at = skip_space(comment.begin) + kMarker.size();
  do {
    at = skip_space(at + (result.names.empty() ? 0 : 1));
    const std::size_t begin = at;
    while (at < comment.end && is_name_byte(text[at])) ++at;
    if (at == begin) break;
    result.names.push_back({comment.file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)});
    at = skip_space(at);
  } while (at < comment.end && text[at] == ',');
  const std::string_view rest = text.substr(at, comment.end - at);
  result.has_reason = rest.find_first_not_of(" \t\r\n-:,.;") != std::string_view::npos;
  return result;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Reads the letters of `text` from `at` on, and moves `at` past them.
std::string_view take_letters(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  while (at < text.size() && is_letter(text[at])) ++at;
  return text.substr(begin, at - begin);
}

// Does a comment that begins with `text` look like a suppression? "espalier-ignore", "Espalier: ignore",
// "espaler:ignore", "espalier:ignroe"; not a sentence about espalier.
bool is_meant_as_suppression(std::string_view text) {
  constexpr std::size_t kMaxSlips = 2;
  constexpr std::string_view kBetween = " \t\r\n:-_./";
  std::size_t at = 0;
  const std::string_view first = take_letters(text, at);
  const std::size_t second_begin = std::min(text.find_first_not_of(kBetween, at), text.size());
  const std::string_view between = text.substr(at, second_begin - at);
  at = second_begin;
  const std::string_view second = take_letters(text, at);
  const bool is_exact = text::equal_any_case(second, "ignore");
  if (between.empty()) return text::equal_any_case(first, "espalierignore");
  if (is_exact) return text::is_near(first, "espalier", kMaxSlips);
  const bool is_blank = between.find_first_not_of(kSpace) == std::string_view::npos;
  return text::equal_any_case(first, "espalier") && !is_blank && text::is_near(second, "ignore", kMaxSlips);
}

// What a comment says, without the blanks before it.
std::string_view said_in(const text::Comment& comment, std::string_view text) {
  const std::size_t begin = std::min<std::size_t>(text.find_first_not_of(kSpace, comment.span.begin), comment.span.end);
  return text.substr(begin, comment.span.end - begin);
}

void add_suppressions(const text::Comment& comment, std::string_view text, ByRule& suppressions,
                      text::Findings& findings) {
  if (!may_be_suppression(comment, text)) return;
  const Span span = comment.span;
  const std::string_view rest = said_in(comment, text);
  const auto begin = span.end - static_cast<std::uint32_t>(rest.size());
  if (!rest.starts_with(kMarker)) {
    const std::size_t length = std::min(rest.find_first_of("\r\n"), rest.size());
    findings.add(rules::XML_misspelt_suppression, {span.file, begin, begin + static_cast<std::uint32_t>(length)},
                 "not a suppression: a suppression begins with 'espalier:ignore'",
                 "write 'espalier:ignore RULE reason'");
    return;
  }
  const Span marker_span{span.file, begin, begin + static_cast<std::uint32_t>(kMarker.size())};
  const Words words = read_words(text, span);
  const std::uint32_t scope_begin = comment.is_before_root ? 0 : comment.subject.begin;
  const std::uint32_t scope_end = comment.is_before_root ? kWholeFile : comment.subject.end;
  if (words.names.empty()) {
    findings.add(rules::XML_unknown_suppressed_rule, marker_span, "the suppression names no rule",
                 "write 'espalier:ignore RULE reason'");
    return;
  }
  if (!words.has_reason) {
    findings.add(rules::XML_suppression_without_reason, marker_span, "the suppression gives no reason",
                 "write 'espalier:ignore RULE reason'");
  }
  for (const Span name : words.names) {
    const std::string_view word = text.substr(name.begin, name.end - name.begin);
    const std::vector<Rule> named = rules::find_all(word);
    if (named.empty()) {
      findings.add(rules::XML_unknown_suppressed_rule, name, "unknown rule " + text::quote(word),
                   text::did_you_mean(word, rules::codes_and_names()));
    }
    for (const Rule rule : named) {
      std::vector<Suppression>& all = suppressions[rule];
      // From here on, an outer one that ends no later never applies where this one does not.
      std::size_t outer = all.size() - 1;
      while (outer != kNone && all[outer].end <= scope_end) outer = all[outer].outer;
      all.push_back({rule, scope_begin, scope_end, name, !words.has_reason, false, outer});
    }
  }
}

// All suppressions of a file, in file order.
ByRule suppressions_of(const FileComments& file, std::string_view text, text::Findings& findings) {
  ByRule result;
  for (const text::Comment& comment : file.comments) add_suppressions(comment, text, result, findings);
  return result;
}

// The innermost suppression that applies at a place. They are sorted by their beginnings, and are disjoint or nested.
Suppression* find_at(std::vector<Suppression>& all, std::uint32_t offset) {
  const auto next = std::upper_bound(all.begin(), all.end(), offset,
                                     [](std::uint32_t place, const Suppression& one) { return place < one.begin; });
  std::size_t index = static_cast<std::size_t>(next - all.begin()) - 1;
  while (index != kNone && all[index].end <= offset) index = all[index].outer;
  return index == kNone ? nullptr : &all[index];
}

// The combined result of all suppressions of one name in a comment: several dialects may have a rule of that name.
struct Outcome {
  Rule rule;
  bool is_used = false;
  bool is_error = true;
};

void report_unused(const ByRule& by_rule, const std::vector<Rule>& lowered, bool has_errors, text::Findings& findings) {
  std::map<Span, Outcome> outcomes;
  for (const auto& [rule, suppressions] : by_rule) {
    const bool is_lowered = std::find(lowered.begin(), lowered.end(), rule) != lowered.end();
    const bool is_error = rules::info(rule).severity == rules::Severity::error && !is_lowered;
    for (const Suppression& suppression : suppressions) {
      if (suppression.is_reported) continue;
      Outcome& outcome = outcomes.try_emplace(suppression.span, Outcome{rule}).first->second;
      outcome.is_used |= suppression.is_used;
      outcome.is_error &= is_error;
    }
  }
  for (const auto& [span, outcome] : outcomes) {
    // If there are errors, the finding may be missing only because the tree was not analysed any further.
    if (outcome.is_used || (has_errors && !outcome.is_error)) continue;
    const std::string name(rules::info(outcome.rule).name);
    findings.add(rules::XML_unused_suppression, span,
                 outcome.is_error ? "'" + name + "' is an error, and errors cannot be suppressed"
                                  : "unused suppression: there is no '" + name + "' here");
  }
}

}  // namespace

bool may_be_suppression(const text::Comment& comment, std::string_view text) {
  constexpr std::size_t kMostLooked = 64;
  const std::string_view said = said_in(comment, text);
  return said.starts_with(kMarker) || is_meant_as_suppression(said.substr(0, kMostLooked));
}

void apply_suppressions(const std::vector<FileComments>& commented, const text::Sources& sources,
                        const std::vector<Rule>& lowered, text::Findings& findings) {
  std::map<text::FileId, ByRule> files;
  text::Findings own;
  for (const FileComments& each : commented) {
    ByRule suppressions = suppressions_of(each, sources[each.file].text(), own);
    if (!suppressions.empty()) files.emplace(each.file, std::move(suppressions));
  }
  const bool has_errors = findings.has_errors();
  if (!files.empty()) {
    auto is_suppressed = [&](const text::Finding& finding) {
      if (finding.severity == rules::Severity::error) return false;
      const auto file = files.find(finding.span.file);
      if (file == files.end()) return false;
      const auto rule = file->second.find(finding.rule);
      if (rule == file->second.end()) return false;
      Suppression* suppression = find_at(rule->second, finding.span.begin);
      if (suppression == nullptr) return false;
      suppression->is_used = true;
      return true;
    };
    std::vector<text::Finding>& all = findings.all();
    all.erase(std::remove_if(all.begin(), all.end(), is_suppressed), all.end());
  }
  for (const auto& [file, by_rule] : files) report_unused(by_rule, lowered, has_errors, own);
  findings.merge(std::move(own));
}

}  // namespace espalier::project
