// Nodes by uid. See logged_tree.h.
#include "live/logged_tree.h"

#include <espalier/polling.h>

#include <algorithm>

#include "explore/poll/uses.h"
#include "replay/node_paths.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/poll.h"

namespace espalier::live {
namespace {

constexpr std::size_t kMostOutputs = 32;  // different ones of a node

bool is_action(Opcode opcode) { return opcode == opcode::poll_action || opcode == opcode::poll_sync_action; }

// Each value of an output with each of those before it.
// False: there are too many.
bool add_output(const std::string& port, const std::vector<explore::EntryValue>& values,
                std::vector<replay::TraceOutputs>& all) {
  std::vector<replay::TraceOutputs> more;
  if (all.empty()) all.emplace_back();
  for (const replay::TraceOutputs& before : all) {
    for (const explore::EntryValue& value : values) {
      if (more.size() == kMostOutputs) break;
      more.push_back(before);
      more.back().push_back({port, value});
    }
  }
  const bool are_all = more.size() == all.size() * values.size();
  all = std::move(more);
  return are_all;
}

// Of a subtree it is the ID alone; nodes without a name of their own have that of their kind.
std::string_view name_in_3(std::string_view name, Opcode opcode) {
  if (opcode == opcode::poll_subtree && name.find("::") != std::string_view::npos)
    return name.substr(0, name.find("::"));
  if (name == "SequenceWithMemory" && opcode == opcode::poll_sequence_with_memory) return "SequenceStar";
  if (name == "RetryUntilSuccessful" && opcode == opcode::poll_retry) return "RetryUntilSuccesful";
  return {};
}

std::string text_of(const replay::TraceOutputs& outputs) {
  std::string text;
  for (const replay::TraceOutput& output : outputs) text += output.port + '=' + explore::text_of(output.value) + '\n';
  return text;
}

}  // namespace

LoggedTree::LoggedTree(const Tree& tree) : view_(tree) {
  std::map<std::uint32_t, std::string_view> names;
  const replay::NodePaths paths(tree);
  for (const replay::PlacedNode& node : paths.nodes())
    names[node.word] = !node.name.empty() ? node.name : !node.id.empty() ? node.id : node.kind;
  for (std::uint32_t i = 0; i < view_.unit.node_count; ++i) {
    const std::uint32_t* const at = view_.node(i);
    const Opcode opcode = opcode_of(at);
    LoggedNode& node = nodes_.emplace_back();
    node.word = view_.word_of(at);
    node.name = names[node.word];
    node.name_in_3 = name_in_3(node.name, opcode);
    node.is_at_once =
        opcode == opcode::poll_sync_action || opcode == opcode::poll_condition || opcode == opcode::poll_gate;
    node.asks = node.is_at_once || opcode == opcode::poll_action;
    node.halts_itself =
        opcode == opcode::poll_recovery || opcode == opcode::poll_round_robin || opcode == opcode::poll_pipeline;
    has_clock_ = has_clock_ || opcode == opcode::poll_rate;
  }
  for (std::uint32_t i = 0; i < view_.unit.node_count; ++i) {
    if (opcode_of(view_.node(i)) != opcode::poll_timeout) continue;
    const std::uint32_t end = i + nodes_within(view_.node(i));
    for (std::uint32_t below = i + 1; below < end; ++below) nodes_[below].is_timed = true;
  }
  has_clock_ = has_clock_ || view_.record.timer_count != 0;
  const explore::PollUses uses(tree, {});
  const explore::HostValues of_entries = uses.host_values({});
  entries_ = of_entries.entries;
  knows_entries_ = of_entries.limit.empty();
  for (std::uint32_t i = 0; i < view_.entry_count() && knows_entries_; ++i) {
    const explore::EntryUse& use = uses.of(i);
    const bool is_own = i < view_.fixed_entry_count() && *espalier_entry_path(tree, i) == '\0';
    if (!is_own && (use.is_looked_at || use.is_compared || use.is_computed)) knows_entries_ = false;
    if (use.is_computed || (use.is_compared && (use.is_increased || use.is_decreased))) knows_entries_ = false;
  }
  for (const LoggedNode& node : nodes_) {  // they remember how often an entry was written
    const Opcode opcode = opcode_of(view_.nodes + node.word);
    if (opcode == opcode::poll_updated || opcode == opcode::poll_was_updated || opcode == opcode::poll_persistent)
      knows_entries_ = false;
  }
  explore::HostFacts nothing_but_outputs;
  nothing_but_outputs.entries.emplace();
  const explore::HostValues values = uses.host_values(nothing_but_outputs);
  limit_ = values.limit;
  add_outputs(uses, values);
}

void LoggedTree::add_outputs(const explore::PollUses& uses, const explore::HostValues& values) {
  for (LoggedNode& node : nodes_) {
    if (!node.asks) continue;
    const std::uint32_t* const at = view_.nodes + node.word;
    const layout::Polled& polled = view_.polled_of(at);
    const std::string id(is_action(opcode_of(at)) ? behavior_name(view_.asset, polled.host)
                                                  : host_condition_name(view_.asset, polled.host));
    for (std::uint32_t i = 0; i < polled.port_count; ++i) {
      const layout::PollPort& port = view_.port_of(at, i);
      const auto found = values.outputs.find({id, std::string(view_.name(port.name))});
      if (found == values.outputs.end() || !explore::is_key(port)) continue;
      const explore::EntryUse& use = uses.of(view_.keys[port.value].entry);
      node.is_computed.push_back(use.is_computed || use.is_counted());
      if (!add_output(found->first.second, explore::representatives(found->second), node.outputs))
        limit_ = "not all values that '" + std::string(node.name) + "' may write were tried";
    }
    node.tried_count = node.outputs.size();
    for (std::uint32_t i = 0; i < node.tried_count; ++i)
      numbers_.try_emplace({number_of(node.word), text_of(node.outputs[i])}, i + 1);
  }
}

std::uint32_t LoggedTree::number_of_outputs(std::uint32_t node, const replay::TraceOutputs& outputs) {
  std::vector<replay::TraceOutputs>& known = nodes_[node].outputs;
  const auto [number, is_new] =
      numbers_.try_emplace({node, text_of(outputs)}, static_cast<std::uint32_t>(known.size() + 1));
  if (is_new) known.push_back(outputs);
  return number->second;
}

std::vector<std::string> LoggedTree::looked_at() const {
  std::vector<std::string> names;
  for (const auto& [name, literals] : entries_) names.push_back(name);
  return names;
}

std::vector<explore::EntryValue> LoggedTree::values_of(const std::string& entry) const {
  const auto found = entries_.find(entry);
  std::vector<explore::EntryValue> values =
      explore::representatives(found == entries_.end() ? explore::Literals() : found->second);
  if (values.size() > kMostOutputs) values.resize(kMostOutputs);
  return values;
}

}  // namespace espalier::live
