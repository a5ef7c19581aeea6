// Executes the lines of a trace. See session.h.
#include "replay/session.h"

#include <algorithm>

#include "codegen/dump/disassemble.h"
#include "replay/compiled_expectation.h"
#include "replay/strategy.h"
#include "rules/rules.h"
#include "rules/traces.h"
#include "runtime/asset/view.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

// Limits on the names kept to avoid repeated warnings, and on their bytes.
constexpr std::size_t kMaxTold = 1000;
constexpr std::size_t kMaxToldBytes = 200;

// The only tree, or the only one that is not used by others.
std::optional<Tree> only_tree(const Asset& asset) {
  if (tree_count(asset) == 1) return espalier::tree(asset, 0);
  std::optional<Tree> only;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree = espalier::tree(asset, i);
    const Strategy& strategy = strategy_of(engine_of_tree(tree));
    if (strategy.is_used != nullptr && strategy.is_used(tree)) continue;
    if (only) return std::nullopt;
    only = tree;
  }
  return only;
}

}  // namespace

Session::Session(const Asset& asset, const ReplayOptions& options, Listener listener)
    : asset_(&asset), assets_{&asset}, options_(options), listener_(std::move(listener)) {}

const Agent* Session::agent(std::uint32_t index) const {
  return index < agents_.size() ? agents_[index].get() : nullptr;
}

void Session::select(BoundTree& bound) {
  bound_ = &bound;
  tree_ = bound.tree;
  strategy_ = bound.strategy;
}

void Session::act_as(std::uint32_t index) {
  current_agent_ = index;
  if (agents_[index]->bound != bound_) select(*agents_[index]->bound);
}

std::vector<Tree> Session::trees() const {
  std::vector<Tree> trees;
  for (const auto& bound : bound_trees_) trees.push_back(bound->tree);
  return trees;
}

// ---- The first line

Session::Faults Session::begin(const Line& line) {
  if (line.kind != LineKind::trace) {
    return LineFault{rules::TRC_missing_header, line.key, "the trace does not begin with {\"trace\": 1}"};
  }
  std::vector<LineFault> faults = first_line_faults(line);
  if (!faults.empty()) return all_of(std::move(faults));
  std::vector<Tree> trees;
  if (auto fault = choose_trees(line, &trees)) return fault;
  if (const JsonValue* name = line.find("name")) name_ = name->string;
  allows_errors_ = line.find("errors") != nullptr;
  if (const JsonValue* events = line.find("events")) {
    KindSet kinds;
    for (const JsonValue& kind : events->values) static_cast<void>(kinds.add(kind.string));
    log_.expect(kinds);
  }
  tells_nodes_ = listener_.gets_nodes || has_nodes(log_.expected());
  is_watched_ = tells_nodes_ || listener_.watches;
  seed_ = line.seed;
  select(bind(trees.front()));
  const JsonValue* agents = line.find("agents");
  const text::Span span = agents != nullptr ? agents->span : line.key;
  if (trees.size() == 1) {
    const std::uint32_t count = line.count("agents", 1);
    several_agents_ = count > 1;
    return add_agents(trees.front(), count, span);
  }
  several_agents_ = true;
  for (const Tree& tree : trees) {
    if (auto fault = add_agents(tree, 1, span)) return fault;
  }
  act_as(0);
  return std::nullopt;
}

std::vector<LineFault> Session::first_line_faults(const Line& line) const {
  std::vector<LineFault> faults;
  const auto each_text = [&](const char* key, const auto& check) {
    const JsonValue* const value = line.find(key);
    if (value == nullptr) return;
    for (const JsonValue& item : value->kind == JsonKind::list ? std::span(value->values) : std::span(value, 1)) {
      if (item.kind == JsonKind::string) check(item);
    }
  };
  each_text("tree", [&](const JsonValue& name) {
    Tree tree;
    if (auto fault = find_named(name, &tree)) faults.push_back(std::move(*fault));
  });
  each_text("events", [&](const JsonValue& kind) {
    if (is_kind_name(kind.string)) return;
    faults.push_back({rules::TRC_wrong_value, kind.span, "unknown event kind " + text::quote(kind.string),
                      text::did_you_mean(kind.string, kind_names())});
  });
  return faults;
}

