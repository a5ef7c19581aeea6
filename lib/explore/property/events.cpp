// Events in properties. See events.h.
#include "explore/property/events.h"

#include <espalier/polling.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <set>
#include <utility>

#include "codegen/dump/listing.h"
#include "explore/engine.h"
#include "explore/property/about.h"
#include "replay/answers.h"
#include "replay/entry_changes.h"
#include "replay/places.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "runtime/format/kinds.h"
#include "runtime/poll/tree.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

using replay::EventKind;
using text::JsonValue;

// The kinds whose events a step tells, and those for which the state or the step says the same.
struct KindRow {
  EventKind kind;
  std::string_view engines;
};
constexpr KindRow kKindRows[] = {{EventKind::enter, "select tick rule decide store poll"},
                                 {EventKind::tick, "tick rule decide store poll"},
                                 {EventKind::leave, "select tick rule decide store poll"},
                                 {EventKind::interrupt, "tick rule store poll"},
                                 {EventKind::reset, "store"},
                                 {EventKind::read, "tick rule decide store poll"},
                                 {EventKind::ask, "tick rule store poll"},
                                 {EventKind::send, "tick"},
                                 {EventKind::log, "tick"},
                                 {EventKind::refuse, "decide"},
                                 {EventKind::set, "poll"}};

const KindRow* row_of_kind(std::string_view name) {
  const auto row = std::find_if(std::begin(kKindRows), std::end(kKindRows),
                                [&](const KindRow& each) { return name_of(each.kind) == name; });
  return row == std::end(kKindRows) ? nullptr : row;
}

// Without the number of its agent.
std::string_view kind_in(std::string_view event) {
  const std::string_view text = split_event(event).text;
  return text.substr(0, text.find(' '));
}
std::string_view words_in(std::string_view event) {
  event = split_event(event).text;
  const std::size_t blank = event.find(' ');
  return blank == std::string_view::npos ? std::string_view() : event.substr(blank + 1);
}

// Calls visit with the value of each key `event`.
void visit_events(const JsonValue& value, const std::function<void(const JsonValue&)>& visit) {
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    const JsonValue* inner = &value.values[i];
    if (value.keys[i].name == "event") {
      while (inner->keys.size() == 1 && inner->keys.front().name == "not") inner = &inner->values.front();
      visit(*inner);
    } else {
      visit_events(*inner, visit);
    }
  }
}

void visit_events(const Property& property, const std::function<void(const JsonValue&)>& visit) {
  for (const Condition* condition : conditions_of(property)) {
    if (condition->kind != Condition::Kind::step) visit_events(condition->value, visit);
  }
}

// Splits words where what comes first is a name; the rest is without the blank between them, and none if there is none.
template <typename IsName>
std::pair<std::string_view, std::optional<std::string_view>> split_words(std::string_view words,
                                                                         const IsName& is_name) {
  if (is_name(words)) return {words, std::nullopt};
  for (std::size_t blank = words.rfind(' '); blank != std::string_view::npos && blank > 0;
       blank = words.rfind(' ', blank - 1)) {
    if (is_name(words.substr(0, blank))) return {words.substr(0, blank), words.substr(blank + 1)};
  }
  return {words, std::nullopt};
}

std::optional<std::uint32_t> find_entry(const Tree& tree, std::string_view key) {
  const std::size_t slash = key.rfind('/');
  const std::string path(slash == std::string_view::npos ? std::string_view() : key.substr(0, slash));
  const std::string name(slash == std::string_view::npos ? key : key.substr(slash + 1));
  std::uint32_t entry = 0;
  if (espalier_find_entry(tree, path.c_str(), name.c_str(), &entry) != Status::ok) return std::nullopt;
  return entry;
}

// Of the main tree.
std::vector<std::string_view> entry_names(const Tree& tree) {
  std::vector<std::string_view> names;
  const PollTreeView view(tree);
  for (std::uint32_t i = 0; i < view.entry_count(); ++i) {
    if (*espalier_entry_path(tree, i) == '\0') names.push_back(view.name(view.entries[i].name));
  }
  return names;
}

