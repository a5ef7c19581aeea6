// Names in a file. See names.h.
#include "project/names.h"

#include <algorithm>
#include <array>

#include "dialects/condition/condition.h"
#include "dialects/reading/checks.h"
#include "dialects/reading/values.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::project {
namespace {

using dialects::ElementRow;
using dialects::Naming;
using dialects::ValueType;

constexpr std::array<std::string_view, static_cast<std::size_t>(NameKind::count)> kKindWords = {
    "name",      "tree",     "block",   "variable",        "signal",    "node",           "state",  "timestamp",
    "flag",      "stimulus", "decider", "decide function", "behaviour", "behaviour flag", "action", "condition",
    "parameter", "rule",     "file",    "gate or group",   "barrier",   "slot",           "scope",  "node"};

Range range_of(const text::Span& span) { return {span.begin, span.end}; }

struct Scopes {
  ScopeId tree = kProjectScope;
  ScopeId part = kProjectScope;
};

class NamesWalk {
 public:
  NamesWalk(const text::XmlDocument& document, const dialects::Dialect& dialect, const dialects::File& place,
            bool is_wanted(NameKind kind))
      : document_(document), table_(dialect.table()), dialect_(dialect), place_(place), is_wanted_(is_wanted) {}

  FileNames run() {
    const text::Element root = document_.root();
    if (root) element(root, nullptr, {});
    add_implied(root);
    return std::move(names_);
  }

 private:
  void element(const text::Element& element, const ElementRow* parent, Scopes scopes) {
    const ElementRow* const row =
        parent == nullptr ? table_.find(element.name()) : table_.find_in(*parent, element.name());
    const Scopes outer = scopes;
    if (row == nullptr) {
      node_of_game(element);
    } else {
      if (row->opens_tree && scopes.tree == kProjectScope) scopes.tree = ++last_scope_;
      if (row->opens_part) scopes.part = ++last_scope_;
      attributes(element, *row, scopes, outer);
      add_missing(element, *row);
      if (row->content.text && row->content.naming.kind != NameKind::none) text(element, *row, scopes);
    }
    const ElementRow* const around = row == nullptr ? parent : row;
    for (text::Element child = element.first_child(); child; child = child.next_sibling()) {
      this->element(child, around, scopes);
    }
  }

  // A node that the table does not know is the host's.
  void node_of_game(const text::Element& element) {
    if (dialect_.has_node == nullptr || !wants(table_.unknown_elements)) return;
    const std::string name(element.name());
    const text::Span end = element.end_span();
    add({table_.unknown_elements, NameUse::reads, name, range_of(element.span())});
    if (end.end > end.begin) add({table_.unknown_elements, NameUse::reads, name, range_of(end)});
  }

  void attributes(const text::Element& element, const ElementRow& row, const Scopes& scopes, const Scopes& outer) {
    const auto may_name = [&](const dialects::AttributeRow& each) {
      return wants(dialects::naming_of(each.value, each.naming).kind);
    };
    if (std::none_of(row.attributes.begin(), row.attributes.end(), may_name)) return;
    for (const text::Attribute& attribute : element.attributes()) {
      const dialects::AttributeRow* const known = dialects::find_attribute(table_, row, attribute.name());
      if (known == nullptr) continue;
      const Naming naming = dialects::naming_of(known->value, known->naming);
      if (naming.kind == NameKind::none || !wants(naming.kind)) continue;
      // The name of what opens a scope is outside of it: other trees and machines refer to it.
      const bool is_own = naming.use == NameUse::declares && naming.scope != NameScope::project;
      value(attribute, known->value.type, naming, is_own ? outer : scopes, scopes);
    }
  }

