// What a dialect is to the rest: root elements, and a reader that turns its files into trees and findings.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "ir/tree.h"
#include "text/xml.h"

namespace espalier::dialects {

// A dialect's options out of espalier.json. Readers see only what they need.
struct Options {
  std::vector<std::string> signal_only;  // variables that only signals set ("Var" or "Tree/Var")
};

struct Dialect {
  std::string_view name;                        // "selection"
  std::span<const std::string_view> roots;      // its root elements as they are mostly written, for hints
  bool (*owns)(std::string_view root_element);  // does a file with this root element belong to it?
  // Reads all files of the dialect as one project. Trees with errors are left out. Files come sorted by path.
  void (*read)(std::span<const text::XmlDocument* const> files, const Options& options, ir::Project& project,
               text::Findings& findings);
};

std::span<const Dialect> all();

}  // namespace espalier::dialects
