// First users of nodes. See first_users.h.
#include "project/incremental/first_users.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dialects/btcpp/options.h"
#include "dialects/btcpp/packages.h"

namespace espalier::project {
namespace {

using dialects::btcpp::NodeUse;
using dialects::btcpp::PortUse;

const NodeUse* find_use(const std::vector<NodeUse>& uses, std::string_view name) {
  const auto found = std::lower_bound(uses.begin(), uses.end(), name,
                                      [](const NodeUse& each, std::string_view key) { return each.name < key; });
  return found == uses.end() || found->name != name ? nullptr : &*found;
}

// A node, and one of its ports or none.
using UsedName = std::pair<std::string, std::optional<std::string>>;

// What of `uses` is otherwise in `others`.
void add_different(const std::vector<NodeUse>& uses, const std::vector<NodeUse>& others, std::set<UsedName>& names) {
  for (const NodeUse& use : uses) {
    const NodeUse* const other = find_use(others, use.name);
    if (other != nullptr && *other == use) continue;
    if (other == nullptr || other->count != use.count) names.emplace(use.name, std::nullopt);
    for (const PortUse& port : use.ports) {
      const PortUse* const same = other == nullptr ? nullptr : other->find(port.name);
      if (same == nullptr || same->count != port.count) names.emplace(use.name, port.name);
    }
  }
}

}  // namespace

void add_first_users(const Snapshot& snapshot, text::FileId file, const std::vector<NodeUse>& before,
                     const std::vector<NodeUse>& after, std::set<text::FileId>& files) {
  std::set<UsedName> names;
  add_different(before, after, names);
  add_different(after, before, names);
  if (names.empty()) return;
  std::vector<const SnapshotFile*> joined;
  std::vector<dialects::File> places;
  std::vector<dialects::OtherFile> others;
  std::size_t number = 0;
  for (const SnapshotFile& each : snapshot.files) {
    if (!each.place.summary.has_value()) {
      others.emplace_back().path = each.place.path;
      continue;
    }
    if (each.id == file) number = joined.size();
    joined.push_back(&each);
    places.emplace_back().path = each.place.path;
  }
  // In MoveIt Pro, one note is about all of a package.
  const bool is_fork = snapshot.configuration.dialects.of<dialects::BtcppOptions>().is_fork ||
                       std::any_of(joined.begin(), joined.end(), [](const SnapshotFile* each) {
                         return dialects::btcpp::summary_of(each->place)->is_of_fork;
                       });
  const dialects::btcpp::Packages packages(places, others);
  for (std::size_t i = 0; i < joined.size() && (is_fork || !names.empty()); ++i) {
    if (i == number || packages.of(i) != packages.of(number)) continue;
    if (is_fork) files.insert(joined[i]->id);
    const auto summary = dialects::btcpp::summary_of(joined[i]->place);
    for (auto name = names.begin(); name != names.end();) {
      const NodeUse* const use = find_use(summary->nodes, name->first);
      const bool is_used = use != nullptr && (!name->second || use->find(*name->second) != nullptr);
      if (is_used) files.insert(joined[i]->id);
      name = is_used ? names.erase(name) : std::next(name);
    }
  }
}

}  // namespace espalier::project
