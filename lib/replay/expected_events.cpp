// Names in expected events. See expected_events.h.
#include "replay/expected_events.h"

#include <algorithm>
#include <utility>

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

// "Move" of "Move running".
std::string_view without_value(std::string_view words) { return words.substr(0, words.rfind(' ')); }

std::string nearest_of(std::string_view name, const std::set<std::string, std::less<>>& names) {
  return text::did_you_mean(name, std::vector<std::string_view>(names.begin(), names.end()));
}

}  // namespace

void EventNames::use(const std::vector<const Asset*>& assets) {
  if (assets_ == assets) return;
  *this = {};
  assets_ = assets;
  for (const Asset* asset : assets_) add(*asset);
}

void EventNames::add(const Asset& asset) {
  for (std::uint32_t i = 0; i < behavior_count(asset); ++i) behaviors_.emplace(behavior_name(asset, i));
  for (std::uint32_t i = 0; i < host_condition_count(asset); ++i) {
    conditions_.emplace(host_condition_name(asset, i));
  }
  has_scripts_ = has_scripts_ || script_count(asset) != 0;
  for (const char* name : {"LuaGate", "AssertLua", "ExecuteLua", "LuaWrapper"}) conditions_.emplace(name);
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree = espalier::tree(asset, i);
    const EngineId engine = engine_of_tree(tree);
    has_entries_ = has_entries_ || engine == EngineId::poll;
    if (engine == EngineId::decide) add_deciders(tree);
    for (std::uint32_t k = 0; k < signal_count(tree); ++k) signals_.emplace(signal_name(tree, k));
    for (std::uint32_t k = 0; k < espalier_count(tree, ESPALIER_VARIABLES); ++k) {
      variables_.emplace(espalier_name(tree, ESPALIER_VARIABLES, k));
    }
  }
}

void EventNames::add_deciders(const Tree& tree) {
  const auto& record =
      records<layout::DeciderTree>(*tree.asset, layout::SectionId::decider_trees)[tree_record(tree).record];
  const std::uint32_t first_word = unit_record(*tree.asset, record.first_unit).first_word;
  for (std::uint32_t i = 0; i < record.node_count; ++i) {
    deciders_.insert(decider_text(tree, first_word + i * kDeciderWords));
  }
}

const EventNames::Names& EventNames::nodes() {
  if (std::exchange(knows_nodes_, true)) return nodes_;
  for (const Asset* asset : assets_) {
    for (std::uint32_t i = 0; i < tree_count(*asset); ++i) {
      codegen::visit_tree(tree(*asset, i), [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
        nodes_.insert(node_text(*asset, node.word));
      });
    }
  }
  return nodes_;
}

std::optional<LineFault> EventNames::check(const text::JsonValue& event, KindSet compared) {
  std::string_view text = event.string;
  const std::size_t digits = text.find_first_not_of("0123456789");
  if (digits != 0 && digits != std::string_view::npos && text[digits] == ':') text.remove_prefix(digits + 1);
  const std::string_view word = text.substr(0, text.find(' '));
  const EventKind kind = kind_called(word);
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
  const auto expect = [&](const char* what, std::string_view name, const Names& names) -> std::optional<LineFault> {
    if (knows(names, name)) return std::nullopt;
    return LineFault{Rule::TRC_unknown_name, span, "unknown " + (what + (' ' + text::quote(name))),
                     nearest_of(name, names)};
  };
  switch (kind) {
    case EventKind::enter:
    case EventKind::leave:
    case EventKind::reset:
      return expect("behaviour", words, behaviors_);
    case EventKind::interrupt:
      if (has_nodes && knows(nodes(), words)) return std::nullopt;
      return expect("behaviour", words, behaviors_);
    case EventKind::tick:
      return expect("behaviour", without_value(words), behaviors_);
    case EventKind::refuse:
      if (knows(conditions_, words)) return std::nullopt;
      return expect("behaviour", words, behaviors_);
    case EventKind::ask:
      if (knows(behaviors_, without_value(words))) return std::nullopt;
      return expect("condition", without_value(words), conditions_);
    case EventKind::decide:
      return expect("decider", without_value(words), deciders_);
    case EventKind::set:
      return has_entries_ ? std::nullopt : expect("variable", without_value(words), variables_);
    case EventKind::send:
      return has_scripts_ ? std::nullopt : expect("signal", words, signals_);
    case EventKind::begin_node:
      return expect("node", words, nodes());
    case EventKind::complete_node:
      return expect("node", without_value(words), nodes());
    default:
      return std::nullopt;  // texts, and signals that a trace may make up
  }
}

}  // namespace espalier::replay
