// The types of ports and blackboard entries, and which literals they take.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/format/records.h"

namespace espalier::ir::poll {

enum class TypeKind : std::uint8_t {
  untyped,  // AnyTypeAllowed, or no type
  any,      // Any
  text,
  boolean,
  whole,
  real,
  status,  // NodeStatus
  own,     // any other word: equal only to itself
};

struct Type {
  TypeKind kind = TypeKind::untyped;
  std::uint8_t bits = 0;                              // whole, real
  bool is_signed = false;                             // whole
  std::string name = {};                              // own: without "std::" and blanks
  layout::PollType held = layout::PollType::untyped;  // what an asset calls it; of an own type: nothing

  // Does an entry keep this type, so that ports of others are refused?
  [[nodiscard]] bool is_kept() const { return kind != TypeKind::untyped && kind != TypeKind::any; }
  [[nodiscard]] bool is_number() const { return kind == TypeKind::whole || kind == TypeKind::real; }
  friend bool operator==(const Type&, const Type&) = default;
};

inline const Type kTextType{TypeKind::text, 0, false, {}, layout::PollType::text};
inline const Type kIntType{TypeKind::whole, 32, true, {}, layout::PollType::int32};
inline const Type kLongType{TypeKind::whole, 64, true, {}, layout::PollType::int64};
inline const Type kRealType{TypeKind::real, 64, true, {}, layout::PollType::real64};

// As a model writes it: "std::string", "unsigned", "geometry_msgs::msg::Pose".
[[nodiscard]] Type read_type(std::string_view written);
// std::vector<BT::Any>, which stands for a vector of any type.
[[nodiscard]] bool is_vector_of_any(const Type& type);
[[nodiscard]] bool is_vector(const Type& type);
// For messages: "int", "double", "string".
[[nodiscard]] std::string shown(const Type& type);

enum class LiteralFault : std::uint8_t {
  none,
  bad,       // the library refuses the tree
  prefix,    // it reads only the number that the text begins with
  at_a_tick  // it throws when the node is ticked
};

// `read`, if it is not null, gets the number that the library takes of a text with Fault::prefix.
[[nodiscard]] LiteralFault check_literal(const Type& type, std::string_view literal, std::string* read = nullptr);

// The type of what a literal of a SubTree makes in the blackboard: int, long, double; none for a text.
// `are_texts`: all are, as before 4.9.1.
[[nodiscard]] Type type_of_subtree_literal(std::string_view literal, bool are_texts = false);
// Is it a number whose text is not its shortest form, so that reading it as a text gives another one?
[[nodiscard]] bool changes_as_number(std::string_view literal);

}  // namespace espalier::ir::poll
