// A tree's sections and conditions; its nodes are in nodes.cpp. See tree_reader.h.
#include "dialects/selection/tree_reader.h"

#include <utility>

#include "dialects/condition/condition.h"
#include "text/names.h"

namespace espalier::dialects::selection {
namespace {

constexpr std::string_view kUsualType = "BehaviorSelectionTree";

// In the order of condition::FaultKind.
constexpr Rule kConditionRules[] = {
    Rule::SEL_empty_condition,      Rule::SEL_missing_value,   Rule::SEL_double_not,     Rule::SEL_unclosed_parenthesis,
    Rule::SEL_text_after_condition, Rule::SEL_mixed_operators, Rule::SEL_large_condition};
static_assert(std::size(kConditionRules) == static_cast<std::size_t>(condition::FaultKind::count));

std::uint32_t size_of(const auto& container) { return static_cast<std::uint32_t>(container.size()); }

}  // namespace

std::optional<ir::Tree> TreeReader::read(const Element& element) {
  const Placed placed{element, Kind::selection_tree, kInPlace};
  const Attributes attributes = read_attributes(placed, reporter_);
  const Attribute& name = attributes[Key::name];
  tree_.name = required(placed, attributes, Key::name, reporter_).value_or(std::string_view());
  tree_.span = name ? name.value_span() : element.span();
  const auto type = required(placed, attributes, Key::type, reporter_);
  if (type && *type != kUsualType) {
    reporter_.report(Rule::SEL_unusual_type, attributes[Key::type].value_span(), kInPlace,
                     "trees are mostly of type " + text::quote(kUsualType) + ", this one is of " + text::quote(*type));
  }
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    Kind kind = kind_of(child.name());
    if (kind == Kind::unknown) kind = meant_kind(child.name(), Kind::selection_tree);
    if (kind == Kind::blocks) own_.add(child, "this tree", reporter_);
    if (kind == Kind::block) own_.add_stray(child);
  }
  expander_.check_tree(element, tree_.name, tree_.span);
  read_content(placed, children(placed));
  translate_leaves(tree_.root, sections_, may_lack_leaves_, reporter_);
  ir::Tree tree = std::move(tree_);
  check_unused(own_.all(), false);
  // A fault reported elsewhere can leave a hole here that has no finding of its own.
  if (reporter_.has_errors() || may_lack_leaves_ || may_lack_variables_ || element.is_damaged()) return std::nullopt;
  return tree;
}

Children TreeReader::children(const Placed& parent) {
  Children result = expander_.children(parent);
  may_lack_variables_ |= result.may_lack_variables;
  const bool holds_nodes = parent.kind == Kind::selection_tree || is_node(parent.kind) || parent.kind == Kind::state;
  may_lack_leaves_ |= holds_nodes && result.is_incomplete;
  return result;
}

void TreeReader::read_content(const Placed& tree, const Children& content) {
  // Conditions may use what is declared further down.
  for (const Placed& child : content.placed) {
    if (child.kind == Kind::variables) read_section(child);
  }
  std::optional<Placed> root;
  for (const Placed& child : content.placed) {
    if (!is_node(child.kind)) {
      if (child.kind != Kind::variables) read_section(child);
    } else if (!root) {
      root = child;
      tree_.root = read_node(child, Kind::selection_tree);
    } else {
      reporter_.report_repeated(
          Rule::SEL_second_root, child.element.span(), child.use,
          "unexpected element " + text::quote(child.element.name()) + ": the tree has its root node already",
          root->element.span(), "the root node");
      may_lack_leaves_ = true;
      static_cast<void>(read_node(child, Kind::unknown));
    }
  }
  may_lack_leaves_ |= !root;
  if (root || content.is_incomplete) return;
  reporter_.report(Rule::SEL_no_root, tree.element.span(), kInPlace,
                   "tree " + text::quote(tree_.name) + " has no root node",
                   "it needs one Priority, StateMachine or Leaf");
}

void TreeReader::read_section(const Placed& section) {
  static_cast<void>(read_attributes(section, reporter_));
  const Children entries = children(section);
  if (section.kind == Kind::leaf_translations) sections_.emplace_back();
  for (const Placed& entry : entries.placed) {
    if (entry.kind == Kind::variable) read_variable(entry);
    if (entry.kind == Kind::signal) read_signal(entry);
    if (entry.kind == Kind::map) read_map(entry, sections_.back());
  }
}

void TreeReader::read_variable(const Placed& placed) {
  const Attributes attributes = read_attributes(placed, reporter_);
  expander_.expect_no_children(placed);
  const auto name = required(placed, attributes, Key::name, reporter_);
  bool initial = false;
  if (const Attribute& value = attributes[Key::initial]) {
    initial = text::equal_any_case(value.value(), "true");
    if (!initial && !text::equal_any_case(value.value(), "false")) {
      reporter_.report(Rule::SEL_variable_default, value.value_span(), placed.use,
                       "a default is 'true' or 'false', not " + text::quote(value.value()));
    }
  }
  if (!name) {
    may_lack_variables_ = true;
    return;
  }
  const Span span = attributes[Key::name].value_span();
  const auto [entry, is_new] = variable_numbers_.try_emplace(text::lower_case(*name), size_of(tree_.variables));
  if (is_new) {
    tree_.variables.push_back({std::string(*name), initial, span});
    if (condition::can_spell(*name)) return;
    reporter_.report(
        Rule::SEL_unspellable_variable, span, placed.use,
        "no condition can name the variable " + text::quote(*name) + ": only signals and the program can use it",
        "a name is a letter or '_', then letters, digits, '.' and '_', and no word of the language");
    return;
  }
  const ir::Variable& first = tree_.variables[entry->second];
  const bool is_same = first.name == *name;
  reporter_.report_repeated(Rule::SEL_duplicate_variable, span, placed.use,
                            "variable " + text::quote(*name) + " is declared twice" +
                                (is_same ? "" : ": names of variables are compared without case"),
                            first.span, "first declared here");
}

