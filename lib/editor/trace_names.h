// The names of trees and of what is in them, in the JSON of traces and properties.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "project/names.h"
#include "text/json.h"

namespace espalier::editor {

using project::NameKind;
using project::Range;

// What the value of a key names, or with `of_keys` what the keys of its object name.
struct JsonNames {
  std::string_view key;
  bool of_keys;
  std::vector<NameKind> kinds;
};
[[nodiscard]] const std::vector<NameKind>& kinds_in_json(std::string_view key, bool of_keys);

// A tree as a text names it: where several have its name, with its file, as far as that tells them apart.
struct NamedTree {
  std::string name = {};  // empty: any
  std::string file = {};  // the end of its path; empty: any
  [[nodiscard]] bool is_any() const { return name.empty() && file.empty(); }
};
// Of "nav/follow.xml: MainTree", or of "MainTree" with the file beside it.
[[nodiscard]] NamedTree named_tree(std::string_view written, std::string_view file = {});

struct JsonOccurrence {
  const std::vector<NameKind>* kinds;
  std::string name;  // of a tree: without its file
  Range range;
  NamedTree tree = {};  // that the object around it names; no name: the whole text is about one
};
// The names in a trace or a file of properties; lines that are no JSON are left out.
[[nodiscard]] std::vector<JsonOccurrence> names_in_json(std::string_view text, bool is_lines);

}  // namespace espalier::editor
