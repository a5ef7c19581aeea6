// Where a run stops. See breakpoints.h.
#include "debug/breakpoints.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <ios>

#include "debug/condition.h"
#include "debug/messages.h"
#include "debug/questions.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::debug {

bool HitCondition::holds(std::uint64_t hit) const {
  switch (kind) {
    case Kind::exactly:
      return hit == count;
    case Kind::from:
      return hit >= count;
    case Kind::each:
      return hit % count == 0;
  }
  return false;
}

std::optional<HitCondition> read_hit_condition(const std::string& text) {
  HitCondition condition;
  std::string_view number = text;
  const auto skip = [&](std::string_view prefix) {
    while (!number.empty() && number.front() == ' ') number.remove_prefix(1);
    if (!number.starts_with(prefix)) return false;
    number.remove_prefix(prefix.size());
    return true;
  };
  if (skip(">=")) {
    condition.kind = HitCondition::Kind::from;
  } else if (skip("%")) {
    condition.kind = HitCondition::Kind::each;
  } else {
    static_cast<void>(skip("=="));
  }
  static_cast<void>(skip(""));
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), condition.count);
  if (error != std::errc() || end != number.data() + number.size() || condition.count == 0) return std::nullopt;
  return condition;
}

bool is_file(std::string_view of_node, const std::string& path) {
  if (of_node == path) return true;
  std::error_code error;
  const system::filesystem::path own = system::filesystem::weakly_canonical(system::filesystem::path(of_node), error);
  return !error && own == system::filesystem::weakly_canonical(system::filesystem::path(path), error) && !error;
}

bool is_comment(const std::string& file, std::uint32_t line) {
  std::ifstream in(system::native(file), std::ios::binary);
  bool is_inside = false;
  std::string text;
  for (std::uint32_t number = 1; number <= line && std::getline(in, text); ++number) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (number == line && first != std::string::npos && (is_inside || text.compare(first, 4, "<!--") == 0)) {
      const std::size_t end = text.find("-->", first);
      return end == std::string::npos || text.find_first_not_of(" \t\r", end + 3) == std::string::npos;
    }
    for (std::size_t at = 0; (at = text.find(is_inside ? "-->" : "<!--", at)) != std::string::npos;) {
      at += is_inside ? 3 : 4;
      is_inside = !is_inside;
    }
  }
  return false;
}

std::string place_element(const History& history, Breakpoint& breakpoint, Location& found) {
  const std::vector<Location> locations = locations_of(history, breakpoint.asked_file);
  const bool is_in_comment = is_comment(breakpoint.asked_file, breakpoint.asked_line);
  const Location* location =
      is_in_comment ? nullptr : location_at(locations, breakpoint.asked_line, breakpoint.asked_column);
  for (auto below = locations.begin(); below != locations.end() && location == nullptr && !is_in_comment; ++below) {
    if (below->line > breakpoint.asked_line && below->part == Part::begin) location = &*below;
  }
  breakpoint.file.clear();
  if (location == nullptr)
    return is_in_comment ? "this is a comment" : "no node of the run's trees begins here, nor below";
  found = *location;
  breakpoint.file = found.file;
  breakpoint.name = found.attribute;
  breakpoint.part = found.part;
  breakpoint.line = found.node_line;
  breakpoint.column = found.part == Part::begin && breakpoint.asked_column == 0 ? 0 : found.node_column;
  return {};
}

void name_node(Breakpoint& breakpoint, const std::string& name) {
  breakpoint.name = name;
  for (const MomentKind kind :
       {MomentKind::begin, MomentKind::success, MomentKind::failure, MomentKind::skipped, MomentKind::halted}) {
    const std::string end = ':' + std::string(word_of(kind));
    if (!breakpoint.name.ends_with(end)) continue;
    breakpoint.name.resize(breakpoint.name.size() - end.size());
    breakpoint.result = kind;
  }
}

