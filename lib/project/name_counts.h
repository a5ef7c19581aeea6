// How often names stand in the files of a project, whatever for: of two spellings of one name, the rarer one is
// probably misspelt.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "text/source.h"

namespace espalier::project {

// The names of one file, or of all.
class NameCount {
 public:
  // `any_case`: spellings that differ only in case are one name.
  explicit NameCount(bool any_case);
  // Each name of the text counts `weight` times. The text must outlive this.
  void add(std::string_view text, std::size_t weight = 1);
  [[nodiscard]] std::size_t of(std::string_view name) const;

 private:
  struct Hash {
    bool any_case;
    std::size_t operator()(std::string_view name) const;
  };
  struct Equal {
    bool any_case;
    bool operator()(std::string_view a, std::string_view b) const;
  };
  std::unordered_map<std::string_view, std::size_t, Hash, Equal> counts_;  // the keys are in the texts
};

// Counted when first asked for. The sources must outlive it.
class NameCounts {
 public:
  explicit NameCounts(const text::Sources& sources) : sources_(sources) {}

  [[nodiscard]] const NameCount& in(text::FileId file, bool any_case = false);
  // Names in JSON files count twice, and those that are built in a million times.
  [[nodiscard]] const NameCount& in_all(bool any_case = false);
  // Does the other spelling occur more often? What one file says of its own names is enough.
  [[nodiscard]] bool is_odd_one_out(std::string_view name, std::string_view other, text::FileId file);

 private:
  const text::Sources& sources_;
  std::map<text::FileId, NameCount> files_[2];  // by whether case counts
  std::optional<NameCount> all_[2];
};

}  // namespace espalier::project
