// Where trees name entries of blackboards, and how subtrees connect them: for editors. Nothing is checked.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "dialects/btcpp/poll.h"
#include "dialects/dialect.h"

namespace espalier::dialects::btcpp {

// A name on the blackboard of a tree, wherever the tree is used.
struct EntryName {
  std::string tree;
  std::string key;
  friend bool operator==(const EntryName&, const EntryName&) = default;
  // Not by <=>: the libc++ of emscripten has none for texts.
  friend bool operator<(const EntryName& a, const EntryName& b) {
    return std::tie(a.tree, a.key) < std::tie(b.tree, b.key);
  }
};

// What follows when the entry gets another name.
enum class Written : std::uint8_t {
  name,     // the span is the name
  follows,  // "{=}" of a SubTree, whose attribute is another place: nothing
  implied,  // the name is elsewhere: in a model's default, or the port's own
};

struct EntryPlace {
  EntryName name;
  text::Span span;  // of the name
  bool is_read = false;
  bool is_written = false;  // neither: it connects or declares
  Written written = Written::name;
  bool is_script = false;
  Type type = {};
  std::string by;  // "the port 'goal' of 'MoveBase'", "a script"
};

class EntryPlaces {
 public:
  // The documents must live while this is made. Of files that have only summaries, the models and the main tree count.
  EntryPlaces(std::span<const File> files, const Options& options);

  [[nodiscard]] const std::vector<EntryPlace>& all() const { return places_; }
  // The names that are changed together with this one, itself included: the connections give the same name on both
  // sides.
  [[nodiscard]] std::set<EntryName> of_same_name(const EntryName& name) const;
  // The names of the entry in all trees where it may be the same one, itself included.
  [[nodiscard]] std::set<EntryName> of_same_entry(const EntryName& name) const;
  // The entry that a trace of a tree calls "key" or, of a subtree, "PATH/key"; an empty tree is the main tree. Nothing
  // if the tree has no such subtree.
  [[nodiscard]] std::optional<EntryName> in_trace(std::string_view tree, std::string_view name) const;

 private:
  friend class EntryFinder;
  struct Link {
    EntryName inner;
    EntryName outer;
  };
  struct Autoremap {
    std::string inner;
    std::string outer;
    std::set<std::string, std::less<>> own;  // keys that are connected otherwise
  };
  struct Subtree {
    std::string outer;
    std::string name;  // empty: its number tells it from others
    std::string inner;
  };
  template <typename Visit>
  void each_outer(const EntryName& name, const Visit& visit) const;
  template <typename Visit>
  void each_inner(const EntryName& name, const Visit& visit) const;

  std::vector<EntryPlace> places_;
  std::vector<Link> links_;
  std::vector<Autoremap> autoremaps_;
  std::vector<Subtree> subtrees_;
  std::string main_;  // empty: there is no main tree
};

}  // namespace espalier::dialects::btcpp
