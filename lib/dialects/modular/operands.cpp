// The operands of nodes, read from their attributes. See tree_reader.h.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "dialects/modular/tree_reader.h"
#include "dialects/reading/host.h"
#include "dialects/reading/numbers.h"
#include "rules/modular.h"
#include "runtime/format/opcodes/tick.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

constexpr float kMaxSeconds = 1e9F;  // more than 31 years

std::string not_valid(const Attribute& attribute) {
  return quote(attribute.value()) + " is not a valid value of " + quote(attribute.name());
}

// For messages: at most six digits.
std::string shown(float number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "infinity" : "-infinity";
  char digits[32];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number, std::chars_format::general, 6);
  return std::string(digits, end.ptr);
}

}  // namespace

// By kind of node. Others have no operands, or read them with their children.
void TreeReader::read_operands(const ElementRow& core, const Attributes& attributes, ir::Draft& node) {
  struct Row {
    Opcode opcode;
    void (TreeReader::*read)(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  };
  static constexpr Row kRows[] = {
      {opcode::tick_parallel, &TreeReader::read_modes},
      {opcode::tick_loop, &TreeReader::read_limit},
      {opcode::tick_guard, &TreeReader::read_gate},
      {opcode::tick_condition, &TreeReader::read_test},
      {opcode::tick_chance_guard, &TreeReader::read_chance_gate},
      {opcode::tick_time_guard, &TreeReader::read_time},
      {opcode::tick_time, &TreeReader::read_time},
      {opcode::tick_limit, &TreeReader::read_limit},
      {opcode::tick_scope, &TreeReader::read_scope},
      {opcode::tick_script_guard, &TreeReader::read_code},
      {opcode::tick_script, &TreeReader::read_code},
      {opcode::tick_script_wrapper, &TreeReader::read_code_around},
      {opcode::tick_message, &TreeReader::read_message},
      {opcode::tick_wait, &TreeReader::read_wait},
      {opcode::tick_wait_event, &TreeReader::read_awaited_event},
      {opcode::tick_send, &TreeReader::read_event},
      {opcode::tick_queue, &TreeReader::read_queued_event},
      {opcode::tick_result, &TreeReader::read_result},
  };
  const Row* const row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& each) { return each.opcode == core.opcode; });
  if (row != std::end(kRows)) (this->*row->read)(core, attributes, node);
}

void TreeReader::read_modes(const ElementRow& /*core*/, const Attributes& attributes, ir::Draft& node) {
  if (attributes.word("successMode", rules::MBT_unknown_value) != 0) node.flags |= kSucceedsWithAny;
  if (attributes.word("failureMode", rules::MBT_unknown_value) != 0) node.flags |= kFailsWithAll;
}

// The number is its first attribute.
void TreeReader::read_limit(const ElementRow& core, const Attributes& attributes, ir::Draft& node) {
  node.set(ir::Limit{attributes.whole(core.attributes[0].name).value_or(0), {}});
}

void TreeReader::read_scope(const ElementRow& /*core*/, const Attributes& attributes, ir::Draft& node) {
  node.set(ir::Limit{attributes.whole("allowedConcurrentUsers").value_or(1), std::string(attributes["name"].value())});
}

void TreeReader::read_code(const ElementRow& /*core*/, const Attributes& attributes, ir::Draft& node) {
  node.set(ir::Scripts{{read_script(attributes["code"], rules::MBT_lua_syntax)}});
}

void TreeReader::read_code_around(const ElementRow& /*core*/, const Attributes& attributes, ir::Draft& node) {
  node.set(ir::Scripts{{read_script(attributes["onEnter"], rules::MBT_lua_dropped),
                        read_script(attributes["onExit"], rules::MBT_lua_dropped)}});
}

void TreeReader::read_message(const ElementRow& /*core*/, const Attributes& attributes, ir::Draft& node) {
  node.set(ir::Texts{{std::string(attributes["message"].value())}});
}

void TreeReader::read_result(const ElementRow& core, const Attributes& /*attributes*/, ir::Draft& node) {
  if (core.name != "Breakpoint") return;
  reporter_.report(rules::MBT_breakpoint, node.span,
                   "'Breakpoint' stops the engine in a debugger; here it does nothing");
}

