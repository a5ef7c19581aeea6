// See json.h.
#include "serving/json.h"

#include "serving/text.h"

namespace espalier::serving {
namespace {

constexpr std::uint32_t kMostDepth = 32;

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Goes through a text; at() is what comes next, NUL at the end.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  char at() const { return place_ < text_.size() ? text_[place_] : '\0'; }
  std::size_t place() const { return place_; }
  bool is_end() const { return place_ >= text_.size(); }
  void skip_blanks() {
    while (!is_end() && is_blank(at())) ++place_;
  }
  bool take(char wanted) {
    if (is_end() || at() != wanted) return false;
    ++place_;
    return true;
  }

  bool string() {
    if (!take('"')) return false;
    for (; !is_end() && at() != '"'; ++place_) {
      if (static_cast<unsigned char>(at()) < 0x20) return false;
      if (at() == '\\' && ++place_ >= text_.size()) return false;
    }
    return take('"');
  }
  bool number() {
    take('-');
    if (!is_digit(at())) return false;
    digits();
    if (take('.')) {
      if (!is_digit(at())) return false;
      digits();
    }
    if (!take('e') && !take('E')) return true;
    if (!take('+')) take('-');
    if (!is_digit(at())) return false;
    digits();
    return true;
  }
  bool word(std::string_view wanted) {
    if (part_of(text_, place_, wanted.size()) != wanted) return false;
    place_ += wanted.size();
    return true;
  }
  bool scalar() {
    switch (at()) {
      case '"':
        return string();
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:
        return number();
    }
  }

 private:
  void digits() {
    while (is_digit(at())) ++place_;
  }

  std::string_view text_;
  std::size_t place_ = 0;
};

// A value with all that is in it, without recursion: the bit of a level says that it is an object.
bool take_value(Scanner& scanner) {
  std::uint32_t objects = 0;
  std::uint32_t depth = 0;
  const auto is_object = [&] { return depth > 0 && (objects >> (depth - 1) & 1) != 0; };
  for (bool is_first = false;;) {
    scanner.skip_blanks();
    if (depth > 0) {
      if (scanner.take(is_object() ? '}' : ']')) {
        --depth;
        if (depth == 0) return true;
        is_first = false;
        continue;
      }
      if (!is_first && !scanner.take(',')) return false;
      scanner.skip_blanks();
      if (is_object()) {
        if (!scanner.string()) return false;
        scanner.skip_blanks();
        if (!scanner.take(':')) return false;
        scanner.skip_blanks();
      }
    }
    is_first = false;
    if (scanner.at() == '{' || scanner.at() == '[') {
      if (depth == kMostDepth) return false;
      const std::uint32_t bit = std::uint32_t{1} << depth++;
      objects = scanner.take('{') ? objects | bit : objects & ~bit;
      if (!is_object()) scanner.take('[');
      is_first = true;
    } else {
      if (!scanner.scalar()) return false;
      if (depth == 0) return true;
    }
  }
}

// The value that begins where the text does.
std::string_view value_at(std::string_view text) {
  Scanner scanner(text);
  return take_value(scanner) ? part_of(text, 0, scanner.place()) : std::string_view();
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

std::int64_t whole_of(std::string_view written) {
  const bool is_negative = written.front() == '-';
  std::uint64_t number = 0;
  for (const char c : part_of(written, is_negative ? 1 : 0)) {
    if (!is_digit(c)) break;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return static_cast<std::int64_t>(is_negative ? 0 - number : number);
}

}  // namespace

bool read_json(std::string_view text, JsonValue* value, Output& fault) {
  Scanner scanner(text);
  scanner.skip_blanks();
  const std::size_t begin = scanner.place();
  const bool is_value = take_value(scanner);
  *value = JsonValue(part_of(text, begin, scanner.place() - begin));
  scanner.skip_blanks();
  if (is_value && scanner.is_end()) return true;
  std::uint64_t line = 1;
  std::uint64_t column = 1;
  for (std::size_t i = 0; i < scanner.place() && i < text.size(); ++i) {
    ++column;
    if (text[i] != '\n') continue;
    ++line;
    column = 1;
  }
  fault.put("[json.exception.parse_error.101] parse error at line ");
  fault.put_number(line);
  fault.put(", column ");
  fault.put_number(column);
  fault.put(": syntax error");
  return false;
}

JsonValue JsonValue::first_element() const {
  const std::string_view rest = without_blanks(part_of(written_, 1));
  return rest.front() == ']' ? JsonValue() : JsonValue(value_at(rest));
}

JsonValue JsonValue::element_after(JsonValue element) const {
  const auto end = static_cast<std::size_t>(element.written_.data() - written_.data()) + element.written_.size();
  std::string_view rest = without_blanks(part_of(written_, end));
  if (rest.front() != ',') return JsonValue();
  return JsonValue(value_at(without_blanks(part_of(rest, 1))));
}

std::string_view JsonValue::type_name() const {
  switch (first()) {
    case '{':
      return "object";
    case '[':
      return "array";
    case '"':
      return "string";
    case 't':
    case 'f':
      return "boolean";
    case 'n':
      return "null";
    default:
      return "number";
  }
}

bool JsonValue::member(std::string_view name, JsonValue* member, Output& fault) const {
  if (first() != '{') {
    fault.put("[json.exception.type_error.304] cannot use at() with ");
    fault.put(type_name());
    return false;
  }
  // Of several with one name, the last.
  bool is_found = false;
  for (std::string_view rest = without_blanks(part_of(written_, 1)); rest.front() == '"';) {
    const std::string_view key = value_at(rest);
    rest = without_blanks(part_of(without_blanks(part_of(rest, key.size())), 1));
    const std::string_view value = value_at(rest);
    if (part_of(key, 1, key.size() - 2) == name) {
      *member = JsonValue(value);
      is_found = true;
    }
    rest = without_blanks(part_of(rest, value.size()));
    if (rest.front() == ',') rest = without_blanks(part_of(rest, 1));
  }
  if (is_found) return true;
  fault.put("[json.exception.out_of_range.403] key '");
  fault.put(name);
  fault.put("' not found");
  return false;
}

bool JsonValue::is_type(std::string_view type, Output& fault) const {
  if (type_name() == type) return true;
  fault.put("[json.exception.type_error.302] type must be ");
  fault.put(type);
  fault.put(", but is ");
  fault.put(type_name());
  return false;
}

bool JsonValue::number(std::string_view name, std::int64_t* number, Output& fault) const {
  JsonValue found;
  if (!member(name, &found, fault) || !found.is_type("number", fault)) return false;
  *number = whole_of(found.written_);
  return true;
}

bool JsonValue::boolean(std::string_view name, bool* boolean, Output& fault) const {
  JsonValue found;
  if (!member(name, &found, fault) || !found.is_type("boolean", fault)) return false;
  *boolean = found.first() == 't';
  return true;
}

bool JsonValue::text(std::string_view name, std::string_view* text, Output& fault) const {
  JsonValue found;
  if (!member(name, &found, fault) || !found.is_type("string", fault)) return false;
  *text = part_of(found.written_, 1, found.written_.size() - 2);
  return true;
}

}  // namespace espalier::serving
