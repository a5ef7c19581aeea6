// Decider trees of the model as a reader would produce them.
#include <algorithm>
#include <bit>
#include <map>

#include "payloads.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/decide.h"
#include "runtime_deciders_trees.h"

namespace espalier::test {
namespace {

Opcode opcode_of(const ModelDecider& decider) {
  constexpr Opcode kGroups[] = {opcode::decide_prioritized, opcode::decide_sequential, opcode::decide_random,
                                opcode::decide_shuffle, opcode::decide_scored};
  return decider.policy ? kGroups[static_cast<std::size_t>(*decider.policy)] : opcode::decide_behavior;
}

ir::WantedList wanted(const std::vector<ModelWord>& words) {
  ir::WantedList list;
  for (const ModelWord& word : words)
    list.words.push_back({static_cast<std::uint32_t>(word.index), word.is_wanted, {}});
  return list;
}

class DeciderIr {
 public:
  explicit DeciderIr(const ModelDeciderTree& source) : source_(source) {}

  DraftTree make() {
    tree_.name = source_.name;
    ir::Deciding& deciding = tree_.parts.emplace<ir::Deciding>();
    deciding.max_redecides = source_.max_redecides;
    for (const std::string& flag : source_.flags) tree_.variables.push_back({flag, false, {}});
    for (const ModelStimulus& stimulus : source_.stimuli) {
      deciding.stimuli.push_back({stimulus.name, stimulus.timeout_us, {}});
    }
    for (const ModelSignal& signal : source_.signals) add(signal);
    for (const ModelBehavior& behavior : source_.behaviors) {
      deciding.declared_behaviors.push_back({behavior.name, behavior.memory_bytes, {}});
    }
    std::uint32_t all_flags = 0;
    for (const ModelDecider& decider : source_.deciders) all_flags |= decider.behavior_flags;
    const auto used_bits = static_cast<std::uint32_t>(std::bit_width(all_flags));
    for (std::uint32_t bit = 0; bit < used_bits; ++bit) deciding.behavior_flags.push_back("x" + std::to_string(bit));
    for (const std::size_t shared : source_.shared) add_shared(shared);
    tree_.root = node(source_.root);
    return std::move(tree_);
  }

 private:
  void add(const ModelSignal& signal) {
    const auto same = [&](const ir::Signal& other) { return other.name == signal.name; };
    auto found = std::find_if(tree_.signals.begin(), tree_.signals.end(), same);
    if (found == tree_.signals.end()) found = tree_.signals.insert(found, ir::Signal{signal.name, {}, {}});
    found->assignments.push_back({static_cast<std::uint32_t>(signal.stimulus), 0, {}});
  }

  // The shared deciders that it uses come before it.
  void add_shared(std::size_t index) {
    if (shared_.count(index) != 0) return;
    add_shared_below(index);
    Draft made = node(index);
    std::vector<Draft>& shared = tree_.shared;
    shared_.emplace(index, static_cast<std::uint32_t>(shared.size()));
    shared.push_back(std::move(made));
  }
  void add_shared_below(std::size_t index) {
    for (const ModelChild& child : source_.deciders[index].children) {
      if (is_shared(child.decider)) {
        add_shared(child.decider);
      } else {
        add_shared_below(child.decider);
      }
    }
  }
  bool is_shared(std::size_t index) const {
    return std::find(source_.shared.begin(), source_.shared.end(), index) != source_.shared.end();
  }

  Draft node(std::size_t index, std::uint32_t weight = 1) {
    const ModelDecider& source = source_.deciders[index];
    ir::Decider decider;
    decider.flags_all = wanted(source.flags_all);
    decider.flags_any = wanted(source.flags_any);
    decider.stimuli_all = wanted(source.stimuli_all);
    decider.stimuli_any = wanted(source.stimuli_any);
    decider.every_us = source.every_us.value_or(0);
    decider.decide = source.decide;
    decider.behavior_flags = source.behavior_flags;
    decider.block_bytes = source.block_bytes;
    decider.delegates = source.delegates;
    decider.decides_again = source.decides_on_redecide;
    Draft made = begin(opcode_of(source), source.name);
    if (source.behavior) {
      decider.behavior = source_.behaviors[*source.behavior].name;
      decider.memory_bytes = source_.behaviors[*source.behavior].memory_bytes;
    }
    made.payload = ir::PlacedDecider{weight, std::make_shared<const ir::Decider>(std::move(decider))};
    for (const ModelChild& child : source.children) {
      made.children.push_back(is_shared(child.decider) ? share(child.decider, child.weight)
                                                       : node(child.decider, child.weight));
    }
    return made;
  }
  Draft share(std::size_t index, std::uint32_t weight) {
    Draft made = begin(opcode::decide_share, source_.deciders[index].name);
    made.payload = ir::DeciderShare{weight, shared_.at(index)};
    return made;
  }
  Draft begin(Opcode opcode, const std::string& name) {
    Draft made;
    made.opcode = opcode;
    made.name = name;
    made.span = {0, next_begin_, next_begin_ + 1};
    ++next_begin_;
    return made;
  }

  const ModelDeciderTree& source_;
  DraftTree tree_;
  std::map<std::size_t, std::uint32_t> shared_;
  std::uint32_t next_begin_ = 0;
};

}  // namespace

DraftProject ir_of(const ModelDeciderTree& tree) {
  DraftProject project;
  project.trees.push_back(DeciderIr(tree).make());
  return project;
}

}  // namespace espalier::test
