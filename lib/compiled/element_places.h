// The elements of a project's files, by their places: what was written where a node of an asset comes from.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "text/source.h"

namespace espalier::compiled {

struct WrittenElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;  // in the order of the file
};

// Files are parsed when they are needed. The sources must outlive this.
class ElementPlaces {
 public:
  explicit ElementPlaces(const text::Sources& sources);

  // The element whose name begins there; null: there is none, or its file is damaged.
  const WrittenElement* find(const codegen::NodeDebug& place);

 private:
  using File = std::map<std::pair<std::uint32_t, std::uint32_t>, WrittenElement>;  // by line and column
  static void read(const text::Source& source, File& file);

  std::map<std::string_view, const text::Source*> sources_;
  std::map<std::string_view, File> files_;
};

}  // namespace espalier::compiled
