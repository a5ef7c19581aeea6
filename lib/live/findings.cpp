// Findings of logs. See findings.h.
#include "live/findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "live/values.h"
#include "replay/event.h"
#include "replay/names.h"
#include "rules/logs.h"
#include "rules/rules.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/include/espalier/debugging.h"
#include "text/json.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::live {
namespace {

constexpr std::size_t kMostUnknown = 1000;  // values that a report lists

std::uint32_t number_of(const LoggedTree& tree, const Log& log, const Change& change) {
  std::uint32_t number = 0;
  while (number < tree.nodes().size() && !tree.is_of(change, log, number)) ++number;
  return number;
}

std::string words_of(const LoggedTree& tree, const Log& log, const Change& change) {
  const std::uint32_t number = number_of(tree, log, change);
  if (number < tree.nodes().size()) return words_of_node(tree, number);
  return change.name != 0 ? text::quote(log.names[change.name - 1u]) : "node " + std::to_string(change.uid);
}

std::string why(const LoggedTree& tree, const Log& log, const Misfit& misfit) {
  if (!misfit.recorded.empty()) return misfit.recorded;
  const Change& change = log.changes[misfit.change];
  const std::string says =
      "the log says that " + words_of(tree, log, change) + " becomes " + std::string(name_of(change.status));
  if (misfit.changes_nothing) return says + ", but the tree changes nothing there";
  const std::string node = words_of_node(tree, misfit.node);
  if (!misfit.status) return says + ", but the tree calls " + node + " there, of which the log has no answer";
  return says + ", but in the tree " + node + " becomes " + std::string(name_of(*misfit.status)) + " there";
}

// How a log begins that does not begin as its tree does; empty: it does.
std::string words_of_beginning(const Log& log, const FittedRun& run) {
  constexpr const char* kWithin = "the log begins in the middle of a run";
  if (run.begins_within_run) {
    const std::string count =
        std::to_string(run.first_change) + (run.first_change == 1 ? " change is" : " changes are");
    return std::string(kWithin) + ": " + (run.first_change == 0 ? "" : count + " left out, and ") +
           "what ran then follows from what came after it";
  }
  if (run.first_change == 0)
    return run.start.empty() ? ""
                             : "the tree ran before the log begins: what it remembers follows from what came after it";
  if (run.first_change == log.changes.size())
    return std::string(kWithin) + ", and ends with it: nothing can be told of it";
  std::string words =
      std::string(kWithin) + ": its first " + std::to_string(run.first_change) + " changes are left out";
  if (run.is_start_unknown) words += ", and nothing after them is certain, as what the tree remembers is not known";
  return words;
}

// What would let the log fit, in words; empty: nothing is known to.
std::string hint_of(const LoggedTree& tree, const NearestEdits& nearest) {
  std::string hint;
  for (const NumberEdit& edit : nearest.edits) {
    hint += (hint.empty() ? "the log fits if " : " and ") + text::quote(edit.port) + " of " +
            words_of_node(tree, edit.node) + " is " + edit.would_be + " instead of " + edit.is;
  }
  if (!nearest.edits.empty() && nearest.edits.front().is_of_log) hint += ", as in the log's own tree";
  if (nearest.edits.empty() && !nearest.is_complete) {
    hint = "other numbers may explain it: " + std::to_string(nearest.tried_count) +
           " other trees were tried, and there are more";
  }
  return hint;
}

// Calls visit(update, answer, output, constraint) for each value that is not known.
template <typename Visit>
void each_unknown(const LoggedTree& tree, const FittedRun& run, const Visit& visit) {
  for (const Update& update : run.updates) {
    for (std::uint32_t i = 0; i < update.answer_count; ++i) {
      const LeafAnswer& answer = run.answers[update.first_answer + i];
      const LoggedNode& node = tree.nodes()[answer.node];
      if (answer.outputs == 0) continue;
      for (std::size_t output = 0; output < node.outputs.front().size(); ++output)
        if (!is_known(node, answer, output)) visit(update, answer, output, constraint_of(node, answer, output));
    }
  }
}

std::string join(const std::string& one, const std::string& other) {
  return one + (one.empty() || other.empty() ? "" : "; ") + other;
}

// The first value of each output of a node.
void add_unknown_values(const LoggedTree& tree, const Log& log, const FittedRun& run, std::vector<LogFault>& faults) {
  std::set<std::pair<std::uint16_t, std::size_t>> told;
  each_unknown(tree, run,
               [&](const Update& update, const LeafAnswer& answer, std::size_t output, const std::string& constraint) {
                 if (!answer.is_value_unknown() || !told.emplace(answer.node, output).second) return;
                 const std::string& port = tree.nodes()[answer.node].outputs.front()[output].port;
                 std::string message = "the log does not tell what " + words_of_node(tree, answer.node) + " wrote to " +
                                       text::quote(port);
                 if (!constraint.empty()) message += ", but it was " + constraint;
                 faults.push_back({rules::LOG_value_unknown, message, {}, place_of(log, update.first_change)});
               });
}

// As the last line of a report has them: a value holds until the next one is written.
std::string unknown_json(const LoggedTree& tree, const Log& log, const FittedRun& run) {
  struct Unknown {
    std::string entry;
    std::int64_t from_us;
    std::int64_t to_us;
    std::string constraint;
  };
  std::vector<Unknown> list;
  std::map<std::string, std::size_t> lasts;  // by entry
  each_unknown(tree, run,
               [&](const Update& update, const LeafAnswer& answer, std::size_t output, const std::string& constraint) {
                 const LoggedNode& node = tree.nodes()[answer.node];
                 const std::string entry = entry_of(tree, node, node.outputs.front()[output].port);
                 const std::int64_t at_us = log.changes[update.first_change].at_us;
                 if (const auto last = lasts.find(entry); last != lasts.end()) list[last->second].to_us = at_us;
                 if (list.size() == kMostUnknown) return;
                 lasts[entry] = list.size();
                 list.push_back({entry, at_us, log.changes.back().at_us, constraint});
               });
  std::string json;
  for (const Unknown& each : list) {
    json += (json.empty() ? "" : ", ") + std::string("{\"entry\": ") + text::json_string(each.entry) +
            ", \"from\": " + std::to_string(each.from_us) + ", \"to\": " + std::to_string(each.to_us) +
            ", \"constraint\": " + (each.constraint.empty() ? "null" : text::json_string(each.constraint)) + '}';
  }
  return json;
}

std::string edits_json(std::span<const NumberEdit> edits) {
  std::string json;
  for (const NumberEdit& edit : edits) {
    json += std::string(json.empty() ? "" : ", ") + "{\"uid\": " + std::to_string(edit.node + 1) +
            ", \"attribute\": " + text::json_string(edit.port) + ", \"is\": " + edit.is +
            ", \"fits\": " + edit.would_be + '}';
  }
  return json;
}

}  // namespace

