// A file of one of two versions of a project.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "text/xml.h"

namespace espalier::compiled {

// Parsed. Its elements must outlive what is made of them.
struct VersionFile {
  std::string name = {};   // of the same file in both versions it is equal
  std::string shown = {};  // its path for people
  std::string path = {};   // where its text is read from
  std::unique_ptr<text::XmlDocument> document = {};
};

// Parses a text as its dialect does. Null: it cannot be read.
[[nodiscard]] std::unique_ptr<text::XmlDocument> parse_as_dialect(const text::Source& source);

// Of a file that is a tree: of its root, or of the file.
std::string tree_of_file(const VersionFile& file);

// The names of the trees in a file: of their elements, or of the file.
std::vector<std::string> trees_in(const VersionFile& file);

}  // namespace espalier::compiled
