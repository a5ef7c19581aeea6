// Traces. See trace.h.
#include "live/trace.h"

#include <algorithm>
#include <map>

#include "codegen/dump/listing.h"
#include "live/host_line.h"
#include "replay/event.h"
#include "replay/names.h"
#include "replay/node_paths.h"
#include "replay/strategy.h"
#include "runtime/poll/calls.h"
#include "text/json.h"

namespace espalier::live {
namespace {

// The program as it was: it answers from a list, in the order of the calls.
class Program {
 public:
  Program(const LoggedTree& tree, const FittedRun& run)
      : tree_(tree), run_(run), block_(agent_bytes(tree.tree()) / 8 + 1) {
    start(tree.tree(), block_.data());
    if (!run.start.empty()) block_ = run.start;
    Behavior behavior;
    behavior.tick = [](const Call* call) { return static_cast<Program*>(call->host->user)->answer(call); };
    behaviors_.assign(behavior_count(*tree.tree().asset), behavior);
    conditions_.assign(host_condition_count(*tree.tree().asset), behavior);
    host_.behaviors = behaviors_.data();
    host_.conditions = conditions_.data();
    host_.user = this;
  }

  void update(const Update& update) {
    host_.clock_us = update.clock_us;
    if (update.is_halt) return stop(tree_.tree(), block_.data(), host_);
    for (const EntrySet& set : update.sets) {
      std::uint32_t id = 0;
      if (espalier_find_entry(tree_.tree(), "", set.entry.c_str(), &id) == ESPALIER_OK)
        static_cast<void>(replay::write_entry(tree_.tree(), block_.data(), id, set.value));
    }
    next_ = update.first_answer;
    end_ = next_ + update.answer_count;
    espalier_update(tree_.tree(), block_.data(), &host_);
  }

  // The running actions, as `running` of an expectation.
  std::string running() const {
    replay::AgentView agent;
    agent.tree = tree_.tree();
    agent.block = block_.data();
    std::string list;
    for (const replay::RunningNode& node : replay::running_nodes(agent))
      list += (list.empty() ? "" : ", ") + text::json_string(behavior_name(*tree_.tree().asset, node.behavior));
    return list;
  }

 private:
  espalier_result answer(const Call* call) {
    if (next_ == end_) return ESPALIER_FAILURE;
    const LeafAnswer& answer = run_.answers[next_++];
    if (answer.outputs != 0)
      static_cast<void>(replay::write_outputs(call, tree_.nodes()[answer.node].outputs[answer.outputs - 1u]));
    return static_cast<espalier_result>(answer.result);
  }

  const LoggedTree& tree_;
  const FittedRun& run_;
  std::vector<std::uint64_t> block_;
  std::vector<Behavior> behaviors_;
  std::vector<Behavior> conditions_;
  Host host_;
  std::uint32_t next_ = 0;
  std::uint32_t end_ = 0;
};

std::string host_name(const LoggedTree& tree, std::size_t node) {
  const PollTreeView& view = tree.view();
  const std::uint32_t* const at = view.nodes + tree.nodes()[node].word;
  const std::uint32_t host = view.polled_of(at).host;
  return std::string(calls_behavior(opcode_of(at)) ? behavior_name(view.asset, host)
                                                   : host_condition_name(view.asset, host));
}

}  // namespace

// Traces call leaves by their IDs, and where several have one by their paths too.
TraceWriter::TraceWriter(const LoggedTree& tree)
    : tree_(tree), names_(tree.nodes().size()), scripted_(tree.nodes().size()) {
  const replay::NodePaths paths(tree.tree());
  std::map<std::string, std::size_t> counts;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!tree.nodes()[i].asks) continue;
    names_[i] = host_name(tree, i);
    ++counts[names_[i]];
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (tree.nodes()[i].asks && counts[host_name(tree, i)] > 1) names_[i] += '@' + paths.path_of(tree.nodes()[i].word);
  }
}

