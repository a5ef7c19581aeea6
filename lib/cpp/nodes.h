// The nodes that C++ sources register with BehaviorTree.CPP, as far as they follow its idioms. Sources are read as
// text: no compiler runs, and what is not understood makes a declaration open, never wrong.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cpp/bases.h"
#include "cpp/ports.h"
#include "text/source.h"

namespace espalier::cpp {

struct Node {
  std::string id;
  Kind kind = Kind::unknown;
  std::vector<Port> ports = {};            // in the order of the source
  bool is_open = false;                    // it may have other ports
  text::Span registered = {};              // its ID
  std::string class_name = {};             // with its scope; empty: it is made of functions, or not found
  std::optional<text::Span> defined = {};  // the name of its class
};

// Something that could not be read, and what that means.
struct Unread {
  text::Span span;
  std::string message;
};

struct Nodes {
  std::vector<Node> all;  // sorted by ID; of several registrations of one ID there is one node
  std::vector<Unread> unread;
  // Trees are ticked with tickExactlyOnce(), and with no other function.
  bool ticks_exactly_once = false;
  bool has_other_ids = false;  // any name may be that of a node: IDs are computed, or plug-ins are loaded
};

// `files`: of `sources`, which must be C++.
[[nodiscard]] Nodes find_nodes(const text::Sources& sources, std::span<const text::FileId> files);

}  // namespace espalier::cpp
