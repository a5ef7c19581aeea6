// What every picture of a tree is drawn from: its nodes in order, with their words. Made from the rows in which an
// asset is printed, so that it is the same for every dialect. All texts are made visible(), and fit into any format.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/format/kinds.h"
#include "text/source.h"

namespace espalier::report {

inline constexpr std::uint32_t kNoParent = 0xFFFF'FFFF;
inline constexpr std::uint8_t kMostHeat = 6;

// What kind of node it is: its shape and colour.
enum class PictureRole : std::uint8_t { control, decorator, condition, action, subtree };
std::string_view name_of(PictureRole role);
struct NodeLook {
  PictureRole role = PictureRole::action;
  std::string_view signs = {};  // names in signs.json, with a space between two
};
// As node_looks.def has it.
NodeLook look_of(Opcode opcode);

// A line of a box about what decides: "room -> {room}", "if Alerted", "seconds: 10".
struct PictureRow {
  std::string label = {};
  std::string_view arrow = {};  // ":", or "→" for what is written; empty: the label is a word before the value
  std::string value = {};
};
std::string row_text(const PictureRow& row);

// An item of a cover: what it is, and which traces reach it, or the one that would.
struct PictureItem {
  std::string text = {};                 // "leaf 'Attack': not reached by these traces, but reachable in 2 steps"
  std::vector<std::string> traces = {};  // names of those that reach it
  std::string steps = {};                // of the shortest one, in words; empty: none is known
  std::string trace = {};                // the same as the text of a file
};

struct PictureNode {
  std::string kind = {};  // the opcode without its engine: "sequence"
  PictureRole role = PictureRole::control;
  std::string_view signs = {};             // names in signs.json, with a space between two
  std::string type = {};                   // in the words of its dialect: "ReactiveSequence", "Leaf"
  std::string name = {};                   // its own; empty: it has none
  std::vector<PictureRow> rows = {};       // what decides: conditions, ports, entries, numbers
  std::vector<std::string> tags = {};      // what is done before and after: "_onSuccess: done := 1"
  std::vector<std::string> details = {};   // what the box does not tell
  std::string note = {};                   // about a run: "82 %"
  std::vector<std::string> findings = {};  // "warning: MESSAGE [RULE]"
  std::string file = {};                   // as the asset names it; empty: not known
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t word = 0;                 // in NODES; nodes of a shared unit occur once a place, with the same word
  std::uint32_t parent = kNoParent;       // index of its node in the outline; the root has none
  bool is_block = false;                  // the root of a part that is stored once and may be used at several places
  char reached = ' ';                     // with a cover: 'y'es, 'n'ot, 'u'ndecided, 'p'artly
  std::vector<PictureItem> covered = {};  // with a cover: its items
  std::vector<std::string> items = {};    // with a profile: what it did
  std::uint8_t heat = 0;                  // with a profile: 1, was never active, to kMostHeat, in every update

  const std::string& head() const { return name.empty() ? type : name; }
};

struct PictureTree {
  std::string name = {};
  std::string dialect = {};                // "selection"
  std::vector<PictureNode> nodes = {};     // parents before their children, in the order of the file
  std::vector<std::string> findings = {};  // that are at none of its nodes
};

// The trees of an asset; `tree`: only the one of this name. Shared parts are drawn at each place, up to a limit. Nodes
// have the words of the elements that they were read from, as far as these are in `sources`; otherwise those of the
// asset.
std::vector<PictureTree> outline(const Asset& asset, const text::Sources& sources, std::string_view tree = {});

// Something to be said of the node at a place of a file, such as a finding.
struct PictureNote {
  std::string file = {};
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string text = {};
};
// Adds each note to the nodes that begin last before it on its line, else to the trees of its file.
void add_findings(std::vector<PictureTree>& trees, const std::vector<PictureNote>& notes);

// Leaves the rows and tags that a box has space for, shortened; what is left out is among the details.
void fit_rows(PictureNode& node);
// The words in a node's box, a line each: "Attack", "Leaf", "if Alerted".
std::vector<std::string> box_lines(const PictureNode& node);
// A line cut to so many characters, with "…" where something is missing.
std::string shortened_line(std::string_view line, std::size_t most);
// Everything about a node, a line each.
std::string full_text(const PictureNode& node);

}  // namespace espalier::report
