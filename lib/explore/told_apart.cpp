// Replays traces on two versions of a tree. See told_apart.h.
#include "explore/told_apart.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "explore/expected_lines.h"
#include "explore/explore.h"
#include "explore/random_traces.h"
#include "explore/tracker.h"
#include "explore/world.h"
#include "replay/names.h"
#include "replay/places.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

using text::JsonValue;

constexpr std::uint32_t kRandomTraces = 100;
constexpr std::size_t kMostReplays = 400;  // of steps that are left out

bool is_tick(const std::string& line) { return line.starts_with("{\"tick\""); }

std::optional<JsonValue> parsed(const std::string& line) {
  text::JsonFault fault;
  return text::parse_json(line, 0, fault);
}

// One version of the tree.
class Version {
 public:
  // `own_names`: of the trees that may be called otherwise in traces, by the names there.
  Version(const Tree& tree, const HostFacts& host, std::map<std::string, std::string> own_names)
      : tree_(tree), items_(tracker_of(tree, host).items), own_names_(std::move(own_names)) {
    const World world({{tree, agents_to_explore(tree), nullptr}}, {}, 0, {host, {}});
    for (const HostName& name : world.names()) hosts_.insert(name.name);
    signals_.insert(world.signals().begin(), world.signals().end());
    variables_.insert(world.variables().begin(), world.variables().end());
    has_entries_ = !world.entries().empty() || world.sides().front().uses != nullptr;
  }

  const Tree& tree() const { return tree_; }

  // The lines of `expect` after each update; empty: the trace does not run.
  std::vector<JsonValue> shown(const Trace& trace) const {
    Trace own = trace;
    own.tree = tree_name(tree_);
    own.defaults = trace.defaults.empty() ? "" : line_for_it(trace.defaults);
    own.steps.clear();
    for (const std::string& step : trace.steps) {
      if (std::string line = line_for_it(step); !line.empty()) own.steps.push_back(std::move(line));
    }
    std::vector<JsonValue> lines;
    const std::string text = with_events(*tree_.asset, own, {"enter", "read", "send", "log"});
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      if (text.compare(begin, 10, "{\"expect\":") == 0) {
        const std::optional<JsonValue> line = parsed(text.substr(begin, end - begin));
        if (!line) return {};
        lines.push_back(line->values.front());
      }
      begin = end + 1;
    }
    return lines;
  }

  // Of a node that is called so.
  SourcePlace place_of(std::string_view name) const {
    const auto item = std::find_if(items_.begin(), items_.end(), [&](const Item& each) {
      return each.kind != ItemKind::result && each.name == name;
    });
    return item == items_.end() ? SourcePlace{} : item->place;
  }

 private:
  // Without what is about names that this version lacks; empty: nothing is left.
  std::string line_for_it(const std::string& line) const {
    const std::optional<JsonValue> value = parsed(line);
    if (!value || value->kind != text::JsonKind::object || value->keys.empty()) return line;
    const std::string& key = value->keys.front().name;
    const JsonValue& what = value->values.front();
    if (key == "signal") return signals_.contains(what.string) ? line : std::string();
    if (key == "inject") return with_own_name(line, what.find("tree"));
    const bool is_host = key == "host";
    if (!is_host && (key != "set" || has_entries_)) return line;
    std::string members;
    for (std::size_t i = 0; i < what.keys.size(); ++i) {
      if (!knows(what.keys[i].name, is_host)) continue;
      const text::Span span = what.values[i].span;
      const bool is_text = what.values[i].kind == text::JsonKind::string;
      const std::string written = line.substr(span.begin - is_text, span.end - span.begin + 2 * is_text);
      members += (members.empty() ? "" : ", ") + text::json_string(what.keys[i].name) + ": " + written;
    }
    if (members.empty()) return {};
    return line.substr(0, what.span.begin) + '{' + members + '}' + line.substr(what.span.end);
  }

  std::string with_own_name(const std::string& line, const JsonValue* tree) const {
    const auto own = tree == nullptr ? own_names_.end() : own_names_.find(tree->string);
    if (own == own_names_.end()) return line;
    return line.substr(0, tree->span.begin - 1) + text::json_string(own->second) + line.substr(tree->span.end + 1);
  }

  bool knows(const std::string& name, bool is_host) const {
    if (!is_host) {
      return std::any_of(variables_.begin(), variables_.end(),
                         [&](const std::string& each) { return text::equal_any_case(each, name); });
    }
    const auto placed = replay::read_place(name);
    return hosts_.contains(placed ? std::string(placed->name) : name) || hosts_.contains(name);
  }

  const Tree tree_;
  const std::vector<Item> items_;
  const std::map<std::string, std::string> own_names_;
  std::set<std::string> hosts_, signals_, variables_;
  bool has_entries_ = false;
};

