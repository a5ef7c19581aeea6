// The active nodes of an agent of a synchronized tree, including trees in slots: places in gates, seats in groups,
// roles. See branch.h.
#include "codegen/dump/disassemble.h"

#include <algorithm>
#include "replay/event.h"
#include "report/store_nodes.h"
#include "report/store_words.h"
#include "runtime/format/opcodes/store.h"

namespace espalier::report {
namespace {

std::string gate_text(const AgentView& agent, const std::uint32_t* gate) {
  const std::uint32_t count = inside_count(*agent.tree.asset, agent.shared, word_of(*agent.tree.asset, gate));
  return std::to_string(count) + " of " + std::to_string(operand<OperandKind::maximum, EngineId::store>(gate)) +
         " inside";
}

// An agent without a seat has left the group, for example because the group was broken.
void describe_group(const AgentView& agent, const StoreInstance& instance, const std::uint32_t* node, NodeLine* line) {
  const Asset& asset = *agent.tree.asset;
  const std::uint32_t word = word_of(asset, node);
  const std::optional<SeatView> seat = seat_in(agent, word);
  if (!seat) return;
  if (seat->state == GroupState::waits) {
    const layout::Group& record = instance.group(node);
    line->text = "waits, " + std::to_string(inside_count(asset, agent.shared, word)) + " of " +
                 std::to_string(record.role_count) + " are here";
    if (record.timeout_us == layout::kNoTimeout) return;
    const std::uint64_t end_us = seat->arrived_us + record.timeout_us;
    line->time = "at most " + replay::seconds_text(end_us - std::min(end_us, agent.time_us)) + " s";
    return;
  }
  if (seat->state != GroupState::works && seat->state != GroupState::done) {
    line->text = "another agent has left";
    return;
  }
  line->text = "as " + role_name(asset, word, seat->role);
  if (seat->state == GroupState::done) line->text += ", which is done";
  if (const std::string others = others_text(agent, word); !others.empty()) line->text += "; " + others;
}

std::string rounds_text(const StoreInstance& instance, const std::uint32_t* repeat) {
  if (operand<OperandKind::maximum, EngineId::store>(repeat) == 0) return {};
  return std::to_string(instance.word(kept_at(repeat))) + " of " +
         std::to_string(operand<OperandKind::maximum, EngineId::store>(repeat)) + " done";
}

std::string text_of(const AgentView& agent, const StoreInstance& instance, const std::uint32_t* node) {
  const Asset& asset = *agent.tree.asset;
  switch (opcode_of(node)) {
    case opcode::store_gate:
      return gate_text(agent, node);
    case opcode::store_repeat:
      return rounds_text(instance, node);
    case opcode::store_barrier: {
      const std::string waits = barrier_text(agent, word_of(asset, node));
      return waits.empty() ? waits : "waits " + waits;
    }
    case opcode::store_child: {
      if (!instance.has_child(node)) return {};
      const StoreInstance child = instance.child(node);
      const std::string_view file = codegen::node_debug(asset, word_of(asset, child.root())).file;
      return std::string(tree_name(espalier::tree(asset, child.tree()))) +
             (file.empty() ? "" : "  (" + std::string(file) + ')');
    }
    default:
      return {};
  }
}

}  // namespace

std::vector<NodeLine> store_lines(const AgentView& agent) {
  const Asset& asset = *agent.tree.asset;
  std::vector<NodeLine> lines;
  std::vector<std::vector<const std::uint32_t*>> ends;  // by level, of the enclosing nodes
  visit_nodes(agent.tree, agent.block,
              [&](const StoreInstance& instance, const std::uint32_t* node, std::size_t level) {
                if (instance.stored(node) != Stored::running) return;
                ends.resize(level + 1);
                while (!ends[level].empty() && ends[level].back() <= node) ends[level].pop_back();
                std::size_t depth = 0;
                for (const auto& around : ends) depth += around.size();
                ends[level].push_back(end_of(node));
                const std::uint32_t word = word_of(asset, node);
                if (!lines.empty() && lines.back().depth < depth) lines.back().is_running = false;
                NodeLine& line = lines.emplace_back();
                line.line = codegen::node_debug(asset, word).line;
                line.depth = depth;
                line.name = store_node_name(asset, word);
                line.text = text_of(agent, instance, node);
                line.is_running = true;
                if (opcode_of(node) == opcode::store_group) describe_group(agent, instance, node, &line);
              });
  return lines;
}

}  // namespace espalier::report
