// Reasons for misfits. See reasons.h.
#include "live/reasons.h"

#include <cstdint>
#include <optional>

#include "live/findings.h"
#include "live/tree_xml.h"
#include "runtime/asset/view.h"
#include "runtime/format/opcodes/poll.h"

namespace espalier::live {
namespace {

// The first node that a loop or SetBlackboard of an older release runs otherwise.
std::optional<std::uint32_t> node_of_other_release(const LoggedTree& tree) {
  for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) {
    const std::uint32_t* const at = tree.view().nodes + tree.nodes()[i].word;
    const Opcode opcode = opcode_of(at);
    const auto copies_entry = [&] {
      return static_cast<layout::PollPortKind>(tree.view().port_of(at, 0).kind) == layout::PollPortKind::key;
    };
    if (opcode == opcode::poll_loop || (opcode == opcode::poll_set && copies_entry())) return i;
  }
  return std::nullopt;
}

}  // namespace

std::string other_reasons(const LoggedTree& tree, const Log& log, bool knows_subtrees) {
  std::string reasons;
  if (!knows_subtrees && has_unconnected_subtree(log.tree_xml))
    reasons = "the log does not tell which subtrees have '_autoremap': give the files of the trees";
  if (const auto node = node_of_other_release(tree)) {
    if (!reasons.empty()) reasons += "; ";
    reasons += "releases of BehaviorTree.CPP before 4.7 run " + words_of_node(tree, *node) + " in another way";
  }
  return reasons;
}

}  // namespace espalier::live
