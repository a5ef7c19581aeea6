// Names, counted. See name_counts.h.
#include "project/name_counts.h"

#include <functional>
#include <string>

#include "project/engine_hosts.h"
#include "text/names.h"

namespace espalier::project {
namespace {

bool is_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

// What is built in is right, however often trees write something else. What is declared for the program, which does not
// follow a tree, counts twice.
std::size_t weight_of(const text::Source& source) {
  if (is_in_program(source.path())) return 1'000'000;
  return source.path().ends_with(".json") ? 2 : 1;
}

// Without the dashes of a comment, or the full stop of a sentence.
std::string_view without_ends(std::string_view name) {
  while (!name.empty() && name.front() == '-') name.remove_prefix(1);
  while (!name.empty() && (name.back() == '-' || name.back() == '.')) name.remove_suffix(1);
  return name;
}

}  // namespace

std::size_t NameCount::Hash::operator()(std::string_view name) const {
  return any_case ? std::hash<std::string>()(text::lower_case(name)) : std::hash<std::string_view>()(name);
}

bool NameCount::Equal::operator()(std::string_view a, std::string_view b) const {
  return any_case ? text::equal_any_case(a, b) : a == b;
}

NameCount::NameCount(bool any_case) : counts_(0, Hash{any_case}, Equal{any_case}) {}

void NameCount::add(std::string_view text, std::size_t weight) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && is_part(text[at])) ++at;
    if (at == begin) {
      ++at;
    } else {
      counts_[without_ends(text.substr(begin, at - begin))] += weight;
    }
  }
}

std::size_t NameCount::of(std::string_view name) const {
  const auto found = counts_.find(name);
  return found == counts_.end() ? 0 : found->second;
}

const NameCount& NameCounts::in(text::FileId file, bool any_case) {
  const auto [found, is_new] = files_[any_case ? 1 : 0].try_emplace(file, any_case);
  if (is_new) found->second.add(sources_[file].text());
  return found->second;
}

const NameCount& NameCounts::in_all(bool any_case) {
  std::optional<NameCount>& all = all_[any_case ? 1 : 0];
  if (!all) {
    all.emplace(any_case);
    for (text::FileId file = 0; file < sources_.size(); ++file) {
      all->add(sources_[file].text(), weight_of(sources_[file]));
    }
  }
  return *all;
}

bool NameCounts::is_odd_one_out(std::string_view name, std::string_view other, text::FileId file) {
  const auto is_rarer = [&](const NameCount& count) { return count.of(name) < count.of(other); };
  return is_rarer(in(file)) || is_rarer(in_all());
}

}  // namespace espalier::project