// What begins, is sent or logged: its words, and the inputs of what begins, in order.
struct Deed {
  std::string name;
  std::vector<std::string> inputs = {};
  bool operator==(const Deed&) const = default;
};

// "read Move speed 2", "enter Move". Reads of what is not entered then are of conditions: how often these are asked is
// no difference.
std::vector<Deed> deeds_of(const JsonValue& expected) {
  std::vector<Deed> deeds;
  const JsonValue* const events = expected.find("events");
  if (events == nullptr) return deeds;
  std::vector<std::string> reads;
  for (const JsonValue& event : events->values) {
    const std::string& words = event.string;
    const std::size_t blank = words.find(' ');
    const std::string_view kind = std::string_view(words).substr(0, blank);
    std::string rest = blank == std::string::npos ? std::string() : words.substr(blank + 1);
    if (kind == "read") {
      reads.push_back(std::move(rest));
      continue;
    }
    Deed deed;
    if (kind == "enter") {
      deed.name = std::move(rest);
      for (const std::string& read : reads) {
        if (read.starts_with(deed.name + ' ')) deed.inputs.push_back(read.substr(deed.name.size() + 1));
      }
      std::sort(deed.inputs.begin(), deed.inputs.end());
    } else {
      deed.name = (kind == "send" ? "signal " : "message ") + rest;
    }
    deeds.push_back(std::move(deed));
    reads.clear();
  }
  return deeds;
}

// "Aim, Fire"; nothing: none.
std::optional<std::string> joined(const JsonValue* names) {
  if (names == nullptr) return std::nullopt;
  if (names->kind == text::JsonKind::string) return names->string;
  std::string text;
  for (const JsonValue& name : names->values) text += (text.empty() ? "" : ", ") + name.string;
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

// With the inputs that the other one has not.
std::string words_of(const Deed& deed, const Deed* other) {
  if (other == nullptr || other->name != deed.name) return deed.name;
  std::string inputs;
  for (const std::string& input : deed.inputs) {
    if (!std::binary_search(other->inputs.begin(), other->inputs.end(), input))
      inputs += (inputs.empty() ? "" : ", ") + input;
  }
  return inputs.empty() ? deed.name : deed.name + " (" + inputs + ')';
}

struct Contrast {
  std::optional<std::string> before = {};
  std::optional<std::string> after = {};
  std::string node = {};  // that makes it; empty: not known
};

std::optional<Contrast> contrast_of(const JsonValue& before, const JsonValue& after) {
  for (const char* const key : {"behavior", "rule", "running"}) {
    const std::optional<std::string> own = joined(before.find(key));
    const std::optional<std::string> other = joined(after.find(key));
    if (own == other) continue;
    const std::string& name = other ? *other : *own;
    return Contrast{own, other, name.substr(0, name.find(", "))};
  }
  const std::vector<Deed> own = deeds_of(before);
  const std::vector<Deed> others = deeds_of(after);
  for (std::size_t i = 0; i < std::max(own.size(), others.size()); ++i) {
    const Deed* const deed = i < own.size() ? &own[i] : nullptr;
    const Deed* const other = i < others.size() ? &others[i] : nullptr;
    if (deed != nullptr && other != nullptr && *deed == *other) continue;
    Contrast contrast;
    if (deed != nullptr) contrast.before = words_of(*deed, other);
    if (other != nullptr) contrast.after = words_of(*other, deed);
    // What is still selected in both versions begins again in one.
    const Deed* const alone = other == nullptr ? deed : deed == nullptr ? other : nullptr;
    if (alone != nullptr && joined(before.find("behavior")) == alone->name) {
      contrast.before = alone->name + (alone == deed ? " again" : "");
      contrast.after = alone->name + (alone == other ? " again" : "");
    }
    contrast.node = other != nullptr ? other->name : deed->name;
    return contrast;
  }
  const std::optional<std::string> status = joined(before.find("status"));
  const std::optional<std::string> other = joined(after.find("status"));
  if (status == other) return std::nullopt;
  const auto in_words = [](const std::optional<std::string>& word) {
    return word ? std::optional("status " + *word) : std::nullopt;
  };
  return Contrast{in_words(status), in_words(other), {}};
}

struct Shows {
  Contrast contrast;
  std::size_t updates;  // up to the one that shows it
};

std::optional<Shows> compare(const Version& before, const Version& after, const Trace& trace) {
  const std::vector<JsonValue> own = before.shown(trace);
  const std::vector<JsonValue> others = after.shown(trace);
  if (own.size() != others.size()) return std::nullopt;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (std::optional<Contrast> contrast = contrast_of(own[i], others[i]))
      return Shows{std::move(*contrast), i / trace.agent_count + 1};
  }
  return std::nullopt;
}

