// A tree's sections and its root; declarations, nodes and other parts are in separate files. See tree_reader.h.
#include "dialects/modular/tree_reader.h"

#include <algorithm>
#include <utility>

#include "dialects/reading/checks.h"
#include "dialects/reading/synonyms.h"
#include "rules/modular.h"
#include "runtime/format/records.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

constexpr NameRules kVariables{"variable", rules::MBT_duplicate_variable, rules::MBT_unknown_variable, true};
bool is_near(const Element& element, std::string_view name) {
  return !text::nearest(text::local_name(element.name()), {name}).empty();
}

constexpr NameRules kTimestamps{"timestamp", rules::MBT_duplicate_timestamp, rules::MBT_unknown_timestamp};

}  // namespace

TreeReader::TreeReader(const Options& options, ProjectNames& project, text::Findings& findings)
    : options_(options.of<ModularOptions>()),
      project_(project),
      reporter_(findings, table(), options.lowered),
      drafts_(project.names),
      variables_(kVariables),
      timestamps_(kTimestamps) {}

std::optional<ir::Tree> TreeReader::read(const File& file) {
  const Element root = file.document->root();
  tree_.name = file.name;
  tree_.span = root.span();
  source_ = file.document->source().text();
  tree_.parts.emplace<ir::Ticking>().stays_stopped = options_.stops_when_root_is_done;
  const ElementRow& row = table().elements.front();
  check_spelling(root, row.name, rules::MBT_element_case, reporter_);
  const Attributes attributes(root, row, reporter_);
  read_sections(root, row);
  report_text(root);
  report_own_names();
  report_unchecked();
  if (node_count_ > layout::kMaxNodes) {
    reporter_.report(rules::MBT_too_many_nodes, tree_.span, too_many("nodes", node_count_, layout::kMaxNodes));
  }
  if (reporter_.has_errors() || root.is_damaged() || root_ == nullptr) return std::nullopt;
  tree_.conditions.shrink_to_fit();
  tree_.nodes = drafts_.lay_out(*root_);
  return std::move(tree_);
}

void TreeReader::read_sections(const Element& root, const ElementRow& row) {
  const Parts parts = read_parts(root, row);
  const auto& [tree, variables, signals, timestamps, events, extensions] = parts.first;
  // Declarations come before their uses; timestamps use only events.
  if (events) read_events(events);
  if (variables) read_variables(variables);
  if (signals) read_signals(signals);
  if (timestamps) read_timestamps(timestamps);
  if (tree) read_root(tree);
  if (!tree && root.attribute("ID")) {
    reporter_.report(rules::MBT_invalid_root, root.span(), "missing element 'Root' in " + quote(root.name()),
                     "a file of BehaviorTree.CPP has its trees in <root BTCPP_format=\"4\">");
    return;
  }
  report_strays(root, row, parts, rules::MBT_invalid_root);
}

// What an element with a wrong name was meant to be, of the parts that may be missing; null if it may be a node.
const ElementRow* TreeReader::meant_part(const Element& element, const ElementRow& row) {
  const bool is_node =
      find_core_node(element.name()) != nullptr || find_declaration(options_.hosts, element.name()) != nullptr;
  if (is_node && meant_by_content(element, row, reporter_) == nullptr) return nullptr;
  const std::vector<std::string_view> names = table().names_in(row);
  std::string meant = text::nearest(text::local_name(element.name()), names);
  if (meant.empty() || table().find_in(row, meant)->content.shape == Shape::raw) {
    const ElementRow* const by_content = meant_by_content(element, row, reporter_);
    meant = by_content != nullptr ? by_content->name : std::string_view();
  }
  const bool is_optional = !meant.empty() && meant != names.front();
  return is_optional ? table().find_in(row, meant) : nullptr;
}

// A part that the engine does not read, since its name is wrong. What it would declare is not reported as unknown.
void TreeReader::lose(const ElementRow& part) {
  tree_.is_doubtful = true;
  if ((part.content.groups & kVariableEntries) != 0) variables_.lack_one();
  if ((part.content.groups & kTimestampEntries) != 0) timestamps_.lack_one();
}

TreeReader::Parts TreeReader::read_parts(const Element& parent, const ElementRow& row) {
  const std::vector<std::string_view> names = table().names_in(row);
  Parts parts;
  for (const Element& child : parent.children()) {
    std::size_t i = 0;
    while (i < names.size() && !text::equal_any_case(names[i], child.name())) ++i;
    if (i == names.size()) {
      if (const ElementRow* const meant = meant_part(child, row)) lose(*meant);
      parts.strays.push_back(child);
    } else if (parts.first[i]) {
      reporter_.report(rules::MBT_unread_element, child.span(), "the second " + quote(names[i]) + " is ignored", {},
                       {parts.first[i].span(), "this one is read"});
    } else {
      parts.first[i] = child;
      check_spelling(child, names[i], rules::MBT_element_case, reporter_);
      const ElementRow& part = *table().find_in(row, names[i]);
      if (part.content.shape != Shape::raw) check_attributes(child, part, reporter_);
    }
  }
  return parts;
}

