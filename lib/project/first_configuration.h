// A first espalier.json for a folder that has none.
#pragma once
#include <string>
#include <vector>

namespace espalier::project {

struct FirstConfiguration {
  std::string text;
  std::vector<std::string> found;  // what the folder holds, for people: "3 modular trees"
};

// For `folder`: has the options of the dialects of its files, with their defaults. Each file that cannot be read is a
// line in `errors`.
FirstConfiguration first_configuration(const std::string& folder, std::vector<std::string>& errors);

}  // namespace espalier::project
