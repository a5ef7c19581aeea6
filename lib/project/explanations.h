// What `explain` shows of rules and elements: as text, wrapped to lines of 88 characters, and as JSON.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "project/explain_element.h"
#include "rules/rules.h"

namespace espalier::project {

// A rule with why it matters, and its examples; those that are not UTF-8 are made readable. `site`: where its page is,
// as for rules::page_of().
[[nodiscard]] std::string rule_text(rules::Rule rule, std::string_view site);
// A line for each rule.
[[nodiscard]] std::string list_of_rules();
[[nodiscard]] std::string element_text(const ExplainedElement& element);

// The rules whose name or summary has a word, as has_word() finds it.
[[nodiscard]] std::vector<rules::Rule> search_rules(std::string_view word);
// What has the word in its name or its summary: a line for each.
[[nodiscard]] std::string search_text(const std::string& word, const std::vector<rules::Rule>& rules,
                                      const std::vector<ExplainedElement>& elements);

// What is empty is left out, unless all is.
[[nodiscard]] std::string explanations_json(const std::vector<rules::Rule>& rules,
                                            const std::vector<ExplainedElement>& elements, std::string_view site);

}  // namespace espalier::project
