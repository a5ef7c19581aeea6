// A snapshot: all that a project is checked by, read once. From here on nothing is read.
#pragma once
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "project/collect.h"
#include "project/configuration.h"
#include "project/files.h"
#include "project/parsed_files.h"
#include "project/progress.h"
#include "text/finding.h"
#include "text/source.h"
#include "text/xml.h"

namespace espalier::project {

struct LoadOptions {
  std::vector<std::string>
      paths;                 // files, folders, or "-"; empty: the folder of the nearest espalier.json above, else "."
  bool ignore_files = true;  // honour .gitignore
  std::uint32_t thread_count = 0;       // 0: all
  std::string configuration_path = {};  // empty: the nearest espalier.json above the first path, if there is one
  std::string stdin_filename = {};      // the file that "-" stands for, which need not exist; empty: none
  bool is_isolated = false;             // of a project whose files are named, only these are read
  bool skip_unknown = false;            // a named file that is no tree is passed over, as one that is found is
  bool for_compiling = false;           // all findings are kept, and nothing that a tree refers to may be missing
};

// A file that is no tree and need not be one.
struct Skipped {
  std::string path;  // as findings show it
  std::string reason;
};

// A file of a project. One without `parsed` is passed over, or is of the rest and could not be read.
struct SnapshotFile {
  std::shared_ptr<const text::ParsedXml> parsed;
  text::FileId id = 0;   // of one that is parsed
  dialects::File place;  // without its document
};

// Immutable once it is taken. A copy shares texts and parsed files.
struct Snapshot {
  Configuration configuration;
  text::Sources sources;    // espalier.json and host files, then trees by path, then links that are not followed
  text::Findings findings;  // of reading: of the configuration, of XML, of links
  std::vector<SnapshotFile> files;  // sorted by path
  // Files of the project that were read for the sake of those named: their findings are left out unless for compiling.
  std::set<text::FileId> rest;
  bool for_compiling = false;
  // Of each source its path below the folder of espalier.json, for "overrides"; empty: it is not below.
  std::vector<std::string> paths_below;
  std::vector<std::string> read_paths;  // every file read, for --depfile; as findings show them
  std::vector<Skipped> skipped;         // sorted by path
  std::uint32_t file_count = 0;         // of the files that findings are reported for
};

// Why there is no snapshot: a path that is not there, a file that cannot be read, a folder without trees. One line
// each.
struct LoadErrors {
  std::vector<std::string> messages;
};

// Reads everything. Files whose bytes are those of an earlier snapshot are not parsed again, where `parsed` has them.
// The same files and options give equal snapshots, file ids included. False: something could not be read at all, and
// the snapshot has at most the configuration and its findings.
[[nodiscard]] bool take_snapshot(const LoadOptions& options, const Files& files, ParsedFiles& parsed,
                                 Snapshot& snapshot, LoadErrors& errors, Progress* progress = nullptr);

// A path of the options as the file that it stands for.
const std::string& file_of(const std::string& path, const LoadOptions& options);

}  // namespace espalier::project
