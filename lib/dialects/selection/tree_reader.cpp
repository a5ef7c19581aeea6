// A tree's sections and conditions; its nodes are in nodes.cpp. See tree_reader.h.
#include "dialects/selection/tree_reader.h"

#include <utility>

#include "dialects/condition/condition.h"
#include "text/names.h"

namespace espalier::dialects::selection {
namespace {

constexpr NameRules kVariableNames = {"variable", Rule::SEL_duplicate_variable, Rule::SEL_unknown_variable, true};
constexpr std::string_view kUsualType = "BehaviorSelectionTree";

// In the order of condition::FaultKind.
constexpr Rule kConditionRules[] = {
    Rule::SEL_empty_condition,      Rule::SEL_missing_value,   Rule::SEL_double_not,     Rule::SEL_unclosed_parenthesis,
    Rule::SEL_text_after_condition, Rule::SEL_mixed_operators, Rule::SEL_large_condition};
static_assert(std::size(kConditionRules) == static_cast<std::size_t>(condition::FaultKind::count));

std::uint32_t size_of(const auto& container) { return static_cast<std::uint32_t>(container.size()); }

// What was probably meant by a name that is not a variable.
std::string constant_hint(std::string_view name) {
  if (text::equal_any_case(name, "yes") || text::equal_any_case(name, "on")) return "use 'true'";
  if (text::equal_any_case(name, "no") || text::equal_any_case(name, "off")) return "use 'false'";
  return {};
}

}  // namespace

TreeReader::TreeReader(World& world, text::Findings& findings)
    : reporter_(findings), expander_(world, own_, reporter_), variables_(kVariableNames) {}

std::optional<ir::Tree> TreeReader::read(const Element& element) {
  const Placed placed{element, table().find("SelectionTree")};  // a misspelt one, too
  const Attributes attributes = read_attributes(placed, reporter_);
  const Attribute name = given(attributes, "name");
  tree_.name = name.value();
  tree_.span = name ? name.value_span() : element.span();
  const Attribute type = given(attributes, "type");
  if (type && type.value() != kUsualType) {
    reporter_.report(
        Rule::SEL_unusual_type, type.value_span(),
        "unusual type " + quote(type.value()) + ": selection trees usually have the type " + quote(kUsualType));
  }
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    const ElementRow* row = table().find(child.name());
    if (row == nullptr)
      row = table().find(text::nearest(text::local_name(child.name()), table().names_in(*placed.row)));
    if (row != nullptr && row->groups == kBlocks) own_.add({child, row}, "this tree", reporter_);
    if (row != nullptr && row->groups == kBlock) own_.add_stray(child);
  }
  expander_.check_tree(element, tree_.name, tree_.span);
  read_content(placed, children(placed));
  translate_leaves(tree_.root, sections_, may_lack_leaves_, reporter_);
  ir::Tree tree = std::move(tree_);
  // A fault reported elsewhere can leave a gap here without a finding in this tree.
  const bool may_lack_any = may_lack_leaves_ || variables_.may_lack();
  check_unused(own_.all(), false);
  if (reporter_.has_errors() || may_lack_any || element.is_damaged()) return std::nullopt;
  return tree;
}

Children TreeReader::children(const Placed& parent) {
  Children result = expander_.children(parent);
  if (result.may_lack_variables) variables_.lack_one();
  may_lack_leaves_ |= parent.is(kSelectionTree | kNodes | kState) && result.is_incomplete;
  return result;
}

void TreeReader::read_content(const Placed& tree, const Children& content) {
  // Conditions may use later declarations.
  for (const Placed& child : content.placed) {
    if (child.is(kVariables)) read_section(child);
  }
  std::optional<Placed> root;
  for (const Placed& child : content.placed) {
    if (!child.is(kNodes)) {
      if (!child.is(kVariables)) read_section(child);
    } else if (!root) {
      root = child;
      tree_.root = read_node(child, kSelectionTree);
    } else {
      reporter_.report(
          Rule::SEL_second_root, child.where(),
          "unexpected element " + quote(child.element.name()) + " in 'SelectionTree': the tree already has a root node",
          {}, {root->element.span(), "the root node"});
      may_lack_leaves_ = true;
      static_cast<void>(read_node(child, 0));
    }
  }
  may_lack_leaves_ |= !root;
  if (root || content.is_incomplete) return;
  reporter_.report(Rule::SEL_no_root, tree.element.span(), "tree " + quote(tree_.name) + " has no root node",
                   "add one Priority, StateMachine or Leaf");
}

void TreeReader::read_section(const Placed& section) {
  static_cast<void>(read_attributes(section, reporter_));
  const Children entries = children(section);
  if (section.is(kLeafTranslations)) sections_.emplace_back();
  for (const Placed& entry : entries.placed) read_entry(entry);
}

