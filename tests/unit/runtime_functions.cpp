// Every function of the public headers is called for valid assets of every kind, with every id that there is: what it
// reads and writes is seen by the sanitizers. Functions of one kind of trees that promise an answer for others are
// called for those, too.
#include <espalier/checking.h>
#include <espalier/columns.h>
#include <espalier/debugging.h>
#include <espalier/deciders.h>
#include <espalier/polling.h>
#include <espalier/rules.h>
#include <espalier/storing.h>
#include <espalier/ticking.h>
#include <espalier/watching.h>

#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/asset/view.h"
#include "runtime/core/frame.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime_assets.h"
#include "source_folder.h"
#include "unit.h"

namespace runtime_functions {

using namespace espalier;

namespace {

constexpr std::uint32_t kKindCount = ESPALIER_ENTRIES + 1;

void drop(void*, const char*, std::size_t) {}

// An asset with all that its trees' agents need.
struct Opened {
  explicit Opened(test::Bytes given) : bytes(std::move(given)) {
    REQUIRE(espalier_open(bytes.data(), bytes.size(), &asset, nullptr) == ESPALIER_OK);
    std::uint32_t missing = 0;
    behaviors.resize(espalier_behavior_count(&asset) + 1);
    conditions.resize(espalier_condition_count(&asset) + 1);
    espalier_bind(&asset, nullptr, 0, behaviors.data(), nullptr, 0, &missing);
    espalier_bind_conditions(&asset, nullptr, 0, conditions.data(), nullptr, 0, &missing);
    for (espalier_behavior& each : behaviors) {
      each.tick = call_back;
      each.user = this;
    }
    for (espalier_behavior& each : conditions) {
      each.tick = call_back;
      each.user = this;
    }
    group.resize(espalier_group_bytes(&asset) / 8 + 1);
    espalier_start_group(&asset, group.data());
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  // What a host's function may call.
  static espalier_result call_back(const espalier_call* call) {
    static_cast<void>(espalier_memory_of(call, 1, 1));
    static_cast<void>(espalier_block_of(call, 1, 1));
    espalier_parameter parameter;
    for (std::uint32_t i = 0; i < espalier_parameter_count(call); ++i) {
      parameter = espalier_parameter_at(call, i);
      static_cast<void>(espalier_find_parameter(call, parameter.name, &parameter));
    }
    for (std::uint32_t i = 0; i < espalier_port_count(call); ++i) {
      std::uint32_t port = 0;
      CHECK(espalier_find_port(call, espalier_port_name(call, i), &port) == ESPALIER_OK);
      char buffer[ESPALIER_NUMBER_TEXT];
      espalier_value value;
      if (espalier_is_input(call, i)) static_cast<void>(espalier_read_port(call, i, &value, buffer));
    }
    return ESPALIER_SUCCESS;
  }

  test::Bytes bytes;
  espalier_asset asset;
  std::vector<espalier_behavior> behaviors;
  std::vector<espalier_behavior> conditions;
  std::vector<std::uint64_t> group;
};

// An agent of a tree.
struct Agent {
  Agent(Opened& opened, espalier_tree of) : tree(of) {
    block.resize(espalier_agent_bytes(tree) / 8 + 1);
    shared.resize(espalier_shared_bytes(tree) / 8 + 1);
    scratch.resize(espalier_scratch_bytes(tree) / 8 + 1);
    host.behaviors = opened.behaviors.data();
    host.conditions = opened.conditions.data();
    host.shared = shared.data();
    host.group = opened.group.data();
    host.scratch = scratch.data();
    espalier_start_shared(tree, shared.data());
    espalier_start(tree, block.data());
  }

