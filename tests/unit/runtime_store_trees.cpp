// Random trees that store their results: see the header.
#include "runtime_store_trees.h"
#include "payloads.h"

#include <algorithm>

#include "ir/store_needs.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/store.h"

namespace espalier::test {
namespace {

constexpr std::uint32_t kNames = 5;

class StoreMaker {
 public:
  explicit StoreMaker(Random& random) : random_(random) {}

  ModelStoreProject make() {
    likes_groups_ = random_.chance(50);
    likes_slots_ = random_.chance(40);
    has_times_ = random_.chance(60);
    if (random_.chance(15)) {
      make_squad();
    } else {
      tree_count_ = likes_slots_ ? 2 + random_.below(2) : 1 + random_.below(3);
      for (std::uint32_t i = 0; i < tree_count_; ++i) {
        budget_ = 3 + random_.below(random_.chance(80) ? 12 : 40);
        add_tree(root(i));
      }
      if (likes_slots_ && random_.chance(50)) {
        budget_ = 1 + random_.below(5);
        ++tree_count_;
        add_tree(query(Around{}));
        has_query_ = true;
      }
    }
    add_slots();
    shrink();
    return std::move(project_);
  }

 private:
  struct Around {
    std::uint32_t depth = 0;
    bool is_in_role = false;
    bool is_in_monitor = false;
  };

  static std::string tree_name(std::uint32_t number) { return "T" + std::to_string(number); }
  std::string name(const char* prefix) { return prefix + std::to_string(random_.below(kNames)); }
  StoreKind one_of(std::initializer_list<StoreKind> kinds) {
    return kinds.begin()[random_.below(static_cast<std::uint32_t>(kinds.size()))];
  }

  void add_tree(ModelStoreNode root) {
    ModelStoreTree tree;
    tree.name = tree_name(static_cast<std::uint32_t>(project_.trees.size()));
    tree.max_depth = random_.chance(80) ? 1 + random_.below(4) : 8;
    tree.root = std::move(root);
    project_.trees.push_back(std::move(tree));
  }

  // Little but a group, in a slot.
  void make_squad() {
    tree_count_ = 2;
    likes_groups_ = true;
    likes_slots_ = true;
    budget_ = random_.below(4);
    add_tree(root(0));
    project_.trees[0].max_depth = 2;
    ModelStoreNode group;
    group.kind = StoreKind::group;
    budget_ = random_.below(8);
    make_group(group, Around{1, false, false});
    add_tree(std::move(group));
  }

  // A tree that prefers slots runs the last tree in a slot, with or without other nodes around it.
  ModelStoreNode root(std::uint32_t tree) {
    if (!likes_slots_ || tree + 1 == tree_count_ || random_.chance(40)) return node(Around{});
    if (random_.chance(50)) return alternatives(Around{});
    ModelStoreNode made;
    made.kind = one_of({StoreKind::sequence, StoreKind::selector, StoreKind::parallel});
    for (std::uint32_t i = random_.below(3); i > 0; --i) made.children.push_back(node(Around{1, false, false}));
    ModelStoreNode slot;
    slot.kind = StoreKind::child_tree;
    slot.name = "s0";
    slot.default_tree = tree_name(tree_count_ - 1);
    made.children.push_back(std::move(slot));
    if (random_.chance(50)) made.children.push_back(node(Around{1, false, false}));
    return made;
  }

