// From a path on a command line to the traces that it stands for.
#pragma once
#include <string>
#include <vector>

namespace espalier::project {

inline constexpr const char* kTraceSuffix = ".trace.jsonl";

// Appends a file as it is; of a folder all *.trace.jsonl below it, without hidden files and folders and folders behind
// links, sorted bytewise. False, with `error`: the folder has none, cannot be read, or has a link that leads out of it.
[[nodiscard]] bool find_traces(const std::string& path, std::vector<std::string>& traces, std::string* error);

}  // namespace espalier::project
