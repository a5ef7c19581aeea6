// An agent that is served, and does what a file says: served_runs ASSET TREE SCRIPT PORT [replace]. For
// tests/logs/serve.py. With `replace`, clients may replace results.
//
// A line of SCRIPT is one of
//   answer NAME RESULT       the next behaviour or condition that is asked: its name, and what it answers
//   write PORT KIND VALUE    what it writes before that: KIND is real, whole or text
//   set ENTRY KIND VALUE     the program writes an entry
//   update CLOCK_US          an update, for which the answers are those before this line
//   stop                     the tree is halted
// Each line of standard input lets the next update run (and what stands before it), which is told when it is over:
// "running", "over" at the end of the script, and "held" once an update must wait. After the end of the input the
// program ends.
#include <espalier/polling.h>
#include <espalier/serving.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <espalier/espalier.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../../samples/embed/asset_file.h"
#include "../../samples/embed/serving_sockets.h"

namespace {

struct Written {
  std::string port;
  espalier_value value;
  std::string text;
};

struct Answer {
  std::string name;
  espalier_result result = ESPALIER_SUCCESS;
  std::vector<Written> outputs;
};

struct Game {
  espalier_asset* asset = nullptr;
  espalier_server* server = nullptr;  // that may replace results; null: none may
  std::deque<Answer> answers;
  std::vector<Written> outputs;  // of the answer that comes next
};

std::uint64_t now_us(void*) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "served_runs: %s\n", why.c_str());
  std::exit(1);
}

espalier_result result_of(const std::string& word) {
  return word == "running"   ? ESPALIER_RUNNING
         : word == "success" ? ESPALIER_SUCCESS
         : word == "skipped" ? ESPALIER_SKIPPED
                             : ESPALIER_FAILURE;
}

Written read_value(std::istream& line) {
  Written written;
  std::string kind;
  line >> written.port >> kind;
  std::getline(line >> std::ws, written.text);
  written.value.kind = kind == "real"    ? ESPALIER_VALUE_REAL
                       : kind == "whole" ? ESPALIER_VALUE_WHOLE
                                         : ESPALIER_VALUE_TEXT;
  if (kind == "real") written.value.real = std::stod(written.text);
  if (kind == "whole") written.value.whole = std::stoll(written.text);
  return written;
}

const espalier_value& value_of(Written& written) {
  written.value.text = written.text.data();
  written.value.text_bytes = static_cast<std::uint32_t>(written.text.size());
  return written.value;
}

espalier_result answer_as(const espalier_call* call, const char* name) {
  Game& game = *static_cast<Game*>(call->host->user);
  espalier_result result = ESPALIER_SUCCESS;
  if (game.server != nullptr && espalier_server_replaces(game.server, call, &result)) return result;
  if (game.answers.empty()) fail(std::string("nothing says what ") + name + " answers");
  Answer answer = game.answers.front();
  game.answers.pop_front();
  if (answer.name != name) fail(std::string(name) + " is asked, and not " + answer.name);
  for (Written& each : answer.outputs) {
    std::uint32_t port = 0;
    if (espalier_find_port(call, each.port.c_str(), &port) != ESPALIER_OK ||
        !espalier_write_port(call, port, &value_of(each)))
      fail("cannot write " + each.port);
  }
  return answer.result;
}

espalier_result act(const espalier_call* call) {
  return answer_as(call, espalier_behavior_name(call->tree.asset, call->behavior));
}

espalier_result ask(const espalier_call* call) {
  return answer_as(call, espalier_condition_name(call->tree.asset, call->behavior));
}

}  // namespace

