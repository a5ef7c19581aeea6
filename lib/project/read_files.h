// Files to documents, on all threads.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "project/collect.h"
#include "project/files.h"
#include "project/parsed_files.h"
#include "project/progress.h"
#include "text/xml.h"

namespace espalier::project {

// What came of one file.
struct ReadFile {
  std::shared_ptr<const text::ParsedXml> parsed;  // null where it could not be read or is passed over
  std::string error;                              // it could not be read at all; a whole line
  std::string passed_over;                        // why it is no tree, and need not be one; empty: it is read as one
};

// Reads `files` and parses those that are trees, or should be: what is named, and not only found in a folder, should
// be, unless `skip_unknown`. Of what was found only the beginning is read where that tells that it is no tree. Results
// come in the order of the files, on however many threads (0: all). `progress` counts the files, when it is given.
std::vector<ReadFile> read_files(const std::vector<InputFile>& files, const Files& disk, bool skip_unknown,
                                 std::uint32_t thread_count, ParsedFiles& parsed, Progress* progress = nullptr);

}  // namespace espalier::project
