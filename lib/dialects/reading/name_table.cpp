// Names that are declared. See name_table.h.
#include "dialects/reading/name_table.h"

#include <functional>
#include <utility>

#include "text/names.h"

namespace espalier::dialects {

std::size_t NameTable::Hash::operator()(std::string_view name) const {
  return any_case ? std::hash<std::string>()(text::lower_case(name)) : std::hash<std::string_view>()(name);
}

bool NameTable::Equal::operator()(std::string_view a, std::string_view b) const {
  return any_case ? text::equal_any_case(a, b) : a == b;
}

bool NameTable::declare(std::string_view name, std::uint32_t number, Where where, Reporter& reporter,
                        std::string hint) {
  const auto [entry, is_new] = declared_.try_emplace(std::string(name), Declared{number, where.span});
  if (is_new) {
    in_order_.push_back(entry->first);
    return true;
  }
  const bool is_same = entry->first == name;
  if (hint.empty() && !is_same) hint = "names of " + std::string(rules_.thing) + "s are compared without case";
  reporter.report(rules_.duplicate, where, "duplicate " + std::string(rules_.thing) + ' ' + quote(name),
                  std::move(hint), {entry->second.span, "first declared here"});
  return false;
}

std::optional<std::uint32_t> NameTable::find(std::string_view name) const {
  const auto found = declared_.find(name);
  if (found == declared_.end()) return std::nullopt;
  return found->second.number;
}

std::optional<std::uint32_t> NameTable::find_or_report(std::string_view name, Where where, Reporter& reporter,
                                                       std::string hint, std::optional<Rule> unknown) {
  if (const std::optional<std::uint32_t> number = find(name)) return number;
  // Without any declaration the section is missing: each name of it is one finding, not each use.
  if (declared_.empty() && told_.try_emplace(std::string(name), where.span).first->second != where.span) {
    return std::nullopt;
  }
  if (names_.size() != in_order_.size()) names_ = text::NameIndex(in_order_);
  const std::string near = names_.nearest(name);
  if (!near.empty()) {
    hint = did_you_mean(near);
  } else if (may_lack_) {
    has_missed_ = true;
    return std::nullopt;
  }
  text::Finding& finding = reporter.report(unknown.value_or(rules_.unknown), where,
                                           "unknown " + std::string(rules_.thing) + ' ' + quote(name), std::move(hint));
  reporter.propose(finding, name, near, Guess::Of::name, span_of(near));
  return std::nullopt;
}

Span NameTable::span_of(std::string_view name) const {
  const auto found = declared_.find(name);
  return found == declared_.end() ? Span() : found->second.span;
}

void NameTable::clear() {
  declared_.clear();
  in_order_.clear();
  names_ = {};
  told_.clear();
  may_lack_ = false;
  has_missed_ = false;
}

}  // namespace espalier::dialects