Session::Faults Session::choose_trees(const Line& line, std::vector<Tree>* trees) const {
  const JsonValue* wanted = line.find("tree");
  if (wanted == nullptr) {
    const std::optional<Tree> only = only_tree(*asset_);
    if (only) trees->push_back(*only);
    if (only) return std::nullopt;
    return LineFault{rules::TRC_unknown_tree, line.key, "the trace does not say which tree it is for",
                     "add \"tree\": one of " + listed(tree_names(*asset_))};
  }
  const JsonValue* agents = line.find("agents");
  if (wanted->kind == JsonKind::list && agents != nullptr) {
    return LineFault{rules::TRC_unknown_key, agents->span, "'agents' has no meaning beside a list of trees",
                     "the list has one tree for each agent"};
  }
  const std::span<const JsonValue> names =
      wanted->kind == JsonKind::list ? std::span(wanted->values) : std::span(wanted, 1);
  for (const JsonValue& name : names) {
    if (auto fault = find_named(name, &trees->emplace_back())) return fault;
  }
  return std::nullopt;
}

// By its name, or by the last part of the name if that is unique.
Session::Faults Session::find_named(const JsonValue& name, Tree* tree) const {
  const std::vector<std::string_view> names = tree_names(*asset_);
  const std::vector<Tree> called = trees_called(*asset_, name.string);
  if (called.size() == 1) {
    *tree = called.front();
    return std::nullopt;
  }
  std::vector<std::string_view> alike;
  alike.reserve(called.size());
  for (const Tree& other : called) alike.push_back(tree_name(other));
  std::string hint = text::did_you_mean(name.string, names);
  if (hint.empty() || !alike.empty()) {
    const std::vector<std::string_view>& choice = alike.empty() ? names : alike;
    hint = (choice.size() == 1 ? "expected " : "expected one of ") + listed(choice);
  }
  return LineFault{rules::TRC_unknown_tree, name.span,
                   (alike.empty() ? "unknown tree " : "several trees are called ") + text::quote(name.string),
                   std::move(hint)};
}

// Trees of rules are named after their files, which may have moved.
bool Session::find_reloaded(const Asset& asset, const BoundTree& old, Tree* tree) {
  const std::string_view name = tree_name(old.tree);
  if (find_tree(asset, name, tree) == Status::ok) return true;
  if (old.strategy->is_used == nullptr) return false;
  const std::vector<Tree> called = trees_called(asset, last_part(name));
  const std::optional<Tree> only = called.size() == 1 ? called.front() : only_tree(asset);
  if (only) *tree = *only;
  return only.has_value();
}

// ---- Lines

Session::Faults Session::take_work(const Line& line) {
  constexpr std::size_t kLineBytesAnUpdate = 256;
  if (!line.all_agents || line.kind == LineKind::tick) return std::nullopt;
  const text::Span span = line.object.span;
  return take_updates(living_count_ * (1 + (span.end - span.begin) / kLineBytesAnUpdate), line.agent_span);
}

Session::Faults Session::run(const Line& line) {
  switch (line.kind) {
    case LineKind::trace:
      return LineFault{rules::TRC_unknown_key, line.key, "'trace' can only be in the first line",
                       "one file is one trace"};
    case LineKind::tick:
      return run_tick(line);
    case LineKind::spawn:
      return run_spawn(line);
    case LineKind::destroy:
      return run_destroy(line);
    case LineKind::reload:
      return run_reload(line);
    case LineKind::expect:
    case LineKind::comment:
    case LineKind::event:
    case LineKind::finding:
      return std::nullopt;
    default:
      break;
  }
  std::vector<std::uint32_t>& indices = targets_;
  if (auto fault = targets(line, &indices)) return fault;
  // The agents in order, those with the same tree together as far as they follow each other.
  for (auto first = indices.begin(); first != indices.end();) {
    act_as(*first);
    const auto last =
        std::find_if(first, indices.end(), [&](std::uint32_t index) { return agents_[index]->bound != bound_; });
    if (auto fault = run_for(line, Agents(&*first, static_cast<std::size_t>(last - first)))) return fault;
    first = last;
  }
  return std::nullopt;
}

