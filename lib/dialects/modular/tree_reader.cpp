// A tree's sections and its root; declarations, nodes and the rest have files of their own. See tree_reader.h.
#include "dialects/modular/tree_reader.h"

#include <algorithm>
#include <utility>

#include "dialects/stray_text.h"
#include "runtime/format/records.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

constexpr std::string_view kRoot = "Root";
constexpr std::string_view kMetaExtensions = "MetaExtensions";
constexpr std::string_view kSections[] = {kRoot,        "Variables", "SignalVariables",
                                          "Timestamps", "Events",    kMetaExtensions};

}  // namespace

std::optional<ir::Tree> TreeReader::read(const File& file) {
  const Element root = file.document->root();
  tree_.name = file.name;
  tree_.span = root.span();
  tree_.parts.emplace<ir::Ticking>().stays_stopped = options_.stops_when_root_is_done;
  check_case(root, "BehaviorTree");
  const Attributes attributes(root, {}, Logs::none, reporter_);
  read_sections(root);
  report_text(root);
  report_own_names();
  if (node_count_ > layout::kMaxNodes) {
    reporter_.report(
        Rule::MBT_too_many_nodes, tree_.span,
        "too many nodes: " + std::to_string(node_count_) + ", at most " + std::to_string(layout::kMaxNodes));
  }
  if (reporter_.has_errors()) return std::nullopt;
  return std::move(tree_);
}

void TreeReader::read_sections(const Element& root) {
  const Parts parts = read_parts(root, kSections);
  const auto& [tree, variables, signals, timestamps, events, extensions] = parts.first;
  // Declarations before what uses them; timestamps use events only.
  if (events) read_events(events);
  if (variables) read_variables(variables);
  if (signals) read_signals(signals);
  if (timestamps) read_timestamps(timestamps);
  if (tree) read_root(tree);
  report_strays(root, parts, kSections, Rule::MBT_no_root);
}
TreeReader::Parts TreeReader::read_parts(const Element& parent, std::span<const std::string_view> names) {
  Parts parts;
  for (const Element& child : parent.children()) {
    std::size_t i = 0;
    while (i < names.size() && !text::equal_any_case(names[i], child.name())) ++i;
    if (i == names.size()) {
      parts.strays.push_back(child);
    } else if (parts.first[i]) {
      reporter_.report(Rule::MBT_unread_element, child.span(), "the second " + text::quote(names[i]) + " is ignored",
                       {}, {parts.first[i].span(), "this one is read"});
    } else {
      parts.first[i] = child;
      check_case(child, names[i]);
      if (names[i] != kMetaExtensions) static_cast<void>(Attributes(child, {}, Logs::none, reporter_));
    }
  }
  return parts;
}

// Where the first part is missing, a stray that was meant to be it, or to be in it, is the same fault.
void TreeReader::report_strays(const Element& parent, const Parts& parts, std::span<const std::string_view> names,
                               Rule missing) {
  const std::string_view needed = names[0];
  Element missed;
  std::string missed_hint = text::quote(needed) + " holds one node";
  for (const Element& stray : parts.strays) {
    const std::string near = text::nearest(text::local_name(stray.name()), {names.begin(), names.end()});
    const std::string_view place = place_of(stray.name());
    const bool is_node = find_core_node(stray.name()) != nullptr || find_host(stray.name()) != nullptr;
    const bool may_be_node = is_node || (needed != kRoot && near.empty() && place.empty());
    if (!parts.first[0] && !missed && (near == needed || may_be_node)) {
      missed = stray;
      if (near == needed) {
        missed_hint = text::quote(stray.name()) + " is unknown: " + text::element_hint(stray.name(), needed);
        read_for_faults(stray);
      } else {
        missed_hint = "put " + text::quote(stray.name()) + " in " + text::quote(needed);
        static_cast<void>(read_node(stray));
      }
      continue;
    }
    std::string hint = text::element_hint(stray.name(), near);
    if (!place.empty()) hint = text::quote(stray.name()) + " belongs " + std::string(place);
    if (is_node) hint = "put it in " + text::quote(needed);
    report_unread(stray, std::move(hint));
  }
  if (parts.first[0]) return;
  reporter_.report(missing, parent.span(),
                   "missing element " + text::quote(needed) + " in " + text::quote(parent.name()),
                   std::move(missed_hint));
}

