// Servers of agents: what clients get, whatever they send and however it is cut.
#include <espalier/serving.h>

#include <cstring>
#include <random>

#include "live/publisher/zmtp.h"
#include "runtime/poll/tree.h"
#include "runtime_assets.h"
#include "unit.h"

namespace runtime_serving {

using namespace espalier;
using layout::SectionId;
using live::Message;

namespace {

constexpr const char* kXml = "<root BTCPP_format=\"4\"/>";

// A tree that polls, in which each node is an element below the first one.
test::Bytes shown_asset() {
  const test::Bytes bytes = test::small_poll_asset(false);
  Asset asset;
  REQUIRE(open(bytes.data(), bytes.size(), &asset) == Status::ok);
  test::Parts parts = test::take_apart(bytes);
  {
    test::Records<layout::LiveTree> trees(parts, SectionId::live_trees);
    test::Records<layout::LiveNode> nodes(parts, SectionId::live_nodes);
    for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
      const PollTreeView view(tree(asset, i));
      const auto first = static_cast<std::uint32_t>(nodes->size());
      trees->push_back({0, static_cast<std::uint32_t>(std::strlen(kXml)), first, view.unit.node_count});
      for (std::uint16_t node = 0; node < view.unit.node_count; ++node) {
        const std::uint16_t parent = node == 0 ? 0 : 1;
        nodes->push_back({view.word_of(view.node(node)), static_cast<std::uint16_t>(node + 1), parent});
      }
    }
  }
  parts[SectionId::live_xml] = test::Bytes(kXml, kXml + std::strlen(kXml));
  return test::assemble(parts);
}

struct Program {
  explicit Program(const test::Bytes& asset_bytes, espalier_server_options its_options = {})
      : bytes(asset_bytes), options(its_options) {
    REQUIRE(open(bytes.data(), bytes.size(), &asset) == Status::ok);
    agent_tree = tree(asset, 0);
    options.now_us = [](void* user) { return *static_cast<const std::uint64_t*>(user); };
    options.user = &now_us;
    for (std::uint8_t i = 0; i < 16; ++i) options.tree_id[i] = static_cast<std::uint8_t>('a' + i);
    memory.resize(espalier_server_bytes(&asset, &options) / 8);
    block.resize(agent_bytes(agent_tree) / 8 + 1);
    start(agent_tree, block.data());
    status = espalier_server_begin(agent_tree, nullptr, 0, &options, memory.data(), &server);
  }

  bool update() {
    Host host;
    host.clock_us = now_us;
    espalier_update_watched(agent_tree, block.data(), &host, espalier_server_watcher(server, block.data()));
    return espalier_server_update(server, block.data(), &host);
  }

  const test::Bytes bytes;
  espalier_server_options options;
  Asset asset;
  Tree agent_tree;
  std::uint64_t now_us = 1'000'000'000;
  std::vector<std::uint64_t> memory;
  std::vector<std::uint64_t> block;
  espalier_status status = ESPALIER_OK;
  espalier_server* server = nullptr;
};

// A client, and its connection to a server, which moves some bytes at a time.
struct Client {
  Client(Program& its_program, std::uint32_t its_peer, std::string_view socket = "REQ", std::size_t its_step = 4096)
      : program(its_program), peer(its_peer), step(its_step), zmtp(socket) {
    espalier_server_connect(program.server, peer);
    move();
  }

  bool move() {
    for (bool is_moved = true; is_moved;) {
      const std::string sent = zmtp.take_output();
      for (std::size_t at = 0; at < sent.size(); at += step) {
        const std::string piece = sent.substr(at, step);
        if (espalier_server_feed(program.server, peer, piece.data(), piece.size()) != ESPALIER_OK) return false;
      }
      is_moved = !sent.empty();
      std::string received(step, '\0');
      while (const std::size_t size = espalier_server_take(program.server, peer, received.data(), received.size())) {
        is_moved = true;
        if (!zmtp.feed(received.substr(0, size))) return false;
      }
    }
    return true;
  }

