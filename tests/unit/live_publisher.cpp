// Programs that run: the protocol of their connections, and what is asked of them and understood.
#include <deque>
#include <random>

#include "live/publisher/client.h"
#include "live/publisher/recording.h"
#include "live/publisher/zmtp.h"
#include "unit.h"

namespace live_publisher {

using namespace espalier::live;

namespace {

// Moves what both have to send, `size` bytes at a time.
bool exchange(Zmtp& one, Zmtp& other, std::size_t size) {
  const auto feed = [size](Zmtp& to, const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      if (!to.feed(std::string_view(bytes).substr(at, size))) return false;
    }
    return true;
  };
  for (int turn = 0; turn < 4; ++turn) {
    if (!feed(other, one.take_output()) || !feed(one, other.take_output())) return false;
  }
  return true;
}

std::string head(char letter, std::uint32_t id, const std::string& tree) {
  std::string bytes = {2, letter};
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(id >> 8 * i & 0xFF));
  return tree.empty() ? bytes : bytes + tree;
}

const std::string kTree(16, 't');
const std::string kOther(16, 'o');
constexpr const char* kXml = R"(<root BTCPP_format="4"><BehaviorTree ID="Main" _fullpath=""><A/></BehaviorTree>
<BehaviorTree ID="Go" _fullpath="go"><B/></BehaviorTree></root>)";

// A program that answers as it is told to, and what was asked.
struct Program {
  std::string tree = kTree;
  std::deque<std::string> changes = {};
  std::string asked = {};
  std::vector<std::string> arguments = {};

  Message answer(const Message& request) {
    const char letter = request[0][1];
    asked += letter;
    if (request.size() > 1) arguments.push_back(request[1]);
    const std::string first = head(letter, 1, tree);
    if (letter == 'T') return {first, kXml};
    if (letter == 'r') return {first, "1000000"};
    if (letter == 'S') return {first, std::string("\x01\x00\x01", 3)};
    if (letter == 'B') return {first, "\x81\xA4Main\x81\xA1x\x07"};
    if (changes.empty()) return {first, ""};
    const std::string next = changes.front();
    changes.pop_front();
    return {first, next};
  }
};

struct Watched {
  std::string told = {};
  PublisherClient client{events(), 100, 1000, true};

  ClientEvents events() {
    ClientEvents events;
    events.tree = [this](const std::string&) {
      told += "tree ";
      return true;
    };
    events.statuses = [this](const std::vector<NodeStatus>& statuses) {
      told += std::to_string(statuses.size()) + " statuses ";
    };
    events.begin = [this](std::int64_t first_us) { told += "since " + std::to_string(first_us) + ' '; };
    events.changes = [this](const std::vector<Change>& changes) {
      for (const Change& change : changes)
        told += std::to_string(change.uid) + '=' + std::string(name_of(change.status)) + '@' +
                std::to_string(change.at_us) + ' ';
    };
    events.gap = [this](std::int64_t first_us) { told += "gap since " + std::to_string(first_us) + ' '; };
    events.entries = [this](const std::string& json) { told += json + ' '; };
    events.note = [this](const std::string& text) { told += '(' + text + ") "; };
    return events;
  }

  // Asks and answers from this time to that one.
  bool run(Program& program, std::int64_t begin_us, std::int64_t end_us) {
    for (std::int64_t now = begin_us; now < end_us; now += 50) {
      while (const auto request = client.ask(now)) {
        if (!client.take(program.answer(*request))) return false;
      }
    }
    return true;
  }
};

}  // namespace

TEST_CASE("messages arrive whole, however the bytes come", "[live]") {
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{100'000}}) {
    Zmtp one("REQ");
    Zmtp other("REP");
    one.send({"first", std::string(1000, 'x'), ""});
    REQUIRE(exchange(one, other, size));
    CHECK(other.take_message() == Message{"first", std::string(1000, 'x'), ""});
    other.send({"answer"});
    REQUIRE(exchange(one, other, size));
    CHECK(one.take_message() == Message{"answer"});
    CHECK_FALSE(one.take_message());
  }
}

TEST_CASE("what does not speak the protocol is refused, and nothing is read beyond its limits", "[live]") {
  const std::string greeting = Zmtp("REP").take_output();
  struct Case {
    std::string bytes;
    std::string error;
  };
  std::string old = greeting;
  old[10] = 1;
  std::string login = greeting;
  login.replace(12, 5, "PLAIN");
  const Case cases[] = {{"HTTP/1.0 400 Bad Request", "it does not speak ZeroMQ's protocol"},
                        {old, "it speaks an old version of ZeroMQ's protocol"},
                        {login, "it wants a login"},
                        {greeting + std::string("\x00\x01x", 3), "it does not speak ZeroMQ's protocol"},
                        {greeting + "\x02\x01" + std::string(7, '\0'), "it sent more than 64 MiB at once"},
                        {greeting + "\x04\x06\x05"
                                    "ERROR",
                         "it refused the connection"}};
  for (const Case& each : cases) {
    INFO(each.error);
    Zmtp codec("REQ");
    CHECK_FALSE(codec.feed(each.bytes));
    CHECK(codec.error() == each.error);
    CHECK_FALSE(codec.feed(greeting));
  }
}

TEST_CASE("any bytes are read without harm", "[live]") {
  std::mt19937 random(7);
  const std::string greeting = Zmtp("REP").take_output();
  for (int i = 0; i < 2000; ++i) {
    Zmtp codec("REQ");
    std::string bytes = greeting + std::string("\x04\x06\x05READY", 8);
    const std::size_t count = random() % 64;
    for (std::size_t k = 0; k < count; ++k) bytes.push_back(static_cast<char>(random() & 0xFF));
    if (i % 2 == 0) bytes[random() % bytes.size()] = static_cast<char>(random() & 0xFF);
    static_cast<void>(codec.feed(bytes));
    PublisherClient client({}, 100, 100, true);
    while (const auto message = codec.take_message()) {
      static_cast<void>(client.ask(0));
      static_cast<void>(client.take(*message));
    }
  }
  SUCCEED();
}