// Lines for agents are run for none of them, which checks their names.
Session::Faults Session::check(const Line& line) {
  listener_.event = nullptr;
  is_watched_ = tells_nodes_ = listener_.watches = false;
  switch (line.kind) {
    case LineKind::spawn:
    case LineKind::destroy:
    case LineKind::reload:
      return run(line);
    case LineKind::tick:
      if (!line.agent) return std::nullopt;
      [[fallthrough]];
    default:
      break;
  }
  if (is_passed_over(line.kind) || line.kind == LineKind::trace || line.kind == LineKind::expect) return std::nullopt;
  std::vector<std::uint32_t> indices;
  if (auto fault = targets(line, &indices)) return fault;
  if (indices.empty() || line.kind == LineKind::tick) return std::nullopt;
  if (line.kind == LineKind::restore) return std::nullopt;  // nothing was saved
  act_as(indices.front());
  return run_for(line, {});
}

Session::Faults Session::run_for(const Line& line, Agents agents) {
  if (line.kind == LineKind::signal || line.kind == LineKind::broadcast) return run_signal(line, agents);
  if (line.kind == LineKind::host) return run_host(line, agents);
  if (line.kind == LineKind::when) return run_when(line, agents);
  if (line.kind == LineKind::print) return run_print(line, agents);
  if (!strategy_->accepts.has(line.kind)) return unsupported(line);
  if (line.kind == LineKind::set && !strategy_->sets_values) return run_set(line, agents);
  if (line.kind == LineKind::save) return run_save(line, agents);
  if (line.kind == LineKind::restore) return run_restore(line, agents);
  return strategy_->run(*this, line, agents);
}

// The text of the runtime's printer, as the value of an event.
Session::Faults Session::run_print(const Line& line, Agents agents) {
  return for_each(agents, [&](std::uint32_t index) -> Faults {
    const AgentView agent = view(index);
    const Host now = host();
    PrintOptions options;
    options.active_only = line.value->string == "active";
    options.host = &now;
    if (const std::unique_ptr<Recent>& recent = agents_[index]->recent) options.history = &recent->history;
    std::string text;
    const auto add = [](void* to, const char* piece, std::size_t size_bytes) {
      static_cast<std::string*>(to)->append(piece, size_bytes);
    };
    print(agent.tree, agent.block, options, add, &text);
    emit(EventKind::print, line.value->string, text);
    return std::nullopt;
  });
}

LineFault Session::unsupported(const Line& line) const {
  LineFault fault{rules::TRC_unsupported_line, line.key,
                  text::quote(key_of(line.kind)) + " is not supported for " + std::string(strategy_->kind) + " trees",
                  std::string(strategy_->hint != nullptr ? strategy_->hint(line.kind) : std::string_view())};
  if (!fault.hint.empty()) return fault;
  fault.hint = "it is for " + trees_text([&](EngineId id) { return strategy_of(id).accepts.has(line.kind); });
  return fault;
}

Session::Faults Session::targets(const Line& line, std::vector<std::uint32_t>* indices) const {
  indices->clear();
  if (line.find("group") != nullptr) return find_group(line, indices);
  if (line.all_agents || line.kind == LineKind::broadcast) {
    for (std::uint32_t i = 0; i < agents_.size(); ++i) {
      if (agents_[i] != nullptr) indices->push_back(i);
    }
    return std::nullopt;
  }
  const std::uint32_t index = line.agent.value_or(0);
  if (agent(index) == nullptr) return no_agent(index, line.agent_span);
  indices->push_back(index);
  return std::nullopt;
}

// The agents of a tree, or those listed; in the order of their indices.
Session::Faults Session::find_group(const Line& line, std::vector<std::uint32_t>* indices) const {
  const JsonValue& group = *line.find("group");
  if (group.kind == JsonKind::string) {
    Tree tree;
    if (auto fault = find_named(group, &tree)) return fault;
    for (std::uint32_t i = 0; i < agents_.size(); ++i) {
      if (agents_[i] != nullptr && agents_[i]->bound->tree.index == tree.index) indices->push_back(i);
    }
    return std::nullopt;
  }
  for (const JsonValue& item : group.values) {
    const auto index = static_cast<std::uint32_t>(item.number);
    if (agent(index) == nullptr) return no_agent(index, item.span);
    indices->push_back(index);
  }
  std::sort(indices->begin(), indices->end());
  indices->erase(std::unique(indices->begin(), indices->end()), indices->end());
  return std::nullopt;
}

