// File names for other programs: a Makefile rule, and files named after trees.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace espalier::cli {

// A tree's name as a file name without extension that is valid on every file system: "Guard/Night" becomes
// "Guard_Night".
std::string file_stem(std::string_view tree_name);

// The rule that makes `targets` from `sources`, in a form that make and ninja both read. False: one of them would
// misread a name, for example as a command; `unnamed` is that name.
[[nodiscard]] bool depfile(const std::vector<std::string>& targets, const std::vector<std::string>& sources,
                           std::string* rule, std::string* unnamed);

}  // namespace espalier::cli
