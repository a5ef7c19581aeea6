// Flattens trees that poll. See flatten.h.
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/excess.h"
#include "codegen/flatten.h"
#include "codegen/node_writer.h"
#include "ir/poll/expand.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/memory.h"
#include "runtime/poll/tree.h"
#include "text/parallel.h"

namespace espalier::codegen {
namespace {

using layout::PollOp;
using layout::PollPortKind;
using layout::PollType;

class PollTreeWriter {
 public:
  PollTreeWriter(Pools& pools, const ir::Tree& source, std::uint32_t tree)
      : pools_(pools),
        sections_(pools.sections),
        source_(source),
        polling_(source.as<ir::Polling>()),
        needs_(sections_.agents[tree]),
        writer_(pools, tree),
        tree_(tree) {}

  void write(bool has_main) {
    record_.text_bytes = polling_.text_bytes;
    record_.named_count = polling_.named_count;
    record_.flags =
        (polling_.has_one_round ? layout::kOneRound : 0) | (has_main && !polling_.is_main ? layout::kIsNotMain : 0);
    record_.first_timer = count32(sections_.poll_timers.size());
    write_node(source_.root());
    record_.timer_count = count32(sections_.poll_timers.size()) - record_.first_timer;
    write_boards();
    write_scripts();
    size_agent();
    write_start();
    sections_.trees[tree_].unit = writer_.finish();
    sections_.trees[tree_].record = count32(sections_.poll_trees.size());
    sections_.poll_trees.push_back(record_);
  }

 private:
  void write_node(const ir::Node& node) {
    const auto record = count32(sections_.polled.size());
    const std::uint32_t number = writer_.unit().node_count;
    writer_.open(node, node.opcode, [&](OperandKind) { return record; });
    looks_for_writes_ = looks_for_writes_ || shape_of(node.opcode).looks_for_writes;
    if (shape_of(node.opcode).has_timer) sections_.poll_timers.push_back(number);
    sections_.polled.push_back(record_of(node));
    for (const ir::Node& child : node.children()) write_node(child);
    writer_.close();
  }

  layout::Polled record_of(const ir::Node& node) {
    const ir::PolledNode& source = node.as<ir::PolledNode>();
    layout::Polled polled = {};
    for (std::size_t i = 0; i < layout::kHookCount; ++i)
      polled.*layout::kHooks[i] = source.hooks[i] ? 1 + *source.hooks[i] : 0;
    polled.script = source.script ? 1 + *source.script : 0;
    polled.first_port = count32(sections_.poll_ports.size());
    polled.port_count = count32(source.ports.size());
    for (const ir::PollPort& port : source.ports) sections_.poll_ports.push_back(port_of(port));
    polled.board = source.board;
    polled.child_count = count32(node.children().size());
    polled.memory = memory_bytes_;
    memory_bytes_ += memory_bytes(node.opcode, polled.child_count, node.extent);
    if (!source.host.empty()) {
      polled.host = source.is_condition ? pools_.host_condition(source.host) : pools_.behavior(source.host);
    }
    if (node.opcode == opcode::poll_loop) polled.host = record_.loop_count++;
    polled.instance = pools_.has_labels ? pools_.names.add(node.label) : 0;
    return polled;
  }

  layout::PollPort port_of(const ir::PollPort& source) {
    layout::PollPort port = {};
    port.name = pools_.names.add(source.name);
    port.type = static_cast<std::uint8_t>(source.type);
    port.direction = static_cast<std::uint8_t>(source.direction);
    port.is_default = source.is_default ? 1 : 0;
    port.kind = static_cast<std::uint8_t>(PollPortKind::missing);
    if (source.key) {
      port.kind = static_cast<std::uint8_t>(PollPortKind::key);
      port.value = *source.key;
    } else if (source.literal) {
      set_literal(*source.literal, source.type, port);
    }
    return port;
  }

