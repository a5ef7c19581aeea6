// Numbers as text, written without the C library, whose functions follow the host's locale. A double becomes the
// shortest decimal that reads back the same (Burger and Dybvig: Printing floating-point numbers quickly and accurately,
// 1996), in the form of printf's %g.
#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>

namespace espalier {

// A whole number of as many bits as a double's largest and smallest values need.
class LargeNumber {
 public:
  explicit LargeNumber(std::uint64_t value) {
    words_[0] = static_cast<std::uint32_t>(value);
    words_[1] = static_cast<std::uint32_t>(value >> 32);
  }

  void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (std::uint32_t& word : words_) {
      carry += std::uint64_t{word} * factor;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  void shift_left(unsigned bits) {
    for (; bits >= 31; bits -= 31) multiply(std::uint32_t{1} << 31);
    multiply(std::uint32_t{1} << bits);
  }
  void add(const LargeNumber& other) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < kWords; ++i) {
      carry += std::uint64_t{words_[i]} + other.words_[i];
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  // `other` is not larger.
  void subtract(const LargeNumber& other) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < kWords; ++i) {
      const std::uint64_t difference = std::uint64_t{words_[i]} - other.words_[i] - borrow;
      words_[i] = static_cast<std::uint32_t>(difference);
      borrow = difference >> 63;
    }
  }
  // Less than 0, 0 or greater than 0: this number is smaller, equal or larger.
  int compare(const LargeNumber& other) const {
    for (std::size_t i = kWords; i-- > 0;) {
      if (words_[i] != other.words_[i]) return words_[i] < other.words_[i] ? -1 : 1;
    }
    return 0;
  }

 private:
  static constexpr std::size_t kWords = 36;

  std::uint32_t words_[kWords] = {};
};

// 0.DIGITS times 10 to the power of `exponent`.
struct Digits {
  char digits[18] = {};
  int count = 0;
  int exponent = 0;
};

// `value` is finite and greater than 0.
inline Digits shortest_digits(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  constexpr std::uint64_t kHidden = std::uint64_t{1} << 52;
  const int biased = static_cast<int>(bits >> 52 & 0x7FF);
  const std::uint64_t mantissa = biased == 0 ? bits & (kHidden - 1) : (bits & (kHidden - 1)) | kHidden;
  const int exponent = (biased == 0 ? 1 : biased) - 1075;
  // The value is rest / unit. Numbers less than `below` smaller or `above` larger, in units, read back as the same
  // value.
  const bool is_power = mantissa == kHidden && biased > 1;  // the next smaller one is half as far away
  const bool is_even = mantissa % 2 == 0;
  LargeNumber rest(mantissa);
  LargeNumber unit(1);
  LargeNumber below(1);
  LargeNumber above(1);
  rest.shift_left(is_power ? 2 : 1);
  unit.shift_left(is_power ? 2 : 1);
  if (is_power) above.shift_left(1);
  if (exponent >= 0) {
    for (LargeNumber* number : {&rest, &below, &above}) number->shift_left(static_cast<unsigned>(exponent));
  } else {
    unit.shift_left(static_cast<unsigned>(-exponent));
  }
  const auto reaches = [&](const LargeNumber& number, const LargeNumber& more) {
    LargeNumber sum = number;
    sum.add(more);
    return sum.compare(unit) > (is_even ? -1 : 0);
  };
  const auto times_10 = [&] {
    for (LargeNumber* number : {&rest, &below, &above}) number->multiply(10);
  };
  Digits result;
  while (reaches(rest, above)) {
    unit.multiply(10);
    ++result.exponent;
  }
  for (;; --result.exponent) {
    times_10();
    if (reaches(rest, above)) break;
  }
  for (;; times_10()) {
    char digit = '0';
    for (; rest.compare(unit) >= 0; ++digit) rest.subtract(unit);
    const bool ends_low = rest.compare(below) < (is_even ? 1 : 0);
    const bool ends_high = reaches(rest, above);
    if (ends_low || ends_high) {
      LargeNumber twice = rest;
      twice.add(rest);
      const int middle = twice.compare(unit);
      const bool is_nearer =
          middle > 0 || (middle == 0 && digit % 2 != 0);  // to the next digit; a tie goes to an even one
      if (ends_high && (!ends_low || is_nearer)) ++digit;
      result.digits[result.count++] = digit;
      return result;
    }
    result.digits[result.count++] = digit;
  }
}

// A number as text, in its own buffer.
class NumberText {
 public:
  explicit NumberText(std::uint64_t number) { add_whole(number); }
  explicit NumberText(double value) { add_double(value); }

  std::string_view text() const { return {text_, size_}; }

 private:
  void add_double(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    if (value != value) return add("nan");
    if (bits >> 63 != 0) {
      add("-");
      value = -value;
    }
    constexpr double kMaxWhole = 1e15;
    if (value > 1.7976931348623157e308) return add("inf");
    if (value < kMaxWhole && value == static_cast<double>(static_cast<std::uint64_t>(value))) {
      return add_whole(static_cast<std::uint64_t>(value));
    }
    add_digits(shortest_digits(value));
  }
  void add(std::string_view piece) {
    std::memcpy(text_ + size_, piece.data(), piece.size());
    size_ += piece.size();
  }
  void add_whole(std::uint64_t number) {
    char digits[20];
    std::size_t begin = sizeof digits;
    do {
      digits[--begin] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    add({digits + begin, sizeof digits - begin});
  }
  void add_digits(const Digits& number) {
    // Without substr(), which can throw: this code must not refer to exceptions.
    const auto add_between = [&](int begin, int end) {
      add({number.digits + begin, static_cast<std::size_t>(end - begin)});
    };
    const int power = number.exponent - 1;  // of the first digit
    if (power < -4 || power >= number.count) {
      add_between(0, 1);
      if (number.count > 1) add(".");
      add_between(1, number.count);
      add(power < 0 ? "e-" : "e+");
      const auto size = static_cast<std::uint64_t>(power < 0 ? -power : power);
      if (size < 10) add("0");
      return add_whole(size);
    }
    if (number.exponent <= 0) {
      add("0.");
      for (int i = number.exponent; i < 0; ++i) add("0");
      return add_between(0, number.count);
    }
    add_between(0, number.exponent);
    if (number.exponent == number.count) return;
    add(".");
    add_between(number.exponent, number.count);
  }

  char text_[32];
  std::size_t size_ = 0;
};

}  // namespace espalier
