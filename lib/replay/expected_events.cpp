// Names in expected events. See expected_events.h.
#include "replay/expected_events.h"

#include <algorithm>
#include <iterator>

#include "codegen/dump/listing.h"
#include "replay/names.h"
#include "replay/places.h"
#include "replay/strategy.h"
#include "runtime/decide/layout.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;

// Of a written kind; `count`: there is none.
EventKind kind_called(std::string_view name) {
  for (unsigned i = 0; is_written(static_cast<EventKind>(i)); ++i) {
    if (name_of(static_cast<EventKind>(i)) == name) return static_cast<EventKind>(i);
  }
  return EventKind::count;
}

bool contains(const std::set<std::string, std::less<>>& names, std::string_view name) {
  return names.find(name) != names.end();
}

// The name may have the place of a node.
bool knows(const std::set<std::string, std::less<>>& names, std::string_view name) {
  const std::optional<PlacedName> placed = read_place(name);
  return contains(names, name) || (placed && contains(names, placed->name));
}

// "Find object" of "Find object path home"; names may have blanks.
bool begins_with_name(std::string_view words, const std::set<std::string, std::less<>>& names) {
  for (std::size_t blank = words.find(' '); blank != std::string_view::npos; blank = words.find(' ', blank + 1)) {
    if (knows(names, words.substr(0, blank))) return true;
  }
  return knows(names, words);
}

// "Move" of "Move running".
std::string_view without_value(std::string_view words) { return words.substr(0, words.rfind(' ')); }

std::string nearest_of(std::string_view name, const std::set<std::string, std::less<>>& names) {
  return text::did_you_mean(name, std::vector<std::string_view>(names.begin(), names.end()));
}

// ---- All names of an asset ----------------------------------------------------------------------

using Names = std::set<std::string, std::less<>>;

template <typename Add>
void for_each_tree(const Asset& asset, const Add& add) {
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) add(tree(asset, i));
}

void add_behaviors(const Asset& asset, Names& names) {
  for (std::uint32_t i = 0; i < behavior_count(asset); ++i) names.emplace(behavior_name(asset, i));
}

// Scripts are conditions too.
void add_conditions(const Asset& asset, Names& names) {
  for (std::uint32_t i = 0; i < host_condition_count(asset); ++i) names.emplace(host_condition_name(asset, i));
  for (const char* name : {"LuaGate", "AssertLua", "ExecuteLua", "LuaWrapper"}) names.emplace(name);
}

void add_variables(const Asset& asset, Names& names) {
  for_each_tree(asset, [&](const Tree& tree) {
    for (std::uint32_t i = 0; i < espalier_count(tree, ESPALIER_VARIABLES); ++i) {
      names.emplace(espalier_name(tree, ESPALIER_VARIABLES, i));
    }
  });
}

void add_signals(const Asset& asset, Names& names) {
  for_each_tree(asset, [&](const Tree& tree) {
    for (std::uint32_t i = 0; i < signal_count(tree); ++i) names.emplace(signal_name(tree, i));
  });
}

void add_deciders(const Asset& asset, Names& names) {
  for_each_tree(asset, [&](const Tree& tree) {
    if (engine_of_tree(tree) != EngineId::decide) return;
    const auto& record =
        records<layout::DeciderTree>(asset, layout::SectionId::decider_trees)[tree_record(tree).record];
    const std::uint32_t first_word = unit_record(asset, record.first_unit).first_word;
    for (std::uint32_t i = 0; i < record.node_count; ++i) {
      names.insert(decider_text(tree, first_word + i * kDeciderWords));
    }
  });
}

void add_nodes(const Asset& asset, Names& names) {
  for_each_tree(asset, [&](const Tree& tree) {
    codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
      names.insert(node_text(asset, node.word));
    });
  });
}

// In the order of the lists.
constexpr void (*kAdd[])(const Asset&, Names&) = {add_behaviors, add_conditions, add_variables,
                                                  add_signals,   add_deciders,   add_nodes};

}  // namespace

void EventNames::use(const std::vector<const Asset*>& assets) {
  if (assets_ == assets) return;
  *this = {};
  assets_ = assets;
}

const EventNames::Names& EventNames::names(List list) {
  static_assert(std::size(kAdd) == static_cast<std::size_t>(List::count));
  std::optional<Names>& names = names_[static_cast<std::size_t>(list)];
  if (names) return *names;
  names.emplace();
  for (const Asset* asset : assets_) kAdd[static_cast<std::size_t>(list)](*asset, *names);
  return *names;
}

