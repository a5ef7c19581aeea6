// What entries may hold. See first_entries.h.
#include "live/first_entries.h"

#include <espalier/polling.h>

#include "replay/strategy.h"
#include "runtime/poll/tree.h"

namespace espalier::live {
namespace {

using layout::PollPortKind;

// Is it connected with a port of a node that is not the program's? That may see in silence that it has no value.
bool is_at_port(const LoggedTree& tree, const std::string& entry) {
  const PollTreeView& view = tree.view();
  for (const LoggedNode& node : tree.nodes()) {
    const std::uint32_t* const own = view.nodes + node.word;
    for (std::uint32_t i = 0; !node.asks && i < view.polled_of(own).port_count; ++i) {
      const layout::PollPort& port = view.port_of(own, i);
      if (static_cast<PollPortKind>(port.kind) != PollPortKind::key) continue;
      for (std::uint32_t key = port.value; key != layout::kNone; key = view.keys[key].next)
        if (view.name(view.entries[view.keys[key].entry].name) == entry) return true;
    }
  }
  return false;
}

// Without a value the update that needs one ends, and then all are tried.
void take_value(const LoggedTree& tree, const std::string& entry, std::vector<std::uint64_t>& block) {
  std::uint32_t id = 0;
  if (espalier_find_entry(tree.tree(), "", entry.c_str(), &id) != ESPALIER_OK) return;
  const PollAgent fresh(tree.view(), block.data());
  StoredEntry stored = fresh.entry(id);
  stored.kind = ValueKind::none;
  stored.bits = 0;
  fresh.set_entry(id, stored);
}

// The last one before a time; null: there is none.
const EntrySample* sample_of(const Log& log, const std::string& entry, std::int64_t at_us) {
  const EntrySample* sample = nullptr;
  for (const EntrySample& each : log.samples)
    if (each.entry == entry && each.at_us <= at_us) sample = &each;
  return sample;
}

}  // namespace

std::optional<OpenEntries> open_entries(const LoggedTree& tree, const Log& log, std::uint32_t change,
                                        std::vector<std::uint64_t>& block) {
  if (!tree.knows_entries()) return std::nullopt;
  OpenEntries open;
  for (const std::string& entry : tree.looked_at()) {
    if (const EntrySample* const sample = sample_of(log, entry, log.changes[change].at_us); sample != nullptr) {
      std::uint32_t id = 0;
      if (espalier_find_entry(tree.tree(), "", entry.c_str(), &id) == ESPALIER_OK)
        static_cast<void>(replay::write_entry(tree.tree(), block.data(), id, sample->value));
      continue;
    }
    if (!is_at_port(tree, entry)) {
      take_value(tree, entry, block);
      continue;
    }
    std::vector<std::optional<explore::EntryValue>> values = {std::nullopt};  // as the tree has it
    for (explore::EntryValue& value : tree.values_of(entry)) values.emplace_back(std::move(value));
    open.emplace_back(entry, std::move(values));
  }
  return open;
}

}  // namespace espalier::live
