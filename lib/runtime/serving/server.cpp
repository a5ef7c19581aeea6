// See server.h.
#include "serving/server.h"

#include "core/random.h"
#include "serving/entries.h"

namespace espalier::serving {
namespace {

constexpr std::uint32_t kMostPeers = 256;
constexpr std::uint32_t kMostHooks = 4096;
constexpr std::size_t kLeastRequestBytes = 256;
constexpr std::size_t kMostRequestBytes = std::size_t{1} << 20;
constexpr std::size_t kLeastReplyBytes = 1024;
constexpr std::size_t kMostReplyBytes = std::size_t{4} << 20;
constexpr std::size_t kStatusBytes = 3;
constexpr std::size_t kChangeBytes = 9;
constexpr std::size_t kHeadBytes = 64;  // of a reply without its second part
constexpr std::uint64_t kSilence_us = 5'000'000;

std::uint32_t or_else(std::uint32_t number, std::uint32_t otherwise) { return number == 0 ? otherwise : number; }

std::size_t usual_reply_bytes(std::uint32_t node_count) {
  constexpr std::size_t kUsual = 65536;
  const std::size_t statuses = kHeadBytes + kStatusBytes * node_count;
  static_assert(kUsual > kHeadBytes + kChangeBytes * kMostChanges);
  return statuses > kUsual ? statuses : kUsual;
}

}  // namespace

Sizes sizes_of(const Asset& asset, const espalier_server_options& options) {
  Sizes sizes;
  sizes.node_count = most_live_nodes(asset);
  sizes.hook_count = or_else(options.hook_count, 64);
  sizes.request_bytes = or_else(options.request_bytes, 4096);
  sizes.reply_bytes = options.reply_bytes == 0 ? usual_reply_bytes(sizes.node_count) : options.reply_bytes;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree{&asset, i};
    const std::uint32_t boards = board_count(tree);
    if (boards > sizes.board_count) sizes.board_count = boards;
    if (agent_bytes(tree) > sizes.block_bytes) sizes.block_bytes = agent_bytes(tree);
  }
  const bool is_valid = options.peer_count <= kMostPeers && sizes.hook_count <= kMostHooks &&
                        sizes.request_bytes >= kLeastRequestBytes && sizes.request_bytes <= kMostRequestBytes &&
                        sizes.reply_bytes >= kLeastReplyBytes && sizes.reply_bytes <= kMostReplyBytes;
  if (is_valid) sizes.peer_count = or_else(options.peer_count, 8);
  return sizes;
}

std::size_t Sizes::memory_bytes() const {
  // A reply begins with what the peer has put before its request.
  const std::size_t peer = sizeof(Peer) + room_of(request_bytes) + room_of(request_bytes + reply_bytes);
  return room_of(sizeof(Server)) + room_of(block_bytes) + room_of(board_count) +
         kMostChanges * room_of(sizeof(Change)) + room_of(hook_count * sizeof(Hook)) +
         Statuses::size_bytes(node_count) + peer_count * peer;
}

Server::Server(const Tree& tree, const LiveTree& live, std::string_view xml, const espalier_server_options& options,
               const Sizes& sizes, Memory memory)
    : tree_(tree),
      xml_(xml),
      clock_{options.now_us, options.user},
      peer_count_(sizes.peer_count),
      block_(memory.take(agent_bytes(tree))),
      board_marks_(memory.take(board_count(tree))),
      changes_(memory.take_array<Change>(kMostChanges), clock_),
      hooks_(memory.take_array<Hook>(sizes.hook_count), sizes.hook_count,
             (options.flags & ESPALIER_SERVER_ALLOW_REPLACE) != 0),
      statuses_(tree, live, changes_, hooks_, memory),
      peers_(memory.take_array<Peer>(sizes.peer_count)),
      last_request_us_(clock_.now()) {
  for (std::uint32_t i = 0; i < peer_count_; ++i) {
    char* const input = reinterpret_cast<char*>(memory.take(sizes.request_bytes));
    char* const output = reinterpret_cast<char*>(memory.take(sizes.request_bytes + sizes.reply_bytes));
    peers_[i] = Peer(input, sizes.request_bytes, output, sizes.request_bytes + sizes.reply_bytes);
  }
  start(tree, block_);
  set_tree_id(options);
  watcher_.user = this;
  watcher_.node = [](void* user, const espalier_node_step* step) {
    Server& server = *static_cast<Server*>(user);
    server.statuses_.take_step(*step, server.watched_);
  };
}

void Server::set_tree_id(const espalier_server_options& options) {
  store_u64(random_, last_request_us_ ^ reinterpret_cast<std::uintptr_t>(this));
  std::memcpy(tree_id_, options.tree_id, sizeof tree_id_);
  unsigned is_given = 0;
  for (const std::uint8_t byte : options.tree_id) is_given |= byte;
  if (is_given != 0) return;
  auto* const bytes = reinterpret_cast<unsigned char*>(tree_id_);
  store_u64(bytes, next_random(random_));
  store_u64(bytes + 8, next_random(random_));
  // A random UUID.
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3F) | 0x80);
}

void Server::serve(Peer& peer) {
  for (Message request; peer.next_request(&request);) {
    last_request_us_ = clock_.now();
    hooks_.wake();
    answer(*this, peer, request);
    peer.end_request();
  }
}

