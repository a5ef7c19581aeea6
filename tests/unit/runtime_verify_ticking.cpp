// The verifier on trees that tick, rule by rule: each row breaks one promise of a correct asset, or is an asset made of
// words, and names the expected reason.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "payloads.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/select.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/format/records.h"
#include "runtime_breaches.h"
#include "runtime_random_trees.h"

namespace runtime_verify_ticking {

namespace {

using namespace espalier;
using namespace espalier::test;
using layout::SectionId;
using test::Records;

constexpr std::uint32_t kFar = 0x00FFFFFF;

// Words of a node are counted from its first; 3 is the first operand after the parent's.
std::function<void(Parts&)> flags(Opcode opcode, std::uint32_t flags) {
  return node_word(opcode, 0, [=](std::uint32_t& word) { word = (word & ~0xFF00u) | flags << 8; });
}
std::function<void(Parts&)> ticking(std::function<void(layout::Ticking&)> change) {
  return record(SectionId::ticking, std::move(change));
}
std::function<void(Parts&)> parameter(ParameterType type, std::function<void(layout::Parameter&)> change) {
  return [=](Parts& parts) {
    Records<layout::Parameter> parameters(parts, SectionId::parameters);
    for (layout::Parameter& each : *parameters) {
      if (type_of(each) == static_cast<std::uint32_t>(type)) return change(each);
    }
    FAIL("there is no such parameter");
  };
}
// Of the action's behaviour, which is the first.
std::function<void(Parts&)> memory_size(std::uint32_t bytes) {
  return record<std::uint32_t>(SectionId::memory_sizes, [=](std::uint32_t& size) { size = bytes; });
}
// Of the first tree's image.
std::function<void(Parts&)> image_byte(PartKind kind, unsigned char value) {
  return [=](Parts& parts) {
    const std::uint32_t index = EngineParts(EngineId::tick).find(kind);
    const std::uint32_t at = Records<layout::Part>(parts, SectionId::parts)[index].offset_bits / 8;
    parts[SectionId::images].at(at) = value;
  };
}

// By the reason that is given.
std::multimap<std::string, Breach> all_breaches() {
  using namespace espalier::opcode;
  const auto add_one = [](std::uint32_t& word) { ++word; };
  return {
      {"unknown opcode", {"an opcode beyond all", node_word(tick_wait, 0, [](auto& word) { word |= 0xFF; })}},
      {"unknown opcode", {"a branch's child of no kind", node_word(tick_machine, 0, [](auto& word) { word |= 0xFF; })}},
      {"a node has another engine than its unit",
       {"a leaf that selects", node_word(tick_message, 0, [](auto& word) { word = 1; })}},
      {"a node's extent does not match its children", {"an extent of nothing", test::extent(tick_sequence, 0)}},
      {"a node's extent does not match its children",
       {"an extent beyond the parent's", test::extent(tick_sequence, kFar)}},
      {"a unit has more than one root",
       {"a root that ends early", node_word(tick_parallel, 2, [](auto& word) { word -= 3; })}},
      {"a node has the wrong number of children",
       {"a gate without a child", test::extent(tick_guard, own_words(tick_guard))}},
      {"a node's parent is wrong", {"a parent elsewhere", node_word(tick_wait, 1, add_one)}},
      {"a node's parent is wrong", {"a root within", node_word(tick_wait, 1, [](auto& word) { word = 0; })}},
      {"a node's parent is wrong", {"a root with a parent", node_word(tick_parallel, 1, add_one)}},
      {"a node is not allowed below its parent",
       {"a branch of no parallel",
        node_word(tick_suppress, 0,
                  [](auto& word) { word = (word & ~0xFFu) | static_cast<std::uint32_t>(tick_branch); })}},
      {"a node's number is not its position", {"a branch of another number", flags(tick_branch, 1)}},
      {"a node's number is not its position", {"a state of another number", flags(tick_state, 1)}},
      {"a node's number is not its position", {"a case of another number", flags(tick_case, 1)}},

      {"a node's flags are wrong", {"flags of a node that has none", flags(tick_sequence, 1)}},
      {"a node's flags are wrong", {"a parallel's flags", flags(tick_parallel, 4)}},
      {"a node's flags are wrong", {"a loop's flags", flags(tick_loop, 2)}},
      {"a node's flags are wrong", {"a script's flags", flags(tick_script, 2)}},
      {"a node's flags are wrong", {"a wrapper's flags", flags(tick_wrapper, 2)}},
      {"a node's flags are wrong", {"a result's flags", flags(tick_result, 4)}},
      {"a node's flags are wrong", {"a time's flags", flags(tick_time, 16)}},
      {"unknown result", {"a fourth result", flags(tick_wait, 3)}},
      {"unknown result", {"a fourth result of a time", flags(tick_time, 3)}},
      {"unknown receivers", {"a fourth kind of receivers", flags(tick_queue, 12)}},
      {"a node's state has the wrong offset",
       {"state behind its place", node_word(tick_wait, 0, [](auto& word) { word += 0x10000; })}},
      {"a node's state has the wrong offset",
       {"state of a node that has none", node_word(tick_suppress, 0, [](auto& word) { word += 0x10000; })}},
      {"a node's state has the wrong offset",
       {"memory behind its place", node_word(tick_action, 0, [](auto& word) { word += 0x80000; })}},
      {"a node's state has the wrong offset",
       {"memory that is not aligned", node_word(tick_action, 0, [](auto& word) { word += 0x10000; })}},
      {"a node's state has the wrong offset", {"more memory than there is room for", memory_size(13)}},
      {"a node's state has the wrong offset", {"no memory", memory_size(0)}},
      {"a behaviour has too much memory", {"memory beyond the limit", memory_size(65536)}},
      {"a behaviour has too much memory", {"memory beyond all", memory_size(0xFFFFFFFF)}},
      {"the memory does not match the behaviours",
       {"memory of no behaviour", one_more<std::uint32_t>(SectionId::memory_sizes)}},
      {"the memory does not match the behaviours",
       {"a behaviour without",
        [](Parts& parts) { Records<std::uint32_t>(parts, SectionId::memory_sizes)->pop_back(); }}},
      {"a node's extent does not match its children", {"a branch that is too long", test::extent(tick_branch, kFar)}},
      {"a node's extent does not match its children", {"a branch of nothing", test::extent(tick_branch, 0)}},

      {"number index out of range", {"a wait of no time", operand(tick_wait, 1, kFar)}},
      {"number index out of range", {"a gate of no chance", operand(tick_chance_guard, 1, kFar)}},
      {"a count is too large", {"a loop of 256", operand(tick_loop, 1, 256)}},
      {"a maximum is too large", {"a limit of 65536", operand(tick_limit, 2, 65536)}},
      {"event index out of range", {"an event that is sent", operand(tick_send, 1, 2)}},
      {"event index out of range", {"an event that is waited for", operand(tick_wait_event, 1, 2)}},
      {"event index out of range",
       {"an event of a transition",
        record<layout::EventTransition>(SectionId::event_transitions, [](auto& r) { r.signal[0] = 2; })}},
      {"timestamp index out of range", {"a time since nothing", operand(tick_time, 1, 2)}},
      {"limits are not consecutive", {"the next limit's place", operand(tick_limit, 1, 1)}},
      {"scope index out of range", {"a scope beyond all", operand(tick_scope, 1, 1)}},
      {"script index out of range", {"a script beyond all", operand(tick_script, 1, kFar)}},
      {"name offset out of range", {"a text beyond all", operand(tick_message, 1, kFar)}},
      {"name offset out of range", {"a state without a name", operand(tick_state, 1, kFar)}},
      {"behaviour index out of range", {"a behaviour beyond all", operand(tick_action, 1, kFar)}},
      {"condition index out of range", {"a condition beyond all", operand(tick_guard, 1, kFar)}},
      {"parameter index out of range", {"parameters beyond all", operand(tick_action, 2, kFar)}},
      {"transitions are not consecutive", {"the next state's transitions", operand(tick_state, 2, 1)}},
      {"transitions are not consecutive", {"too many transitions", operand(tick_state, 3, kFar)}},
      {"records are not referenced by anything",
       {"transitions of nobody", one_more<layout::EventTransition>(SectionId::event_transitions)}},
      {"a transition leads to no state",
       {"a transition to a third state of two",
        record<layout::EventTransition>(SectionId::event_transitions, [](auto& r) { r.state = 2; })}},
      {"a transition leads to no state",
       {"a transition to a state beyond all",
        record<layout::EventTransition>(SectionId::event_transitions, [](auto& r) { r.state = 254; })}},
      {"an agent has no room for its scopes", {"no bits for scopes", fewer_of(PartKind::held)}},
      {"a node draws random numbers, and the agent has no generator", {"no generator", fewer_of(PartKind::generator)}},

      {"the totals of a unit do not match its nodes", {"a node too many", unit([](auto& r) { ++r.node_count; })}},
      {"the totals of a unit do not match its nodes", {"a leaf", unit([](auto& r) { ++r.leaf_count; })}},
      {"the totals of a unit do not match its nodes", {"a byte too many", unit([](auto& r) { ++r.state_bytes; })}},
      {"the totals of a unit do not match its nodes", {"a region", unit([](auto& r) { ++r.region_count; })}},
      {"the totals of a unit do not match its nodes",
       {"a variable too few", unit([](auto& r) { --r.variable_count; })}},
      {"the totals of a unit do not match its nodes", {"a limit too many", ticking([](auto& r) { ++r.limit_count; })}},
      {"a unit belongs to another tree", {"a unit of a third tree", unit([](auto& r) { r.tree = 2; })}},
      {"a tree does not fit its unit", {"the other tree's unit", tree([](auto& r) { r.unit = 1; })}},
      {"tree records are not consecutive", {"the other tree's record", tree([](auto& r) { r.record = 1; })}},
      {"tree records are not consecutive", {"a record beyond all", tree([](auto& r) { r.record = kFar; })}},
      {"records are not referenced by anything",
       {"a record of no tree", one_more<layout::Ticking>(SectionId::ticking)}},
      {"records are not referenced by anything",
       {"a timestamp of no tree", one_more<layout::Timestamp>(SectionId::timestamps)}},
      {"name offset out of range",
       {"a script without text", record<layout::Script>(SectionId::scripts, [](auto& r) { r.text = kFar; })}},
      {"name offset out of range",
       {"a scope without a name", record<layout::Scope>(SectionId::scopes, [](auto& r) { r.name = kFar; })}},

      {"a parameter is wrong", {"no name", parameter(ParameterType::text, [](auto& r) { r.name[2] = 0xFF; })}},
      {"a parameter is wrong", {"no type", parameter(ParameterType::text, [](auto& r) { r.type = 9; })}},
      {"a parameter is wrong", {"no text", parameter(ParameterType::text, [](auto& r) { r.value = kFar; })}},
      {"a parameter is wrong", {"no event", parameter(ParameterType::event, [](auto& r) { r.value = kFar; })}},
      {"a parameter is wrong", {"no script", parameter(ParameterType::script, [](auto& r) { r.value = kFar; })}},
      {"a parameter is wrong", {"more than true", parameter(ParameterType::boolean, [](auto& r) { r.value = 2; })}},
      {"a parameter is wrong", {"no word", parameter(ParameterType::choice, [](auto& r) { r.value = kFar; })}},
      {"a parameter is wrong", {"no number", parameter(ParameterType::number, [](auto& r) { r.value = kFar; })}},
      {"a parameter is wrong",
       {"two numbers of three", parameter(ParameterType::vector, [](auto& r) { r.value += 1000; })}},
      {"a parameter is wrong",
       {"a list without an end",
        [](Parts& parts) { Records<layout::Parameter>(parts, SectionId::parameters)->back().type &= 0x7F; }}},

      {"a part is not one of its engine's",
       {"a cursor of 3 bytes", part(PartKind::cursor, [](auto& r) { r.bits = 24; })}},
      {"a part has the wrong offset",
       {"the cursor among the variables", part(PartKind::cursor, [](auto& r) { r.offset_bits = 0; })}},
      {"a part has the wrong offset",
       {"the status over the cursor", part(PartKind::status, [](auto& r) { r.offset_bits -= 8; })}},
      {"a part has the wrong offset",
       {"the times elsewhere", part(PartKind::timestamps, [](auto& r) { r.offset_bits += 8; })}},
      {"a part has the wrong names",
       {"more scopes than there are", part(PartKind::held, [](auto& r) { r.count = 3; })}},
      {"an agent has more than one generator", {"a second generator", more_of(PartKind::generator)}},
      {"the size of the nodes' state is wrong", {"a byte of state too many", more_of(PartKind::states)}},
      {"the flags of a tree that ticks do not match its nodes", {"flags", ticking([](auto& r) { r.flags = 2; })}},
      {"the flags of a tree that ticks do not match its nodes",
       {"a larger shared block", tree([](auto& r) { r.shared_bytes += 8; })}},
      {"the flags of a tree that ticks do not match its nodes",
       {"no shared block", tree([](auto& r) { r.shared_bytes = 0; })}},
      {"the initial block has a running node", {"a status", image_byte(PartKind::status, 1)}},
      {"the initial block has a running node", {"a cursor", image_byte(PartKind::cursor, 0)}},
      {"the initial block has a running node", {"a scope", image_byte(PartKind::held, 1)}},
      {"a part has the wrong names",
       {"the second one first", part(PartKind::timestamps, [](auto& r) { ++r.first_name; })}},
      {"a part has the wrong names",
       {"timestamps beyond all", part(PartKind::timestamps, [](auto& r) { r.count = 1000; })}},
      {"a timestamp is wrong",
       {"no name", record<layout::Timestamp>(SectionId::timestamps, [](auto& r) { r.name = kFar; })}},
      {"a timestamp is wrong",
       {"no event", record<layout::Timestamp>(SectionId::timestamps, [](auto& r) { r.signal = 2; })}},
      {"a timestamp is wrong",
       {"exclusive to none", record<layout::Timestamp>(SectionId::timestamps, [](auto& r) { r.exclusive_to = 2; })}},
  };
}

// ---- Assets made of words

// A tree that ticks whose nodes are these; `words` is the unit.
Parts parts_of(const std::vector<std::uint32_t>& words, std::uint32_t node_count, std::uint32_t state_bytes = 0) {
  DraftProject project;
  project.trees.emplace_back();
  project.trees[0].name = "T";
  project.trees[0].parts = ir::Ticking();
  project.trees[0].root.opcode = opcode::tick_result;
  Parts parts = test::take_apart(test::compiled_bytes(project, true));
  *Records<std::uint32_t>(parts, SectionId::nodes) = words;
  const auto word_count = static_cast<std::uint32_t>(words.size());
  Records<layout::Unit>(parts, SectionId::units)[0] = {0, word_count, node_count, 0, state_bytes, 0, 0, 0, 0, 0, 0};
  codegen::AgentNeeds needs;
  needs[PartKind::cursor].is_wide = word_count >= 0xFFFF;
  needs[PartKind::states].count = state_bytes;
  test::lay_out_again(parts, needs);
  return parts;
}

std::uint32_t word_of(Opcode opcode, std::uint32_t flags = 0) {
  return static_cast<std::uint32_t>(opcode) | flags << 8;
}

// `width` results side by side below one sequence.
Parts wide(std::uint32_t width) {
  std::vector<std::uint32_t> words = {word_of(opcode::tick_sequence), 0, 3 + 2 * width};
  for (std::uint32_t i = 0; i < width; ++i) words.insert(words.end(), {word_of(opcode::tick_result), 3 + 2 * i});
  return parts_of(words, 1 + width);
}

// Decorators in one another, `depth` nodes with the leaf.
Parts deep(std::uint32_t depth) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t i = 1; i < depth; ++i) {
    words.insert(words.end(), {word_of(opcode::tick_suppress), i == 1 ? 0u : 3u, 3 * (depth - i) + 2});
  }
  words.insert(words.end(), {word_of(opcode::tick_result), 3});
  return parts_of(words, depth);
}