  espalier_tree tree;
  std::vector<std::uint64_t> block, shared, scratch;
  espalier_host host;
};

// ---- Names

void call_names(espalier_tree tree) {
  for (std::uint32_t i = 0; i < kKindCount; ++i) {
    const auto kind = static_cast<espalier_kind>(i);
    for (std::uint32_t id = 0; id < espalier_count(tree, kind); ++id) {
      const char* const name = espalier_name(tree, kind, id);
      std::uint32_t found = 0;
      static_cast<void>(espalier_find(tree, kind, name, &found));
      static_cast<void>(espalier_find_n(tree, kind, name, std::strlen(name), &found));
    }
  }
  std::uint32_t id = 0;
  espalier_tree found = tree;
  CHECK(espalier_find_tree(tree.asset, "no such tree", &found) == ESPALIER_NOT_FOUND);
  static_cast<void>(espalier_tree_count(tree.asset) + espalier_behavior_count(tree.asset));
  static_cast<void>(espalier_find_variable(tree, "x", &id));
  static_cast<void>(espalier_find_signal(tree, "x", &id));
  static_cast<void>(espalier_find_timestamp(tree, "x", &id));
  static_cast<void>(espalier_find_rule(tree, "x", &id));
  static_cast<void>(espalier_find_stimulus(tree, "x", &id));
  static_cast<void>(espalier_find_behavior_flag(tree, "x", &id));
  static_cast<void>(espalier_find_slot(tree.asset, "x", &id));
  static_cast<void>(espalier_tree_name(tree));
  for (std::uint32_t script = 0; script < espalier_count(tree, ESPALIER_SCRIPTS); ++script)
    CHECK(espalier_script_text(tree.asset, script) != nullptr);
  for (int status = ESPALIER_OK; status <= ESPALIER_MISSING_ENGINE; ++status)
    CHECK(*espalier_status_text(static_cast<espalier_status>(status)) != '\0');
}

// ---- Agents of any kind

void call_common(Agent& agent, Agent& other) {
  void* const block = agent.block.data();
  espalier_seed(agent.tree, block, 7);
  for (std::uint32_t i = 0; i < espalier_count(agent.tree, ESPALIER_VARIABLES); ++i)
    espalier_set(agent.tree, block, i, !espalier_variable(agent.tree, block, i));
  for (std::uint32_t i = 0; i < espalier_count(agent.tree, ESPALIER_SIGNALS); ++i) {
    espalier_signal(agent.tree, block, i, &agent.host, nullptr);
    espalier_signal_watched(agent.tree, block, i, &agent.host, nullptr, nullptr, nullptr);
  }
  espalier_watcher watcher;
  espalier_history history;
  espalier_update_watched(agent.tree, block, &agent.host, &watcher);
  espalier_update_recorded(agent.tree, block, &agent.host, &history);
  espalier_update(agent.tree, block, &agent.host);
  espalier_update_all(agent.tree, block, espalier_agent_bytes(agent.tree), 1, &agent.host);
  espalier_prepared prepared;
  espalier_prepare(agent.tree, &prepared);
  espalier_update_prepared(&prepared, block, &agent.host);
  espalier_update_all_prepared(&prepared, block, espalier_agent_bytes(agent.tree), 1, &agent.host);
  static_cast<void>(espalier_is_stopped(agent.tree, block));
  std::vector<std::uint32_t> active;
  espalier_visit_active(
      agent.tree, block,
      [](void* user, std::uint32_t word) { static_cast<std::vector<std::uint32_t>*>(user)->push_back(word); }, &active);
  for (const std::uint32_t word : active) {
    espalier_result result;
    static_cast<void>(espalier_node_result(agent.tree, block, word, &result));
    static_cast<void>(espalier_node_place(agent.tree.asset, word));
    static_cast<void>(espalier_node_name(agent.tree.asset, word));
    static_cast<void>(espalier_last_of(&history, word));
  }
  static_cast<void>(espalier_recent(&history, 0));
  espalier_node_step step = {};
  espalier_record(&history, &step, 0);
  espalier_print_options options;
  options.host = &agent.host;
  options.history = &history;
  espalier_print(agent.tree, block, &options, drop, nullptr);
  char text[64];
  CHECK(espalier_print_text(agent.tree, block, nullptr, text, sizeof text) > 0);
  CHECK(espalier_check_agent(agent.tree, block, agent.shared.data()) == ESPALIER_OK);
  CHECK(espalier_check_shared(agent.tree, agent.shared.data()) == ESPALIER_OK);
  const std::vector<std::uint64_t> saved = agent.block;
  espalier_restore(agent.tree, block, saved.data(), &agent.host);
  espalier_move_agent(agent.tree, block, &agent.host, other.tree, other.block.data(), &other.host);
  espalier_stop(other.tree, other.block.data(), &other.host);
  CHECK(espalier_check_agent(other.tree, other.block.data(), other.shared.data()) == ESPALIER_OK);
}

// ---- Functions of one kind

void call_selecting(Agent& agent) {
  static_cast<void>(espalier_current_leaf(agent.tree, agent.block.data()));
  static_cast<void>(espalier_current_behavior(agent.tree, agent.block.data()));
  for (std::uint32_t i = 0; i < espalier_leaf_count(agent.tree); ++i)
    static_cast<void>(espalier_leaf_behavior(agent.tree, i));
  std::vector<std::uint64_t> tables(espalier_tables_bytes(agent.tree) / 8);
  REQUIRE(!tables.empty());
  espalier_prepared prepared;
  espalier_prepare(agent.tree, &prepared);
  espalier_make_tables(&prepared, tables.data());
  espalier_update_prepared(&prepared, agent.block.data(), &agent.host);
}

// Memory at a multiple of 64, as planes need it.
struct Planes {
  explicit Planes(std::size_t size_bytes) : bytes(size_bytes + 64) {}
  void* begin() { return bytes.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes.data()) % 64) % 64; }
  std::vector<unsigned char> bytes;
};

void call_columns(Agent& agent) {
  std::vector<std::uint64_t> code(espalier_columns_bytes(agent.tree) / 8);
  if (code.empty()) return;
  espalier_columns columns;
  espalier_make_columns(agent.tree, code.data(), &columns);
  Planes block(columns.block_bytes);
  Planes work(columns.work_bytes);
  espalier_start_columns(&columns, block.begin(), 1);
  const std::vector<std::uint8_t> values(ESPALIER_COLUMN_AGENTS, 1);
  for (std::uint32_t i = 0; i < espalier_count(agent.tree, ESPALIER_VARIABLES); ++i) {
    espalier_set_column(&columns, block.begin(), i, values.data());
    espalier_set_in_column(&columns, block.begin(), ESPALIER_COLUMN_AGENTS - 1, i, false);
  }
  static_cast<void>(espalier_plane(block.begin(), columns.changed_plane));
  espalier_update_columns(&columns, block.begin(), 1, work.begin());
  std::vector<std::uint16_t> leaves(ESPALIER_COLUMN_AGENTS);
  espalier_column_leaves(&columns, block.begin(), leaves.data());
  const std::size_t size_bytes = espalier_agent_bytes(agent.tree);
  espalier_load_columns(&columns, block.begin(), agent.block.data(), size_bytes, 1);
  espalier_store_columns(&columns, block.begin(), agent.block.data(), size_bytes, 1);
  CHECK(espalier_check_agent(agent.tree, agent.block.data(), nullptr) == ESPALIER_OK);
}

// First words of the tree's nodes of a kind.
std::vector<std::uint32_t> nodes_of_kind(const espalier_tree& tree, Opcode opcode) {
  std::vector<std::uint32_t> words;
  const layout::Unit& unit = unit_record(tree);
  const std::uint32_t* const nodes = nodes_of(*tree.asset);
  const std::uint32_t* node = nodes + unit.first_word;
  for (std::uint32_t i = 0; i < unit.node_count; ++i, node = next_node(node)) {
    if (opcode_of(node) == opcode) words.push_back(static_cast<std::uint32_t>(node - nodes));
  }
  return words;
}

void call_ticking(Agent& agent) {
  std::uint64_t time_us = 0;
  for (std::uint32_t i = 0; i < espalier_count(agent.tree, ESPALIER_TIMESTAMPS); ++i)
    static_cast<void>(espalier_timestamp(agent.tree, agent.block.data(), i, &time_us));
  espalier_start(agent.tree, agent.block.data());
  espalier_update(agent.tree, agent.block.data(), &agent.host);
  std::vector<std::uint32_t> active;
  espalier_visit_active(
      agent.tree, agent.block.data(),
      [](void* user, std::uint32_t word) { static_cast<std::vector<std::uint32_t>*>(user)->push_back(word); }, &active);
  for (const std::uint32_t word : active) {
    const Opcode opcode = opcode_of(nodes_of(*agent.tree.asset) + word);
    if (opcode == opcode::tick_machine) static_cast<void>(espalier_present_state(agent.tree, agent.block.data(), word));
    if (opcode == opcode::tick_wait) static_cast<void>(espalier_wait_end_us(agent.tree, agent.block.data(), word));
  }
}

void call_rules(Agent& agent) {
  void* const block = agent.block.data();
  static_cast<void>(espalier_run_limit(agent.tree));
  static_cast<void>(espalier_is_action_running(agent.tree, block));
  static_cast<void>(espalier_has_run_away(agent.tree, block));
  for (std::uint32_t i = 0; i < espalier_rule_count(agent.tree); ++i) {
    static_cast<void>(espalier_rule_id(agent.tree, i));
    static_cast<void>(espalier_rule_node(agent.tree, i));
    static_cast<void>(espalier_rule_parent(agent.tree, i));
    espalier_jump(agent.tree, block, i, &agent.host);
    CHECK(espalier_current_rule(agent.tree, block) == i);
    espalier_position position;
    if (espalier_save_position(agent.tree, block, &position) == ESPALIER_OK)
      CHECK(espalier_restore_position(agent.tree, block, &position) == ESPALIER_OK);
  }
}

void call_deciders(Agent& agent) {
  void* const block = agent.block.data();
  espalier_set_flags(agent.tree, block, ~espalier_flags(agent.tree, block));
  for (std::uint32_t i = 0; i < espalier_count(agent.tree, ESPALIER_STIMULI); ++i) {
    espalier_stimulus_data data;
    espalier_set_stimulus(agent.tree, block, i, 0, nullptr);
    static_cast<void>(espalier_set_stimulus_for(agent.tree, block, i, 0, 1000, nullptr));
    static_cast<void>(espalier_stimulus(agent.tree, block, i, &data));
    espalier_clear_stimulus(agent.tree, block, i);
  }
  espalier_update(agent.tree, block, &agent.host);
  for (std::uint32_t i = 0; i < espalier_active_count(agent.tree, block); ++i)
    static_cast<void>(espalier_active_decider_at(agent.tree, block, i));
  static_cast<void>(espalier_decider_memory_of(agent.tree));
  espalier_watcher watcher;
  watcher.user = &agent;
  watcher.decide = [](void* user, const espalier_decide_step* step) {
    const Agent& self = *static_cast<const Agent*>(user);
    static_cast<void>(espalier_step_level(step->kind));
    espalier_print_step(self.tree, self.block.data(), step, 0, 0, drop, nullptr);
  };
  espalier_start(agent.tree, block);
  espalier_update_watched(agent.tree, block, &agent.host, &watcher);
}

void call_storing(Agent& agent) {
  void* const block = agent.block.data();
  for (std::uint32_t slot = 0; slot < espalier_count(agent.tree, ESPALIER_SLOTS); ++slot) {
    static_cast<void>(espalier_injected_tree(agent.tree, block, slot));
    static_cast<void>(espalier_inject(agent.tree, block, slot, agent.tree.index, false, &agent.host));
  }
  for (const std::uint32_t word : nodes_of_kind(agent.tree, opcode::store_gate))
    static_cast<void>(espalier_inside_count(agent.tree.asset, agent.shared.data(), word));
}

void call_polling(Agent& agent) {
  void* const block = agent.block.data();
  std::vector<espalier_value> values(5);
  values[1].kind = ESPALIER_VALUE_WHOLE;
  values[1].whole = -9007199254740993;
  values[2].kind = ESPALIER_VALUE_UNSIGNED;
  values[2].whole = -1;
  values[3].kind = ESPALIER_VALUE_REAL;
  values[3].real = 123456789.25;
  values[4].kind = ESPALIER_VALUE_TEXT;
  values[4].text = "17";
  values[4].text_bytes = 2;
  const std::uint32_t count = espalier_count(agent.tree, ESPALIER_ENTRIES);
  for (std::uint32_t entry = 0; entry < count; ++entry) {
    const char* const path = espalier_entry_path(agent.tree, entry);
    const char* const name = espalier_name(agent.tree, ESPALIER_ENTRIES, entry);
    std::uint32_t found = 0;
    static_cast<void>(espalier_find_entry(agent.tree, path, name, &found));
    static_cast<void>(espalier_find_entry_now(agent.tree, block, path, name, &found));
    espalier_value value;
    static_cast<void>(espalier_entry(agent.tree, block, entry, &value));
    for (const espalier_value& each : values) static_cast<void>(espalier_set_entry(agent.tree, block, entry, &each));
    static_cast<void>(espalier_set_entry_boolean(agent.tree, block, entry, true));
    CHECK(espalier_check_agent(agent.tree, block, nullptr) == ESPALIER_OK);
  }
  std::uint32_t named = 0;
  if (espalier_name_entry(agent.tree, block, "a name that nothing uses", &named) == ESPALIER_OK)
    CHECK(espalier_set_entry(agent.tree, block, named, &values[1]));
  for (const std::uint32_t word : nodes_of_kind(agent.tree, opcode::poll_action))
    static_cast<void>(espalier_node_status(agent.tree, block, word));
  espalier_update(agent.tree, block, &agent.host);
  CHECK(espalier_check_agent(agent.tree, block, nullptr) == ESPALIER_OK);
}

struct Kind {
  const char* name;
  test::Bytes (*asset)(bool strip);
  void (*call)(Agent& agent);
};
constexpr Kind kOwn[] = {
    {"select", test::small_asset, call_selecting},    {"tick", test::small_ticking_asset, call_ticking},
    {"rule", test::small_rules_asset, call_rules},    {"decide", test::small_deciders_asset, call_deciders},
    {"store", test::small_store_asset, call_storing}, {"poll", test::small_poll_asset, call_polling}};
static_assert(std::size(kOwn) == kEngineCount);

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Names that a text has before a '('.
std::set<std::string> called_in(const std::string& text) {
  std::set<std::string> names;
  constexpr std::string_view kBegin = "espalier_";
  for (std::size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at + 1)) {
    std::size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    if (end < text.size() && text[end] == '(') names.insert(text.substr(at, end - at));
  }
  return names;
}

