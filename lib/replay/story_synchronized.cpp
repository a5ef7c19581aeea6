// The story of synchronized trees: what begins and ends, with what led there: what the host has answered, which gate
// was full, which group had no place; what makes a tree begin anew; then what runs, with who is in which gate and has
// which role. An update in which nothing begins or ends is passed over in silence.
#include "codegen/listing.h"
#include "replay/story.h"
#include "replay/tree_view.h"
#include "report/line_view.h"
#include "runtime/store_group.h"

namespace espalier::replay {
namespace {

using report::visible;

// Why a node fails that was entered just now; null: its children or the host tell.
const char* refusal(const codegen::NodeView& node, const void* shared, const Asset& asset) {
  switch (node.opcode) {
    case Opcode::store_gate:
      return " is full";
    case Opcode::store_cooldown:
    case Opcode::store_cooldown_all:
      return " is not over";
    case Opcode::store_group: {
      const layout::Group& group =
          records<layout::Group>(asset, layout::SectionId::groups)[*codegen::operand(node, OperandKind::group)];
      return StoreGroup(group, const_cast<void*>(shared)).is_bound() ? " is bound" : " has no role for it";
    }
    case Opcode::store_child:
      return " has no tree";
    default:
      return nullptr;
  }
}

}  // namespace

// ---- Events

void Story::tell_synchronized(const Event& event) {
  const bool is_asked_for = !options_.events.empty();  // else what says little is left out
  if (event.kind == EventKind::error) return tell_slot_error(event);
  if (!is_asked_for && event.kind == EventKind::ask) {
    return note_answer(visible(event.name) + " is " + event.value);
  }
  if (!is_asked_for && event.kind == EventKind::status) return tell_status(event);
  tell_ticking(event);
  if (is_asked_for || event.value == "running") return;
  is_told_ = true;
  if (!answers_.empty() && is_open_) details_.push_back(std::exchange(answers_, {}));
}

// A tree that did not go into a slot, or would be too deep there.
void Story::tell_slot_error(const Event& event) {
  open(event.time_us, event.agent);
  const std::string slot = visible(event.details.front());
  if (event.name == "inject") {
    say("cannot have " + visible(event.details.back()) + " in slot " + slot, Style::bad);
    details_.push_back(event.reason);
    return;
  }
  const Tree& tree = session_.tree();
  const std::uint32_t level_count =
      records<layout::StoreTree>(*tree.asset, layout::SectionId::store_trees)[tree_record(tree).record - 1].level_count;
  say("slot " + slot + " is too deep", Style::bad);
  details_.push_back("more than " + std::to_string(level_count) + " trees within one another");
}

// A tree that does nothing but fail, or succeed, is told of once.
void Story::tell_status(const Event& event) {
  const std::string before = std::exchange(statuses_[event.agent], event.name);
  const bool is_news = std::exchange(is_told_, false) || before != event.name;
  const std::string answers = std::exchange(answers_, {});
  if (event.name == "running" || !is_news) return;
  open(event.time_us, event.agent);
  say("the tree ");
  event.name == "success" ? say("succeeds") : say("fails", Style::bad);
  if (!answers.empty()) details_.push_back(answers);
}

// ---- Steps

void Story::node(std::uint32_t agent, const NodeStep& step) {
  if (!is_shown(agent) || !options_.events.empty()) return;
  const NodeStep last = std::exchange(last_node_, step);
  if (step.kind == NodeStepKind::restart) return tell_restart(agent, step.node_word);
  if (step.kind != NodeStepKind::complete) return;
  note_result(step, last.kind == NodeStepKind::begin && last.node_word == step.node_word);
}

void Story::tell_restart(std::uint32_t agent, std::uint32_t node_word) {
  const Asset& asset = *session_.tree().asset;
  open(session_.time_us(), agent);
  is_told_ = true;
  say(visible(store_node_name(asset, node_word)), Style::signal);
  const bool is_monitor = codegen::node_at(asset, node_word).opcode == Opcode::store_monitor;
  say(is_monitor ? " interrupts" : " was left by another agent");
  if (!answers_.empty()) details_.push_back(std::exchange(answers_, {}));
  details_.emplace_back("the tree begins anew");
}

void Story::note_result(const NodeStep& step, bool is_just_begun) {
  const Asset& asset = *session_.tree().asset;
  const codegen::NodeView node = codegen::node_at(asset, step.node_word);
  const bool has_succeeded = step.value == static_cast<std::uint32_t>(Result::success);
  const char* what = is_just_begun && !has_succeeded ? refusal(node, session_.shared(), asset) : nullptr;
  if (node.opcode == Opcode::store_group && !is_just_begun) what = has_succeeded ? " succeeds" : " fails";
  if (what != nullptr) note_answer(visible(store_node_name(asset, step.node_word)) + what);
}

}  // namespace espalier::replay
