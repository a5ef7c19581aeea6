// The names of all files of a project, and which of them mean the same.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "project/names.h"
#include "text/source.h"

namespace espalier::editor {

using project::each_element;
using project::FileNames;
using project::kAnyTree;
using project::kProjectScope;
using project::NameKind;
using project::NameUse;
using project::Occurrence;
using project::Range;
using project::ScopeId;
using project::word_of;

using text::FileId;

struct FileOccurrence {
  FileId file = 0;
  const Occurrence* occurrence = nullptr;
};

class Index {
 public:
  void set(FileId file, FileNames names);
  void clear();
  [[nodiscard]] const FileNames& names_of(FileId file) const;

  // All occurrences of the name that this one is of, itself included: by file and place.
  [[nodiscard]] std::vector<FileOccurrence> same(FileId file, const Occurrence& occurrence) const;
  // The occurrences of a kind that can be named at a place in these scopes, one for each name: for completion.
  [[nodiscard]] std::vector<FileOccurrence> known(FileId file, NameKind kind, ScopeId tree, ScopeId part) const;

  // ---- Names of the whole project, and of blocks: those that connect files.

  // The files in which a name occurs, and how: bits 1 << NameUse. Null if there are none.
  using Uses = std::map<FileId, std::uint8_t>;
  [[nodiscard]] const Uses* files_with(NameKind kind, std::string_view key) const;
  // Visits all such names of a kind.
  void each_name(NameKind kind, const std::function<void(std::string_view key, const Uses& files)>& visit) const;

 private:
  struct Scope {
    FileId file;
    ScopeId id;
    friend auto operator<=>(const Scope&, const Scope&) = default;
  };
  [[nodiscard]] std::vector<Scope> joined(Scope from) const;
  [[nodiscard]] std::vector<FileOccurrence> places_of_block(FileId file, const Occurrence& block) const;

  std::unordered_map<FileId, FileNames> files_;
  std::unordered_map<std::string, Uses> shared_;  // by kind and key
};

}  // namespace espalier::editor
