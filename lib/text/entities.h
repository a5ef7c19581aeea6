// Entities that a file's DOCTYPE declares in its internal subset, and what references to them stand for (XML 1.0, 4.4
// and 4.5). No file is read for them. What a reference expands to is counted before anything is expanded, so that
// entities of entities of entities ("billion laughs") cost no more than their text.
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

// Limits on what comes from outside; each has a finding of its own.
inline constexpr std::uint64_t kMaxExpandedBytes = std::uint64_t{8} << 20;  // of all references in a file
inline constexpr std::uint32_t kMaxEntityDepth = 64;                        // entities within entities

struct Entity;

// A reference to a declared entity, in the file or in the text of another entity.
struct Reference {
  std::uint32_t begin = 0;  // in the text that it stands in
  std::uint32_t end = 0;
  const Entity* entity = nullptr;
  bool in_attribute = false;  // else in content, where the entity's text is read as markup
};

// What came of looking through an entity's text, as content or as a part of an attribute's value.
struct EntityReading {
  enum class State : std::uint8_t { unread, being_read, read } state = State::unread;
  std::vector<Reference> references;
  std::uint64_t expanded_bytes = 0;   // with all that its references stand for
  std::uint32_t depth = 1;            // of entities within entities, itself counted
  std::string_view external;          // an external entity that it refers to; empty: none
  std::optional<Finding> fault = {};  // it cannot be expanded
  bool is_fault_of_inner = false;     // of an entity that it refers to
};

struct Entity {
  enum class Kind : std::uint8_t { internal, external, unparsed } kind = Kind::internal;
  std::string text;                            // of an internal one: its replacement text
  std::array<EntityReading, 2> readings = {};  // as content, in an attribute
};

// By name; of two of one name the first counts.
using Entities = std::map<std::string, Entity, std::less<>>;

// The bytes of an entity's own text where it is expanded.
[[nodiscard]] std::uint64_t expanded_size(std::string_view text, bool in_attribute);

// All that a reference stands for, references in it replaced. As deep as entities are nested, which is limited.
[[nodiscard]] std::string expansion(const Reference& reference);

}  // namespace espalier::text
