// The keys of an `expect` object: a row for each, with what it is compared with.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "replay/compiled_expectation.h"

namespace espalier::replay {

struct ExpectedKey {
  std::string_view name;
  std::string_view engines;  // whose trees have it, as in events.def
  bool is_of_all_agents;
  // The value is an object of names, and should be this; null: it is one value.
  const char* names;
  // Compiles a value, which has no `not`; `name` is null unless the value is one of an object of names.
  std::optional<LineFault> (*compile)(ExpectationCompiler& compiler, const text::JsonValue::Key* name,
                                      const text::JsonValue& value, Check& check);
  bool (*holds)(const Check& check, const Observed& observed);
  std::string (*actual)(const Check& check, const Observed& observed);
};

std::span<const ExpectedKey> expected_keys();

// The fault of a value that is not what the key wants: "status should be ...".
LineFault value_fault(std::string_view key, const text::JsonValue& value, std::string_view should_be);

}  // namespace espalier::replay