std::string words_of_node(const LoggedTree& tree, std::uint32_t number) {
  const LoggedNode& node = tree.nodes()[number];
  const espalier_place place = espalier_node_place(tree.tree().asset, node.word);
  std::string words = text::quote(node.name) + " (node " + std::to_string(number + 1);
  if (place.line != 0) words += ", line " + std::to_string(place.line);
  return words + ")";
}

std::string place_of(const Log& log, std::uint32_t change) {
  const std::int64_t since_us = log.changes[change].at_us - log.changes.front().at_us;
  return "record " + std::to_string(change) + ", " +
         replay::seconds_text(static_cast<std::uint64_t>(std::max<std::int64_t>(0, since_us))) + " s";
}

std::optional<LogFault> other_tree(const LoggedTree& of_origin, const LoggedTree& given, Origin origin) {
  const std::size_t count = std::min(of_origin.nodes().size(), given.nodes().size());
  const auto is_same = [&](std::size_t i) {
    return opcode_of(of_origin.view().nodes + of_origin.nodes()[i].word) ==
               opcode_of(given.view().nodes + given.nodes()[i].word) &&
           of_origin.nodes()[i].name == given.nodes()[i].name;
  };
  std::size_t first = 0;
  while (first < count && is_same(first)) ++first;
  if (first == count && of_origin.nodes().size() == given.nodes().size()) return std::nullopt;
  const auto shown = [&](const LoggedTree& tree) {
    return first < tree.nodes().size() ? words_of_node(tree, static_cast<std::uint32_t>(first)) : "no other node";
  };
  const bool is_program = origin == Origin::program;
  return LogFault{rules::LOG_other_tree,
                  (is_program ? "the program has another tree: it has " : "the log is of another tree: it has ") +
                      shown(of_origin) + " where the given one has " + shown(given),
                  is_program ? "give the version of the trees that the program runs"
                             : "give the version of the trees that the robot ran"};
}

