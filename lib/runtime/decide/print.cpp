// Agents of deciders as text, for debugging a tree: a step of an update, and the tree with its active path. In a
// separate file, so that a game that never prints does not link it.
#include "core/check.h"
#include "core/decimal.h"
#include "decide/decide.h"

namespace espalier {
namespace {

struct Writer {
  espalier_write write;
  void* user;

  const Writer& operator<<(std::string_view piece) const {
    if (!piece.empty()) write(user, piece.data(), piece.size());
    return *this;
  }
  const Writer& operator<<(std::uint64_t number) const { return *this << NumberText(number).text(); }
  const Writer& operator<<(double value) const { return *this << NumberText(value).text(); }
  // Microseconds as seconds.
  const Writer& seconds(std::uint64_t time_us) const {
    *this << time_us / 1000000;
    char digits[7] = {'.'};
    std::uint64_t rest = time_us % 1000000;
    std::size_t size = rest == 0 ? 0 : 7;
    for (std::size_t i = 6; i > 0; --i, rest /= 10) digits[i] = static_cast<char>('0' + rest % 10);
    while (size > 1 && digits[size - 1] == '0') --size;
    return *this << std::string_view(digits, size) << " s";
  }
  const Writer& indent(std::uint32_t depth) const {
    for (; depth > 0; --depth) *this << "  ";
    return *this;
  }
};

const char* policy_of(const Placed& placed) {
  switch (placed.opcode()) {
    case Opcode::decide_prioritized:
      return "prioritizedList";
    case Opcode::decide_sequential:
      return "sequential";
    case Opcode::decide_random:
      return "random";
    case Opcode::decide_shuffle:
      return "shuffle";
    case Opcode::decide_scored:
      return "scored";
    default:
      return "";
  }
}

// The time since a level became active. Its clock is stored in 48 bits.
std::uint64_t active_us(std::uint64_t clock_us, std::uint64_t since_us) {
  return (clock_us - since_us) & ~std::uint64_t{0} >> kPathClockShift;
}

// Writes a tree with an agent.
class Printer {
 public:
  Printer(const Tree& view, const void* block, std::uint64_t clock_us, const Writer& writer)
      : view_(view), tree_(view), agent_(tree_, const_cast<void*>(block)), clock_us_(clock_us), out_(writer) {}

  void step(const DecideStep& step, std::uint32_t agent) const;
  void path() const;
  void all() const;

 private:
  Placed placed_at(std::uint32_t node_word) const { return tree_.placed(tree_.nodes + node_word); }
  void name(const Placed& placed) const {
    const std::string_view name = decider_name(view_, tree_.word_of(placed));
    if (name.empty()) {
      out_ << "#" << std::uint64_t{tree_.number_of(placed.node)};
    } else {
      out_ << name;
    }
  }
  void name(std::uint32_t node_word) const { name(placed_at(node_word)); }

  // Names of the bits that are set.
  template <typename NameOf>
  void names(std::uint64_t bits, const NameOf& name_of) const {
    if (bits == 0) out_ << " none";
    for (std::uint32_t i = 0; bits != 0; ++i, bits >>= 1) {
      if ((bits & 1) != 0) out_ << " " << name_of(i);
    }
  }
  void behavior(const layout::Decider& decider) const {
    out_ << behavior_name(tree_.asset, decider.behavior - 1);
    if (decider.behavior_flags == 0) return;
    out_ << " [flags:";
    names(decider.behavior_flags, [&](std::uint32_t flag) { return behavior_flag_name(view_, flag); });
    out_ << "]";
  }
  void active_for(std::uint32_t level) const { out_.seconds(active_us(clock_us_, agent_.since_us(level))); }

  void words(const DecideStep& step) const;
  void asked(const DecideStep& step) const;
  void line(const Placed& placed, std::uint32_t index, std::uint32_t depth, std::uint32_t level) const;
  void unit(const Placed& root) const;
  std::uint32_t level_of(const Placed& placed) const;

