// Properties that need not be written. See ready_made.h.
#include "explore/property/ready_made.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "explore/engine.h"
#include "explore/explore.h"
#include "explore/property/cleaning.h"
#include "explore/property/proving.h"
#include "explore/property/returning.h"
#include "replay/names.h"
#include "runtime/asset/view.h"
#include "runtime/format/opcodes/decide.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/opcodes/select.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/opcodes/tick.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

using PlaceKey = std::tuple<std::string, std::uint32_t, std::uint32_t>;

constexpr std::array<ReadyMadeRow, 5> kRows = {{
    {"no-error", "no update ends with an error"},
    {"one-use-at-a-time", "no two actions run at once that use the same thing, as \"uses\" declares"},
    {"recoveries-can-be-reached", "what is tried when something else fails can be reached"},
    {"can-return", "what the first update shows can always come again"},
    {"cleaned-up", "what sets an entry and always sets it back sets it back when it is interrupted, too"},
}};

// ---- Properties that could be written

text::JsonValue string_value(std::string text) { return {.kind = text::JsonKind::string, .string = std::move(text)}; }

text::JsonValue object_of(std::string key, text::JsonValue value) {
  text::JsonValue object{.kind = text::JsonKind::object};
  object.keys.push_back({std::move(key), {}});
  object.values.push_back(std::move(value));
  return object;
}

ReadyMade never(const Tree& tree, std::string name, text::JsonValue state) {
  auto property = std::make_shared<Property>();
  property->name = std::move(name);
  property->kind = PropertyKind::never;
  property->claim.value = std::move(state);
  return {property->name, [property, tree](const Options& options) { return prove_property(*property, tree, options); },
          property.get()};
}

// Those whose updates can end with one. A tree of rules fails when it runs away, and when its root fails: then it
// stops.
void add_no_error(const Tree& tree, std::vector<ReadyMade>& all) {
  const EngineId engine = replay::engine_of_tree(tree);
  if (engine != EngineId::poll && engine != EngineId::decide && engine != EngineId::rule) return;
  const char* const status = engine == EngineId::rule ? "failure" : "error";
  all.push_back(never(tree, std::string(kRows[0].name), object_of("status", string_value(status))));
}

// One for each pair of actions of the tree.
void add_uses(const Tree& tree, const HostFacts& host, std::vector<ReadyMade>& all) {
  std::vector<std::string> actions;  // in the order of the tree, one for each node
  row_of(replay::engine_of_tree(tree))
      .questions(tree, [&](const Question& question, std::uint32_t, NodeAsks asks, std::uint32_t) {
        if (asks == NodeAsks::behavior && question.is_called) actions.push_back(question.name);
      });
  for (const auto& [thing, users] : host.uses) {
    std::vector<std::string> own;
    for (const std::string& action : actions) {
      if (std::find(users.begin(), users.end(), action) != users.end()) own.push_back(action);
    }
    std::set<std::pair<std::string, std::string>> known;
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (std::size_t k = i + 1; k < own.size(); ++k) {
        if (!known.insert(std::minmax(own[i], own[k])).second) continue;
        text::JsonValue pair{.kind = text::JsonKind::list};
        pair.values = {string_value(own[i]), string_value(own[k])};
        const std::string words = own[i] == own[k] ? "two " + own[i] : own[i] + " and " + own[k];
        all.push_back(never(tree, std::string(kRows[1].name) + " (" + thing + ": " + words + ')',
                            object_of("runs", std::move(pair))));
      }
    }
  }
}

// One for each entry that a part of the tree sets and sets back. Of other trees the program is told of every end.
void add_cleaning(const Tree& tree, std::vector<ReadyMade>& all) {
  if (replay::engine_of_tree(tree) != EngineId::poll) return;
  for (SetBackEntry& entry : find_set_back(tree)) {
    std::string name = std::string(kRows[4].name) + " (" + entry.name + ')';
    all.push_back(
        {name, [tree, entry, name](const Options& options) { return prove_set_back(tree, entry, name, options); }});
  }
}

