// The verifier on trees of rules, promise by promise: each row breaks one promise of a correct asset, and names the
// expected reason.
#include <map>
#include <string>

#include "payloads.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/records.h"
#include "runtime_breaches.h"
#include "runtime_random_trees.h"

namespace runtime_verify_rules {

namespace {

using namespace espalier;
using namespace espalier::test;
using layout::SectionId;
using test::Records;

constexpr std::uint32_t kFar = 0x00FFFFFF;

std::function<void(Parts&)> rules(std::function<void(layout::RuleTree&)> change) {
  return record(SectionId::rule_trees, std::move(change));
}
// Of the first tree: the one of its first use.
std::function<void(Parts&)> instance(std::function<void(layout::UnitInstance&)> change) {
  return [=](Parts& parts) { change(Records<layout::UnitInstance>(parts, SectionId::unit_instances)[1]); };
}
std::function<void(Parts&)> query(std::function<void(layout::Query&)> change) {
  return record(SectionId::queries, std::move(change));
}
std::function<void(Parts&)> image_byte(std::size_t at) {
  return [=](Parts& parts) { parts[SectionId::images].at(at) ^= 1; };
}

std::multimap<std::string, Breach> all_breaches() {
  using namespace espalier::opcode;
  return {
      {"unknown opcode", {"an opcode beyond all", head(rule_yield, 0xFF)}},
      {"a node has another engine than its unit",
       {"a rule that selects", node_word(rule_yield, 0, [](auto& word) { word = 1; })}},
      {"a node's flags are wrong", {"flags of a yield", head(rule_yield, 0x100)}},
      {"a node's flags are wrong", {"an action that begins anew", head(rule_action, 0x200)}},
      {"a node's flags are wrong", {"a list's third flag", head(rule_choice, 0x400)}},
      {"unknown result", {"a fourth result", head(rule_result, 0x300)}},
      {"a node's number is not its position",
       {"another number", node_word(rule_action, 0, [](auto& word) { word += 0x10000; })}},
      {"a unit's nodes are at the wrong offset",
       {"another place of a node", record<std::uint32_t>(SectionId::node_words, [](auto& r) { ++r; })}},
      {"the nodes of units are not consecutive",
       {"the next node's places", unit([](auto& r) { ++r.first_node_word; })}},
      {"the nodes of units are not consecutive", {"far too many nodes", unit([](auto& r) { r.node_count = kFar; })}},
      {"records are not referenced by anything",
       {"a place of no node", one_more<std::uint32_t>(SectionId::node_words)}},
      {"a node's extent does not match its children", {"an extent of nothing", extent(rule_choice, 0)}},
      {"a node has another engine than its unit", {"an extent of no whole node", extent(rule_choice, 6)}},
      {"a node's extent does not match its children", {"an extent beyond the parent's", extent(rule_choice, 5 * 1000)}},
      {"a unit has more than one root", {"a file that ends early", extent(rule_file, 3)}},
      {"a node's parent is wrong", {"a parent elsewhere", operand(rule_yield, 0, 1)}},
      {"a node's parent is wrong", {"a file with a parent", operand(rule_file, 0, 5)}},
      {"query index out of range", {"an query beyond all", operand(rule_action, 1, kFar)}},
      {"behaviour index out of range", {"a behaviour beyond all", operand(rule_action, 2, kFar)}},
      {"references are not consecutive", {"the next use", operand(rule_subtree, 1, 1)}},
      {"a unit may only use units before it",
       {"a use of its own unit", record<layout::Reference>(SectionId::references, [](auto& r) { r.unit = 1; })}},
      {"a reference's rule is wrong",
       {"another rule's use", record<layout::Reference>(SectionId::references, [](auto& r) { ++r.rule; })}},
      {"records are not referenced by anything",
       {"a use of nobody", one_more<layout::Reference>(SectionId::references)}},
      {"the totals of a unit do not match its nodes", {"a node too many", unit([](auto& r) { ++r.node_count; })}},
      {"the totals of a unit do not match its nodes", {"a region", unit([](auto& r) { ++r.region_count; })}},
      {"references are not consecutive", {"a use too many", unit([](auto& r) { ++r.reference_count; })}},
      {"the totals of a unit do not match its nodes", {"a leaf", unit([](auto& r) { ++r.leaf_count; })}},
      {"references are not consecutive", {"another first use", unit([](auto& r) { ++r.first_reference; })}},
      {"references are not consecutive", {"far too many uses", unit([](auto& r) { r.reference_count = kFar; })}},

      {"name offset out of range",
       {"a condition without a name",
        record<layout::HostCondition>(SectionId::host_conditions, [](auto& r) { r.name = kFar; })}},
      {"condition index out of range",
       {"a condition that is none", record<std::uint32_t>(SectionId::query_conditions, [](auto& r) { r = kFar; })}},
      {"unknown mode", {"a fifth mode", query([](auto& r) { r.mode = 4; })}},
      {"condition index out of range", {"conditions beyond all", query([](auto& r) { r.first_condition = kFar; })}},
      {"condition index out of range", {"too many conditions", query([](auto& r) { r.condition_count = kFar; })}},
      {"parameter index out of range", {"too many parameters", query([](auto& r) { r.parameter_count = kFar; })}},

      {"tree records are not consecutive", {"another tree's rules", tree([](auto& r) { ++r.record; })}},
      {"the flags of a tree of rules do not match its nodes",
       {"no runs at all", rules([](auto& r) { r.run_limit = 0; })}},
      {"the flags of a tree of rules do not match its nodes",
       {"too many runs", rules([](auto& r) { r.run_limit = 65536; })}},
      {"the flags of a tree of rules do not match its nodes", {"a second flag", rules([](auto& r) { r.flags = 2; })}},
      {"the flags of a tree of rules do not match its nodes",
       {"a shared block", tree([](auto& r) { r.shared_bytes = 8; })}},
      {"the flags of a tree of rules do not match its nodes",
       {"no image", tree([](auto& r) { r.image = layout::kNone; })}},
      {"an agent's size is wrong", {"an agent of 8 bytes", tree([](auto& r) { r.agent_bytes = 8; })}},
      {"instances are not consecutive", {"a later one first", rules([](auto& r) { r.first_instance = 1; })}},
      {"instances are not consecutive", {"none at all", rules([](auto& r) { r.instance_count = 0; })}},
      {"instances are not consecutive", {"too many", rules([](auto& r) { r.instance_count = kFar; })}},
      {"a tree's first instance is not its unit",
       {"another unit", record<layout::UnitInstance>(SectionId::unit_instances, [](auto& r) { r.unit = 0; })}},
      {"a reference has no instance", {"an instance too few", rules([](auto& r) { --r.instance_count; })}},
      {"the totals of a tree do not match its units", {"a rule too many", rules([](auto& r) { ++r.rule_count; })}},
      {"instances are out of order", {"another first rule", instance([](auto& r) { ++r.first_rule; })}},
      {"instances are out of order", {"another one below", instance([](auto& r) { ++r.first_below; })}},
      {"a reference has another instance", {"another unit of a use", instance([](auto& r) { r.unit = 1; })}},
      {"a reference has another instance", {"another parent of a use", instance([](auto& r) { ++r.parent; })}},
      {"ids of rules are not consecutive", {"the next one's ids", rules([](auto& r) { ++r.first_id; })}},
      {"name offset out of range",
       {"an id beyond all", record<std::uint32_t>(SectionId::rule_ids, [](auto& r) { r = kFar; })}},
      {"records are not referenced by anything", {"an id of nobody", one_more<std::uint32_t>(SectionId::rule_ids)}},
      {"records are not referenced by anything",
       {"an instance of nobody", one_more<layout::UnitInstance>(SectionId::unit_instances)}},
      {"records are not referenced by anything",
       {"rules of no tree", one_more<layout::RuleTree>(SectionId::rule_trees)}},
      {"the initial block has a running node", {"another rule", image_byte(0)}},
      {"the initial block has a running node", {"another status", image_byte(2)}},
      {"the initial block has a running node", {"a byte too many", image_byte(3)}},
  };
}

// A tree of one rule.
Parts one_rule() {
  DraftProject project;
  DraftTree& tree = project.trees.emplace_back();
  tree.name = "T";
  tree.parts = ir::Ruling{1, false};
  tree.root = test::node_of(opcode::rule_file, {}, {}, {test::node_of(opcode::rule_result, {})});
  return test::take_apart(test::compiled_bytes(project, true));
}

// Sequences in one another, `depth` rules with the leaf.
Parts deep(std::uint32_t depth) {
  Parts parts = one_rule();
  constexpr std::uint32_t kFileWords = own_words<opcode::rule_file>();
  constexpr std::uint32_t kRuleWords = own_words<opcode::rule_sequence>();
  constexpr std::uint32_t kResultWords = own_words<opcode::rule_result>();
  const std::uint32_t word_count = kFileWords + (depth - 1) * kRuleWords + kResultWords;
  {
    Records<std::uint32_t> nodes(parts, SectionId::nodes);
    Records<std::uint32_t> node_words(parts, SectionId::node_words);
    *nodes = {static_cast<std::uint32_t>(opcode::rule_file), 0, word_count};
    *node_words = {0};
    for (std::uint32_t i = 1; i <= depth; ++i) {
      const Opcode opcode = i < depth ? opcode::rule_sequence : opcode::rule_result;
      const auto word = static_cast<std::uint32_t>(nodes->size());
      node_words->push_back(word);
      nodes->insert(nodes->end(), {static_cast<std::uint32_t>(opcode) | i << 16, i == 1 ? kFileWords : kRuleWords, 0});
      if (i < depth) nodes->push_back(word_count - word);
    }
  }
  unit([&](auto& r) { r.word_count = word_count; })(parts);
  unit([&](auto& r) { r.node_count = depth + 1; })(parts);
  rules([&](auto& r) { r.rule_count = depth; })(parts);
  Records<std::uint32_t>(parts, SectionId::rule_ids)->resize(depth);
  return parts;
}

}  // namespace

TEST_CASE("a file stands below nothing") {
  Parts parts = one_rule();
  constexpr auto kFile = static_cast<std::uint32_t>(opcode::rule_file);
  constexpr std::uint32_t kWords = own_words<opcode::rule_file>();
  *Records<std::uint32_t>(parts, SectionId::nodes) = {kFile, 0, 2 * kWords, kFile | 1 << 16, kWords, kWords};
  *Records<std::uint32_t>(parts, SectionId::node_words) = {0, kWords};
  unit([](auto& r) { r.word_count = 2 * kWords; })(parts);
  CHECK(reason_of(parts) == "a node is not allowed below its parent");
}

TEST_CASE("rules may be nested to the limit and no deeper") {
  CHECK(test::open_and_run(test::assemble(deep(layout::kMaxTickDepth - 1))) == Status::ok);
  CHECK(reason_of(deep(layout::kMaxTickDepth)) == "nodes are nested too deeply");
}

TEST_CASE("each promise of the format about trees of rules is held") {
  test::hold(test::small_rules_asset(true), all_breaches());
}

}  // namespace runtime_verify_rules