void cut_after(std::size_t updates, Trace& trace) {
  const auto end = std::find_if(trace.steps.begin(), trace.steps.end(),
                                [&](const std::string& line) { return is_tick(line) && --updates == 0; });
  if (end != trace.steps.end()) trace.steps.erase(end + 1, trace.steps.end());
}

// Leaves out steps, the last ones first, as long as a difference is shown.
Shows shorten(const Version& before, const Version& after, Shows found, Trace& trace) {
  std::size_t replays = 0;
  cut_after(found.updates, trace);
  for (std::size_t i = trace.steps.size(); i-- > 0 && replays < kMostReplays; ++replays) {
    if (i >= trace.steps.size()) continue;
    Trace shorter = trace;
    shorter.steps.erase(shorter.steps.begin() + static_cast<std::ptrdiff_t>(i));
    std::optional<Shows> still = compare(before, after, shorter);
    if (!still) continue;
    found = std::move(*still);
    trace = std::move(shorter);
    cut_after(found.updates, trace);
  }
  return found;
}

}  // namespace

std::vector<Trace> candidates(const Tree& before, const Tree& after, const Options& options,
                              std::uint64_t* used_count) {
  std::vector<Trace> traces = reaching_traces(after, options, used_count);
  Options of_old = options;
  of_old.host.results = options.host.old_results;
  for (Trace& trace : reaching_traces(before, of_old, used_count)) traces.push_back(std::move(trace));
  std::vector<std::string> ticks = {"{\"tick\": 0.1}"};
  for (const Trace& trace : traces) {
    for (const std::string& line : trace.steps) {
      if (is_tick(line) && std::find(ticks.begin(), ticks.end(), line) == ticks.end()) ticks.push_back(line);
    }
  }
  for (Trace& trace : random_traces(after, options, ticks, kRandomTraces)) traces.push_back(std::move(trace));
  return traces;
}

std::vector<Trace> random_candidates(const Tree& after, const Options& options) {
  const std::vector<std::string> ticks = {"{\"tick\": 0.1}", "{\"tick\": 1}"};
  return random_traces(after, options, ticks, kRandomTraces, RandomAnswers::lists);
}

std::optional<Difference> told_apart(const Tree& before, const Tree& after, const Options& options,
                                     std::span<const Trace> traces, const Budget& budget, std::uint64_t* used_count) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(budget.milliseconds);
  const std::uint64_t most = *used_count + budget.states;
  std::map<std::string, std::string> old_names;
  for (const auto& [old_name, new_name] : options.renamed_trees) old_names.emplace(new_name, old_name);
  const Version old(before, options.host, std::move(old_names));
  const Version now(after, options.host, options.renamed_trees);
  for (const Trace& candidate : traces) {
    const bool is_late = budget.milliseconds != 0 && std::chrono::steady_clock::now() > end;
    if (is_late || budget.is_interrupted() || *used_count >= most) break;
    constexpr std::uint64_t kReplays = 8;  // of both versions, which tell each event
    *used_count += budget.states_for_replays(text_of(candidate).size(), kReplays);
    std::optional<Shows> found = compare(old, now, candidate);
    if (!found) continue;
    Difference difference;
    difference.trace = candidate;
    difference.trace.tree = tree_name(after);
    const Shows shown = shorten(old, now, std::move(*found), difference.trace);
    difference.before = shown.contrast.before;
    difference.after = shown.contrast.after;
    difference.place = now.place_of(shown.contrast.node);
    if (difference.place.line == 0) {
      difference.place = old.place_of(shown.contrast.node);
      difference.is_place_of_old = difference.place.line != 0;
    }
    return difference;
  }
  return std::nullopt;
}

}  // namespace espalier::explore
