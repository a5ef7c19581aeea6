// Ports and entries of trees that poll, by name and type, in C++17: what polling.h does with numbers and kinds.
//
//   espalier_result drive(const Call* call) {
//     const std::optional<double> speed = port<double>(call, "speed");   // an input
//     if (!speed) return Result::failure;
//     return set_port(call, "distance", 2.5) ? Result::success : Result::failure;  // an output
//   }
//
// T is bool, a number, or a text that is made of its characters, such as std::string, which you include. What is there
// must be a T without loss: 2.0 is an int and 2.5 is none, only 0 and 1 are also bools, and a text is a number if all
// of it is written like one ("0.5"; "true" and "false" as bools). A number is no text. std::nullopt, or false: there is
// no such port or entry, it has no value, or not of this type.
#pragma once
#include "espalier.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace espalier {

using Value = espalier_value;

namespace internal {

inline constexpr double kEnd = 9223372036854775808.0;  // 2^63, which int64_t cannot hold

// All of a text as a number, whole if it is written like one.
inline std::optional<Value> number_of(std::string_view text) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  Value value;
  if (const auto read = std::from_chars(begin, end, value.whole); read.ec == std::errc() && read.ptr == end) {
    value.kind = ESPALIER_VALUE_WHOLE;
    return value;
  }
  value.kind = ESPALIER_VALUE_REAL;
#if defined(__cpp_lib_to_chars)
  const auto read = std::from_chars(begin, end, value.real);
  const bool is_number = read.ec == std::errc() && read.ptr == end;
#else  // a C++ library that reads whole numbers only
  constexpr std::size_t kMostDigits = 400;
  char digits[kMostDigits + 1] = {};  // ended by NUL
  if (text.size() <= kMostDigits) std::memcpy(digits, begin, text.size());
  char* rest = nullptr;
  value.real = std::strtod(digits, &rest);
  const bool is_number = !text.empty() && text.size() <= kMostDigits && rest == digits + text.size() &&
                         text.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
#endif
  return is_number ? std::optional<Value>(value) : std::nullopt;
}

// The whole number that a number is, if it is one.
inline std::optional<std::int64_t> whole_of(const Value& number) {
  if (number.kind != ESPALIER_VALUE_REAL) return number.whole;
  if (!(number.real >= -kEnd && number.real < kEnd)) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(number.real);
  return static_cast<double>(whole) == number.real ? std::optional<std::int64_t>(whole) : std::nullopt;
}

template <typename T>
std::optional<T> number_as(const Value& number) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool is_real = number.kind == ESPALIER_VALUE_REAL;
    return is_real ? static_cast<T>(number.real) : static_cast<T>(number.whole);
  } else {
    const std::optional<std::int64_t> whole = whole_of(number);
    if (!whole || (std::is_unsigned_v<T> && *whole < 0)) return std::nullopt;
    if (std::is_same_v<T, bool> && *whole > 1) return std::nullopt;
    const auto result = static_cast<T>(*whole);
    return static_cast<std::int64_t>(result) == *whole ? std::optional<T>(result) : std::nullopt;
  }
}

}  // namespace internal

// A value as a T.
template <typename T>
std::optional<T> value_as(const Value& value) {
  static_assert(!std::is_same_v<T, std::string_view>, "the characters would be gone: take a text that owns its own");
  if (value.kind == ESPALIER_VALUE_NONE) return std::nullopt;
  const bool is_text = value.kind == ESPALIER_VALUE_TEXT;
  const std::string_view text = is_text ? std::string_view(value.text, value.text_bytes) : std::string_view();
  if constexpr (!std::is_arithmetic_v<T>) {
    return is_text ? std::optional<T>(std::in_place, text.data(), text.size()) : std::nullopt;
  } else {
    if (!is_text) return internal::number_as<T>(value);
    if (std::is_same_v<T, bool> && (text == "true" || text == "false")) return static_cast<T>(text == "true");
    const std::optional<Value> number = internal::number_of(text);
    return number ? internal::number_as<T>(*number) : std::nullopt;
  }
}

// A value to be written. Of a text: it must outlive the Value.
template <typename T>
Value value_of(const T& from) {
  Value value;
  if constexpr (std::is_arithmetic_v<T>) {
    const bool is_real =
        std::is_floating_point_v<T> || (std::is_unsigned_v<T> && static_cast<double>(from) >= internal::kEnd);
    value.kind = is_real ? ESPALIER_VALUE_REAL : std::is_unsigned_v<T> ? ESPALIER_VALUE_UNSIGNED : ESPALIER_VALUE_WHOLE;
    value.real = static_cast<double>(from);
    value.whole = is_real ? 0 : static_cast<std::int64_t>(from);
  } else {
    const std::string_view text = from;
    value.kind = ESPALIER_VALUE_TEXT;
    value.text = text.data();
    value.text_bytes = static_cast<std::uint32_t>(text.size());
  }
  return value;
}

// ---- Ports, during a call

// An input of the node that calls: the value of its attribute, of the entry that this names, or of the default.
template <typename T>
std::optional<T> port(const Call* call, const char* name) {
  std::uint32_t number = 0;
  Value value;
  char buffer[ESPALIER_NUMBER_TEXT];
  const bool is_read =
      espalier_find_port(call, name, &number) == ESPALIER_OK && espalier_read_port(call, number, &value, buffer);
  return is_read ? value_as<T>(value) : std::nullopt;
}

// An output. T: also a string literal or std::string_view. False: there is no such port; or the entry has another type,
// and the update ends with an error.
template <typename T>
[[nodiscard]] bool set_port(const Call* call, const char* name, const T& to) {
  std::uint32_t number = 0;
  if (espalier_find_port(call, name, &number) != ESPALIER_OK) return false;
  if constexpr (std::is_same_v<T, bool>) {
    return espalier_write_port_boolean(call, number, to);
  } else {
    const Value value = value_of(to);
    return espalier_write_port(call, number, &value);
  }
}

// ---- Entries, between updates

// Of the blackboard of the subtree with this path; empty: the tree's own.
[[nodiscard]] inline Status find_entry(const Tree& tree, const char* path, const char* name, std::uint32_t* entry) {
  return espalier_find_entry(tree, path, name, entry);
}

template <typename T>
std::optional<T> entry(const Tree& tree, const void* block, std::uint32_t number) {
  Value value;
  return espalier_entry(tree, block, number, &value) ? value_as<T>(value) : std::nullopt;
}

// False: it cannot be converted to the type of the entry, or a text is too long; the entry is then as before.
template <typename T>
[[nodiscard]] bool set_entry(const Tree& tree, void* block, std::uint32_t number, const T& to) {
  if constexpr (std::is_same_v<T, bool>) {
    return espalier_set_entry_boolean(tree, block, number, to);
  } else {
    const Value value = value_of(to);
    return espalier_set_entry(tree, block, number, &value);
  }
}

}  // namespace espalier
