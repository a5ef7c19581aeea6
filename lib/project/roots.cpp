// Root elements. See roots.h.
#include "project/roots.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "text/names.h"
#include "text/parsed_element.h"

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

// Of a name to a root element; nothing if they are not similar.
std::optional<std::size_t> edits_between(std::string_view name, std::string_view root) {
  const std::string_view local = text::local_name(name);
  for (std::size_t edits = 0; edits <= kMaxEdits; ++edits) {
    if ((edits == 0 || root.size() > kLongName) && text::is_near(local, root, edits)) return edits;
  }
  return std::nullopt;
}

// The names of the elements directly below the root element.
std::vector<std::string_view> names_below_root(const text::ParsedXml& parsed) {
  std::vector<std::string_view> names;
  const text::ParsedElement root = text::ParsedElement::root(parsed);
  for (text::ParsedElement child = root ? root.first_child() : root; child; child = child.next_sibling()) {
    names.push_back(child.name());
  }
  return names;
}

// Does a dialect know one of these elements below its root element?
bool knows_any(const dialects::Dialect& dialect, std::string_view root, const std::vector<std::string_view>& names) {
  const dialects::ElementTable& table = dialect.table();
  const dialects::ElementRow* const row = table.find(root);
  return row != nullptr && std::any_of(names.begin(), names.end(), [&](std::string_view name) {
           const dialects::ElementRow* const child = table.find_in(*row, name);
           return child != nullptr && dialects::may_hold(*row, *child);
         });
}

bool has_extension(const text::XmlDocument& document, std::string_view extension) {
  return !extension.empty() && document.source().path().ends_with(extension);
}

// The similar root elements of dialects.
struct Candidate {
  const dialects::Dialect* dialect;
  std::string_view root;
  std::size_t distance;
};
std::vector<Candidate> similar_roots(std::string_view name) {
  std::vector<Candidate> candidates;
  for (const dialects::Dialect& dialect : dialects::all()) {
    for (const std::string_view root : dialects::roots_of(dialect)) {
      if (const auto edits = edits_between(name, root)) candidates.push_back({&dialect, root, *edits});
    }
  }
  return candidates;
}

}  // namespace

Root kind_of_root(std::string_view name) {
  if (dialects::find_owner(name) != nullptr) return Root::tree;
  return similar_roots(name).empty() ? Root::other : Root::near;
}

const dialects::Dialect* owner_of(const text::XmlDocument& document) {
  const std::string_view name = document.root_name();
  const dialects::Dialect* const owner = dialects::find_owner(name);
  if (owner == nullptr) return nullptr;
  const std::vector<Candidate> candidates = similar_roots(name);
  if (candidates.size() < 2) return owner;
  const std::vector<std::string_view> below = names_below_root(*document.parsed());
  if (knows_any(*owner, name, below)) return owner;
  const bool is_others = std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& each) {
    return each.dialect != owner && knows_any(*each.dialect, each.root, below);
  });
  return is_others ? nullptr : owner;
}

bool is_spelt_otherwise(const text::XmlDocument& document, const dialects::Dialect& owner) {
  const std::string_view name = document.root_name();
  const std::vector<std::string_view> roots = dialects::roots_of(owner);
  const auto is_in_any_case = [&](std::string_view root) { return text::equal_any_case(root, name); };
  if (std::find(roots.begin(), roots.end(), name) != roots.end() ||
      std::none_of(roots.begin(), roots.end(), is_in_any_case))
    return false;
  const std::vector<std::string_view> below = names_below_root(*document.parsed());
  return !below.empty() && !knows_any(owner, name, below);
}

MeantRoot meant_root(const text::XmlDocument& document) {
  const std::vector<std::string_view> below = names_below_root(*document.parsed());
  const Candidate* best = nullptr;
  int best_evidence = 0;
  const std::vector<Candidate> candidates = similar_roots(document.root_name());
  for (const Candidate& each : candidates) {
    const int evidence = (has_extension(document, each.dialect->extension) ? 2 : 0) +
                         (knows_any(*each.dialect, each.root, below) ? 1 : 0);
    const bool is_better =
        best == nullptr || evidence > best_evidence || (evidence == best_evidence && each.distance < best->distance);
    if (!is_better) continue;
    best = &each;
    best_evidence = evidence;
  }
  return best == nullptr ? MeantRoot{} : MeantRoot{best->root, best_evidence > 0};
}

std::string hint_for_root(std::string_view name, std::string_view meant) {
  return meant.empty() ? text::did_you_mean(name, all_roots()) : text::element_hint(name, meant);
}

}  // namespace espalier::project
