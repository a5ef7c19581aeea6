// Random trees that store their results, and the findings of analyses.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "lint/lint.h"
#include "payloads.h"
#include "rules/rules.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/store.h"

namespace drawn_store {

// A node. Members that are not set have the same value as for an element without the attribute.
struct DrawnNode {
  espalier::Opcode opcode;
  std::string word = {};  // name of a condition, action or barrier; label of a role; slot
  std::vector<DrawnNode> below = {};
  std::uint8_t flags = 0;
  std::uint32_t count = 0;
};
using DrawnNodes = std::vector<DrawnNode>;

inline DrawnNode wrapper(espalier::Opcode opcode, DrawnNode below) { return {opcode, {}, {std::move(below)}}; }

inline DrawnNode sequence(DrawnNodes below) { return {espalier::opcode::store_sequence, {}, std::move(below)}; }
inline DrawnNode selector(DrawnNodes below) { return {espalier::opcode::store_selector, {}, std::move(below)}; }
inline DrawnNode parallel(DrawnNodes below, unsigned flags = 0) {
  return {espalier::opcode::store_parallel, {}, std::move(below), static_cast<std::uint8_t>(flags)};
}
inline DrawnNode condition() { return {espalier::opcode::store_condition, "C"}; }
inline DrawnNode action() { return {espalier::opcode::store_action, "A"}; }
inline DrawnNode invert(DrawnNode below) { return wrapper(espalier::opcode::store_invert, std::move(below)); }
inline DrawnNode succeed(DrawnNode below) { return wrapper(espalier::opcode::store_succeed, std::move(below)); }
inline DrawnNode fail(DrawnNode below) { return wrapper(espalier::opcode::store_fail, std::move(below)); }
inline DrawnNode repeat(std::uint32_t count, DrawnNode below, unsigned flags = 0) {
  return {espalier::opcode::store_repeat, {}, {std::move(below)}, static_cast<std::uint8_t>(flags), count};
}
inline DrawnNode monitor(DrawnNode below) { return wrapper(espalier::opcode::store_monitor, std::move(below)); }
inline DrawnNode monitor() { return monitor(condition()); }
inline DrawnNode gate(DrawnNode below) { return {espalier::opcode::store_gate, {}, {std::move(below)}, 0, 1}; }
inline DrawnNode cooldown(DrawnNode below) { return wrapper(espalier::opcode::store_cooldown, std::move(below)); }
inline DrawnNode barrier(std::string name) { return {espalier::opcode::store_barrier, std::move(name)}; }
inline DrawnNode role(DrawnNode work, std::string label = {}) {
  return {espalier::opcode::store_role, std::move(label), {std::move(work)}};
}
inline DrawnNode group(DrawnNodes roles) { return {espalier::opcode::store_group, {}, std::move(roles)}; }
inline DrawnNode child_tree(std::string slot = "s") { return {espalier::opcode::store_child, std::move(slot)}; }

namespace drawn {

inline void add(const DrawnNode& drawn, espalier::test::DraftTree& tree, std::uint32_t& place,
                espalier::test::Draft& node) {
  node.opcode = drawn.opcode;
  node.name = espalier::opcode_name(drawn.opcode);
  node.span = {tree.span.file, place, place + 1};
  ++place;
  node.flags = drawn.flags;
  node.payload = espalier::test::empty_payload(drawn.opcode);
  if (drawn.opcode == espalier::opcode::store_role) node.label = drawn.word;
  if (auto* limit = std::get_if<espalier::ir::Limit>(&node.payload)) limit->maximum = drawn.count;
  if (auto* child = std::get_if<espalier::ir::ChildTree>(&node.payload)) child->slot = drawn.word;
  if (auto* behavior = std::get_if<espalier::ir::Behavior>(&node.payload)) behavior->name = drawn.word;
  if (auto* barrier = std::get_if<espalier::ir::Barrier>(&node.payload)) barrier->name = drawn.word;
  node.children.resize(drawn.below.size());
  for (std::size_t i = 0; i < drawn.below.size(); ++i) add(drawn.below[i], tree, place, node.children[i]);
}

}  // namespace drawn

// The nodes are at bytes 1, 2, ... of a file, in their order. The tree is named by its file: "Tree0".
inline espalier::test::DraftTree store_tree(const DrawnNode& root, espalier::text::FileId file = 0) {
  espalier::test::DraftTree tree;
  tree.name = "Tree" + std::to_string(file);
  tree.span = {file, 0, 1};
  tree.parts = espalier::ir::Storing{8, {}};
  std::uint32_t place = 1;
  drawn::add(root, tree, place, tree.root);
  return tree;
}

inline espalier::text::Findings analysed(const espalier::test::DraftProject& project) {
  using namespace espalier;
  text::Sources sources;
  for (std::size_t i = 0; i < project.trees.size(); ++i) sources.add(std::to_string(i), std::string(4096, ' '));
  text::Findings findings;
  lint::analyse(project, {}, findings);
  findings.sort(sources);
  return findings;
}

// "3 unreachable-child <- 2" for each finding, in the order of places; for files after the first one "1:3 ..."; a note
// that is a warning elsewhere: "3 (note) ...".
inline std::vector<std::string> found_in(const espalier::test::DraftProject& project) {
  using namespace espalier;
  auto shown = [](const text::Span& span) {
    return (span.file == 0 ? std::string() : std::to_string(span.file) + ':') + std::to_string(span.begin);
  };
  std::vector<std::string> result;
  const text::Findings findings = analysed(project);
  for (const text::Finding& finding : findings.all()) {
    const rules::RuleInfo& info = rules::info(finding.rule);
    std::string line = shown(finding.span) + (finding.severity == info.severity ? " " : " (note) ");
    line += info.name;
    for (const text::Related& related : finding.related) line += " <- " + shown(related.span);
    result.push_back(std::move(line));
  }
  return result;
}
inline std::vector<std::string> found_in(const DrawnNode& root) { return found_in({{store_tree(root)}, {}}); }

}  // namespace drawn_store