  // A literal that cannot be converted stays a text, and throws when it is read.
  void set_literal(const std::string& literal, PollType type, layout::PollPort& port) {
    PollValue value = {};
    const bool is_read = type < PollType::reserved && from_text(literal, type, &value);
    if (is_read && value.kind == ValueKind::real) {
      port.kind = static_cast<std::uint8_t>(PollPortKind::real);
      port.value = pools_.add_number(std::bit_cast<std::uint64_t>(value.real));
    } else if (is_read && value.is_number()) {
      port.kind = static_cast<std::uint8_t>(PollPortKind::whole);
      port.value = pools_.add_number(static_cast<std::uint64_t>(value.whole));
    } else {
      port.kind = static_cast<std::uint8_t>(PollPortKind::text);
      port.value = pools_.names.add(literal);
    }
  }

  void write_boards() {
    record_.first_board = count32(sections_.poll_boards.size());
    record_.board_count = count32(polling_.boards.size());
    for (const ir::PollBoard& board : polling_.boards) {
      sections_.poll_boards.push_back({pools_.names.add(board.path), count32(sections_.poll_keys.size()),
                                       count32(board.keys.size()), board.above.value_or(layout::kNone)});
      for (const ir::PollKey& key : board.keys) {
        sections_.poll_keys.push_back(
            {pools_.names.add(key.name), key.entry, key.next.value_or(layout::kNone), ownership_of(key)});
      }
    }
    for (const bool is_own : {true, false}) {
      for (std::uint32_t i = 0; i < polling_.named_count; ++i) {
        const std::uint32_t entry = count32(polling_.entries.size()) + i;
        sections_.poll_keys.push_back({pools_.names.add(""), entry, layout::kNone, is_own ? 1u : 0u});
      }
    }
    needs_[PartKind::entries] = {entry_count(), count32(sections_.poll_entries.size())};
    for (const ir::PollEntry& entry : polling_.entries) {
      sections_.poll_entries.push_back({pools_.names.add(entry.name), entry.board});
    }
    for (std::size_t i = polling_.entries.size(); i < entry_count(); ++i) {
      sections_.poll_entries.push_back({pools_.names.add(""), 0});
    }
  }

  std::uint32_t ownership_of(const ir::PollKey& key) const {
    if (ir::is_unseen(polling_.entries[key.entry])) return kMadeUnseen;
    return key.is_own ? 1 : 0;
  }

  void write_scripts() {
    record_.first_script = count32(sections_.poll_scripts.size());
    record_.script_count = count32(polling_.scripts.size());
    for (const std::vector<ir::PollInstruction>& script : polling_.scripts) {
      sections_.poll_scripts.push_back({count32(sections_.poll_code.size()), count32(script.size())});
      for (const ir::PollInstruction& instruction : script) {
        sections_.poll_code.push_back({static_cast<std::uint32_t>(instruction.op), operand_of(instruction)});
      }
    }
  }

  std::uint32_t operand_of(const ir::PollInstruction& instruction) {
    switch (instruction.op) {
      case PollOp::push_whole:
        return pools_.add_number(static_cast<std::uint64_t>(instruction.whole));
      case PollOp::push_real:
        return pools_.add_number(std::bit_cast<std::uint64_t>(instruction.real));
      case PollOp::push_text:
        return pools_.names.add(instruction.text);
      case PollOp::compare_next:
        return instruction.operand | instruction.target << 8;
      default:
        return instruction.operand;
    }
  }

  // ---- Agents

  std::uint32_t entry_count() const { return count32(polling_.entries.size()) + 2 * polling_.named_count; }

  void size_agent() {
    needs_[PartKind::entry_types].count = entry_count();
    needs_[PartKind::write_counts].count = looks_for_writes_ ? entry_count() : 0;
    needs_[PartKind::poll_memory].count = memory_bytes_;
    needs_[PartKind::texts].count = (entry_count() + record_.loop_count) * record_.text_bytes;
    needs_[PartKind::statuses].count = writer_.unit().node_count;
  }

