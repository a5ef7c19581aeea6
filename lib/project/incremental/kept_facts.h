// What is kept from one run to the next: facts of files and findings of parts, in memory and in the user's cache
// folder.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "project/content_hash.h"
#include "project/incremental/file_facts.h"
#include "project/snapshot.h"
#include "text/finding.h"

namespace espalier::project {

// What was found in a part of a project.
struct KeptPart {
  ContentHash identity = {};       // of the part
  ContentHash circumstances = {};  // of the trees elsewhere
  std::uint8_t age = 0;            // runs that have not used it
  TreesElsewhere trees = {};       // what its own trees do
  std::vector<std::string> tree_names = {};
  // Files that the findings show, and those of them that are not of the part with their contents (all zero: not a
  // tree). The files in spans are numbers in this list.
  std::vector<std::pair<std::string, ContentHash>> shown = {};
  std::vector<text::Finding> findings = {};  // as examine() gives them
};

// Which traces show findings.
struct KeptWitnesses {
  ContentHash identity = {};  // of all that they depend on
  std::uint8_t age = 0;
  std::vector<std::pair<std::uint32_t, text::Witness>> witnesses = {};  // of the finding with this number
};

// All of one project, with one configuration and the same options.
struct Kept {
  std::unordered_map<std::string_view, std::shared_ptr<const FileFacts>> files = {};  // by their paths
  std::vector<std::shared_ptr<const KeptPart>> parts = {};
  std::vector<KeptWitnesses> witnesses = {};
};

// What is kept on disk at most; the least recently used is removed.
inline constexpr std::size_t kMaxKeptProjects = 100;
inline constexpr std::size_t kMaxKeptBytes = std::size_t{256} << 20;

// Several runs, and several threads, may use one folder at once: each file is complete when it gets its name. A folder
// that cannot be used, and a file that is damaged, are as if nothing were kept.
class KeptFacts {
 public:
  // `folder` is created when something is first kept; empty: all is kept in memory only. `program` is different for
  // programs that may find different things.
  KeptFacts(std::string folder, std::string program) : folder_(std::move(folder)), program_(std::move(program)) {}

  // Null: nothing is kept. `key`: of the project.
  [[nodiscard]] std::shared_ptr<const Kept> find(const ContentHash& key);
  void keep(const ContentHash& key, std::shared_ptr<const Kept> kept);
  // The same is still true: it has been used.
  void touch(const ContentHash& key) const;

 private:
  [[nodiscard]] std::string path_of(const ContentHash& key) const;

  std::string folder_;
  std::string program_;
  std::mutex mutex_;
  std::map<ContentHash, std::shared_ptr<const Kept>> in_memory_;  // of this process
};

// As files have it.
[[nodiscard]] std::string bytes_of(const Kept& kept);
// Null: they are not what bytes_of() gives.
[[nodiscard]] std::shared_ptr<const Kept> kept_of(std::string_view bytes);

}  // namespace espalier::project
