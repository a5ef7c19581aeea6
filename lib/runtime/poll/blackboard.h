// Reading and writing the entries of an agent's blackboards. Functions that write return why they cannot.
#pragma once
#include "poll/tree.h"

namespace espalier {

// Does a name stand for an entry of the tree's own blackboard, wherever it is used?
inline bool begins_with_at(std::string_view name) { return name.size() > 1 && name[0] == '@'; }

class Blackboard {
 public:
  Blackboard(const PollTreeView& tree, const PollAgent& agent) : tree_(tree), agent_(agent) {}

  const PollTreeView& tree() const { return tree_; }
  const PollAgent& agent() const { return agent_; }

  // The entry that a key stands for.
  struct Found {
    std::uint32_t entry = layout::kNone;  // none: there is no such entry
    bool is_own = false;
  };
  Found find(std::uint32_t key) const {
    for (std::uint32_t at = key; at != layout::kNone; at = tree_.keys[at].next) {
      const layout::PollKey& each = tree_.keys[at];
      if (is_there(each.entry)) return {each.entry, at == key && each.is_own != 0};
    }
    return {};
  }
  // The key of this name on a board. One that nothing in the tree uses has a key if its entry is there, or if
  // `may_name` and there is room for another one: that entry can then be made.
  PollFault key_named(std::uint32_t board, std::string_view name, bool may_name, std::uint32_t* key) const;
  // The entry of this name that belongs to a board; kNone: it has none.
  std::uint32_t own_entry(std::uint32_t board, std::string_view name) const;
  // The same; with a name that nothing uses, one that has got it. Fails if there is no room for that.
  PollFault name_entry(std::uint32_t board, std::string_view name, std::uint32_t* entry) const;
  std::string_view name(std::uint32_t entry) const;
  std::uint32_t board_of(std::uint32_t entry) const;

  PollValue value(std::uint32_t entry) const;
  PollType type(std::uint32_t entry) const { return agent_.type(entry); }
  std::uint32_t count(std::uint32_t entry) const { return agent_.entry(entry).count; }
  bool is_there(std::uint32_t entry) const { return agent_.is_there(entry); }
  // Can it be written from outside? Not one that nothing finds, nor one that has no name yet.
  bool has_place(std::uint32_t entry) const;

  // The value of a port, as the port's type.
  PollFault read(const PollPort& port, PollValue* value, char* buffer) const;

  // Writes as outputs, hosts and loops do: a value of the type of a port.
  PollFault write(std::uint32_t key, const PollValue& value, PollType type) const;
  PollFault write_entry(std::uint32_t entry, const PollValue& value, PollType type) const;
  // The entry that write() writes to; kNone: it makes one.
  std::uint32_t written_entry(std::uint32_t key) const;
  // The same for an entry that is not there: one that is made with a text has no type.
  PollFault write_new(std::uint32_t entry, const PollValue& value, PollType type) const {
    return store(entry, value, type, type == PollType::text ? PollType::untyped : type, true);
  }
  // Makes the entry that a key stands for, unless it is there.
  PollFault make(std::uint32_t key, PollType type) const {
    std::uint32_t entry = 0;
    return make(key, type, &entry);
  }
  // Writes as SetBlackboard does.
  PollFault write_any(std::uint32_t key, const PollValue& value) const;
  // Writes as a script does: `:=` if `may_make`. `entry` gets what is written.
  PollFault assign(std::uint32_t key, const PollValue& value, bool may_make, std::uint32_t* entry) const;
  void remove(std::uint32_t entry) const { agent_.set_entry(entry, {}); }

 private:
  PollFault make(std::uint32_t key, PollType type, std::uint32_t* entry) const;
  PollFault make_unseen(std::uint32_t entry, PollType type, std::uint32_t* made) const;
  PollFault store_made(std::uint32_t entry, const PollValue& value, PollType made_as) const;
  PollFault convert(const PollValue& text, std::uint32_t entry, PollValue* converted) const;
  bool is_unseen(std::uint32_t entry) const { return begins_with_at(name(entry)); }
  // Gives an entry a value as it is; one with a value keeps the kind of that.
  PollFault store(std::uint32_t entry, const PollValue& value, PollType made_as, PollType type, bool counts) const;
  PollFault put(std::uint32_t entry, const PollValue& value) const;
  std::string_view text(std::uint32_t entry) const;
  // Those whose names are not known before: one that is there, and a free one.
  std::uint32_t named_entry(std::uint32_t board, std::string_view name) const;
  PollFault take_name(std::uint32_t board, std::string_view name, std::uint32_t* entry) const;
  // The entry that holds the name of one whose name is not known before.
  std::uint32_t name_place(std::uint32_t entry) const { return entry + tree_.record.named_count; }

  const PollTreeView& tree_;
  const PollAgent& agent_;
};

}  // namespace espalier
