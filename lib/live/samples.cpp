// Sampled values of outputs. See samples.h.
#include "live/samples.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "live/values.h"
#include "runtime/asset/view.h"

namespace espalier::live {
namespace {

using layout::PollDirection;
using layout::PollOp;

// The nodes that may write each entry, by its number.
std::map<std::uint32_t, std::set<std::uint32_t>> writers_of(const LoggedTree& tree) {
  const PollTreeView& view = tree.view();
  std::map<std::uint32_t, std::set<std::uint32_t>> writers;
  for (std::uint32_t node = 0; node < tree.nodes().size(); ++node) {
    const layout::Polled& polled = view.polled_of(view.nodes + tree.nodes()[node].word);
    const auto add_key = [&](std::uint32_t key) {  // a name may stand for one of several entries
      for (; key != layout::kNone; key = view.keys[key].next) writers[view.keys[key].entry].insert(node);
    };
    const auto add_script = [&](std::uint32_t script) {
      if (script == 0) return;
      const layout::PollScript record =
          records<layout::PollScript>(view.asset, SectionId::poll_scripts)[view.record.first_script + script - 1];
      const auto* code = array<layout::Instruction>(view.asset, SectionId::poll_code) + record.first_instruction;
      for (std::uint32_t i = 0; i < record.instruction_count; ++i) {
        const auto op = static_cast<PollOp>(code[i].op);
        if (op >= PollOp::create && op <= PollOp::assign_divide) add_key(code[i].operand);
      }
    };
    add_script(polled.script);
    for (std::uint32_t layout::Polled::*hook : layout::kHooks) add_script(polled.*hook);
    for (std::uint32_t i = 0; i < polled.port_count; ++i) {
      const PollPort& port = view.port_of(view.nodes + tree.nodes()[node].word, i);
      const bool is_read =
          static_cast<PollDirection>(port.direction) == PollDirection::input && tree.nodes()[node].asks;
      if (!is_read && static_cast<layout::PollPortKind>(port.kind) == layout::PollPortKind::key) add_key(port.value);
    }
  }
  return writers;
}

// The entry that a port of a node is connected with; none: no one entry.
std::optional<std::uint32_t> entry_at(const LoggedTree& tree, std::uint32_t node, const std::string& name) {
  const PollTreeView& view = tree.view();
  const std::uint32_t* const at = view.nodes + tree.nodes()[node].word;
  for (std::uint32_t i = 0; i < view.polled_of(at).port_count; ++i) {
    const PollPort& port = view.port_of(at, i);
    const bool is_it = view.name(port.name) == name;
    const bool is_key = static_cast<layout::PollPortKind>(port.kind) == layout::PollPortKind::key;
    if (is_it && is_key && view.keys[port.value].next == layout::kNone) return view.keys[port.value].entry;
  }
  return std::nullopt;
}

}  // namespace

SampledValues::SampledValues(LoggedTree& tree, const Log& log) {
  if (log.samples.empty()) return;
  const std::map<std::uint32_t, std::set<std::uint32_t>> writers = writers_of(tree);
  std::map<std::string, std::vector<const EntrySample*>> samples;
  for (const EntrySample& sample : log.samples) samples[sample.entry].push_back(&sample);
  std::vector<std::vector<std::uint32_t>> changes_of(tree.nodes().size());
  for (std::uint32_t i = 0; i < log.changes.size(); ++i) {
    const std::uint16_t uid = log.changes[i].uid;
    if (uid != 0 && uid <= changes_of.size()) changes_of[uid - 1u].push_back(i);
  }
  // The sample of what an entry holds after this change, before anything may write it again.
  const auto sample_after = [&](std::uint32_t change, std::uint32_t entry,
                                const std::string& name) -> const EntrySample* {
    const auto of_entry = samples.find(name);
    const auto writing = writers.find(entry);
    if (of_entry == samples.end() || writing == writers.end()) return nullptr;
    const auto time_of = [&](std::uint32_t number) {
      return std::clamp(log.changes[number].at_us, INT64_MIN + kSampleApart_us, INT64_MAX - kSampleApart_us);
    };
    const std::int64_t begin_us = time_of(change) + kSampleApart_us;
    std::int64_t end_us = INT64_MAX;
    for (const std::uint32_t writer : writing->second) {
      const std::vector<std::uint32_t>& own = changes_of[writer];
      const auto next = std::upper_bound(own.begin(), own.end(), change);
      if (next != own.end()) end_us = std::min(end_us, time_of(*next) - kSampleApart_us);
    }
    const auto first =
        std::lower_bound(of_entry->second.begin(), of_entry->second.end(), begin_us,
                         [](const EntrySample* sample, std::int64_t at_us) { return sample->at_us < at_us; });
    return first != of_entry->second.end() && (*first)->at_us < end_us ? *first : nullptr;
  };
  for (std::uint32_t node = 0; node < tree.nodes().size(); ++node) {
    if (tree.nodes()[node].outputs.empty()) continue;
    for (const std::uint32_t change : changes_of[node]) {
      const Status status = log.changes[change].status;
      if (status != Status::success && status != Status::failure) continue;
      replay::TraceOutputs outputs = tree.nodes()[node].outputs.front();
      const bool are_all = std::all_of(outputs.begin(), outputs.end(), [&](replay::TraceOutput& output) {
        const std::optional<std::uint32_t> entry = entry_at(tree, node, output.port);
        const std::string name = entry_of(tree, tree.nodes()[node], output.port);
        const EntrySample* const sample = entry ? sample_after(change, *entry, name) : nullptr;
        if (sample == nullptr) return false;
        const bool is_truth = output.value.kind == explore::EntryValue::Kind::boolean;
        output.value = sample->value;
        if (is_truth && output.value.kind == explore::EntryValue::Kind::whole)
          output.value.kind = explore::EntryValue::Kind::boolean;
        return true;
      });
      if (!are_all) continue;
      known_[{node, change}] = tree.number_of_outputs(node, outputs);
    }
  }
}

std::uint32_t SampledValues::outputs_of(std::uint32_t node, std::uint32_t change) const {
  const auto known = known_.find({node, change});
  return known == known_.end() ? 0 : known->second;
}

}  // namespace espalier::live