std::optional<LogFault> other_nodes(const LoggedTree& tree, const Log& log) {
  for (std::uint32_t i = 0; i < log.changes.size(); ++i) {
    const Change& change = log.changes[i];
    const bool has_node =
        change.uid == 0 ? number_of(tree, log, change) < tree.nodes().size() : change.uid <= tree.nodes().size();
    const bool is_named = change.uid == 0 || change.name == 0 || !has_node ||
                          tree.nodes()[change.uid - 1u].name == log.names[change.name - 1u];
    if (has_node && is_named) continue;
    std::string message = "the log is of another tree: it has a change of ";
    message += change.name != 0 ? text::quote(log.names[change.name - 1u]) : "a node";
    if (change.uid != 0) message += " (node " + std::to_string(change.uid) + ")";
    message += has_node ? ", which is " + words_of_node(tree, change.uid - 1u) + " in the tree"
                        : ", which the tree does not have";
    return LogFault{rules::LOG_other_tree, message, "give the version of the trees that the robot ran",
                    place_of(log, i)};
  }
  return std::nullopt;
}

std::optional<LogFault> impossible_change(const LoggedTree& tree, const Log& log, std::uint32_t last) {
  if (!log.has_idle) return std::nullopt;
  std::vector<std::optional<Status>> before(tree.nodes().size());
  for (std::uint32_t i = 0; i <= last && i < log.changes.size(); ++i) {
    const Change& change = log.changes[i];
    if (change.uid == 0 || change.uid > before.size()) continue;
    std::optional<Status>& known = before[change.uid - 1u];
    std::string why;
    if (known == change.status) why = " is " + std::string(name_of(change.status)) + " already, and does not become so";
    const bool is_condition =
        opcode_of(tree.view().nodes + tree.nodes()[change.uid - 1u].word) == opcode::poll_condition;
    if (is_condition && change.status == Status::running) why = " is a condition, and never RUNNING";
    if (!why.empty())
      return LogFault{rules::LOG_impossible_change, words_of_node(tree, change.uid - 1u) + why, {}, place_of(log, i)};
    known = change.status;
  }
  return std::nullopt;
}

std::vector<LogFault> faults_of(const LoggedTree& tree, const Log& log, const FittedRun& run,
                                const NearestEdits& nearest, const std::string& reason) {
  std::vector<LogFault> faults;
  if (const std::string begins = words_of_beginning(log, run); !begins.empty())
    faults.push_back({rules::LOG_changes_lost, begins});
  for (const Update& update : run.updates) {
    if (!update.is_halt || !update.lacks_end) continue;
    faults.push_back({rules::LOG_last_update_missing,
                      "a new goal begins, and how the one before ended is not in the log",
                      {},
                      place_of(log, update.first_change)});
  }
  if (run.leaves_out_samples) {
    faults.push_back(
        {rules::LOG_value_unknown, "the entries beside the log do not fit what the tree did: they are left out"});
  }
  for (const Thrown& thrown : run.thrown) {
    const Update& update = run.updates[thrown.update];
    const bool is_last = thrown.update + 1 == run.updates.size();
    faults.push_back({rules::LOG_threw,
                      words_of_node(tree, thrown.node) + (is_last ? " was ticked, and the program ended"
                                                                  : " threw an exception, which ended the update"),
                      {},
                      "update " + std::to_string(thrown.update) + ", " + replay::seconds_text(update.clock_us) + " s"});
  }
  add_unknown_values(tree, log, run, faults);
  if (!run.misfit) return faults;
  // What a recorder wrote is what happened: only the tree can be another one.
  auto fault = run.is_recorded ? std::nullopt : impossible_change(tree, log, run.misfit->change);
  if (fault) {
    faults.push_back(std::move(*fault));
  } else if (!run.limit.empty()) {
    faults.push_back({rules::LOG_not_all_tried,
                      "the log may not fit: " + why(tree, log, *run.misfit) + "; " + run.limit, reason,
                      place_of(log, run.misfit->change)});
  } else {
    const std::string& place = run.misfit->place;
    const std::string hint = hint_of(tree, nearest);
    faults.push_back({rules::LOG_does_not_fit, why(tree, log, *run.misfit),
                      nearest.edits.empty() ? join(reason, hint) : hint,
                      place.empty() ? place_of(log, run.misfit->change) : place});
  }
  return faults;
}