const Watcher& Server::watcher(const void* block) {
  watched_ = block;
  return watcher_;
}

void Server::update(const void* block) {
  std::memcpy(block_, block, agent_bytes(tree_));
  statuses_.read(block);
  send_notices();
}

void Server::send_notices() {
  hooks_.each_notice([this](std::uint16_t uid) {
    char header[kHeaderBytes] = {2, 'N'};
    const std::uint64_t id = next_random(random_);
    std::memcpy(header + 2, &id, sizeof header - 2);
    const NumberText text(std::uint64_t{uid});
    for (std::uint32_t i = 0; i < peer_count_; ++i) peers_[i].notify({header, sizeof header}, text.text());
  });
}

bool Server::hold() {
  const std::uint64_t now_us = clock_.now();
  if (now_us > last_request_us_ && now_us - last_request_us_ > kSilence_us) hooks_.sleep();
  return hooks_.hold();
}

bool Server::replaces(const Call& call, espalier_result* result) {
  const bool is_other = call.tree.index != tree_.index || (watched_ != nullptr && call.agent != watched_);
  const std::uint16_t uid = is_other ? std::uint16_t{0} : statuses_.uid_of(call.node_word);
  return uid != 0 && hooks_.replace(uid, result);
}

namespace {

Server& server_of(espalier_server* server) { return *static_cast<Server*>(server); }

}  // namespace
}  // namespace espalier::serving

using namespace espalier;
using namespace espalier::serving;

const char* espalier_tree_xml(espalier_tree tree, size_t* size_bytes) {
  LiveTree live;
  if (!find_live_tree(tree, &live)) return nullptr;
  *size_bytes = live.xml.size();
  return live.xml.data();
}

size_t espalier_server_bytes(const espalier_asset* asset, const espalier_server_options* options) {
  const Sizes sizes = sizes_of(*asset, *options);
  return sizes.is_valid() ? sizes.memory_bytes() : 0;
}

espalier_status espalier_server_begin(espalier_tree tree, const char* xml, size_t xml_bytes,
                                      const espalier_server_options* options, void* memory, espalier_server** server) {
  const Sizes sizes = sizes_of(*tree.asset, *options);
  if (!sizes.is_valid()) return ESPALIER_TOO_LARGE;
  if (options->now_us == nullptr) return ESPALIER_MISSING_BINDING;
  LiveTree live;
  if (!find_live_tree(tree, &live)) return ESPALIER_NOT_FOUND;
  const std::string_view shown = xml == nullptr ? live.xml : std::string_view(xml, xml_bytes);
  Memory rest(static_cast<unsigned char*>(memory) + room_of(sizeof(Server)));
  *server = new (memory) Server(tree, live, shown, *options, sizes, rest);
  return ESPALIER_OK;
}

void espalier_server_connect(espalier_server* server, uint32_t peer) {
  if (Peer* const found = server_of(server).find_peer(peer)) found->connect();
}

espalier_status espalier_server_feed(espalier_server* server, uint32_t peer, const void* bytes, size_t size_bytes) {
  Peer* const found = server_of(server).find_peer(peer);
  if (found == nullptr) return ESPALIER_NOT_FOUND;
  for (std::string_view rest(static_cast<const char*>(bytes), size_bytes);;) {
    if (found->stage() == Stage::closed || found->stage() == Stage::failed) return ESPALIER_MALFORMED;
    server_of(server).serve(*found);  // answers may have been taken since, which makes room
    const std::size_t taken = found->receive(rest);
    server_of(server).serve(*found);
    rest.remove_prefix(taken);
    if (rest.empty()) return found->fault() == nullptr ? ESPALIER_OK : ESPALIER_MALFORMED;
    if (taken == 0) found->fail("it sends more requests than it takes answers");
  }
}

size_t espalier_server_take(espalier_server* server, uint32_t peer, void* bytes, size_t size_bytes) {
  Peer* const found = server_of(server).find_peer(peer);
  if (found == nullptr) return 0;
  std::size_t taken = 0;
  for (;;) {
    server_of(server).serve(*found);  // the next request, when all of an answer was taken
    const std::size_t more = found->take(static_cast<char*>(bytes) + taken, size_bytes - taken);
    taken += more;
    if (more == 0 || taken == size_bytes) return taken;
  }
}

void espalier_server_disconnect(espalier_server* server, uint32_t peer) {
  if (Peer* const found = server_of(server).find_peer(peer)) found->disconnect();
}

const char* espalier_server_fault(const espalier_server* server, uint32_t peer) {
  const Peer* const found = server_of(const_cast<espalier_server*>(server)).find_peer(peer);
  return found == nullptr ? "there is no such peer" : found->fault();
}

const espalier_watcher* espalier_server_watcher(espalier_server* server, const void* block) {
  return &server_of(server).watcher(block);
}

bool espalier_server_update(espalier_server* server, const void* block, const espalier_host*) {
  server_of(server).update(block);
  return server_of(server).hold();
}

bool espalier_server_replaces(espalier_server* server, const espalier_call* call, espalier_result* result) {
  return server_of(server).replaces(*call, result);
}

bool espalier_server_holds(espalier_server* server) { return server_of(server).hold(); }
