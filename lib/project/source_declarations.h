// A host file that is made from C++ sources: the nodes that these register with BehaviorTree.CPP.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::project {

// Is a path a folder or a file of C++, by its name?
[[nodiscard]] bool may_be_sources(const std::string& path);

struct SourceDeclarations {
  std::string text;                      // of the host file
  std::vector<std::string> unread = {};  // what could not be read, and what that means; a line each, with its place
  std::size_t node_count = 0;
  std::size_t open_count = 0;       // nodes that may have ports which are not declared
  std::size_t file_count = 0;       // C++ files that were read
  bool ticks_exactly_once = false;  // they tick trees with tickExactlyOnce(), and with no other function
};

// Reads files of C++, and all of them below folders, except hidden ones and those that .gitignore files exclude.
// `folder`: of the host file, to which places in it are relative. Nothing: a path is missing, there is no C++ file, or
// none that can be read; `errors` says so. A file that cannot be read is a line there too.
[[nodiscard]] std::optional<SourceDeclarations> declarations_of_sources(const std::vector<std::string>& paths,
                                                                        const std::string& folder,
                                                                        std::vector<std::string>& errors);

// The paths from which a host file was made, relative to the current folder; none: by hand, or it is no such file.
// `folder`: its own.
[[nodiscard]] std::vector<std::string> sources_of(std::string_view host_file, const std::string& folder);

// How a host file differs from what the sources say: a line for each node, with its class and place.
[[nodiscard]] std::vector<std::string> differences(std::string_view host_file, std::string_view of_sources);

// The text of an espalier.json whose "hostFiles" has this file too. Nothing: `error` says why.
[[nodiscard]] std::optional<std::string> with_host_file(const std::string& configuration, const std::string& host_file,
                                                        std::string& error);

}  // namespace espalier::project
