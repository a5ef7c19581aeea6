// Types of ports and entries. See types.h.
#include "ir/poll/types.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <system_error>

namespace espalier::ir::poll {
namespace {

using layout::PollType;

struct NamedType {
  std::string_view name;
  TypeKind kind;
  PollType held;
  std::uint8_t bits = 0;
  bool is_signed = false;
};

// The first name of a type is the one in messages.
constexpr NamedType kTypes[] = {
    {"int", TypeKind::whole, PollType::int32, 32, true},
    {"int32", TypeKind::whole, PollType::int32, 32, true},
    {"int32_t", TypeKind::whole, PollType::int32, 32, true},
    {"int64", TypeKind::whole, PollType::int64, 64, true},
    {"int64_t", TypeKind::whole, PollType::int64, 64, true},
    {"int8", TypeKind::whole, PollType::int8, 8, true},
    {"int8_t", TypeKind::whole, PollType::int8, 8, true},
    {"int16", TypeKind::whole, PollType::int16, 16, true},
    {"int16_t", TypeKind::whole, PollType::int16, 16, true},
    {"unsigned", TypeKind::whole, PollType::uint32, 32, false},
    {"unsignedint", TypeKind::whole, PollType::uint32, 32, false},
    {"uint32", TypeKind::whole, PollType::uint32, 32, false},
    {"uint32_t", TypeKind::whole, PollType::uint32, 32, false},
    {"uint8", TypeKind::whole, PollType::uint8, 8, false},
    {"uint8_t", TypeKind::whole, PollType::uint8, 8, false},
    {"uint16", TypeKind::whole, PollType::uint16, 16, false},
    {"uint16_t", TypeKind::whole, PollType::uint16, 16, false},
    {"uint64", TypeKind::whole, PollType::uint64, 64, false},
    {"uint64_t", TypeKind::whole, PollType::uint64, 64, false},
    // As a compiler names them, and writeTreeNodesModelXML() with it.
    {"signedchar", TypeKind::whole, PollType::int8, 8, true},
    {"unsignedchar", TypeKind::whole, PollType::uint8, 8, false},
    {"short", TypeKind::whole, PollType::int16, 16, true},
    {"unsignedshort", TypeKind::whole, PollType::uint16, 16, false},
    {"long", TypeKind::whole, PollType::int64, 64, true},
    {"unsignedlong", TypeKind::whole, PollType::uint64, 64, false},
    // As people write them.
    {"longlong", TypeKind::whole, PollType::int64, 64, true},
    {"unsignedlonglong", TypeKind::whole, PollType::uint64, 64, false},
    {"size_t", TypeKind::whole, PollType::uint64, 64, false},
    {"double", TypeKind::real, PollType::real64, 64, true},
    {"float", TypeKind::real, PollType::real32, 32, true},
    {"bool", TypeKind::boolean, PollType::boolean},
    {"string", TypeKind::text, PollType::text},
    {"NodeStatus", TypeKind::status, PollType::status},
    {"AnyTypeAllowed", TypeKind::untyped, PollType::untyped},
    {"", TypeKind::untyped, PollType::untyped},
    {"Any", TypeKind::any, PollType::any},
};

constexpr std::string_view kBooleans[] = {"0", "1", "true", "True", "TRUE", "false", "False", "FALSE"};
constexpr std::string_view kStatuses[] = {"RUNNING", "SUCCESS", "FAILURE", "SKIPPED"};

template <std::size_t N>
bool is_one_of(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

template <typename Number>
LiteralFault check_number(std::string_view literal, std::string* read) {
  Number number{};
  const char* const end = literal.data() + literal.size();
  const auto [stop, error] = std::from_chars(literal.data(), end, number);
  if (error != std::errc{}) return LiteralFault::bad;
  if (stop == end) return LiteralFault::none;
  if (read != nullptr) *read = literal.substr(0, static_cast<std::size_t>(stop - literal.data()));
  return LiteralFault::prefix;
}

template <typename Number>
LiteralFault check_whole(const Type& type, std::string_view literal, std::string* read) {
  Number number{};
  // Only numbers of 64 bits without a sign are read as such; "-0" is one of the others.
  if (type.bits < 64 && !type.is_signed) {
    std::int64_t whole = 0;
    const auto result = std::from_chars(literal.data(), literal.data() + literal.size(), whole);
    const bool fits = result.ec == std::errc{} && whole >= 0 && whole < std::int64_t{1} << type.bits;
    return fits ? check_number<std::int64_t>(literal, read) : LiteralFault::bad;
  }
  const auto [stop, error] = std::from_chars(literal.data(), literal.data() + literal.size(), number);
  const int unused_bits = 64 - type.bits;
  const bool fits = error == std::errc{} && number <= std::numeric_limits<Number>::max() >> unused_bits &&
                    number >= std::numeric_limits<Number>::min() >> unused_bits;
  return fits ? check_number<Number>(literal, read) : LiteralFault::bad;
}

bool is_whole_number(std::string_view literal, Type* type) {
  std::int64_t number = 0;
  const char* const end = literal.data() + literal.size();
  const auto [stop, error] = std::from_chars(literal.data(), end, number);
  if (error != std::errc{} || stop != end) return false;
  const bool is_int =
      number >= std::numeric_limits<std::int32_t>::min() && number <= std::numeric_limits<std::int32_t>::max();
  *type = is_int ? kIntType : kLongType;
  return true;
}

bool is_real_number(std::string_view literal, double* number) {
  const char* const end = literal.data() + literal.size();
  const auto [stop, error] = std::from_chars(literal.data(), end, *number);
  return error == std::errc{} && stop == end;
}

// Of "vector<Pose_<allocator<void>>,allocator<...>>", as a compiler names a type, leaves "vector<Pose>".
void remove_allocators(std::string& name) {
  constexpr std::string_view kAllocator = "allocator<";
  for (std::size_t at = name.find(kAllocator); at != std::string::npos; at = name.find(kAllocator, at)) {
    std::size_t end = at + kAllocator.size();
    for (int depth = 1; end < name.size() && depth > 0; ++end)
      depth += name[end] == '<' ? 1 : name[end] == '>' ? -1 : 0;
    const bool is_last = at >= 1 && name[at - 1] == ',';
    const bool is_only = at >= 2 && name.compare(at - 2, 2, "_<") == 0 && end < name.size() && name[end] == '>';
    if (is_last) {
      name.erase(at - 1, end - at + 1);
      --at;
    } else if (is_only) {  // of a message of ROS
      name.erase(at - 2, end - at + 3);
      at -= 2;
    } else {
      at += kAllocator.size();
    }
  }
}

}  // namespace

Type read_type(std::string_view written) {
  std::string name;
  for (const char each : written) {
    if (each != ' ' && each != '\t') name.push_back(each);
  }
  for (std::size_t at = name.find("std::"); at != std::string::npos; at = name.find("std::", at)) name.erase(at, 5);
  if (name.rfind("BT::", 0) == 0) name.erase(0, 4);
  remove_allocators(name);
  for (const NamedType& each : kTypes) {
    if (each.name == name) return {each.kind, each.bits, each.is_signed, {}, each.held};
  }
  return {TypeKind::own, 0, false, name, PollType::untyped};
}

bool is_vector(const Type& type) { return type.kind == TypeKind::own && type.name.rfind("vector<", 0) == 0; }

bool is_vector_of_any(const Type& type) {
  return type.kind == TypeKind::own && (type.name == "vector<BT::Any>" || type.name == "vector<Any>");
}

std::string shown(const Type& type) {
  if (type.kind == TypeKind::own) return type.name;
  if (type.kind == TypeKind::untyped) return "AnyTypeAllowed";
  for (const NamedType& each : kTypes) {
    if (each.kind == type.kind && each.bits == type.bits && each.is_signed == type.is_signed)
      return std::string(each.name);
  }
  return {};
}

LiteralFault check_literal(const Type& type, std::string_view literal, std::string* read) {
  switch (type.kind) {
    case TypeKind::whole:
      return type.is_signed ? check_whole<std::int64_t>(type, literal, read)
                            : check_whole<std::uint64_t>(type, literal, read);
    case TypeKind::real:
      return type.bits == 32 ? check_number<float>(literal, read) : check_number<double>(literal, read);
    case TypeKind::boolean:
      return is_one_of(kBooleans, literal) ? LiteralFault::none : LiteralFault::bad;
    case TypeKind::status:
      return is_one_of(kStatuses, literal) ? LiteralFault::none : LiteralFault::at_a_tick;
    case TypeKind::untyped:
    case TypeKind::any:
    case TypeKind::text:
    case TypeKind::own:
      return LiteralFault::none;
  }
  return LiteralFault::none;
}

Type type_of_subtree_literal(std::string_view literal, bool are_texts) {
  Type type;
  if (are_texts) return type;
  double number = 0;
  const bool may_be_whole = literal.find_first_of(".e") == std::string_view::npos;
  if (may_be_whole && is_whole_number(literal, &type)) return type;
  return is_real_number(literal, &number) ? kRealType : Type{};
}

bool changes_as_number(std::string_view literal) {
  const Type type = type_of_subtree_literal(literal);
  if (!type.is_number()) return false;
  std::array<char, 64> text{};
  std::to_chars_result result{};
  if (type.kind == TypeKind::whole) {
    std::int64_t number = 0;
    std::from_chars(literal.data(), literal.data() + literal.size(), number);
    result = std::to_chars(text.data(), text.data() + text.size(), number);
  } else {
    double number = 0;
    is_real_number(literal, &number);
    result = std::to_chars(text.data(), text.data() + text.size(), number);
  }
  return std::string_view(text.data(), static_cast<std::size_t>(result.ptr - text.data())) != literal;
}

}  // namespace espalier::ir::poll