int main(int count, char** words) {
  const bool may_replace = count == 6 && std::string(words[5]) == "replace";
  if (count != 5 && !may_replace) fail("ASSET TREE SCRIPT PORT [replace]");
  std::size_t size_bytes = 0;
  const std::vector<std::uint64_t> bytes = read_file(words[1], size_bytes);
  espalier::Asset asset;
  espalier::Tree tree;
  if (espalier::open(bytes.data(), size_bytes, &asset) != espalier::Status::ok ||
      espalier::find_tree(asset, words[2], &tree) != espalier::Status::ok)
    fail("there is no such tree");
  Game game;
  std::vector<espalier::Behavior> actions(espalier::behavior_count(asset));
  for (espalier::Behavior& each : actions) each.tick = act;
  std::vector<espalier::Behavior> conditions(espalier::host_condition_count(asset));
  for (espalier::Behavior& each : conditions) each.tick = ask;
  espalier::Host host;
  host.behaviors = actions.data();
  host.conditions = conditions.data();
  host.user = &game;
  host.log = [](const espalier_call*, const char* text) { std::fprintf(stderr, "served_runs: %s\n", text); };
  std::vector<std::uint64_t> shared(espalier_shared_bytes(tree) / 8 + 1);
  espalier_start_shared(tree, shared.data());
  host.shared = shared.data();
  std::vector<std::uint64_t> block(espalier::agent_bytes(tree) / 8 + 1);
  espalier::start(tree, block.data());

  espalier_server_options options;
  options.now_us = now_us;
  options.peer_count = ServingSockets::kPeerCount;
  if (may_replace) options.flags = ESPALIER_SERVER_ALLOW_REPLACE;
  espalier_server* server = nullptr;
  std::vector<std::uint64_t> memory(espalier_server_bytes(&asset, &options) / 8 + 1);
  if (espalier_server_begin(tree, nullptr, 0, &options, memory.data(), &server) != ESPALIER_OK)
    fail("the asset was compiled without --with-xml");
  if (may_replace) game.server = server;
  ServingSockets sockets;
  if (!sockets.listen_on(static_cast<std::uint16_t>(std::atoi(words[4])))) fail("the ports are not free");
  std::printf("listening\n");
  std::fflush(stdout);

  // True: an update has run; false: the script is over.
  std::ifstream script(words[3]);
  const auto run_update = [&] {
    for (std::string text, word; std::getline(script, text);) {
      std::istringstream line(text);
      line >> word;
      if (word == "answer") {
        Answer answer;
        line >> answer.name >> word;
        answer.result = result_of(word);
        answer.outputs = std::move(game.outputs);
        game.outputs.clear();
        game.answers.push_back(std::move(answer));
      } else if (word == "write") {
        game.outputs.push_back(read_value(line));
      } else if (word == "set") {
        Written written = read_value(line);
        std::uint32_t entry = 0;
        if (espalier_find_entry(tree, "", written.port.c_str(), &entry) != ESPALIER_OK ||
            !espalier_set_entry(tree, block.data(), entry, &value_of(written)))
          fail("cannot set " + written.port);
      } else if (word == "stop") {
        espalier::stop(tree, block.data(), host);
        espalier_server_update(server, block.data(), &host);
      } else {
        line >> host.clock_us;
        espalier_update_watched(tree, block.data(), &host, espalier_server_watcher(server, block.data()));
        espalier_server_update(server, block.data(), &host);
        if (!game.answers.empty()) fail(game.answers.front().name + " was not asked");
        return true;
      }
    }
    return false;
  };

  int wanted = 0;  // updates that are to run
  for (bool is_told = false;;) {
    sockets.move_bytes(server, 1);
    pollfd input = {0, POLLIN, 0};
    if (poll(&input, 1, 0) > 0) {
      char lines[256];
      const ssize_t read_bytes = read(0, lines, sizeof lines);
      if (read_bytes <= 0) return 0;
      for (ssize_t i = 0; i < read_bytes; ++i) wanted += lines[i] == '\n' ? 1 : 0;
    }
    const bool is_held = espalier_server_holds(server);
    if (is_held && wanted > 0 && !is_told) std::printf("held\n");
    is_told = is_held && wanted > 0;
    for (; wanted > 0 && !espalier_server_holds(server); --wanted) std::printf(run_update() ? "running\n" : "over\n");
    std::fflush(stdout);
  }
}
