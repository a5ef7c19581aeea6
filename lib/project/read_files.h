// Reads and parses files in parallel.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "project/collect.h"
#include "project/files.h"
#include "project/incremental/facts_reader.h"
#include "project/parsed_files.h"
#include "project/progress.h"
#include "text/xml.h"

namespace espalier::project {

// The result for one file.
struct ReadFile {
  std::shared_ptr<const text::ParsedXml> parsed;  // null if the file was unreadable or skipped
  std::string error;                              // why it could not be read; a whole line
  std::string passed_over;                        // why it is skipped as not a tree; empty if it is not skipped
  bool is_of_another_format = false;              // skipped, although its root element is, or may be, that of trees
  std::shared_ptr<const FileFacts> facts = {};    // if they are asked for; with facts of before, it is not parsed
};

// Reads `files` and parses those that are trees. A named file must be one, unless `skip_unknown`; a file found in a
// folder is skipped if its beginning shows that it is not one. Results are in the order of `files` for any number of
// threads (0: all processors). `progress` counts the files, if given.
// `facts`: null: no facts are asked for.
std::vector<ReadFile> read_files(const std::vector<InputFile>& files, const Files& disk, bool skip_unknown,
                                 std::uint32_t thread_count, ParsedFiles& parsed, const FactsReader* facts,
                                 Progress* progress = nullptr);

}  // namespace espalier::project
