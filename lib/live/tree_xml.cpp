// XML of programs. See tree_xml.h.
#include "live/tree_xml.h"

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "text/xml.h"

namespace espalier::live {
namespace {

using text::Edit;
using text::Element;

// Null: it is not well-formed.
std::unique_ptr<text::XmlDocument> parse(std::string_view xml) {
  std::shared_ptr<const text::ParsedXml> parsed = text::parse_xml("log", xml);
  if (!parsed->has_document || parsed->is_damaged) return nullptr;
  auto document = std::make_unique<text::XmlDocument>(std::move(parsed), 0);
  return document->root() ? std::move(document) : nullptr;
}

// All of an element, with its tags.
text::Span whole(const Element& element, std::string_view xml) {
  const std::uint32_t begin = element.span().begin - 1;
  const std::uint32_t last = element.end_span().end > element.span().end ? element.end_span().end : element.span().end;
  const std::size_t end = xml.find('>', last);
  return {0, begin, static_cast<std::uint32_t>(end == std::string_view::npos ? xml.size() : end + 1)};
}

// Line ends stay.
std::string blank(std::string_view text) {
  std::string blanks(text);
  std::replace_if(
      blanks.begin(), blanks.end(), [](char c) { return c != '\n'; }, ' ');
  return blanks;
}

// "patrol/north": "north". One that no author gave, "GoTo::7", is no name.
std::string_view own_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return path.find("::") == std::string_view::npos ? path : std::string_view();
}

void name_subtrees(const Element& element, std::vector<Edit>& edits) {
  for (const Element& child : element.children()) {
    const text::Attribute path = child.attribute("_fullpath");
    if (child.name() == "SubTree" && path && !child.attribute("name")) {
      if (const std::string_view name = own_name(path.value()); !name.empty()) {
        const std::uint32_t begin = path.name_span().begin;
        edits.push_back({{0, begin, path.value_span().end + 1}, "name=\"" + std::string(name) + '"'});
      }
    }
    name_subtrees(child, edits);
  }
}

}  // namespace

std::string as_project_xml(std::string_view program_xml) {
  const std::unique_ptr<text::XmlDocument> document = parse(program_xml);
  std::string xml(program_xml);
  if (document == nullptr) return xml;
  std::vector<Edit> edits;
  std::set<std::string, std::less<>> known;
  const Element root = document->root();
  if (!root.attribute("main_tree_to_execute")) {
    const std::uint32_t end = root.span().end;
    const std::string main = main_tree_of(program_xml);
    if (!main.empty()) edits.push_back({{0, end, end}, " main_tree_to_execute=\"" + main + '"'});
  }
  for (const Element& child : root.children()) {
    if (child.name() != "BehaviorTree") continue;
    if (!known.emplace(child.attribute("ID").value()).second) {
      const text::Span span = whole(child, xml);
      edits.push_back({span, blank(program_xml.substr(span.begin, span.end - span.begin))});
      continue;
    }
    name_subtrees(child, edits);
  }
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    xml.replace(edit->span.begin, edit->span.end - edit->span.begin, edit->replacement);
  return xml;
}

std::string models_of(std::string_view program_xml) {
  const std::unique_ptr<text::XmlDocument> document = parse(program_xml);
  std::string xml(program_xml);
  if (document == nullptr) return xml;
  const auto remove = [&](const text::Span& span) {
    xml.replace(span.begin, span.end - span.begin, blank(program_xml.substr(span.begin, span.end - span.begin)));
  };
  if (const text::Attribute main = document->root().attribute("main_tree_to_execute"))
    remove({0, main.name_span().begin, main.value_span().end + 1});
  for (const Element& child : document->root().children()) {
    if (child.name() == "BehaviorTree") remove(whole(child, program_xml));
  }
  return xml;
}

std::vector<std::string> boards_of(std::string_view program_xml) {
  std::vector<std::string> boards;
  const std::unique_ptr<text::XmlDocument> document = parse(program_xml);
  if (document == nullptr) return boards;
  for (const Element& child : document->root().children()) {
    if (child.name() != "BehaviorTree") continue;
    const std::string_view path = child.attribute("_fullpath").value();
    boards.emplace_back(path.empty() ? child.attribute("ID").value() : path);
  }
  return boards;
}

bool has_unconnected_subtree(std::string_view program_xml) {
  const std::unique_ptr<text::XmlDocument> document = parse(program_xml);
  if (document == nullptr) return false;
  std::vector<Element> left = {document->root()};
  while (!left.empty()) {
    const Element element = left.back();
    left.pop_back();
    if (element.name() == "SubTree" && !element.attribute("_autoremap")) return true;
    for (const Element& child : element.children()) left.push_back(child);
  }
  return false;
}

std::string main_tree_of(std::string_view program_xml) {
  const std::unique_ptr<text::XmlDocument> document = parse(program_xml);
  if (document == nullptr) return {};
  if (const text::Attribute main = document->root().attribute("main_tree_to_execute")) return std::string(main.value());
  for (const Element& child : document->root().children()) {
    if (child.name() == "BehaviorTree") return std::string(child.attribute("ID").value());
  }
  return {};
}

}  // namespace espalier::live