LineFault Session::no_agent(std::uint32_t index, text::Span span) const {
  std::string hint;
  if (index < agents_.size()) {
    hint = "it was destroyed";
  } else if (agents_.size() == 1) {
    hint = "there is only agent 0; \"agents\" in the first line says how many there are";
  } else if (!agents_.empty()) {
    hint = "agents count from 0: the last one is " + std::to_string(agents_.size() - 1);
  }
  return {rules::TRC_no_such_agent, span, "unknown agent " + std::to_string(index), std::move(hint)};
}

Session::Faults Session::for_each(Agents agents, const std::function<Faults(std::uint32_t)>& act) {
  for (const std::uint32_t index : agents) {
    act_as(index);
    if (auto fault = act(index)) return fault;
  }
  return std::nullopt;
}

Session::Faults Session::find(espalier_kind kind, std::string_view word, const std::string& name, text::Span span,
                              std::uint32_t* id) const {
  return find_name(tree_, kind, word, name, span, id);
}

Session::Faults Session::run_signal(const Line& line, Agents agents) {
  const std::string& name = line.value->string;
  std::uint32_t id = 0;
  const bool is_known = find_signal(tree_, name, &id) == Status::ok;
  if (!is_known) note_made(name);
  if (!is_known && reacted_.count(name) == 0) warn_of_signal(line);
  const std::optional<StimulusData> data = data_of(line);
  const JsonValue* const value = line.find("data");
  return for_each(agents, [&](std::uint32_t) -> Faults {
    deliver(name, is_known ? std::optional(id) : std::nullopt, data ? &*data : nullptr, value);
    return std::nullopt;
  });
}

// A signal that the tree does not list has no effect; one that no tree lists is most likely misspelt.
void Session::warn_of_signal(const Line& line) {
  const std::string& name = line.value->string;
  const auto has_signals = [](const auto& bound) { return bound->strategy->has_signals; };
  const bool is_for_others =
      line.kind == LineKind::broadcast && std::any_of(bound_trees_.begin(), bound_trees_.end(), has_signals);
  if ((is_for_others && !strategy_->has_signals) || !is_news(rules::TRC_unknown_signal, name)) return;
  if (!strategy_->has_signals) {
    return warn(
        {rules::TRC_unknown_signal, line.value->span,
         "signal " + text::quote(name) + " has no effect: " + std::string(strategy_->kind) + " trees have no signals"});
  }
  const std::vector<std::string_view> names = known_signals();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  warn({rules::TRC_unknown_signal, line.value->span, "unknown signal " + text::quote(name),
        text::did_you_mean(name, names)});
}

std::vector<std::string_view> Session::known_signals() const {
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < tree_count(*asset_); ++i) {
    const Tree tree = espalier::tree(*asset_, i);
    for (std::uint32_t j = 0; j < signal_count(tree); ++j) names.push_back(signal_name(tree, j));
  }
  return names;
}

// A host that sets an undeclared variable of a modular tree gets an error event, and nothing changes.
Session::Faults Session::run_set(const Line& line, Agents agents) {
  struct Write {
    const std::string& name;
    std::optional<std::uint32_t> variable;
    bool value;
  };
  std::vector<Write> writes;
  std::vector<LineFault> faults;
  for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
    const JsonValue::Key& key = line.value->keys[i];
    const JsonValue& value = line.value->values[i];
    std::uint32_t id = 0;
    auto fault = find(ESPALIER_VARIABLES, strategy_->variable, key.name, key.span, &id);
    if (fault && strategy_->declares_variables) {
      faults.push_back(std::move(*fault));
    } else if (value.kind != JsonKind::boolean) {
      faults.push_back({rules::TRC_wrong_value, value.span, text::quote(key.name) + " should be true or false"});
    } else {
      if (fault) note_made(key.name);
      if (fault && is_news(rules::TRC_undeclared_name, key.name)) {
        fault->rule = rules::TRC_undeclared_name;
        warn(*fault);
      }
      writes.push_back({key.name, fault ? std::nullopt : std::optional(id), value.boolean});
    }
  }
  if (!faults.empty()) return all_of(std::move(faults));
  return for_each(agents, [&](std::uint32_t index) -> Faults {
    void* block = agents_[index]->state.block.data();
    for (const Write& write : writes) {
      if (!write.variable) {
        const std::string text = "The variable '" + write.name + "' is not declared.";
        tell({.kind = EventKind::error, .subject = text});  // known to be a warning before the line was run
      } else if (variable(tree_, block, *write.variable) != write.value) {
        espalier::set(tree_, block, *write.variable, write.value);
        note_variable(this, *write.variable, write.value);
      }
    }
    return std::nullopt;
  });
}

