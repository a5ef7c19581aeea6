// Agents: starting, stopping, variables, signals, updates and moves. Functions that differ between kinds of trees are
// called through engine.h.
#include <cstring>

#include "core/bytes.h"
#include "core/check.h"
#include "core/condition.h"
#include "core/engine.h"
#include "core/recorded.h"
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

// The 8 bytes of an agent's random number generator; null if its tree draws no numbers.
unsigned char* generator_of(const Tree& tree, void* block) {
  const layout::Part* part = find_part(tree, PartKind::generator);
  return part == nullptr || part->count == 0 ? nullptr : bytes_of(block) + offset_bytes(*part);
}

// Copies one element of a part: a bit or whole bytes.
void copy_one(const layout::Part& from, const unsigned char* old_agent, std::uint32_t index, const layout::Part& to,
              unsigned char* agent, std::uint32_t found) {
  if (to.bits == 1) return store_bit(agent, to.offset_bits + found, load_bit(old_agent, from.offset_bits + index));
  const std::size_t size_bytes = to.bits / 8;
  std::memcpy(agent + offset_bytes(to) + size_bytes * found, old_agent + offset_bytes(from) + size_bytes * index,
              size_bytes);
}

// The espalier_kind for the names of a part.
espalier_kind kind_of_names(layout::SectionId names) {
  return names == layout::SectionId::timestamps ? ESPALIER_TIMESTAMPS
         : names == layout::SectionId::stimuli  ? ESPALIER_STIMULI
                                                : ESPALIER_VARIABLES;
}

// Copies the parts that both versions of a tree have, by name or as a whole. The engine does the rest.
void copy_parts(const Tree& from, const unsigned char* old_agent, const Tree& to, unsigned char* agent) {
  const EngineParts rows(engine_id_of(from));
  const layout::Part* old_parts = parts_of(*from.asset, tree_record(from));
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const layout::Part* part = find_part(to, rows[i].kind);
    if (part == nullptr || rows[i].moved == PartMoved::own) continue;
    if (rows[i].kind != PartKind::variables && engine_id_of(from) != engine_id_of(to)) continue;
    for (std::uint32_t k = 0; k < old_parts[i].count; ++k) {
      std::uint32_t found = k;
      if (rows[i].moved == PartMoved::whole) {
        if (k >= part->count) break;
      } else {
        const espalier_kind kind = kind_of_names(static_cast<layout::SectionId>(rows[i].names));
        if (espalier_find(to, kind, espalier_name(from, kind, k), &found) != ESPALIER_OK) continue;
      }
      copy_one(old_parts[i], old_agent, k, *part, agent, found);
    }
  }
}

// A prepared tree that is not set to zeros, which would take longer than the rest: prepare() sets what updates read.
union UnsetPrepared {
  UnsetPrepared() {}
  Prepared prepared;
};

// In a function of its own: with its memory, the others would begin slower.
#ifdef __GNUC__
[[gnu::noinline]]
#endif
Result
update_prepared_once(const Tree& tree, void* block, const Host& host) {
  UnsetPrepared once;
  once.prepared.tree = tree;
  engine_of(tree).prepare(tree, &once.prepared);
  return once.prepared.internal_evaluate(&once.prepared, block, &host);
}

}  // namespace

void assign_variables(const Tree& tree, unsigned char* agent, std::uint32_t signal, const Watcher* watcher) {
  const Asset& asset = *tree.asset;
  const layout::Signal& entry =
      records<layout::Signal>(asset, layout::SectionId::signals)[tree_record(tree).first_signal + signal];
  const layout::Assignment* assignments = array<layout::Assignment>(asset, layout::SectionId::assignments);
  for (std::uint32_t i = 0; i < entry.assignment_count; ++i) {
    const layout::Assignment& assignment = assignments[entry.first_assignment + i];
    const bool value = holds(asset, assignment.condition, agent);
    if (set_variable(tree, agent, assignment.variable, value)) {
      tell_changed(watcher, assignment.variable, value);
    }
  }
}

void signal_variables(const Tree& tree, void* block, std::uint32_t signal, const Host&, const void*,
                      const Watcher* watcher) {
  assign_variables(tree, bytes_of(block), signal, watcher);
}

}  // namespace espalier

using namespace espalier;

size_t espalier_agent_bytes(espalier_tree tree) {
  if (!Check(__func__).tree(tree)) return 0;
  return tree_record(tree).agent_bytes;
}

size_t espalier_shared_bytes(espalier_tree tree) {
  if (!Check(__func__).tree(tree)) return 0;
  return tree_record(tree).shared_bytes;
}

void espalier_start(espalier_tree tree, void* block) {
  if (!Check(__func__).block(tree, block)) return;
  const layout::Tree& record = tree_record(tree);
  if (record.image == layout::kNone) {
    std::memset(block, 0, record.agent_bytes);
    return;
  }
  std::memcpy(block, array<unsigned char>(*tree.asset, layout::SectionId::images) + record.image, record.agent_bytes);
}

