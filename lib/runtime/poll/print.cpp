// Agents of trees that poll, as text. See core/print.h.
#include "core/print.h"
#include "poll/blackboard.h"

namespace espalier {
namespace {

void* block_of(const void* block) { return const_cast<void*>(block); }

void write_value(const Printing& printing, const PollValue& value) {
  char buffer[kNumberText];
  if (value.kind == ValueKind::none) {
    printing.out << "no value";
  } else if (value.kind == ValueKind::real) {
    printing.out << value.real;
  } else {
    const std::string_view text = value.is_text() ? value.text() : number_text(value, buffer);
    if (value.is_text()) printing.out << "'";
    printing.out.name(text);
    if (value.is_text()) printing.out << "'";
  }
}

void write_agent(const Printing& printing) {
  const PollTreeView tree(printing.view);
  const PollAgent agent(tree, block_of(printing.block));
  const Blackboard board(tree, agent);
  printing.out << "\n";
  for (std::uint32_t i = 0; i < tree.entry_count(); ++i) {
    if (!board.is_there(i)) continue;
    const char* const path = name_at(tree.asset, tree.board(board.board_of(i)).path);
    printing.out << "  ";
    if (*path != '\0') printing.out << path << "/";
    printing.out.name(board.name(i)) << ": ";
    write_value(printing, board.value(i));
    printing.out << "\n";
  }
}

void look_at(const Printing& printing, PrintPlace* place) {
  const PollTreeView tree(printing.view);
  place->is_active = PollAgent(tree, block_of(printing.block)).status(place->node) == PollStatus::running;
}

void write_name(const Printing& printing, const PrintPlace& place) {
  printing.name_and_kind(place.node);
  const PollTreeView tree(printing.view);
  const char* const name = name_at(tree.asset, tree.polled_of(place.node).instance);
  if (*name != '\0') (printing.out << " ").name(name);
}

bool result_at(const Tree& view, const void* block, std::uint32_t node_word, Result* result) {
  const espalier_result status = espalier_node_status(view, block, node_word);
  *result = status;
  return status != ESPALIER_STOPPED;
}

void write_state(const Printing& printing, const PrintPlace& place) {
  Result result;
  if (!result_at(printing.view, printing.block, printing.word_of(place.node), &result)) return;
  printing.out << ", ";
  printing.result(result);
}

}  // namespace

const PrintRow kPollPrint = {write_agent, look_at, nullptr, write_name, write_state, result_at};

}  // namespace espalier
