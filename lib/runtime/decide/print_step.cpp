// The steps of an update of deciders as lines of text. In a separate file, so that a game that never writes them does
// not link it.
#include "core/check.h"
#include "decide/decide.h"
#include "decide/words.h"
#include "format/node.h"
#include "format/opcodes/decide.h"

namespace espalier {
namespace {

// Writes steps of an agent.
class StepPrinter {
 public:
  StepPrinter(const Tree& view, const void* block, std::uint64_t clock_us, const Writer& writer)
      : view_(view),
        tree_(view),
        agent_(tree_, const_cast<void*>(block)),
        clock_us_(clock_us),
        out_(writer),
        words_(view_, tree_, out_) {}

  void step(const DecideStep& step, std::uint32_t agent) const;

 private:
  Placed placed_at(std::uint32_t node_word) const { return words_.placed_at(node_word); }
  void name(std::uint32_t node_word) const { words_.name(node_word); }
  void behavior(const layout::Decider& decider) const { words_.behavior(decider); }
  void ordinal(std::uint64_t number) const {
    const std::uint64_t last = number % 100 / 10 == 1 ? 0 : number % 10;  // 11th, 12th, 13th
    out_ << number << (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
  }
  void active_for(std::uint32_t level) const { out_.seconds(active_us(clock_us_, agent_.since_us(level))); }
  void policy(std::uint32_t group_word) const;
  void child(const DecideStep& step) const;
  void words(const DecideStep& step) const;
  void asked(const DecideStep& step) const;
  bool is_kept_by_value(std::uint32_t node_word) const;

  const Tree& view_;
  const DeciderTree tree_;
  const DeciderAgent agent_;
  const std::uint64_t clock_us_;
  const Writer& out_;
  const DeciderWords words_;
};

void StepPrinter::step(const DecideStep& step, std::uint32_t agent) const {
  out_ << std::uint64_t{step_level(step.kind)} << " agent " << std::uint64_t{agent} << " ";
  out_.seconds(clock_us_) << ": ";
  out_.indent(step.depth);
  words(step);
}

// " (sequential, 3 children)"; of a shuffled group with its position in its order.
void StepPrinter::policy(std::uint32_t group_word) const {
  const Placed group = placed_at(group_word);
  const layout::Decider& decider = *group.decider;
  out_ << " (" << policy_of(group) << ", " << std::uint64_t{decider.child_count}
       << (decider.child_count == 1 ? " child" : " children");
  if (group.opcode() == opcode::decide_shuffle && agent_.order(decider)[0] != 0) {
    out_ << ", position " << std::uint64_t{agent_.order(decider)[0] - 1u};
  }
  out_ << ")";
}

// The child that a group's step is about, with its index.
void StepPrinter::child(const DecideStep& step) const {
  const std::uint32_t* wanted = tree_.nodes + step.other;
  name(step.other);
  std::uint64_t index = 0;
  for (const std::uint32_t* placement : children_of(placed_at(step.node_word).node)) {
    if (tree_.placed(placement).node == wanted) break;
    ++index;
  }
  out_ << " [" << index << "]";
}

void StepPrinter::words(const DecideStep& step) const {
  const layout::Decider& decider = *placed_at(step.node_word).decider;
  switch (step.kind) {
    case DecideStepKind::activated:
      out_ << "activated ";
      behavior(decider);
      out_ << " of ";
      return name(step.node_word);
    case DecideStepKind::deactivated:
      out_ << "deactivated ";
      behavior(decider);
      out_ << " of ";
      return name(step.node_word);
    case DecideStepKind::refused:
      out_ << "refused by ";
      behavior(decider);
      out_ << " of ";
      return name(step.node_word);
    case DecideStepKind::failed:
      name(step.node_word);
      out_ << " has failed";
      return;
    case DecideStepKind::decides_again:
      name(step.node_word);
      out_ << " decides again without ";
      return name(step.other);
    case DecideStepKind::overrun:
      name(step.node_word);
      out_ << " would decide again, for the ";
      ordinal(std::uint64_t{tree_.record.max_redecides} + 1);
      out_ << " time: error";
      return;
    case DecideStepKind::begin:
      out_ << "tick; flags:";
      words_.names(ESPALIER_VARIABLES, agent_.flags());
      out_ << "; stimuli:";
      return words_.names(ESPALIER_STIMULI, agent_.stimuli());
    case DecideStepKind::ticked:
      out_ << "ticked ";
      behavior(decider);
      out_ << " of ";
      name(step.node_word);
      out_ << ", active for ";
      active_for(step.depth);
      out_ << (step.value > 0 ? "" : ": failed");
      return;
    case DecideStepKind::end: {
      const auto result = static_cast<Result>(static_cast<int>(step.value));
      out_ << "end of tick: "
           << (result == Result::running   ? "running"
               : result == Result::failure ? "failure"
                                           : "error");
      out_ << ", depth " << std::uint64_t{agent_.level_count()};
      return;
    }
    case DecideStepKind::visited:
      name(step.node_word);
      policy(step.node_word);
      out_ << " has ";
      child(step);
      out_ << " active for ";
      return active_for(step.depth + 1);
    case DecideStepKind::goes_on:
      name(step.node_word);
      out_ << " goes on with ";
      return child(step);
    case DecideStepKind::switches:
      name(step.node_word);
      out_ << " switches to ";
      return child(step);
    case DecideStepKind::chosen:
      name(step.node_word);
      policy(step.node_word);
      out_ << " has chosen ";
      child(step);
      out_ << ", value " << step.value;
      return;
    case DecideStepKind::refused_all:
      name(step.node_word);
      out_ << " finds no child that accepts";
      return;
    case DecideStepKind::breach:
      name(step.node_word);
      out_ << " has accepted, but no child does: a breach of the Subset Rule";
      return;
    default:
      return asked(step);
  }
}

// Of the active child of a group that compares values, only the value is asked.
bool StepPrinter::is_kept_by_value(std::uint32_t node_word) const {
  const std::uint32_t count = agent_.level_count();
  for (std::uint32_t level = 1; level < count; ++level) {
    if (agent_.level(level).node == placed_at(node_word).node)
      return agent_.level(level - 1).opcode() == opcode::decide_scored;
  }
  return false;
}

// The answer of a child that is asked.
void StepPrinter::asked(const DecideStep& step) const {
  const layout::Decider& decider = *placed_at(step.node_word).decider;
  name(step.node_word);
  switch (step.kind) {
    case DecideStepKind::masked:
      out_ << ": masked";
      return;
    case DecideStepKind::every_failed:
      out_ << ": refuses, every " << static_cast<double>(decider.every_us) / 1e6 << " s has not passed";
      return;
    case DecideStepKind::flags_all_failed:
      out_ << ": refuses, flagsAll does not hold";
      return;
    case DecideStepKind::flags_any_failed:
      out_ << ": refuses, flagsAny does not hold";
      return;
    case DecideStepKind::stimuli_all_failed:
      out_ << ": refuses, stimuliAll does not hold";
      return;
    case DecideStepKind::stimuli_any_failed:
      out_ << ": refuses, stimuliAny does not hold";
      return;
    case DecideStepKind::decided:
      out_ << ": Decide " << host_condition_name(tree_.asset, decider.decide - 1) << " gives " << step.value;
      return;
    default: {
      const bool is_free = decider.precondition == 0 && decider.timer == layout::kNone;
      out_ << (is_free                            ? ": no preconditions; "
               : is_kept_by_value(step.node_word) ? ": preconditions not asked; "
                                                  : ": preconditions passed; ")
           << (step.value > 0 ? "accepts, value " : "refuses, value ") << step.value;
    }
  }
}

}  // namespace
}  // namespace espalier

using namespace espalier;

unsigned espalier_step_level(espalier_decide_step_kind kind) {
  if (kind <= DecideStepKind::activated) return 1;
  if (kind <= DecideStepKind::overrun || kind == DecideStepKind::breach) return 2;
  if (kind <= DecideStepKind::end) return 3;
  return kind <= DecideStepKind::switches ? 4 : 5;
}

void espalier_print_step(espalier_tree tree, const void* block, const espalier_decide_step* step, uint64_t clock_us,
                         uint32_t agent, espalier_write write, void* user) {
  if (!Check(__func__).tree_of(tree, EngineId::decide).block(tree, block).given(step, "the step is null")) return;
  const Writer writer = {write, user};
  StepPrinter(tree, block, clock_us, writer).step(*step, agent);
}
