// The shape of a file: symbols, folds, colours and hints. See answers.h.
#include <algorithm>
#include <map>

#include "dialects/condition/condition.h"
#include "editor/answers.h"
#include "text/names.h"

namespace espalier::editor {
namespace {

// All of an element, from '<' to '>'. In a damaged file it may end too early, but never out of the text.
Range range_of_element(const text::Element& element, std::string_view text) {
  std::uint32_t end = element.end_span().end;
  if (end <= element.end_span().begin) {
    end = element.span().end;
    for (const text::Attribute& attribute : element.attributes()) end = std::max(end, attribute.value_span().end);
    for (text::Element child = element.first_child(); child; child = child.next_sibling()) {
      end = std::max(end, range_of_element(child, text).end);
    }
  }
  const std::size_t close = text.find('>', end);
  const auto size = static_cast<std::uint32_t>(text.size());
  const std::uint32_t begin = element.span().begin == 0 ? 0 : element.span().begin - 1;
  return {begin, std::max(begin, close == std::string_view::npos ? size : static_cast<std::uint32_t>(close) + 1)};
}

NameKind kind_of(const dialects::ElementRow* row) {
  if (row == nullptr) return NameKind::action;
  for (const dialects::AttributeRow& attribute : row->attributes) {
    if (attribute.naming.use == NameUse::declares && attribute.naming.kind != NameKind::none)
      return attribute.naming.kind;
  }
  return NameKind::none;
}

Symbol symbol_of(const dialects::ElementTable& table, const text::Element& element, const dialects::ElementRow* parent,
                 std::string_view text) {
  const dialects::ElementRow* const row =
      parent == nullptr ? table.find(element.name()) : table.find_in(*parent, element.name());
  Symbol symbol;
  symbol.name = element.name();
  symbol.kind = kind_of(row);
  symbol.range = range_of_element(element, text);
  symbol.selection = {element.span().begin, element.span().end};
  for (const char* const name : {"name", "id", "slot", "state", "to", "node"}) {
    const text::Attribute attribute = element.attribute_any_case(name);
    if (!attribute || attribute.value().empty()) continue;
    symbol.detail = attribute.value();
    break;
  }
  if (const text::Attribute condition = element.attribute_any_case("condition");
      condition && !condition.value().empty()) {
    symbol.detail += (symbol.detail.empty() ? "" : ": ") + std::string(condition.value());
  }
  for (text::Element child = element.first_child(); child; child = child.next_sibling()) {
    symbol.children.push_back(symbol_of(table, child, row == nullptr ? parent : row, text));
    symbol.range.end = std::max(symbol.range.end, symbol.children.back().range.end);
  }
  return symbol;
}

void add_condition(const text::Attribute& attribute, std::vector<Token>& tokens) {
  const std::string_view text = attribute.value();
  constexpr std::string_view kBreaks = " \t\r\n()!=<>&|";
  const auto add = [&](std::size_t begin, std::size_t end, TokenKind kind) {
    const text::Span span = attribute.value_span(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
    tokens.push_back({{span.begin, span.end}, kind});
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (kBreaks.find(text[at]) == std::string_view::npos) {
      at = std::min(text.find_first_of(kBreaks, at), text.size());
      const std::string word = text::lower_case(text.substr(begin, at - begin));
      const bool is_operator = word == "and" || word == "or" || word == "xor";
      const bool is_constant = word == "true" || word == "false";
      add(begin, at, is_operator ? TokenKind::keyword : is_constant ? TokenKind::constant : TokenKind::variable);
    } else if (text[at] == '!' || text[at] == '=') {
      at += text.substr(at + 1).starts_with("=") ? 2 : 1;
      add(begin, at, TokenKind::operation);
    } else {
      ++at;
    }
  }
}

bool is_word_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' || letter == '@';
}
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Where the word, number, text or operator that begins at `at` ends, and what it is.
std::pair<std::size_t, TokenKind> script_token(std::string_view text, std::size_t at) {
  constexpr std::string_view kOperators = ":=+-*/.<>!&|^~?";
  const auto is_part = [&](std::size_t i) { return is_word_letter(text[i]) || is_digit(text[i]); };
  std::size_t end = at + 1;
  if (text[at] == '\'') return {std::min(text.find('\'', end), text.size() - 1) + 1, TokenKind::constant};
  if (is_part(at)) {
    const bool is_number = is_digit(text[at]);
    // "1..2" joins two numbers.
    while (end < text.size() &&
           (is_part(end) || (is_number && text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]))))
      ++end;
    const std::string_view word = text.substr(at, end - at);
    return {end, is_number || word == "true" || word == "false" ? TokenKind::constant : TokenKind::variable};
  }
  if (kOperators.find(text[at]) == std::string_view::npos) return {end, TokenKind::count};
  return {std::min(text.find_first_not_of(kOperators, end), text.size()), TokenKind::operation};
}

void add_script(const text::Attribute& attribute, std::vector<Token>& tokens) {
  const std::string_view text = attribute.value();
  for (std::size_t at = 0; at < text.size();) {
    const auto [end, kind] = script_token(text, at);
    const text::Span span = attribute.value_span(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end));
    if (kind != TokenKind::count) tokens.push_back({{span.begin, span.end}, kind});
    at = end;
  }
}

// Of an element without a row, which may be a node of the game: an attribute that all nodes have.
const dialects::AttributeRow* attribute_row(const dialects::ElementTable& table, const dialects::ElementRow* element,
                                            std::string_view name) {
  const auto* const own = element == nullptr ? nullptr : dialects::find_attribute(table, *element, name);
  if (own != nullptr || (element != nullptr && element->common != dialects::Common::read)) return own;
  const auto found = std::find_if(table.common.begin(), table.common.end(),
                                  [&](const dialects::AttributeRow& each) { return table.is_same(each.name, name); });
  return found == table.common.end() ? nullptr : &*found;
}

