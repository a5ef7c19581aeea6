// Values. See values.h.
#include "dialects/reading/values.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dialects/reading/numbers.h"
#include "dialects/reading/synonyms.h"
#include "text/characters.h"
#include "text/names.h"

namespace espalier::dialects {
namespace {

using ir::Parameter;
using ir::ParameterType;

constexpr double kSecond_us = 1e6;

// The parameter that holds a value, and what is expected where another text is given.
struct TypeRow {
  ParameterType parameter;
  std::string_view description;
};

// In the order of ValueType.
constexpr TypeRow kTypeRows[] = {
    {ParameterType::text, ""},
    {ParameterType::text, "a name"},
    {ParameterType::whole, "a whole number"},
    {ParameterType::number, "a number"},
    {ParameterType::whole, "seconds"},
    {ParameterType::boolean, "'true' or 'false'"},
    {ParameterType::boolean, "'1' or '0'"},
    {ParameterType::choice, ""},
    {ParameterType::text, "names with blanks between them"},
    {ParameterType::text, "names with blanks between them, '!' before those that must be absent"},
    {ParameterType::vector, "three numbers with commas, such as '1,0,0.5'"},
    {ParameterType::event, "an event"},
    {ParameterType::text, "a condition"},
    {ParameterType::script, "a script"},
};

const TypeRow& type_row(const Value& value) { return kTypeRows[static_cast<std::size_t>(value.type)]; }

std::optional<double> read_number_text(std::string_view text, NumberText numbers) {
  if (numbers == NumberText::plain) return read_decimal(text);
  const std::optional<EngineNumber> number = read_engine_number(text);
  if (!number) return std::nullopt;
  return number->is_finite() ? number->exact : static_cast<double>(number->value);
}

// By comparison: NaN is not out of range.
bool is_in_range(const Value& value, double number) { return !(number < value.least) && !(number > value.most); }

bool read_word(const Value& value, std::string_view text, Parameter& parameter) {
  for (std::size_t i = 0; i < value.words.size(); ++i) {
    if (value.any_case ? !text::equal_any_case(value.words[i], text) : value.words[i] != text) continue;
    parameter.type = ParameterType::choice;
    parameter.text = value.words[i];
    parameter.whole = static_cast<std::int64_t>(i);
    return true;
  }
  return false;
}

bool read_any_number(const Value& value, std::string_view text, NumberText numbers, Parameter& parameter) {
  if (read_word(value, text, parameter)) return true;
  if (value.type == ValueType::number) {
    const std::optional<double> number = read_number_text(text, numbers);
    parameter.numbers[0] = number.value_or(0);
    return number && is_in_range(value, *number);
  }
  const std::optional<std::int64_t> number =
      read_whole(numbers == NumberText::plain ? text : without_blanks_around(text));
  parameter.whole = number.value_or(0);
  return number && is_in_range(value, static_cast<double>(*number));
}

bool read_any_boolean(std::string_view text, NumberText numbers, Parameter& parameter) {
  const std::optional<double> number = read_number_text(text, numbers);
  const bool is_true = number ? *number != 0 : text::equal_any_case(text, "true");
  parameter.whole = is_true ? 1 : 0;
  return number || is_true || text::equal_any_case(text, "false");
}

bool read_vector(std::string_view text, NumberText numbers, Parameter& parameter) {
  for (double& number : parameter.numbers) {
    const bool is_last = &number == &parameter.numbers[2];
    const std::size_t comma = is_last ? text.size() : text.find(',');
    if (comma == std::string_view::npos) return false;
    const std::optional<double> read = read_number_text(without_blanks_around(text.substr(0, comma)), numbers);
    if (!read) return false;
    number = *read;
    text.remove_prefix(is_last ? comma : comma + 1);
  }
  return true;
}

bool read_time(const Value& value, std::string_view text, Parameter& parameter) {
  const std::optional<std::int64_t> time_us = read_seconds_us(text);
  parameter.whole = time_us.value_or(0);
  return time_us && is_in_range(value, static_cast<double>(*time_us) / kSecond_us);
}

bool is_valid(const Value& value, std::string_view text, NumberText numbers, Parameter& parameter) {
  switch (value.type) {
    case ValueType::whole:
    case ValueType::number:
      return read_any_number(value, text, numbers, parameter);
    case ValueType::seconds:
      return read_time(value, text, parameter);
    case ValueType::boolean:
      parameter.whole = text == "true" ? 1 : 0;
      return text == "true" || text == "false";
    case ValueType::any_boolean:
      return read_any_boolean(text, numbers, parameter);
    case ValueType::word:
      return read_word(value, text, parameter);
    case ValueType::vector:
      return read_vector(text, numbers, parameter);
    default:
      parameter.text = text;
      return true;
  }
}

// " from 1 to 16", " of at least 1", or nothing.
std::string range_of(const Value& value) {
  const bool has_least = std::isfinite(value.least);
  const bool has_most = std::isfinite(value.most);
  if (has_least && has_most) return " from " + shown(value.least) + " to " + shown(value.most);
  if (has_least) return " of at least " + shown(value.least);
  return has_most ? " of at most " + shown(value.most) : std::string();
}

// The boolean meant by other common words.
std::string meant_boolean(std::string_view text) {
  for (const std::string_view word : {"true", "yes", "on", "1"}) {
    if (text::equal_any_case(text, word)) return "true";
  }
  for (const std::string_view word : {"false", "no", "off", "0"}) {
    if (text::equal_any_case(text, word)) return "false";
  }
  return {};
}

// The seconds meant by a time with a unit or with a decimal comma.
std::string meant_seconds(const Value& value, std::string_view text) {
  std::string meant(text);
  std::replace(meant.begin(), meant.end(), ',', '.');
  if (!meant.empty() && meant.back() == 's') meant.pop_back();
  Parameter unused;
  return meant != text && read_time(value, meant, unused) ? meant : std::string();
}

ValueFault fault_of(std::string_view name, const Value& value, std::string_view text) {
  ValueFault fault{quote(text) + " is not a valid value of " + quote(name)};
  if (value.type == ValueType::boolean) fault.replacement = meant_boolean(text);
  if (value.type == ValueType::seconds) fault.hint = meant_seconds(value, text);
  if (!fault.replacement.empty() || !fault.hint.empty()) {
    fault.hint = "write " + quote(fault.replacement.empty() ? fault.hint : fault.replacement);
    return fault;
  }
  std::vector<std::string_view> words(value.words.begin(), value.words.end());
  if (value.type == ValueType::boolean) words = {"true", "false"};
  fault.replacement = text::nearest(text, words);
  fault.of = Guess::Of::word;
  const std::string meant = fault.replacement.empty() ? std::string(synonym_of_value(text, words)) : fault.replacement;
  fault.hint = meant.empty() ? "expected " + describe(value) : did_you_mean(meant);
  return fault;
}

}  // namespace

std::vector<Word> words_of(std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  std::vector<Word> words;
  for (std::uint32_t begin = 0, end = 0; begin < size; begin = end + 1) {
    end = begin;
    while (end < size && !text::is_space(text[end])) ++end;
    if (end != begin) words.push_back({text.substr(begin, end - begin), begin});
  }
  return words;
}

std::string describe(const Value& value) {
  std::string text(type_row(value).description);
  if (value.type == ValueType::word)
    return (value.words.size() > 2 ? "one of " : "") + list_of({value.words.begin(), value.words.end()}, "or");
  if (value.type == ValueType::seconds) return text + range_of(value) + ", such as '0.5'";
  if (value.type != ValueType::whole && value.type != ValueType::number) return text;
  text += range_of(value);
  for (const std::string_view word : value.words) text += " or " + quote(word);
  return text;
}

std::optional<Parameter> read_value(std::string_view name, const Value& value, std::string_view text,
                                    NumberText numbers, ValueFault& fault) {
  Parameter parameter;
  parameter.name = name;
  parameter.type = type_row(value).parameter;
  if (is_valid(value, text, numbers, parameter)) return parameter;
  fault = fault_of(name, value, text);
  return std::nullopt;
}

text::Finding& report_fault(Rule rule, Where where, std::string_view written, ValueFault fault, Reporter& reporter) {
  text::Finding& finding = reporter.report(rule, where, std::move(fault.message), std::move(fault.hint));
  reporter.propose(finding, written, fault.replacement, fault.of);
  return finding;
}

}  // namespace espalier::dialects
