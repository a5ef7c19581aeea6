// What a reader says about elements that references have put in place: findings that name the references, and the
// checks of attributes that all elements share.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/selection/elements.h"
#include "text/finding.h"
#include "text/xml.h"

namespace espalier::dialects::selection {

using rules::Rule;
using text::Attribute;
using text::Element;
using text::Findings;
using text::Span;

// The chain of references that has brought an element in.
using UseIndex = std::uint32_t;
inline constexpr UseIndex kInPlace = 0;  // none: it stands in the tree itself

// An element where references have put it. `kind` is what it is read as: of a misspelt element, what was meant.
struct Placed {
  Element element;
  Kind kind = Kind::unknown;
  UseIndex use = kInPlace;
};

// Collects the findings of one tree (or of what belongs to none).
class Reporter {
 public:
  explicit Reporter(Findings& findings) : findings_(findings) {}

  // The finding gets the references of `use` as related places. It may be an older one of the same rule and place.
  text::Finding& report(Rule rule, Span span, UseIndex use, std::string message, std::string hint = {});
  // The same, with "first ... here" at `first`.
  void report_repeated(Rule rule, Span span, UseIndex use, std::string message, Span first, std::string first_message);

  // May a hint be looked for among so many names? In a tree with very many wrong names the first of them get hints.
  [[nodiscard]] bool may_guess(std::size_t candidate_count);

  // The chain `outer` with one more reference inside.
  UseIndex enter(const Element& reference, UseIndex outer);
  std::uint32_t depth(UseIndex use) const { return use == kInPlace ? 0 : uses_[use - 1].depth; }
  bool has_errors() const { return has_errors_; }
  Findings& findings() { return findings_; }

 private:
  struct Use {
    Element reference;
    UseIndex outer;
    std::uint32_t depth;
  };
  Findings& findings_;
  std::vector<Use> uses_;
  std::size_t compared_names_ = 0;
  bool has_errors_ = false;
};

// The attributes that mean something on such an element. Reports those that differ from an earlier one in case only,
// and those that mean nothing.
[[nodiscard]] Attributes read_attributes(const Placed& placed, Reporter& reporter);
// The value of an attribute that must be there and must not be empty; else a finding and nothing.
std::optional<std::string_view> required(const Placed& placed, const Attributes& attributes, Key key,
                                         Reporter& reporter);
// A condition where none is read is a warning. `whose` names the owner: "a Ref".
void warn_of_unread_condition(const Placed& placed, const Attributes& attributes, std::string_view whose,
                              Reporter& reporter);

// 65534 as "65,534".
[[nodiscard]] std::string with_commas(std::uint64_t number);

}  // namespace espalier::dialects::selection