// The first part is required. If it is missing, a stray element that was meant to be it, or to be in it, is the same
// fault.
void TreeReader::report_strays(const Element& parent, const ElementRow& row, const Parts& parts, Rule missing) {
  const std::vector<std::string_view> names = table().names_in(row);
  const std::string_view needed = names.front();
  const bool takes_any_node = row.groups != 0;  // the root element has sections as well as nodes
  Element missed;
  std::string missed_hint = quote(needed) + " holds one node";
  for (const Element& stray : parts.strays) {
    const std::string near = text::nearest(text::local_name(stray.name()), names);
    const std::string place = place_of(stray.name());
    const ElementRow* const meant = meant_part(stray, row);
    const bool is_node = meant == nullptr && (find_core_node(stray.name()) != nullptr ||
                                              find_declaration(options_.hosts, stray.name()) != nullptr);
    const bool may_be_node = is_node || (takes_any_node && near.empty() && place.empty());
    if (parts.first[0] || missed || (near != needed && !may_be_node)) {
      std::string hint = text::element_hint(stray.name(), meant != nullptr ? meant->name : near);
      if (meant != nullptr && (variables_.has_missed() || timestamps_.has_missed())) {
        report_unexpected_element(stray, row, reporter_, std::move(hint));
        continue;
      }
      if (meant == nullptr && !place.empty()) hint = quote(stray.name()) + " belongs " + place;
      if (is_node) hint = "put it in " + quote(needed);
      report_unread(stray, std::move(hint));
      continue;
    }
    missed = stray;
    if (near == needed) {
      missed_hint = "unknown element " + quote(stray.name()) + ": " + text::element_hint(stray.name(), needed);
      read_for_faults(stray);
    } else {
      missed_hint = "put " + quote(stray.name()) + " in " + quote(needed);
      static_cast<void>(read_node(stray));
    }
  }
  if (parts.first[0]) return;
  reporter_.report(missing, parent.span(), "missing element " + quote(needed) + " in " + quote(parent.name()),
                   std::move(missed_hint));
}

void TreeReader::read_root(const Element& section) {
  std::size_t count = 0;
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    const ir::Draft& node = read_node(child);
    if (count++ == 0) root_ = &node;
  }
  if (count == 1) return;
  if (count == 0) {
    reporter_.report(rules::MBT_invalid_root, section.span(), "'Root' must have exactly one child; it has none");
    return;
  }
  reporter_.report(rules::MBT_invalid_root, section.span(),
                   "'Root' must have exactly one child; it has " + std::to_string(count), kPutInOne,
                   {section.first_child().next_sibling().span(), "the first extra child"});
}

// Reports text between elements, except in those that only the game reads.
void TreeReader::report_text(const Element& root) {
  if (!root.document().has_text()) return;
  const std::string_view source = root.document().source().text();
  std::vector<Element> open = {root};
  while (!open.empty()) {
    const Element element = open.back();
    open.pop_back();
    for (const text::TextPiece& piece : element.text()) {
      const Span span = visible(source, piece.span);
      if (span.begin == span.end) continue;
      reporter_.report(rules::MBT_unread_text, span, "text in " + quote(element.name()) + " is ignored",
                       marks_merge(source, span) ? std::string(kMergeHint) : "a comment is written '<!-- ... -->'");
      break;
    }
    for (Element child = element.first_child(); child; child = child.next_sibling()) {
      const ElementName& name = project_.element(child.name());
      if (!name.is_raw && !name.is_raw_section) open.push_back(child);
    }
  }
}

// One note for all names, since a game has many such nodes.
void TreeReader::report_own_names() {
  if (own_elements_.empty() || options_.engine_hosts.empty()) return;
  std::vector<std::string_view> names;
  for (const Element& element : own_elements_) names.push_back(element.name());
  reporter_.report(rules::MBT_undeclared_nodes, own_elements_[0].span(),
                   (names.size() == 1 ? "undeclared element treated as a node of the game: "
                                      : "undeclared elements treated as nodes of the game: ") +
                       list_of(names),
                   "declare them in \"hosts\" in espalier.json to have them checked");
}

void TreeReader::report_unchecked() {
  constexpr std::size_t kEnoughNodes = 2;
  if (!unchecked_ && engine_nodes_.size() >= kEnoughNodes) unchecked_ = perhaps_unchecked_;
  if (!unchecked_) return;
  const bool is_lumberyard = options_.engine == GameEngine::lumberyard_1;
  reporter_.report(rules::MBT_unchecked_engine_nodes, unchecked_->span,
                   "attributes of the engine's nodes are not checked: in " + engine() + ' ' + unchecked_->what,
                   std::string("\"hostFiles\": [\"espalier:") + (is_lumberyard ? "lumberyard" : "cryengine") +
                       "\"] in espalier.json declares the engine's nodes");
}

// The row of a child where only elements of one kind are allowed. Null if it is of another kind and was not meant to be
// one.
const ElementRow* TreeReader::expect(const Element& element, const ElementRow& parent) {
  const ElementRow* const row = table().first_in(parent);
  const std::string_view name = row->name;
  if (text::equal_any_case(element.name(), name)) {
    check_spelling(element, name, rules::MBT_element_case, reporter_);
    if (row->content.most == 0) check_empty(element);
    return row;
  }
  std::string hint;
  if (find_core_node(element.name()) == nullptr) {
    hint = text::element_hint(element.name(), text::nearest(text::local_name(element.name()), {name}));
    if (hint.empty()) hint = did_you_mean(synonym_of_element(element.name(), {name}));
  }
  const bool is_meant = !hint.empty();
  text::Finding& finding = report_unexpected_element(element, parent, reporter_, std::move(hint));
  if (is_meant && is_near(element, name)) reporter_.propose_name(finding, element, name);
  return is_meant ? row : nullptr;
}

void TreeReader::check_empty(const Element& element) {
  if (const Element child = element.first_child()) report_unread(child);
}

void TreeReader::report_unread(const Element& element, std::string hint) {
  const std::string_view name = element.name();
  const bool is_known =
      find_core_node(name) != nullptr || find_declaration(options_.hosts, name) != nullptr || !place_of(name).empty();
  reporter_.report(rules::MBT_unread_element, element.span(),
                   (is_known ? "unexpected element " : "unknown element ") + quote(name) + " in " +
                       quote(element.parent().name()) + " is ignored",
                   std::move(hint));
}

}  // namespace espalier::dialects::modular
