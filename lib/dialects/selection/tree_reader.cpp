// A tree's sections, conditions and nodes: Priority, StateMachine with its states, Leaf. See tree_reader.h.
#include "dialects/selection/tree_reader.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dialects/condition/condition.h"
#include "dialects/reading/name_table.h"
#include "dialects/selection/expander.h"
#include "dialects/selection/translations.h"
#include "rules/selection.h"
#include "text/names.h"

namespace espalier::dialects::selection {
namespace {

constexpr NameRules kVariableNames = {"variable", rules::SEL_duplicate_variable, rules::SEL_unknown_variable, true};
constexpr NameRules kStateNames = {"state", rules::SEL_duplicate_state, rules::SEL_unknown_state, true};

// In the order of condition::FaultKind.
constexpr Rule kConditionRules[] = {rules::SEL_empty_condition,      rules::SEL_missing_value,
                                    rules::SEL_double_not,           rules::SEL_unclosed_parenthesis,
                                    rules::SEL_text_after_condition, rules::SEL_mixed_operators,
                                    rules::SEL_large_condition};
static_assert(std::size(kConditionRules) == static_cast<std::size_t>(condition::FaultKind::count));

// What was probably meant by a name that is not a variable.
std::string constant_hint(std::string_view name) {
  if (text::equal_any_case(name, "yes") || text::equal_any_case(name, "on")) return "use 'true'";
  if (text::equal_any_case(name, "no") || text::equal_any_case(name, "off")) return "use 'false'";
  return {};
}

constexpr std::uint32_t kMaxDepth = layout::kMaxDepth;  // states counted
constexpr std::uint32_t kMaxStates = layout::kMaxStates;

// Unexpected children have been reported.
bool holds_other_than_references(const Element& element) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (kind_of(child) != kRef) return true;
  }
  return false;
}

class TreeReader {
 public:
  TreeReader(World& world, text::Findings& findings)
      : reporter_(findings, table()),
        expander_(world, own_, reporter_),
        drafts_(world.names),
        variables_(kVariableNames) {}

  std::optional<ir::Tree> read(const Element& element) {
    const Placed placed{element, table().find("SelectionTree")};  // a misspelt one, too
    const Attributes attributes = read_attributes(placed, reporter_);
    const Attribute name = given(attributes, "name");
    tree_.name = name.value();
    tree_.span = name ? name.value_span() : element.span();
    const Attribute type = given(attributes, "type");
    if (type && type.value() != kUsualType) {
      reporter_.report(
          rules::SEL_unusual_type, type.value_span(),
          "unusual type " + quote(type.value()) + ": selection trees usually have the type " + quote(kUsualType));
    }
    for (Element child = element.first_child(); child; child = child.next_sibling()) {
      const ElementRow* row = table().find(child.name());
      if (row == nullptr)
        row = table().find(text::nearest(text::local_name(child.name()), table().names_in(*placed.row)));
      if (row != nullptr && row->groups == kBlocks) own_.add({child, row}, "this tree", reporter_);
      if (row == nullptr || row->groups != kBlock) continue;
      const bool holds_blocks = kind_of(child.first_child()) == kBlock;  // 'Blocks' was meant
      holds_blocks ? own_.add({child, table().find("Blocks")}, "this tree", reporter_) : own_.add_stray(child);
    }
    expander_.check_tree(element, tree_.name, tree_.span);
    read_content(placed, children(placed));
    translate_leaves(root_, sections_, may_lack_leaves_, reporter_);
    ir::Tree tree = std::move(tree_);
    ir::Drafts drafts = std::move(drafts_);
    const ir::Draft* const root = root_;
    tree.is_doubtful = reporter_.is_doubtful();
    // A fault reported elsewhere can leave a gap here without a finding in this tree.
    const bool may_lack_any = may_lack_leaves_ || variables_.may_lack();
    check_unused(own_.all(), false);
    if (reporter_.has_errors() || may_lack_any || element.is_damaged()) return std::nullopt;
    tree.conditions.shrink_to_fit();
    tree.nodes = drafts.lay_out(*root);
    return tree;
  }

  void check_unused(std::deque<Block>& blocks, bool is_global) {
    expander_.stop_resolving(is_global);
    is_unused_ = true;
    expander_.check_unused(blocks);
    for (const Block& block : blocks) {
      if (!block.is_used) check_unused(block);
    }
  }

 private:
  // ---- Sections and conditions

  Children children(const Placed& parent) {
    Children result = expander_.children(parent);
    if (result.may_lack_variables) variables_.lack_one();
    may_lack_leaves_ |= parent.is(kSelectionTree | kNodes | kState) && result.is_incomplete;
    return result;
  }

