// The requests of clients, a row a letter.
#include "serving/entries.h"
#include "serving/server.h"
#include "serving/text.h"

namespace espalier::serving {
namespace {

constexpr unsigned kProtocol = 2;
constexpr std::size_t kReplyBytes = kHeaderBytes + kTreeIdBytes;
constexpr std::size_t kMostFaultBytes = 256;
constexpr std::string_view kTooLarge = "the answer is larger than this program's buffers";

// A reply: its first part, and perhaps a second one.
class Reply {
 public:
  Reply(Server& server, Peer& peer, const Message& request) : peer_(peer), output_(peer.output()) {
    output_.put(request.envelope);
    begin_ = output_.used_bytes();
    put_frame(0, kReplyBytes);
    output_.put_byte(kProtocol);
    output_.put(part_of(request.parts[0], 1));
    output_.put(server.tree_id());
  }

  // What is written from here on is the second part.
  Output& second() {
    if (!output_.is_whole()) return output_;
    first_head()[0] |= static_cast<char>(zmtp::kMore);
    second_head_ = output_.room(zmtp::kMostHeadBytes);
    second_begin_ = output_.used_bytes();
    return output_;
  }
  // The second part, which stays where it is.
  void set_second(std::string_view bytes) {
    second();
    if (!output_.is_whole()) return;
    zmtp::write_long_frame(0, bytes.size(), second_head_);
    second_head_ = nullptr;
    peer_.set_tail(bytes);
  }
  // Instead of what was written.
  void fail(std::string_view why) {
    constexpr std::string_view kError = "error";
    output_.rewind(begin_);
    put_frame(zmtp::kMore, kError.size());
    output_.put(kError);
    put_frame(0, why.size());
    output_.put(why);
    second_head_ = nullptr;
  }
  void end() {
    if (!output_.is_whole()) return fail(kTooLarge);
    if (second_head_ != nullptr) zmtp::write_long_frame(0, output_.used_bytes() - second_begin_, second_head_);
  }

 private:
  void put_frame(unsigned flags, std::size_t body_bytes) {
    char head[zmtp::kMostHeadBytes];
    const std::size_t head_bytes = zmtp::write_frame(flags, body_bytes, head);
    output_.put({head, head_bytes});
  }
  char* first_head() { return const_cast<char*>(output_.written().data()) + begin_; }

  Peer& peer_;
  Output& output_;
  std::size_t begin_ = 0;
  std::size_t second_begin_ = 0;
  char* second_head_ = nullptr;
};

void answer_tree(Server& server, std::string_view, Reply& reply) { reply.set_second(server.xml()); }

void answer_statuses(Server& server, std::string_view, Reply& reply) {
  Output& output = reply.second();
  const Statuses& statuses = server.statuses();
  for (std::uint32_t i = 0; i < statuses.count(); ++i) {
    output.put_little_endian(statuses[i].uid, 2);
    output.put_byte(statuses[i].shown);
  }
}

void answer_entries(Server& server, std::string_view names, Reply& reply) {
  write_entries(server.tree(), server.block(), names, server.board_marks(), reply.second());
}

// Any other word is no error, and does nothing.
void answer_recording(Server& server, std::string_view word, Reply& reply) {
  if (word == "start") reply.second().put_number(server.changes().begin());
  if (word == "stop") server.changes().end();
}

void answer_changes(Server& server, std::string_view, Reply& reply) {
  Output& output = reply.second();
  Changes& changes = server.changes();
  for (std::uint32_t i = 0; i < changes.count(); ++i) {
    output.put_little_endian(changes[i].since_us, 6);
    output.put_little_endian(changes[i].uid, 2);
    output.put_byte(static_cast<unsigned>(changes[i].status));
  }
  if (output.is_whole()) changes.clear();
}

HookedNodes hooked_nodes(const Server& server) {
  const Statuses& statuses = server.statuses();
  return {statuses.count(), &statuses,
          [](const void* user, std::int64_t uid) { return static_cast<const Statuses*>(user)->calls_program(uid); }};
}

void answer_insert(Server& server, std::string_view json, Reply& reply) {
  char bytes[kMostFaultBytes];
  Output fault(bytes, sizeof bytes);
  if (!server.hooks().insert(json, hooked_nodes(server), fault)) reply.fail(fault.written());
}

void answer_remove(Server& server, std::string_view json, Reply& reply) {
  char bytes[kMostFaultBytes];
  Output fault(bytes, sizeof bytes);
  if (!server.hooks().remove(json, fault)) reply.fail(fault.written());
}

void answer_go_on(Server& server, std::string_view json, Reply& reply) {
  char bytes[kMostFaultBytes];
  Output fault(bytes, sizeof bytes);
  if (!server.hooks().let_go_on(json, hooked_nodes(server), fault)) reply.fail(fault.written());
}

void answer_hooks(Server& server, std::string_view, Reply& reply) { server.hooks().write(reply.second()); }
void answer_disable(Server& server, std::string_view, Reply&) { server.hooks().disable_all(); }
void answer_remove_all(Server& server, std::string_view, Reply&) { server.hooks().remove_all(); }

struct Request {
  char letter;
  bool needs_argument;
  void (*answer)(Server& server, std::string_view argument, Reply& reply);
};
constexpr Request kRequests[] = {
    {'T', false, answer_tree},     {'S', false, answer_statuses},  {'B', true, answer_entries},
    {'r', true, answer_recording}, {'t', false, answer_changes},   {'I', true, answer_insert},
    {'D', false, answer_hooks},    {'R', true, answer_remove},     {'U', true, answer_go_on},
    {'X', false, answer_disable},  {'A', false, answer_remove_all}};

void answer_with(const Request& row, Server& server, const Message& request, Reply& reply) {
  if (row.needs_argument && request.part_count != 2) return reply.fail("must be 2 parts message");
  row.answer(server, request.part_count > 1 ? request.parts[1] : std::string_view(), reply);
}

}  // namespace

void answer(Server& server, Peer& peer, const Message& request) {
  const std::string_view header = request.parts[0];
  Reply reply(server, peer, request);
  if (header.size() != kHeaderBytes) {
    reply.fail("wrong request header");
  } else {
    const Request* found = nullptr;
    for (const Request& row : kRequests) found = row.letter == header[1] ? &row : found;
    found == nullptr ? reply.fail("Request not recognized") : answer_with(*found, server, request, reply);
  }
  reply.end();
}

}  // namespace espalier::serving
