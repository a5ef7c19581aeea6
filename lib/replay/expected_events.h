// The names in events that an expectation lists: one that no tree has never happens.
#pragma once
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
  void add(const Asset& asset);
  void add_deciders(const Tree& tree);
  const Names& nodes();
  std::optional<LineFault> check_name(EventKind kind, std::string_view words, text::Span span, bool has_nodes);

  std::vector<const Asset*> assets_;
  Names behaviors_;
  Names conditions_;  // also scripts
  Names variables_;
  Names signals_;
  Names deciders_;
  Names nodes_;
  bool knows_nodes_ = false;
  bool has_entries_ = false;  // whose names traces and hosts make
  bool has_scripts_ = false;  // which send any signal
};

}  // namespace espalier::replay