// ---- Events -------------------------------------------------------------------------------------

void TreeReader::read_event(const ElementRow& /*core*/, const Attributes& attributes, ir::Draft& node) {
  const Attribute name = attributes.filled("name");
  node.set(ir::Event{name ? event(name.value(), name.value_span()) : 0});
}

void TreeReader::read_awaited_event(const ElementRow& core, const Attributes& attributes, ir::Draft& node) {
  if (attributes.word("result") != 0) node.flags = static_cast<std::uint8_t>(Result::failure);
  read_event(core, attributes, node);
}

void TreeReader::read_queued_event(const ElementRow& core, const Attributes& attributes, ir::Draft& node) {
  node.flags |= static_cast<std::uint8_t>(attributes.word("filter", rules::MBT_unknown_value) << kReceiversShift);
  read_event(core, attributes, node);
}

// ---- Gates --------------------------------------------------------------------------------------

void TreeReader::read_test(const ElementRow& /*core*/, const Attributes& attributes, ir::Draft& node) {
  node.set(read_guard(attributes));
}

void TreeReader::read_gate(const ElementRow& /*core*/, const Attributes& attributes, ir::Draft& node) {
  const ir::Guard guard = read_guard(attributes);
  check_equal_to(attributes, guard);
  node.set(guard);
}

// The value that the condition must have is folded into it.
void TreeReader::check_equal_to(const Attributes& attributes, const ir::Guard& guard) {
  const Attribute& equal_to = attributes["equalTo"];
  if (!equal_to) return;
  const bool is_gone = options_.engine == GameEngine::cryengine_5_6;
  reporter_.report(rules::MBT_deprecated, equal_to.name_span(),
                   is_gone ? "'equalTo' is deprecated: CRYENGINE 5.6 ignores it" : "'equalTo' is deprecated",
                   "negate the condition with '!'");
  if (read_boolean(attributes, "equalTo") || !guard.condition) return;
  std::vector<ir::Term>& terms = tree_.conditions[*guard.condition].terms;
  const auto last = static_cast<std::uint32_t>(terms.size() - 1);
  terms.push_back({ir::TermKind::negation, last, 0, terms[last].begin, terms[last].end});
}

void TreeReader::read_chance_gate(const ElementRow& /*core*/, const Attributes& attributes, ir::Draft& node) {
  const Attribute chance = attributes.filled("opensWithChance");
  node.set(chance ? read_chance(chance) : ir::Chance());
}

ir::Chance TreeReader::read_chance(const Attribute& chance) {
  const std::optional<EngineNumber> number = read_engine_number(chance.value());
  if (!number) {
    report_number(chance);
    return {};
  }
  constexpr const char* kExpected = "expected a number from 0 to 1";
  if (std::isnan(number->value)) {
    report_doubtful(chance, not_valid(chance) + ": whether the gate opens is undefined", kExpected);
  } else if (number->value > 1) {
    const bool is_percentage = number->value <= 100;
    report_doubtful(
        chance, not_valid(chance) + ": the engine uses 1, and the gate always opens",
        is_percentage ? "for " + quote(chance.value()) + " %, use " + quote(shown(number->value / 100)) : kExpected);
  } else if (number->value < 0) {
    report_doubtful(chance, not_valid(chance) + ": the engine uses 0, and the gate never opens", kExpected);
  }
  return {number->chance};
}

// ---- Time ---------------------------------------------------------------------------------------