  // Child trees of which some never run together, with other nodes around some of them.
  ModelStoreNode alternatives(Around around) {
    ModelStoreNode made;
    made.kind = one_of({StoreKind::sequence, StoreKind::selector, StoreKind::selector, StoreKind::group});
    ++around.depth;
    if (made.kind == StoreKind::group) {
      make_group(made, around);
      for (ModelStoreNode& role : made.children) {
        if (random_.chance(70)) role.children.back() = slot_node();
      }
      return made;
    }
    for (std::uint32_t i = 2 + random_.below(2); i > 0; --i) {
      ModelStoreNode child = slot_node();
      if (around.depth < 4 && random_.chance(15)) child = alternatives(around);
      if (random_.chance(60)) child = around_slot(std::move(child), made.kind == StoreKind::selector);
      made.children.push_back(std::move(child));
    }
    return made;
  }
  ModelStoreNode slot_node() {
    ModelStoreNode made;
    made.kind = StoreKind::child_tree;
    made.name = "s" + std::to_string(random_.below(3));
    if (random_.chance(80)) made.default_tree = tree_name(random_.below(tree_count_));
    return made;
  }
  // Often something that keeps the children after it from being evaluated.
  ModelStoreNode around_slot(ModelStoreNode child, bool is_in_selector) {
    ModelStoreNode wrapper;
    wrapper.kind = random_.chance(30) ? StoreKind::repeat : is_in_selector ? StoreKind::succeed : StoreKind::fail;
    if (random_.chance(10)) wrapper.kind = one_of({StoreKind::invert, StoreKind::parallel, StoreKind::gate});
    if (wrapper.kind == StoreKind::gate) wrapper.count = 1;
    if (wrapper.kind == StoreKind::repeat && random_.chance(20)) wrapper.is_each_update = true;
    wrapper.children.push_back(std::move(child));
    if (random_.chance(50)) return wrapper;
    ModelStoreNode guarded;
    guarded.kind = is_in_selector ? StoreKind::sequence : StoreKind::selector;
    budget_ = std::max(budget_, 1u);
    guarded.children.push_back(node(Around{3, false, false}));
    guarded.children.push_back(std::move(wrapper));
    return guarded;
  }

  // Of nodes of which nothing remains when they are done.
  ModelStoreNode query(Around around) {
    ModelStoreNode made;
    if (budget_ > 0) --budget_;
    made.kind = budget_ == 0 || around.depth > 3
                    ? StoreKind::condition
                    : one_of({StoreKind::sequence, StoreKind::selector, StoreKind::parallel, StoreKind::repeat,
                              StoreKind::invert, StoreKind::gate});
    ++around.depth;
    if (made.kind == StoreKind::condition) made.name = name("c");
    if (made.kind == StoreKind::gate) made.count = 1 + random_.below(2);
    if (made.kind == StoreKind::repeat) made.count = random_.below(3);
    if (made.kind == StoreKind::condition) return made;
    const bool is_list =
        made.kind == StoreKind::sequence || made.kind == StoreKind::selector || made.kind == StoreKind::parallel;
    for (std::uint32_t i = is_list ? 1 + random_.below(3) : 1; i > 0; --i) made.children.push_back(query(around));
    return made;
  }

  ModelStoreNode node(Around around) {
    ModelStoreNode made;
    made.kind = kind(around);
    if (budget_ > 0) --budget_;
    ++around.depth;
    switch (made.kind) {
      case StoreKind::sequence:
      case StoreKind::selector:
        add_children(made, around, 3);
        break;
      case StoreKind::parallel:
        made.succeeds_with_any = random_.chance(50);
        made.fails_with_all = random_.chance(50);
        add_children(made, around, 3);
        break;
      case StoreKind::condition:
        made.name = name("c");
        break;
      case StoreKind::action:
        made.name = name("a");
        break;
      case StoreKind::repeat:
        made.is_each_update = random_.chance(40);
        if (!made.is_each_update) {
          made.count = random_.below(4);
          made.until_failure = random_.chance(40);
        }
        made.children.push_back(node(around));
        break;
      case StoreKind::gate:
        made.count = 1 + random_.below(2);
        made.name = random_.chance(80) ? "g" + std::to_string(labels_++) : "";
        made.children.push_back(node(around));
        break;
      case StoreKind::cooldown:
        made.is_global = !has_times_ || random_.chance(40);
        made.starts_at_entry = random_.chance(40);
        made.time_us = 250000 * std::uint64_t{random_.below(6)};
        made.children.push_back(node(around));
        break;
      case StoreKind::group:
        make_group(made, around);
        break;
      case StoreKind::barrier:
        made.name = random_.chance(60) ? "x" : "y";
        break;
      case StoreKind::child_tree:
        made.name = "s" + std::to_string(random_.below(3));
        if (random_.chance(60)) made.default_tree = tree_name(random_.below(tree_count_));
        if (likes_slots_ && !around.is_in_role && around.depth < 4 && random_.chance(30)) return alternatives(around);
        break;
      default:
        around.is_in_monitor = around.is_in_monitor || made.kind == StoreKind::monitor;
        made.children.push_back(node(around));
        break;
    }
    return made;
  }

