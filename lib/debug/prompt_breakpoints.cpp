// Breakpoints as words. See prompt_breakpoints.h.
#include "debug/prompt_breakpoints.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "debug/messages.h"
#include "text/names.h"

namespace espalier::debug {
namespace {

// "12" of "guard.xml:12", which is then "guard.xml".
std::optional<std::uint32_t> take_number(std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc() || rest != end || number == 0) return std::nullopt;
  text.resize(colon);
  return number;
}

// A node of the trees, or a line of their files.
std::string read_place(const History& history, const std::string& word, Breakpoint& breakpoint) {
  std::string file = word;
  const std::optional<std::uint32_t> last = take_number(file);
  if (!last) {
    breakpoint.kind = Breakpoint::Kind::function;
    name_node(breakpoint, word);
    if (has_node(history, breakpoint.name)) return {};
    std::vector<std::string_view> names;
    for (const auto& row : history.rows()) names.push_back(row.name);
    const std::string hint = text::did_you_mean(breakpoint.name, names);
    return "no node has the name " + text::quote(breakpoint.name) + (hint.empty() ? "" : "; " + hint);
  }
  const std::optional<std::uint32_t> first = take_number(file);
  breakpoint.asked_file = file;
  breakpoint.asked_line = first.value_or(*last);
  breakpoint.asked_column = first ? *last : 0;
  Location found;
  if (const std::string fault = place_element(history, breakpoint, found); !fault.empty()) return word + ": " + fault;
  breakpoint.asked_line = found.line;
  return {};
}

std::string read_fault(const std::string& name, Breakpoint& breakpoint) {
  breakpoint.kind = Breakpoint::Kind::fault;
  const std::optional<Breakpoint::Fault> fault = fault_of(name);
  if (fault) breakpoint.fault = *fault;
  if (fault) return {};
  std::string names;
  for (const FaultName& each : fault_names()) names += (names.empty() ? "" : ", ") + text::quote(each.name);
  return "no fault is called " + text::quote(name) + ": one of " + names;
}

// The words behind each of these, up to the next one.
struct Parts {
  std::string where = {};
  std::string condition = {};
  std::string hit = {};
  std::string log = {};
};

Parts parts_of(const std::vector<std::string>& words) {
  Parts parts;
  std::string* part = &parts.where;
  for (const std::string& word : words) {
    constexpr std::pair<std::string_view, std::string Parts::*> kBegins[] = {
        {"if", &Parts::condition}, {"hit", &Parts::hit}, {"say", &Parts::log}};
    const auto* const begin =
        std::find_if(std::begin(kBegins), std::end(kBegins), [&](const auto& each) { return each.first == word; });
    if (begin != std::end(kBegins) && part != &parts.log) {
      part = &(parts.*begin->second);
    } else {
      *part += (part->empty() ? "" : " ") + word;
    }
  }
  return parts;
}

}  // namespace

std::string read_breakpoint(const History& history, const std::vector<std::string>& words, Breakpoint& breakpoint) {
  const Parts parts = parts_of(words);
  std::string fault;
  if (parts.where.starts_with("write ")) {
    breakpoint.kind = Breakpoint::Kind::data;
    breakpoint.name = parts.where.substr(6);
  } else if (parts.where.starts_with("fault ")) {
    fault = read_fault(parts.where.substr(6), breakpoint);
  } else {
    fault = read_place(history, parts.where, breakpoint);
  }
  breakpoint.log = parts.log;
  return fault.empty() ? set_conditions(breakpoint, parts.condition, parts.hit) : fault;
}

std::string words_of(const Breakpoint& breakpoint) {
  std::string words = std::to_string(breakpoint.id) + "  ";
  switch (breakpoint.kind) {
    case Breakpoint::Kind::element:
      words += breakpoint.asked_file + ':' + std::to_string(breakpoint.asked_line);
      if (breakpoint.asked_column != 0) words += ':' + std::to_string(breakpoint.asked_column);
      break;
    case Breakpoint::Kind::function:
      words += breakpoint.name;
      if (breakpoint.result) words += ':' + std::string(word_of(*breakpoint.result));
      break;
    case Breakpoint::Kind::data:
      words += "write " + breakpoint.name;
      break;
    case Breakpoint::Kind::fault:
      for (const FaultName& each : fault_names()) {
        if (each.fault == breakpoint.fault) words += "fault " + std::string(each.name);
      }
      break;
  }
  if (!breakpoint.condition.empty()) words += " if " + breakpoint.condition;
  constexpr const char* kHits[] = {"", ">=", "%"};
  if (breakpoint.hit)
    words += " hit " + std::string(kHits[static_cast<std::size_t>(breakpoint.hit->kind)]) +
             std::to_string(breakpoint.hit->count);
  if (!breakpoint.log.empty()) words += " say " + breakpoint.log;
  return words;
}

}  // namespace espalier::debug