std::string without_comments(std::string text) {
  for (std::size_t at = text.find("/*"); at != std::string::npos; at = text.find("/*", at))
    text.erase(at, text.find("*/", at) + 2 - at);
  return text;
}

}  // namespace

TEST_CASE("every function of the interface works for trees of every kind") {
  for (const Kind& kind : kOwn) {
    CAPTURE(kind.name);
    for (const bool strip : {false, true}) {
      Opened opened(kind.asset(strip));
      for (std::uint32_t i = 0; i < espalier_tree_count(&opened.asset); ++i) {
        const espalier_tree tree = espalier_tree_at(&opened.asset, i);
        call_names(tree);
        Agent agent(opened, tree);
        Agent other(opened, tree);
        kind.call(agent);
        call_columns(agent);
        call_common(agent, other);
      }
    }
  }
}

TEST_CASE("trees that do not select have no tables and no columns") {
  for (const Kind& kind : kOwn) {
    CAPTURE(kind.name);
    const Opened opened(kind.asset(false));
    const espalier_tree tree = espalier_tree_at(&opened.asset, 0);
    const bool selects = kind.call == call_selecting;
    CHECK((espalier_tables_bytes(tree) != 0) == selects);
    if (!selects) CHECK(espalier_columns_bytes(tree) == 0);
  }
}

