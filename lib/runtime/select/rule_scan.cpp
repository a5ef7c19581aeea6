// The rules of one group of tables: see the header.
#include "select/rule_scan.h"

#include "select/share.h"

#include "format/node.h"
#include "format/opcodes/select.h"

namespace espalier {

Frame below(const Asset& asset, const Frame& frame, const std::uint32_t* node) {
  if (opcode_of(node) == opcode::select_share) return entered(asset, frame, node);
  const NodeWords nodes(nodes_of(asset));
  Frame inside = frame;
  inside.first_word = nodes.word_of(next_node(node));
  inside.end_word = nodes.word_of(end_of(node));
  return inside;
}

bool RuleScan::next() {
  while (!budget_->is_spent()) {
    Frame& siblings = levels_[level_];
    if (siblings.first_word == siblings.end_word) {
      if (level_ == 0) return false;
      --level_;
      continue;
    }
    word_ = siblings.first_word;
    siblings.first_word += extent_of(node());
    conditions_[level_] = operand<OperandKind::condition, EngineId::select>(node());
    cube_count_ = CubeList(tree_, conditions_, level_ + 1).count(budget_->taken);
    is_checked_ = cube_count_ == CubeList::kTooMany;
    if (is_checked_) cube_count_ = CubeList(tree_, conditions_, level_).count(budget_->taken);
    if (cube_count_ == 0) continue;
    if (!replaces()) return true;
    levels_[level_ + 1] = below(tree_.asset(), siblings, node());
    ++level_;
  }
  return false;
}

bool RuleScan::replaces() {
  const Opcode opcode = opcode_of(node());
  if (opcode != opcode::select_priority && opcode != opcode::select_share) return false;
  if (is_checked_ || level_ + 1 == kMaxLevels || level_ > replaced_.levels) return false;
  return level_ < replaced_.levels || ++more_count_ <= replaced_.more;
}

}  // namespace espalier
