// A rule that make and ninja read.
#pragma once
#include <string>
#include <vector>

namespace espalier::cli {

// The rule that makes `targets` from `sources`, in a form that make and ninja both read. False: one of them would
// misread a name, for example as a command; `unnamed` is that name.
[[nodiscard]] bool depfile(const std::vector<std::string>& targets, const std::vector<std::string>& sources,
                           std::string* rule, std::string* unnamed);

}  // namespace espalier::cli
