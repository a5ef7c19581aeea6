// Collects the findings of one tree, and whether the tree has errors.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/reading/element_table.h"
#include "text/finding.h"
#include "text/xml.h"

namespace espalier::dialects {

using text::Attribute;
using text::Element;
using text::Guess;
using text::Span;

// The chain of references that included an element at its place in a tree.
using UseIndex = std::uint32_t;
inline constexpr UseIndex kInPlace = 0;  // none: the element is in the tree itself

// Where a finding is: a place in a file, and the references that included it.
struct Where {
  Span span;
  UseIndex use = kInPlace;
  Where(Span where) : span(where) {}  // NOLINT(google-explicit-constructor): most findings have only a span
  Where(Span where, UseIndex by) : span(where), use(by) {}
};

class Reporter {
 public:
  // `table`: of the dialect. `lowered`: rules that are not errors in this project. All must outlive this.
  Reporter(text::Findings& findings, const ElementTable& table, std::span<const Rule> lowered = {})
      : findings_(findings), table_(table), lowered_(lowered) {}

  // The finding gets the references of its use as related places. It may be an earlier one with the same rule and
  // place.
  text::Finding& report(Rule rule, Where where, std::string message, std::string hint = {});
  // The same, with a related place before those.
  text::Finding& report(Rule rule, Where where, std::string message, std::string hint, text::Related related);

  // Adds the fix that replaces the text `written`, which the finding marks, with the one that was meant. No effect if
  // `meant` is empty or the finding has a fix.
  void propose(text::Finding& finding, std::string_view written, std::string_view meant, Guess::Of of = Guess::Of::name,
               Span declared = {}) const;
  // The same for the name of the element, in both of its tags.
  void propose_name(text::Finding& finding, const Element& element, std::string_view meant,
                    Guess::Of of = Guess::Of::word) const;
  // The grade of a fix that guesses, as far as the finding decides it: safe for an error, after which the file means
  // nothing else; in other cases the engine reads the file as it is, and would then do something else.
  [[nodiscard]] rules::FixGrade grade_of(const text::Finding& finding) const;

  [[nodiscard]] text::Findings& findings() { return findings_; }
  [[nodiscard]] const ElementTable& table() const { return table_; }
  [[nodiscard]] bool is_excused(Span span) const;
  [[nodiscard]] bool has_errors() const { return has_errors_; }
  [[nodiscard]] bool is_lowered(Rule rule) const;
  // A slip was reported that is no error, but whose consequences would be: what the tree does is not what was meant.
  void doubt() { is_doubtful_ = true; }
  // What an element means was guessed by more than its name: its start tag may be right for what it is elsewhere, and
  // nothing more is reported about it.
  void excuse(const Element& element);
  [[nodiscard]] bool is_doubtful() const { return is_doubtful_; }

  // ---- Uses

  // The chain `outer` extended by one reference, which names the block `name` at `span`.
  [[nodiscard]] UseIndex enter(Span span, std::string_view name, UseIndex outer);
  [[nodiscard]] std::uint32_t depth(UseIndex use) const { return use == kInPlace ? 0 : uses_[use - 1].depth; }

  // ---- Hints

  // May a hint be looked for among so many candidates? In a tree with very many wrong names only the first ones get
  // hints.
  [[nodiscard]] bool may_guess(std::size_t candidate_count);
  // The same for words of other trees (synonyms.h).
  [[nodiscard]] bool may_translate();
  // The name that was meant, or empty.
  [[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates);

 private:
  struct Use {
    Span span;
    std::string_view name;
    UseIndex outer;
    std::uint32_t depth;
  };

  text::Findings& findings_;
  const ElementTable& table_;
  std::span<const Rule> lowered_;
  std::vector<Use> uses_;
  std::size_t compared_names_ = 0;
  std::size_t translated_ = 0;
  bool has_errors_ = false;
  bool is_doubtful_ = false;
  std::map<Span, std::uint32_t> excused_;  // names of elements, and where their start tags end
  text::Finding unsaid_;
};

}  // namespace espalier::dialects
