// Trees that poll: their blackboards, scripts and the ports of their nodes. Numbers of keys, entries, boards and
// scripts count from 0 in each tree.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/results.h"
#include "ir/shared.h"
#include "runtime/format/records.h"

namespace espalier::ir {

// An input or output of a node.
struct PollPort {
  Text name;
  layout::PollType type = layout::PollType::untyped;
  layout::PollDirection direction = layout::PollDirection::inout;
  bool is_default = false;
  std::optional<std::uint32_t> key;  // if it is connected
  std::optional<Text> literal;       // else; none of both: it has no value
};

// What a polled node has beside its children.
struct PolledNode {
  std::array<std::optional<std::uint32_t>, layout::kHookCount> hooks;  // scripts, by PollHook
  std::optional<std::uint32_t> script;
  std::vector<PollPort> ports;
  std::uint32_t board = 0;
  Text host;  // the behaviour or condition of the host; empty: none
  bool is_condition = false;
  bool is_declared = false;  // it has no other ports than these
  // What is certain of the host's answers, for analyses; 0: it may give any. And does it fail whenever its node was
  // idle?
  Results results = 0;
  bool fails_anew = false;
};

struct PollInstruction {
  layout::PollOp op = layout::PollOp::fail;
  std::uint32_t operand = 0;  // a key, a Comparison or a later instruction
  std::uint32_t target = 0;   // compare_next: where its chain ends
  std::int64_t whole = 0;
  double real = 0;
  Text text = {};
};

struct PollKey {
  std::string name;
  std::uint32_t entry = 0;
  std::optional<std::uint32_t> next;  // a key of a board above
  bool is_own = true;
};

struct PollBoard {
  std::string path;
  std::optional<std::uint32_t> above;  // the board of the names that it does not know
  std::vector<PollKey> keys;           // numbered over all boards, those of the first one first
};

struct PollEntry {
  std::string name;
  std::uint32_t board = 0;
  bool is_there = false;  // when an agent starts
  layout::PollType type = layout::PollType::untyped;
  std::optional<std::string> value;  // at the start, as a text of its type
};

// What is made for a name that a SubTree connects to one with '@': an entry whose own name begins with '@'. No name
// finds it.
inline bool is_unseen(const PollEntry& entry) { return entry.name.size() > 1 && entry.name[0] == '@'; }

struct PollEnum {
  std::string name;
  double number = 0;
};

}  // namespace espalier::ir
