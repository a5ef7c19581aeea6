// The reference of elements by name: those of the dialects, and what a project or an engine declares.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "dialects/dialect.h"
#include "dialects/reading/reference.h"
#include "ir/node.h"

namespace espalier::project {

struct ExplainedElement {
  std::string_view dialect;
  std::string_view kind;  // "element", "node of the game", "node of the engine", "action", "condition"
  dialects::ElementReference reference;
  ir::Results results = 0;  // that it can give; 0: the element says nothing about that
  // More of what a declaration says, as a word and a text: "sends", "'OnArrival'".
  std::vector<std::pair<std::string_view, std::string>> facts;
};

// All that have this name, ignoring case: those spelt exactly like it first, then in the order of the dialects.
[[nodiscard]] std::vector<ExplainedElement> explain_element(std::string_view name, const dialects::Options& options);

// All whose name, or one of whose attributes, or whose summary has the word `word`, in the order of the dialects.
[[nodiscard]] std::vector<ExplainedElement> search_elements(std::string_view word, const dialects::Options& options);

// Does a word of the text begin with `word`, ignoring case? Words of names begin at capitals too.
[[nodiscard]] bool has_word(std::string_view text, std::string_view word);

// All names that explain_element() knows, each once, sorted.
[[nodiscard]] std::vector<std::string> explained_names(const dialects::Options& options);

}  // namespace espalier::project
