// Collecting blocks. See blocks.h.
#include "dialects/selection/blocks.h"

#include "dialects/reading/checks.h"

namespace espalier::dialects::selection {
namespace {

// The nesting of elements is limited (text::kMaxNesting), so this recursion is too.
void add_outline(const Element& parent, Outline& outline) {
  for (Element child = parent.first_child(); child; child = child.next_sibling()) {
    ++outline.elements;
    const ElementRow* const row = table().find(child.name());
    const Groups kind = row == nullptr ? 0 : row->groups;
    if (kind == kRef) outline.references.push_back(child);
    if ((kind & kNodes) != 0) ++outline.nodes;
    if (kind == kState) ++outline.states;
    // A misspelt element may be read as the one that was meant. References are not resolved where nothing is allowed.
    const bool may_hold_any = row == nullptr || row->content.groups != 0;
    if (may_hold_any && kind != kBlocks) add_outline(child, outline);
  }
}

// Collects the names of blocks that are in wrong places of a file.
void add_strays(const Element& parent, bool is_seen, std::unordered_set<std::string_view>& names) {
  for (Element child = parent.first_child(); child; child = child.next_sibling()) {
    const Groups kind = kind_of(child);
    if (kind == kBlock && !is_seen) names.insert(child.attribute_any_case("name").value());
    add_strays(child, kind == kBlocks && kind_of(parent) == kSelectionTree, names);
  }
}

}  // namespace

Outline outline_of(const Element& element) {
  Outline outline;
  add_outline(element, outline);
  return outline;
}

void Library::add(const Placed& blocks, std::string_view scope, Reporter& reporter) {
  static_cast<void>(read_attributes(blocks, reporter));
  warn_of_stray_text(blocks.element, Rule::SEL_stray_text, reporter.findings());
  for (Element child = blocks.element.first_child(); child; child = child.next_sibling()) {
    const ElementRow* row = table().find(child.name());
    if (row == nullptr) {
      row = report_unknown_element(child, blocks.element, *blocks.row, table(), reporter);
      if (row == nullptr) continue;
    } else if (row->groups != kBlock) {
      report_unexpected_element(child, blocks.element, *blocks.row, table(), reporter);
      continue;
    }
    const Attributes attributes = read_attributes({child, row}, reporter);
    const Attribute name = given(attributes, "name");
    blocks_.push_back({child, name.value()});
    if (!name) continue;
    const auto [entry, is_new] = by_name_.try_emplace(name.value(), &blocks_.back());
    if (is_new) continue;
    const Attribute first = entry->second->element.attribute_any_case("name");  // of a misspelt one, the element
    reporter.report(Rule::SEL_duplicate_block, name.value_span(),
                    "duplicate block " + quote(name.value()) + " in " + std::string(scope), {},
                    {first ? first.value_span() : entry->second->element.span(), "first defined here"});
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
      add_strays(root, kind_of(root) == kBlocks, *stray_names_);
    }
  }
  return stray_names_->contains(name);
}

}  // namespace espalier::dialects::selection
