// The elements of selection trees: which there are, which attributes they have, and what may stand where. One table.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "text/xml.h"

namespace espalier::dialects::selection {

enum class Kind : std::uint8_t {
  unknown,
  selection_trees,
  selection_tree,
  blocks,
  block,
  ref,
  variables,
  variable,
  signal_variables,
  signal,
  leaf_translations,
  map,
  priority,
  state_machine,
  leaf,
  sequence,
  state,
  transition,
  count
};

// The attributes that mean something somewhere.
enum class Key : std::uint8_t { name, type, initial, variable, value, node, target, state, condition, count };

inline constexpr std::size_t kKeyCount = static_cast<std::size_t>(Key::count);

// The attributes of one element, looked up once.
class Attributes {
 public:
  text::Attribute& operator[](Key key) { return values_[static_cast<std::size_t>(key)]; }
  const text::Attribute& operator[](Key key) const { return values_[static_cast<std::size_t>(key)]; }

 private:
  std::array<text::Attribute, kKeyCount> values_;
};

[[nodiscard]] Kind kind_of(std::string_view element_name);
[[nodiscard]] std::string_view name_of(Kind kind);  // as it is mostly written
[[nodiscard]] std::string_view name_of(Key key);
[[nodiscard]] bool is_node(Kind kind);  // `sequence` too
[[nodiscard]] bool has(Kind kind, Key key);
[[nodiscard]] Key key_of(std::string_view attribute_name);  // Key::count: none

// What may stand inside an element of this kind, `ref` included where it may; a block's content depends on its use.
[[nodiscard]] std::span<const Kind> children_of(Kind kind);
[[nodiscard]] bool may_hold(Kind parent, Kind child);

// The kind that an unknown name inside `parent` was most likely meant to be; `unknown` when nothing is near.
[[nodiscard]] Kind meant_kind(std::string_view element_name, Kind parent);
// "State and Ref", for messages.
[[nodiscard]] std::string list_of(std::span<const Kind> kinds);

}  // namespace espalier::dialects::selection
