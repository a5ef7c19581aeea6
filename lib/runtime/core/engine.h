// What an engine is: one row of functions. What is done for agents of any tree goes through the row of its engine,
// which the asset holds since it was opened; so a host links the engines that it names and no other.
#pragma once
#include "asset/verify.h"
#include "asset/view.h"

namespace espalier {

struct Engine {
  Family family;

  // Verifying. Null: nothing is to be done.
  bool (Verifier::*check_records)();  // what nodes and trees lead to, before they are looked at
  const char* (Verifier::*check_unit)(std::uint32_t unit, std::uint32_t* word);  // null, or what is wrong at `*word`
  bool (Verifier::*check_tree)(std::uint32_t tree);                              // behind what all trees have
  bool (Verifier::*check_all)();                                                 // behind all trees

  // Updates one agent for which needs_evaluation() is true. Engines that always look have none.
  Result (*evaluate)(const Tree& tree, void* block, const Host& host, const Watcher* watcher);
  // Updates `count` agents, `stride_bytes` apart. Of one agent it gives the result. `watcher`: see core/watch.h.
  Result (*update)(const Tree& tree, void* blocks, std::size_t stride_bytes, std::size_t count, const Host& host,
                   const Watcher* watcher);
  void (*stop)(const Tree& tree, void* block, const Host& host);
  void (*signal)(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                 const Watcher* watcher);
  // What restore() does beside copying the block. Null: nothing.
  void (*restore)(const Tree& tree, const void* block, const void* saved, const Host& host);
  // What move_agent() does between two trees of the family, beside variables and random numbers, which are copied after
  // it. `to_block` has been started.
  void (*move)(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
               const Host& to_host);
  // Of a block of any content, at a multiple of its alignment: what check_agent() promises. `shared` may be null.
  bool (*check)(const Tree& tree, const void* block, const void* shared);
  // Null: what is active is told otherwise.
  void (*visit_active)(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                       void* user);
  // Has the agent stopped for good? Null: agents of the engine never do.
  bool (*is_stopped)(const Tree& tree, const void* block);
  // The 8 bytes of an agent's random numbers; null, as the function itself may be: nothing draws.
  unsigned char* (*generator)(const Tree& tree, void* block);
  // Of a shared block. Null: it begins as zeros, and any content is safe.
  void (*start_shared)(const Tree& tree, void* shared);
  bool (*check_shared)(const Tree& tree, const void* shared);
};

inline const Engine& engine_of(const Tree& tree) {
  return *tree.asset->engines[static_cast<std::size_t>(family_of(tree))];
}

}  // namespace espalier