std::string TraceWriter::first_line(const std::string& name) const {
  return "{\"trace\": 1, " + replay::tree_members(tree_name(tree_.tree())) +
         (name.empty() ? "" : ", \"name\": " + text::json_string(name)) + ", \"errors\": \"allowed\"}\n";
}

std::string TraceWriter::lines_of(const FittedRun& run, const Update& update) {
  if (update.is_halt) return "{\"halt\": true}\n";
  std::string lines = sets_of(run, update) + answers_of(run, update);
  lines += "{\"tick\": " + replay::seconds_text(update.clock_us - clock_us_) + "}\n";
  clock_us_ = update.clock_us;
  return lines;
}

std::string TraceWriter::sets_of(const FittedRun& run, const Update& update) const {
  if (update.sets.empty()) return {};
  std::string values;
  for (const EntrySet& set : update.sets) add_member(values, set.entry, explore::text_of(set.value));
  const bool is_open =
      std::any_of(update.sets.begin(), update.sets.end(), [](const EntrySet& set) { return set.is_open; });
  const char* const comment = run.is_recorded ? "recorded"
                              : is_open       ? "the log does not tell these values: others fit as well"
                                              : "inferred: the tree needs a value";
  return "{\"set\": {" + values + "}, \"comment\": \"" + comment + "\"}\n";
}

std::string TraceWriter::text_of(const LeafAnswer& answer) const {
  const std::string word = '"' + std::string(replay::result_name(static_cast<Result>(answer.result))) + '"';
  if (answer.outputs == 0) return word;
  std::string outputs;
  for (const replay::TraceOutput& output : tree_.nodes()[answer.node].outputs[answer.outputs - 1u])
    add_member(outputs, output.port, explore::text_of(output.value));
  return answer_with_outputs(word, outputs);
}

std::string TraceWriter::answers_of(const FittedRun& run, const Update& update) {
  std::map<std::uint16_t, std::vector<std::string>> answers;
  bool has_values = false;
  bool has_unknown = false;
  for (std::uint32_t i = 0; i < update.answer_count; ++i) {
    const LeafAnswer& answer = run.answers[update.first_answer + i];
    answers[answer.node].push_back(text_of(answer));
    has_values = has_values || (answer.outputs != 0 && answer.fitting != 0);
    has_unknown = has_unknown || answer.is_value_unknown();
  }
  std::string members;
  for (const auto& [node, list] : answers) add_answers(members, names_[node], list, scripted_[node]);
  if (members.empty()) return {};
  std::string line = "{\"host\": {" + members + '}';
  if (has_unknown) {
    line += ", \"comment\": \"the log does not tell these values: others fit as well\"";
  } else if (has_values) {
    line += ", \"comment\": \"values are inferred\"";
  }
  return line + "}\n";
}

std::string trace_of(const LoggedTree& tree, const FittedRun& run, const std::string& name, bool has_expectations) {
  TraceWriter writer(tree);
  std::string text = writer.first_line(name);
  if (!has_expectations) {
    for (const Update& update : run.updates) text += writer.lines_of(run, update);
    return text;
  }
  Program program(tree, run);
  std::string last_expected;
  for (const Update& update : run.updates) {
    program.update(update);
    text += writer.lines_of(run, update);
    if (update.is_halt || !update.is_certain || update.lacks_end || update.has_thrown) continue;
    std::string expected = "{\"expect\": {\"status\": \"";
    expected += replay::result_name(update.status);
    expected += "\", \"running\": [" + program.running() + "]}}\n";
    if (update.change_count != 0 || expected != last_expected) text += expected;
    last_expected = std::move(expected);
  }
  return text;
}

std::optional<replay::Start> start_of(const FittedRun& run) {
  if (run.start.empty()) return std::nullopt;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(run.start.data());
  replay::Start start;
  start.blocks.emplace_back(bytes, bytes + run.start.size() * sizeof(std::uint64_t));
  return start;
}

}  // namespace espalier::live
