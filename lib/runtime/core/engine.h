// An engine is one row of functions. Functions for agents of any tree call through the row of the tree's engine, which
// the asset got when it was opened; so a host links only the engines that it names.
#pragma once
#include "asset/verify.h"
#include "asset/view.h"

namespace espalier {

// Agents of one tree, `stride_bytes` apart, and the host as each of them sees it. Each agent has its own number, and
// its own group if the host gives one for each.
class Batch {
 public:
  Batch(void* block, const Host& host) : blocks_(block), stride_bytes_(0), count_(1), host_(&host) {}
  // `own`: a copy of the host, which is changed for each agent.
  Batch(void* blocks, std::size_t stride_bytes, std::size_t count, Host* own)
      : blocks_(blocks), stride_bytes_(stride_bytes), count_(count), host_(own), own_(own), first_(own->first_agent) {}

  std::size_t count() const { return count_; }
  std::size_t stride_bytes() const { return stride_bytes_; }
  unsigned char* block(std::size_t index) const { return static_cast<unsigned char*>(blocks_) + stride_bytes_ * index; }
  // The host, for fields that are the same for all agents.
  const Host& host() const { return *host_; }
  // The copy; null: of one agent there is none.
  Host* own_host() const { return own_; }
  const Host& host(std::size_t index) const {
    if (own_ != nullptr) {
      own_->first_agent = first_ + static_cast<std::uint32_t>(index);
      if (own_->groups != nullptr) own_->group = own_->groups[index];
    }
    return *host_;
  }

 private:
  void* blocks_;
  std::size_t stride_bytes_;
  std::size_t count_;
  const Host* host_;
  Host* own_ = nullptr;
  std::uint32_t first_ = 0;
};

// The first agent of a batch of agents that select, from `index` on, that does not certainly have its leaf as before,
// or their count. Four at a time: in large batches most agents are as before.
inline std::size_t pass_quiet(const Prepared& prepared, const Batch& agents, std::size_t index) {
  const std::uint32_t quiet_below = prepared.internal_numbers[1];
  const auto is_quiet = [&](const unsigned char* agent) {
    return espalier_internal_leaf(&prepared, agent) < quiet_below;
  };
  const std::size_t stride_bytes = agents.stride_bytes();
  const unsigned char* agent = agents.block(index);
  for (; index + 4 <= agents.count(); index += 4) {
    if (!is_quiet(agent) || !is_quiet(agent + stride_bytes) || !is_quiet(agent + 2 * stride_bytes) ||
        !is_quiet(agent + 3 * stride_bytes))
      break;
    agent += 4 * stride_bytes;
  }
  for (; index < agents.count() && is_quiet(agent); agent += stride_bytes) ++index;
  return index;
}

}  // namespace espalier

struct espalier_engine {
  using Asset = espalier::Asset;
  using Batch = espalier::Batch;
  using EngineId = espalier::EngineId;
  using Host = espalier::Host;
  using Prepared = espalier::Prepared;
  using Result = espalier::Result;
  using Tree = espalier::Tree;
  using Verifier = espalier::Verifier;
  using Watcher = espalier::Watcher;

  EngineId id;

  // Verifying. Null if there is nothing to do.
  bool (Verifier::*check_records)();  // records that nodes and trees refer to; called before these are checked
  const char* (Verifier::*check_unit)(std::uint32_t unit, std::uint32_t* word);  // null, or the fault at `*word`
  bool (Verifier::*check_tree)(std::uint32_t tree);                              // after the checks common to all trees
  bool (Verifier::*check_all)();                                                 // after all trees

  // Updates one agent for which needs_evaluation() is true. Null for engines that always evaluate.
  Result (*evaluate)(const Tree& tree, void* block, const Host& host, const Watcher* watcher);
  // A batch, or one agent that is watched: then it returns the result. `watcher`: see core/watch.h.
  Result (*update)(const Tree& tree, const Batch& agents, const Watcher* watcher);
  // Sets the private members of a prepared tree. Its internal_evaluate() updates one agent.
  void (*prepare)(const Tree& tree, Prepared* prepared);
  void (*stop)(const Tree& tree, void* block, const Host& host);
  void (*signal)(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                 const Watcher* watcher);
  // What restore() does in addition to copying the block. Null if nothing.
  void (*restore)(const Tree& tree, const void* block, const void* saved, const Host& host);
  // What move_agent() does between two trees of the engine, before the parts are copied (parts.def).
  // `to_block` has been started. Null if the host linked the engine without it; the old agent is then stopped.
  void (*move)(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
               const Host& to_host);
  // Implements check_agent() for an aligned block with any content. `shared` may be null.
  bool (*check)(const Tree& tree, const void* block, const void* shared);
  // Null if the engine reports its active nodes in another way.
  void (*visit_active)(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                       void* user);
  // Has the agent stopped permanently? Null if agents of the engine never do.
  bool (*is_stopped)(const Tree& tree, const void* block);
  // For the shared block. Null if it begins as zeros and any content is safe.
  void (*start_shared)(const Tree& tree, void* shared);
  bool (*check_shared)(const Tree& tree, const void* shared);
};

namespace espalier {

// The row of an engine that can move its agents.
constexpr Engine with_move(Engine row, decltype(Engine::move) move) {
  row.move = move;
  return row;
}

inline const Engine& engine_at(const Asset& asset, EngineId engine_id) { return *find_engine(asset, engine_id); }
inline const Engine& engine_of(const Tree& tree) { return engine_at(*tree.asset, engine_id_of(tree)); }

}  // namespace espalier