  // The second part of the reply, or "error: WHY"; "none": there is none.
  std::string ask(char letter, const std::string& argument = {}) {
    const std::string head = std::string({2, letter}) + "\1\2\3\4";
    zmtp.send(argument.empty() ? Message{head} : Message{head, argument});
    if (!move()) return "closed";
    const std::optional<Message> reply = zmtp.take_message();
    if (!reply) return "nothing";
    if (reply->front() == "error") return "error: " + reply->back();
    CHECK(reply->front() == head + "abcdefghijklmnop");
    return reply->size() == 1 ? "none" : reply->back();
  }

  Program& program;
  std::uint32_t peer;
  std::size_t step;
  live::Zmtp zmtp;
};

std::string hook(int uid, const std::string& more = R"("mode":0,"once":false)") {
  return R"({"enabled":true,"uid":)" + std::to_string(uid) + R"(,"position":0,"desired_status":"SKIPPED",)" + more +
         "}";
}
std::string go_on(int uid, const std::string& status = "SKIPPED") {
  return R"({"uid":)" + std::to_string(uid) + R"(,"position":0,"remove_when_done":false,"desired_status":")" + status +
         "\"}";
}

}  // namespace

TEST_CASE("a server answers its clients, however their bytes are cut") {
  Program program(shown_asset());
  REQUIRE(program.status == ESPALIER_OK);
  std::size_t xml_bytes = 0;
  CHECK(espalier_tree_xml(program.agent_tree, &xml_bytes) != nullptr);
  CHECK(xml_bytes == std::strlen(kXml));
  std::uint32_t peer = 0;
  for (const std::size_t step : {1, 3, 4096}) {
    Client client(program, peer++, "REQ", step);
    CHECK(client.ask('T') == kXml);
    CHECK(client.ask('S').size() == 3 * PollTreeView(program.agent_tree).unit.node_count);
    CHECK(client.ask('D') == "[]");
    CHECK(client.ask('B', "nowhere") == "\xC0");
    CHECK(client.ask('B', std::string(tree_name(program.agent_tree)))[0] == '\x81');
    CHECK(client.ask('?') == "error: Request not recognized");
    CHECK(client.ask('B') == "error: must be 2 parts message");
    CHECK(client.ask('r', "start") == "1000000000");
    CHECK(client.ask('r', "halt") == "none");
    CHECK(client.ask('t').empty());
    // Several requests at once are answered one after another.
    for (int i = 0; i < 3; ++i) client.zmtp.send({std::string("\2D\0\0\0\0", 6)});
    CHECK(client.move());
    for (int i = 0; i < 3; ++i) CHECK(client.zmtp.take_message().has_value());
  }
}

TEST_CASE("changes are told once, and the last 1,000 of them") {
  Program program(shown_asset());
  Client client(program, 0);
  client.ask('r', "start");
  program.now_us += 5;
  program.update();
  const std::string first = client.ask('t');
  REQUIRE(first.size() >= 9);
  CHECK(first.substr(0, 8) == std::string("\5\0\0\0\0\0\1\0", 8));  // the root, 5 us after the start
  CHECK(client.ask('t').empty());
  Host host;
  for (int i = 0; i < 1000; ++i) {
    program.update();
    stop(program.agent_tree, program.block.data(), host);
    espalier_server_update(program.server, program.block.data(), &host);
  }
  CHECK(client.ask('t').size() == 9000);
  client.ask('r', "stop");
  program.update();
  CHECK(client.ask('t').empty());
}

TEST_CASE("a breakpoint holds the agent until a client lets it go on, or is silent") {
  Program program(shown_asset());
  Client client(program, 0);
  Client listener(program, 1, "SUB");
  listener.zmtp.send({std::string("\1", 1)});
  REQUIRE(listener.move());
  CHECK(client.ask('I', hook(1)) == "none");
  CHECK(program.update());
  listener.move();
  const std::optional<Message> notice = listener.zmtp.take_message();
  REQUIRE(notice);
  CHECK(notice->front().substr(0, 2) == "\2N");
  CHECK(notice->back() == "1");
  CHECK(espalier_server_holds(program.server));
  CHECK(client.ask('U', go_on(1, "SUCCESS")).starts_with("error: this program does not let clients replace results"));
  CHECK(espalier_server_holds(program.server));
  CHECK(client.ask('U', go_on(1)) == "none");
  CHECK_FALSE(espalier_server_holds(program.server));

  Host host;
  stop(program.agent_tree, program.block.data(), host);
  CHECK_FALSE(espalier_server_update(program.server, program.block.data(), &host));
  CHECK(program.update());
  program.now_us += 5'000'000;
  CHECK(espalier_server_holds(program.server));
  program.now_us += 1;
  CHECK_FALSE(espalier_server_holds(program.server));
  stop(program.agent_tree, program.block.data(), host);
  CHECK_FALSE(program.update());
  CHECK(client.ask('D') != "[]");  // it is there again
  stop(program.agent_tree, program.block.data(), host);
  espalier_server_update(program.server, program.block.data(), &host);
  CHECK(program.update());
  CHECK(client.ask('X') == "none");
  CHECK_FALSE(espalier_server_holds(program.server));
}

