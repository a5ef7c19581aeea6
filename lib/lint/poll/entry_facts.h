// Blackboards below the root of a tree: which entries its nodes make, write and read, as the library connects them.
// What follows from that is checked in entries.cpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lint/poll/analysis.h"

namespace espalier::lint {

inline constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

// Where something happens. Moments are numbers in the order of the first update.
struct Moment {
  std::uint32_t moment = kNever;
  Span span = {};
};

// What nodes put into an entry while they are ticked. It matters to scripts that run when something is halted.
struct Puts {
  std::optional<Moment> text;    // certainly, the first time
  std::optional<Moment> number;  // the same
  std::optional<Moment> own;     // the same, a value of the entry's own type
  bool is_whole = true;          // all numbers are whole ones
  bool is_other = false;         // there may be others
};

struct Entry {
  Type type;
  bool is_made = false;  // when the tree is made
  Moment made;           // by a port or a literal
  std::string made_by;   // for messages
  bool by_untyped_port = false;
  bool is_literal = false;  // of the SubTree element
  Moment literal;
  std::string literal_text;
  bool is_mismatched = false;         // which has been reported
  std::optional<Moment> read;         // the first time
  std::optional<Moment> surely_read;  // by what needs a value
  std::optional<Moment> written;      // the first time, however
  std::optional<Moment> created;      // by ':='
  bool created_as_text = false;
  std::optional<Moment> assigned;  // by '=' and the like
  bool is_replaced = false;        // by '='
  std::optional<Moment> output;    // by an output or a loop
  std::optional<Moment> copied;    // SetBlackboard with a text
  std::optional<Moment> text_put;  // by a script, certainly
  std::optional<Moment> computed;  // with its value, by a script that throws if it is a text
  std::optional<Moment> watched;
  std::optional<Moment> in_script;    // named by one
  bool is_perhaps_read = false;       // by an input that a node can do without, or when something is halted
  bool is_read_by_others = false;     // than nodes of Nav2
  bool is_perhaps_used = false;       // by a node that nobody declares
  bool is_joined = false;             // read as a text
  bool is_set_by_typed_node = false;  // by an output with a type
  bool is_written_as_other = false;   // than a text that stays one
  Puts puts;

  static void note(std::optional<Moment>& first, const Moment& place) {
    if (!first || place.moment < first->moment) first = place;
  }
};

// What a board has of a key, found at once.
struct KnownKey {
  Entry* entry = nullptr;                // null: none yet
  const std::string* outside = nullptr;  // the key that it is remapped to; null: it is not
  bool is_used = false;
};

// Where a name of an entry is written.
struct NamePlaces {
  Span first;
  bool is_alone = true;  // nowhere else
  bool in_script = false;
};

// The blackboard of a tree in one place.
struct Board {
  const WrittenTree* tree = nullptr;
  const WrittenNode* subtree = nullptr;  // the element that uses the tree; null: of the root
  Board* parent = nullptr;
  bool has_autoremap = false;
  bool has_unknown_writes = false;  // an entry whose name is in another one
  bool has_unknown_ports = false;   // of a node that nobody declares: their defaults can name any entry
  std::map<std::string, std::string, std::less<>> remapped;  // key inside to key outside
  std::map<std::string, Entry, std::less<>> entries;
  std::set<std::string, std::less<>> used;              // keys that something in the tree uses
  std::unordered_map<std::string_view, KnownKey> keys;  // of `remapped`, `entries` and `used`
  std::map<std::string_view, NamePlaces> names;         // as the tree and those that share its entries write them

  const KnownKey& known(std::string_view key) const {
    static constexpr KnownKey kNone;
    const auto found = keys.find(key);
    return found == keys.end() ? kNone : found->second;
  }
  std::set<std::string, std::less<>> passed;        // keys that a SubTree in the tree is given
  std::map<std::string, Moment, std::less<>> lost;  // keys inside that are connected to global ones, and written here
  std::string path;
};

// A text that a port is given. It may be meant as an entry.
struct GivenText {
  const Board* board;
  const WrittenNode* node;
  const WrittenPort* port;
};

struct HaltedScript {
  Board* board;
  const WrittenScript* script;
};

class EntryFacts {
 public:
  explicit EntryFacts(const PollAnalysis& analysis) : analysis_(analysis), project_(analysis.project) {}

