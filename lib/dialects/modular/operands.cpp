// What nodes are given by their attributes. See tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/host_value.h"
#include "dialects/modular/tree_reader.h"
#include "dialects/modular/values.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

constexpr std::uint32_t kMaxLoops = 255;  // the engine keeps 8 bits
constexpr std::uint32_t kMaxUsers = 65535;

struct ReceiversWord {
  std::string_view word;
  Receivers receivers;
};
constexpr ReceiversWord kReceivers[] = {
    {"Sender", Receivers::sender}, {"Group", Receivers::group}, {"GroupExcludingSender", Receivers::others}};

// What the engine takes of a text that should be a number; empty: nothing.
std::string_view number_prefix(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  std::size_t end = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  end = std::min(text.find_first_not_of(kDigits, end), text.size());
  if (end < text.size() && text[end] == '.') end = std::min(text.find_first_not_of(kDigits, end + 1), text.size());
  return read_decimal(text.substr(0, end)) ? text.substr(0, end) : std::string_view();
}

}  // namespace

void TreeReader::read_operands(const Element& element, const CoreNode& core, const Attributes& attributes,
                               ir::Node& node, ir::Details& details) {
  switch (core.opcode) {
    case Opcode::tick_parallel:
      return read_modes(attributes, details);
    case Opcode::tick_loop:
      details.count = read_count(attributes[core.attributes[0].name], 0, kMaxLoops);
      return;
    case Opcode::tick_gate:
      return read_gate(attributes, node);
    case Opcode::tick_condition:
      if (const Attribute condition = attributes.filled("condition")) node.condition = read_condition(condition);
      return;
    case Opcode::tick_chance_gate:
      return read_chance_gate(attributes.filled("opensWithChance"), details);
    case Opcode::tick_time_gate:
    case Opcode::tick_time:
      return read_time(element, attributes, details);
    case Opcode::tick_limit:
      if (const Attribute most = attributes.filled("max")) details.count = read_count(most, 0, kMaxUsers);
      return;
    case Opcode::tick_scope:
      details.texts[0] = attributes["name"].value();
      details.count = read_count(attributes["allowedConcurrentUsers"], 1, kMaxUsers);
      return;
    case Opcode::tick_script_gate:
    case Opcode::tick_script:
      details.scripts[0] = read_script(attributes["code"], Rule::MBT_lua_syntax);
      return;
    case Opcode::tick_script_wrapper:
      details.scripts[0] = read_script(attributes["onEnter"], Rule::MBT_lua_dropped);
      details.scripts[1] = read_script(attributes["onExit"], Rule::MBT_lua_dropped);
      return;
    case Opcode::tick_message:
      details.texts[0] = attributes["message"].value();
      return;
    case Opcode::tick_wait:
      return read_wait(attributes, node, details);
    case Opcode::tick_wait_event:
      if (is_failure(attributes["result"])) details.flags = static_cast<std::uint8_t>(Result::failure);
      return read_event(attributes.filled("name"), details);
    case Opcode::tick_send:
      return read_event(attributes.filled("name"), details);
    case Opcode::tick_queue:
      read_receivers(attributes["filter"], details);
      return read_event(attributes.filled("name"), details);
    case Opcode::tick_result:
      if (core.name != "Breakpoint") return;
      reporter_.report(Rule::MBT_breakpoint, node.span,
                       "a Breakpoint stops the engine in a debugger, and does nothing here");
      return;
    default:
      return;
  }
}

void TreeReader::read_event(const Attribute& name, ir::Details& details) {
  if (name) details.signal = event(name.value(), name.value_span());
}

// ---- Parallel, gates ----------------------------------------------------------------------------

void TreeReader::read_modes(const Attributes& attributes, ir::Details& details) {
  if (is_mode(attributes["successMode"], "all", "any")) details.flags |= kSucceedsWithAny;
  if (is_mode(attributes["failureMode"], "any", "all")) details.flags |= kFailsWithAll;
}

// Is it `other`? Any word but the two is taken as the usual one.
bool TreeReader::is_mode(const Attribute& attribute, std::string_view usual, std::string_view other) {
  if (!attribute || attribute.value() == usual) return false;
  if (attribute.value() == other) return true;
  reporter_.report(Rule::MBT_unknown_word, attribute.value_span(),
                   text::quoted(attribute.name()) + " is 'all' or 'any', not " + text::quoted(attribute.value()) +
                       ": the engine takes " + text::quoted(usual),
                   text::did_you_mean(attribute.value(), {usual, other}));
  return false;
}