bool EventNames::has_entries() const {
  bool has = false;
  for (const Asset* asset : assets_) {
    for_each_tree(*asset, [&](const Tree& tree) { has = has || engine_of_tree(tree) == EngineId::poll; });
  }
  return has;
}

bool EventNames::has_scripts() const {
  return std::any_of(assets_.begin(), assets_.end(), [](const Asset* asset) { return script_count(*asset) != 0; });
}

std::optional<LineFault> EventNames::check(const text::JsonValue& event, KindSet compared) {
  std::string_view text = event.string;
  const std::size_t digits = text.find_first_not_of("0123456789");
  if (digits != 0 && digits != std::string_view::npos && text[digits] == ':') text.remove_prefix(digits + 1);
  const std::string_view word = text.substr(0, text.find(' '));
  const EventKind kind = kind_called(word);
  if (word.empty()) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    const std::string agent(event.string, 0, event.string.size() - text.size());
    return LineFault{Rule::TRC_unknown_name, event.span, "the event has no kind",
                     blanks == text.size() ? "write an event as it is shown, such as 'enter NAME'"
                                           : "write " + text::quote(agent + std::string(text.substr(blanks)))};
  }
  if (kind == EventKind::count) {
    return LineFault{Rule::TRC_unknown_name, event.span, "unknown event kind " + text::quote(word),
                     text::did_you_mean(word, kind_names())};
  }
  const bool has_nodes = replay::has_nodes(compared);
  if (!compared.has(kind) && !(has_nodes && kind == EventKind::interrupt)) {
    return LineFault{Rule::TRC_unknown_name, event.span,
                     "events of the kind " + text::quote(word) + " are not compared in this trace",
                     "\"events\" of the first line lists those that are"};
  }
  return check_name(kind, text.substr(std::min(text.size(), word.size() + 1)), event.span, has_nodes);
}

std::optional<LineFault> EventNames::check_name(EventKind kind, std::string_view words, text::Span span,
                                                bool has_nodes) {
  const auto expect = [&](const char* what, std::string_view name, List list) -> std::optional<LineFault> {
    const Names& names = this->names(list);
    if (knows(names, name)) return std::nullopt;
    return LineFault{Rule::TRC_unknown_name, span, "unknown " + (what + (' ' + text::quote(name))),
                     nearest_of(name, names)};
  };
  switch (kind) {
    case EventKind::enter:
    case EventKind::leave:
    case EventKind::reset:
      return expect("behaviour", words, List::behaviors);
    case EventKind::interrupt:
      if (has_nodes && knows(names(List::nodes), words)) return std::nullopt;
      return expect("behaviour", words, List::behaviors);
    case EventKind::tick:
      return expect("behaviour", without_value(words), List::behaviors);
    case EventKind::refuse:
      if (knows(names(List::conditions), words)) return std::nullopt;
      return expect("behaviour", words, List::behaviors);
    case EventKind::ask:
      if (knows(names(List::behaviors), without_value(words))) return std::nullopt;
      return expect("condition", without_value(words), List::conditions);
    case EventKind::decide:
      return expect("decider", without_value(words), List::deciders);
    case EventKind::set:
      return has_entries() ? std::nullopt : expect("variable", without_value(words), List::variables);
    case EventKind::send:
      return has_scripts() ? std::nullopt : expect("signal", words, List::signals);
    case EventKind::read: {
      const Names& behaviors = names(List::behaviors);
      const Names& conditions = names(List::conditions);
      if (begins_with_name(words, behaviors) || begins_with_name(words, conditions)) return std::nullopt;
      return expect("node", words.substr(0, words.find(' ')), List::behaviors);
    }
    case EventKind::status: {
      if (result_called(words)) return std::nullopt;
      std::vector<std::string_view> results;
      for (const Result result : kUpdateResults) results.push_back(result_name(result));
      return LineFault{Rule::TRC_unknown_name, span, "unknown result " + text::quote(words),
                       text::did_you_mean(words, results)};
    }
    case EventKind::begin_node:
      return expect("node", words, List::nodes);
    case EventKind::complete_node:
      return expect("node", without_value(words), List::nodes);
    default:
      return std::nullopt;  // texts, and signals that a trace may make up
  }
}

}  // namespace espalier::replay
