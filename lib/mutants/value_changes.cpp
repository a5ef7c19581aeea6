// Changes of values. See value_changes.h.
#include "mutants/value_changes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace espalier::mutants {
namespace {

struct Pair {
  std::string_view from;
  std::string_view to;
};

// Longer ones first, as they are read.
constexpr std::array kOperators = {Pair{"&&", "||"}, Pair{"||", "&&"}, Pair{"==", "!="}, Pair{"!=", "=="},
                                   Pair{"~=", "=="}, Pair{"<=", ">"},  Pair{">=", "<"},  Pair{":=", ""},
                                   Pair{"+=", "-="}, Pair{"-=", "+="}, Pair{"*=", "/="}, Pair{"/=", "*="},
                                   Pair{"..", ""},   Pair{"<", ">="},  Pair{">", "<="},  Pair{"!", ""},
                                   Pair{"+", "-"},   Pair{"*", "+"},   Pair{"/", "*"}};

constexpr std::array kWords = {Pair{"true", "false"}, Pair{"false", "true"}, Pair{"and", "or"},
                               Pair{"or", "and"},     Pair{"not", ""},       Pair{"True", "False"},
                               Pair{"False", "True"}, Pair{"TRUE", "FALSE"}, Pair{"FALSE", "TRUE"}};

enum class TokenKind : std::uint8_t { name, number, text, operation };

struct Token {
  TokenKind kind;
  std::size_t begin;
  std::size_t end;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@'; }
bool is_in_name(char c) { return begins_name(c) || is_digit(c); }

const Pair* find(std::span<const Pair> pairs, std::string_view text) {
  const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) { return pair.from == text; });
  return found == pairs.end() ? nullptr : &*found;
}

std::size_t end_of_number(std::string_view text, std::size_t place) {
  while (place < text.size() && (is_digit(text[place]) || text[place] == '.')) ++place;
  return place;
}

// What no change is made of is left out.
std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t place = 0;
  while (place < text.size()) {
    const std::size_t begin = place;
    const char c = text[place];
    if (begins_name(c)) {
      while (place < text.size() && (is_in_name(text[place]) || text[place] == '.')) ++place;
      tokens.push_back({TokenKind::name, begin, place});
    } else if (is_digit(c)) {
      place = end_of_number(text, place);
      tokens.push_back({TokenKind::number, begin, place});
    } else if (c == '\'' || c == '"') {
      place = std::min(text.find(c, place + 1), text.size() - 1) + 1;
      tokens.push_back({TokenKind::text, begin, place});
    } else {
      const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                      [&](const Pair& pair) { return text.substr(place).starts_with(pair.from); });
      place += found == kOperators.end() ? 1 : found->from.size();
      if (found != kOperators.end()) tokens.push_back({TokenKind::operation, begin, place});
    }
  }
  return tokens;
}

// One more: "3" and "0.5" become "4" and "1.5".
std::string next_number(std::string_view number) {
  const std::size_t point = std::min(number.find('.'), number.size());
  std::string whole(number.substr(0, point));
  std::size_t digit = whole.size();
  while (digit > 0 && whole[digit - 1] == '9') whole[--digit] = '0';
  if (digit > 0) {
    ++whole[digit - 1];
  } else {
    whole.insert(0, "1");
  }
  return whole.append(number.substr(point));
}

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && is_digit(text.front()) && end_of_number(text, 0) == text.size();
}

// The next one after `name` that is another; empty: there is none.
std::string other_name(std::string_view name, std::span<const std::string> others) {
  const auto own = std::find(others.begin(), others.end(), name);
  const std::size_t first = own == others.end() ? 0 : static_cast<std::size_t>(own - others.begin()) + 1;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const std::string& other = others[(first + i) % others.size()];
    if (other != name) return other;
  }
  return {};
}

void add_changes_of_text(std::string_view value, std::span<const std::string> others,
                         std::vector<ValueChange>& changes) {
  const auto size = static_cast<std::uint32_t>(value.size());
  if (const Pair* const word = find(kWords, value); word != nullptr && !word->to.empty()) {
    changes.push_back({0, size, std::string(word->to)});
  } else if (is_number(value)) {
    const std::uint32_t begin = value.starts_with('-') ? 1 : 0;
    changes.push_back({begin, size, next_number(value.substr(begin))});
  } else if (value.starts_with('{') && value.ends_with('}')) {
    const std::string other = other_name(value, others);
    changes.push_back({0, size, other.empty() ? "{other_" + std::string(value.substr(1)) : other});
  } else {
    const std::string other = other_name(value, others);
    changes.push_back({0, size, other.empty() ? std::string(value) + "2" : other});
  }
}

void add_changes_of_script(std::string_view value, std::span<const std::string> others,
                           std::vector<ValueChange>& changes) {
  for (const Token& token : tokens_of(value)) {
    const std::string_view text = value.substr(token.begin, token.end - token.begin);
    ValueChange change{static_cast<std::uint32_t>(token.begin), static_cast<std::uint32_t>(token.end), {}};
    if (token.kind == TokenKind::number) {
      change.replacement = next_number(text);
    } else if (token.kind == TokenKind::text) {
      change.replacement = std::string(text.substr(0, text.size() - 1)) + "2" + text.front();
    } else if (token.kind == TokenKind::operation) {
      const Pair* const pair = find(kOperators, text);
      if (pair->to.empty() && text != "!") continue;
      change.replacement = pair->to;
    } else if (const Pair* const word = find(kWords, text)) {
      change.replacement = word->to;
    } else {
      change.replacement = other_name(text, others);
      if (change.replacement.empty()) continue;
    }
    changes.push_back(std::move(change));
  }
}

}  // namespace

std::vector<ValueChange> changes_of_value(std::string_view value, ValueKind kind, std::span<const std::string> others,
                                          std::span<const std::string_view> words) {
  std::vector<ValueChange> changes;
  for (const std::string_view word : words) {
    if (word != value) changes.push_back({0, static_cast<std::uint32_t>(value.size()), std::string(word)});
  }
  if (!words.empty() || value.empty()) return changes;
  if (kind == ValueKind::script) {
    add_changes_of_script(value, others, changes);
  } else {
    add_changes_of_text(value, others, changes);
  }
  return changes;
}

std::vector<std::string> names_in_script(std::string_view script) {
  std::vector<std::string> names;
  for (const Token& token : tokens_of(script)) {
    const std::string_view text = script.substr(token.begin, token.end - token.begin);
    if (token.kind == TokenKind::name && find(kWords, text) == nullptr) names.emplace_back(text);
  }
  return names;
}

}  // namespace espalier::mutants
