// What the host is told to answer: the lines, the names in them and their places. See session.h.
#include <algorithm>

#include "replay/compiled_expectation.h"
#include "replay/session.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "runtime/asset/view.h"
#include "text/names.h"

namespace espalier::replay {

using text::JsonKind;
using text::JsonValue;

namespace {

// Null: no node has the name.
const std::set<std::string, std::less<>>* inputs_of(BoundTree& bound, std::string_view name) {
  if (bound.strategy->inputs == nullptr) return nullptr;
  if (!bound.inputs) bound.strategy->inputs(bound.tree, bound.inputs.emplace());
  const auto found = bound.inputs->find(name);
  return found == bound.inputs->end() ? nullptr : &found->second;
}

}  // namespace

Faults Session::run_host(const Line& line, Indices indices) {
  struct Script {
    HostName name;
    Answers answers;
  };
  std::vector<Script> scripts;
  std::vector<HostName> names;
  std::vector<LineFault> faults;
  bool has_places = false;
  for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
    names.clear();
    auto fault = find_host_names(line.value->keys[i], &names);
    Answers answers;
    const bool may_be_behavior = names.empty() || names.front().is_behavior;
    if (!fault) fault = answers.read(line.value->values[i], agents_.strategy().forms(may_be_behavior));
    if (!fault) warn_of_answer(line.value->keys[i], line.value->values[i], answers);
    if (!fault) warn_of_unread(line.value->keys[i], line.value->values[i]);
    if (fault) faults.push_back(std::move(*fault));
    for (HostName& name : names) {
      has_places = has_places || name.is_placed;
      if (name.is_behavior) updates_.be_scripted();
      scripts.push_back({std::move(name), answers});
    }
  }
  if (!faults.empty()) return reporter_.all_of(std::move(faults));
  return agents_.for_each(indices, [&](std::uint32_t index) -> Faults {
    Agent& agent = agents_[index];
    std::uint64_t new_bytes = 0;
    for (const auto& [name, answers] : scripts) {
      const auto found = agent.answers.find(name.name);
      if (found != agent.answers.end()) {
        found->second = answers;
        continue;
      }
      agent.answers.emplace(name.name, answers);
      new_bytes += Agents::answer_bytes(name.name.size());
      updates_.forget_answers();
    }
    agent.has_placed_answers = agent.has_placed_answers || has_places;
    agent.answer_bytes += new_bytes;
    return agents_.take_memory(new_bytes, line.value->span);
  });
}

// An answer that the declaration of the name, which may have a place or a parameter, excludes.
void Session::warn_of_answer(const JsonValue::Key& key, const JsonValue& value, const Answers& answers) {
  static constexpr std::pair<Answer, std::string_view> kWords[] = {{Answer::running, "\"running\""},
                                                                   {Answer::success, "\"success\""},
                                                                   {Answer::failure, "\"failure\""},
                                                                   {Answer::skipped, "\"skipped\""}};
  const std::optional<PlacedName> placed = read_place(key.name);
  const std::string name(placed ? placed->name : std::string_view(key.name));
  auto declared = options_.answers.find({agents_.engine(), name});
  if (declared == options_.answers.end())
    declared = options_.answers.find({agents_.engine(), name.substr(0, name.find(':'))});
  if (declared == options_.answers.end()) return;
  std::vector<std::string_view> allowed;
  std::vector<std::string_view> excluded;
  for (const auto& [answer, word] : kWords) {
    if (allows(declared->second, answer)) {
      allowed.push_back(word);
    } else if (allows(answers.words(), answer)) {
      excluded.push_back(word);
    }
  }
  if (excluded.empty() || !reporter_.is_news(rules::TRC_excluded_answer, key.name)) return;
  std::string hint = "it is declared to answer ";
  for (const std::string_view word : allowed) {
    if (word != allowed.front()) hint += word == allowed.back() ? " or " : ", ";
    hint += word;
  }
  reporter_.warn({rules::TRC_excluded_answer, value.span,
                  "the declaration of " + text::quote(declared->first.second) + " excludes the answer " +
                      std::string(excluded.front()),
                  std::move(hint)});
}

Faults Session::find_host_names(const JsonValue::Key& name, std::vector<HostName>* names) {
  if (const auto known = agents_.bound().host_names.find(name.name); known != agents_.bound().host_names.end()) {
    names->push_back({known->first, known->second});
    return std::nullopt;
  }
  const std::optional<PlacedName> placed = read_place(name.name);
  if (!placed || agents_.bound().host_names.find(placed->name) == agents_.bound().host_names.end()) {
    warn_of_host(name, placed ? placed->name : name.name);
    names->push_back({name.name, true, placed.has_value()});
    return std::nullopt;
  }
  if (placed->rule.empty() && is_stripped(agents_.asset())) {
    return LineFault{rules::TRC_stripped_names, name.span, "the asset was stripped of the places of its nodes",
                     "use " + text::quote(placed->name) + ", without a place"};
  }
  if (std::string several = placed->path.empty() ? "" : places_of(agents_.bound()).several_at(*placed);
      !several.empty()) {
    return LineFault{rules::TRC_ambiguous_place, name.span, text::quote(name.name) + " fits several nodes",
                     "they are at " + std::move(several)};
  }
  for (const auto& [place, is_behavior] : places_of(agents_.bound()).find(name.name, *placed)) {
    names->push_back({place, is_behavior, true});
  }
  if (!names->empty()) return std::nullopt;
  names->push_back({name.name, true, true});
  warn_of_host({rules::TRC_unknown_host, name.span, text::quote(placed->name) + " is not " + place_text(*placed),
                places_of(agents_.bound()).nearest(*placed)},
               name.name);
  return std::nullopt;
}

