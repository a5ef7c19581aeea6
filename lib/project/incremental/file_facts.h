// What is kept of a file: all that a project needs to know of it while it is not read again. It says why it is no tree,
// and of a tree what others can see of it.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/btcpp/file_summary.h"
#include "dialects/dialect.h"
#include "project/collect.h"
#include "project/content_hash.h"
#include "project/names.h"
#include "text/xml.h"

namespace espalier::project {

// A name that may connect the file with others, or that has to be sent by some file.
struct SharedName {
  NameKind kind = NameKind::none;
  NameUse use = NameUse::reads;
  bool is_implied = false;
  std::string key;
};

// Names of these kinds connect files so that one reads what the other declares.
constexpr bool connects_files(NameKind kind) {
  return kind == NameKind::block || kind == NameKind::tree || kind == NameKind::file || kind == NameKind::slot;
}

struct FileFacts {
  std::string path = {};     // as findings show it
  ContentHash content = {};  // of the bytes
  ContentHash place = {};    // of where the file is, and how it is read
  // Why it is not a tree, although its beginning is that of one; empty: it is one.
  std::string passed_over = {};
  bool has_document = false;
  bool is_damaged = false;  // not well-formed, or without a document
  std::string root_name = {};
  text::Span root = {};                       // of the name in the start tag; in file 0, as all spans here
  std::optional<layout::Dialect> owner = {};  // that reads it; none: it has another dialect's content, or nobody's
  std::vector<std::string> includes = {};     // absolute paths
  bool has_comments = false;
  std::vector<text::Comment> suppressions = {};  // and comments that may be meant as such
  bool has_several = false;                      // elements below the root
  std::vector<SharedName> names = {};            // without repetitions
  std::shared_ptr<const dialects::btcpp::FileSummary> summary = {};
};

[[nodiscard]] const dialects::Dialect* owner_of(const FileFacts& facts);
// The same with the places of this file.
[[nodiscard]] std::shared_ptr<const dialects::btcpp::FileSummary> summary_in(text::FileId file, const FileFacts& facts);

// FileFacts::place of a file that is found in this way. `skip_unknown`: as in LoadOptions.
[[nodiscard]] ContentHash place_of(const InputFile& input, bool skip_unknown);

// All but its includes. `place`: where the parsed file is, in its project.
[[nodiscard]] FileFacts facts_of(const std::shared_ptr<const text::ParsedXml>& parsed, const dialects::File& place);

}  // namespace espalier::project