void espalier_stop(espalier_tree tree, void* block, const espalier_host* host) {
  if (!Check(__func__).agent(tree, block).host(host)) return;
  if (host->recorder != nullptr) return host->recorder->calls->stop(tree, block, host);
  engine_of(tree).stop(tree, block, *host);
}

void espalier_restore(espalier_tree tree, void* block, const void* saved, const espalier_host* host) {
  if (!Check(__func__).agent(tree, block).agent(tree, saved).host(host)) return;
  if (engine_id_of(tree) == EngineId::store) return;
  const Engine& engine = engine_of(tree);
  if (engine.restore != nullptr) engine.restore(tree, block, saved, *host);
  std::memcpy(block, saved, tree_record(tree).agent_bytes);
}

void espalier_start_shared(espalier_tree tree, void* block) {
  if (!Check(__func__).tree(tree)) return;
  const Engine& engine = engine_of(tree);
  if (engine.start_shared != nullptr) return engine.start_shared(tree, block);
  const std::size_t size_bytes = shared_bytes(tree);
  if (size_bytes == 0 || !Check(__func__).given(block, "the shared block is null")) return;
  std::memset(block, 0, size_bytes);
}

bool espalier_variable(espalier_tree tree, const void* block, uint32_t variable) {
  if (!Check(__func__).block(tree, block).id(tree, ESPALIER_VARIABLES, variable)) return false;
  return load_bit(bytes_of(block), variable);
}

void espalier_set(espalier_tree tree, void* block, uint32_t variable, bool value) {
  if (!Check(__func__).block(tree, block).id(tree, ESPALIER_VARIABLES, variable)) return;
  set_variable(tree, bytes_of(block), variable, value);
}

void espalier_signal_watched(espalier_tree tree, void* block, uint32_t signal, const espalier_host* host,
                             const void* data, void (*changed)(void* user, uint32_t variable, bool value), void* user) {
  if (!Check(__func__).block(tree, block).id(tree, ESPALIER_SIGNALS, signal).host(host)) return;
  Watcher watcher;
  watcher.user = user;
  watcher.changed = changed;
  if (host->recorder != nullptr) return host->recorder->calls->signal(tree, block, signal, host, data, &watcher);
  raise_signal(tree, block, signal, *host, data, &watcher);
}

void espalier_signal(espalier_tree tree, void* block, uint32_t signal, const espalier_host* host, const void* data) {
  if (!Check(__func__).block(tree, block).id(tree, ESPALIER_SIGNALS, signal).host(host)) return;
  if (host->recorder != nullptr) return host->recorder->calls->signal(tree, block, signal, host, data, nullptr);
  raise_signal(tree, block, signal, *host, data, nullptr);
}

espalier_result espalier_update(espalier_tree tree, void* block, const espalier_host* host) {
  if (!Check(__func__).agent(tree, block).host(host)) return ESPALIER_ERROR;
  if (host->recorder != nullptr) return host->recorder->calls->update(tree, block, host, nullptr);
  const EngineId engine_id = engine_id_of(tree);
  if (engine_id != EngineId::select) return update_prepared_once(tree, block, *host);
  const Engine& engine = engine_at(*tree.asset, engine_id);
  // Usually nothing has changed; then the setup for a row of agents would take longer than this test.
  return SelectBlock(tree).needs_evaluation(bytes_of(block)) ? engine.evaluate(tree, block, *host, nullptr)
                                                             : Result::running;
}

espalier_result espalier_update_watched(espalier_tree tree, void* block, const espalier_host* host,
                                        const espalier_watcher* watcher) {
  if (!Check(__func__).agent(tree, block).host(host).given(watcher, "the watcher is null")) return ESPALIER_ERROR;
  if (host->recorder != nullptr) return host->recorder->calls->update(tree, block, host, watcher);
  return engine_of(tree).update(tree, {block, *host}, watcher);
}

void espalier_update_all(espalier_tree tree, void* blocks, size_t stride_bytes, size_t count,
                         const espalier_host* host) {
  if (!Check(__func__).agents(tree, blocks, stride_bytes, count).host(host)) return;
  if (host->recorder != nullptr) return host->recorder->calls->update_all(tree, blocks, stride_bytes, count, host);
  Host own = *host;
  engine_of(tree).update(tree, {blocks, stride_bytes, count, &own}, nullptr);
}

espalier_result espalier_internal_update(const espalier_prepared* prepared, void* block, const espalier_host* host) {
  return host->recorder->calls->update_prepared(prepared, block, host);
}

void espalier_prepare(espalier_tree tree, espalier_prepared* prepared) {
  if (!Check(__func__).tree(tree).given(prepared, "the prepared tree is null")) return;
  *prepared = {};
  prepared->tree = tree;
  engine_of(tree).prepare(tree, prepared);
}

