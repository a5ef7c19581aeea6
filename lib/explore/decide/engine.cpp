// Trees of deciders: decision flags, stimuli and their timeouts, `every`; behaviours and Decide functions are the
// host's.
#include <algorithm>
#include <set>

#include "codegen/dump/listing.h"
#include "explore/engine.h"
#include "explore/engines.h"
#include "explore/given.h"
#include "explore/run.h"
#include "runtime/decide/tree.h"
#include "runtime/format/opcodes/decide.h"

namespace espalier::explore {
namespace {

// Calls visit(const Placed&) for each decider where it is defined: shared ones once.
template <typename Visit>
void visit_own_deciders(const DeciderTree& tree, const Visit& visit) {
  for (std::uint64_t number = 0; number < tree.record.node_count; ++number) {
    const Placed placed = tree.placed(number);
    if (placed.placement == placed.node) visit(placed);
  }
}

// The deciders whose values are compared: those among which a group chooses the one with the highest value, and those
// that give their value to a group which delegates.
class ComparedDeciders {
 public:
  explicit ComparedDeciders(const DeciderTree& tree) : tree_(tree) {
    visit_own_deciders(tree, [&](const Placed& group) {
      if (group.opcode() == opcode::decide_scored && group.decider->child_count > 1) add_children(group);
    });
  }
  bool has(const Placed& placed) const { return nodes_.count(placed.node) != 0; }

 private:
  void add_children(const Placed& group) {
    for (const std::uint32_t* child = group.first_child(); child != group.end(); child = end_of_decider(child)) {
      const Placed placed = tree_.placed(child);
      if (nodes_.insert(placed.node).second && placed.has(kDelegates)) add_children(placed);
    }
  }