  void value(const text::Attribute& attribute, ValueType type, const Naming& naming, const Scopes& scopes,
             const Scopes& inner) {
    const std::string_view text = attribute.value();
    if (type == ValueType::condition) {
      for (const ir::Term& term : dialects::condition::parse(text).terms) {
        if (term.kind == ir::TermKind::variable) name(attribute, term.begin, term.end, naming, scopes, inner);
      }
    } else if (type == ValueType::names || type == ValueType::wanted_names) {
      for (const dialects::Word& word : dialects::words_of(text)) {
        const std::uint32_t skipped = type == ValueType::wanted_names && word.text.starts_with('!') ? 1 : 0;
        name(attribute, word.begin + skipped, word.end(), naming, scopes, inner);
      }
    } else if (naming.kind == NameKind::node && naming.use == NameUse::reads) {  // a path: "Parent:Leaf"
      for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(':', begin), text.size());
        name(attribute, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), naming, scopes, inner);
        begin = end + 1;
      }
    } else {
      name(attribute, 0, static_cast<std::uint32_t>(text.size()), naming, scopes, inner);
    }
  }

  void name(const text::Attribute& attribute, std::uint32_t begin, std::uint32_t end, const Naming& naming,
            const Scopes& scopes, const Scopes& inner) {
    if (begin >= end) return;
    const std::string written(attribute.value().substr(begin, end - begin));
    Occurrence occurrence{naming.kind,
                          naming.use,
                          naming.kind == NameKind::file ? path_of(written) : key_of(written, naming),
                          range_of(attribute.value_span(begin, end)),
                          scope_of(naming.scope, scopes),
                          inner.tree,
                          inner.part};
    add(std::move(occurrence));
  }

  void text(const text::Element& element, const ElementRow& row, const Scopes& scopes) {
    const Naming& naming = row.content.naming;
    for (const text::TextPiece& piece : element.text()) {
      const text::Span span = dialects::visible(document_.source().text(), piece.span);
      if (span.begin >= span.end) continue;
      std::string written(document_.source().text().substr(span.begin, span.end - span.begin));
      if (naming.kind == NameKind::file) written = path_of(written);
      add({naming.kind, naming.use, std::move(written), range_of(span), scope_of(naming.scope, scopes)});
    }
  }

  // The absolute path that a subtree's path means.
  std::string path_of(const std::string& written) const {
    const bool is_of_project = written.starts_with('/');
    const std::string folder =
        is_of_project ? place_.folder : system::filesystem::path(place_.path).parent_path().generic_string();
    return system::filesystem::path(folder + '/' + written).lexically_normal().generic_string();
  }

  static std::string key_of(std::string_view written, const Naming& naming) {
    return naming.any_case ? text::lower_case(written) : std::string(written);
  }

  static ScopeId scope_of(NameScope scope, const Scopes& scopes) {
    if (scope == NameScope::project) return kProjectScope;
    if (scope == NameScope::part && scopes.part != kProjectScope) return scopes.part;
    return scopes.tree;
  }

  // What a file declares without writing it: its path, which subtrees of other files name, and its tree's name.
  void add_implied(const text::Element& root) {
    if (!root) return;
    const Range range = range_of(root.span());
    const auto names_file = [](const auto& row) { return row.naming.kind == NameKind::file; };
    const bool has_paths = std::any_of(table_.elements.begin(), table_.elements.end(), [&](const ElementRow& row) {
      return names_file(row.content) || std::any_of(row.attributes.begin(), row.attributes.end(), names_file);
    });
    if (has_paths) add({NameKind::file, NameUse::declares, place_.path, range, 0, 0, 0, true});
    const bool has_name = std::any_of(names_.all.begin(), names_.all.end(), [](const Occurrence& each) {
      return each.kind == NameKind::tree && each.use == NameUse::declares;
    });
    if (has_name) {
      add({NameKind::tree, NameUse::declares, any_tree(), range, 0, 0, 0, true});
    } else if (!place_.name.empty() && table_.find(root.name()) == table_.elements.data() &&
               table_.elements[0].opens_tree) {
      add({NameKind::tree, NameUse::declares, text::lower_case(place_.name), range, 0, 0, 0, true});
    }
  }

  // A list of trees that is missing means all of them.
  void add_missing(const text::Element& element, const ElementRow& row) {
    for (const dialects::AttributeRow& attribute : row.attributes) {
      const bool lists_trees = attribute.value.type == ValueType::names && attribute.naming.kind == NameKind::tree;
      if (!lists_trees || element.attribute(attribute.name)) continue;
      add({NameKind::tree, NameUse::reads, any_tree(), range_of(element.span()), 0, 0, 0, true});
    }
  }
  std::string any_tree() const { return std::string(kAnyTree) + std::string(dialect_.name); }

  bool wants(NameKind kind) const { return is_wanted_ == nullptr || is_wanted_(kind); }
  void add(Occurrence occurrence) { names_.all.push_back(std::move(occurrence)); }

  const text::XmlDocument& document_;
  const dialects::ElementTable& table_;
  const dialects::Dialect& dialect_;
  const dialects::File& place_;
  bool (*const is_wanted_)(NameKind kind);  // null: all are
  ScopeId last_scope_ = kProjectScope;
  FileNames names_;
};

}  // namespace

const Occurrence* FileNames::at(std::uint32_t offset) const {
  for (const Occurrence& occurrence : all) {
    if (!occurrence.is_implied && occurrence.range.holds(offset)) return &occurrence;
  }
  return nullptr;
}

FileNames names_of(const text::XmlDocument& document, const dialects::Dialect& dialect, const dialects::File& place,
                   bool is_wanted(NameKind kind)) {
  return NamesWalk(document, dialect, place, is_wanted).run();
}

std::string_view word_of(NameKind kind) { return kKindWords[static_cast<std::size_t>(kind)]; }

}  // namespace espalier::project
