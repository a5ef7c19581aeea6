// A server: an agent's tree, and the clients that look at it. See espalier/serving.h.
#pragma once
#include <espalier/serving.h>

#include "serving/memory.h"
#include "serving/peer.h"
#include "serving/statuses.h"

struct espalier_server {};

namespace espalier::serving {

inline constexpr std::size_t kTreeIdBytes = 16;

// What the options say, with what they leave open.
struct Sizes {
  std::uint32_t peer_count = 0;
  std::uint32_t hook_count = 0;
  std::size_t request_bytes = 0;
  std::size_t reply_bytes = 0;
  std::uint32_t node_count = 0;   // most of any tree of the asset
  std::uint32_t board_count = 0;  // the same
  std::size_t block_bytes = 0;    // the same

  bool is_valid() const { return peer_count != 0; }
  std::size_t memory_bytes() const;
};
Sizes sizes_of(const Asset& asset, const espalier_server_options& options);

class Server : public espalier_server {
 public:
  Server(const Tree& tree, const LiveTree& live, std::string_view xml, const espalier_server_options& options,
         const Sizes& sizes, Memory memory);

  Peer* find_peer(std::uint32_t peer) { return peer < peer_count_ ? peers_ + peer : nullptr; }
  // Answers what the peer has asked, as far as there is room.
  void serve(Peer& peer);

  const Watcher& watcher(const void* block);
  void update(const void* block);
  bool hold();
  // Of the agent that is watched: is the result of this call replaced?
  bool replaces(const Call& call, espalier_result* result);

  // ---- For requests

  const Tree& tree() const { return tree_; }
  std::string_view xml() const { return xml_; }
  const void* block() const { return block_; }
  unsigned char* board_marks() { return board_marks_; }
  Statuses& statuses() { return statuses_; }
  const Statuses& statuses() const { return statuses_; }
  Changes& changes() { return changes_; }
  Hooks& hooks() { return hooks_; }
  std::string_view tree_id() const { return {tree_id_, kTreeIdBytes}; }

 private:
  void set_tree_id(const espalier_server_options& options);
  void send_notices();

  const Tree tree_;
  const std::string_view xml_;
  const Clock clock_;
  const std::uint32_t peer_count_;
  unsigned char* const block_;  // a copy
  unsigned char* const board_marks_;
  Changes changes_;
  Hooks hooks_;
  Statuses statuses_;
  Peer* const peers_;
  char tree_id_[kTreeIdBytes];
  unsigned char random_[8];
  std::uint64_t last_request_us_;
  const void* watched_ = nullptr;  // the block of the update that runs
  Watcher watcher_;
};

// Answers a request into the peer's output.
void answer(Server& server, Peer& peer, const Message& request);

}  // namespace espalier::serving