void TreeReader::read_root(const Element& section) {
  std::size_t count = 0;
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    ir::Node node = read_node(child);
    if (count++ == 0) tree_.root = std::move(node);
  }
  if (count == 1) return;
  if (count == 0) {
    reporter_.report(Rule::MBT_no_root, section.span(), "'Root' must have exactly one child; it has none");
    return;
  }
  reporter_.report(Rule::MBT_no_root, section.span(),
                   "'Root' must have exactly one child; it has " + std::to_string(count), std::string(kPutInOne),
                   {section.first_child().next_sibling().span(), "the first extra child"});
}

// Text between elements, but for what only the game reads.
void TreeReader::report_text(const Element& root) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<Element> open = {root};
  while (!open.empty()) {
    const Element element = open.back();
    open.pop_back();
    for (const text::TextPiece& piece : element.text()) {
      const std::string_view written =
          element.document().source().text().substr(piece.span.begin, piece.span.end - piece.span.begin);
      const std::size_t begin = written.find_first_not_of(kBlanks);
      if (begin == std::string_view::npos) continue;
      const auto size = static_cast<std::uint32_t>(written.find_last_not_of(kBlanks) + 1 - begin);
      Span span = piece.span;
      span.begin += static_cast<std::uint32_t>(begin);
      span.end = span.begin + size;
      reporter_.report(Rule::MBT_unread_text, span, "text in " + text::quote(element.name()) + " is ignored",
                       marks_merge(element.document().source().text(), span) ? std::string(kMergeHint)
                                                                             : "a comment is written '<!-- ... -->'");
      break;
    }
    for (const Element& child : element.children()) {
      const bool is_of_game = is_raw(child.name()) || text::equal_any_case(child.name(), kMetaExtensions);
      if (!is_of_game) open.push_back(child);
    }
  }
}

// One note for all names, as a game has many nodes of its own.
void TreeReader::report_own_names() {
  constexpr std::size_t kMaxShown = 12;
  const std::size_t count = own_elements_.size();
  if (count == 0 || options_.engine_hosts.empty()) return;
  std::string list;
  for (std::size_t i = 0; i < std::min(count, kMaxShown); ++i) {
    if (i > 0) list += i + 1 == count ? " and " : ", ";
    list += text::quote(own_elements_[i].name());
  }
  if (count > kMaxShown) list += " and " + std::to_string(count - kMaxShown) + " more";
  reporter_.report(Rule::MBT_own_nodes, own_elements_[0].span(),
                   std::to_string(count) +
                       (count == 1 ? " undeclared element is treated as a host node: "
                                   : " undeclared elements are treated as host nodes: ") +
                       list,
                   "declare them in \"hosts\" in espalier.json to have them checked");
}

void TreeReader::check_case(const Element& element, std::string_view name) {
  if (element.name() == name) return;
  report_name(Rule::MBT_element_case, element, name, " is mostly written ");
}

// An element that is read as `name`. The fix is to call it so, at both ends.
void TreeReader::report_name(Rule rule, const Element& element, std::string_view name, std::string_view verb) {
  text::Finding& finding =
      reporter_.report(rule, element.span(), text::quote(element.name()) + std::string(verb) + text::quote(name),
                       "write " + text::quote(name));
  finding.fixes = {text::make_fix(element.span(), element.name(), std::string(name), text::FixGrade::safe)};
  const Span end = element.end_span();
  if (end.begin != end.end) finding.fixes[0].edits.push_back({end, std::string(name)});
}

void TreeReader::report_unread(const Element& element, std::string hint) {
  const std::string_view name = element.name();
  const bool is_known = find_core_node(name) != nullptr || find_host(name) != nullptr || !place_of(name).empty();
  reporter_.report(Rule::MBT_unread_element, element.span(),
                   (is_known ? "unexpected element " : "unknown element ") + text::quote(name) + " in " +
                       text::quote(element.parent().name()) + " is ignored",
                   std::move(hint));
}

}  // namespace espalier::dialects::modular
