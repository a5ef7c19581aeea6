// What the functions for all agents need of trees of deciders.
#pragma once
#include "core/engine.h"
#include "decide/tree.h"

namespace espalier {

// See Engine.
Result update_deciders(const Tree& tree, const Batch& agents);
void stop_deciders(const Tree& tree, void* block, const Host& host);
// Sets the stimuli of a signal.
void raise_stimuli(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                   const Watcher* watcher);
void visit_deciders(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                    void* user);
unsigned char* generator_of_deciders(const Tree& tree, void* block);
bool check_deciders(const Tree& tree, const void* block, const void* shared);
void move_deciders(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                   const Host& to_host);

// The scratch memory of one update: its own where that is enough, else the host's. Null: that has none.
class DeciderScratch {
 public:
  DeciderScratch(const DeciderTree& tree, const Host& host)
      : bytes_(tree.record.scratch_bytes <= kStackScratchBytes ? own_ : static_cast<unsigned char*>(host.scratch)) {}
  DeciderScratch(const DeciderScratch&) = delete;
  DeciderScratch& operator=(const DeciderScratch&) = delete;

  unsigned char* bytes() const { return bytes_; }

 private:
  unsigned char* const bytes_;
  alignas(8) unsigned char own_[kStackScratchBytes];
};

}  // namespace espalier