ExpectedEntry expected_entry(std::string_view key, const std::optional<std::string_view>& value) {
  const std::size_t slash = key.rfind('/');
  ExpectedEntry entry = {
      .path = std::string(slash == std::string_view::npos ? std::string_view() : key.substr(0, slash)),
      .name = std::string(key.substr(slash == std::string_view::npos ? 0 : slash + 1))};
  if (!value) return entry;
  text::JsonFault fault;
  const auto parsed = text::parse_json(*value, {}, fault);
  JsonValue written = {.kind = text::JsonKind::string, .string = std::string(*value)};
  if (parsed && parsed->kind == text::JsonKind::number) written = *parsed;
  if (const auto wanted = replay::trace_value(written)) entry.value = *wanted;
  return entry;
}

// The names that the tree calls and asks for. Nothing: trees in slots have others.
std::optional<std::set<std::string>> host_names(const Tree& tree) {
  const EngineId engine = replay::engine_of_tree(tree);
  std::set<std::string> names;
  if (engine == EngineId::store && slot_count(*tree.asset) != 0) return std::nullopt;
  for (std::uint32_t i = 0; engine == EngineId::select && i < leaf_count(tree); ++i)
    names.emplace(behavior_name(*tree.asset, leaf_behavior(tree, i)));
  row_of(engine).questions(tree, [&](const Question& question, std::uint32_t, NodeAsks asks, std::uint32_t) {
    names.insert(asks == NodeAsks::script ? question.name.substr(0, question.name.find('@')) : question.name);
  });
  return names;
}

bool is_of_host(EventKind kind) { return kind != EventKind::set && kind != EventKind::send && kind != EventKind::log; }

bool is_named_condition(std::uint32_t node_word, const Asset& asset) {
  return codegen::operand(codegen::node_at(asset, node_word), OperandKind::behavior) == nullptr;
}

}  // namespace

// ---- Properties

std::vector<std::string> event_texts(const Property& property) {
  std::vector<std::string> texts;
  visit_events(property, [&](const JsonValue& value) {
    if (std::find(texts.begin(), texts.end(), value.string) == texts.end()) texts.push_back(value.string);
  });
  return texts;
}

std::vector<replay::LineFault> event_faults(const Property& property, const Tree& tree) {
  std::vector<replay::LineFault> faults;
  const EngineId engine = replay::engine_of_tree(tree);
  const std::optional<std::set<std::string>> names = host_names(tree);
  std::size_t count = 0;
  visit_events(property, [&](const JsonValue& value) {
    if (value.kind != text::JsonKind::string) return;
    if (++count == kMaxWantedEvents + 1) {
      faults.push_back({rules::TRC_limit_exceeded, value.span,
                        "a property has more than " + std::to_string(kMaxWantedEvents) + " events"});
    }
    const KindRow* const row = row_of_kind(kind_in(value.string));
    if (row == nullptr || !replay::names_engine(row->engines, engine)) {
      std::string known;
      for (const KindRow& each : kKindRows) {
        if (replay::names_engine(each.engines, engine))
          known += (known.empty() ? "" : ", ") + text::quote(name_of(each.kind));
      }
      faults.push_back({rules::TRC_unknown_name, value.span,
                        "properties of " + std::string(replay::strategy_of(engine).kind) +
                            " trees have no events of the kind " + text::quote(kind_in(value.string)),
                        "expected one of " + known});
      return;
    }
    if (is_of_host(row->kind) && names) {
      const std::string_view words = words_in(value.string);
      const auto begins = [&](const std::string& name) {
        return words.starts_with(name) && (words.size() == name.size() || words[name.size()] == ' ');
      };
      if (std::none_of(names->begin(), names->end(), begins)) {
        const std::string_view name = words.substr(0, words.find(' '));
        const bool is_placed = replay::read_place(name).has_value();
        faults.push_back({rules::TRC_unknown_name, value.span,
                          is_placed ? "the event of a property names a place"
                                    : "unknown name " + text::quote(name) + " of tree " + text::quote(tree_name(tree)),
                          is_placed ? "name the action or condition without it"
                                    : text::did_you_mean(name, {names->begin(), names->end()})});
      }
    }
    if (row->kind != EventKind::set) return;
    const auto is_entry = [&](std::string_view name) { return find_entry(tree, name).has_value(); };
    const auto [name, wanted] = split_words(words_in(value.string), is_entry);
    if (!is_entry(name)) {
      faults.push_back(
          {rules::TRC_unknown_name, value.span,
           "unknown entry " + text::quote(name.substr(0, name.find(' '))) + " of tree " + text::quote(tree_name(tree)),
           text::did_you_mean(name.substr(0, name.find(' ')), entry_names(tree))});
    }
  });
  return faults;
}