TokenKind token_of(const Occurrence& each) {
  switch (each.kind) {
    case NameKind::variable:
    case NameKind::flag:
    case NameKind::stimulus:
    case NameKind::timestamp:
      return TokenKind::variable;
    case NameKind::signal:
      return TokenKind::event;
    default:
      return each.use == NameUse::declares ? TokenKind::name : TokenKind::reference;
  }
}

void add_leaves(const ir::Node& root, FileId file, std::map<std::uint32_t, std::vector<std::string>>& behaviors) {
  for (const ir::Node& node : ir::nodes_from(root)) {
    const ir::Leaf* const leaf = node.as_if<ir::Leaf>();
    if (leaf == nullptr || node.span.file != file) continue;
    std::vector<std::string>& names = behaviors[node.span.begin];
    const bool is_new = std::find(names.begin(), names.end(), leaf->behavior) == names.end();
    if (leaf->behavior != node.name && is_new) names.push_back(leaf->behavior);
  }
}

// The file, and some of those that use its blocks, whose leaves are in their trees.
std::vector<FileId> with_users(const LiveProject& project, FileId file) {
  constexpr std::size_t kEnough = 32;
  std::vector<FileId> files = {file};
  for (const Occurrence& each : project.index().names_of(file).all) {
    const bool is_shared = each.kind == NameKind::block && each.use == NameUse::declares;
    const Index::Uses* const uses = is_shared ? project.index().files_with(each.kind, each.key) : nullptr;
    if (uses == nullptr) continue;
    for (const auto& [user, how] : *uses) {
      const bool is_new = std::find(files.begin(), files.end(), user) == files.end();
      if (is_new && files.size() < kEnough) files.push_back(user);
    }
  }
  return files;
}

}  // namespace

std::vector<Symbol> symbols(const text::XmlDocument& document) {
  const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
  const text::Element root = document.root();
  if (dialect == nullptr || !root) return {};
  return {symbol_of(dialect->table(), root, nullptr, document.source().text())};
}

std::vector<Fold> folds(const text::XmlDocument& document) {
  std::vector<Fold> folds;
  const text::Source& source = document.source();
  const auto add = [&](Range range, bool is_comment) {
    if (source.position(range.begin).line < source.position(range.end).line) folds.push_back({range, is_comment});
  };
  for (const text::Comment& comment : document.comments()) add({comment.span.begin, comment.span.end}, true);
  std::vector<text::Element> open;
  if (const text::Element root = document.root(); root) open.push_back(root);
  while (!open.empty()) {
    const text::Element element = open.back();
    open.pop_back();
    add(range_of_element(element, source.text()), false);
    for (text::Element child = element.first_child(); child; child = child.next_sibling()) open.push_back(child);
  }
  std::sort(folds.begin(), folds.end(), [](const Fold& a, const Fold& b) { return a.range < b.range; });
  return folds;
}

std::vector<Token> tokens(const LiveProject& project, FileId file) {
  std::vector<Token> tokens;
  const project::SnapshotFile* const tree = project.tree_file(file);
  if (tree == nullptr || !tree->parsed->has_document) return tokens;
  const text::XmlDocument document(tree->parsed, file);
  const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
  const text::Element root = document.root();
  if (dialect == nullptr || !root) return tokens;
  each_element(dialect->table(), root, nullptr, [&](const text::Element& element, const dialects::ElementRow* row) {
    for (const text::Attribute& attribute : element.attributes()) {
      const auto* const known = attribute_row(dialect->table(), row, attribute.name());
      if (known == nullptr) continue;
      if (known->value.type == dialects::ValueType::condition) add_condition(attribute, tokens);
      if (known->value.type == dialects::ValueType::script) add_script(attribute, tokens);
    }
  });
  for (const Occurrence& each : project.index().names_of(file).all) {
    if (!each.is_implied) tokens.push_back({each.range, token_of(each), each.use == NameUse::declares});
  }
  std::stable_sort(tokens.begin(), tokens.end(),
                   [](const Token& a, const Token& b) { return a.range.begin < b.range.begin; });
  std::vector<Token> apart;
  for (const Token& token : tokens) {
    const bool overlaps = !apart.empty() && token.range.begin < apart.back().range.end;
    if (token.range.begin < token.range.end && !overlaps) apart.push_back(token);
  }
  return apart;
}

std::vector<Hint> hints(const LiveProject& project, FileId file) {
  std::vector<Hint> hints;
  const project::SnapshotFile* const tree = project.tree_file(file);
  if (tree == nullptr || !tree->parsed->has_document) return hints;
  std::map<std::uint32_t, std::vector<std::string>> behaviors;  // by place of the leaf's element
  const project::Checked checked = project.compiled(with_users(project, file));
  for (const ir::Tree& each : checked.ir.trees) {
    if (each.engine() == EngineId::select) add_leaves(each.root(), file, behaviors);
  }
  const text::XmlDocument document(tree->parsed, file);
  const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
  const text::Element root = document.root();
  if (dialect == nullptr || !root || behaviors.empty()) return hints;
  each_element(dialect->table(), root, nullptr, [&](const text::Element& element, const dialects::ElementRow*) {
    const auto found = behaviors.find(element.span().begin);
    const text::Attribute name = element.attribute_any_case("name");
    if (found == behaviors.end() || found->second.empty() || !name) return;
    std::string text = "→ ";
    for (const std::string& behavior : found->second) text += (text.size() > 4 ? ", " : "") + behavior;
    hints.push_back({name.value_span().end + 1, text});
  });
  return hints;
}

}  // namespace espalier::editor
