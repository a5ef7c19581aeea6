// Collecting blocks. See blocks.h.
#include "dialects/selection/blocks.h"

#include "dialects/reading/stray_text.h"
#include "text/names.h"

namespace espalier::dialects::selection {
namespace {

// Elements within elements are limited (text::kMaxNesting), and so is this recursion.
void add_outline(const Element& parent, Outline& outline) {
  for (Element child = parent.first_child(); child; child = child.next_sibling()) {
    ++outline.elements;
    const Kind kind = kind_of(child.name());
    if (kind == Kind::ref) outline.references.push_back(child);
    if (is_node(kind)) ++outline.nodes;
    if (kind == Kind::state) ++outline.states;
    // A misspelt element may be read as what was meant: it is looked into. Nothing is resolved where nothing may stand.
    const bool may_hold_any = kind == Kind::unknown || !children_of(kind).empty();
    if (may_hold_any && kind != Kind::blocks) add_outline(child, outline);
  }
}

// All blocks that stand below the level where they are seen.
void add_strays(const Element& parent, bool is_seen, std::unordered_set<std::string_view>& names) {
  for (Element child = parent.first_child(); child; child = child.next_sibling()) {
    const Kind kind = kind_of(child.name());
    if (kind == Kind::block && !is_seen) names.insert(child.attribute_any_case("name").value());
    const bool is_at_top = kind_of(parent.name()) == Kind::selection_tree;
    add_strays(child, kind == Kind::blocks && is_at_top, names);
  }
}

// Of a block whose attribute is misspelt, the element.
Span name_span(const Element& block) {
  const Attribute name = block.attribute_any_case("name");
  return name ? name.value_span() : block.span();
}

}  // namespace

Outline outline_of(const Element& element) {
  Outline outline;
  add_outline(element, outline);
  return outline;
}

void Library::add(const Element& blocks, std::string_view scope, Reporter& reporter) {
  static_cast<void>(read_attributes({blocks, Kind::blocks, kInPlace}, reporter));
  warn_of_stray_text(blocks, Rule::SEL_stray_text, reporter.findings());
  for (Element child = blocks.first_child(); child; child = child.next_sibling()) {
    Kind kind = kind_of(child.name());
    if (kind != Kind::block) {
      const bool is_known = kind != Kind::unknown;
      const Kind meant = is_known ? Kind::unknown : meant_kind(child.name(), Kind::blocks);
      const std::string hint =
          meant == Kind::unknown ? std::string() : text::element_hint(child.name(), name_of(meant));
      reporter.report(is_known ? Rule::SEL_unexpected_element : Rule::SEL_unknown_element, child.span(), kInPlace,
                      (is_known ? "unexpected element " : "unknown element ") + text::quote(child.name()) +
                          ": Blocks holds Block alone",
                      hint);
      if (meant == Kind::unknown) continue;
      kind = meant;
    }
    const Placed placed{child, kind, kInPlace};
    const Attributes attributes = read_attributes(placed, reporter);
    warn_of_unread_condition(placed, attributes, "a Block", reporter);
    const auto name = required(placed, attributes, Key::name, reporter);
    blocks_.push_back({child, name.value_or(std::string_view())});
    if (!name) continue;
    const auto [entry, is_new] = by_name_.try_emplace(*name, &blocks_.back());
    if (is_new) continue;
    reporter.report_repeated(Rule::SEL_duplicate_block, attributes[Key::name].value_span(), kInPlace,
                             "block " + text::quote(*name) + " is defined twice in " + std::string(scope),
                             name_span(entry->second->element), "first defined here");
  }
}

void Library::add_stray(const Element& block) {
  const std::string_view name = block.attribute_any_case("name").value();
  if (name.empty()) return;
  blocks_.push_back({block, name});
  by_name_.try_emplace(name, &blocks_.back());
}

Block* Library::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

text::NameIndex& Library::names() {
  if (names_.size() < by_name_.size()) {
    std::vector<std::string_view> names;
    for (const Block& block : blocks_) {
      if (!block.name.empty() && by_name_.at(block.name) == &block) names.push_back(block.name);
    }
    names_ = text::NameIndex(std::move(names));
  }
  return names_;
}

bool World::is_stray(std::string_view name) {
  if (!stray_names_) {
    stray_names_.emplace();
    for (const text::XmlDocument* file : files) {
      const Element root = file->root();
      add_strays(root, kind_of(root.name()) == Kind::blocks, *stray_names_);
    }
  }
  return stray_names_->contains(name);
}

}  // namespace espalier::dialects::selection
