// Root elements. See roots.h.
#include "project/roots.h"

#include <algorithm>
#include <vector>

#include "dialects/dialect.h"
#include "text/names.h"

namespace espalier::project {
namespace {

constexpr std::size_t kLongName = 6;  // only longer names may have misspelt letters
constexpr std::size_t kMaxEdits = 2;

std::vector<std::string_view> all_roots() {
  std::vector<std::string_view> roots;
  for (const dialects::Dialect& dialect : dialects::all()) {
    const std::vector<std::string_view> own = dialects::roots_of(dialect);
    roots.insert(roots.end(), own.begin(), own.end());
  }
  return roots;
}

}  // namespace

std::string_view near_root(std::string_view name) {
  const std::vector<std::string_view> roots = all_roots();
  const std::string_view local = text::local_name(name);
  for (std::size_t edits = 0; edits <= kMaxEdits; ++edits) {
    for (const std::string_view root : roots) {
      if ((edits == 0 || root.size() > kLongName) && text::is_near(local, root, edits)) return root;
    }
  }
  return {};
}

Root kind_of_root(std::string_view name) {
  const auto owns = [&](const dialects::Dialect& dialect) { return dialect.owns(name); };
  const auto dialects = dialects::all();
  if (std::any_of(dialects.begin(), dialects.end(), owns)) return Root::tree;
  return near_root(name).empty() ? Root::other : Root::near;
}

std::string hint_for_root(std::string_view name) {
  const std::string_view near = near_root(name);
  if (near.empty()) return text::did_you_mean(name, all_roots());
  return text::element_hint(name, near);
}

}  // namespace espalier::project