TEST_CASE("every function of the public headers is called here") {
  const std::filesystem::path folder = source_folder();
  std::set<std::string> called = called_in(text_of(folder / "tests/unit/runtime_functions.cpp"));
  called.merge(called_in(text_of(folder / "tests/recording/recorded_runs.cpp")));
  called.merge(called_in(text_of(folder / "tests/recording/random_program.cpp")));
  called.merge(called_in(text_of(folder / "tests/unit/runtime_serving.cpp")));
  const std::set<std::string> elsewhere = {"espalier_open_with",     // runtime_engines.cpp
                                           "espalier_set_misuse",    // runtime_breaches.h: it changes what all tests do
                                           "espalier_decider_name",  // espalier_node_name()
                                           "espalier_condition_name",
                                           "espalier_behavior_name",  // espalier_name() of a kind
                                           "espalier_internal_leaf",
                                           "espalier_internal_update",  // espalier_update_prepared()
                                           "espalier_recorded_asset",
                                           "espalier_playback_clock_us",     // recordings.py
                                           "espalier_playback_has_hashes",   // the same
                                           "espalier_playback_agent_count",  // the same
                                           "espalier_server_replaces",       // tests/logs/served_runs.cpp
                                           "espalier_write_port",
                                           "espalier_write_port_boolean"};  // runtime_polling.cpp
  for (const auto& header : std::filesystem::directory_iterator(folder / "lib/runtime/include/espalier")) {
    if (header.path().extension() != ".h") continue;
    for (const std::string& name : called_in(without_comments(text_of(header.path())))) {
      const bool is_engine = name.size() > 7 && name.compare(name.size() - 7, 7, "_engine") == 0;
      CAPTURE(name);
      CHECK((called.count(name) + elsewhere.count(name) > 0 || is_engine));
    }
  }
}

}  // namespace runtime_functions