void TreeReader::read_wait(const ElementRow& /*core*/, const Attributes& attributes, ir::Draft& node) {
  const Attribute duration = attributes.filled("duration");
  const EngineNumber length = read_seconds(duration).value_or(EngineNumber());
  std::int64_t duration_us = length.time_us;
  std::int64_t variation_us = read_seconds(attributes["variation"]).value_or(EngineNumber()).time_us;
  const bool is_timeout = node.flags == static_cast<std::uint8_t>(Result::failure);
  if (std::isnan(length.value) && !is_timeout) {  // treated as negative: it is not >= 0
    node.opcode = opcode::tick_result;
    node.flags = static_cast<std::uint8_t>(Result::running);
  } else if (duration_us < 0 && is_timeout) {
    reporter_.report(rules::MBT_negative_value, duration.value_span(),
                     "a negative 'Timeout' fails at once or never, depending on the engine's clock",
                     "use '0' to fail at once");
    duration_us = 0;
  } else if (duration_us < 0) {
    reporter_.report(rules::MBT_wait_forever, duration.value_span(), "a negative 'Wait' never ends", "use 'Halt'");
    node.opcode = opcode::tick_result;
    node.flags = static_cast<std::uint8_t>(Result::running);
  }
  if (variation_us < 0) {
    reporter_.report(rules::MBT_negative_value, attributes["variation"].value_span(),
                     "a negative 'variation' shortens the wait", "use a shorter 'duration' and a positive 'variation'");
    // The shortest duration is 0.
    variation_us = std::min(-variation_us, std::max(duration_us, std::int64_t{0}));
    duration_us -= variation_us;
  }
  if (node.opcode != opcode::tick_wait) return;
  node.set(ir::Duration{static_cast<std::uint64_t>(duration_us), static_cast<std::uint64_t>(variation_us)});
}

void TreeReader::read_time(const ElementRow& core, const Attributes& attributes, ir::Draft& node) {
  ir::TimeTest test;
  if (const Attribute since = attributes.filled("since")) test.timestamp = timestamp(since);
  const Attribute& more = attributes["isMoreThan"];
  const Attribute& less = attributes["isLessThan"];
  const std::int64_t more_us = read_seconds(more).value_or(EngineNumber()).time_us;
  const std::int64_t less_us = read_seconds(less).value_or(EngineNumber()).time_us;
  test.threshold_us = static_cast<std::uint64_t>(more ? more_us : less_us);
  if (more && less) {
    reporter_.report(rules::MBT_ignored_comparison, less.name_span(),
                     "'isLessThan' is ignored: 'isMoreThan' is present", {}, {more.name_span(), "this one is read"});
  } else if (less) {
    node.flags |= kTimeIsLess;
  }
  const Attribute& documented = attributes["orNeverBeenSet"];
  const Attribute& read_by_engine = attributes["succeedIfNeverBeenSet"];
  if (read_boolean(attributes, "orNeverBeenSet")) node.flags |= kTimeNeverSet;
  if (read_boolean(attributes, "succeedIfNeverBeenSet")) node.flags |= kTimeNeverSet;
  const bool is_wait = find_attribute(table(), core, "succeedIfNeverBeenSet") != nullptr;
  if (is_wait && documented && !read_by_engine) report_never_been_set(documented);
  node.set(test);
}

void TreeReader::report_never_been_set(const Attribute& documented) {
  text::Finding& finding =
      reporter_.report(rules::MBT_never_been_set_spelling, documented.name_span(),
                       "the engine ignores 'orNeverBeenSet' here: it reads 'succeedIfNeverBeenSet'", "use both");
  Span end = documented.value_span();
  end.begin = ++end.end;  // after the quote
  finding.fixes = {text::make_fix(end, {}, " succeedIfNeverBeenSet=\"" + std::string(documented.value()) + "\"",
                                  text::FixGrade::unsafe)};
}

// ---- Values -------------------------------------------------------------------------------------

bool TreeReader::read_boolean(const Attributes& attributes, std::string_view name) {
  check_boolean_spelling(attributes[name]);
  return attributes.boolean(name);
}

// For a boolean: the engines read the whole number at its beginning, and Lumberyard also the two words. Any other text
// is reported elsewhere.
void TreeReader::check_boolean_spelling(const Attribute& attribute) {
  const std::string_view value = without_blanks_around(attribute.value());
  const bool is_word = text::equal_any_case(value, "true") || text::equal_any_case(value, "false");
  const std::optional<EngineNumber> number = read_engine_number(value);
  if (read_whole(value) || (!is_word && !number)) return;
  if (is_word && options_.engine == GameEngine::lumberyard_1) return;
  const bool is_true = number ? number->value != 0 : text::equal_any_case(value, "true");
  const bool reads_true = number && std::abs(number->value) >= 1;
  const std::string written = is_true ? "1" : "0";
  const std::string reader = is_word ? "CRYENGINE" : engine();
  text::Finding& finding = reporter_.report(
      rules::MBT_boolean_spelling, attribute.value_span(),
      is_true && !reads_true ? reader + " reads " + quote(value) + " as false: it accepts only whole numbers"
                             : reader + " accepts only whole numbers as booleans",
      "use '" + written + "'");
  const auto grade = is_true == reads_true ? text::FixGrade::safe : text::FixGrade::unsafe;
  finding.fixes = {text::make_fix(attribute.value_span(), attribute.value(), written, grade)};
}

