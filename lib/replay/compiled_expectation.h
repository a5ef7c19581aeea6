// An `expect` object compiled for one tree: its names are found once, so that it can be checked millions of times. Keys
// and values are those of schemas/trace.schema.json. `{"not": X}` in place of a value matches what X does not match,
// and so does the key `not` of an object of keys.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "replay/expected_events.h"
#include "replay/line.h"
#include "replay/names.h"
#include "replay/places.h"

namespace espalier::replay {

// One of several agents.
struct ObservedAgent {
  std::uint32_t number = 0;
  AgentView view;
  std::optional<Result> status = {};  // of its last update
};

// What expectations are about.
struct Observed {
  const AgentView& agent;
  std::optional<Result> status = {};         // of the last update
  std::span<const std::string> events = {};  // since the last expectation, see EventLog
  std::span<const std::string> last_events = {};
  const std::vector<ObservedAgent>* agents = nullptr;  // all that live, for `agents`; null: the key is not there
};

// A key of an `expect` object: a row of the table in the .cpp.
struct ExpectedKey;

// One expected value, or several that must all match.
struct Check {
  const ExpectedKey* key = nullptr;        // null: an object of keys
  std::string name = {};                   // of one value of an object of names: "Alerted"
  const text::JsonValue* value = nullptr;  // as it is written, with its `not`; valid as long as the object
  bool is_object = false;                  // `parts` are compared: names, or keys if there is no `key`
  bool is_negated = false;
  bool is_null = false;
  std::uint32_t id = 0;
  std::uint64_t number = 0;
  std::vector<std::uint32_t> ids = {};  // ascending
  // Of a name with a place: the nodes there, ascending; in trees that select, the numbers of leaves.
  std::vector<std::uint32_t> nodes = {};
  std::vector<std::string> texts = {};
  std::vector<Check> parts = {};  // of objects, and of lists with names that have places: one for each
};

bool holds(const Check& check, const Observed& observed);
// The actual value as JSON. Of an object: those of its names or keys.
std::string actual_json(const Check& check, const Observed& observed);

// Is the value of this key the same for all agents: `events`, `event`, `inside`, `agents`, and a `not` of such keys
// only?
bool is_of_all_agents(const text::JsonValue::Key& key, const text::JsonValue& value);

// Has an object of keys this one, or a `not` in it?
bool names_key(const text::JsonValue& object, std::string_view key);

// Compiles expectations. Remembers the names that it has collected.
class ExpectationCompiler {
 public:
  // Compiles an object of keys, or one key. `trees` are all that agents have, for keys that are about all agents; in
  // most cases `tree` only. Spans of faults are in the file or line of `object`.
  [[nodiscard]] std::optional<LineFault> compile(const text::JsonValue& object, const Tree& tree,
                                                 std::span<const Tree> trees, Check* check);
  [[nodiscard]] std::optional<LineFault> compile_key(const text::JsonValue::Key& key, const text::JsonValue& value,
                                                     const Tree& tree, std::span<const Tree> trees, Check* check);

  // Names in what was compiled that the tree does not have: they never match, or always under `not`.
  std::vector<LineFault> unknown = {};
  // For `events`; without assets they are not checked.
  EventsOfRun events_of_run = {};

 private:
  friend struct ExpectedKeys;

  [[nodiscard]] std::optional<LineFault> find_key(const text::JsonValue::Key& name, const ExpectedKey** key) const;
  [[nodiscard]] std::optional<LineFault> compile_names(const text::JsonValue& object, Check* check);
  const std::vector<std::string>& leaf_paths();
  const std::map<std::string, std::vector<std::uint32_t>>& places();
  // The nodes that a name with a place is about: those that ask for it or have it. None: it has no place.
  [[nodiscard]] std::optional<LineFault> find_placed(const text::JsonValue& value, bool by_own_name,
                                                     std::optional<std::vector<Places::Found>>* found);
  void note_unknown(std::string_view word, const text::JsonValue& value, const std::vector<std::string_view>& names);

  ExpectedEvents expected_events_;
  std::uint32_t negations_ = 0;  // keys `not` around what is compiled
  Tree tree_;
  std::span<const Tree> trees_;
  Tree placed_tree_;
  std::unique_ptr<const Places> placed_;  // of placed_tree_
  Tree leaf_tree_;
  std::vector<std::string> leaf_paths_;  // of leaves of leaf_tree_
  const Asset* places_asset_ = nullptr;
  std::map<std::string, std::vector<std::uint32_t>> places_;  // gates and groups of places_asset_ by name, as words
};

// Finds a name in a tree: ESPALIER_VARIABLES and others. Returns a fault with a hint if it is unknown; its message
// calls the name a `word`. `span` is that of the name.
[[nodiscard]] std::optional<LineFault> find_name(const Tree& tree, espalier_kind kind, std::string_view word,
                                                 const std::string& name, text::Span span, std::uint32_t* id);

// "behavior"; of an object of keys "not".
std::string_view name_of_key(const Check& check);
// The same, with the name in an object of names: "variables.Alerted".
std::string key_text(const Check& check);

}  // namespace espalier::replay
