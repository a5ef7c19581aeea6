// What every picture of a tree is drawn from: its nodes in order, with their words. Made from the rows in which an
// asset is printed, so that it is the same for every dialect. All texts are made visible(), and fit into any format.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::report {

inline constexpr std::uint32_t kNoParent = 0xFFFF'FFFF;
inline constexpr std::uint8_t kMostHeat = 6;

struct PictureNode {
  std::string kind = {};                   // the opcode without its engine: "sequence"
  std::string name = {};                   // of the element; in stripped assets the kind
  std::string condition = {};              // empty: it has none, or one that always holds
  std::string calls = {};                  // what it calls, sends or enters, where it is not the name
  std::vector<std::string> scripts = {};   // of trees that poll: "_onSuccess: done := 1"
  std::vector<std::string> details = {};   // everything else: "parameter tool Welder"
  std::vector<std::string> findings = {};  // "warning: MESSAGE [RULE]"
  std::string file = {};                   // as the asset names it; empty: not known
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t word = 0;            // in NODES; nodes of a shared unit occur once a place, with the same word
  std::uint32_t parent = kNoParent;  // index of its node in the outline; the root has none
  char reached = ' ';                // with a cover: 'y'es, 'n'ot, 'u'ndecided, 'p'artly
  // With a cover what of it is not reached, and why; with a profile what it did.
  std::vector<std::string> items = {};
  std::uint8_t heat = 0;  // with a profile: 1, was never active, to kMostHeat, in every update
};

struct PictureTree {
  std::string name = {};
  std::string dialect = {};                // "selection"
  std::vector<PictureNode> nodes = {};     // parents before their children, in the order of the file
  std::vector<std::string> findings = {};  // that are at none of its nodes
};

// The trees of an asset; `tree`: only the one of this name. Shared parts are drawn at each place, up to a limit.
std::vector<PictureTree> outline(const Asset& asset, std::string_view tree = {});

// Something to be said of the node at a place of a file, such as a finding.
struct PictureNote {
  std::string file = {};
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string text = {};
};
// Adds each note to the nodes that begin last before it on its line, else to the trees of its file.
void add_findings(std::vector<PictureTree>& trees, const std::vector<PictureNote>& notes);

// The words in a node's box, a line each: "Attack", "leaf: Fire", "if Alerted".
std::vector<std::string> box_lines(const PictureNode& node);
// A line more, about what is not reached and findings; empty: there are none.
std::string box_note(const PictureNode& node);
// A line cut to so many characters, with "…" where something is missing.
std::string shortened_line(std::string_view line, std::size_t most);
// Everything about a node, a line each.
std::string full_text(const PictureNode& node);

}  // namespace espalier::report
