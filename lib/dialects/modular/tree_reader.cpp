// A tree's sections and its root; declarations, nodes and the rest have files of their own. See tree_reader.h.
#include "dialects/modular/tree_reader.h"

#include <algorithm>
#include <utility>

#include "dialects/stray_text.h"
#include "runtime/format/records.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

enum Section : std::uint8_t {
  kVariables,
  kSignalVariables,
  kTimestamps,
  kRoot,
  kMetaExtensions,
  kEvents,
  kSectionCount
};
constexpr std::string_view kSectionNames[] = {"Variables", "SignalVariables", "Timestamps",
                                              "Root",      "MetaExtensions",  "Events"};
static_assert(std::size(kSectionNames) == kSectionCount);

std::size_t section_of(const Element& element) {
  std::size_t i = 0;
  while (i < kSectionCount && !text::equal_any_case(kSectionNames[i], element.name())) ++i;
  return i;
}

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
    reporter_.report(Rule::MBT_too_many_nodes, tree_.span,
                     "the tree has " + std::to_string(node_count_) + " nodes; " + std::to_string(layout::kMaxNodes) +
                         " are the most");
  }
  if (reporter_.has_errors()) return std::nullopt;
  return std::move(tree_);
}

void TreeReader::read_sections(const Element& root) {
  Element sections[kSectionCount];
  std::vector<Element> strays;
  for (Element child = root.first_child(); child; child = child.next_sibling()) {
    const std::size_t i = section_of(child);
    if (i == kSectionCount) {
      strays.push_back(child);
    } else if (!sections[i]) {
      sections[i] = child;
      check_case(child, kSectionNames[i]);
      if (i != kMetaExtensions) static_cast<void>(Attributes(child, {}, Logs::none, reporter_));
    } else {
      reporter_.report(Rule::MBT_unread_element, child.span(),
                       "a second " + text::quote(kSectionNames[i]) + " is never read", {},
                       {sections[i].span(), "the one that is read"});
    }
  }
  // Of the names that are declared and used, the declarations come first; timestamps name events alone.
  if (sections[kEvents]) read_events(sections[kEvents]);
  if (sections[kVariables]) read_variables(sections[kVariables]);
  if (sections[kSignalVariables]) read_signals(sections[kSignalVariables]);
  if (sections[kTimestamps]) read_timestamps(sections[kTimestamps]);
  if (sections[kRoot]) read_root(sections[kRoot]);
  report_strays(root, strays, bool(sections[kRoot]));
}

// Without a Root, an element that was meant to be one, or to stand in one, is told with that.
void TreeReader::report_strays(const Element& root, const std::vector<Element>& strays, bool has_root) {
  const std::vector<std::string_view> names(std::begin(kSectionNames), std::end(kSectionNames));
  Element missed;
  for (const Element& stray : strays) {
    const std::string near = text::nearest(text::local_name(stray.name()), names);
    const bool is_node = find_core_node(stray.name()) != nullptr || find_host(stray.name()) != nullptr;
    if (!has_root && !missed && (is_node || near == kSectionNames[kRoot])) {
      missed = stray;
      continue;
    }
    std::string hint = text::element_hint(stray.name(), near);
    if (is_node) hint = "nodes stand in Root";
    report_unread(stray, "nothing reads " + text::quote(stray.name()) + " here", std::move(hint));
  }
  if (has_root) return;
  std::string hint = "it holds one node";
  if (missed && text::nearest(text::local_name(missed.name()), names) == kSectionNames[kRoot]) {
    hint = text::quote(missed.name()) + " is not read: " + text::element_hint(missed.name(), kSectionNames[kRoot]);
    read_for_faults(missed);
  } else if (missed) {
    hint = "put " + text::quote(missed.name()) + " in a Root";
    static_cast<void>(read_node(missed));
  }
  reporter_.report(Rule::MBT_invalid_root, root.span(), "the tree needs a Root, this one has none", std::move(hint));
}

void TreeReader::read_root(const Element& section) {
  std::size_t count = 0;
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    ir::Node node = read_node(child);
    if (count++ == 0) tree_.root = std::move(node);
  }
  if (count == 1) return;
  if (count == 0) {
    reporter_.report(Rule::MBT_invalid_root, section.span(), "Root has one node, this one has none");
    return;
  }
  reporter_.report(Rule::MBT_invalid_root, section.span(), "Root has one node, this one has " + std::to_string(count),
                   "put them in one node, such as a Sequence",
                   {section.first_child().next_sibling().span(), "one too many"});
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
      reporter_.report(Rule::MBT_unread_text, span, "nothing reads the text in " + text::quote(element.name()),
                       marks_merge(element.document().source().text(), span)
                           ? std::string(kMergeHint)
                           : "a comment stands between '<!--' and '-->'");
      break;
    }
    for (const Element& child : element.children()) {
      const bool is_of_game =
          is_raw(child.name()) || text::equal_any_case(child.name(), kSectionNames[kMetaExtensions]);
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
  reporter_.report(Rule::MBT_undeclared_nodes, own_elements_[0].span(),
                   std::to_string(count) + (count == 1 ? " element name is" : " element names are") +
                       " taken as the game's own: " + list,
                   "\"hosts\" in espalier.json declares them, so that they are checked");
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
  finding.fixes = {{element.span(), std::string(name)}};
  const Span end = element.end_span();
  if (end.begin != end.end) finding.fixes.push_back({end, std::string(name)});
}

void TreeReader::report_unread(const Element& element, std::string message, std::string hint) {
  reporter_.report(Rule::MBT_unread_element, element.span(), std::move(message), std::move(hint));
}

}  // namespace espalier::dialects::modular
