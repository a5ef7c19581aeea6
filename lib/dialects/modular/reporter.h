// What the reader of modular trees says: findings of one tree, and whether the tree can be read for all that.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/reading/host.h"
#include "text/finding.h"
#include "text/xml.h"

namespace espalier::dialects::modular {

using rules::Rule;
using text::Attribute;
using text::Element;
using text::Span;

class Reporter {
 public:
  // `lowered`: rules that are no errors in this project. `engine`: what findings speak of.
  Reporter(std::span<const Rule> lowered, Engine engine, text::Findings& findings)
      : lowered_(lowered), engine_(engine), findings_(findings) {}

  [[nodiscard]] std::string engine() const { return std::string(name_of(engine_)); }

  text::Finding& report(Rule rule, Span span, std::string message, std::string hint = {});
  // The same, with a related place.
  text::Finding& report(Rule rule, Span span, std::string message, std::string hint, text::Related related);

  [[nodiscard]] bool is_lowered(Rule rule) const;
  [[nodiscard]] bool has_errors() const { return has_errors_; }

  // May a hint be looked for among so many names? In a tree with very many wrong names the first of them get hints.
  [[nodiscard]] bool may_guess(std::size_t candidate_count);

 private:
  std::span<const Rule> lowered_;
  Engine engine_;
  text::Findings& findings_;
  std::size_t compared_names_ = 0;
  bool has_errors_ = false;
};

}  // namespace espalier::dialects::modular
