// What an engine is: one row of functions. What is done for agents of any tree goes through the row of its engine,
// which the asset holds since it was opened; so a host links the engines that it names and no other.
#pragma once
#include "asset/verify.h"
#include "asset/view.h"

namespace espalier {

// Agents of one tree, `stride_bytes` apart, and the host as each of them sees it: of several, each has its own number,
// and its group where the host gives one for each.
class Batch {
 public:
  Batch(void* block, const Host& host) : blocks_(block), stride_bytes_(0), count_(1), host_(&host) {}
  // `own`: a copy of the host, which is changed for each agent.
  Batch(void* blocks, std::size_t stride_bytes, std::size_t count, Host* own)
      : blocks_(blocks), stride_bytes_(stride_bytes), count_(count), host_(own), own_(own), first_(own->first_agent) {}

  std::size_t count() const { return count_; }
  unsigned char* block(std::size_t index) const { return static_cast<unsigned char*>(blocks_) + stride_bytes_ * index; }
  // Of all agents but for what is their own.
  const Host& host() const { return *host_; }
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

}  // namespace espalier

struct espalier_engine {
  using Asset = espalier::Asset;
  using Batch = espalier::Batch;
  using EngineId = espalier::EngineId;
  using Host = espalier::Host;
  using Result = espalier::Result;
  using Tree = espalier::Tree;
  using Verifier = espalier::Verifier;
  using Watcher = espalier::Watcher;

  EngineId id;

  // Verifying. Null: nothing is to be done.
  bool (Verifier::*check_records)();  // what nodes and trees refer to, before these are checked
  const char* (Verifier::*check_unit)(std::uint32_t unit, std::uint32_t* word);  // null, or the fault at `*word`
  bool (Verifier::*check_tree)(std::uint32_t tree);                              // after what all trees have
  bool (Verifier::*check_all)();                                                 // after all trees

  // Updates one agent for which needs_evaluation() is true. Engines that always evaluate have none.
  Result (*evaluate)(const Tree& tree, void* block, const Host& host, const Watcher* watcher);
  // For one agent it returns the result. `watcher`: see core/watch.h.
  Result (*update)(const Tree& tree, const Batch& agents, const Watcher* watcher);
  void (*stop)(const Tree& tree, void* block, const Host& host);
  void (*signal)(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                 const Watcher* watcher);
  // What restore() does in addition to copying the block. Null: nothing.
  void (*restore)(const Tree& tree, const void* block, const void* saved, const Host& host);
  // What move_agent() does between two trees of the engine, before the parts are copied (parts.def).
  // `to_block` has been started. Null: the engine was given without it, and the old agent is stopped.
  void (*move)(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
               const Host& to_host);
  // Of a block of any content, at a multiple of its alignment: what check_agent() promises. `shared` may be null.
  bool (*check)(const Tree& tree, const void* block, const void* shared);
  // Null: the engine reports its active nodes in another way.
  void (*visit_active)(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                       void* user);
  // Has the agent stopped for good? Null: agents of the engine never do.
  bool (*is_stopped)(const Tree& tree, const void* block);
  // Of a shared block. Null: it begins as zeros, and any content is safe.
  void (*start_shared)(const Tree& tree, void* shared);
  bool (*check_shared)(const Tree& tree, const void* shared);
};

namespace espalier {

// The row of an engine that can move its agents.
constexpr Engine with_move(Engine row, decltype(Engine::move) move) {
  row.move = move;
  return row;
}

inline const Engine& engine_at(const Asset& asset, EngineId engine_id) {
  return *asset.internal_engines[static_cast<std::size_t>(engine_id)];
}
inline const Engine& engine_of(const Tree& tree) { return engine_at(*tree.asset, engine_id_of(tree)); }

}  // namespace espalier