// ---- Views

AgentView Session::view_of_all() const {
  const auto shared = shared_.find(layout::kNone);
  return {tree_, nullptr, shared == shared_.end() ? nullptr : shared->second.data(), time_us_};
}

AgentView Session::view(std::uint32_t index) const {
  AgentView seen;
  view(index, &seen);
  return seen;
}

void Session::view(std::uint32_t index, AgentView* seen) const {
  constexpr std::size_t kMaxCrowd = 64;  // up to this many agents, each can be named
  const BoundTree& bound = *agents_[index]->bound;
  seen->tree = bound.tree;
  seen->block = block(index);
  seen->shared = bound.shared->data();
  seen->time_us = time_us_;
  seen->unused_entries = &agents_[index]->unused_entries;
  seen->crowd.assign(agents_.size() > kMaxCrowd ? 0 : agents_.size(), {});
  for (std::size_t i = 0; i < seen->crowd.size(); ++i) {
    const Agent* const agent = agents_[i].get();
    if (agent == nullptr || agent->bound->shared != bound.shared) continue;
    seen->crowd[i] = {agent->bound->tree, agent->state.block.data()};
  }
}

// ---- Warnings and failures

bool Session::is_news(Rule rule, const std::string& name) {
  return !is_silent_ && told_.insert(std::string(rules::info(rule).code) + name.substr(0, kMaxToldBytes)).second;
}

void Session::warn(LineFault fault) {
  count_warning(&fault);
  listener_.warning(fault);
}

void Session::count_warning(LineFault* fault) {
  is_silent_ = told_.size() >= kMaxTold;
  if (is_silent_) fault->hint = "these are not all: warnings about further names are not shown";
}

Session::Faults Session::all_of(std::vector<LineFault> faults) {
  LineFault first = std::move(faults.front());
  faults.erase(faults.begin());
  other_faults_ = std::move(faults);
  return first;
}

void Session::go_wrong(RunFaultKind kind, Event event, std::string message, std::string hint) {
  event.kind = EventKind::error;
  event.agent = current_agent_;
  RunFault fault{.kind = kind, .message = std::move(message) + place_words(event.node), .hint = std::move(hint)};
  fault.event = event_text(event, several_agents_);
  if (fault.hint.empty()) {
    const bool is_compared = log_.expected().has(EventKind::error);
    fault.hint = "if that is intended, " +
                 (is_compared ? "expect the event " + text::quote(fault.event) : std::string()) +
                 (is_compared ? "" : "write \"errors\": \"allowed\" in the first line");
  }
  keep(std::move(fault));
  tell(event);
}

void Session::keep(RunFault fault) const {
  if (allows_errors_ && info_of(fault.kind).is_error) return;
  fault.time_us = time_us_;
  fault.agent = current_agent_;
  listener_.run_fault(std::move(fault));
}

std::string Session::place_words(NodeOf node) {
  if (node.asset == nullptr) return {};
  const codegen::NodeDebug place = codegen::node_debug(*node.asset, node.word);
  return place.line == 0 ? "" : ", " + std::string(place.file) + ':' + std::to_string(place.line);
}

void Session::fail(text::Span span, std::string message, std::string hint) const {
  listener_.failure({span, std::move(message), std::move(hint)});
}

}  // namespace espalier::replay
