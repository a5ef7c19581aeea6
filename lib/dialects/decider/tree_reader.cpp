// A tree's sections and its root; declarations, deciders and other parts are in separate files. See tree_reader.h.
#include "dialects/decider/tree_reader.h"

#include <algorithm>
#include <utility>

#include "dialects/decider/options.h"
#include "rules/decider.h"

namespace espalier::dialects::decider {

namespace {

constexpr std::uint32_t kDefaultRedecides = 16;

std::vector<std::string_view> views_of(const HostNames::Declared& names) {
  return names ? std::vector<std::string_view>(names->begin(), names->end()) : std::vector<std::string_view>();
}

}  // namespace

HostNames::HostNames(std::string_view thing, Rule undeclared, const Declared& declared)
    : thing_(thing), undeclared_(undeclared), declared_(declared), names_(views_of(declared)) {}

void HostNames::check(std::string_view name, Span span, Reporter& reporter) {
  if (!declared_ || std::binary_search(declared_->begin(), declared_->end(), name)) return;
  const std::string near = names_.nearest(name);
  text::Finding& finding =
      reporter.report(undeclared_, span, std::string(thing_) + ' ' + quote(name) + " is not declared in espalier.json",
                      did_you_mean(near));
  reporter.propose(finding, name, near);
}

Hosts::Hosts(const Options& options)
    : decide_functions("Decide function", rules::DEC_undeclared_decide, options.of<DeciderOptions>().decide_functions),
      behavior_flags("behaviour flag", rules::DEC_undeclared_behavior_flag,
                     options.of<DeciderOptions>().behavior_flags) {}

std::optional<ir::Tree> TreeReader::read(const File& file) {
  const Element root = file.document->root();
  const Attributes attributes(root, row(kTree), reporter_);
  const Attribute name = attributes.filled("name");
  tree_.name = name.value();
  tree_.span = name ? name.value_span() : root.span();
  tree_.parts.emplace<ir::Deciding>().max_redecides = attributes.whole("maxRedecides").value_or(kDefaultRedecides);
  read_parts(root);
  warn_of_stray_text(root, reporter_);
  resolve_references();
  if (reporter_.has_errors() || root.is_damaged()) return std::nullopt;
  return std::move(tree_);
}

// Declarations come first, wherever they are; then deciders, in the order of the file.
void TreeReader::read_parts(const Element& root) {
  Element first[kRowCount];
  std::vector<std::pair<Element, Row>> deciders;
  bool has_root = false;
  bool may_have_root = false;  // a misspelt element may be it
  for (Element child = root.first_child(); child; child = child.next_sibling()) {
    Row part = find_row(child.name());
    if (part == kGroup) part = kRoot;
    if (part != kRoot && !is_section(part)) {
      const std::size_t before = misplaced_.size();
      part = read_unknown_part(child);
      may_have_root = may_have_root || misplaced_.size() != before;
    } else if (!first[part]) {
      first[part] = child;
    } else if (part == kRoot) {
      reporter_.report(rules::DEC_second_root, child.span(), "a tree has only one root group",
                       "put both in one 'Group', or move shared deciders to 'Deciders'",
                       {first[part].span(), "first root group"});
    } else {
      reporter_.report(rules::DEC_repeated_section, child.span(), "duplicate " + quote(child.name()),
                       "move its elements to the first one", {first[part].span(), "first one"});
    }
    if (part >= kFlags && part <= kBehaviors) collect_entries(child, part);
    if (part == kDeciders || part == kRoot) deciders.emplace_back(child, part);
  }
  read_declarations();
  for (const auto& [element, part] : deciders) {
    if (part == kDeciders) {
      read_shared(element);
      continue;
    }
    ir::Draft& node = read_decider(element, kGroup, {Standing::root});
    if (!has_root) root_ = &node;
    has_root = true;
  }
  for (const Element& element : misplaced_) read_misplaced(element);
  if (has_root || may_have_root) return;
  reporter_.report(rules::DEC_no_root, root.span(), "the tree has no root group", "add a 'Group'");
}

// What the element was meant to be: a part, or kRowCount.
Row TreeReader::read_unknown_part(const Element& element) {
  const Row known = find_row(element.name());
  const ElementRow* const shown = known == kRowCount ? nullptr : meant_by_content(element, row(kTree), reporter_);
  if (shown != nullptr && shown != &row(kRoot)) {
    report_unexpected_element(element, row(kTree), reporter_, did_you_mean(shown->name));
    reporter_.excuse(element);
    return static_cast<Row>(shown - &row(kTree));
  }
  if (is_entry(known)) {
    entries(known).push_back(element);
    report_unexpected_element(element, row(kTree), reporter_, "put it in " + quote(row(section_of(known)).name));
    return kRowCount;
  }
  if (known != kRowCount) {
    set_aside(element);
    report_unexpected_element(element, row(kTree), reporter_, "put it in the root 'Group'");
    return kRowCount;
  }
  const ElementRow* const meant = report_unknown_element(element, row(kTree), reporter_);
  if (meant != nullptr) return static_cast<Row>(meant - &row(kTree));
  set_aside(element);
  return kRowCount;
}

void TreeReader::read_shared(const Element& section) {
  check_attributes(section, row(kDeciders), reporter_);
  warn_of_stray_text(section, reporter_);
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    const Row kind = find_row(child.name());
    if (kind != kDecider && kind != kGroup) {
      read_unexpected(child, kDeciders, {});
      continue;
    }
    reading_shared_ = size_of(shared_);
    shared_.emplace_back();
    ir::Draft& node = read_decider(child, kind, {Standing::shared});
    shared_[*reading_shared_].node = &node;
    reading_shared_.reset();
  }
}

// ---- Elements in wrong places, which are reported already ---------------------------------------

// Read after everything else. Its declarations can be used anywhere.
void TreeReader::set_aside(const Element& element) {
  misplaced_.push_back(element);
  excuse(element);
}

void TreeReader::excuse(const Element& element) {
  excused_.emplace(element.attribute("name").value());
  for (Element child = element.first_child(); child; child = child.next_sibling()) excuse(child);
}

// Reports the faults within the deciders.
void TreeReader::read_misplaced(const Element& element) {
  const Row kind = find_row(element.name());
  if (is_decider(kind)) {
    static_cast<void>(read_decider(element, kind, {}));
    return;
  }
  excused_.emplace(element.attribute("name").value());
  for (Element child = element.first_child(); child; child = child.next_sibling()) read_misplaced(child);
}

}  // namespace espalier::dialects::decider
