// The texts of the rule folders, as rule_texts.cmake puts them into the program.
#pragma once
#include <span>
#include <string_view>

#include "rules/rules.h"

namespace espalier::rules {

struct RuleTexts {
  std::string_view folder;  // "SEL012-duplicate-variable"
  std::string_view why;
  std::span<const ExampleFile> bad;
  std::span<const ExampleFile> good;
};

// Sorted by folder. In a generated file.
std::span<const RuleTexts> rule_texts();

}  // namespace espalier::rules
