// A tree's sections and its root; declarations, deciders and the rest have files of their own. See tree_reader.h.
#include "dialects/decider/tree_reader.h"

#include <utility>

#include "dialects/reading/stray_text.h"
#include "runtime/format/records.h"

namespace espalier::dialects::decider {
namespace {

using text::quote;

constexpr std::uint32_t kRedecidesUnlessGiven = 16;

// What stands right below the root element: a Section, or
enum Part : std::uint8_t { kRoot = kSectionCount, kPartCount };

std::string_view part_name(std::uint8_t part) {
  return part == kRoot ? kind_row(kGroup).name : section_row(static_cast<Section>(part)).name;
}

std::uint8_t find_part(std::string_view name) {
  std::uint8_t part = 0;
  while (part < kPartCount && part_name(part) != name) ++part;
  return part;
}

std::vector<std::string_view> part_names() {
  std::vector<std::string_view> names;
  for (std::uint8_t part = 0; part < kPartCount; ++part) names.push_back(part_name(part));
  return names;
}

}  // namespace

std::optional<ir::Tree> TreeReader::read(const File& file) {
  const Element root = file.document->root();
  const Attributes attributes(root, kTreeAttributes, kAttributeRules, reporter_);
  const Attribute name = attributes.filled("name");
  tree_.name = name.value();
  tree_.span = name ? name.value_span() : root.span();
  tree_.parts.emplace<ir::Deciding>().max_redecides = kRedecidesUnlessGiven;
  if (const Attribute& redecides = attributes["maxRedecides"]) {
    deciding().max_redecides = read_whole(redecides, 1, layout::kMaxRedecides).value_or(kRedecidesUnlessGiven);
  }
  read_parts(root);
  warn_of_text(root);
  resolve_references();
  if (reporter_.has_errors()) return std::nullopt;
  return std::move(tree_);
}

// Declarations come first, wherever they stand; then deciders, in the order of the file.
void TreeReader::read_parts(const Element& root) {
  Element first[kPartCount];
  std::vector<std::pair<Element, std::uint8_t>> deciders;
  bool has_root = false;
  bool may_have_root = false;  // an element was meant to be it
  for (Element child = root.first_child(); child; child = child.next_sibling()) {
    std::uint8_t part = find_part(child.name());
    if (part == kPartCount) {
      const std::size_t before = misplaced_.size();
      part = report_stray(child);
      may_have_root = may_have_root || misplaced_.size() != before;
    } else if (!first[part]) {
      first[part] = child;
    } else if (part == kRoot) {
      reporter_.report(Rule::DEC_second_root, child.span(), "a tree has one root group, this is the second",
                       "put them in one 'Group', or shared deciders in 'Deciders'", {first[part].span(), "the first"});
    } else {
      reporter_.report(Rule::DEC_repeated_section, child.span(), "a second " + quote(child.name()),
                       "a tree has one: put what this holds there", {first[part].span(), "the first"});
    }
    if (part < kDeciders) collect_entries(child, static_cast<Section>(part));
    if (part == kDeciders || part == kRoot) deciders.emplace_back(child, part);
  }
  read_declarations();
  for (const auto& [element, part] : deciders) {
    if (part == kDeciders) {
      read_shared(element);
      continue;
    }
    ir::Node node = read_decider(element, kGroup, {Standing::root});
    if (!has_root) tree_.root = std::move(node);
    has_root = true;
  }
  for (const Element& element : misplaced_) read_misplaced(element);
  if (has_root || may_have_root) return;
  reporter_.report(Rule::DEC_no_root, root.span(), "the tree has no root group", "it needs one 'Group'");
}

// An element that there is not, here. What was meant by it: a part, or none.
std::uint8_t TreeReader::report_stray(const Element& element) {
  const std::string_view name = element.name();
  const Section entry = section_of_entry(name);
  std::uint8_t part = kPartCount;
  std::string hint;
  if (entry != kSectionCount) {
    entries_[entry].push_back(element);
    hint = "put it in " + quote(section_row(entry).name);
  } else if (find_kind(name) != kKindCount) {
    set_aside(element);
    hint = "put it in the root 'Group'";
  } else if (const std::string near = reporter_.nearest(text::local_name(name), part_names()); !near.empty()) {
    part = find_part(near);
    hint = text::element_hint(name, near);
  } else if (const Section held = section_of_entry(element.first_child().name()); held != kSectionCount) {
    part = held;
    hint = did_you_mean(section_row(held).name);
  } else {
    set_aside(element);
    hint = hint_of_element(name);
  }
  reporter_.report(Rule::DEC_unknown_element, element.span(),
                   "there is no element " + quote(name) + " in " + quote(kRootElement), std::move(hint));
  return part;
}

void TreeReader::read_shared(const Element& section) {
  static_cast<void>(Attributes(section, {}, kAttributeRules, reporter_));
  warn_of_text(section);
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    const Kind kind = find_kind(child.name());
    if (kind == kKindCount || kind == kReference) {
      read_unknown(child, section, {});
      continue;
    }
    reading_shared_ = static_cast<std::uint32_t>(shared_.size());
    shared_.emplace_back();
    shared_[*reading_shared_].node = read_decider(child, kind, {Standing::shared});
    reading_shared_.reset();
  }
}

// ---- What may not stand where it does -----------------------------------------------------------

// Told already. What it declares may be used anywhere.
void TreeReader::set_aside(const Element& element) {
  misplaced_.push_back(element);
  excuse(element);
}

void TreeReader::excuse(const Element& element) {
  excused_.emplace(element.attribute("name").value());
  for (Element child = element.first_child(); child; child = child.next_sibling()) excuse(child);
}

// Told already; read for its own faults.
void TreeReader::read_misplaced(const Element& element) {
  const Kind kind = find_kind(element.name());
  if (kind != kKindCount) {
    static_cast<void>(read_decider(element, kind, {}));
    return;
  }
  excused_.emplace(element.attribute("name").value());
  for (Element child = element.first_child(); child; child = child.next_sibling()) read_misplaced(child);
}

void TreeReader::warn_of_text(const Element& element) {
  warn_of_stray_text(element, Rule::DEC_stray_text, reporter_.findings());
}

}  // namespace espalier::dialects::decider