void TreeReader::read_signal(const Placed& placed) {
  const Attributes attributes = read_attributes(placed, reporter_);
  expander_.expect_no_children(placed);
  const auto name = required(placed, attributes, Key::name, reporter_);
  const auto variable_name = required(placed, attributes, Key::variable, reporter_);
  std::optional<std::uint32_t> variable;
  if (variable_name) variable = find_variable(*variable_name, attributes[Key::variable].value_span(), placed.use);
  std::optional<ir::ConditionIndex> value;
  if (const Attribute& attribute = attributes[Key::value]) {
    value = read_condition(attribute, placed.use);
  } else {
    static_cast<void>(required(placed, attributes, Key::value, reporter_));
  }
  if (!name || !variable || !value) return;
  const Span span = attributes[Key::name].value_span();
  const auto [entry, is_new] = signal_numbers_.try_emplace(*name, size_of(tree_.signals));
  if (is_new) tree_.signals.push_back({std::string(*name), {}, span});
  tree_.signals[entry->second].assignments.push_back({*variable, *value, span});
}

void TreeReader::read_map(const Placed& placed, TranslationSection& section) {
  const Attributes attributes = read_attributes(placed, reporter_);
  expander_.expect_no_children(placed);
  TranslationMap map{placed, {}, {}};
  if (required(placed, attributes, Key::node, reporter_)) map.node = attributes[Key::node];
  if (required(placed, attributes, Key::target, reporter_)) map.target = attributes[Key::target];
  section.maps.push_back(map);
}

std::optional<ir::ConditionIndex> TreeReader::read_condition(const Attribute& attribute, UseIndex use) {
  const std::string_view text = attribute.value();
  if (use != kInPlace) {  // what stands in a block is often met again
    const auto known = known_conditions_.find(text.data());
    if (known != known_conditions_.end() && known->second) return known->second;
  }
  condition::Parsed parsed = condition::parse(text);
  for (condition::Fault& fault : parsed.faults) {
    const Rule rule = kConditionRules[static_cast<std::size_t>(fault.kind)];
    reporter_.report(rule, attribute.value_span(fault.begin, fault.end), use, std::move(fault.message),
                     std::move(fault.hint));
  }
  bool is_usable = parsed.is_complete;
  for (ir::Term& term : parsed.terms) {
    if (term.kind != ir::TermKind::variable || is_unused_) continue;
    const std::string_view name = text.substr(term.begin, term.end - term.begin);
    const auto found = variable_numbers_.find(text::lower_case(name));
    if (found != variable_numbers_.end()) {
      term.left = found->second;
    } else {
      is_usable = false;
      static_cast<void>(find_variable(name, attribute.value_span(term.begin, term.end), use));
    }
  }
  std::optional<ir::ConditionIndex> index;
  if (is_usable) {
    index = size_of(tree_.conditions);
    tree_.conditions.push_back({std::move(parsed.terms), attribute.value_span()});
  }
  if (use != kInPlace) known_conditions_.insert_or_assign(text.data(), index);
  return index;
}

std::optional<std::uint32_t> TreeReader::find_variable(std::string_view name, Span span, UseIndex use) {
  if (const auto found = variable_numbers_.find(text::lower_case(name)); found != variable_numbers_.end()) {
    return found->second;
  }
  if (is_unused_) return std::nullopt;
  if (variable_names_.size() != tree_.variables.size()) {  // all sections of variables are read before they are used
    std::vector<std::string_view> names;
    for (const ir::Variable& variable : tree_.variables) names.push_back(variable.name);
    variable_names_ = text::NameIndex(std::move(names));
  }
  std::string hint = variable_names_.did_you_mean(name);
  if (hint.empty() && may_lack_variables_) return std::nullopt;
  if (hint.empty()) {
    for (const std::string_view word : {"yes", "on"}) {
      if (text::equal_any_case(name, word)) hint = "write 'true'";
    }
    for (const std::string_view word : {"no", "off"}) {
      if (text::equal_any_case(name, word)) hint = "write 'false'";
    }
  }
  reporter_.report(Rule::SEL_unknown_variable, span, use, "no variable is named " + text::quote(name), hint);
  return std::nullopt;
}

void TreeReader::check_unused(std::deque<Block>& blocks, bool is_global) {
  expander_.stop_resolving(is_global);
  is_unused_ = true;
  expander_.check_unused(blocks);
  for (const Block& block : blocks) {
    if (!block.is_used) check_unused(block);
  }
}

// Each by itself: what two of them declare may never meet in a tree.
void TreeReader::check_unused(const Block& block) {
  tree_ = {};
  variable_numbers_.clear();
  signal_numbers_.clear();
  known_conditions_.clear();
  sections_.assign(1, {});
  MachineReading machine;
  machine.is_incomplete = true;
  std::vector<ir::Transition> transitions;
  for (const Placed& child : children({block.element, Kind::block, kInPlace}).placed) {
    switch (child.kind) {
      case Kind::variable:
        read_variable(child);
        break;
      case Kind::signal:
        read_signal(child);
        break;
      case Kind::map:
        read_map(child, sections_.back());
        break;
      case Kind::state:
        static_cast<void>(read_state(child, machine, 0));
        break;
      case Kind::transition:
        read_transition(child, transitions, machine, 0);
        break;
      default:
        if (is_node(child.kind)) {
          static_cast<void>(read_node(child, Kind::block));
        } else {
          read_section(child);
        }
    }
  }
}

}  // namespace espalier::dialects::selection