void TreeReader::read_entry(const Placed& entry) {
  const Attributes attributes = read_attributes(entry, reporter_);
  expander_.expect_no_children(entry);
  if (entry.is(kVariable)) read_variable(attributes, entry.use);
  if (entry.is(kSignal)) read_signal(attributes, entry.use);
  if (entry.is(kMap))
    sections_.back().maps.push_back({entry.use, given(attributes, "node"), given(attributes, "target")});
}

void TreeReader::read_variable(const Attributes& attributes, UseIndex use) {
  const bool initial = attributes.word("default") == 1;
  const Attribute name = given(attributes, "name");
  if (!name) {
    variables_.lack_one();
    return;
  }
  const Where where(name.value_span(), use);
  if (!variables_.declare(name.value(), size_of(tree_.variables), where, reporter_)) return;
  tree_.variables.push_back({std::string(name.value()), initial, where.span});
  if (condition::can_spell(name.value())) return;
  reporter_.report(Rule::SEL_unspellable_variable, where,
                   "conditions cannot contain the name of the variable " + quote(name.value()) +
                       ": only signals and the program can use it",
                   "use a letter or '_', then letters, digits, '.' and '_', but not a keyword");
}

void TreeReader::read_signal(const Attributes& attributes, UseIndex use) {
  const Attribute name = given(attributes, "name");
  const Attribute variable = given(attributes, "variable");
  std::optional<std::uint32_t> number;
  if (variable) number = find_variable(variable.value(), {variable.value_span(), use});
  const std::optional<ir::ConditionIndex> value = read_condition(meant(attributes, "value"), use);
  if (!name || !number || !value) return;
  const Span span = name.value_span();
  const auto [entry, is_new] = signal_numbers_.try_emplace(name.value(), size_of(tree_.signals));
  if (is_new) tree_.signals.push_back({std::string(name.value()), {}, span});
  tree_.signals[entry->second].assignments.push_back({*number, *value, span});
}

std::optional<ir::ConditionIndex> TreeReader::read_condition(const Attribute& attribute, UseIndex use) {
  if (!attribute) return std::nullopt;
  const std::string_view text = attribute.value();
  if (use != kInPlace) {  // a block is often included more than once
    const auto known = known_conditions_.find(text.data());
    if (known != known_conditions_.end()) return known->second;
  }
  condition::Parsed parsed = condition::parse(text);
  for (condition::Fault& fault : parsed.faults) {
    reporter_.report(kConditionRules[static_cast<std::size_t>(fault.kind)],
                     {attribute.value_span(fault.begin, fault.end), use}, std::move(fault.message),
                     std::move(fault.hint));
  }
  bool is_usable = parsed.is_complete;
  for (ir::Term& term : parsed.terms) {
    if (term.kind != ir::TermKind::variable || is_unused_) continue;
    const std::string_view name = text.substr(term.begin, term.end - term.begin);
    const std::optional<std::uint32_t> number = find_variable(name, {attribute.value_span(term.begin, term.end), use});
    is_usable &= number.has_value();
    term.left = number.value_or(0);
  }
  if (!is_usable) return std::nullopt;
  const std::uint32_t index = size_of(tree_.conditions);
  tree_.conditions.push_back({std::move(parsed.terms), attribute.value_span()});
  if (use != kInPlace) known_conditions_.emplace(text.data(), index);
  return index;
}

std::optional<std::uint32_t> TreeReader::find_variable(std::string_view name, Where where) {
  return is_unused_ ? variables_.find(name) : variables_.find_or_report(name, where, reporter_, constant_hint(name));
}

void TreeReader::check_unused(std::deque<Block>& blocks, bool is_global) {
  expander_.stop_resolving(is_global);
  is_unused_ = true;
  expander_.check_unused(blocks);
  for (const Block& block : blocks) {
    if (!block.is_used) check_unused(block);
  }
}

// Each block separately: two of them need not be used in the same tree.
void TreeReader::check_unused(const Block& block) {
  tree_ = {};
  variables_.clear();
  signal_numbers_.clear();
  known_conditions_.clear();
  sections_.assign(1, {});
  std::vector<ir::Transition> transitions;
  for (const Placed& child : children({block.element, table().find("Block")}).placed) {
    if (child.is(kNodes)) {
      static_cast<void>(read_node(child, kBlock));
    } else if (child.is(kState)) {
      static_cast<void>(read_state(child, 0, nullptr));
    } else if (child.is(kTransition)) {
      read_transition(child, transitions, 0, nullptr);
    } else if (child.is(kSections)) {
      read_section(child);
    } else {
      read_entry(child);
    }
  }
}

}  // namespace espalier::dialects::selection
