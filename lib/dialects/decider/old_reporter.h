// What a reader says: findings of one tree, and whether the tree can be read for all that.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/finding.h"
#include "text/names.h"
#include "text/xml.h"

namespace espalier::dialects::decider {

using rules::Rule;
using text::Attribute;
using text::Element;
using text::Span;

class Reporter {
 public:
  explicit Reporter(text::Findings& findings) : findings_(findings) {}

  text::Finding& report(Rule rule, Span span, std::string message, std::string hint = {}) {
    has_errors_ = has_errors_ || rules::info(rule).severity == rules::Severity::error;
    return findings_.add(rule, span, std::move(message), std::move(hint));
  }
  // The same, with a related place.
  void report(Rule rule, Span span, std::string message, std::string hint, text::Related related) {
    report(rule, span, std::move(message), std::move(hint)).related.push_back(std::move(related));
  }

  text::Findings& findings() { return findings_; }
  [[nodiscard]] bool has_errors() const { return has_errors_; }

  // May a name be looked for among so many? In a tree with very many wrong names the first of them get hints.
  [[nodiscard]] bool may_guess(std::size_t candidate_count) {
    compared_names_ += candidate_count;
    return compared_names_ <= kMaxComparedNames;
  }
  // The name that was meant, or empty.
  [[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates) {
    return may_guess(candidates.size()) ? text::nearest(name, candidates) : std::string();
  }

 private:
  // Of one tree. Thousands of wrong names among thousands of right ones would take minutes to guess.
  static constexpr std::size_t kMaxComparedNames = 2'000'000;

  text::Findings& findings_;
  std::size_t compared_names_ = 0;
  bool has_errors_ = false;
};

// "did you mean 'NAME'?"; empty for an empty name.
inline std::string did_you_mean(std::string_view name) {
  return name.empty() ? std::string() : "did you mean " + text::quote(name) + "?";
}

}  // namespace espalier::dialects::decider
