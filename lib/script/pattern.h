// Matches Lua's patterns with a limited number of steps: some patterns take exponential time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace espalier::script {

inline constexpr int kMaxCaptures = 32;

struct Capture {
  std::size_t begin = 0;
  std::size_t length = 0;
  bool is_position = false;  // `()`: only `begin` is used
  bool is_open = false;
};

// Tries one pattern on one subject. Both must outlive it.
class Matcher {
 public:
  // `steps`: the number of steps it may take; the rest is written back.
  Matcher(std::string_view subject, std::string_view pattern, std::uint64_t& steps)
      : subject_(subject), pattern_(pattern), steps_(steps) {}

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // Matches only at `begin`. Returns the end of the match, or kNone.
  std::size_t match_at(std::size_t begin);

  int capture_count() const { return capture_count_; }
  const Capture& capture(int index) const { return captures_[index]; }

  // What is wrong with the pattern; null: nothing was found so far.
  const char* error() const { return error_; }
  bool is_spent() const { return is_spent_; }

 private:
  std::size_t match(std::size_t at, std::size_t part);
  std::size_t match_parts(std::size_t at, std::size_t part);
  std::size_t match_class(std::size_t at, std::size_t part, std::size_t end);
  std::size_t match_most(std::size_t at, std::size_t part, std::size_t end);
  std::size_t match_least(std::size_t at, std::size_t part, std::size_t end);
  std::size_t open_capture(std::size_t at, std::size_t part, bool is_position);
  std::size_t close_capture(std::size_t at, std::size_t part);
  std::size_t skip_balanced(std::size_t at, std::size_t part);
  std::size_t skip_captured(std::size_t at, char digit);
  bool is_frontier(std::size_t at, std::size_t set, std::size_t end);
  std::size_t class_end(std::size_t part);
  bool fits(std::size_t at, std::size_t part, std::size_t end) const;
  bool fits_set(char letter, std::size_t part, std::size_t end) const;
  char pattern_at(std::size_t part) const { return part < pattern_.size() ? pattern_[part] : '\0'; }
  bool take(std::uint64_t steps);
  std::size_t fail(const char* error);

  std::string_view subject_;
  std::string_view pattern_;
  std::uint64_t& steps_;
  const char* error_ = nullptr;
  bool is_spent_ = false;
  int depth_ = 0;
  int capture_count_ = 0;
  Capture captures_[kMaxCaptures];
};

}  // namespace espalier::script
