// Values of attributes. See attribute_values.h.
#include "dialects/attribute_values.h"

#include <algorithm>

#include "dialects/host_value.h"
#include "dialects/modular/values.h"

namespace espalier::dialects {
namespace {

using text::quote;

constexpr std::uint64_t kMaxSeconds = 1'000'000;
constexpr std::uint64_t kSecond_us = 1'000'000;

// A time that has a unit behind it, or a comma in it.
std::string hint_of_time(std::string_view text) {
  std::string meant(text);
  std::replace(meant.begin(), meant.end(), ',', '.');
  if (!meant.empty() && meant.back() == 's') meant.pop_back();
  const bool is_meant = meant != text && modular::read_seconds_us(meant);
  return is_meant ? "write " + quote(meant) : "seconds as a decimal number, such as '0.5'";
}

}  // namespace

std::optional<std::uint32_t> read_whole(const Attribute& attribute, std::uint32_t least, std::uint32_t most, Rule rule,
                                        Reporter& reporter) {
  const std::optional<std::int64_t> number = dialects::read_whole(attribute.value());
  if (number && *number >= least && *number <= most) return static_cast<std::uint32_t>(*number);
  reporter.report(rule, attribute.value_span(),
                  quote(attribute.name()) + " is a whole number from " + std::to_string(least) + " to " +
                      std::to_string(most) + ", not " + quote(attribute.value()));
  return std::nullopt;
}

std::optional<std::uint64_t> read_seconds_us(const Attribute& attribute, Rule rule, Reporter& reporter) {
  const std::optional<std::int64_t> time_us = modular::read_seconds_us(attribute.value());
  if (time_us && *time_us >= 0 && static_cast<std::uint64_t>(*time_us) <= kMaxSeconds * kSecond_us) {
    return static_cast<std::uint64_t>(*time_us);
  }
  reporter.report(rule, attribute.value_span(),
                  quote(attribute.name()) + " is a time from 0 to " + std::to_string(kMaxSeconds) + " seconds, not " +
                      quote(attribute.value()),
                  time_us ? std::string() : hint_of_time(attribute.value()));
  return std::nullopt;
}

bool read_boolean(const Attribute& attribute, Rule rule, Reporter& reporter) {
  const std::string_view value = attribute.value();
  if (!attribute || value == "false") return false;
  if (value == "true") return true;
  std::string meant;
  for (const std::string_view word : {"true", "yes", "on", "1"}) {
    if (text::equal_any_case(value, word)) meant = "true";
  }
  for (const std::string_view word : {"false", "no", "off", "0"}) {
    if (text::equal_any_case(value, word)) meant = "false";
  }
  text::Finding& finding = reporter.report(rule, attribute.value_span(),
                                           quote(attribute.name()) + " is 'true' or 'false', not " + quote(value),
                                           meant.empty() ? std::string() : "write " + quote(meant));
  if (!meant.empty()) {
    finding.fixes = {text::make_fix(attribute.value_span(), value, meant, text::FixGrade::safe)};
  }
  return false;
}

}  // namespace espalier::dialects