TEST_CASE("requests for hooks that are wrong are told in the real publisher's words") {
  Program program(shown_asset());
  Client client(program, 0);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{", "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error"},
      {"[1,\n]", "[json.exception.parse_error.101] parse error at line 2, column 1: syntax error"},
      {R"({"uid":3})", "[json.exception.out_of_range.403] key 'position' not found"},
      {R"({"uid":"3"})", "[json.exception.type_error.302] type must be number, but is string"},
      {"7", "[json.exception.type_error.304] cannot use at() with number"},
      {hook(1, R"("mode":0,"once":1)"), "[json.exception.type_error.302] type must be boolean, but is number"},
      {hook(1, R"("mode":1,"once":false)"), "this program does not let clients replace results"}};
  for (const auto& [json, why] : cases) {
    const std::string answer = client.ask('I', json);
    CHECK(answer.substr(0, 7 + why.size()) == "error: " + why);
  }
  CHECK(client.ask('R', R"({"uid":1,"position":0})") == "error: Node ID not found");
  CHECK(client.ask('U', go_on(1)) == "error: Node ID not found");
  CHECK(client.ask('I', hook(60000)) == "none");
  CHECK(client.ask('D') == "[]");
  CHECK(client.ask('I', " [ " + hook(1) + " ,\n" + hook(2) + "] ") == "none");
  CHECK(client.ask('R', R"({"uid":1,"position":0})") == "none");
  CHECK(client.ask('D') ==
        R"([{"desired_status":"SKIPPED","enabled":true,"mode":0,"once":false,"position":0,"uid":2}])");
  CHECK(client.ask('I', std::string(200, '[')).starts_with("error: [json.exception.parse_error"));
}

TEST_CASE("what is too much has an error, and harms nobody else") {
  espalier_server_options options;
  options.request_bytes = 256;
  options.reply_bytes = 1024;
  options.hook_count = 1;
  Program program(shown_asset(), options);
  REQUIRE(program.status == ESPALIER_OK);
  Client client(program, 0);
  CHECK(client.ask('I', hook(1)) == "none");
  CHECK(client.ask('I', hook(2)) == "error: there are too many breakpoints");
  client.ask('r', "start");
  Host host;
  for (int i = 0; i < 200; ++i) {
    program.update();
    stop(program.agent_tree, program.block.data(), host);
    espalier_server_update(program.server, program.block.data(), &host);
  }
  CHECK(client.ask('t') == "error: the answer is larger than this program's buffers");

  Client other(program, 1);
  CHECK(other.ask('B', std::string(300, 'x')) == "closed");
  CHECK(std::string(espalier_server_fault(program.server, 1)) == "its message is larger than this program takes");
  Client hasty(program, 2);
  for (int i = 0; i < 100; ++i) hasty.zmtp.send({std::string("\2S\0\0\0\0", 6)});
  const std::string requests = hasty.zmtp.take_output();
  CHECK(espalier_server_feed(program.server, 2, requests.data(), requests.size()) == ESPALIER_MALFORMED);
  CHECK(std::string(espalier_server_fault(program.server, 2)) == "it sends more requests than it takes answers");
  Client wrong(program, 3, "PUSH");
  CHECK(std::string(espalier_server_fault(program.server, 3)) == "its socket is none of REQ, DEALER, SUB and XSUB");
  CHECK(client.ask('S').size() > 2);
  CHECK(espalier_server_feed(program.server, 100, "", 0) == ESPALIER_NOT_FOUND);
}

