// The names in events that an expectation lists: one that no tree has never happens.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "replay/event.h"
#include "replay/line.h"

namespace espalier::replay {

class EventNames {
 public:
  // Those of the trees of these assets.
  void use(const std::vector<const Asset*>& assets);
  // The fault of an event, as event_text() writes it; `compared`: the kinds that are.
  std::optional<LineFault> check(const text::JsonValue& event, KindSet compared);

 private:
  using Names = std::set<std::string, std::less<>>;
  enum class List : std::uint8_t { behaviors, conditions, variables, signals, deciders, nodes, count };
  // Collected when it is first asked for: a project has many names, and a trace expects few events.
  const Names& names(List list);
  bool has_entries() const;  // whose names traces and hosts make
  bool has_scripts() const;  // which send any signal
  std::optional<LineFault> check_name(EventKind kind, std::string_view words, text::Span span, bool has_nodes);

  std::vector<const Asset*> assets_;
  std::array<std::optional<Names>, static_cast<std::size_t>(List::count)> names_;
};

}  // namespace espalier::replay