const Places& places_of(BoundTree& bound) {
  if (bound.places == nullptr) bound.places = std::make_unique<const Places>(bound.tree);
  return *bound.places;
}

bool Session::has_place(const KeptEvent& event, std::string_view text, bool may_lack_value) const {
  const std::string plain = event.text(agents_.are_several());
  const std::size_t name = plain.find(' ') + 1;
  const std::string_view tail = std::string_view(plain).substr(name + event.subject.size());
  const std::string_view head = std::string_view(plain).substr(0, name + event.subject.size());
  const Agent* const own = agents_.find(event.agent);
  if (own == nullptr || event.node.asset != &agents_.asset() || is_stripped(agents_.asset())) return false;
  if (!text.starts_with(head) || (!text.ends_with(tail) && !may_lack_value)) return false;
  if (text.ends_with(tail)) text.remove_suffix(tail.size());
  const std::optional<PlacedName> placed = read_place(text.substr(name));
  if (!placed || placed->name != event.subject) return false;
  for (const bool by_own_name : {false, true}) {
    for (const Places::Found& found : places_of(*own->bound).nodes_at(*placed, by_own_name)) {
      if (found.word == event.node.word) return true;
    }
  }
  return false;
}

Faults Session::place_fault(const PlacedName& placed, text::Span span) const {
  std::string nearest;
  for (const auto& bound : agents_.bound_trees()) {
    if (is_stripped(*bound->tree.asset)) {
      return LineFault{rules::TRC_stripped_names, span, "the asset was stripped of the places of its nodes",
                       "name " + text::quote(placed.name) + " without a place"};
    }
    const Places& places = places_of(*bound);
    if (!places.nodes_at(placed, false).empty() || !places.nodes_at(placed, true).empty()) {
      std::string several = placed.path.empty() ? std::string() : places.several_at(placed);
      if (several.empty()) return std::nullopt;
      return LineFault{rules::TRC_ambiguous_place, span,
                       text::quote(placed.name) + ' ' + place_text(placed) + " is several nodes",
                       "they are at " + std::move(several)};
    }
    if (nearest.empty()) nearest = places.nearest(placed);
  }
  return LineFault{rules::TRC_unknown_name, span, text::quote(placed.name) + " is not " + place_text(placed),
                   std::move(nearest)};
}

void Session::warn_of_host(const JsonValue::Key& name, std::string_view host_name) {
  std::vector<std::string_view> names;
  names.reserve(agents_.bound().host_names.size());
  for (const auto& [known, is_behavior] : agents_.bound().host_names) names.push_back(known);
  if (!is_stripped(agents_.asset()) && places_of(agents_.bound()).has_kind(host_name)) {
    return warn_of_host({rules::TRC_unknown_host, name.span,
                         text::quote(host_name) + " has no scripted answers: its results are its own"},
                        name.name);
  }
  warn_of_host({rules::TRC_unknown_host, name.span,
                "unknown " + std::string(agents_.strategy().hosted) + ' ' + text::quote(host_name),
                text::did_you_mean(host_name, names)},
               name.name);
}

// A tree that comes with a reload may know it.
void Session::warn_of_host(LineFault fault, const std::string& name, const std::string& input) {
  if (!reporter_.is_news(fault.rule, input.empty() ? name : name + '.' + input)) return;
  if (!options_.load) return reporter_.warn(std::move(fault));
  reporter_.warn_of_host(std::move(fault), name, input);
}

// Inputs that answers name, and that no node of the name has.
void Session::warn_of_unread(const JsonValue::Key& key, const JsonValue& answers) {
  const std::optional<PlacedName> placed = read_place(key.name);
  const std::string name(placed ? placed->name : std::string_view(key.name));
  const std::set<std::string, std::less<>>* const inputs = inputs_of(agents_.bound(), name);
  if (inputs == nullptr) return;  // the name is unknown
  const bool is_declared = options_.declared_nodes.count(name.substr(0, name.find(':'))) != 0;
  for (const JsonValue& answer : answers.kind == JsonKind::list ? std::span(answers.values) : std::span(&answers, 1)) {
    const JsonValue* const unread = answer.kind == JsonKind::object ? answer.find("unread") : nullptr;
    for (const JsonValue& port : unread == nullptr ? std::span<const JsonValue>() : std::span(unread->values)) {
      if (inputs->count(port.string) != 0) continue;
      std::string hint = text::did_you_mean(port.string, {inputs->begin(), inputs->end()});
      if (!is_declared && hint.empty()) continue;
      warn_of_host({rules::TRC_undeclared_name, port.span,
                    text::quote(name) + " has no input " + text::quote(port.string), std::move(hint)},
                   name, port.string);
    }
  }
}

bool Session::knows_host(std::string_view name, std::string_view input) {
  const std::optional<PlacedName> placed = read_place(name);
  return std::any_of(agents_.bound_trees().begin(), agents_.bound_trees().end(), [&](const auto& bound) {
    if (!input.empty()) {
      const auto* const inputs = inputs_of(*bound, name);
      return inputs != nullptr && inputs->count(input) != 0;
    }
    if (bound->host_names.find(name) != bound->host_names.end()) return true;
    if (!placed || bound->host_names.find(placed->name) == bound->host_names.end()) return false;
    return !places_of(*bound).find(std::string(name), *placed).empty();
  });
}

}  // namespace espalier::replay