  // Some nodes are not allowed below a monitor.
  StoreKind kind(const Around& around) {
    const bool is_leaf = budget_ == 0 || around.depth > 7 || (around.depth > 1 && random_.chance(25));
    if (around.is_in_monitor) {
      if (is_leaf || random_.chance(40)) return random_.chance(85) ? StoreKind::condition : StoreKind::action;
      return one_of({StoreKind::sequence, StoreKind::selector, StoreKind::parallel, StoreKind::invert,
                     StoreKind::succeed, StoreKind::fail});
    }
    if (likes_groups_ && budget_ > 0) {
      if (!around.is_in_role && around.depth < 3 && random_.chance(50)) return StoreKind::group;
      if (around.is_in_role && !is_leaf && random_.chance(40)) {
        return one_of({StoreKind::repeat, StoreKind::parallel, StoreKind::sequence});
      }
    }
    if (is_leaf) {
      if (around.is_in_role && random_.chance(35)) return StoreKind::barrier;
      if (random_.chance(15)) return StoreKind::child_tree;
      return random_.chance(25) ? StoreKind::condition : StoreKind::action;
    }
    if (random_.chance(35)) return one_of({StoreKind::sequence, StoreKind::selector, StoreKind::parallel});
    return one_of({StoreKind::invert, StoreKind::succeed, StoreKind::fail, StoreKind::repeat, StoreKind::monitor,
                   StoreKind::gate, StoreKind::cooldown, StoreKind::group, StoreKind::group, StoreKind::child_tree,
                   StoreKind::monitor, StoreKind::gate});
  }

  void add_children(ModelStoreNode& parent, const Around& around, std::uint32_t most) {
    for (std::uint32_t i = 1 + random_.below(most); i > 0; --i) parent.children.push_back(node(around));
  }

  void make_group(ModelStoreNode& group, Around around) {
    constexpr StoreLeave kLeaves[] = {StoreLeave::fail, StoreLeave::reset, StoreLeave::ignore};
    group.name = random_.chance(80) ? "g" + std::to_string(labels_++) : "";
    group.on_leave = kLeaves[random_.below(3)];
    if (random_.chance(40)) group.time_us = 500000 * std::uint64_t{random_.below(4)};
    around.is_in_role = true;
    const std::uint32_t role_count =
        likes_groups_ && random_.chance(60) ? 2 : 1 + random_.below(random_.chance(90) ? 3 : 5);
    for (std::uint32_t i = role_count; i > 0; --i) {
      ModelStoreNode role;
      role.kind = StoreKind::role;
      if (random_.chance(35)) {
        ModelStoreNode condition;
        condition.kind = StoreKind::condition;
        condition.name = name("c");
        role.children.push_back(std::move(condition));
      }
      role.children.push_back(node(around));
      group.children.push_back(std::move(role));
    }
  }

  // ---- Slots

