// Classes as they are used: with the types of their templates, and what they derive from.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cpp/bases.h"
#include "cpp/program.h"

namespace espalier::cpp {

// A class among the sources. In its context names are looked up from within it.
struct UsedClass {
  FoundClass found;
  Context context;
};

// What a class derives from: a class among the sources, or one that is known by its name (bases.h), or another one.
struct Base {
  std::optional<UsedClass> own;
  const BaseRow* known = nullptr;
};

// The class that a type means; nothing: it is not among the sources.
[[nodiscard]] std::optional<UsedClass> class_at(const Program& program, const Context& context, Range type);
[[nodiscard]] Base base_at(const Program& program, const Context& context, Range type);
[[nodiscard]] std::vector<Base> bases_of(const Program& program, const UsedClass& of);

// From its bases, through all levels.
[[nodiscard]] Kind kind_of(const Program& program, const UsedClass& of);

// The first base, through all levels, that is known by its name, also if the package has a class of that name; null:
// there is none.
[[nodiscard]] const BaseRow* find_namesake(const Program& program, const UsedClass& of);

// A member function by its name, of the class or of the nearest base that has one.
struct Member {
  std::optional<UsedClass> of;
  std::optional<FoundFunction> function;  // if it is among the sources
  const BaseRow* known = nullptr;         // else the base that may have it
  bool may_be_elsewhere = false;          // in a base that is not known
};
[[nodiscard]] Member find_member(const Program& program, const UsedClass& of, std::string_view name);

}  // namespace espalier::cpp
