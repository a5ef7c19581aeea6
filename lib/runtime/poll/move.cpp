// Moves agents of trees that poll to another version of their tree: the old tree is halted, and entries of the same
// name and type on blackboards of the same path keep their values.
#include "poll/poll.h"

#include "poll/blackboard.h"

namespace espalier {
namespace {

// The blackboard of this path; kNone if there is none.
std::uint32_t find_board(const PollTreeView& tree, std::string_view path) {
  for (std::uint32_t i = 0; i < tree.record.board_count; ++i) {
    if (tree.name(tree.board(i).path) == path) return i;
  }
  return layout::kNone;
}

constexpr Engine kReloadEngine = with_move(kPollRow, move_polling);

}  // namespace

void move_polling(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                  const Host&) {
  stop_polling(from, from_block, from_host);
  const PollTreeView old_tree(from);
  const PollTreeView new_tree(to);
  const PollAgent old_agent(old_tree, from_block);
  const PollAgent new_agent(new_tree, to_block);
  const Blackboard old_board(old_tree, old_agent);
  const Blackboard new_board(new_tree, new_agent);
  for (std::uint32_t i = 0; i < old_tree.entry_count(); ++i) {
    const StoredEntry entry = old_agent.entry(i);
    if (!entry.is_there) continue;
    const std::uint32_t board = find_board(new_tree, old_tree.name(old_tree.board(old_board.board_of(i)).path));
    std::uint32_t other = layout::kNone;
    if (board == layout::kNone || new_board.name_entry(board, old_board.name(i), &other) != PollFault::none) continue;
    const StoredEntry fresh = new_agent.entry(other);
    const bool is_alike = !fresh.is_there || fresh.type == entry.type || !is_kept(fresh.type);
    const bool fits = entry.kind != ValueKind::text || entry.bits <= new_tree.record.text_bytes;
    if (!is_alike || !fits) continue;
    new_agent.set_entry(other, entry);
    if (entry.kind == ValueKind::text) std::memcpy(new_agent.text(other), old_agent.text(i), entry.bits);
  }
}

}  // namespace espalier

const espalier_engine* espalier_poll_reload_engine(void) { return &espalier::kReloadEngine; }