// Nested parallels, each with one branch, one bit and three more, and its cursor, after the enclosing one.
Parts nested_parallels(std::uint32_t depth) {
  std::vector<std::uint32_t> words;
  std::uint32_t state = 0;
  for (std::uint32_t i = 0; i < depth; ++i) {
    const std::uint32_t rest = 6 * (depth - i) + 2;
    const bool is_last = i + 1 == depth;
    words.insert(words.end(), {word_of(opcode::tick_parallel) | state << 16, i == 0 ? 0u : 3u, rest});
    words.insert(words.end(), {word_of(opcode::tick_branch) | (is_last ? 0 : (state + 1) << 16), 3, rest - 3});
    state += is_last ? 1 : 3;
  }
  words.insert(words.end(), {word_of(opcode::tick_result), 3});
  return parts_of(words, 2 * depth + 1, state);
}

// `count` children of a kind that is only allowed below `parent`, each with a result below.
Parts many_below(Opcode parent, Opcode child, std::uint32_t count, std::uint32_t parent_state_bytes) {
  const std::uint32_t own = own_words(child);
  std::vector<std::uint32_t> words = {word_of(parent), 0, 3 + count * (own + 2)};
  for (std::uint32_t i = 0; i < count; ++i) {
    words.insert(words.end(), {word_of(child, i & 0xFF), 3 + i * (own + 2)});
    words.insert(words.end(), own - 3, 0);
    words.insert(words.end(), {own + 2, word_of(opcode::tick_result), own});
  }
  return parts_of(words, 1 + 2 * count, parent_state_bytes);
}

}  // namespace