  std::deque<Board> boards;  // that of the root first
  std::vector<GivenText> texts;
  std::vector<HaltedScript> halted;  // in the order of nodes

  // Of a tree, with types that differ reported; false: something is missing that could write or read an entry.
  [[nodiscard]] bool find(const WrittenTree& tree);
  // Is all of the tree looked at, as far as it is known?
  [[nodiscard]] bool has_all_names() const { return !is_full_; }

  // The entry that a key names, and its board. It may not be there yet.
  [[nodiscard]] Entry& resolve(Board& from, std::string_view key);
  // The entry that is made for a key that names none yet.
  [[nodiscard]] Entry& resolve_made(Board& from, std::string_view key);

 private:
  Board& add_board(const WrittenTree& tree, const WrittenNode* subtree, Board* parent, std::string path);
  void make(Board& board, const WrittenPort& port, const WrittenNode& node);
  void visit(const WrittenNode& node, Board& board, std::uint32_t depth);
  void use_script(const WrittenScript& script, Board& board);
  static void note_put(Entry& entry, const ScriptUse& use, const Moment& place);
  static void note_put(Entry& entry, const Port* port, const Moment& place);
  void mark_unknown_ports(Board& board);
  void use_ports(const WrittenNode& node, Board& board);
  void check_loop(const WrittenNode& node, Board& board);
  void use_watched(const WrittenPort& port, Board& board);
  void use_pointer(const WrittenNode& node, const WrittenPort& port, Board& board);
  void copy_literal(const WrittenNode& node, const WrittenPort& key, Board& board);
  static void mark_unknown(Board& board);
  void write_ports(const WrittenNode& node, Board& board);
  // Where a write through a remapping to a global entry is lost: the board, and the key in it; null: it is not.
  [[nodiscard]] std::pair<Board*, std::string> find_lost(Board& from, std::string_view key) const;
  void note_lost(Board& from, std::string_view key, Span span) const;
  void visit_subtree(const WrittenNode& node, Board& board, std::uint32_t depth);
  void connect(std::string_view key, const PortValue& value, Span span, Board& below);
  // Notes where a key is written.
  void note_name(Board& from, std::string_view key, Span span, bool in_script = false);
  // Notes that something uses the key.
  void use(Board& board, std::string_view name) const;
  Entry& entry_at(Board& board, std::string_view name);
  void fill(const char* what, std::uint32_t most);

  const PollAnalysis& analysis_;
  const WrittenProject& project_;
  std::map<std::string, Span> paths_;
  std::uint32_t node_count_ = 0;
  std::uint32_t entry_count_ = 0;
  std::uint32_t connection_count_ = 0;
  std::uint32_t moment_ = 0;
  bool is_sound_ = true;
  bool is_full_ = false;  // too many of something: the rest is not looked at
  Entry unsaid_;          // of a full tree
};

// ---- Checks of these facts, beside those in entries.cpp

// `_onHalted` scripts: the library runs all of them when a tree is destroyed, and nothing catches what they throw.
void check_halts(EntryFacts& facts, const PollAnalysis& analysis);
// Texts that are the name of an entry on the blackboard where they are given.
void check_texts(const EntryFacts& facts, const PollAnalysis& analysis);
// The entries of a board that are read and never written, whose names are nearly those of others that are written or
// given and never read, with these. They are reported, and have no other faults.
using Misspelt = std::map<std::string_view, std::string_view>;
[[nodiscard]] Misspelt check_spelling(const Board& board, const PollAnalysis& analysis);
// The names of a board that are written in one place only, and are a slip of the finger for one that is written
// elsewhere too, with these. They are reported.
// `told`: those that are reported already.
[[nodiscard]] Misspelt check_slips(const Board& board, const Misspelt& told, const PollAnalysis& analysis);
// Is an entry of a main tree that no node writes a fault, but for those that the program is known to write? It writes
// what espalier.json lists, once it lists any; where it lists none, what only Nav2's nodes read is written by Nav2's
// navigators, or by nobody: programs rarely have navigators of their own.
[[nodiscard]] bool must_be_written(const Entry& entry, const WrittenProject& project);
// The entries that the program writes, as espalier.json lists them, and Nav2's navigators.
[[nodiscard]] std::vector<std::string_view> entries_from_outside(const WrittenProject& project);
// Is it written as enums are?
[[nodiscard]] bool looks_like_enum(std::string_view name);

}  // namespace espalier::lint