  void add_slots() {
    for (ModelStoreTree& tree : project_.trees) add_slots_of(tree.root);
    std::sort(project_.slots.begin(), project_.slots.end(),
              [](const ModelSlot& left, const ModelSlot& right) { return left.name < right.name; });
    for (ModelStoreTree& tree : project_.trees) correct_defaults(tree.root);
  }
  void add_slots_of(const ModelStoreNode& node) {
    for (const ModelStoreNode& child : node.children) add_slots_of(child);
    if (node.kind != StoreKind::child_tree || project_.find_slot(node.name) != nullptr) return;
    ModelSlot slot;
    slot.name = node.name;
    if (random_.chance(40)) {
      slot.accepts.emplace();
      for (std::uint32_t i = 0; i < tree_count_; ++i) {
        if (random_.chance(60)) slot.accepts->push_back(tree_name(i));
      }
      if (slot.accepts->empty()) slot.accepts->push_back(tree_name(0));
      if (has_query_ && random_.chance(50)) slot.accepts = {tree_name(tree_count_ - 1)};
    }
    if (random_.chance(25)) slot.budget_bytes = random_.below(80);
    project_.slots.push_back(std::move(slot));
  }
  // A default must be accepted and must fit.
  void correct_defaults(ModelStoreNode& node) {
    for (ModelStoreNode& child : node.children) correct_defaults(child);
    if (node.kind != StoreKind::child_tree) return;
    const ModelSlot& slot = *project_.find_slot(node.name);
    const bool is_accepted = !slot.accepts || std::find(slot.accepts->begin(), slot.accepts->end(),
                                                        node.default_tree) != slot.accepts->end();
    if (!is_accepted) node.default_tree = node.default_tree.empty() ? "" : slot.accepts->front();
    if (slot.budget_bytes) node.default_tree.clear();
  }

  void shrink() {
    for (std::uint32_t i = 0; i < tree_count_; ++i) {
      while (project_.trees[i].max_depth > 1) {
        const ir::Project project = ir_of(project_);
        if (ir::store_needs(project).agent_bytes(project, i, project_.trees[i].max_depth) <= 4096) break;
        --project_.trees[i].max_depth;
      }
    }
  }