TEST_CASE("a ticking asset that is taken apart and put together is the same") {
  const Bytes whole = test::small_ticking_asset(false);
  CHECK(test::assemble(test::take_apart(whole)) == whole);
}

TEST_CASE("each promise of the format about trees that tick is held") {
  test::hold(test::small_ticking_asset(true), all_breaches());
}

TEST_CASE("a tree that ticks has nodes, depth and children up to their limits and no more") {
  const auto accepts = [](const Parts& parts) { return test::open_and_run(test::assemble(parts)) == Status::ok; };
  CHECK(accepts(wide(layout::kMaxNodes - 1)));
  CHECK(reason_of(wide(layout::kMaxNodes)) == "a unit has too many nodes");
  CHECK(accepts(deep(layout::kMaxTickDepth)));
  CHECK(reason_of(deep(layout::kMaxTickDepth + 1)) == "nodes are nested too deeply");
  CHECK(accepts(nested_parallels(layout::kMaxRegions)));
  CHECK(reason_of(nested_parallels(layout::kMaxRegions + 1)) == "regions are nested too deeply");
  CHECK(accepts(many_below(opcode::tick_parallel, opcode::tick_branch, 32, 5)));
  CHECK(reason_of(many_below(opcode::tick_parallel, opcode::tick_branch, 33, 5)) ==
        "a node has the wrong number of children");
  CHECK(accepts(many_below(opcode::tick_priority, opcode::tick_case, 254, 0)));
  CHECK(reason_of(many_below(opcode::tick_priority, opcode::tick_case, 255, 0)) ==
        "a node has the wrong number of children");
  CHECK(accepts(many_below(opcode::tick_machine, opcode::tick_state, 254, 1)));
  CHECK(reason_of(many_below(opcode::tick_machine, opcode::tick_state, 255, 1)) ==
        "a node has the wrong number of children");
}

