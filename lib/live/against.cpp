// Another version with the answers of a log. See against.h.
#include "live/against.h"

#include <espalier/polling.h>

#include <algorithm>
#include <map>
#include <utility>

#include "live/events.h"
#include "live/values.h"
#include "replay/node_paths.h"
#include "replay/strategy.h"
#include "text/names.h"

namespace espalier::live {
namespace {

// For each node of the new version, the number of the node of the log's tree whose answers it gets; kNoNode: none.
std::vector<std::uint32_t> paired(const LoggedTree& tree, const LoggedTree& now) {
  const replay::NodePaths paths(tree.tree());
  std::map<std::string, std::uint32_t> by_path;
  std::map<std::string_view, std::vector<std::uint32_t>> by_name;
  for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) {
    if (!tree.nodes()[i].asks) continue;
    by_path.emplace(paths.path_of(tree.nodes()[i].word), i);
    by_name[tree.nodes()[i].name].push_back(i);
  }
  const replay::NodePaths new_paths(now.tree());
  std::vector<std::uint32_t> pairs(now.nodes().size(), kNoNode);
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const LoggedNode& node = now.nodes()[i];
    if (!node.asks) continue;
    const auto same = by_path.find(new_paths.path_of(node.word));
    const auto named = by_name.find(node.name);
    if (same != by_path.end() && tree.nodes()[same->second].name == node.name) {
      pairs[i] = same->second;
    } else if (named != by_name.end() && named->second.size() == 1) {
      pairs[i] = named->second.front();
    }
  }
  return pairs;
}

// Are all values that the nodes may write compared with the same in both versions, or with nothing in the new one?
bool are_compared_alike(const LoggedNode& node, const LoggedNode& now) {
  const auto texts_of = [](const LoggedNode& of) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < of.tried_count; ++i) {
      std::string& text = texts.emplace_back();
      for (const replay::TraceOutput& output : of.outputs[i])
        text += output.port + explore::text_of(output.value) + '\n';
    }
    return texts;
  };
  return now.outputs.empty() || texts_of(node) == texts_of(now);
}

class Other {
 public:
  Other(const LoggedTree& tree, const FittedRun& run, LoggedTree& now)
      : tree_(tree),
        run_(run),
        now_(now),
        pairs_(paired(tree, now)),
        block_(agent_bytes(now.tree()) / sizeof(std::uint64_t) + 1) {
    start(now.tree(), block_.data());
    Behavior behavior;
    behavior.tick = [](const Call* call) { return static_cast<Other*>(call->host->user)->answer(call); };
    behaviors_.assign(behavior_count(*now.tree().asset), behavior);
    conditions_.assign(host_condition_count(*now.tree().asset), behavior);
    host_.behaviors = behaviors_.data();
    host_.conditions = conditions_.data();
    host_.user = this;
    for (std::uint32_t i = 0; i < pairs_.size(); ++i)
      are_alike_.push_back(pairs_[i] == kNoNode || are_compared_alike(tree.nodes()[pairs_[i]], now.nodes()[i]));
  }

  OtherVersion follow() {
    other_.run.first_change = run_.first_change;
    for (const Update& update : run_.updates) {
      follow(update);
      if (other_.unknown || other_.ends_apart) break;
    }
    return std::move(other_);
  }

 private:
  void follow(const Update& update) {
    Update& own = other_.run.updates.emplace_back(update);
    host_.clock_us = update.clock_us;
    own.first_answer = static_cast<std::uint32_t>(other_.run.answers.size());
    own.answer_count = 0;
    if (update.is_halt) return stop(now_.tree(), block_.data(), host_);
    for (const EntrySet& set : update.sets) {
      std::uint32_t id = 0;
      if (espalier_find_entry(now_.tree(), "", set.entry.c_str(), &id) == ESPALIER_OK)
        static_cast<void>(replay::write_entry(now_.tree(), block_.data(), id, set.value));
    }
    given_.clear();
    for (std::uint32_t i = 0; i < update.answer_count; ++i) {
      const LeafAnswer& answer = run_.answers[update.first_answer + i];
      given_[answer.node].push_back(answer);
    }
    asked_.clear();
    own.status = static_cast<Result>(espalier_update(now_.tree(), block_.data(), &host_));
    own.answer_count = static_cast<std::uint32_t>(other_.run.answers.size()) - own.first_answer;
    other_.ends_apart = (own.status == Result::running) != (update.status == Result::running);
    if (is_other(update, own)) other_.others.push_back(static_cast<std::uint32_t>(other_.run.updates.size() - 1));
  }