std::string fault_text(std::string_view path, const LogFault& fault) {
  const rules::RuleInfo& rule = rules::info(fault.rule);
  std::string text = text::visible(path) + ": ";
  if (!fault.place.empty()) text += fault.place + ": ";
  text.append(rules::severity_name(rule.severity)).append(": ").append(text::visible(fault.message));
  text.append(" [").append(rule.name).append(" ").append(rule.code).append("]\n");
  if (!fault.hint.empty()) text += "  hint: " + text::visible(fault.hint) + '\n';
  return text;
}

Explained explained(const Log& log, const FittedRun& run) {
  Explained sum;
  sum.is_recorded = run.is_recorded;
  sum.leaves_out_ways = run.leaves_out_ways;
  sum.changes = static_cast<std::uint32_t>(log.changes.size());
  for (const Update& update : run.updates) {
    sum.explained += update.change_count;
    if (update.is_halt) continue;
    ++sum.updates;
    if (update.is_certain && !update.lacks_end) ++sum.certain;
    for (const EntrySet& set : update.sets)
      ++(run.is_recorded ? sum.values_sampled : set.is_open ? sum.values_unknown : sum.values_inferred);
    for (std::uint32_t i = 0; i < update.answer_count; ++i) {
      const LeafAnswer& answer = run.answers[update.first_answer + i];
      if (answer.outputs == 0) continue;
      ++(answer.fitting == 0         ? sum.values_sampled
         : answer.is_value_unknown() ? sum.values_unknown
                                     : sum.values_inferred);
    }
  }
  return sum;
}

std::string words_of(const Explained& sum) {
  std::string words = std::to_string(sum.updates) + (sum.updates == 1 ? " update" : " updates");
  if (sum.updates != 0)
    words += sum.certain == sum.updates ? ", all certain" : ", " + std::to_string(sum.certain) + " certain";
  if (sum.updates != 0 && sum.leaves_out_ways) words += ", as the log leaves more ways open than are followed";
  words += "; " + std::to_string(sum.explained) + " of " + std::to_string(sum.changes) + " changes explained";
  if (sum.values_sampled + sum.values_inferred + sum.values_unknown == 0) return words;
  if (sum.values_sampled != 0) {
    words += "; " + std::to_string(sum.values_sampled) + (sum.values_sampled == 1 ? " value" : " values");
    words += sum.is_recorded ? " recorded" : " sampled";
  }
  if (sum.is_recorded) return words;
  return words + (sum.values_sampled != 0 ? ", " : "; ") + std::to_string(sum.values_inferred) +
         (sum.values_inferred == 1 ? " value" : " values") + " inferred, " + std::to_string(sum.values_unknown) +
         " unknown";
}

std::string json_of_nothing() {
  return R"({"import": {"updates": 0, "certain": 0, "changes": 0, "explained": 0, "unknown": [], "fits": null, )"
         R"("first_misfit": null}})";
}

std::string json_of(const LoggedTree& tree, const Log& log, const FittedRun& run, const NearestEdits& nearest,
                    const std::string& against) {
  const Explained sum = explained(log, run);
  std::string json = "{\"import\": {\"updates\": " + std::to_string(sum.updates) +
                     ", \"certain\": " + std::to_string(sum.certain) + ", \"changes\": " + std::to_string(sum.changes) +
                     ", \"explained\": " + std::to_string(sum.explained) + ", \"unknown\": [" +
                     unknown_json(tree, log, run) + "], \"fits\": " +
                     (run.misfit            ? run.limit.empty() ? "false" : "null"
                      : run.updates.empty() ? "null"  // there is nothing that could
                                            : "true") +
                     ", \"first_misfit\": ";
  const std::string end = (against.empty() ? "" : ", \"against\": " + against) + "}}";
  if (!run.misfit) return json + "null" + end;
  const Change& change = log.changes[run.misfit->change];
  const std::uint32_t uid = number_of(tree, log, change) + 1;
  json += "{\"at\": " + std::to_string(change.at_us) + ", \"record\": " + std::to_string(run.misfit->change) +
          ", \"uid\": " + std::to_string(uid) + ", \"log\": \"" + std::string(name_of(change.status)) +
          "\", \"tree\": ";
  json += run.misfit->status ? '"' + std::string(name_of(*run.misfit->status)) + '"' : "null";
  json += ", \"why\": " + text::json_string(why(tree, log, *run.misfit));
  const std::string edits = edits_json(nearest.edits);
  if (nearest.edits.size() == 1) json += ", \"edit\": " + edits;
  if (nearest.edits.size() > 1) json += ", \"edits\": [" + edits + ']';
  return json + '}' + end;
}

}  // namespace espalier::live
