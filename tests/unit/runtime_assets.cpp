// Assets for tests, as they were written and taken apart. See the header.
#include "runtime_assets.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "codegen/disassemble.h"
#include "runtime/hash.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace espalier::test {
namespace {

ir::ConditionIndex add_condition(ir::Tree& tree, std::vector<ir::Term> terms) {
  tree.conditions.push_back({std::move(terms), {}});
  return static_cast<ir::ConditionIndex>(tree.conditions.size() - 1);
}

ir::Node node(Opcode opcode, std::string name, std::vector<ir::Node> children = {}) {
  ir::Node made;
  made.opcode = opcode;
  made.name = std::move(name);
  if (opcode == Opcode::select_leaf) made.behavior = made.name;
  made.children = std::move(children);
  return made;
}

// Priorities, a machine in a machine, a subtree that is used twice, a condition that puts results aside, more variables
// than a word has bits, signals: every kind of record that an asset can hold, as few of each as shows it.
ir::Tree small_tree_of_everything(std::string name) {
  ir::Tree tree;
  tree.name = std::move(name);
  for (int i = 0; i < 34; ++i) tree.variables.push_back({"v" + std::to_string(i), i == 1, {}});
  using enum ir::TermKind;
  const auto v0 = add_condition(tree, {{variable, 0}});
  const auto v33 = add_condition(tree, {{variable, 33}});
  const auto nested = add_condition(tree, {{variable, 0},
                                           {variable, 1},
                                           {exclusive, 0, 1},
                                           {variable, 2},
                                           {variable, 33},
                                           {exclusive, 3, 4},
                                           {disjunction, 2, 5}});
  const auto both = add_condition(tree, {{variable, 1}, {negation, 0}, {variable, 2}, {conjunction, 1, 2}});
  tree.signals.push_back({"s0", {{0, v33, {}}, {33, v0, {}}}, {}});
  tree.signals.push_back({"s1", {{2, nested, {}}}, {}});

  ir::Node used_twice = node(
      Opcode::select_priority, "Weapons",
      {node(Opcode::select_leaf, "Shoot"), node(Opcode::select_leaf, "Reload"), node(Opcode::select_leaf, "Wait")});
  used_twice.children[0].condition = v0;
  used_twice.children[1].condition = both;

  ir::Node inner = node(Opcode::select_machine, "Inner",
                        {node(Opcode::select_state, "A", {node(Opcode::select_leaf, "InnerA")}),
                         node(Opcode::select_state, "B", {used_twice})});
  inner.children[0].transitions = {{1, v33, {}}};
  inner.children[1].transitions = {{0, both, {}}, {1, v0, {}}};
  ir::Node outer =
      node(Opcode::select_machine, "Outer",
           {node(Opcode::select_state, "C", {std::move(inner)}), node(Opcode::select_state, "D", {used_twice})});
  outer.children[0].transitions = {{1, nested, {}}};
  outer.condition = both;
  used_twice.condition = nested;
  tree.root = node(Opcode::select_priority, "Root",
                   {std::move(outer), std::move(used_twice), node(Opcode::select_leaf, "Idle")});
  return tree;
}

}  // namespace

Bytes small_asset(bool strip) {
  ir::Project project;
  project.trees.push_back(small_tree_of_everything("T"));
  test::Compiled compiled;
  test::compile(project, compiled, strip);
  Bytes bytes(compiled.size_bytes);
  std::memcpy(bytes.data(), compiled.words.data(), bytes.size());
  return bytes;
}

void mend_hash(Bytes& bytes) {
  if (bytes.size() < sizeof(layout::Header)) return;
  const std::uint64_t hash = asset_hash(bytes.data(), bytes.size());
  std::memcpy(bytes.data() + offsetof(layout::Header, hash), &hash, sizeof hash);
}

