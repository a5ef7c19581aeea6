// Two trees in one log. See mixed.h.
#include "live/mixed.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/lockstep.h"
#include "rules/logs.h"
#include "text/names.h"

namespace espalier::live {
namespace {

// Changes of one message: from one place of the log to another.
struct Sent {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Sent> messages_of(const Log& log) {
  std::vector<Sent> messages;
  for (std::size_t i = 0; i < log.changes.size(); ++i) {
    if (messages.empty() || log.changes[i].begins_message) messages.push_back({i, i});
    messages.back().end = i + 1;
  }
  return messages;
}

// In a log of one tree each number is that of one node.
bool has_numbers_of_two(const Log& log) {
  std::map<std::uint16_t, std::uint16_t> names;
  return std::any_of(log.changes.begin(), log.changes.end(), [&](const Change& change) {
    if (change.uid == 0 || change.name == 0) return false;
    return names.try_emplace(change.uid, change.name).first->second != change.name;
  });
}

bool has_names_alone(const Log& log) { return !log.changes.empty() && log.changes.front().uid == 0; }

// For each name of the log: does the tree have it?
std::vector<bool> known_names(const LoggedTree& tree, const Log& log) {
  std::set<std::string_view> names;
  for (const LoggedNode& node : tree.nodes()) names.insert({node.name, node.name_in_3});
  std::vector<bool> known;
  for (const std::string& name : log.names) known.push_back(names.contains(name));
  return known;
}

bool is_of_tree(const LoggedTree& tree, const Log& log, const std::vector<bool>& known, const Change& change) {
  if (change.name == 0) return false;
  if (change.uid == 0) return known[change.name - 1u];
  return change.uid <= tree.nodes().size() && tree.nodes()[change.uid - 1u].name == log.names[change.name - 1u];
}

bool fits_somewhere(const LoggedTree& tree, const Log& log) {
  const FittedRun run = fit(tree, log, true);
  return !run.misfit && !run.updates.empty();
}

}  // namespace

std::optional<LogFault> leave_out_other_trees(const LoggedTree& tree, Log& log) {
  const bool are_named = has_names_alone(log);
  if (!log.has_messages || (!are_named && !has_numbers_of_two(log))) return std::nullopt;
  const std::vector<bool> known = known_names(tree, log);
  std::vector<Sent> own;
  std::vector<Sent> others;
  for (const Sent& message : messages_of(log)) {
    const auto begin = log.changes.begin() + static_cast<std::ptrdiff_t>(message.begin);
    const auto end = log.changes.begin() + static_cast<std::ptrdiff_t>(message.end);
    const bool is_own =
        std::all_of(begin, end, [&](const Change& change) { return is_of_tree(tree, log, known, change); });
    (is_own ? own : others).push_back(message);
  }
  if (own.empty() || others.empty()) return std::nullopt;
  std::set<std::pair<std::uint16_t, std::uint16_t>> of_others;  // uid and name
  std::string first;
  for (const Sent& message : others) {
    for (std::size_t i = message.begin; i < message.end; ++i) {
      const Change& change = log.changes[i];
      of_others.emplace(change.uid, change.name);
      if (first.empty() && !is_of_tree(tree, log, known, change)) {
        first = change.name == 0 ? "a node" : text::quote(log.names[change.name - 1u]);
        if (change.uid != 0) first += " (node " + std::to_string(change.uid) + ")";
      }
    }
  }
  std::vector<Change> changes;
  std::size_t either_count = 0;
  for (const Sent& message : own) {
    const std::size_t place = changes.size();
    std::copy(log.changes.begin() + static_cast<std::ptrdiff_t>(message.begin),
              log.changes.begin() + static_cast<std::ptrdiff_t>(message.end), std::back_inserter(changes));
    const bool may_be_other =
        std::all_of(changes.begin() + static_cast<std::ptrdiff_t>(place), changes.end(), [&](const Change& change) {
          return of_others.contains({change.uid, change.name});
        });
    changes[place].may_be_other = may_be_other;
    either_count += may_be_other ? 1 : 0;
  }
  changes.swap(log.changes);
  // Without numbers nothing but a run that fits shows that there are two.
  if (are_named && !fits_somewhere(tree, log)) {
    log.changes = std::move(changes);
    return std::nullopt;
  }
  std::string message = "the log has changes of another tree, too: " + std::to_string(others.size()) +
                        (others.size() == 1 ? " message" : " messages") + " with nodes such as " + first +
                        (others.size() == 1 ? " is" : " are") + " left out";
  if (either_count != 0) message += "; " + std::to_string(either_count) + " may be of either tree";
  return LogFault{rules::LOG_two_trees, message, {}, {}};
}

}  // namespace espalier::live
