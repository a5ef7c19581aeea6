// Agents: their start and end, variables and signals, and updates.
#include <cstring>

#include "decide.h"
#include "rule.h"
#include "store.h"
#include "tick.h"
#include "update.h"

namespace espalier {
namespace {

unsigned char* bytes_of(void* block) { return static_cast<unsigned char*>(block); }
const unsigned char* bytes_of(const void* block) { return static_cast<const unsigned char*>(block); }

// Returns whether the value is another than before.
bool set_variable(const layout::Tree& record, unsigned char* agent, std::uint32_t variable, bool value) {
  if (load_bit(agent, variable) == value) return false;
  store_bit(agent, variable, value);
  if (record.dirty_bit != layout::kNone) store_bit(agent, record.dirty_bit, true);
  return true;
}

}  // namespace

void assign_variables(const Tree& tree, unsigned char* agent, std::uint32_t signal, const ChangeListener& listener) {
  const Asset& asset = *tree.asset;
  const layout::Tree& record = tree_record(tree);
  const layout::Signal& entry =
      records<layout::Signal>(asset, layout::SectionId::signals)[record.first_signal + signal];
  const layout::Assignment* assignments = records<layout::Assignment>(asset, layout::SectionId::assignments);
  for (std::uint32_t i = 0; i < entry.assignment_count; ++i) {
    const layout::Assignment& assignment = assignments[entry.first_assignment + i];
    const bool value = holds(asset, assignment.condition, agent);
    if (set_variable(record, agent, assignment.variable, value) && listener.changed != nullptr) {
      listener.changed(listener.user, assignment.variable, value);
    }
  }
}

std::size_t agent_bytes(const Tree& tree) { return tree_record(tree).agent_bytes; }

std::size_t shared_bytes(const Tree& tree) { return tree_record(tree).shared_bytes; }

void start(const Tree& tree, void* block) {
  const layout::Tree& record = tree_record(tree);
  if (!has_image(family_of(tree))) {
    std::memset(block, 0, record.agent_bytes);
    return;
  }
  std::memcpy(block, records<unsigned char>(*tree.asset, layout::SectionId::images) + record.image, record.agent_bytes);
}

void stop(const Tree& tree, void* block, const Host& host) {
  const Family family = family_of(tree);
  if (family == Family::tick) return stop_ticking(tree, block, host);
  if (family == Family::rule) return stop_rules(tree, block, host);
  if (family == Family::decide) return stop_deciders(tree, block, host);
  if (family == Family::store) return stop_storing(tree, block, host);
  const layout::Tree& record = tree_record(tree);
  unsigned char* agent = bytes_of(block);
  const std::uint32_t leaf = load_leaf(record, agent);
  store_leaf(record, agent, leaf_mask(record));
  call_behavior(tree, agent, leaf, &Behavior::destruct, host);
  std::memset(agent + record.state_offset, 0, record.state_bytes);
}

void restore(const Tree& tree, void* block, const void* saved, const Host& host) {
  if (is_storing(tree)) return;
  if (is_ticking(tree)) exchange_places(tree, block, saved, host);
  std::memcpy(block, saved, tree_record(tree).agent_bytes);
}

bool variable(const Tree&, const void* block, std::uint32_t variable) { return load_bit(bytes_of(block), variable); }

void set(const Tree& tree, void* block, std::uint32_t variable, bool value) {
  set_variable(tree_record(tree), bytes_of(block), variable, value);
}

void signal_watched(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                    void (*changed)(void* user, std::uint32_t variable, bool value), void* user) {
  const Family family = family_of(tree);
  if (family == Family::tick) return raise(TickAgent(tree, block), signal, host, data, {changed, user});
  if (family == Family::decide) {
    return raise_stimuli(tree, block, signal, host.clock_us, static_cast<const StimulusData*>(data));
  }
  assign_variables(tree, bytes_of(block), signal, {changed, user});
}

void signal(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data) {
  signal_watched(tree, block, signal, host, data, nullptr, nullptr);
}

Result update(const Tree& tree, void* block, const Host& host) {
  const Family family = family_of(tree);
  if (family == Family::tick) return update_ticking(tree, block, 0, 1, host);
  if (family == Family::rule) return update_rules(tree, block, 0, 1, host);
  if (family == Family::decide) return update_deciders(tree, block, 0, 1, host);
  if (family == Family::store) return update_storing(tree, block, 0, 1, host);
  if (!needs_evaluation(tree_record(tree), bytes_of(block))) return Result::running;
  return evaluate(tree, bytes_of(block), host, NoWatch{});
}

void update_all(const Tree& tree, void* blocks, std::size_t stride_bytes, std::size_t count, const Host& host) {
  const layout::Tree record = tree_record(tree);  // a copy, which the host's calls cannot be thought to change
  unsigned char* agent = bytes_of(blocks);
  const Family family = family_of(tree);
  if (family != Family::select) {
    const auto update_family = family == Family::tick     ? update_ticking
                               : family == Family::rule   ? update_rules
                               : family == Family::decide ? update_deciders
                                                          : update_storing;
    update_family(tree, blocks, stride_bytes, count, host);
    return;
  }
  for (std::size_t i = 0; i < count; ++i, agent += stride_bytes) {
    if (needs_evaluation(record, agent)) evaluate(tree, agent, host, NoWatch{});
  }
}

std::uint32_t current_leaf(const Tree& tree, const void* block) {
  const layout::Tree& record = tree_record(tree);
  if (record.leaf_count == 0) return kNoLeaf;
  const std::uint32_t leaf = load_leaf(record, bytes_of(block));
  return leaf < record.leaf_count ? leaf : kNoLeaf;
}

std::uint32_t leaf_count(const Tree& tree) { return tree_record(tree).leaf_count; }

std::uint32_t leaf_behavior(const Tree& tree, std::uint32_t leaf) {
  return records<std::uint16_t>(*tree.asset, layout::SectionId::leaves)[tree_record(tree).first_leaf + leaf];
}

std::uint32_t current_behavior(const Tree& tree, const void* block) {
  const std::uint32_t leaf = current_leaf(tree, block);
  return leaf == kNoLeaf ? kNoBehavior : leaf_behavior(tree, leaf);
}

}  // namespace espalier
