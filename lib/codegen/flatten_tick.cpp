// Flattens trees that tick. See flatten.h.
#include <algorithm>

#include "codegen/flatten.h"
#include "codegen/node_writer.h"
#include "runtime/tick/layout.h"

namespace espalier::codegen {
namespace {

constexpr std::uint64_t kAlwaysOpen = std::uint64_t{1} << 53;  // the number of a tick_chance_guard
constexpr std::uint32_t kNoShortCursor = 0xFFFF;

bool draws(const ir::Node& node) {
  if (const auto* chance = node.as_if<ir::Chance>()) return chance->number > 0 && chance->number < kAlwaysOpen;
  return node.opcode == Opcode::tick_wait && node.as<ir::Duration>().random_us > 0;
}

// Writes the nodes of one tree, and then visits them again to lay out their state, whose size depends on the number of
// words.
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
    write_node(source_.root);
    needs_[PartKind::cursor].is_wide = writer_.next_word() - writer_.unit().first_word >= kNoShortCursor;
    lay_out_state();
    needs_[PartKind::states].count = writer_.unit().state_bytes;
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
    if (node.opcode == Opcode::tick_scope) needs_[PartKind::held].count = 1;  // as many as scopes, when all are known
    for (const ir::Node& child : node.children) write_node(child);
    writer_.close();
  }

  std::uint32_t operand(OperandKind kind, const ir::Node& node) {
    if (kind == OperandKind::limit) return record_.limit_count++;
    const std::optional<ir::ConditionIndex> condition = ir::condition_of(node);
    return condition ? writer_.use_condition(conditions_[*condition]) : 0;
  }

  // A node whose children are not all laid out yet.
  struct Frame {
    std::uint32_t end_word;
    std::uint32_t next_state;  // where the next child's state begins
    std::uint32_t end_state;   // of the furthest one so far
    bool is_parallel;
  };

  void lay_out_state() {
    std::vector<Frame> frames = {{writer_.next_word(), 0, 0, false}};
    const std::uint32_t cursor_bytes = needs_[PartKind::cursor].is_wide ? 4 : 2;
    std::uint32_t word = writer_.unit().first_word;
    while (word < writer_.next_word()) {
      const std::uint32_t* node = &sections_.nodes[word];
      const bool is_parallel = opcode_of(node) == Opcode::tick_parallel;
      const std::uint32_t begin = frames.back().next_state;
      const std::uint32_t own_bytes = node_agent_bytes(node, cursor_bytes);
      if (own_bytes > 0) writer_.set_state(word, begin);
      frames.push_back({word + extent_of(node), begin + own_bytes, begin + own_bytes, is_parallel});
      word += own_words(node);
      for (; frames.size() > 1 && frames.back().end_word == word; frames.pop_back()) {
        const std::uint32_t end_state = frames.back().end_state;
        Frame& parent = frames[frames.size() - 2];
        parent.end_state = std::max(parent.end_state, end_state);
        if (parent.is_parallel) parent.next_state = end_state;
      }
    }
    writer_.unit().state_bytes = frames.back().end_state;
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

}  // namespace

void write_ticking(const ir::Project& project, Pools& pools) {
  for_each_tree(project, EngineId::tick,
                [&](const ir::Tree& source, std::uint32_t tree) { TickTreeWriter(pools, source, tree).write(); });
}

}  // namespace espalier::codegen
