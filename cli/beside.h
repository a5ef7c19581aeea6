// Two stories side by side.
#pragma once
#include <string>
#include <vector>

namespace espalier::cli {

// On standard output.
void write_beside(std::vector<std::string> left, std::vector<std::string> right);

}  // namespace espalier::cli
