// A snapshot: everything that a check of a project depends on. Only taking it reads files.
#pragma once
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "lint/lint.h"
#include "lint/shown.h"
#include "project/collect.h"
#include "project/configuration.h"
#include "project/content_hash.h"
#include "project/files.h"
#include "project/parsed_files.h"
#include "project/progress.h"
#include "text/finding.h"
#include "text/source.h"
#include "text/xml.h"

namespace espalier::project {

struct FileFacts;
struct Kept;
class KeptFacts;

struct LoadOptions {
  std::vector<std::string>
      paths;                 // files, folders, or "-"; empty: the folder of the nearest espalier.json above, else "."
  bool ignore_files = true;  // honour .gitignore
  std::uint32_t thread_count = 0;            // 0: all
  std::string configuration_path = {};       // empty: the nearest espalier.json above the first path, if there is one
  std::vector<std::string> host_files = {};  // that are read behind those of espalier.json
  std::string stdin_filename = {};           // the file that "-" stands for, which need not exist; empty: none
  bool is_isolated = false;                  // read only the named files, not the rest of their project
  bool skip_unknown = false;                 // skip named files that are not trees, like those that are found
  bool may_be_empty = false;                 // a given folder without trees is no error
  bool for_compiling = false;                // keep all findings; a missing reference is an error
  bool keeps_written = false;                // trees that poll, as they are written too: for pictures
  lint::Shown shown = lint::Shown::all;      // of what analyses find; more where the configuration makes it errors
  ParsedFiles* parsed = nullptr;             // kept from one load() to the next; null: nothing is kept
  bool keeps_parsed = false;                 // the snapshot keeps its parsed files, to be checked again
  // What earlier runs have found. Files that it knows are read, but not parsed. Null: nothing is kept.
  KeptFacts* kept = nullptr;
  const Files* files = nullptr;  // with texts in place of those on disk; null: there are none
};

// What the trees of a project do that other trees, whatever their names are, can notice.
struct TreesElsewhere {
  bool lacks_some = false;  // some have errors or are doubtful
  std::uint32_t ticking_count = 0;
  lint::SentEvents sent = {};
  friend bool operator==(const TreesElsewhere&, const TreesElsewhere&) = default;
};

// A file that is not a tree and need not be one.
struct Skipped {
  std::string path;  // as shown in findings
  std::string reason;
};

// A file of a project. `parsed` is null if the file was skipped, belongs to the rest and could not be read, or is left
// out: then its facts say what it is.
struct SnapshotFile {
  std::shared_ptr<const text::ParsedXml> parsed;
  text::FileId id = 0;                          // if parsed, or left out
  dialects::File place;                         // without its document
  std::string open_path = {};                   // of the file that was read; "-" is standard input
  std::shared_ptr<const FileFacts> facts = {};  // if facts are kept and it could be read
};

// Immutable once it is taken. A copy shares texts and parsed files.
struct Snapshot {
  Configuration configuration;
  text::Sources sources;    // espalier.json and host files, then trees by path, then links that are not followed
  text::Findings findings;  // faults of the configuration, of XML and of links
  std::vector<SnapshotFile> files;  // sorted by path
  // Files that were read only because named files of the project may refer to them. Their findings are not reported,
  // except for compiling.
  std::set<text::FileId> rest;
  bool for_compiling = false;
  bool keeps_written = false;
  bool keeps_findings_in_file = false;  // a finding is not moved to another file, as each may be checked anew by itself
  bool lacks_rest = false;              // some files are of a project whose other files are not given
  lint::Shown shown = lint::Shown::all;  // as in the options
  std::uint32_t thread_count = 0;        // for reading the trees; 0: all processors
  // The path of each source relative to the folder of espalier.json, for "overrides"; empty: not below it.
  std::vector<std::string> paths_below;
  std::vector<std::string> read_paths;  // every file read, for --depfile; as shown in findings
  std::set<std::string> asked_paths;    // that the configuration depends on, whether or not they exist
  std::vector<Skipped> skipped;         // sorted by path
  std::vector<std::string> configured;  // folders below a given one whose own espalier.json is not used, with trees
  std::uint32_t file_count = 0;         // number of files whose findings are reported
  // Of earlier runs, if facts are kept: see incremental/kept_facts.h.
  std::shared_ptr<const Kept> kept = {};
  ContentHash kept_key = {};
  TreesElsewhere elsewhere = {};  // of files that are left out
};

// Why there is no snapshot: a missing path, an unreadable file, a folder without trees. One line each.
struct LoadErrors {
  std::vector<std::string> messages;
  std::string hint = {};  // what helps against the last one
};

// Reads all files of a project. Files in `parsed` whose bytes are unchanged are not parsed again. The same files and
// options give equal snapshots, file ids included. False: something could not be read; the snapshot then has at most
// the findings so far.
[[nodiscard]] bool take_snapshot(const LoadOptions& options, const Files& files, ParsedFiles& parsed,
                                 Snapshot& snapshot, LoadErrors& errors, Progress* progress = nullptr);

// The file that a path of the options names: for "-" it is `stdin_filename`, if given.
const std::string& file_of(const std::string& path, const LoadOptions& options);

}  // namespace espalier::project