// What the condition must be is folded into it.
void TreeReader::read_gate(const Attributes& attributes, ir::Node& node) {
  if (const Attribute condition = attributes.filled("condition")) node.condition = read_condition(condition);
  const Attribute& equal_to = attributes["equalTo"];
  if (!equal_to) return;
  reporter_.report(Rule::MBT_deprecated, equal_to.name_span(), "'equalTo' is deprecated",
                   "write the condition that is meant, with '!'");
  if (read_boolean(equal_to, true) || !node.condition) return;
  std::vector<ir::Term>& terms = tree_.conditions[*node.condition].terms;
  const auto last = static_cast<std::uint32_t>(terms.size() - 1);
  terms.push_back({ir::TermKind::negation, last, 0, terms[last].begin, terms[last].end});
}

void TreeReader::read_chance_gate(const Attribute& chance, ir::Details& details) {
  if (!chance) return;
  if (const auto number = read_chance(chance.value())) {
    details.numbers[0] = *number;
  } else {
    report_number(chance);
  }
}

// ---- Time ---------------------------------------------------------------------------------------

void TreeReader::read_wait(const Attributes& attributes, ir::Node& node, ir::Details& details) {
  const Attribute duration = attributes.filled("duration");
  std::int64_t duration_us = duration ? read_time_us(duration) : 0;
  std::int64_t variation_us = read_time_us(attributes["variation"]);
  const bool is_timeout = details.flags == static_cast<std::uint8_t>(Result::failure);
  if (duration_us < 0 && is_timeout) {
    reporter_.report(Rule::MBT_negative_value, duration.value_span(),
                     "a negative Timeout fails at once or never, as the engine's clock is", "'0' fails at once");
    duration_us = 0;
  } else if (duration_us < 0) {
    reporter_.report(Rule::MBT_wait_forever, duration.value_span(), "a negative Wait never ends", "a Halt says so");
    node.opcode = Opcode::tick_result;
    details.flags = static_cast<std::uint8_t>(Result::running);
  }
  if (variation_us < 0) {
    reporter_.report(Rule::MBT_negative_value, attributes["variation"].value_span(),
                     "a negative variation shortens the wait", "make 'duration' shorter and 'variation' positive");
    // As far as that: down to nothing.
    variation_us = std::min(-variation_us, std::max(duration_us, std::int64_t{0}));
    duration_us -= variation_us;
  }
  details.numbers[0] = static_cast<std::uint64_t>(duration_us);
  details.numbers[1] = static_cast<std::uint64_t>(variation_us);
}

void TreeReader::read_time(const Element& element, const Attributes& attributes, ir::Details& details) {
  if (const Attribute since = attributes.filled("since")) details.timestamp = timestamp(since);
  const Attribute& more = attributes["isMoreThan"];
  const Attribute& less = attributes["isLessThan"];
  if (!more && !less) {
    reporter_.report(Rule::MBT_missing_attribute, element.span(),
                     text::quoted(element.name()) + " needs 'isMoreThan' or 'isLessThan'");
  }
  const std::int64_t more_us = read_time_us(more);
  const std::int64_t less_us = read_time_us(less);
  details.numbers[0] = static_cast<std::uint64_t>(more ? more_us : less_us);
  if (more && less) {
    reporter_.report(Rule::MBT_ignored_comparison, less.name_span(), "'isLessThan' is not read beside 'isMoreThan'", {},
                     {more.name_span(), "the one that counts"});
  } else if (less) {
    details.flags |= kTimeIsLess;
  }
  const Attribute& documented = attributes["orNeverBeenSet"];
  const Attribute& read_by_engine = attributes["succeedIfNeverBeenSet"];
  if (read_boolean(documented, false)) details.flags |= kTimeNeverSet;
  if (read_boolean(read_by_engine, false)) details.flags |= kTimeNeverSet;
  const bool is_wait = text::equal_any_case(element.name(), "WaitUntilTime");
  if (is_wait && documented && !read_by_engine) report_never_been_set(documented);
}

void TreeReader::report_never_been_set(const Attribute& documented) {
  text::Finding& finding =
      reporter_.report(Rule::MBT_never_been_set_spelling, documented.name_span(),
                       "the engine does not read 'orNeverBeenSet' here, but 'succeedIfNeverBeenSet'", "write both");
  Span end = documented.value_span();
  end.begin = ++end.end;  // behind the quote
  finding.fixes = {{end, " succeedIfNeverBeenSet=\"" + std::string(documented.value()) + "\""}};
}

// ---- Events -------------------------------------------------------------------------------------