std::string set_conditions(Breakpoint& breakpoint, const std::string& condition, const std::string& hit) {
  breakpoint.condition = condition;
  const ConditionValue value =
      evaluate_condition(condition.empty() ? "true" : condition, [](std::string_view) { return std::nullopt; });
  if (!value.fault.empty() || hit.empty()) return value.fault;
  breakpoint.hit = read_hit_condition(hit);
  return breakpoint.hit ? std::string() : text::quote(hit) + " is no count of hits, such as 5, >=5 or %5";
}

std::span<const FaultName> fault_names() {
  static constexpr FaultName kNames[] = {
      {"error", "An update has an error", Breakpoint::Fault::error},
      {"failure", "A root fails", Breakpoint::Fault::failure},
      {"halted", "A node is halted", Breakpoint::Fault::halted},
      {"failed expectation", "An expectation fails", Breakpoint::Fault::expectation},
      {"unscripted-host", "The trace has no answer of the program", Breakpoint::Fault::unscripted},
      {"drift", "A log cannot be of this tree", Breakpoint::Fault::drift}};
  return kNames;
}

std::optional<Breakpoint::Fault> fault_of(std::string_view name) {
  for (const FaultName& each : fault_names()) {
    if (each.name == name) return each.fault;
  }
  return std::nullopt;
}

bool has_node(const History& history, std::string_view name) {
  return std::any_of(history.rows().begin(), history.rows().end(),
                     [&](const auto& row) { return !row.is_title && row.name == name; });
}

bool has_value(const History& history, std::string_view name) {
  return std::any_of(history.moments().begin(), history.moments().end(),
                     [&](const Moment& moment) { return is_write_of(history, moment, name); });
}

namespace {

// Nodes that their own conditions skip have no result.
bool skips(const History& history, const Moment& moment) {
  if (moment.kind != MomentKind::decided) return false;
  const std::string_view attribute = history.text(moment.name);
  return attribute == "_skipIf" || attribute == "_while";
}

}  // namespace

bool meets(const History& history, const Moment& moment, const Breakpoint& breakpoint) {
  switch (breakpoint.kind) {
    case Breakpoint::Kind::element: {
      const bool is_its_part = breakpoint.part == Part::begin ? moment.kind == MomentKind::begin
                               : breakpoint.part == Part::result
                                   ? moment.is_completion()
                                   : moment.kind == MomentKind::decided && history.text(moment.name) == breakpoint.name;
      if (!is_its_part) return false;
      const Place& place = history.place(moment);
      const bool is_its_column = breakpoint.column == 0 || place.column == breakpoint.column;
      return place.line == breakpoint.line && is_its_column && place.file == breakpoint.file;
    }
    case Breakpoint::Kind::function:
      return (moment.is_of_node() ? moment.kind == breakpoint.result.value_or(MomentKind::begin)
                                  : breakpoint.result == MomentKind::skipped && skips(history, moment)) &&
             history.rows()[moment.row].name == breakpoint.name;
    case Breakpoint::Kind::data:
      return is_write_of(history, moment, breakpoint.name) && breakpoint.agent.value_or(moment.agent) == moment.agent;
    case Breakpoint::Kind::fault:
      break;
  }
  switch (breakpoint.fault) {
    case Breakpoint::Fault::error:
      return moment.kind == MomentKind::error;
    case Breakpoint::Fault::expectation:
      return moment.kind == MomentKind::failed;
    case Breakpoint::Fault::unscripted:
      return moment.kind == MomentKind::unscripted;
    case Breakpoint::Fault::drift:
      return moment.kind == MomentKind::drift;
    case Breakpoint::Fault::halted:
      return moment.kind == MomentKind::halted;
    case Breakpoint::Fault::failure:
      return moment.kind == MomentKind::failure && history.rows()[history.rows()[moment.row].parent].is_title;
  }
  return false;
}

}  // namespace espalier::debug
