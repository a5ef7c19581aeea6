// Completion in trees: from the element tables, the project's declarations and its names. See completion.h.
#include "editor/completion.h"

#include <algorithm>
#include <set>

#include "dialects/reading/reference.h"
#include "editor/context.h"
#include "editor/entries.h"
#include "editor/rows.h"
#include "project/suppressions.h"
#include "rules/rules.h"
#include "text/names.h"

namespace espalier::editor {
namespace {

using dialects::AttributeRow;
using dialects::ElementRow;
using dialects::ValueType;

// A place of a snippet to fill in, which has the default at first.
std::string to_fill_in(int number, std::string_view otherwise) {
  if (otherwise.empty()) return '$' + std::to_string(number);
  std::string text = "${" + std::to_string(number) + ':';
  for (const char c : otherwise) {
    if (c == '$' || c == '}' || c == '\\') text += '\\';
    text += c;
  }
  return text + '}';
}

class Completer {
 public:
  Completer(const LiveProject& project, const std::string& path, std::string_view text, std::uint32_t offset)
      : project_(project), text_(text), offset_(offset), context_(context_at(text, offset)) {
    file_ = project.file_at(path);
  }

  std::vector<Completion> run() {
    using Kind = Context::Kind;
    if (context_.kind == Kind::end_name) {
      if (!context_.around.empty()) end_tag();
      return std::move(result_);
    }
    const dialects::Dialect* const dialect = context_.around.empty() ? dialects::find_owner(context_.element)
                                                                     : dialects::find_owner(context_.around.front());
    if (dialect == nullptr) {
      if (context_.kind == Kind::element_name && context_.around.empty()) roots();
      return std::move(result_);
    }
    if (context_.kind == Kind::comment) suppressions(*dialect);
    const Rows rows(*dialect, project_.snapshot().configuration.dialects);
    if (context_.kind == Kind::element_name) elements(rows);
    if (context_.kind == Kind::attribute_name) attributes(rows);
    if (context_.kind == Kind::value) values(rows);
    if (context_.kind == Kind::text) texts(rows);
    return std::move(result_);
  }

 private:
  Completion& add(std::string label, CompletionKind kind, std::string detail = {}, std::string_view doc = {}) {
    Completion& item = result_.emplace_back();
    item.insert = label;
    item.label = std::move(label);
    item.kind = kind;
    item.detail = std::move(detail);
    item.documentation = doc;
    item.range = context_.word;
    return item;
  }

  void end_tag() {
    Completion& item = add(std::string(context_.around.back()), CompletionKind::element, "end tag");
    if (!text_.substr(context_.word.end).starts_with(">")) item.insert += '>';
  }

  // "<!-- espalier:ignore SEL012,SEL013 the reason -->"
  void suppressions(const dialects::Dialect& dialect) {
    std::string_view before = text_.substr(context_.value.begin, context_.word.begin - context_.value.begin);
    const auto skip_space = [&] { before.remove_prefix(std::min(before.find_first_not_of(" \t\r\n"), before.size())); };
    skip_space();
    if (before.empty()) {
      add(std::string(project::kSuppressionMarker), CompletionKind::keyword, "accepts findings of what follows");
      return;
    }
    if (!before.starts_with(project::kSuppressionMarker)) return;
    before.remove_prefix(project::kSuppressionMarker.size());
    skip_space();
    if (!before.empty() && before.back() != ',') return;  // the reason
    for (const rules::RuleInfo& rule : rules::all()) {
      const bool is_of_tree = rule.code.starts_with(dialect.prefix) || rule.code.starts_with("XML");
      if (!is_of_tree || (rule.severity == rules::Severity::error && !rule.may_be_lowered)) continue;
      add(std::string(rule.code), CompletionKind::word, std::string(rule.name), rule.summary);
    }
  }

  void roots() {
    for (const dialects::Dialect& dialect : dialects::all()) {
      const dialects::ElementTable& table = dialect.table();
      for (std::size_t i = 0; i < table.root_count; ++i) element(table.elements[i], table.dialect);
    }
  }