  Random& random_;
  ModelStoreProject project_;
  bool likes_groups_ = false;
  bool likes_slots_ = false;
  bool has_times_ = false;  // agents' own cooldowns
  bool has_query_ = false;  // the last tree
  std::uint32_t tree_count_ = 1;
  std::uint32_t budget_ = 0;  // nodes that may still be added
  std::uint32_t labels_ = 0;
};

// ---- As text

std::string microseconds_text(std::uint64_t us) { return std::to_string(us) + "us"; }

std::string attributes_of(const ModelStoreNode& node) {
  const std::string text = node.name.empty() ? "" : " name=\"" + node.name + '"';
  switch (node.kind) {
    case StoreKind::parallel:
      return std::string(node.succeeds_with_any ? " success=\"any\"" : "") +
             (node.fails_with_all ? " failure=\"all\"" : "");
    case StoreKind::repeat:
      if (node.is_each_update) return " each=\"update\"";
      return " count=\"" + std::to_string(node.count) + '"' + (node.until_failure ? " untilFailure=\"true\"" : "");
    case StoreKind::gate:
      return text + " agents=\"" + std::to_string(node.count) + '"';
    case StoreKind::cooldown:
      return " seconds=\"" + microseconds_text(*node.time_us) + '"' + (node.is_global ? " scope=\"global\"" : "") +
             (node.starts_at_entry ? " starts=\"entry\"" : "");
    case StoreKind::group: {
      const char* const leaves[] = {"fail", "reset", "ignore"};
      return text + " onLeave=\"" + leaves[static_cast<std::size_t>(node.on_leave)] + '"' +
             (node.time_us ? " timeout=\"" + microseconds_text(*node.time_us) + '"' : "");
    }
    case StoreKind::child_tree:
      return " slot=\"" + node.name + '"' + (node.default_tree.empty() ? "" : " default=\"" + node.default_tree + '"');
    default:
      return text;
  }
}

void print(const ModelStoreNode& node, std::size_t indent, std::string& text) {
  const char* const words[] = {"Sequence", "Selector", "Parallel", "Condition", "Action", "Invert",
                               "Succeed",  "Fail",     "Repeat",   "Monitor",   "Gate",   "Cooldown",
                               "Group",    "Role",     "Barrier",  "ChildTree"};
  const std::string word = words[static_cast<std::size_t>(node.kind)];
  text += std::string(indent, ' ') + '<' + word + attributes_of(node) + (node.children.empty() ? "/>\n" : ">\n");
  for (const ModelStoreNode& child : node.children) print(child, indent + 2, text);
  if (!node.children.empty()) text += std::string(indent, ' ') + "</" + word + ">\n";
}

// ---- As a reader would give them

Opcode opcode_of(const ModelStoreNode& node) {
  constexpr Opcode kOpcodes[] = {
      opcode::store_sequence, opcode::store_selector, opcode::store_parallel, opcode::store_condition,
      opcode::store_action,   opcode::store_invert,   opcode::store_succeed,  opcode::store_fail,
      opcode::store_repeat,   opcode::store_monitor,  opcode::store_gate,     opcode::store_cooldown,
      opcode::store_group,    opcode::store_role,     opcode::store_barrier,  opcode::store_child};
  if (node.kind == StoreKind::cooldown && node.is_global) return opcode::store_cooldown_all;
  return kOpcodes[static_cast<std::size_t>(node.kind)];
}

ir::Payload payload_of(const ModelStoreNode& node) {
  switch (node.kind) {
    case StoreKind::condition:
    case StoreKind::action: {
      ir::Behavior behavior;
      behavior.name = node.name;
      return behavior;
    }
    case StoreKind::repeat:
    case StoreKind::gate:
      return ir::Limit{node.count, {}};
    case StoreKind::cooldown:
      return ir::Duration{*node.time_us, 0};
    case StoreKind::group:
      return ir::Group{node.time_us, static_cast<layout::OnLeave>(node.on_leave)};
    case StoreKind::barrier:
      return ir::Barrier{node.name};
    case StoreKind::child_tree:
      return ir::ChildTree{node.name, node.default_tree};
    default:
      return {};
  }
}

Draft ir_of(const ModelStoreNode& node, std::uint32_t& next_begin) {
  Draft made;
  made.opcode = opcode_of(node);
  made.span = {0, next_begin, next_begin + 1};
  ++next_begin;
  made.payload = payload_of(node);
  if (node.succeeds_with_any) made.flags |= kSucceedsWithAny;
  if (node.fails_with_all) made.flags |= kFailsWithAll;
  if (node.until_failure) made.flags |= kUntilFailure;
  if (node.is_each_update) made.flags |= kEachUpdate;
  if (node.starts_at_entry) made.flags |= kStartsAtEntry;
  if (node.kind == StoreKind::gate || node.kind == StoreKind::group) made.label = node.name;
  for (const ModelStoreNode& child : node.children) made.children.push_back(ir_of(child, next_begin));
  return made;
}

}  // namespace

ModelStoreProject random_store_project(Random& random) { return StoreMaker(random).make(); }

std::string text_of(const ModelStoreProject& project) {
  std::string text;
  for (const ModelSlot& slot : project.slots) {
    text += "slot " + slot.name;
    if (slot.accepts) text += " accepts";
    for (const std::string& tree : slot.accepts.value_or(std::vector<std::string>())) text += ' ' + tree;
    if (slot.budget_bytes) text += " budget " + std::to_string(*slot.budget_bytes);
    text += '\n';
  }
  for (const ModelStoreTree& tree : project.trees) {
    text += "<SynchronizedTree name=\"" + tree.name + "\" maxDepth=\"" + std::to_string(tree.max_depth) + "\">\n";
    print(tree.root, 2, text);
    text += "</SynchronizedTree>\n";
  }
  return text;
}

DraftProject ir_of(const ModelStoreProject& project) {
  DraftProject made;
  for (const ModelStoreTree& source : project.trees) {
    DraftTree tree;
    tree.name = source.name;
    tree.parts = ir::Storing{source.max_depth, {}};
    std::uint32_t next_begin = 0;
    tree.root = ir_of(source.root, next_begin);
    made.trees.push_back(std::move(tree));
  }
  for (const ModelSlot& source : project.slots) {
    ir::Slot slot;
    slot.name = source.name;
    slot.accepts = source.accepts;
    slot.budget_bytes = source.budget_bytes;
    made.slots.push_back(std::move(slot));
  }
  return made;
}

}  // namespace espalier::test
