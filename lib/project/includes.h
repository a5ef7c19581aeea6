// Follows the includes of files: what they include is read too, wherever it is.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "project/collect.h"
#include "project/files.h"
#include "project/read_files.h"

namespace espalier::project {

// The paths that a file includes, as Dialect::includes() has them.
[[nodiscard]] std::vector<std::string> includes_of(const InputFile& file,
                                                   const std::shared_ptr<const text::ParsedXml>& parsed,
                                                   const dialects::Options& options);

// An include that leads to a file.
struct FollowedInclude {
  enum class Leads : std::uint8_t { nowhere, to_file, to_what_is_left_out };
  Leads leads = Leads::nowhere;
  std::size_t file = 0;       // of the collection
  bool is_elsewhere = false;  // the path leads there only where the packages of the project are installed
};

using ReadMore = std::function<std::vector<ReadFile>(const std::vector<InputFile>& files)>;

// Adds to `collection`, and to what was `read` of it, all files that they include, directly or not; `read_more` reads
// them. A file that a given one includes is given as well. Returns the includes of each file, as Dialect::includes()
// lists them.
std::vector<std::vector<FollowedInclude>> follow_includes(const dialects::Options& options,
                                                          const CollectOptions& collecting, const ReadMore& read_more,
                                                          Collection& collection, std::vector<ReadFile>& read);

}  // namespace espalier::project