  // The rest of the line decides whether there is room for the whole element.
  bool is_at_end() const {
    const std::size_t end = std::min(text_.find('\n', context_.word.end), text_.size());
    const std::string_view rest = text_.substr(context_.word.end, end - context_.word.end);
    const std::size_t first = rest.find_first_not_of(" \t\r");
    return first == std::string_view::npos || rest[first] == '<';
  }

  void element(const ElementRow& row, std::string_view detail) {
    Completion& item = add(std::string(row.name), CompletionKind::element, std::string(detail), row.doc);
    if (!is_at_end()) return;
    std::string snippet(row.name);
    int number = 0;
    for (const AttributeRow& attribute : row.attributes) {
      const bool is_wanted = attribute.is_offered || attribute.need == dialects::Need::required ||
                             attribute.need == dialects::Need::taken_as_none;
      if (is_wanted)
        snippet += ' ' + std::string(attribute.name) + "=\"" + to_fill_in(++number, attribute.otherwise) + '"';
    }
    const bool is_empty = row.content.groups == 0 && !row.content.text;
    item.snippet = snippet + (is_empty ? "/>" : ">$0</" + std::string(row.name) + '>');
  }

  void elements(const Rows& rows) {
    for (const ElementRow* const row : rows.inside(context_.around)) element(*row, rows.table().dialect);
    if (!context_.around.empty()) {
      Completion& item = add('/' + std::string(context_.around.back()) + '>', CompletionKind::element, "end tag");
      item.snippet.clear();
    }
  }

  void attributes(const Rows& rows) {
    const ElementRow* const row = rows.find(context_.around, context_.element);
    if (row == nullptr) return;
    for (const AttributeRow* const attribute : rows.attributes(*row, context_.attributes)) {
      const auto is_it = [&](const WrittenAttribute& each) {
        const bool is_typed = each.name.data() == text_.data() + context_.word.begin;
        return !is_typed && rows.table().is_same(each.name, attribute->name);
      };
      if (std::any_of(context_.attributes.begin(), context_.attributes.end(), is_it)) continue;
      const auto reference = dialects::reference_of({attribute, 1});
      Completion& item = add(std::string(attribute->name), CompletionKind::attribute,
                             reference.empty() ? "" : reference.front().need, attribute->doc);
      if (!reference.empty() && !reference.front().value.empty()) {
        item.documentation += "\n\nValue: " + reference.front().value;
      }
      if (!attribute->otherwise.empty())
        item.documentation += "\n\nDefault: `" + std::string(attribute->otherwise) + '`';
      if (text_.substr(context_.word.end).starts_with("=")) continue;
      item.insert += "=\"\"";
      item.snippet = std::string(attribute->name) + "=\"$1\"";
    }
  }

  void values(const Rows& rows) {
    const ElementRow* const row = rows.find(context_.around, context_.element);
    if (row == nullptr) return;
    const AttributeRow* const attribute = rows.attribute(*row, context_.attributes, context_.attribute);
    if (attribute != nullptr) value(rows, attribute->value, attribute->naming);
    if (rows.table().dialect == "btcpp" && context_.around.size() > 1) entries();
  }

  // "{goal}" in a port, "goal" in a script or after a '{'.
  void entries() {
    if (context_.attribute == "name" || context_.attribute == "ID") return;
    const std::string_view before = text_.substr(context_.value.begin, offset_ - context_.value.begin);
    const bool is_script = context_.attribute[0] == '_' || context_.attribute == "code" || context_.attribute == "if";
    const bool is_open = before.find('{') != std::string_view::npos;
    if (!is_script && !is_open) context_.word = context_.value;
    if (!is_script && is_open) {
      const auto begin = static_cast<std::uint32_t>(context_.value.begin + before.rfind('{') + 1);
      const std::size_t end = text_.substr(0, context_.value.end).find('}', begin);
      context_.word = {begin, end == std::string_view::npos ? offset_ : static_cast<std::uint32_t>(end)};
    }
    if (!file_) return;
    for (const std::string& name : entry_names(project_, *file_, text_, offset_)) {
      add(is_script || is_open ? name : '{' + name + '}', CompletionKind::name, "entry");
    }
  }