namespace {

// Reads a name to its end, so that a sanitizer sees one that has none.
std::size_t touch(std::string_view name) { return std::strlen(name.data()) + name.size(); }

void touch_names(const Tree& tree) {
  std::size_t total = touch(tree_name(tree));
  for (std::uint32_t i = 0; i < variable_count(tree); ++i) total += touch(variable_name(tree, i));
  for (std::uint32_t i = 0; i < signal_count(tree); ++i) total += touch(signal_name(tree, i));
  for (std::uint32_t i = 0; i < leaf_count(tree); ++i)
    total += touch(behavior_name(*tree.asset, leaf_behavior(tree, i)));
  std::uint32_t id = 0;
  total += find_variable(tree, "v1", &id) == Status::ok ? 1 : 0;
  total += find_signal(tree, "s1", &id) == Status::ok ? 1 : 0;
  if (total == 0) FAIL("a name is not even a NUL");
}

// Runs an agent through what a host can do.
void run_agent(const Tree& tree, std::uint64_t seed) {
  test::Random random{seed};
  const auto block = std::make_unique<unsigned char[]>(agent_bytes(tree));
  std::vector<Behavior> table(behavior_count(*tree.asset));
  std::uint32_t call_count = 0;
  const auto count_call = [](const Call& call) { ++*static_cast<std::uint32_t*>(call.host); };
  for (Behavior& behavior : table) behavior = {count_call, count_call, nullptr};
  const Host host = {table.data(), &call_count, 0};
  start(tree, block.get());
  for (int step = 0; step < 12; ++step) {
    if (variable_count(tree) > 0) set(tree, block.get(), random.below(variable_count(tree)), random.chance(50));
    if (signal_count(tree) > 0) signal(tree, block.get(), random.below(signal_count(tree)));
    const Result result = update(tree, block.get(), host);
    const std::uint32_t leaf = current_leaf(tree, block.get());
    if ((result == Result::running) != (leaf < leaf_count(tree))) FAIL("a leaf that is none");
    if ((current_behavior(tree, block.get()) == kNoBehavior) != (leaf == kNoLeaf)) FAIL("a behaviour of no leaf");
  }
  for (std::uint32_t i = 0; i < variable_count(tree); ++i) set(tree, block.get(), i, true);
  const Watcher watcher = {[](void* user, const Step&) { ++*static_cast<std::uint32_t*>(user); }, &call_count};
  if (update_watched(tree, block.get(), host, watcher) == Result::running) stop(tree, block.get(), host);
}

}  // namespace

Status open_and_run(const Bytes& bytes) {
  const auto exact = std::make_unique<unsigned char[]>(bytes.size());
  if (!bytes.empty()) std::memcpy(exact.get(), bytes.data(), bytes.size());
  Asset asset;
  const Status status = open(exact.get(), bytes.size(), &asset);
  if (status != Status::ok) {
    if (asset.bytes != nullptr) FAIL("a refused asset has changed the view");
    return status;
  }
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    touch_names(tree(asset, i));
    run_agent(tree(asset, i), i + 1);
  }
  if (codegen::disassemble(asset).empty()) FAIL("an accepted asset has no text");
  return status;
}

Parts take_apart(const Bytes& bytes) {
  Parts parts;
  layout::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (std::uint32_t i = 0; i < header.section_count; ++i) {
    layout::Section section;
    std::memcpy(&section, bytes.data() + sizeof header + i * sizeof section, sizeof section);
    const unsigned char* data = bytes.data() + section.offset_bytes;
    parts[static_cast<layout::SectionId>(section.id)] = Bytes(data, data + section.size_bytes);
  }
  return parts;
}

Bytes assemble(const Parts& parts) {
  const auto padded = [](std::size_t size_bytes) {
    return (size_bytes + layout::kAlignment - 1) / layout::kAlignment * layout::kAlignment;
  };
  Bytes bytes(sizeof(layout::Header) + parts.size() * sizeof(layout::Section));
  std::size_t place = sizeof(layout::Header);
  for (const auto& [id, data] : parts) {
    const auto number = static_cast<std::uint32_t>(id);
    const layout::Section section = {number, number >= layout::kFirstOptionalSection ? layout::kSectionOptional : 0,
                                     static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(data.size())};
    std::memcpy(bytes.data() + place, &section, sizeof section);
    place += sizeof section;
    bytes.insert(bytes.end(), data.begin(), data.end());
    bytes.resize(padded(bytes.size()));
  }
  const layout::Header header = {layout::kMagic,
                                 layout::kMajorVersion,
                                 layout::kMinorVersion,
                                 bytes.size(),
                                 0,
                                 static_cast<std::uint32_t>(parts.size()),
                                 0};
  std::memcpy(bytes.data(), &header, sizeof header);
  mend_hash(bytes);
  return bytes;
}

}  // namespace espalier::test