void espalier_update_all_prepared(const espalier_prepared* prepared, void* blocks, size_t stride_bytes, size_t count,
                                  const espalier_host* host) {
  if (!Check(__func__).given(prepared, "the prepared tree is null").host(host)) return;
  if (!Check(__func__).agents(prepared->tree, blocks, stride_bytes, count)) return;
  if (host->recorder != nullptr)
    return host->recorder->calls->update_all(prepared->tree, blocks, stride_bytes, count, host);
  Host own = *host;
  const Batch agents(blocks, stride_bytes, count, &own);
  const Prepared copy = *prepared;  // the compiler knows that the host's calls do not change it
  if (engine_id_of(copy.tree) != EngineId::select) {
    engine_of(copy.tree).update(copy.tree, agents, nullptr);
    return;
  }
  for (std::size_t i = 0; (i = pass_quiet(copy, agents, i)) < count; ++i) {
    (void)copy.internal_evaluate(&copy, agents.block(i), &agents.host(i));
  }
}

void espalier_visit_active(espalier_tree tree, const void* block, void (*visit)(void* user, uint32_t node_word),
                           void* user) {
  if (!Check(__func__).block(tree, block)) return;
  const Engine& engine = engine_of(tree);
  if (engine.visit_active != nullptr) engine.visit_active(tree, block, visit, user);
}

bool espalier_is_stopped(espalier_tree tree, const void* block) {
  if (!Check(__func__).block(tree, block)) return false;
  const Engine& engine = engine_of(tree);
  return engine.is_stopped != nullptr && engine.is_stopped(tree, block);
}

void espalier_seed(espalier_tree tree, void* block, uint64_t seed) {
  if (!Check(__func__).block(tree, block)) return;
  unsigned char* generator = generator_of(tree, block);
  if (generator != nullptr) store_u64(generator, seed);
}

void espalier_move_agent(espalier_tree from, void* from_block, const espalier_host* from_host, espalier_tree to,
                         void* to_block, const espalier_host* to_host) {
  if (!Check(__func__).agent(from, from_block).host(from_host).block(to, to_block).host(to_host)) return;
  start(to, to_block);
  const Engine& engine = engine_of(from);
  if (engine_id_of(from) == engine_id_of(to) && engine.move != nullptr) {
    engine.move(from, from_block, *from_host, to, to_block, *to_host);
  } else {
    engine.stop(from, from_block, *from_host);
  }
  copy_parts(from, bytes_of(from_block), to, bytes_of(to_block));
}

espalier_status espalier_check_agent(espalier_tree tree, const void* block, const void* shared) {
  if (!Check(__func__).tree(tree).given(block, "the block is null")) return ESPALIER_DAMAGED_AGENT;
  const EngineId engine_id = engine_id_of(tree);
  if (reinterpret_cast<std::uintptr_t>(block) % agent_alignment(engine_id) != 0) return ESPALIER_MISALIGNED;
  return engine_of(tree).check(tree, block, shared) ? ESPALIER_OK : ESPALIER_DAMAGED_AGENT;
}

espalier_status espalier_check_shared(espalier_tree tree, const void* shared) {
  if (!Check(__func__).tree(tree)) return ESPALIER_DAMAGED_AGENT;
  if (reinterpret_cast<std::uintptr_t>(shared) % kAgentAlignment != 0) return ESPALIER_MISALIGNED;
  const Engine& engine = engine_of(tree);
  return engine.check_shared == nullptr || engine.check_shared(tree, shared) ? ESPALIER_OK : ESPALIER_DAMAGED_AGENT;
}

uint32_t espalier_current_leaf(espalier_tree tree, const void* block) {
  if (!Check(__func__).block(tree, block)) return kNoLeaf;
  if (engine_id_of(tree) != EngineId::select) return kNoLeaf;
  const SelectBlock own(tree);
  const std::uint32_t leaf = own.leaf(bytes_of(block));
  return leaf < own.leaf_count ? leaf : kNoLeaf;
}

uint32_t espalier_leaf_count(espalier_tree tree) {
  if (!Check(__func__).tree(tree)) return 0;
  return tree_record(tree).leaf_count;
}

uint32_t espalier_leaf_behavior(espalier_tree tree, uint32_t leaf) {
  if (!Check(__func__).tree(tree)) return kNoBehavior;
  if (!Check(__func__).below(leaf, tree_record(tree).leaf_count, "the tree has no such leaf")) return kNoBehavior;
  return array<std::uint16_t>(*tree.asset, layout::SectionId::leaves)[tree_record(tree).first_leaf + leaf];
}

uint32_t espalier_current_behavior(espalier_tree tree, const void* block) {
  if (!Check(__func__).block(tree, block)) return kNoBehavior;
  const std::uint32_t leaf = current_leaf(tree, block);
  return leaf == kNoLeaf ? kNoBehavior : leaf_behavior(tree, leaf);
}