std::vector<ExpectedEntry> event_entries(const Property& property, const Tree& tree) {
  std::vector<ExpectedEntry> entries;
  const EngineRow& engine = row_of(replay::engine_of_tree(tree));
  if (engine.input_entry == nullptr) return entries;
  for (const std::string& event : event_texts(property)) {
    const std::string_view kind = kind_in(event);
    const std::string_view words = words_in(event);
    if (kind == name_of(EventKind::set)) {
      const auto [name, value] =
          split_words(words, [&](std::string_view each) { return find_entry(tree, each).has_value(); });
      entries.push_back(expected_entry(name, value));
    }
    if (kind != name_of(EventKind::read)) continue;
    // Of any node whose name and input the words begin with.
    codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
      engine.input_entry(tree, node.word, [&](std::string_view name, std::string_view input, std::string_view key) {
        const std::string begin = std::string(name) + ' ' + std::string(input);
        if (words == begin) entries.push_back(expected_entry(key, std::nullopt));
        if (words.starts_with(begin + ' ')) entries.push_back(expected_entry(key, words.substr(begin.size() + 1)));
      });
    });
  }
  return entries;
}

// ---- In a world

WantedEvents::WantedEvents(const World& world, std::vector<std::string> texts)
    : tree_(world.sides().front().tree), world_(world), texts_(std::move(texts)) {
  for (const std::string& text : texts_) {
    Wanted& wanted = wanted_.emplace_back();
    if (const KindRow* const row = row_of_kind(kind_in(text))) wanted.kind = row->kind;
    wanted.agent = split_event(text).agent.value_or(0);
    split(wanted, words_in(text));
    const Asset& asset = *tree_.asset;
    for (std::uint32_t i = 0; i < behavior_count(asset); ++i)
      wanted.behaviors.push_back(behavior_name(asset, i) == wanted.name);
    for (std::uint32_t i = 0; i < host_condition_count(asset); ++i)
      wanted.conditions.push_back(host_condition_name(asset, i) == wanted.name);
    if (wanted.kind == EventKind::set && std::find(entries_.begin(), entries_.end(), wanted.entry) == entries_.end())
      entries_.push_back(wanted.entry);
  }
  std::sort(entries_.begin(), entries_.end());
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    if (wanted_[i].kind == EventKind::read) reads_ |= EventSet{1} << i;
  }
}

void WantedEvents::split(Wanted& wanted, std::string_view words) const {
  wanted.name = words;
  const auto take = [&](const auto& split) {
    wanted.name = split.first;
    if (split.second) wanted.value = std::string(*split.second);
  };
  switch (wanted.kind) {
    case EventKind::set:
      take(split_words(words, [&](std::string_view name) { return find_entry(tree_, name).has_value(); }));
      wanted.entry = find_entry(tree_, wanted.name).value_or(0);
      return;
    case EventKind::tick:
    case EventKind::ask: {
      constexpr std::string_view kWords[] = {"running", "success", "failure", "skipped", "true", "false"};
      const std::size_t blank = words.rfind(' ');
      if (blank == std::string_view::npos) return;
      const std::string_view word = words.substr(blank + 1);
      if (std::find(std::begin(kWords), std::end(kWords), word) == std::end(kWords)) return;
      return take(std::pair(words.substr(0, blank), std::optional(word)));
    }
    case EventKind::read: {
      const Asset& asset = *tree_.asset;
      const auto is_node = [&](std::string_view name) {
        for (std::uint32_t i = 0; i < behavior_count(asset); ++i) {
          if (behavior_name(asset, i) == name) return true;
        }
        for (std::uint32_t i = 0; i < host_condition_count(asset); ++i) {
          if (host_condition_name(asset, i) == name) return true;
        }
        return false;
      };
      take(split_words(words, is_node));
      const std::string rest = wanted.value.value_or("");
      const std::size_t blank = rest.find(' ');
      wanted.input = rest.substr(0, blank);
      wanted.value = blank == std::string::npos ? std::nullopt : std::optional(rest.substr(blank + 1));
      return;
    }
    default:
      return;
  }
}

bool WantedEvents::is_of(const Wanted& wanted, const Hearing& hearing, bool is_condition) const {
  const std::vector<bool>& names = is_condition ? wanted.conditions : wanted.behaviors;
  return hearing.call != nullptr && hearing.call->behavior < names.size() && names[hearing.call->behavior];
}

