// Findings: what is wrong, where, and what helps. Findings are values: they are collected here and printed in
// lib/report alone.
#pragma once
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "rules/rules.h"
#include "text/source.h"

namespace espalier::text {

using rules::Rule;
using rules::Severity;

// Another place that helps to understand a finding ("first defined here").
struct Related {
  Span span;
  std::string message;
};

// A replacement of source text that mends the fault.
struct Fix {
  Span span;
  std::string replacement;
};

struct Finding {
  Rule rule;
  Severity severity;
  Span span;
  std::string message;    // one sentence, no full stop, names the thing in '...'
  std::string hint = {};  // "did you mean 'Alerted'?"; empty: none
  std::vector<Related> related = {};
  std::vector<Fix> fixes = {};
};

// The findings of one run. One fault is one finding: a second finding of the same rule at the same place is merged into
// the first, and gives it its related places that are new.
class Findings {
 public:
  // `severity` of the finding is the rule's own unless given.
  Finding& add(Rule rule, Span span, std::string message, std::string hint = {});
  Finding& add(Finding finding);
  void merge(Findings&& other);
  std::vector<Finding>& all() { return findings_; }
  const std::vector<Finding>& all() const { return findings_; }
  bool has_errors() const;
  // By file path, line, column, code.
  void sort(const Sources& sources);

 private:
  std::vector<Finding> findings_;
  std::map<std::tuple<Span, Rule>, std::size_t> index_;
};

}  // namespace espalier::text
