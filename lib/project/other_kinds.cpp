// Files of another kind. See other_kinds.h.
#include "project/other_kinds.h"

#include <set>
#include <vector>

#include "dialects/reading/element_table.h"
#include "text/names.h"

namespace espalier::project {
namespace {

using text::Element;

struct Kind {
  std::string what;
  std::string hint;
};

bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return path.ends_with(ending); });
}

Kind kind_of(std::string_view path, std::string_view bytes) {
  constexpr std::size_t kFirst = 256;  // bytes that show a kind
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const std::string_view first = begin == std::string_view::npos ? std::string_view() : bytes.substr(begin, kFirst);
  if (first.starts_with('<')) return {};
  const bool is_json = first.starts_with('{') || first.starts_with('[');
  if (path.ends_with(".trace.jsonl") || (is_json && first.find("\"trace\"") < 8)) {
    return {"a trace", "run it with 'espalier replay PATHS... --trace FILE'"};
  }
  if (first.starts_with("ESPB")) return {"a compiled asset", "'espalier verify', 'dump' and 'replay' take it"};
  if (path.ends_with(".btlog")) return {"a log of BehaviorTree.CPP", "name the XML file of its trees"};
  if (path.ends_with("espalier.json")) return {"JSON", "it configures the project of its folder: name the folder"};
  if (ends_with_any(path, {".properties.json", ".properties"})) {
    return {"JSON: a file of properties", "check it with 'espalier prove PATHS... --properties FILE'"};
  }
  if (path.ends_with(".json") || path.ends_with(".jsonl") || is_json) {
    return {"JSON", "name the XML files of trees, or their folder"};
  }
  return {};
}

// Are all elements of the document those of the table? Counts the names that are not in `own`.
bool knows_all(const dialects::ElementTable& table, const dialects::ElementTable& own, const Element& root,
               std::set<std::string_view>& foreign) {
  std::vector<Element> open = {root};
  while (!open.empty()) {
    const Element element = open.back();
    open.pop_back();
    for (Element child = element.first_child(); child; child = child.next_sibling()) {
      if (table.find(child.name()) == nullptr) return false;
      if (own.find(child.name()) == nullptr) foreign.insert(child.name());
      open.push_back(child);
    }
  }
  return true;
}

bool holds_children(const dialects::ElementTable& table, const dialects::ElementRow& row, const Element& root) {
  for (Element child = root.first_child(); child; child = child.next_sibling()) {
    const dialects::ElementRow* const child_row = table.find_in(row, child.name());
    if (child_row == nullptr || !dialects::may_hold(row, *child_row)) return false;
  }
  return true;
}

}  // namespace

std::shared_ptr<const text::ParsedXml> not_xml(const std::string& path, std::string_view bytes) {
  Kind kind = kind_of(path, bytes);
  if (kind.what.empty()) return nullptr;
  auto parsed = std::make_shared<text::ParsedXml>();
  parsed->source = std::make_shared<text::Source>(path, std::string());
  parsed->findings.add(text::Rule::XML_not_xml, {0, 0, 0}, "this is " + kind.what + ", not XML", std::move(kind.hint));
  return parsed;
}

std::string_view other_root(const text::XmlDocument& document, const dialects::Dialect& owner) {
  constexpr std::size_t kLeastForeign = 2;  // one could be a slip
  const Element root = document.root();
  const dialects::ElementTable& own = owner.table();
  const dialects::ElementRow* const row = own.find(root.name());
  if (row == nullptr || holds_children(own, *row, root)) return {};
  for (const dialects::Dialect& other : dialects::all()) {
    if (&other == &owner) continue;
    const dialects::ElementTable& table = other.table();
    std::set<std::string_view> foreign;
    for (const dialects::ElementRow& candidate : table.elements.first(table.root_count)) {
      if (!holds_children(table, candidate, root)) continue;
      if (!knows_all(table, own, root, foreign)) break;
      if (foreign.size() >= kLeastForeign) return candidate.name;
    }
  }
  return {};
}

}  // namespace espalier::project