bool WantedEvents::is_read(const Wanted& wanted, const Call& call) const {
  const auto is_value = [&](const std::string& value) { return !wanted.value || *wanted.value == value; };
  if (replay::engine_of_tree(tree_) == EngineId::poll) {
    for (std::uint32_t port = 0; port < espalier_port_count(&call); ++port) {
      if (!espalier_is_input(&call, port) || espalier_port_name(&call, port) != wanted.input) continue;
      char buffer[ESPALIER_NUMBER_TEXT];
      espalier_value value;
      if (is_value(espalier_read_port(&call, port, &value, buffer) ? replay::text_of(value) : "error")) return true;
    }
    return false;
  }
  for (std::uint32_t i = 0; i < parameter_count(&call); ++i) {
    const Parameter parameter = espalier::parameter(&call, i);
    if (parameter.name == wanted.input && is_value(replay::input_text(parameter))) return true;
  }
  return false;
}

EventSet WantedEvents::heard(const Hearing& hearing) const {
  const auto is_valued = [&](const Wanted& wanted) { return !wanted.value || *wanted.value == hearing.text; };
  const auto is_it = [&](const Wanted& wanted) {
    const auto is_kind = [&](EventKind kind, HeardKind heard) {
      return wanted.kind == kind && hearing.kind == heard && is_of(wanted, hearing, false);
    };
    if (is_kind(EventKind::enter, HeardKind::enter) || is_kind(EventKind::leave, HeardKind::leave) ||
        is_kind(EventKind::interrupt, HeardKind::interrupt) || is_kind(EventKind::reset, HeardKind::reset) ||
        is_kind(EventKind::refuse, HeardKind::refuse))
      return true;
    switch (wanted.kind) {
      case EventKind::tick:
        return hearing.kind == HeardKind::result && is_of(wanted, hearing, false) && is_valued(wanted);
      case EventKind::ask: {
        if (hearing.kind == HeardKind::script_answer)
          return is_valued(wanted) && replay::script_name(*tree_.asset, hearing.node_word) == wanted.name;
        if (hearing.kind != HeardKind::answer || !is_valued(wanted)) return false;
        return is_of(wanted, hearing, is_named_condition(hearing.node_word, *tree_.asset));
      }
      case EventKind::read: {
        const bool is_asked = hearing.kind == HeardKind::ask && is_named_condition(hearing.node_word, *tree_.asset);
        if (hearing.kind != HeardKind::enter && !is_asked) return false;
        if (is_asked && replay::engine_of_tree(tree_) != EngineId::poll) return false;  // conditions have no parameters
        return is_of(wanted, hearing, is_asked) && is_read(wanted, *hearing.call);
      }
      case EventKind::send:
        return hearing.kind == HeardKind::send && signal_name(tree_, hearing.signal) == wanted.name;
      case EventKind::log:
        return hearing.kind == HeardKind::log && hearing.text == wanted.name;
      default:
        return false;
    }
  };
  EventSet events = 0;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    if (is_it(wanted_[i])) events |= EventSet{1} << i;
  }
  return events;
}

// Those of one input are one moment; of several inputs they come in the order of these.
void WantedEvents::keep_order_of_reads(const Call& call) {
  {
    const std::shared_lock lock(mutex_);
    if (reads_in_order_.contains(call.node_word)) return;
  }
  std::vector<EventSet> order;
  const auto add = [&](std::string_view input) {
    EventSet events = 0;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (wanted_[i].kind == EventKind::read && wanted_[i].input == input) events |= EventSet{1} << i;
    }
    if (events != 0) order.push_back(events);
  };
  if (replay::engine_of_tree(tree_) == EngineId::poll) {
    for (std::uint32_t port = 0; port < espalier_port_count(&call); ++port) add(espalier_port_name(&call, port));
  } else {
    for (std::uint32_t i = 0; i < parameter_count(&call); ++i) add(espalier::parameter(&call, i).name);
  }
  const std::unique_lock lock(mutex_);
  reads_in_order_.emplace(call.node_word, std::move(order));
}

std::vector<EventSet> WantedEvents::in_order(EventSet reads, std::uint32_t node_word) const {
  if (std::popcount(reads) < 2) return {reads};
  const std::shared_lock lock(mutex_);
  return reads_in_order_.at(node_word);
}

EventSet WantedEvents::of_agent(std::uint32_t agent) const {
  EventSet events = 0;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    if (wanted_[i].agent == agent) events |= EventSet{1} << i;
  }
  return events;
}

