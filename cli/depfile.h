// Names for other programs: the rule of a Makefile, and files named after trees.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace espalier::cli {

// A tree's name as the stem of a file that every file system takes: "Guard/Night" becomes "Guard_Night".
std::string file_stem(std::string_view tree_name);

// The rule that `targets` are made of `sources`, as make and ninja both read it. False: there is a name in it that one
// of them would read as something else, such as a command; `unnamed` is that name.
[[nodiscard]] bool depfile(const std::vector<std::string>& targets, const std::vector<std::string>& sources,
                           std::string* rule, std::string* unnamed);

}  // namespace espalier::cli
