// What versions of libc++ lack of C++20: 13, which emscripten 3.1.6 has, and 14 to 19, as on a Mac. Presets that use
// one include this before each file. Conversions give what the standard says they do, from the exact ones of the C
// library.
#pragma once
#include <charconv>

#ifdef _LIBCPP_VERSION
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <locale>  // with what the system has for locales
#include <memory>
#include <string>
#include <system_error>
#include <type_traits>

#if _LIBCPP_VERSION < 14000
namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

template <class Array>
unique_ptr<Array> make_unique_for_overwrite(size_t size) {
  return unique_ptr<Array>(new remove_extent_t<Array>[size]);
}

inline string espalier_printed(const char* form, int digits, double number) {
  string text(400, '\0');
  text.resize(static_cast<size_t>(snprintf(text.data(), text.size(), form, digits, number)));
  return text;
}

// With the fewest digits that read back as the same number.
inline string espalier_shortest(const char* form, double number) {
  int digits = 0;
  string text = espalier_printed(form, digits, number);
  while (isfinite(number) && strtod(text.c_str(), nullptr) != number) text = espalier_printed(form, ++digits, number);
  return text;
}

inline to_chars_result espalier_written(char* first, char* last, const string& text) {
  if (static_cast<size_t>(last - first) < text.size()) return {last, errc::value_too_large};
  memcpy(first, text.data(), text.size());
  return {first + text.size(), errc()};
}

inline to_chars_result to_chars(char* first, char* last, double number, chars_format form) {
  return espalier_written(first, last, espalier_shortest(form == chars_format::fixed ? "%.*f" : "%.*e", number));
}

inline to_chars_result to_chars(char* first, char* last, double number) {
  const string fixed = espalier_shortest("%.*f", number);
  const string scientific = espalier_shortest("%.*e", number);
  return espalier_written(first, last, fixed.size() <= scientific.size() ? fixed : scientific);
}

inline to_chars_result to_chars(char* first, char* last, double number, chars_format form, int digits) {
  return espalier_written(first, last, espalier_printed(form == chars_format::fixed ? "%.*f" : "%.*g", digits, number));
}

}  // namespace std
#endif

#if _LIBCPP_VERSION < 200000
namespace std {

// As in C, whatever the locale is.
template <class Number>
Number espalier_number(const char* text) {
#ifdef __EMSCRIPTEN__  // which has no other
  return is_same_v<Number, float> ? strtof(text, nullptr) : static_cast<Number>(strtod(text, nullptr));
#else
  static const locale_t classic = newlocale(LC_ALL_MASK, "C", nullptr);
  return is_same_v<Number, float> ? strtof_l(text, nullptr, classic)
                                  : static_cast<Number>(strtod_l(text, nullptr, classic));
#endif
}

// Skips a word, in any case.
inline bool espalier_skips(const char*& at, const char* last, const char* word) {
  const char* to = at;
  for (; *word != '\0'; ++word, ++to) {
    if (to == last || (*to | 0x20) != *word) return false;
  }
  at = to;
  return true;
}

// Words for numbers: "inf", "infinity", "nan" and "nan(WORD)".
template <class Number>
bool espalier_special(const char*& at, const char* last, Number* number) {
  if (espalier_skips(at, last, "inf")) {
    espalier_skips(at, last, "inity");
    *number = numeric_limits<Number>::infinity();
    return true;
  }
  if (!espalier_skips(at, last, "nan")) return false;
  *number = numeric_limits<Number>::quiet_NaN();
  if (at == last || *at != '(') return true;
  const auto is_in_word = [](char letter) {
    const char lower = static_cast<char>(letter | 0x20);
    return letter == '_' || (letter >= '0' && letter <= '9') || (lower >= 'a' && lower <= 'z');
  };
  const char* to = at + 1;
  while (to != last && is_in_word(*to)) ++to;
  if (to != last && *to == ')') at = to + 1;
  return true;
}

template <class Number>
enable_if_t<is_floating_point_v<Number>, from_chars_result> from_chars(const char* first, const char* last,
                                                                       Number& number,
                                                                       chars_format form = chars_format::general) {
  const bool is_hexadecimal = form == chars_format::hex;
  const char* at = first;
  bool is_zero = true;
  const auto skip_digits = [&](bool counts) {
    const char* const begin = at;
    for (; at != last; ++at) {
      const char letter = static_cast<char>(*at | 0x20);
      if (!(*at >= '0' && *at <= '9') && !(is_hexadecimal && counts && letter >= 'a' && letter <= 'f')) break;
      is_zero = is_zero && (!counts || *at == '0');
    }
    return static_cast<size_t>(at - begin);
  };
  if (at != last && *at == '-') ++at;
  const char* const digits = at;
  if (Number special; espalier_special(at, last, &special)) {
    number = digits == first ? special : -special;
    return {at, errc()};
  }
  size_t count = skip_digits(true);
  if (at != last && *at == '.') {
    ++at;
    count += skip_digits(true);
  }
  if (count == 0) return {first, errc::invalid_argument};
  const char* const end = at;
  if (form != chars_format::fixed && at != last && (*at | 0x20) == (is_hexadecimal ? 'p' : 'e')) {
    ++at;
    if (at != last && (*at == '+' || *at == '-')) ++at;
    if (skip_digits(false) == 0) at = end;
  }
  const string text = (is_hexadecimal ? "0x" : "") + string(digits, at);
  const Number size = espalier_number<Number>(text.c_str());
  if (isinf(size) || (size == 0 && !is_zero)) return {at, errc::result_out_of_range};
  number = digits == first ? size : -size;
  return {at, errc()};
}

}  // namespace std
#endif
#endif
