// Agents: their start and end, variables and signals, updates, and moves. What differs between kinds of trees is in
// engine.h.
#include <cstring>

#include "core/bytes.h"
#include "core/condition.h"
#include "core/engine.h"
#include "core/variables.h"
#include "core/watch.h"

namespace espalier {
namespace {

unsigned char* bytes_of(void* block) { return static_cast<unsigned char*>(block); }
const unsigned char* bytes_of(const void* block) { return static_cast<const unsigned char*>(block); }

void raise_signal(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                  const Watcher* watcher) {
  const Engine& engine = engine_of(tree);
  if (engine.signal != nullptr) engine.signal(tree, block, signal, host, data, watcher);
}

unsigned char* generator_of(const Tree& tree, void* block) {
  const Engine& engine = engine_of(tree);
  return engine.generator == nullptr ? nullptr : engine.generator(tree, block);
}

// Those that both have, by name. What comes of the changes is the engine's own.
void copy_variables(const Tree& from, const unsigned char* old_agent, const Tree& to, unsigned char* agent) {
  for (std::uint32_t i = 0; i < variable_count(from); ++i) {
    std::uint32_t found = 0;
    if (find_variable(to, variable_name(from, i), &found) != Status::ok) continue;
    store_bit(agent, found, load_bit(old_agent, i));
  }
}

}  // namespace

void assign_variables(const Tree& tree, unsigned char* agent, std::uint32_t signal, const Watcher* watcher) {
  const Asset& asset = *tree.asset;
  const layout::Tree& record = tree_record(tree);
  const layout::Signal& entry =
      records<layout::Signal>(asset, layout::SectionId::signals)[record.first_signal + signal];
  const layout::Assignment* assignments = records<layout::Assignment>(asset, layout::SectionId::assignments);
  for (std::uint32_t i = 0; i < entry.assignment_count; ++i) {
    const layout::Assignment& assignment = assignments[entry.first_assignment + i];
    const bool value = holds(asset, assignment.condition, agent);
    if (set_variable(record, agent, assignment.variable, value)) {
      tell_changed(watcher, assignment.variable, value);
    }
  }
}

void signal_variables(const Tree& tree, void* block, std::uint32_t signal, const Host&, const void*,
                      const Watcher* watcher) {
  assign_variables(tree, bytes_of(block), signal, watcher);
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

void stop(const Tree& tree, void* block, const Host& host) { engine_of(tree).stop(tree, block, host); }

void restore(const Tree& tree, void* block, const void* saved, const Host& host) {
  if (family_of(tree) == Family::store) return;
  const Engine& engine = engine_of(tree);
  if (engine.restore != nullptr) engine.restore(tree, block, saved, host);
  std::memcpy(block, saved, tree_record(tree).agent_bytes);
}

void start_shared(const Tree& tree, void* block) {
  const Engine& engine = engine_of(tree);
  if (engine.start_shared != nullptr) return engine.start_shared(tree, block);
  const std::size_t size_bytes = shared_bytes(tree);
  if (size_bytes > 0) std::memset(block, 0, size_bytes);  // else the block may be null
}

bool variable(const Tree&, const void* block, std::uint32_t variable) { return load_bit(bytes_of(block), variable); }

void set(const Tree& tree, void* block, std::uint32_t variable, bool value) {
  set_variable(tree_record(tree), bytes_of(block), variable, value);
}

void signal_watched(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                    void (*changed)(void* user, std::uint32_t variable, bool value), void* user) {
  Watcher watcher;
  watcher.user = user;
  watcher.changed = changed;
  raise_signal(tree, block, signal, host, data, &watcher);
}

void signal(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data) {
  raise_signal(tree, block, signal, host, data, nullptr);
}

Result update(const Tree& tree, void* block, const Host& host) {
  const Family family = family_of(tree);
  const Engine& engine = *tree.asset->engines[static_cast<std::size_t>(family)];
  if (family != Family::select) return engine.update(tree, block, 0, 1, host, nullptr);
  // Mostly nothing has changed: what is done first for a row of agents would take longer than this.
  return needs_evaluation(tree_record(tree), bytes_of(block)) ? engine.evaluate(tree, block, host, nullptr)
                                                              : Result::running;
}

Result update_watched(const Tree& tree, void* block, const Host& host, const Watcher& watcher) {
  return engine_of(tree).update(tree, block, 0, 1, host, &watcher);
}

void update_all(const Tree& tree, void* blocks, std::size_t stride_bytes, std::size_t count, const Host& host) {
  engine_of(tree).update(tree, blocks, stride_bytes, count, host, nullptr);
}

void visit_active(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word), void* user) {
  const Engine& engine = engine_of(tree);
  if (engine.visit_active != nullptr) engine.visit_active(tree, block, visit, user);
}

bool is_stopped(const Tree& tree, const void* block) {
  const Engine& engine = engine_of(tree);
  return engine.is_stopped != nullptr && engine.is_stopped(tree, block);
}

void seed(const Tree& tree, void* block, std::uint64_t seed) {
  unsigned char* generator = generator_of(tree, block);
  if (generator != nullptr) store_u64(generator, seed);
}

void move_agent(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                const Host& to_host) {
  start(to, to_block);
  const Engine& engine = engine_of(from);
  const bool is_same_family = family_of(from) == family_of(to);
  if (is_same_family) {
    engine.move(from, from_block, from_host, to, to_block, to_host);
  } else {
    engine.stop(from, from_block, from_host);
  }
  copy_variables(from, bytes_of(from_block), to, bytes_of(to_block));
  if (!is_same_family) return;
  const unsigned char* old_generator = generator_of(from, from_block);
  unsigned char* generator = generator_of(to, to_block);
  if (old_generator != nullptr && generator != nullptr) store_u64(generator, load_u64(old_generator));
}

Status check_agent(const Tree& tree, const void* block, const void* shared) {
  const Family family = family_of(tree);
  const std::size_t alignment = family == Family::rule ? alignof(std::uint32_t) : kAgentAlignment;
  if (reinterpret_cast<std::uintptr_t>(block) % alignment != 0) return Status::misaligned;
  return engine_of(tree).check(tree, block, shared) ? Status::ok : Status::damaged_agent;
}

Status check_shared(const Tree& tree, const void* shared) {
  if (reinterpret_cast<std::uintptr_t>(shared) % kAgentAlignment != 0) return Status::misaligned;
  const Engine& engine = engine_of(tree);
  return engine.check_shared == nullptr || engine.check_shared(tree, shared) ? Status::ok : Status::damaged_agent;
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
