// Matches Lua's patterns and counts steps. See pattern.h.
#include "script/pattern.h"

namespace espalier::script {
namespace {

constexpr int kMaxDepth = 200;                // as in Lua
constexpr std::uint64_t kLettersAStep = 8;    // letters of a set, or letters that are skipped at once
constexpr std::uint64_t kComparedAStep = 64;  // letters that are compared at once

bool is_in(char first, char last, unsigned char letter) { return letter >= first && letter <= last; }
bool is_lower(unsigned char letter) { return is_in('a', 'z', letter); }
bool is_upper(unsigned char letter) { return is_in('A', 'Z', letter); }
bool is_digit(unsigned char letter) { return is_in('0', '9', letter); }
bool is_alphanumeric(unsigned char letter) { return is_lower(letter) || is_upper(letter) || is_digit(letter); }
bool is_graphic(unsigned char letter) { return is_in('!', '~', letter); }
bool is_hexadecimal(unsigned char letter) {
  return is_digit(letter) || is_in('a', 'f', letter) || is_in('A', 'F', letter);
}

// Is the letter in the class `%name`? Classes are those of ASCII, independent of the locale.
bool is_of_class(unsigned char letter, unsigned char name) {
  bool result = false;
  switch (is_upper(name) ? name - 'A' + 'a' : name) {
    case 'a':
      result = is_lower(letter) || is_upper(letter);
      break;
    case 'c':
      result = letter < ' ' || letter == 0x7F;
      break;
    case 'd':
      result = is_digit(letter);
      break;
    case 'g':
      result = is_graphic(letter);
      break;
    case 'l':
      result = is_lower(letter);
      break;
    case 'p':
      result = is_graphic(letter) && !is_alphanumeric(letter);
      break;
    case 's':
      result = letter == ' ' || is_in('\t', '\r', letter);
      break;
    case 'u':
      result = is_upper(letter);
      break;
    case 'w':
      result = is_alphanumeric(letter);
      break;
    case 'x':
      result = is_hexadecimal(letter);
      break;
    default:
      return name == letter;
  }
  return is_upper(name) ? !result : result;
}

}  // namespace

bool Matcher::take(std::uint64_t steps) {
  if (error_ != nullptr) return false;
  if (steps <= steps_) {
    steps_ -= steps;
    return true;
  }
  steps_ = 0;
  is_spent_ = true;
  error_ = "too long";
  return false;
}

std::size_t Matcher::fail(const char* error) {
  if (error_ == nullptr) error_ = error;
  return kNone;
}

std::size_t Matcher::match_at(std::size_t begin) {
  capture_count_ = 0;
  return match(begin, 0);
}

std::size_t Matcher::match(std::size_t at, std::size_t part) {
  if (depth_ == kMaxDepth) return fail("pattern too complex");
  ++depth_;
  const std::size_t result = match_parts(at, part);
  --depth_;
  return error_ == nullptr ? result : kNone;
}

std::size_t Matcher::match_parts(std::size_t at, std::size_t part) {
  while (at != kNone && take(1)) {
    if (part == pattern_.size()) return at;
    const char letter = pattern_[part];
    const char next = pattern_at(part + 1);
    if (letter == '(') return open_capture(at, part + 1, next == ')');
    if (letter == ')') return close_capture(at, part + 1);
    if (letter == '$' && part + 1 == pattern_.size()) return at == subject_.size() ? at : kNone;
    if (letter == '%' && next == 'b') {
      at = skip_balanced(at, part + 2);
      part += 4;
    } else if (letter == '%' && next == 'f') {
      if (pattern_at(part + 2) != '[') return fail("missing '[' after '%f' in pattern");
      const std::size_t end = class_end(part + 2);
      if (end == kNone || !is_frontier(at, part + 2, end)) return kNone;
      part = end;
    } else if (letter == '%' && is_digit(static_cast<unsigned char>(next))) {
      at = skip_captured(at, next);
      part += 2;
    } else {
      const std::size_t end = class_end(part);
      if (end == kNone) return kNone;
      switch (pattern_at(end)) {
        case '*':
          return match_most(at, part, end);
        case '+':
          return fits(at, part, end) ? match_most(at + 1, part, end) : kNone;
        case '-':
          return match_least(at, part, end);
        case '?':
          if (fits(at, part, end)) {
            const std::size_t result = match(at + 1, end + 1);
            if (result != kNone) return result;
          }
          part = end + 1;
          break;
        default:
          at = fits(at, part, end) ? at + 1 : kNone;
          part = end;
      }
    }
  }
  return kNone;
}

std::size_t Matcher::match_most(std::size_t at, std::size_t part, std::size_t end) {
  std::size_t count = 0;
  while (fits(at + count, part, end)) {
    if (!take(1 + (end - part) / kLettersAStep)) return kNone;
    ++count;
  }
  for (;; --count) {
    const std::size_t result = match(at + count, end + 1);
    if (result != kNone || error_ != nullptr || count == 0) return result;
  }
}

std::size_t Matcher::match_least(std::size_t at, std::size_t part, std::size_t end) {
  for (;; ++at) {
    const std::size_t result = match(at, end + 1);
    if (result != kNone || !fits(at, part, end) || !take(1 + (end - part) / kLettersAStep)) return result;
  }
}

std::size_t Matcher::open_capture(std::size_t at, std::size_t part, bool is_position) {
  if (capture_count_ == kMaxCaptures) return fail("too many captures");
  captures_[capture_count_] = {at, 0, is_position, !is_position};
  ++capture_count_;
  const std::size_t result = match(at, is_position ? part + 1 : part);
  if (result == kNone) --capture_count_;
  return result;
}

std::size_t Matcher::close_capture(std::size_t at, std::size_t part) {
  int index = capture_count_ - 1;
  while (index >= 0 && !captures_[index].is_open) --index;
  if (index < 0) return fail("invalid pattern capture");
  captures_[index].length = at - captures_[index].begin;
  captures_[index].is_open = false;
  const std::size_t result = match(at, part);
  if (result == kNone) captures_[index].is_open = true;
  return result;
}

// `%bxy`: `part` is x.
std::size_t Matcher::skip_balanced(std::size_t at, std::size_t part) {
  if (part + 1 >= pattern_.size()) return fail("malformed pattern (missing arguments to '%b')");
  if (at >= subject_.size() || subject_[at] != pattern_[part]) return kNone;
  std::size_t open_count = 1;
  for (std::size_t i = at + 1; i < subject_.size(); ++i) {
    if ((i - at) % kLettersAStep == 0 && !take(1)) return kNone;
    if (subject_[i] == pattern_[part + 1]) {
      if (--open_count == 0) return i + 1;
    } else if (subject_[i] == pattern_[part]) {
      ++open_count;
    }
  }
  return kNone;
}

std::size_t Matcher::skip_captured(std::size_t at, char digit) {
  const int index = digit - '1';
  if (index < 0 || index >= capture_count_ || captures_[index].is_open) return fail("invalid capture index in pattern");
  const Capture& captured = captures_[index];
  if (captured.is_position || !take(captured.length / kComparedAStep)) return kNone;
  const std::string_view text = subject_.substr(captured.begin, captured.length);
  return subject_.substr(at, text.size()) == text ? at + text.size() : kNone;
}

// A place where the set begins to fit; both ends of the subject count as '\0'.
bool Matcher::is_frontier(std::size_t at, std::size_t set, std::size_t end) {
  const char before = at == 0 ? '\0' : subject_[at - 1];
  const char here = at == subject_.size() ? '\0' : subject_[at];
  return !fits_set(before, set, end - 1) && fits_set(here, set, end - 1);
}

// The end of the single class (a letter, `%x`, `[...]`) that begins at `part`, or kNone.
std::size_t Matcher::class_end(std::size_t part) {
  const std::size_t begin = part;
  const char letter = pattern_[part++];
  if (letter == '%') return part < pattern_.size() ? part + 1 : fail("malformed pattern (ends with '%')");
  if (letter != '[') return part;
  if (pattern_at(part) == '^') ++part;
  do {  // the first letter of a set may be ']'
    if (part >= pattern_.size()) return fail("malformed pattern (missing ']')");
    part += pattern_[part] == '%' ? 2 : 1;
  } while (part >= pattern_.size() || pattern_[part] != ']');
  return take((part - begin) / kLettersAStep) ? part + 1 : kNone;
}

bool Matcher::fits(std::size_t at, std::size_t part, std::size_t end) const {
  if (at >= subject_.size()) return false;
  const char letter = subject_[at];
  switch (pattern_[part]) {
    case '.':
      return true;
    case '%':
      return is_of_class(static_cast<unsigned char>(letter), static_cast<unsigned char>(pattern_[part + 1]));
    case '[':
      return fits_set(letter, part, end - 1);
    default:
      return pattern_[part] == letter;
  }
}

// The set is from '[' at `part` to ']' at `last`.
bool Matcher::fits_set(char letter, std::size_t part, std::size_t last) const {
  const auto code = static_cast<unsigned char>(letter);
  const auto set = [this](std::size_t i) { return static_cast<unsigned char>(pattern_[i]); };
  const bool is_negated = pattern_[part + 1] == '^';
  if (is_negated) ++part;
  while (++part < last) {
    bool is_in = false;
    if (set(part) == '%') {
      ++part;
      is_in = is_of_class(code, set(part));
    } else if (set(part + 1) == '-' && part + 2 < last) {
      is_in = set(part) <= code && code <= set(part + 2);
      part += 2;
    } else {
      is_in = set(part) == code;
    }
    if (is_in) return !is_negated;
  }
  return is_negated;
}

}  // namespace espalier::script
