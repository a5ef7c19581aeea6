// Values of a host's attributes. See host_value.h.
#include "dialects/host_value.h"

#include <algorithm>
#include <charconv>

#include "dialects/modular/values.h"
#include "text/names.h"

namespace espalier::dialects {
namespace {

using ir::Parameter;
using ir::ParameterType;

// What the engines' integers hold, signed or not.
constexpr double kLeastWhole = -2147483648.0;
constexpr double kGreatestWhole = 4294967295.0;

constexpr std::string_view kDigits = "0123456789";

using modular::without_blanks_around;

std::optional<double> read_number_text(std::string_view text, NumberText numbers) {
  if (numbers == NumberText::plain) return read_decimal(text);
  const std::optional<modular::EngineNumber> number = modular::read_engine_number(text);
  if (!number) return std::nullopt;
  return number->is_finite() ? number->exact : static_cast<double>(number->value);
}

// As a message shows a limit: whole numbers without a fraction.
std::string shown(double number) {
  char digits[32];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number);
  return std::string(digits, end.ptr);
}

std::string list_of(const std::vector<std::string>& words) {
  constexpr std::size_t kMaxShown = 24;
  std::string list;
  const std::size_t shown = words.size() <= kMaxShown ? words.size() : kMaxShown - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + text::quote(words[i]);
  }
  return shown == words.size() ? list : list + " or one of " + std::to_string(words.size() - shown) + " more";
}

bool read_word(const std::vector<std::string>& words, std::string_view text, Parameter& parameter) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!text::equal_any_case(words[i], text)) continue;
    parameter.type = ParameterType::choice;
    parameter.text = words[i];
    parameter.whole = static_cast<std::int64_t>(i);
    return true;
  }
  return false;
}

std::string hint_of_words(const std::vector<std::string>& words, std::string_view text) {
  const std::string hint = text::did_you_mean(text, {words.begin(), words.end()});
  return hint.empty() ? "one of " + list_of(words) : hint;
}

bool read_boolean(std::string_view text, Parameter& parameter, NumberText numbers) {
  const std::optional<double> number = read_number_text(text, numbers);
  const bool is_true = number ? *number != 0 : text::equal_any_case(text, "true");
  parameter.whole = is_true ? 1 : 0;
  return number || is_true || text::equal_any_case(text, "false");
}

bool read_vector(std::string_view text, Parameter& parameter, NumberText numbers) {
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

// Of a number that was read: is it within the declared range?
bool check_range(const HostAttribute& attribute, double number, std::string_view text, ValueFault& fault) {
  const bool is_whole = attribute.type == ParameterType::whole;
  const std::optional<double> least = attribute.minimum || !is_whole ? attribute.minimum : kLeastWhole;
  const std::optional<double> greatest = attribute.maximum || !is_whole ? attribute.maximum : kGreatestWhole;
  if (least && number < *least) {
    fault.message = text::quote(text) + " is less than " + shown(*least);
  } else if (greatest && number > *greatest) {
    fault.message = text::quote(text) + " is more than " + shown(*greatest);
  }
  return fault.message.empty();
}

bool read_number(const HostAttribute& attribute, std::string_view text, Parameter& parameter, ValueFault& fault,
                 NumberText numbers) {
  if (read_word(attribute.words, text, parameter)) return true;
  if (attribute.type == ParameterType::whole) {
    const std::string_view digits = numbers == NumberText::plain ? text : without_blanks_around(text);
    if (const std::optional<std::int64_t> whole = read_whole(digits)) {
      parameter.whole = *whole;
      return check_range(attribute, static_cast<double>(*whole), text, fault);
    }
    fault.message = text::quote(text) + " is no whole number";
  } else {
    if (const std::optional<double> number = read_number_text(text, numbers)) {
      parameter.numbers[0] = *number;
      return check_range(attribute, *number, text, fault);
    }
    fault.message =
        text::quote(text) + (numbers == NumberText::plain ? " is no decimal number" : " is no number, all of it");
  }
  if (!attribute.words.empty()) {
    fault.message += " and not " + list_of(attribute.words);
    fault.hint = text::did_you_mean(text, {attribute.words.begin(), attribute.words.end()});
  }
  return false;
}

}  // namespace

const HostDeclaration* find_declaration(const std::vector<HostDeclaration>& sorted, std::string_view name) {
  const auto found =
      std::lower_bound(sorted.begin(), sorted.end(), name,
                       [](const HostDeclaration& host, std::string_view key) { return host.name < key; });
  return found != sorted.end() && found->name == name ? &*found : nullptr;
}

std::optional<double> read_decimal(std::string_view text) {
  std::string_view digits = text;
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
  const std::size_t point = digits.find('.');
  const std::string_view before = digits.substr(0, point);
  const std::string_view behind = point == std::string_view::npos ? std::string_view() : digits.substr(point + 1);
  const bool is_decimal = before.find_first_not_of(kDigits) == std::string_view::npos &&
                          behind.find_first_not_of(kDigits) == std::string_view::npos &&
                          before.size() + behind.size() > 0;
  if (!is_decimal) return std::nullopt;
  if (text[0] == '+') text.remove_prefix(1);
  double number = 0;
  const std::from_chars_result result =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const bool is_small = before.find_first_not_of('0') == std::string_view::npos;
  if (result.ec == std::errc::result_out_of_range && is_small) return 0;  // cannot be told from it
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> read_whole(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  std::int64_t whole = 0;
  const std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return whole;
}

std::optional<Parameter> read_value(const HostAttribute& attribute, std::string_view text, ValueFault& fault,
                                    NumberText numbers) {
  Parameter parameter;
  parameter.name = attribute.name;
  parameter.type = attribute.type;
  bool is_value = true;
  switch (attribute.type) {
    case ParameterType::text:
    case ParameterType::event:
    case ParameterType::script:
      parameter.text = text;
      break;
    case ParameterType::whole:
    case ParameterType::number:
      is_value = read_number(attribute, text, parameter, fault, numbers);
      break;
    case ParameterType::boolean:
      is_value = read_boolean(text, parameter, numbers);
      if (!is_value) fault = {text::quote(text) + " is neither true nor false", "'1' or '0'"};
      break;
    case ParameterType::choice:
      is_value = read_word(attribute.words, text, parameter);
      if (!is_value) {
        fault = {text::quote(text) + " is no word of " + text::quote(attribute.name),
                 hint_of_words(attribute.words, text)};
      }
      break;
    case ParameterType::vector:
      is_value = read_vector(text, parameter, numbers);
      if (!is_value) fault = {text::quote(text) + " is not three numbers", "three numbers with commas: '1,0,0.5'"};
      break;
  }
  if (!is_value) return std::nullopt;
  return parameter;
}

}  // namespace espalier::dialects