// ---- What can be reached

bool tries_next(Opcode opcode) {
  constexpr Opcode kTrying[] = {opcode::select_priority, opcode::tick_selector,      opcode::tick_priority,
                                opcode::rule_choice,     opcode::decide_prioritized, opcode::decide_sequential,
                                opcode::store_selector,  opcode::poll_fallback,      opcode::poll_reactive_fallback,
                                opcode::poll_recovery};
  return std::find(std::begin(kTrying), std::end(kTrying), opcode) != std::end(kTrying);
}

// The places of the children, but for the first, of nodes that try one after the other.
std::set<PlaceKey> places_of_recoveries(const Asset& asset) {
  std::set<PlaceKey> places;
  for (std::uint32_t unit = 0; unit < record_count(asset, layout::SectionId::units); ++unit) {
    struct Parent {
      bool tries = false;
      std::uint32_t child_count = 0;
    };
    std::vector<Parent> parents;  // by depth
    codegen::visit_unit(asset, unit, [&](const codegen::NodeView& node, std::size_t depth) {
      parents.resize(depth + 1);
      parents[depth] = {tries_next(node.opcode), 0};
      if (depth == 0 || !parents[depth - 1].tries || parents[depth - 1].child_count++ == 0) return;
      const codegen::NodeDebug debug = codegen::node_debug(asset, node.word);
      places.emplace(std::string(debug.file), debug.line, debug.column);
    });
  }
  return places;
}

bool is_begun(ItemKind kind) {
  return kind == ItemKind::leaf || kind == ItemKind::node || kind == ItemKind::rule || kind == ItemKind::decider ||
         kind == ItemKind::case_;
}

Proof prove_recoveries(const Tree& tree, const std::set<PlaceKey>& places, const Options& options) {
  const std::string name(tree_name(tree));
  Proof proof{.property = std::string(kRows[2].name), .tree = name, .result = Truth::holds};
  const Cover cover = explore::cover(*tree.asset, {name}, options);
  if (cover.trees.size() != 1) return proof;
  const TreeCover& covered = cover.trees.front();
  proof.state_count = covered.state_count;
  proof.used_count = covered.used_count;
  for (const Item& item : covered.items) {
    if (!is_begun(item.kind) || places.count({item.place.file, item.place.line, item.place.column}) == 0) continue;
    if (item.reached == Reached::no && proof.result != Truth::fails) {
      proof.result = Truth::fails;
      proof.hint_place = item.place;
      proof.hint = text::quote(item.name) + " is never reached";
    }
    if (item.reached == Reached::undecided && proof.result == Truth::holds) {
      proof.result = Truth::undecided;
      proof.hint = covered.limit;
    }
  }
  return proof;
}

bool has_place_of(const Tree& tree, const std::set<PlaceKey>& places) {
  bool has = false;
  codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
    const codegen::NodeDebug debug = codegen::node_debug(*tree.asset, node.word);
    has = has || places.count({std::string(debug.file), debug.line, debug.column}) != 0;
  });
  return has;
}

}  // namespace

std::span<const ReadyMadeRow> ready_made_rows() { return kRows; }

std::vector<ReadyMade> ready_made_of(const Tree& tree, const HostFacts& host) {
  std::vector<ReadyMade> all;
  add_no_error(tree, all);
  add_uses(tree, host, all);
  const std::set<PlaceKey> places = places_of_recoveries(*tree.asset);
  if (has_place_of(tree, places)) {
    all.push_back({std::string(kRows[2].name),
                   [tree, places](const Options& options) { return prove_recoveries(tree, places, options); }});
  }
  if (agents_to_explore(tree) == 1)
    all.push_back({std::string(kRows[3].name), [tree](const Options& options) { return prove_return(tree, options); }});
  add_cleaning(tree, all);
  return all;
}

}  // namespace espalier::explore