  const Tree& view_;
  const DeciderTree tree_;
  const DeciderAgent agent_;
  const std::uint64_t clock_us_;
  const Writer& out_;
};

// ---- Steps

void Printer::step(const DecideStep& step, std::uint32_t agent) const {
  out_ << std::uint64_t{step_level(step.kind)} << " agent " << std::uint64_t{agent} << " ";
  out_.seconds(clock_us_) << ": ";
  out_.indent(step.depth);
  words(step);
}

void Printer::words(const DecideStep& step) const {
  const layout::Decider& decider = *placed_at(step.node_word).decider;
  switch (step.kind) {
    case DecideStepKind::activated:
      out_ << "activated ";
      behavior(decider);
      out_ << " of ";
      return name(step.node_word);
    case DecideStepKind::deactivated:
      out_ << "deactivated " << behavior_name(tree_.asset, decider.behavior - 1) << " of ";
      return name(step.node_word);
    case DecideStepKind::refused:
      out_ << "refused by " << behavior_name(tree_.asset, decider.behavior - 1) << " of ";
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
      out_ << " would decide again, for the " << std::uint64_t{tree_.record.max_redecides} + 1 << ". time: error";
      return;
    case DecideStepKind::begin:
      out_ << "tick; flags:";
      names(agent_.flags(), [&](std::uint32_t flag) { return variable_name(view_, flag); });
      out_ << "; stimuli:";
      return names(agent_.stimuli(), [&](std::uint32_t stimulus) { return stimulus_name(view_, stimulus); });
    case DecideStepKind::ticked:
      out_ << "ticked " << behavior_name(tree_.asset, decider.behavior - 1) << " of ";
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
      out_ << " (" << policy_of(placed_at(step.node_word)) << ") has ";
      name(step.other);
      out_ << " active for ";
      return active_for(step.depth + 1);
    case DecideStepKind::goes_on:
      name(step.node_word);
      out_ << " goes on with ";
      return name(step.other);
    case DecideStepKind::switches:
      name(step.node_word);
      out_ << " switches to ";
      return name(step.other);
    case DecideStepKind::chosen:
      name(step.node_word);
      out_ << " (" << policy_of(placed_at(step.node_word)) << ") has chosen ";
      name(step.other);
      out_ << ", value " << step.value;
      return;
    case DecideStepKind::refused_all:
      name(step.node_word);
      out_ << " finds no child that accepts";
      return;
    default:
      return asked(step);
  }
}

// The answer of a child that is asked.
void Printer::asked(const DecideStep& step) const {
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
      out_ << (is_free ? ": no preconditions; " : ": preconditions passed; ")
           << (step.value > 0 ? "accepts, value " : "refuses, value ") << step.value;
    }
  }
}

// ---- Trees

// The level of a decider that is active at this place; for the node of a shared decider itself, at any place. kNone if
// it is not active.
std::uint32_t Printer::level_of(const Placed& placed) const {
  for (std::uint32_t i = 0; i < agent_.level_count(); ++i) {
    const Placed active = agent_.level(i);
    if (active.placement == placed.placement || (placed.placement == placed.node && active.node == placed.node)) {
      return i;
    }
  }
  return layout::kNone;
}

void Printer::line(const Placed& placed, std::uint32_t index, std::uint32_t depth, std::uint32_t level) const {
  out_ << (level != layout::kNone ? "* " : "  ");
  out_.indent(depth) << std::uint64_t{index} << " ";
  name(placed);
  const bool is_shared = placed.placement != placed.node;
  out_ << (is_shared ? ", shared " : ", ") << (placed.is_group() ? "group, " : "decider") << policy_of(placed);
  if (level != layout::kNone) {
    out_ << ", active for ";
    active_for(level);
  }
  if (placed.decider->behavior != 0) {
    out_ << ", behavior ";
    behavior(*placed.decider);
  }
  if (placed.is_group() && level != layout::kNone && level + 1 < agent_.level_count()) {
    out_ << ", active child " << std::uint64_t{child_index(placed.node, agent_.level(level + 1).placement)};
  }
  out_ << "\n";
}

void Printer::path() const {
  for (std::uint32_t i = 0; i < agent_.level_count(); ++i) {
    const Placed placed = agent_.level(i);
    line(placed, i > 0 ? child_index(agent_.level(i - 1).node, placed.placement) : 0, i, i);
  }
}

// All deciders of one unit.
void Printer::unit(const Placed& root) const {
  for (const std::uint32_t* node = root.node; node != root.end(); node += kDeciderWords) {
    const Placed placed = tree_.placed(node);
    std::uint32_t depth = 0;
    for (const std::uint32_t* above = node; above != root.node; above = parent_of(above)) ++depth;
    const std::uint32_t index = node != root.node ? child_index(parent_of(node), node) : 0;
    line(placed, index, depth, level_of(placed));
  }
}

void Printer::all() const {
  unit(tree_.root());
  for (std::uint32_t i = tree_.record.first_unit; i < tree_.common.unit; ++i) {
    unit(tree_.placed(unit_root(tree_.asset, i)));
  }
}

}  // namespace

}  // namespace espalier

using namespace espalier;

unsigned espalier_step_level(espalier_decide_step_kind kind) {
  if (kind <= DecideStepKind::activated) return 1;
  if (kind <= DecideStepKind::overrun) return 2;
  if (kind <= DecideStepKind::end) return 3;
  return kind <= DecideStepKind::switches ? 4 : 5;
}

void espalier_print_step(espalier_tree tree, const void* block, const espalier_decide_step* step, uint64_t clock_us,
                         uint32_t agent, espalier_write write, void* user) {
  if (!Check(__func__).tree_of(tree, EngineId::decide).block(tree, block).given(step, "the step is null")) return;
  const Writer writer = {write, user};
  Printer(tree, block, clock_us, writer).step(*step, agent);
}

void espalier_debug_print(espalier_tree tree, const void* block, uint64_t clock_us, bool active_only,
                          espalier_write write, void* user) {
  if (!Check(__func__).tree_of(tree, EngineId::decide).block(tree, block)) return;
  const Writer writer = {write, user};
  const Printer printer(tree, block, clock_us, writer);
  if (active_only) return printer.path();
  printer.all();
}
