// The traces that a command line names.
#pragma once
#include <string>
#include <vector>

namespace espalier::cli {

// Replaces words of --trace by the files that they name: a folder is that of traces. Words of `paths` that end in
// .jsonl or .esprec are traces too: a shell expands a pattern after --trace to several words, of which --trace takes
// one. Returns an exit status; the reason of a failure is on standard error.
[[nodiscard]] int find_traces(std::vector<std::string>& traces, std::vector<std::string>& paths);

}  // namespace espalier::cli
