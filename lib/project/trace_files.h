// Finds the traces that a path of the command line names.
#pragma once
#include <string>
#include <vector>

namespace espalier::project {

inline constexpr const char* kTraceSuffix = ".trace.jsonl";

// Appends the path of a file; for a folder all *.trace.jsonl below it, sorted, without hidden files and folders,
// linked folders, pipes and devices. False, with `error`: the folder has none, cannot be read, or has a link that leads
// out of it.
[[nodiscard]] bool find_traces(const std::string& path, std::vector<std::string>& traces, std::string* error);

}  // namespace espalier::project
