// The names and texts that events of the trees of some assets can have.
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

#include "runtime/format/kinds.h"

namespace espalier::replay {

class EventNames {
 public:
  using Names = std::set<std::string, std::less<>>;
  enum class List : std::uint8_t {
    behaviors,
    conditions,  // scripts are conditions too
    variables,
    signals,
    sent,  // the signals that trees send, and those that their scripts name
    deciders,
    nodes,
    logs,
    slots,
    trees,
    inputs,  // of trees that poll: "Find place"
    count
  };

  // The trees of these assets.
  void use(const std::vector<const Asset*>& assets);
  // Collected when it is first asked for: a project has many names, and a trace expects few events.
  const Names& names(List list);

  bool has(EngineId engine) const { return (engines_ >> static_cast<unsigned>(engine) & 1) != 0; }
  bool has_scripts() const;
  bool has_preludes() const;
  // Can a script send a signal whose name its text does not tell?
  bool sends_any();

 private:
  std::vector<const Asset*> assets_;
  std::array<std::optional<Names>, static_cast<std::size_t>(List::count)> names_;
  std::uint32_t engines_ = 0;
  std::optional<bool> sends_any_;
};

}  // namespace espalier::replay