  const DeciderTree& tree_;
  std::set<const std::uint32_t*> nodes_;
};

void visit_decide_questions(const Tree& view, const EngineRow::VisitQuestion& visit) {
  const DeciderTree tree(view);
  const ComparedDeciders compared(tree);
  visit_own_deciders(tree, [&](const Placed& placed) {
    const layout::Decider& decider = *placed.decider;
    if (decider.behavior != 0) {
      const std::uint32_t behavior = decider.behavior - 1;
      visit({.name = std::string(behavior_name(tree.asset, behavior)), .is_activated = true}, behavior,
            NodeAsks::behavior, tree.word_of(placed));
    }
    if (decider.decide != 0) {
      const std::uint32_t condition = decider.decide - 1;
      visit({.name = std::string(host_condition_name(tree.asset, condition)),
             .is_decided = true,
             .is_scored = compared.has(placed)},
            condition, NodeAsks::condition, tree.word_of(placed));
    }
  });
}

// Only tests of decision flags matter.
void visit_flag_tests(const Tree& view, const std::function<void(const FlagTest& test)>& visit) {
  const DeciderTree tree(view);
  const auto* preconditions = array<layout::Precondition>(tree.asset, layout::SectionId::preconditions);
  visit_own_deciders(tree, [&](const Placed& placed) {
    if (placed.decider->precondition == 0) return;
    const layout::Precondition& wanted = preconditions[placed.decider->precondition - 1];
    if (wanted.flags_all.mask != 0) visit({wanted.flags_all.mask, wanted.flags_all.value, false});
    if (wanted.flags_any.mask != 0) visit({wanted.flags_any.mask, wanted.flags_any.value, true});
  });
}

// A stimulus matters as long as it is present, and a decider that is not asked yet is passed over: something may be
// reached only by an update before the first of these times, which comes at once.
void find_decide_waits(const Side& side, const unsigned char* block, const unsigned char*,
                       std::vector<std::uint64_t>& waits_us) {
  const DeciderTree tree(side.tree);
  const DeciderAgent agent(tree, const_cast<unsigned char*>(block));
  const auto add = [&](std::uint64_t end_us) {
    if (end_us <= kNow) return;
    if (waits_us.empty()) waits_us.push_back(0);
    waits_us.push_back(end_us - kNow);
  };
  std::uint64_t stimuli = agent.stimuli();
  for (std::uint32_t i = 0; stimuli != 0; ++i, stimuli >>= 1) {
    if ((stimuli & 1) != 0 && tree.stimulus(i).timeout != layout::kNone) add(agent.timeout(tree.stimulus(i)));
  }
  if (tree.part<PartKind::timers>().count == 0) return;
  visit_own_deciders(tree, [&](const Placed& placed) {
    if (placed.decider->timer == layout::kNone) return;
    const std::uint64_t last = agent.timer(*placed.decider);
    if (last != 0) add(last - 1 + placed.decider->every_us);
  });
}

void add_decide_durations(const Side& side, std::vector<std::uint64_t>& durations_us) {
  const DeciderTree tree(side.tree);
  for (std::uint32_t i = 0; i < tree.part<PartKind::stimuli>().count; ++i) {
    if (tree.stimulus(i).timeout != layout::kNone) durations_us.push_back(tree.stimulus(i).timeout_us);
  }
  visit_own_deciders(tree, [&](const Placed& placed) {
    if (placed.decider->timer != layout::kNone) durations_us.push_back(placed.decider->every_us);
  });
}

// A time that has passed does not matter any more.
std::uint64_t settled_end(std::uint64_t end_us, std::uint64_t passed_us) {
  return end_us <= kNow + passed_us ? kNow : end_us - passed_us;
}

// Of an order only what is still to come matters; after its end a new one is drawn, as at first.
void settle_order(unsigned char* order, std::uint32_t child_count) {
  const std::uint32_t done = order[0] == 0 ? child_count : order[0] - 1u;
  if (done >= child_count) {
    std::memset(order, 0, 1 + std::size_t{child_count});
  } else {
    std::sort(order + 1, order + 1 + done);
  }
}

void add_decide_times(const Side& side, unsigned char* block, Settling& settling) {
  const auto add = [&](PartKind kind, std::uint64_t added) {
    const layout::Part& part = *find_part(side.tree, kind);
    for (std::uint32_t i = 0; i < part.count; ++i) {
      unsigned char* bytes = block + offset_bytes(part) + std::size_t{8} * i;
      if (load_u64(bytes) != 0) settling.times.push_back({bytes, added});
    }
  };
  add(PartKind::timeouts, 0);
  add(PartKind::timers, 1);
}

// What is not below the path's end, the times since when its levels are active, and the memory of behaviours, which the
// host of an exploration does not use, do not matter.
void settle_deciding(const Side& side, unsigned char* block, const unsigned char*, std::uint64_t passed_us,
                     Settling& settling) {
  const DeciderTree tree(side.tree);
  const DeciderAgent agent(tree, block);
  const auto bytes_of = [&](const layout::Part& part, std::size_t one_bytes) {
    return std::pair(block + offset_bytes(part), one_bytes * part.count);
  };
  const auto [path, path_bytes] = bytes_of(tree.part<PartKind::path>(), 8);
  const std::uint32_t level_count = agent.level_count();
  unsigned char* end = path;
  for (std::uint32_t level = 0; level < level_count; ++level, end += 8) store_u64(end, agent.number_at(level));
  std::memset(end, 0, path_bytes - static_cast<std::size_t>(end - path));
  agent.set_level_count(level_count);
  const auto [memory, memory_bytes] = bytes_of(tree.part<PartKind::memory>(), 1);
  std::memset(memory, 0, memory_bytes);
  if (tree.part<PartKind::generator>().count > 0) store_u64(agent.generator(), 0);

  const std::uint64_t stimuli = agent.stimuli();
  for (std::uint32_t i = 0; i < tree.part<PartKind::stimuli>().count; ++i) {
    const layout::Stimulus& stimulus = tree.stimulus(i);
    if (stimulus.timeout == layout::kNone) continue;
    const bool is_present = (stimuli >> i & 1) != 0;
    agent.set_timeout(stimulus, is_present ? settled_end(agent.timeout(stimulus), passed_us) : 0);
  }
  const bool has_state = tree.part<PartKind::timers>().count != 0 || tree.part<PartKind::orders>().count != 0;
  if (!has_state) return add_decide_times(side, block, settling);
  visit_own_deciders(tree, [&](const Placed& placed) {
    const layout::Decider& decider = *placed.decider;
    if (placed.opcode() == opcode::decide_shuffle) settle_order(agent.order(decider), decider.child_count);
    if (decider.timer == layout::kNone) return;
    const std::uint64_t last = agent.timer(decider);
    if (last == 0) return;
    const std::uint64_t end_us = settled_end(last - 1 + decider.every_us, passed_us);
    agent.set_timer(decider, end_us == kNow ? 0 : end_us - decider.every_us + 1);
  });
  add_decide_times(side, block, settling);
}

// A group that decides again after a child has failed, or that switches to a child which chooses for itself, goes on in
// the same way, however it came to that: by its place, what is masked, and the agent without its path below.
bool is_point_of_deciding(const Side& side, const unsigned char* block, const DecideStep& step,
                          std::vector<std::uint64_t>& failed, std::string* key) {
  const DeciderTree tree(side.tree);
  const DeciderAgent agent(tree, const_cast<unsigned char*>(block));
  if (step.kind == DecideStepKind::begin) failed.clear();
  if (step.kind == DecideStepKind::decides_again) failed.push_back(agent.number_at(step.depth + 1));
  const bool switches = step.kind == DecideStepKind::switches && side.choosing_nodes.count(step.other) != 0;
  if (key == nullptr || (step.kind != DecideStepKind::decides_again && !switches)) return false;
  key->assign(reinterpret_cast<const char*>(block), side.block_bytes);
  const auto clear = [&](const layout::Part& part, std::size_t one_bytes) {
    std::memset(key->data() + offset_bytes(part), 0, one_bytes * part.count);
  };
  clear(tree.part<PartKind::path>(), 8);
  clear(tree.part<PartKind::level_count>(), 2);
  clear(tree.part<PartKind::memory>(), 1);
  if (tree.part<PartKind::generator>().count > 0) clear(tree.part<PartKind::generator>(), 8);
  std::vector<std::uint64_t> words = {step.depth, switches ? 1u + step.other : 0u, failed.size()};
  for (std::uint32_t level = 0; level <= step.depth; ++level) words.push_back(agent.number_at(level));
  words.insert(words.end(), failed.begin(), failed.end());
  std::sort(words.end() - static_cast<std::ptrdiff_t>(failed.size()), words.end());
  key->append(reinterpret_cast<const char*>(words.data()), 8 * words.size());
  return true;
}

// Those that are not shared, so that their node tells their place, and that do not choose while they are asked.
void prepare_deciding(Side& side, const Facts&) {
  const DeciderTree tree(side.tree);
  std::set<const std::uint32_t*> shared;
  for (std::uint64_t number = 0; number < tree.record.node_count; ++number) {
    const Placed placed = tree.placed(number);
    if (placed.placement != placed.node) shared.insert(placed.node);
  }
  visit_own_deciders(tree, [&](const Placed& placed) {
    if (shared.count(placed.node) == 0 && !placed.has(kDelegates)) side.choosing_nodes.insert(tree.word_of(placed));
  });
}

std::uint64_t generator_of_deciding(const Side& side, const unsigned char* block) {
  const DeciderTree tree(side.tree);
  const DeciderAgent agent(tree, const_cast<unsigned char*>(block));
  return tree.part<PartKind::generator>().count > 0 ? load_u64(agent.generator()) : 0;
}

// ---- The host

// A behaviour that accepts is ticked in the same update, with the same answer.
bool activate_behavior(const Call* call) {
  Run& run = Run::of(call);
  return run.foresee(run.side().behavior_names[call->behavior], call->node_word, Answer::refuse) != Answer::refuse;
}

espalier_result tick_behavior(const Call* call) {
  const Answer answer = Run::of(call).ask_behavior(call);
  return answer == Answer::failure || answer == Answer::refuse ? Result::failure : Result::running;
}

double decide_by_answer(const Call* call) {
  const Answer answer = Run::of(call).ask_condition(call);
  return answer == Answer::success ? 1 : answer == Answer::two ? 2 : 0;
}

// The flags of its behaviour.
void read_behavior_flags(const Side& side, const Call& call, std::vector<Input>& inputs) {
  if (call.activation == nullptr) return;
  std::string names;
  for (std::uint32_t i = 0; i < layout::kMaxBehaviorFlags; ++i) {
    if ((call.activation->behavior_flags >> i & 1) == 0) continue;
    names += (names.empty() ? "" : ", ") + std::string(espalier_name(side.tree, ESPALIER_BEHAVIOR_FLAGS, i));
  }
  if (!names.empty()) inputs.push_back({"flags", names, names});
}

}  // namespace

constinit const EngineRow kDecideExploring = {
    .behavior = {.tick = tick_behavior, .activate = activate_behavior},
    .condition = {.decide = decide_by_answer},
    .questions = visit_decide_questions,
    .flag_tests = visit_flag_tests,
    .has_signals = true,
    .has_flags = true,
    .asks_anew = true,
    .is_point = is_point_of_deciding,
    .meets_often = true,
    .prepare = prepare_deciding,
    .inputs = read_behavior_flags,
    .waits = find_decide_waits,
    .durations = add_decide_durations,
    .generator = generator_of_deciding,
    .settle = settle_deciding,
};

}  // namespace espalier::explore