  void texts(const Rows& rows) {
    if (context_.around.empty()) return;
    const ElementRow* const row =
        rows.find({context_.around.begin(), context_.around.end() - 1}, context_.around.back());
    if (row == nullptr || !row->content.text) return;
    std::size_t begin = offset_;
    while (begin > 0 && std::string_view(" \t\r\n>").find(text_[begin - 1]) == std::string_view::npos) --begin;
    context_.word = {static_cast<std::uint32_t>(begin), offset_};
    value(rows, *row->content.text, row->content.naming);
  }

  void value(const Rows& rows, const dialects::Value& value, const dialects::Naming& naming) {
    const ValueType type = value.type;
    if (type == ValueType::boolean || type == ValueType::any_boolean || type == ValueType::condition) {
      for (const char* const word : {"true", "false"}) add(word, CompletionKind::keyword);
    }
    if (type == ValueType::condition) {
      for (const char* const word : {"and", "or", "xor"}) add(word, CompletionKind::keyword);
    }
    // A name among others, or all of the value.
    const bool is_word = type == ValueType::condition || type == ValueType::names || type == ValueType::wanted_names ||
                         naming.kind == NameKind::node;
    if (!is_word && context_.kind == Context::Kind::value) context_.word = context_.value;
    for (const std::string_view word : value.words) add(std::string(word), CompletionKind::word);
    names(rows, dialects::naming_of(value, naming));
  }

  void names(const Rows& rows, const dialects::Naming& naming) {
    if (naming.kind == NameKind::none) return;
    std::set<std::string> seen;
    for (const Completion& item : result_) seen.insert(item.label);
    const auto kind = naming.kind == NameKind::signal ? CompletionKind::event : CompletionKind::name;
    const auto offer = [&](const std::string& name, std::string_view doc = {}) {
      if (!name.empty() && seen.insert(name).second) add(name, kind, std::string(word_of(naming.kind)), doc);
    };
    for (const dialects::HostDeclaration* const host : rows.hosts(naming.kind)) offer(host->name, host->doc);
    const dialects::Options& options = project_.snapshot().configuration.dialects;
    if (naming.kind == NameKind::signal) {
      for (const std::string& event : options.events) offer(event, "declared in espalier.json");
    }
    if (naming.kind == NameKind::behavior && options.behaviors) {
      for (const std::string& name : *options.behaviors) offer(name, "declared in espalier.json");
    }
    for (const std::string_view name : rows.names(naming.kind)) offer(std::string(name), "declared in espalier.json");
    if (!file_) return;
    const Occurrence scopes = nearest();
    for (const FileOccurrence& place : project_.index().known(*file_, naming.kind, scopes.tree, scopes.part)) {
      const bool is_typed = place.file == *file_ && place.occurrence->range.holds(offset_);
      if (!is_typed && naming.kind != NameKind::file && !place.occurrence->is_implied) offer(written(place));
    }
    if (naming.kind == NameKind::file) files(offer);
  }

  // The scopes at the cursor: those of the last name before it.
  Occurrence nearest() const {
    Occurrence found;
    for (const Occurrence& each : project_.index().names_of(*file_).all) {
      if (each.is_implied) continue;
      if (each.range.begin > offset_ && found.tree != kProjectScope) break;
      found = each;
    }
    return found;
  }

  std::string written(const FileOccurrence& place) const {
    const std::string_view text = project_.snapshot().sources[place.file].text();
    const Range range = place.occurrence->range;
    return range.end > text.size() ? place.occurrence->key
                                   : std::string(text.substr(range.begin, range.end - range.begin));
  }

  template <typename Offer>
  void files(const Offer& offer) {
    const std::string& own = project_.path_of(*file_);
    const std::string folder = own.substr(0, own.find_last_of('/') + 1);
    project_.index().each_name(NameKind::file, [&](std::string_view key, const Index::Uses&) {
      if (key != own && key.starts_with(folder)) offer(std::string(key.substr(folder.size())));
    });
  }

  const LiveProject& project_;
  std::string_view text_;
  std::uint32_t offset_;
  Context context_;
  std::optional<FileId> file_;
  std::vector<Completion> result_;
};

}  // namespace

std::vector<Completion> complete(const LiveProject& project, const std::string& path, std::string_view text,
                                 std::uint32_t offset) {
  return Completer(project, path, text, offset).run();
}

}  // namespace espalier::editor