TEST_CASE("a tree that ticks is cut into nodes exactly") {
  const std::uint32_t sequence = word_of(opcode::tick_sequence);
  const std::uint32_t suppress = word_of(opcode::tick_suppress);
  const std::uint32_t result = word_of(opcode::tick_result);
  CHECK(reason_of(parts_of({sequence, 0, 5, result, 3}, 2)).empty());
  CHECK(reason_of(parts_of({sequence, 0, 6, result, 3, result}, 2)) == "a node is truncated");
  CHECK(reason_of(parts_of({sequence, 0, 4, result, 3}, 2)) == "a unit has more than one root");
  CHECK(reason_of(parts_of({suppress, 0, 8, sequence, 3, 6, result, 3}, 3)) ==
        "a node's extent does not match its children");
  CHECK(reason_of(parts_of({sequence, 0}, 1)) == "a node is truncated");
  CHECK(reason_of(parts_of({suppress, 0, 7, result, 3, result, 5}, 3)) == "a node has the wrong number of children");
  CHECK(reason_of(parts_of({word_of(opcode::tick_branch), 0, 5, result, 3}, 2)) ==
        "a node is not allowed below its parent");
  CHECK(reason_of(parts_of({sequence, 0, 8, word_of(opcode::tick_branch), 3, 5, result, 3}, 3)) ==
        "a node is not allowed below its parent");
}

TEST_CASE("a cursor of two bytes must tell every node") {
  Parts parts = wide(32765);  // 65,533 words
  CHECK(reason_of(parts).empty());
  parts = wide(32766);  // 65,535 words: the last number is that of no node
  CHECK(reason_of(parts).empty());
  codegen::AgentNeeds needs;
  test::lay_out_again(parts, needs);
  CHECK(reason_of(parts) == "the cursor is too narrow for the nodes");
}

TEST_CASE("a unit that selects uses no unit that ticks") {
  Parts parts = parts_of({word_of(opcode::tick_result), 0}, 1);
  REQUIRE(reason_of(parts).empty());
  {
    Records<std::uint32_t> nodes(parts, SectionId::nodes);
    nodes->insert(nodes->end(), {word_of(opcode::select_share), 0, 0, 0});
    Records<layout::Unit>(parts, SectionId::units)->push_back({2, 4, 2, 0, 0, 1, 0, layout::kNone, 0, 0, 0});
  }
  CHECK(reason_of(parts) == "a unit may only use units of its engine and tree");
}

}  // namespace runtime_verify_ticking
