// The events that an expectation lists: one with a name or a word that no event of the run can have never happens.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "replay/event.h"
#include "replay/event_names.h"
#include "replay/line.h"
#include "replay/places.h"

namespace espalier::replay {

// What only the run knows of its events.
struct EventsOfRun {
  std::vector<const Asset*> assets = {};  // of the trees that agents have or had
  KindSet compared = {};
  std::uint32_t agent_count = 1;  // used indices
  bool has_several_agents = false;
  bool is_negated = false;  // the events are under `not`: one that never happens would hold without a word
  // Did a line of the trace use this name, which no tree has, for a signal, a variable, a slot or a tree?
  std::function<bool(std::string_view name)> is_made = {};
  // The fault of a name with a place where no node, or more than one, is. The span is that of the event.
  std::function<std::optional<LineFault>(const PlacedName& placed, text::Span span)> place_fault = {};
};

class ExpectedEvents {
 public:
  // The fault of an event, as event_text() writes it.
  std::optional<LineFault> check(const text::JsonValue& event, const EventsOfRun& run);
  // The same of an event whose value may be left out.
  std::optional<LineFault> check_begin(const text::JsonValue& event, const EventsOfRun& run);

 private:
  using Fault = std::optional<LineFault>;
  using List = EventNames::List;

  Fault check_agent(std::string_view digits) const;
  Fault check_kind(std::string_view word, EventKind kind) const;
  Fault check_words(EventKind kind, std::string_view words);
  Fault check_name(const char* what, std::string_view name, List list);
  // "NAME VALUE", whose value is one of these words; none: it is a number.
  Fault check_valued(const char* what, std::string_view words, List list, const std::vector<std::string_view>& values);
  Fault check_value(std::string_view value, const std::vector<std::string_view>& values) const;
  Fault check_place(std::string_view name, const EventNames::Names& names) const;
  Fault check_input(std::string_view words);
  Fault check_log(std::string_view text);
  Fault check_error(std::string_view text);
  bool is_error_of_ticking(std::string_view text);
  bool is_error_of_storing(std::string_view text);
  bool is_made(std::string_view name) const { return run_->is_made && run_->is_made(name); }
  // Is it the name, maybe with the place of a node?
  bool knows(List list, std::string_view name);
  std::vector<std::string_view> results(bool of_update) const;
  LineFault unknown(std::string_view what, std::string_view name, const std::vector<std::string_view>& names) const;

  EventNames names_;
  const EventsOfRun* run_ = nullptr;  // of the event that is checked
  text::Span span_;                   // the same
  bool may_lack_value_ = false;       // the same
  std::string_view kind_;             // the same, as it is written
};

}  // namespace espalier::replay
