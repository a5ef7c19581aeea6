// Where a run stops: at elements, names of nodes, values and faults.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "debug/history.h"
#include "debug/locations.h"

namespace espalier::debug {

// "5", ">=5", "%5": at which of its hits a breakpoint stops.
struct HitCondition {
  enum class Kind : std::uint8_t { exactly, from, each } kind = Kind::exactly;
  std::uint64_t count = 1;

  [[nodiscard]] bool holds(std::uint64_t hit) const;
};
[[nodiscard]] std::optional<HitCondition> read_hit_condition(const std::string& text);

struct Breakpoint {
  enum class Kind : std::uint8_t {
    element,   // a node that stands there: see `part`
    function,  // a node of this name begins, or gives this result
    data,      // a variable or an entry of this name is written
    fault      // see `fault`
  };
  enum class Fault : std::uint8_t { error, failure, halted, expectation, unscripted, drift };

  Kind kind = Kind::element;
  std::int64_t id = 0;
  std::string asked_file = {};              // element: as the client names it
  std::uint32_t asked_line = 0;             // the same, from 1
  std::uint32_t asked_column = 0;           // the same; 0: any
  Part part = Part::begin;                  // element
  std::string file = {};                    // the same: as nodes name it; empty: there is no node
  std::uint32_t line = 0;                   // the same: where its node stands
  std::uint32_t column = 0;                 // the same; 0: any
  std::string name = {};                    // function, data; element: the attribute of a condition
  std::optional<MomentKind> result = {};    // function: none: it begins
  std::optional<std::uint32_t> agent = {};  // data: none: any
  Fault fault = Fault::error;
  std::string condition = {};  // empty: none
  std::optional<HitCondition> hit = {};
  std::string log = {};  // it stops nowhere, but tells this: "{entry}" is its value
};

// What a breakpoint is made from. Faults are texts; empty: there is none.

// Where a line and a column mean to stop: the node that stands there, or below. Sets the breakpoint to it.
[[nodiscard]] std::string place_element(const History& history, Breakpoint& breakpoint, Location& found);
// "Attack", or "Attack:success" and other results.
void name_node(Breakpoint& breakpoint, const std::string& name);
[[nodiscard]] std::string set_conditions(Breakpoint& breakpoint, const std::string& condition, const std::string& hit);
struct FaultName {
  std::string_view name;
  std::string_view label;
  Breakpoint::Fault fault;
};
[[nodiscard]] std::span<const FaultName> fault_names();
[[nodiscard]] std::optional<Breakpoint::Fault> fault_of(std::string_view name);
[[nodiscard]] bool has_node(const History& history, std::string_view name);
// Is it written in this run?
[[nodiscard]] bool has_value(const History& history, std::string_view name);

// Does this moment meet it, apart from its conditions?
[[nodiscard]] bool meets(const History& history, const Moment& moment, const Breakpoint& breakpoint);

// Does the text of this line lie in a comment?
[[nodiscard]] bool is_comment(const std::string& file, std::uint32_t line);
// Is it the same file, however it is written?
[[nodiscard]] bool is_file(std::string_view of_node, const std::string& path);

}  // namespace espalier::debug