TEST_CASE("any bytes are read without harm [hostile]") {
  Program program(shown_asset());
  Client client(program, 0);
  // What a client sends, with a request of each kind.
  live::Zmtp zmtp("REQ");
  std::string sent = zmtp.take_output();
  Client(program, 1).zmtp.take_output();
  live::Zmtp answering("REP");
  REQUIRE(zmtp.feed(answering.take_output()));
  REQUIRE(answering.feed(sent + zmtp.take_output()));
  REQUIRE(zmtp.feed(answering.take_output()));
  sent += std::string("\4\x1A\5READY\x0BSocket-Type\0\0\0\3REQ", 28);
  for (const char letter : std::string("TSBrtIDRUXA?")) {
    zmtp.send({std::string({2, letter}) + "abcd", hook(1)});
    sent += zmtp.take_output();
  }
  std::mt19937 random(1);  // NOLINT: the same in each run
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = sent;
    const std::size_t changes = random() % 4;
    for (std::size_t n = 0; n < changes; ++n) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (i % 3 == 0) bytes.erase(random() % bytes.size(), random() % 40);
    if (i % 10 == 0) {
      for (char& each : bytes) each = static_cast<char>(random());
    }
    espalier_server_connect(program.server, 1);
    char taken[512];
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size = std::min<std::size_t>(bytes.size() - at, 1 + random() % 200);
      if (espalier_server_feed(program.server, 1, bytes.data() + at, size) != ESPALIER_OK) break;
      at += size;
      while (espalier_server_take(program.server, 1, taken, 1 + random() % sizeof taken) != 0) {
      }
    }
    espalier_server_disconnect(program.server, 1);
    program.now_us += 100;
  }
  client.ask('A');
  CHECK(client.ask('D') == "[]");
  CHECK(client.ask('T') == kXml);
}

TEST_CASE("options and assets that cannot be served are refused") {
  const test::Bytes bytes = shown_asset();
  const auto begin = [](const test::Bytes& asset, espalier_server_options options = {}) {
    return Program(asset, options).status;
  };
  espalier_server_options options;
  options.peer_count = 257;
  CHECK(begin(bytes, options) == ESPALIER_TOO_LARGE);
  options = {};
  options.request_bytes = 255;
  CHECK(begin(bytes, options) == ESPALIER_TOO_LARGE);
  CHECK(begin(test::small_poll_asset(false)) == ESPALIER_NOT_FOUND);
  const auto with = [&](void (*change)(layout::LiveTree & record, layout::LiveNode & node)) {
    test::Parts parts = test::take_apart(bytes);
    {
      test::Records<layout::LiveTree> trees(parts, SectionId::live_trees);
      test::Records<layout::LiveNode> nodes(parts, SectionId::live_nodes);
      change(trees[0], nodes[1]);
    }
    return begin(test::assemble(parts));
  };
  CHECK(with([](layout::LiveTree&, layout::LiveNode&) {}) == ESPALIER_OK);
  CHECK(with([](layout::LiveTree& record, layout::LiveNode&) { record.xml_bytes = 0xFFFFFFFF; }) == ESPALIER_NOT_FOUND);
  CHECK(with([](layout::LiveTree& record, layout::LiveNode&) { record.first_node = 0xFFFFFFF0; }) ==
        ESPALIER_NOT_FOUND);
  CHECK(with([](layout::LiveTree& record, layout::LiveNode&) { record.node_count = 60'000; }) == ESPALIER_NOT_FOUND);
  CHECK(with([](layout::LiveTree&, layout::LiveNode& node) { node.uid = 0; }) == ESPALIER_NOT_FOUND);
  CHECK(with([](layout::LiveTree&, layout::LiveNode& node) { node.uid = 60'000; }) == ESPALIER_NOT_FOUND);
  CHECK(with([](layout::LiveTree&, layout::LiveNode& node) { node.parent = node.uid; }) == ESPALIER_NOT_FOUND);
  CHECK(with([](layout::LiveTree&, layout::LiveNode& node) { node.place += 1; }) == ESPALIER_NOT_FOUND);
}

}  // namespace runtime_serving