TEST_CASE("a program is asked for its tree, statuses, changes and entries, and for nothing else", "[live]") {
  Program program;
  program.changes = {std::string("\x05\0\0\0\0\0\x02\0\x01", 9)};
  Watched watched;
  REQUIRE(watched.run(program, 0, 300));
  CHECK(program.asked == "TrSBttt");
  CHECK(program.arguments == std::vector<std::string>{"start", "Main;go"});
  CHECK(watched.told == "tree since 1000000 1 statuses {\"Main\":{\"x\":7}} 2=RUNNING@1000005 ");
}

TEST_CASE("another tree is read anew", "[live]") {
  Program program;
  Watched watched;
  REQUIRE(watched.run(program, 0, 100));
  program.tree = kOther;
  program.asked.clear();
  watched.told.clear();
  REQUIRE(watched.run(program, 100, 300));
  CHECK(program.asked == "tTrSt");
  CHECK(watched.told.starts_with("(the program has another tree) tree since 1000000 1 statuses "));
}

TEST_CASE("a connection that was lost goes on with the tree that is known", "[live]") {
  Program program;
  Watched watched;
  REQUIRE(watched.run(program, 0, 100));
  program.asked.clear();
  watched.told.clear();
  watched.client.reset();
  REQUIRE(watched.run(program, 100, 200));
  CHECK(program.asked == "St");  // not to record anew: the program would drop what it has
  CHECK(watched.told == "1 statuses ");
}

TEST_CASE("changes that a connection was lost with are told as a gap", "[live]") {
  Program program;
  Watched watched;
  REQUIRE(watched.run(program, 0, 100));
  bool is_asked = false;
  while (const auto request = watched.client.ask(100)) {
    is_asked = (*request)[0][1] == 't';
    if (is_asked) break;  // and never answered
    REQUIRE(watched.client.take(program.answer(*request)));
  }
  REQUIRE(is_asked);
  watched.told.clear();
  watched.client.reset();
  REQUIRE(watched.run(program, 150, 250));
  CHECK(watched.told == "(changes were lost: the connection was lost while they came) gap since 1000000 1 statuses ");
}

TEST_CASE("a thousand changes at once are fewer than there were", "[live]") {
  std::string records;
  for (int i = 0; i < 1000; ++i) records += std::string("\0\0\0\0\0\0\x01\0\x01", 9);
  Program program;
  program.changes = {records};
  Watched watched;
  REQUIRE(watched.run(program, 0, 100));
  CHECK(watched.told.find("(changes were lost") != std::string::npos);
}

TEST_CASE("programs that record nothing are asked for statuses alone", "[live]") {
  Watched watched;
  std::string asked;
  for (std::int64_t now = 0; now < 400; now += 50) {
    while (const auto request = watched.client.ask(now)) {
      const char letter = (*request)[0][1];
      asked += letter;
      const bool is_unknown = letter == 'r' || letter == 't';
      const Message answer = is_unknown      ? Message{"error", "Request not recognized"}
                             : letter == 'T' ? Message{head(letter, 1, kTree), kXml}
                             : letter == 'B' ? Message{"error", "no"}
                                             : Message{head(letter, 1, kTree), ""};
      REQUIRE(watched.client.take(answer));
    }
  }
  CHECK(asked == "TrSBSSSS");
  CHECK_FALSE(watched.client.has_changes());
}

TEST_CASE("answers of another protocol end it", "[live]") {
  struct Case {
    Message answer;
    std::string error;
  };
  const Case cases[] = {{{"x"}, "it does not speak Groot2's protocol"},
                        {{head('S', 1, kTree), ""}, "it does not speak Groot2's protocol"},
                        {{"error", "no"}, "it does not answer: no"},
                        {{head('T', 1, kTree), ""}, "it has no tree"},
                        {{}, "it does not speak Groot2's protocol"}};
  for (const Case& each : cases) {
    INFO(each.error);
    PublisherClient client({}, 100, 0, true);
    REQUIRE(client.ask(0));
    CHECK_FALSE(client.take(each.answer));
    CHECK(client.error() == each.error);
  }
}

TEST_CASE("entries that are nested without end are refused", "[live]") {
  PublisherClient client({}, 100, 1, true);
  const std::string answers[] = {kXml, "1", ""};
  for (const std::string& answer : answers) {
    const auto request = client.ask(0);
    REQUIRE(request);
    REQUIRE(client.take({head((*request)[0][1], 1, kTree), answer}));
  }
  REQUIRE(client.ask(0));
  CHECK_FALSE(client.take({head('B', 1, kTree), std::string(1'000'000, '\x91')}));
}

TEST_CASE("recordings are what the readers of logs read", "[live]") {
  const std::vector<Change> changes = {{.at_us = 1'000'005, .uid = 2, .status = Status::running},
                                       {.at_us = 1'000'900, .uid = 2, .status = Status::failure}};
  std::string bytes = btlog_head(kXml, 1'000'000);
  for (const Change& change : changes) bytes += btlog_record(change, 1'000'000);
  const LogFile file = read_log(bytes, {});
  REQUIRE(file.runs.size() == 1);
  CHECK(file.runs[0].tree_xml == kXml);
  REQUIRE(file.runs[0].changes.size() == 2);
  CHECK(file.runs[0].changes[1].at_us == 1'000'900);
  CHECK(file.runs[0].changes[1].status == Status::failure);
}

}  // namespace live_publisher
