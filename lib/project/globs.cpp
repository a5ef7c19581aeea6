// Lists of globs. See globs.h.
#include "project/globs.h"

#include <algorithm>
#include <utility>

namespace espalier::project {

bool Globs::add(std::string_view glob) {
  while (glob.substr(0, 2) == "./") glob.remove_prefix(2);
  std::vector<IgnorePattern> patterns = parse_gitignore(glob);
  if (patterns.size() != 1) return false;
  const std::vector<std::string>& segments = patterns[0].segments;
  const auto leads_nowhere = [](const std::string& segment) { return segment == "." || segment == ".."; };
  if (std::any_of(segments.begin(), segments.end(), leads_nowhere)) return false;
  has_negated_ = has_negated_ || patterns[0].is_negated;
  patterns_.push_back(std::move(patterns[0]));
  return true;
}

bool Globs::contain(std::string_view path, bool is_folder) const {
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern) {
    for (std::size_t end = 0; end < path.size(); ++end) {
      end = std::min(path.find('/', end), path.size());
      if (matches(*pattern, path.substr(0, end), end < path.size() || is_folder)) return !pattern->is_negated;
    }
  }
  return false;
}

}  // namespace espalier::project
