// See written_conditions.h.
#include "codegen/dump/written_conditions.h"

#include <optional>

namespace espalier::codegen {
namespace {

constexpr std::int32_t kNoTransition = -1;

// The value of an attribute as one line; none: it has other references than those that XML has by itself.
std::optional<std::string> unescaped(std::string_view written) {
  constexpr std::pair<std::string_view, char> kReferences[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string text;
  while (!written.empty()) {
    std::size_t size = 1;
    char letter = written.front();
    if (letter == '&') {
      size = 0;
      for (const auto& [reference, meant] : kReferences) {
        if (!written.starts_with(reference)) continue;
        size = reference.size();
        letter = meant;
      }
      if (size == 0) return std::nullopt;
    }
    const bool is_blank = letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
    if (!is_blank) {
      text += letter;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
    written.remove_prefix(size);
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

// Is the whole negated by something that is not in its text, as by equalTo="0"?
bool is_negated_elsewhere(const ir::Condition& condition) {
  const ir::Term& root = condition.terms.back();
  if (root.kind != ir::TermKind::negation) return false;
  const ir::Term& operand = condition.terms[root.left];
  return operand.begin == root.begin && operand.end == root.end;
}

}  // namespace

std::string WrittenConditions::of(const NodeDebug& place, std::int32_t transition) {
  if (!is_found_) find_all();
  is_found_ = true;
  const auto found = texts_.find(ConditionKey{place.file, place.line, place.column, transition});
  return found == texts_.end() ? std::string() : found->second;
}

void WrittenConditions::find_all() {
  for (const ir::Tree& tree : project_.trees) {
    if (tree.engine() != EngineId::select && tree.engine() != EngineId::tick) continue;
    for (const ir::Node& node : ir::nodes_from(tree.root())) add_all(tree, node);
  }
}

void WrittenConditions::add_all(const ir::Tree& tree, const ir::Node& node) {
  if (const ir::Condition* own = ir::condition_of(tree, node)) add(node, *own, kNoTransition);
  if (const auto* state = node.as_if<ir::Transitions>()) {
    for (std::size_t i = 0; i < state->transitions.size(); ++i) {
      add(node, tree.conditions[state->transitions[i].condition], static_cast<std::int32_t>(i));
    }
  }
}

void WrittenConditions::add(const ir::Node& node, const ir::Condition& condition, std::int32_t transition) {
  const text::Source& source = sources_[node.span.file];
  const std::string_view all = sources_[condition.span.file].text();
  if (condition.span.end > all.size() || condition.span.begin >= condition.span.end) return;
  std::optional<std::string> text =
      unescaped(all.substr(condition.span.begin, condition.span.end - condition.span.begin));
  if (!text || text->empty()) return;
  if (is_negated_elsewhere(condition)) *text = "!(" + *text + ')';
  const text::Position at = source.position(node.span.begin);
  texts_.emplace(ConditionKey{source.path(), at.line, at.column, transition}, *std::move(text));
}

}  // namespace espalier::codegen