  void read_content(const Placed& tree, const Children& content) {
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
        root_ = &read_node(child, kSelectionTree);
      } else {
        reporter_.report(rules::SEL_second_root, child.where(),
                         "unexpected element " + quote(child.element.name()) +
                             " in 'SelectionTree': the tree already has a root node",
                         {}, {root->element.span(), "the root node"});
        may_lack_leaves_ = true;
        static_cast<void>(read_node(child, 0));
      }
    }
    may_lack_leaves_ |= !root;
    if (root || content.is_incomplete) return;
    reporter_.report(rules::SEL_no_root, tree.element.span(), "tree " + quote(tree_.name) + " has no root node",
                     "add one Priority, StateMachine or Leaf");
  }

  void read_section(const Placed& section) {
    static_cast<void>(read_attributes(section, reporter_));
    const Children entries = children(section);
    if (section.is(kLeafTranslations)) sections_.emplace_back();
    for (const Placed& entry : entries.placed) read_entry(entry);
  }

  void read_entry(const Placed& entry) {
    const Attributes attributes = read_attributes(entry, reporter_);
    expander_.expect_no_children(entry);
    if (entry.is(kVariable)) read_variable(attributes, entry.use);
    if (entry.is(kSignal)) read_signal(attributes, entry.use);
    if (entry.is(kMap))
      sections_.back().maps.push_back({entry.use, given(attributes, "node"), given(attributes, "target")});
  }

  void read_variable(const Attributes& attributes, UseIndex use) {
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
    tree_.variables.back().is_doubtful = true;
    reporter_.report(rules::SEL_unspellable_variable, where,
                     "conditions cannot contain the name of the variable " + quote(name.value()) +
                         ": only signals and the program can use it",
                     "use a letter or '_', then letters, digits, '.' and '_', but not a keyword");
  }

  void read_signal(const Attributes& attributes, UseIndex use) {
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

  std::optional<ir::ConditionIndex> read_condition(const Attribute& attribute, UseIndex use) {
    if (!attribute) return std::nullopt;
    const std::string_view text = attribute.value();
    if (use != kInPlace) {  // a block is often included more than once
      const auto known = known_conditions_.find(text.data());
      if (known != known_conditions_.end()) return known->second;
    }
    condition::Parsed parsed = condition::parse(text);
    for (condition::Fault& fault : parsed.faults) {
      text::Finding& finding = reporter_.report(kConditionRules[static_cast<std::size_t>(fault.kind)],
                                                {attribute.value_span(fault.begin, fault.end), use},
                                                std::move(fault.message), std::move(fault.hint));
      condition::add_fix(fault, attribute, reporter_.grade_of(finding), finding);
    }
    bool is_usable = parsed.is_complete;
    for (ir::Term& term : parsed.terms) {
      if (term.kind != ir::TermKind::variable || is_unused_) continue;
      const std::string_view name = text.substr(term.begin, term.end - term.begin);
      const std::optional<std::uint32_t> number =
          find_variable(name, {attribute.value_span(term.begin, term.end), use});
      is_usable &= number.has_value();
      term.left = number.value_or(0);
    }
    if (!is_usable) return std::nullopt;
    const std::uint32_t index = size_of(tree_.conditions);
    condition::place_terms(attribute, parsed.terms);
    tree_.conditions.push_back({std::move(parsed.terms), attribute.value_span()});
    if (use != kInPlace) known_conditions_.emplace(text.data(), index);
    return index;
  }

  std::optional<std::uint32_t> find_variable(std::string_view name, Where where) {
    return is_unused_ ? variables_.find(name) : variables_.find_or_report(name, where, reporter_, constant_hint(name));
  }

  // Each block separately: two of them need not be used in the same tree.
  void check_unused(const Block& block) {
    tree_ = {};
    drafts_ = {};
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

  // ---- Nodes. `machine` is null in a block that no reference includes.

  ir::Draft& start(const Placed& placed, const Attribute& name) {
    return drafts_.make(placed.row->opcode, name.value(), placed.element.span());
  }

  ir::Draft& read_node(const Placed& placed, Groups parent) {
    const Attributes attributes = read_attributes(placed, reporter_);
    const Attribute name = given(attributes, "name");
    ir::Draft& node = start(placed, name);
    may_lack_leaves_ |= node.name().empty();
    const std::optional<ir::ConditionIndex> condition =
        read_node_condition(attributes["condition"], placed.use, parent);
    if (placed.is(kLeaf)) {
      node.set(ir::Leaf{condition, drafts_.text(node.name()), name.value_span()});
    } else {
      node.set(ir::Guard{condition});
    }
    if (depth_ >= kMaxDepth) {
      may_lack_leaves_ = true;
      if (!std::exchange(is_too_deep_, true)) {
        reporter_.report(rules::SEL_too_deep, placed.where(),
                         "more than " + with_commas(kMaxDepth) + " nodes and states are nested in one another here");
      }
      return node;
    }
    ++depth_;
    if (placed.is(kLeaf)) {
      expander_.expect_no_children(placed);
      may_lack_leaves_ |= bool(placed.element.first_child());
    } else if (placed.is(kStateMachine)) {
      read_machine(placed, node);
    } else {
      const Children nodes = children(placed);
      for (const Placed& child : nodes.placed) node.add(read_node(child, kPriority));
      if (node.child_count() == 0 && !nodes.is_incomplete && !holds_other_than_references(placed.element)) {
        reporter_.report(rules::SEL_empty_priority, placed.where(),
                         "Priority " + quote(node.name()) + " has no children: it never selects anything",
                         "add a Priority, StateMachine or Leaf");
      }
    }
    --depth_;
    return node;
  }

  // Only a Priority reads the conditions of its children.
  std::optional<ir::ConditionIndex> read_node_condition(const Attribute& condition, UseIndex use, Groups parent) {
    if (parent == kPriority || parent == kBlock) return read_condition(condition, use);
    if (condition && parent != 0) {
      reporter_.report(rules::SEL_unread_condition, {condition.name_span(), use},
                       "attribute " + quote(condition.name()) + " of " +
                           (parent == kSelectionTree ? "the root node" : "a State's node") + " is ignored",
                       "only a Priority reads conditions: those of its children");
    }
    return std::nullopt;
  }

  void read_machine(const Placed& placed, ir::Draft& machine) {
    MachineNames names(kStateNames);
    const Children states = children(placed);
    if (states.is_incomplete) names.states.lack_one();
    ++depth_;
    std::vector<ir::Draft*> read;
    for (const Placed& child : states.placed) {
      read.push_back(&read_state(child, machine.child_count(), &names));
      machine.add(*read.back());
    }
    --depth_;
    names.resolve(reporter_, [&](std::size_t state, std::size_t transition, std::uint32_t target) {
      read[state]->as<ir::Transitions>().transitions[transition].target = target;
    });
    const std::size_t count = read.size();
    if (count == 0 && !states.is_incomplete) {
      reporter_.report(rules::SEL_machine_without_states, placed.where(),
                       "StateMachine " + quote(machine.name()) + " has no states: the engine crashes on it");
    } else if (count > kMaxStates) {
      reporter_.report(rules::SEL_too_many_states, placed.where(),
                       "too many states in StateMachine " + quote(machine.name()) + ": " + with_commas(count) +
                           ", at most " + std::to_string(kMaxStates));
    }
  }

  ir::Draft& read_state(const Placed& placed, std::uint32_t number, MachineNames* machine) {
    const Attribute name = given(read_attributes(placed, reporter_), "name");
    ir::Draft& state = start(placed, name);
    std::vector<ir::Transition>& transitions = state.set(ir::Transitions()).transitions;
    if (machine != nullptr && !name) machine->states.lack_one();
    if (machine != nullptr && name) {
      machine->states.declare(name.value(), number, {name.value_span(), placed.use}, reporter_);
    }
    const Children content = children(placed);
    std::optional<Placed> node;
    for (const Placed& child : content.placed) {
      if (child.is(kTransition)) {
        read_transition(child, transitions, number, machine);
      } else if (!node) {
        node = child;
        state.add(read_node(child, kState));
      } else {
        reporter_.report(rules::SEL_second_node_in_state, child.where(),
                         "unexpected element " + quote(child.element.name()) + " in 'State': state " +
                             quote(state.name()) + " already has a node",
                         {}, {node->element.span(), "its node"});
        may_lack_leaves_ = true;
        static_cast<void>(read_node(child, 0));
      }
    }
    if (!node && !content.is_incomplete) {
      reporter_.report(rules::SEL_state_without_node, placed.where(),
                       "state " + quote(state.name()) + " has no node: the engine crashes on it",
                       "add one Priority, StateMachine or Leaf");
    }
    return state;
  }

  void read_transition(const Placed& placed, std::vector<ir::Transition>& transitions, std::size_t state,
                       MachineNames* machine) {
    const Attributes attributes = read_attributes(placed, reporter_);
    expander_.expect_no_children(placed);
    const Attribute target = given(attributes, "state");
    const std::optional<ir::ConditionIndex> condition = read_condition(meant(attributes, "condition"), placed.use);
    if (!target || machine == nullptr) return;
    machine->add_jump(state, transitions.size(), target, placed.use);
    transitions.push_back({0, condition.value_or(0), placed.element.span()});
  }

  Library own_;
  Reporter reporter_;
  Expander expander_;
  ir::Tree tree_;
  ir::Drafts drafts_;
  ir::Draft* root_ = nullptr;
  NameTable variables_;
  std::unordered_map<std::string_view, std::uint32_t> signal_numbers_;
  std::unordered_map<const char*, ir::ConditionIndex> known_conditions_;  // in blocks, by the address of their text
  std::vector<TranslationSection> sections_;
  bool may_lack_leaves_ = false;
  bool is_unused_ = false;  // in check_unused(): variables and states are not known
  std::uint32_t depth_ = 0;
  bool is_too_deep_ = false;
};

}  // namespace

std::optional<ir::Tree> read_tree(const Element& element, World& world, text::Findings& findings) {
  return TreeReader(world, findings).read(element);
}

void check_unused(World& world, text::Findings& findings) {
  TreeReader(world, findings).check_unused(world.global.all(), true);
}

}  // namespace espalier::dialects::selection
