// Entities that a file's DOCTYPE declares in its internal subset, and the expansion of references to them (XML 1.0, 4.4
// and 4.5). No other file is read. The size of an expansion is computed before anything is expanded, so that nested
// entities ("billion laughs") cost no more than their text.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/finding.h"

namespace espalier::text {

// Limits on input; each is reported by its own finding.
inline constexpr std::uint64_t kMaxExpandedBytes = std::uint64_t{8} << 20;  // of all references in a file
inline constexpr std::uint32_t kMaxEntityDepth = 64;                        // entities within entities

struct Entity;

// A reference to a declared entity, in the file or in the text of another entity.
struct Reference {
  std::uint32_t begin = 0;  // in the text that contains it
  std::uint32_t end = 0;
  const Entity* entity = nullptr;
  bool in_attribute = false;  // otherwise in content, where the entity's text is parsed as markup
};

// The result of reading an entity's text, as content or as a part of an attribute's value.
struct EntityReading {
  enum class State : std::uint8_t { unread, being_read, read } state = State::unread;
  std::vector<Reference> references;
  std::uint64_t expanded_bytes = 0;   // including the expansions of its references
  std::uint32_t depth = 1;            // of nested entities, including this one
  std::string_view external;          // an external entity that it refers to; empty if there is none
  std::optional<Finding> fault = {};  // why it cannot be expanded
  bool is_fault_of_inner = false;     // the fault is in an entity that it refers to
};

struct Entity {
  enum class Kind : std::uint8_t { internal, external, unparsed } kind = Kind::internal;
  std::string text;                            // of an internal entity: its replacement text
  std::array<EntityReading, 2> readings = {};  // as content, in an attribute
};

// By name. If a name is declared more than once, the first declaration counts.
using Entities = std::map<std::string, Entity, std::less<>>;

// The size in bytes of an entity's own text where it is expanded.
[[nodiscard]] std::uint64_t expanded_size(std::string_view text, bool in_attribute);

// The full expansion of a reference. Recursive; the depth is that of nested entities, which is limited.
[[nodiscard]] std::string expansion(const Reference& reference);

}  // namespace espalier::text
