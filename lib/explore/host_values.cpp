// Values between literals. See host_values.h.
#include "explore/host_values.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "text/json.h"

namespace espalier::explore {
namespace {

// A number between two others, whole if there is one.
double between(double low, double high) {
  const double whole = std::floor(low) + 1;
  return whole < high ? whole : low + (high - low) / 2;
}

EntryValue entry_value_of(double number) {
  const bool is_whole = number == std::floor(number);
  return {is_whole ? EntryValue::Kind::whole : EntryValue::Kind::real, number, {}};
}

EntryValue entry_value_of(std::string text) { return {EntryValue::Kind::text, 0, std::move(text)}; }

std::vector<double> numbers_around(std::vector<double> literals) {
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  std::vector<double> numbers = literals;
  if (literals.empty()) return numbers;
  for (std::size_t i = 1; i < literals.size(); ++i) numbers.push_back(between(literals[i - 1], literals[i]));
  numbers.push_back(std::floor(literals.back()) + 1);
  numbers.push_back(std::ceil(literals.front()) - 1);
  return numbers;
}

}  // namespace

void Literals::add(const Literals& other) {
  numbers.insert(numbers.end(), other.numbers.begin(), other.numbers.end());
  texts.insert(texts.end(), other.texts.begin(), other.texts.end());
  is_boolean = is_boolean || other.is_boolean;
  is_text = is_text || other.is_text;
  is_whole = is_whole || other.is_whole;
  is_natural = is_natural || other.is_natural;
  is_any = is_any || other.is_any;
}

std::vector<EntryValue> representatives(const Literals& literals) {
  std::vector<EntryValue> values;
  std::vector<std::string> texts = literals.texts;
  const bool is_truth = std::all_of(literals.numbers.begin(), literals.numbers.end(),
                                    [](double number) { return number == 0 || number == 1; });
  if (literals.is_text) {
    for (const double number : numbers_around(literals.numbers)) texts.push_back(replay::number_text(number));
  } else if (literals.is_boolean && is_truth) {
    for (const double truth : {1.0, 0.0}) values.push_back({EntryValue::Kind::boolean, truth, {}});
  } else {
    for (const double number : numbers_around(literals.numbers)) values.push_back(entry_value_of(number));
  }
  std::erase_if(values, [&](const EntryValue& value) {
    return (literals.is_whole && value.kind == EntryValue::Kind::real) || (literals.is_natural && value.number < 0);
  });
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  if (literals.is_any && values.empty()) values.push_back(entry_value_of(1));
  if (literals.is_text || literals.is_any || !texts.empty()) {
    std::string other = "other";
    while (std::find(texts.begin(), texts.end(), other) != texts.end()) other += '_';
    texts.push_back(other);
  }
  for (std::string& text : texts) values.push_back(entry_value_of(std::move(text)));
  if (values.empty()) values.push_back(entry_value_of(1));
  return values;
}

std::string text_of(const EntryValue& value) {
  switch (value.kind) {
    case EntryValue::Kind::boolean:
      return value.number != 0 ? "true" : "false";
    case EntryValue::Kind::text:
      return text::json_string(value.text);
    default:
      return replay::number_text(value.number);
  }
}

}  // namespace espalier::explore