// Seconds; nothing if the attribute is missing or not a number.
std::optional<EngineNumber> TreeReader::read_seconds(const Attribute& attribute) {
  if (!attribute) return std::nullopt;
  std::optional<EngineNumber> number = read_engine_number(attribute.value());
  if (!number) {
    report_number(attribute);
  } else if (!number->is_finite()) {
    check_finite(attribute, *number, ", which its clock cannot hold");
  } else if (std::abs(number->value) > kMaxSeconds) {
    report_doubtful(attribute, not_valid(attribute) + ": the engine reads " + shown(number->value) +
                                   " seconds, more than 31 years");
  }
  return number;
}

void TreeReader::check_finite(const Attribute& attribute, const EngineNumber& number, std::string_view consequence) {
  if (number.is_finite()) return;
  report_doubtful(attribute,
                  not_valid(attribute) + ": the engine reads " + shown(number.value) + std::string(consequence));
}

// A value that the engine accepts, but not with the meaning that was intended. Consequences are not reported again.
void TreeReader::report_doubtful(const Attribute& attribute, std::string message, std::string hint) {
  is_doubtful_ = true;
  reporter_.report(rules::MBT_doubtful_value, attribute.value_span(), std::move(message), std::move(hint));
}

void TreeReader::report_number(const Attribute& attribute) {
  const std::string_view prefix = engine_number_prefix(attribute.value());
  reporter_.report(rules::MBT_bad_value, attribute.value_span(), not_valid(attribute),
                   "expected a number: the engine reads " + (prefix.empty() ? "'0'" : quote(prefix)));
}

// The "--" of a comment that hides code of later lines: the line ends of an attribute are blanks.
std::optional<Span> TreeReader::comment_over_code(const Attribute& attribute,
                                                  const std::vector<ScriptNote>& notes) const {
  const auto comment = std::find_if(notes.begin(), notes.end(), [](const auto& note) { return note.message.empty(); });
  if (comment == notes.end()) return std::nullopt;
  const Span span = attribute.value_span(comment->begin, comment->end);
  std::string_view written = source_.substr(span.begin, span.end - span.begin);
  while (true) {
    const std::size_t line_end = written.find_first_of("\r\n");
    if (line_end == std::string_view::npos) return std::nullopt;
    written.remove_prefix(std::min(written.find_first_not_of(" \t\r\n", line_end), written.size()));
    if (written.empty() || written.starts_with("--")) continue;
    return attribute.value_span(comment->begin, comment->begin + 2);
  }
}

// Empty if there is none or it does not compile.
std::string TreeReader::read_script(const Attribute& attribute, Rule rule) {
  if (attribute.value().empty()) return {};
  constexpr const char* kMend = "write '--[[ ... ]]', or '&#10;' at the end of its line";
  std::vector<ScriptNote> notes;
  if (options_.note_script) notes = options_.note_script(attribute.value());
  const std::optional<Span> comment = comment_over_code(attribute, notes);
  if (options_.check_script) {
    if (const std::optional<std::string> fault = options_.check_script(attribute.value())) {
      std::string hint = options_.hint_script ? options_.hint_script(attribute.value()) : std::string();
      if (comment) hint = kMend;
      text::Finding& finding =
          reporter_.report(rule, attribute.value_span(), "Lua syntax error: " + *fault, std::move(hint));
      if (comment) finding.related.push_back({*comment, "this comment hides all lines after it"});
      return {};
    }
  }
  if (comment) {
    reporter_.report(rules::MBT_comment_hides_code, *comment,
                     "this comment hides all lines after it: line ends in attributes are blanks", kMend);
  }
  for (ScriptNote& note : notes) {
    if (note.message.empty()) continue;
    reporter_.report(rules::MBT_lua_version, attribute.value_span(note.begin, note.end), std::move(note.message),
                     std::move(note.hint));
  }
  return std::string(attribute.value());
}

}  // namespace espalier::dialects::modular