bool TreeReader::is_failure(const Attribute& result) {
  if (!result || result.value() == "Success") return false;
  if (result.value() == "Failure") return true;
  reporter_.report(Rule::MBT_bad_value, result.value_span(),
                   "'result' is 'Success' or 'Failure', not " + text::quoted(result.value()),
                   text::did_you_mean(result.value(), {"Success", "Failure"}));
  return false;
}

void TreeReader::read_receivers(const Attribute& filter, ir::Details& details) {
  if (!filter) return;
  std::vector<std::string_view> words;
  for (const auto& [word, receivers] : kReceivers) {
    words.push_back(word);
    if (!text::equal_any_case(word, filter.value())) continue;
    details.flags |= static_cast<std::uint8_t>(static_cast<unsigned>(receivers) << kReceiversShift);
    return;
  }
  reporter_.report(Rule::MBT_unknown_word, filter.value_span(),
                   "'filter' is 'Sender', 'Group' or 'GroupExcludingSender', not " + text::quoted(filter.value()) +
                       ": the engine takes 'Sender'",
                   text::did_you_mean(filter.value(), words));
}

// ---- Values -------------------------------------------------------------------------------------

// All of these take an attribute that is not there as well, and report one that is no such value.

bool TreeReader::read_boolean(const Attribute& attribute, bool otherwise) {
  if (!attribute) return otherwise;
  HostAttribute declared;
  declared.name = attribute.name();
  declared.type = ir::ParameterType::boolean;
  ValueFault fault;
  const std::optional<ir::Parameter> value = read_value(declared, attribute.value(), fault);
  if (!value) {
    reporter_.report(Rule::MBT_bad_value, attribute.value_span(), std::move(fault.message), std::move(fault.hint));
    return otherwise;
  }
  check_spelling(attribute);
  return value->whole != 0;
}

// Of a boolean.
void TreeReader::check_spelling(const Attribute& attribute) {
  if (read_decimal(attribute.value())) return;
  const bool is_true = text::equal_any_case(attribute.value(), "true");
  const std::string number = is_true ? "1" : "0";
  text::Finding& finding = reporter_.report(
      Rule::MBT_boolean_spelling, attribute.value_span(),
      is_true ? "CRYENGINE reads 'true' as false: it takes numbers alone" : "CRYENGINE takes numbers alone",
      "write '" + number + "'");
  finding.fixes = {{attribute.value_span(), number}};
}

std::int64_t TreeReader::read_time_us(const Attribute& attribute) {
  if (!attribute) return 0;
  if (const auto time_us = read_seconds_us(attribute.value())) return *time_us;
  report_number(attribute);
  return 0;
}

void TreeReader::report_number(const Attribute& attribute) {
  const std::string_view prefix = number_prefix(attribute.value());
  reporter_.report(Rule::MBT_bad_value, attribute.value_span(),
                   text::quoted(attribute.name()) + " is a decimal number, not " + text::quoted(attribute.value()),
                   "the engine reads " + (prefix.empty() ? "'0'" : text::quoted(prefix)));
}

std::uint32_t TreeReader::read_count(const Attribute& attribute, std::uint32_t otherwise, std::uint32_t most) {
  if (!attribute) return otherwise;
  const std::optional<std::int64_t> number = read_whole(attribute.value());
  if (number && *number >= 0 && *number <= most) return static_cast<std::uint32_t>(*number);
  std::string hint;
  if (number && most == kMaxLoops) hint = "the engine keeps the low 8 bits: " + std::to_string(*number & kMaxLoops);
  reporter_.report(Rule::MBT_bad_value, attribute.value_span(),
                   text::quoted(attribute.name()) + " is a whole number from 0 to " + std::to_string(most) + ", not " +
                       text::quoted(attribute.value()),
                   std::move(hint));
  return otherwise;
}

// Nothing: there is none, or one that cannot be run.
std::optional<std::string> TreeReader::read_script(const Attribute& attribute, Rule rule) {
  if (attribute.value().empty()) return std::nullopt;
  if (options_.check_script) {
    if (const std::optional<std::string> fault = options_.check_script(attribute.value())) {
      reporter_.report(rule, attribute.value_span(), "this is no Lua: " + *fault);
      return std::nullopt;
    }
  }
  if (options_.note_script) {
    for (ScriptNote& note : options_.note_script(attribute.value())) {
      reporter_.report(Rule::MBT_lua_version, attribute.value_span(note.begin, note.end), std::move(note.message),
                       std::move(note.hint));
    }
  }
  return std::string(attribute.value());
}

}  // namespace espalier::dialects::modular