  // The entries that are there when an agent starts.
  void write_start() {
    std::string values;
    std::string types;
    std::string counts;
    std::string texts(needs_[PartKind::texts].count, '\0');
    for (std::size_t i = 0; i < entry_count(); ++i) {
      StoredEntry entry;
      if (i < polling_.entries.size()) {
        const ir::PollEntry& source = polling_.entries[i];
        entry.is_there = source.is_there && !ir::is_unseen(source);
        if (source.is_there) entry.type = source.type;
        if (source.is_there && ir::is_unseen(source)) entry.kind = ValueKind::whole;  // it has been made
        if (source.value) set_start(source, i, entry, texts);
      }
      append_bytes(values, entry.bits);
      append_bytes(types, EntryTypes(entry).bytes);
      if (looks_for_writes_) append_bytes(counts, entry.count);
    }
    needs_[PartKind::entries].content = std::move(values);
    needs_[PartKind::entry_types].content = std::move(types);
    needs_[PartKind::write_counts].content = std::move(counts);
    needs_[PartKind::texts].content = std::move(texts);
  }

  void set_start(const ir::PollEntry& source, std::size_t number, StoredEntry& entry, std::string& texts) const {
    PollValue value = {};
    if (!from_text(*source.value, source.type, &value)) return;
    entry.count = 1;
    entry.kind = value.kind;
    entry.made_as = value.made_as;
    entry.bits = std::bit_cast<std::uint64_t>(value.whole);
    if (!value.is_text()) return;
    const std::string_view text = value.text().substr(0, polling_.text_bytes);
    entry.bits = text.size();
    texts.replace(number * polling_.text_bytes, text.size(), text);
  }

  Pools& pools_;
  Sections& sections_;
  const ir::Tree& source_;
  const ir::Polling& polling_;
  AgentNeeds& needs_;
  NodeWriter writer_;
  const std::uint32_t tree_;
  std::uint32_t memory_bytes_ = 0;
  bool looks_for_writes_ = false;
  layout::PollTree record_ = {};
};

constexpr std::size_t kAtOnce = 32;  // trees that are placed together

std::vector<ir::Tree> place(const ir::Project& project, std::span<const std::uint32_t> trees, Pools& pools) {
  constexpr std::size_t kLeastShare = 8;
  std::vector<ir::Tree> placed(trees.size());
  std::mutex names_mutex;
  text::run_parallel(trees.size(), pools.thread_count, kLeastShare, [&]() -> text::Worker {
    const auto names = std::make_shared<ir::Names>();
    const std::lock_guard lock(names_mutex);
    pools.names_of_nodes.push_back(names);
    return [&, names](std::size_t i) {
      const ir::Tree& source = project.trees[trees[i]];
      placed[i] = source.placing == nullptr ? source : source.placing->place(source, names);
    };
  });
  return placed;
}

}  // namespace

bool write_polling(const ir::Project& project, Pools& pools, text::Findings& findings) {
  bool has_main = false;
  bool fits = true;
  for_each_tree(project, EngineId::poll, [&](const ir::Tree& source, std::uint32_t) {
    has_main = has_main || source.as<ir::Polling>().is_main;
  });
  std::vector<std::uint32_t> trees;
  for_each_tree(project, EngineId::poll, [&](const ir::Tree&, std::uint32_t tree) { trees.push_back(tree); });
  for (std::size_t first = 0; first < trees.size(); first += kAtOnce) {
    const std::span<const std::uint32_t> some =
        std::span(trees).subspan(first, std::min(kAtOnce, trees.size() - first));
    const std::vector<ir::Tree> placed = place(project, some, pools);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      fits = check_nodes(placed[i], findings) && fits;
      if (fits) PollTreeWriter(pools, placed[i], some[i]).write(has_main);
    }
  }
  for (const ir::PollEnum& each : project.enums) {
    pools.sections.poll_enums.push_back(
        {pools.names.add(each.name), pools.add_number(std::bit_cast<std::uint64_t>(each.number))});
  }
  return fits;
}

}  // namespace espalier::codegen