  bool is_other(const Update& update, const Update& own) const {
    if (other_.unknown || own.status != update.status || asked_.size() != update.answer_count) return true;
    for (std::uint32_t i = 0; i < update.answer_count; ++i) {
      if (asked_[i] != run_.answers[update.first_answer + i].node) return true;
    }
    return false;
  }

  espalier_result answer(const Call* call) {
    const std::uint32_t number = now_.number_of(call->node_word);
    const std::uint32_t pair = pairs_[number];
    LeafAnswer& own = other_.run.answers.emplace_back();
    own.node = static_cast<std::uint16_t>(number);
    asked_.push_back(pair);
    const auto given = given_.find(pair);
    if (given == given_.end() || given->second.empty()) {
      if (!other_.unknown) other_.unknown = number;
      own.result = static_cast<std::uint8_t>(now_.nodes()[number].is_at_once ? ESPALIER_FAILURE : ESPALIER_RUNNING);
      return static_cast<espalier_result>(own.result);
    }
    const LeafAnswer of_log = given->second.front();
    given->second.erase(given->second.begin());
    own.result = of_log.result;
    if (of_log.outputs != 0) write(call, of_log, own);
    return static_cast<espalier_result>(own.result);
  }

  // What the log's tree was taken to read. If this version compares it with something else, that may not be enough.
  void write(const Call* call, const LeafAnswer& of_log, LeafAnswer& own) {
    const LoggedNode& node = tree_.nodes()[of_log.node];
    const replay::TraceOutputs& outputs = node.outputs[of_log.outputs - 1u];
    static_cast<void>(replay::write_outputs(call, outputs));
    for (std::size_t i = 0; i < outputs.size() && !are_alike_[own.node]; ++i) note(node, of_log, i);
    own.outputs = now_.number_of_outputs(own.node, outputs);
    own.fitting = of_log.fitting;
  }

  void note(const LoggedNode& node, const LeafAnswer& of_log, std::size_t output) {
    if (is_known(node, of_log, output)) return;
    const replay::TraceOutput& given = node.outputs[of_log.outputs - 1u][output];
    const std::string constraint = constraint_of(node, of_log, output);
    std::string words =
        text::quote(entry_of(tree_, node, given.port)) + " is taken to be " + explore::text_of(given.value) + ": ";
    words += constraint.empty() ? "the log does not tell it" : "the log tells only that it was " + constraint;
    words += ", and this version compares it with other values";
    if (std::find(other_.taken.begin(), other_.taken.end(), words) == other_.taken.end())
      other_.taken.push_back(std::move(words));
  }

  const LoggedTree& tree_;
  const FittedRun& run_;
  LoggedTree& now_;
  const std::vector<std::uint32_t> pairs_;
  std::vector<bool> are_alike_;  // by node of the new version
  std::vector<std::uint64_t> block_;
  std::vector<Behavior> behaviors_;
  std::vector<Behavior> conditions_;
  Host host_;
  OtherVersion other_;
  std::map<std::uint32_t, std::vector<LeafAnswer>> given_;  // that are left in this update, by the log's node
  std::vector<std::uint32_t> asked_;                        // the log's nodes, in this update
};

// What a node of the program reads: "FollowPath speed 1.5".
struct Read {
  std::uint32_t update = 0;
  std::string text = {};
  bool operator==(const Read&) const = default;
};

std::vector<Read> reads_of(const LoggedTree& tree, const FittedRun& run) {
  std::vector<Read> reads;
  each_event(tree, run, true, [&](std::uint32_t update, const replay::Event& event) {
    if (event.kind == replay::EventKind::read) reads.push_back({update, replay::event_words(event)});
  });
  return reads;
}

}  // namespace

OtherVersion run_other_version(const LoggedTree& tree, const FittedRun& run, LoggedTree& now) {
  OtherVersion other = Other(tree, run, now).follow();
  const std::vector<Read> reads = reads_of(tree, run);
  const std::vector<Read> own = reads_of(now, other.run);
  const auto [first, first_own] = std::mismatch(reads.begin(), reads.end(), own.begin(), own.end());
  if (first == reads.end() || first_own == own.end() || first->update != first_own->update) return other;
  if (first->update >= (other.others.empty() ? other.run.updates.size() : other.others.front())) return other;
  other.first_other_input = first->update;
  other.log_input = first->text;
  other.other_input = first_own->text;
  return other;
}

}  // namespace espalier::live