std::uint64_t WantedEvents::number(const Run& run, const Hearing& hearing) {
  const EventSet own = of_agent(run.agent());
  if (own == 0) return kNotKept;
  const EventSet events = heard(hearing) & own;
  if (std::popcount(events & reads_) > 1) keep_order_of_reads(*hearing.call);
  if (entries_.empty()) return events == 0 ? kNotKept : events;
  return events | std::uint64_t{values(run.block())} << kMaxWantedEvents;
}

// ---- Entries

std::uint32_t WantedEvents::values(const unsigned char* block) {
  if (entries_.empty()) return 0;
  std::vector<std::string> texts;
  for (const std::uint32_t entry : entries_) {
    espalier_value value;
    static_cast<void>(espalier_entry(tree_, block, entry, &value));
    texts.push_back(replay::text_of(value));
  }
  {
    const std::shared_lock lock(mutex_);
    if (const auto known = numbers_.find(texts); known != numbers_.end()) return known->second;
  }
  const std::unique_lock lock(mutex_);
  const auto [known, is_new] = numbers_.try_emplace(texts, static_cast<std::uint32_t>(combinations_.size()));
  if (is_new) combinations_.push_back(std::move(texts));
  return known->second;
}

// Entries are told in their order.
std::vector<EventSet> WantedEvents::written(std::uint32_t before, std::uint32_t after, EventSet own) const {
  std::vector<EventSet> events;
  if (before == after) return events;
  const std::shared_lock lock(mutex_);
  for (std::size_t place = 0; place < entries_.size(); ++place) {
    const std::string& now = combinations_[after][place];
    EventSet of_entry = 0;
    for (std::size_t i = 0; i < wanted_.size() && now != combinations_[before][place]; ++i) {
      const Wanted& wanted = wanted_[i];
      if (wanted.kind == EventKind::set && wanted.entry == entries_[place] && (!wanted.value || *wanted.value == now))
        of_entry |= EventSet{1} << i;
    }
    if ((of_entry & own) != 0) events.push_back(of_entry & own);
  }
  return events;
}

// Of one agent after the other, as they are updated.
void WantedEvents::visit(const Run& run, const Step& step, unsigned char* state, const Visit& visit) {
  for (std::uint32_t agent = 0; agent < world_.agent_count(); ++agent) {
    if (of_agent(agent) != 0) this->visit(run, step, state, agent, visit);
  }
}

void WantedEvents::visit(const Run& run, const Step& step, unsigned char* state, std::uint32_t agent,
                         const Visit& visit) {
  const Side& side = world_.sides().front();
  const EventSet own = of_agent(agent);
  // In which the tree itself may write.
  const bool runs = step.kind == StepKind::tick || step.kind == StepKind::halt;
  std::uint32_t held = 0;
  if (!entries_.empty()) {
    held = values(World::block(side, runs ? run.before() : state, agent));
    const bool is_write = step.kind == StepKind::write && (step.agent == agent || step.agent == kAllAgents);
    EventSet set = 0;
    for (std::size_t i = 0; i < wanted_.size() && is_write; ++i) {
      const Wanted& wanted = wanted_[i];
      if (wanted.kind != EventKind::set || side.entries[step.id] != wanted.entry) continue;
      espalier_value value;
      static_cast<void>(espalier_entry(tree_, World::block(side, state, agent), wanted.entry, &value));
      if (!wanted.value || *wanted.value == replay::text_of(value)) set |= EventSet{1} << i;
    }
    if ((set & own) != 0) visit(set & own, kNoNode);
  }
  const bool has_leaves = replay::engine_of_tree(tree_) == EngineId::select;  // which have numbers, not words
  const auto tell_written = [&](std::uint32_t now, std::uint32_t node_word) {
    for (const EventSet events : written(held, now, own)) visit(events, node_word);
    held = now;
  };
  for (const Heard& each : run.heard(0, agent)) {
    if (!entries_.empty() && runs)
      tell_written(static_cast<std::uint32_t>(each.number >> kMaxWantedEvents), each.node_word);
    const std::uint32_t node_word = has_leaves ? kNoNode : each.node_word;
    const auto events = static_cast<EventSet>(each.number);
    // What an action reads is told before it begins.
    for (const EventSet reads : in_order(events & reads_, each.node_word)) {
      if ((events & reads) != 0) visit(events & reads, node_word);
    }
    if ((events & ~reads_) != 0) visit(events & ~reads_, node_word);
  }
  if (!entries_.empty() && runs) tell_written(values(World::block(side, state, agent)), kNoNode);
}

}  // namespace espalier::explore
