// Flattens trees that tick. See flatten.h.
#include <algorithm>

#include "codegen/flatten.h"
#include "codegen/node_writer.h"
#include "runtime/asset/view.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/tick/layout.h"

namespace espalier::codegen {
namespace {

constexpr std::uint64_t kAlwaysOpen = std::uint64_t{1} << 53;  // the number of a tick_chance_guard
constexpr std::uint32_t kNoShortCursor = 0xFFFF;

bool draws(const ir::Node& node) {
  if (const auto* chance = node.as_if<ir::Chance>()) return chance->number > 0 && chance->number < kAlwaysOpen;
  return node.opcode == opcode::tick_wait && node.as<ir::Duration>().random_us > 0;
}

// Writes the nodes of one tree.
class TickTreeWriter {
 public:
  TickTreeWriter(Pools& pools, const ir::Tree& source, std::uint32_t tree)
      : pools_(pools),
        sections_(pools.sections),
        source_(source),
        tree_(sections_.trees[tree]),
        needs_(sections_.agents[tree]),
        conditions_(pools.conditions_of(source)),
        writer_(pools, tree) {}

  void write() {
    record_.flags = source_.as<ir::Ticking>().stays_stopped ? layout::kStaysStopped : 0;
    write_timestamps();
    write_node(source_.root());
    needs_[PartKind::cursor].is_wide = writer_.next_word() - writer_.unit().first_word >= kNoShortCursor;
    tree_.unit = writer_.finish();
    tree_.record = count32(sections_.ticking.size());
    tree_.shared_bytes = (2 * record_.limit_count + layout::kAlignment - 1) / layout::kAlignment * layout::kAlignment;
    sections_.ticking.push_back(record_);
  }

 private:
  void write_timestamps() {
    const std::vector<ir::Timestamp>& timestamps = source_.as<ir::Ticking>().timestamps;
    needs_[PartKind::timestamps] = {count32(timestamps.size()), count32(sections_.timestamps.size())};
    for (const ir::Timestamp& timestamp : timestamps) {
      sections_.timestamps.push_back(
          {pools_.names.add(timestamp.name), timestamp.signal, timestamp.exclusive_to.value_or(layout::kNone)});
    }
  }

  void write_node(const ir::Node& node) {
    writer_.open(node, node.opcode, [&](OperandKind kind) { return operand(kind, node); });
    if (draws(node)) needs_[PartKind::generator].count = 1;
    if (node.opcode == opcode::tick_scope) needs_[PartKind::held].count = 1;  // see lay_out()
    for (const ir::Node& child : node.children()) write_node(child);
    writer_.close();
  }

  std::uint32_t operand(OperandKind kind, const ir::Node& node) {
    if (kind == OperandKind::limit) return record_.limit_count++;
    const std::optional<ir::ConditionIndex> condition = ir::condition_of(node);
    return condition ? writer_.use_condition(conditions_[*condition]) : 0;
  }

  Pools& pools_;
  Sections& sections_;
  const ir::Tree& source_;
  layout::Tree& tree_;
  AgentNeeds& needs_;
  const std::vector<std::uint32_t>& conditions_;  // operands
  NodeWriter writer_;
  layout::Ticking record_ = {};
};

// A node whose children are not all laid out yet.
struct Frame {
  std::uint32_t end_word;
  std::uint32_t next_state;  // where the next child's state begins
  std::uint32_t end_state;   // of the furthest one so far
  bool is_parallel;
};

// Sets the offsets of the state of a unit's nodes, and its size. Sizes beyond the limit of a block are cut.
void lay_out_state(std::uint32_t* nodes, layout::Unit& unit, const StateSizes& sizes) {
  const std::uint32_t end_word = unit.first_word + unit.word_count;
  std::vector<Frame> frames = {{end_word, 0, 0, false}};
  for (std::uint32_t word = unit.first_word; word < end_word;) {
    std::uint32_t* node = nodes + word;
    const bool is_parallel = opcode_of(node) == opcode::tick_parallel;
    const std::uint32_t own_bytes = node_agent_bytes(node, sizes);
    std::uint32_t begin = frames.back().next_state;
    if (own_bytes > 0) {
      begin = begin_of_state(node, begin, sizes);
      *node |= begin << 16;
    }
    const std::uint32_t end = std::min(begin + own_bytes, layout::kMaxNeedBytes);
    frames.push_back({word + extent_of(node), end, end, is_parallel});
    word += own_words(node);
    for (; frames.size() > 1 && frames.back().end_word == word; frames.pop_back()) {
      const std::uint32_t end_state = frames.back().end_state;
      Frame& parent = frames[frames.size() - 2];
      parent.end_state = std::max(parent.end_state, end_state);
      if (parent.is_parallel) parent.next_state = end_state;
    }
  }
  unit.state_bytes = frames.back().end_state;
}

// Lays out the state of a tree's nodes, when all nodes and scopes are known: its size depends on the number of words,
// and the position of memory on the parts before it.
void lay_out(Sections& sections, std::uint32_t tree) {
  AgentNeeds& needs = sections.agents[tree];
  if (needs[PartKind::held].count > 0) needs[PartKind::held].count = count32(sections.scopes.size());
  layout::Unit& unit = sections.units[sections.trees[tree].unit];
  constexpr std::uint32_t kStates = EngineParts(EngineId::tick).find(PartKind::states);
  const StateSizes sizes = {needs[PartKind::cursor].is_wide ? 4u : 2u,
                            offset_bytes(lay_out_agent(EngineId::tick, needs).parts[kStates]),
                            sections.memory_sizes.empty() ? nullptr : sections.memory_sizes.data()};
  lay_out_state(sections.nodes.data(), unit, sizes);
  needs[PartKind::states].count = unit.state_bytes;
}

}  // namespace

void write_ticking(const ir::Project& project, Pools& pools) {
  for_each_tree(project, EngineId::tick,
                [&](const ir::Tree& source, std::uint32_t tree) { TickTreeWriter(pools, source, tree).write(); });
  for_each_tree(project, EngineId::tick, [&](const ir::Tree&, std::uint32_t tree) { lay_out(pools.sections, tree); });
}

}  // namespace espalier::codegen
