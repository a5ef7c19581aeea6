// Files of another kind. See other_kinds.h.
#include "project/other_kinds.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "dialects/reading/element_table.h"
#include "rules/xml.h"
#include "text/names.h"
#include "text/parsed_element.h"

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

// A table is named in the first pages of a database.
std::string database_of(std::string_view bytes) {
  const std::string_view first = bytes.substr(0, kRecordingBytes);
  const auto has_table = [&](std::string_view name) {
    return first.find("TABLE " + std::string(name)) != std::string_view::npos;
  };
  if (has_table("Transitions") && has_table("Definitions")) return "a log of BehaviorTree.CPP (SqliteLogger)";
  if (has_table("topics") && has_table("messages")) return "a recording of ROS 2 (rosbag2)";
  return "an SQLite database";
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
  if (std::string recording = recording_of(path, bytes); !recording.empty()) {
    return {std::move(recording), std::string(kNoReader) + ": name the XML file of its trees"};
  }
  if (path.ends_with("espalier.json")) return {"JSON", "it configures the project of its folder: name the folder"};
  if (ends_with_any(path, {".properties.json", ".properties"})) {
    return {"JSON: a file of properties", "check it with 'espalier prove PATHS... --properties FILE'"};
  }
  if (path.ends_with(".json") || path.ends_with(".jsonl") || is_json) {
    return {"JSON", "name the XML files of trees, or their folder"};
  }
  return {};
}

// Who moves a selection tree into a modular one puts its node into this element.
constexpr std::string_view kWrapper = "Root";

template <typename AnyElement>
struct Placed {
  AnyElement element;
  const dialects::ElementRow* row;
};
using PlacedElement = Placed<Element>;

bool may_hold_nodes(const dialects::ElementTable& table, const dialects::ElementRow& row) {
  return std::any_of(table.elements.begin(), table.elements.end(), [&](const dialects::ElementRow& each) {
    return each.opcode != kNoOpcode && dialects::may_hold(row, each);
  });
}

// A node that the table has only to say that the engine does not support it.
bool is_unsupported_node(const dialects::ElementTable& table, const dialects::ElementRow& row) {
  return may_hold_nodes(table, row) &&
         std::none_of(table.elements.begin(), table.elements.end(),
                      [&](const dialects::ElementRow& each) { return dialects::may_hold(each, row); });
}

// The elements of a document with their rows, if each is allowed where it is; else empty. `is_own`: elements that the
// table does not have may be nodes of the game; else `kWrapper` may be around the nodes.
template <typename AnyElement>
std::vector<Placed<AnyElement>> placed(const dialects::ElementTable& table, const dialects::ElementRow& root_row,
                                       const AnyElement& root, bool is_own) {
  std::vector<Placed<AnyElement>> places = {{root, &root_row}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const dialects::ElementRow& row = *places[i].row;
    for (AnyElement child = places[i].element.first_child(); child; child = child.next_sibling()) {
      const dialects::ElementRow* const child_row = table.find_in(row, child.name());
      const bool is_held = child_row != nullptr && dialects::may_hold(row, *child_row);
      const bool is_node = child_row != nullptr && may_hold_nodes(table, row) && is_unsupported_node(table, *child_row);
      if (is_held || is_node) {
        places.push_back({child, child_row});
      } else if (!is_own && i == 0 && child.name() == kWrapper) {
        places.push_back({child, &row});
      } else if (!is_own || child_row != nullptr || !may_hold_nodes(table, row)) {
        return {};
      }
    }
  }
  return places;
}

// How many names of elements, and of their attributes, one table has and the other one does not.
struct Score {
  std::set<std::pair<std::string_view, std::string_view>> other;
  std::set<std::pair<std::string_view, std::string_view>> own;
};

Score compare(const dialects::ElementTable& own, const dialects::ElementTable& other,
              const std::vector<PlacedElement>& places) {
  Score score;
  for (const PlacedElement& place : places) {
    const std::string_view name = place.element.name();
    const bool is_root = place.element == places.front().element;
    if (!is_root && name == kWrapper) continue;
    const dialects::ElementRow* const own_row = own.find(name);
    if (own_row == nullptr) score.other.emplace(name, std::string_view());
    for (const text::Attribute& attribute : place.element.attributes()) {
      const std::string_view written = attribute.name();
      const bool is_others = dialects::find_attribute(other, *place.row, written) != nullptr;
      const bool is_own = own_row != nullptr && dialects::find_attribute(own, *own_row, written) != nullptr;
      if (is_others && !is_own) score.other.emplace(name, written);
      if (is_own && !is_others) score.own.emplace(name, written);
    }
  }
  return score;
}

}  // namespace

std::string recording_of(std::string_view path, std::string_view bytes) {
  constexpr std::string_view kDatabase("SQLite format 3\0", 16);
  if (bytes.starts_with("BTCPP4-FileLogger2")) return "a log of BehaviorTree.CPP (FileLogger2)";
  if (bytes.starts_with("\x89MCAP")) return "a recording of ROS (MCAP)";
  if (bytes.starts_with("#ROSBAG")) return "a recording of ROS 1 (rosbag)";
  if (bytes.starts_with(kDatabase)) return database_of(bytes);
  if (ends_with_any(path, {".btlog", ".btrec", ".fbl"})) return "a log of BehaviorTree.CPP";
  if (ends_with_any(path, {".mcap", ".bag"})) return "a recording of ROS";
  return path.ends_with(".db3") ? "a log or a recording" : "";
}

std::shared_ptr<const text::ParsedXml> not_xml(const std::string& path, std::string_view bytes) {
  Kind kind = kind_of(path, bytes);
  if (kind.what.empty()) return nullptr;
  auto parsed = std::make_shared<text::ParsedXml>();
  parsed->source = std::make_shared<text::Source>(path, std::string());
  parsed->findings.add(rules::XML_not_xml, {0, 0, 0}, "this is " + kind.what + ", not XML", std::move(kind.hint));
  return parsed;
}

OtherRoot other_root(const text::XmlDocument& document, const dialects::Dialect& owner) {
  constexpr std::size_t kLeastForeign = 2;  // one could be a slip
  const text::ParsedElement parsed = text::ParsedElement::root(*document.parsed());
  const dialects::ElementTable& own = owner.table();
  const dialects::ElementRow* const row = own.find(document.root_name());
  if (row == nullptr || !parsed.first_child()) return {};
  for (const dialects::Dialect& other : dialects::all()) {
    if (&other == &owner) continue;
    const dialects::ElementTable& table = other.table();
    for (const dialects::ElementRow& candidate : table.elements.first(table.root_count)) {
      if (placed(table, candidate, parsed, false).empty() || !placed(own, *row, parsed, true).empty()) continue;
      const std::vector<PlacedElement> places = placed(table, candidate, document.root(), false);
      const Score score = compare(own, table, places);
      if (score.other.size() < kLeastForeign || !score.own.empty()) continue;
      const bool is_wrapped = std::any_of(places.begin() + 1, places.end(),
                                          [](const PlacedElement& each) { return each.element.name() == kWrapper; });
      return {candidate.name, is_wrapped};
    }
  }
  return {};
}

}  // namespace espalier::project
