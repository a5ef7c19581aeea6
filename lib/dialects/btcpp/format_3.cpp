// Format 3. See format_3.h.
#include "dialects/btcpp/format_3.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/models.h"
#include "dialects/btcpp/options.h"
#include "dialects/btcpp/poll.h"
#include "dialects/btcpp/tree_reader.h"
#include "text/near_names.h"

namespace espalier::dialects::btcpp {
namespace {

struct Renamed {
  std::string_view before;
  std::string_view now;
};
constexpr Renamed kRenamedNodes[] = {{"SubTreePlus", kSubTreeElement},
                                     {"SequenceStar", "SequenceWithMemory"},
                                     {"RetryUntilSuccesful", "RetryUntilSuccessful"}};
constexpr Renamed kRenamedPorts[] = {{"success_threshold", "success_count"}, {"failure_threshold", "failure_count"}};
constexpr std::string_view kComparing[] = {"BlackboardCheckInt", "BlackboardCheckDouble", "BlackboardCheckString",
                                           "BlackboardCheckBool"};
constexpr Renamed kRenamedAttributes[] = {{"__shared_blackboard", "_autoremap"}, {"__autoremap", "_autoremap"}};

std::string_view new_name(std::string_view name, std::span<const Renamed> table) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Renamed& each) { return each.before == name; });
  return found == table.end() ? std::string_view() : found->now;
}

bool is_parallel(const Element& element) {
  return element.name() == "Parallel" || element.attribute("ID").value() == "Parallel";
}

// The name that counts: of explicit nodes their ID.
bool is_renamed(const Element& element) {
  const bool is_explicit = kind_of_tag(element.name()) && element.name() != kSubTreeElement;
  return !new_name_of_node(is_explicit ? element.attribute("ID").value() : element.name()).empty();
}

bool is_reactive_sequence(const Element& element) {
  const bool is_explicit = kind_of_tag(element.name()) && element.name() != kSubTreeElement;
  return (is_explicit ? element.attribute("ID").value() : element.name()) == "ReactiveSequence";
}

// A port of a SubTree.
bool is_old_port(const Element& element) {
  return element.name() == "remap" && is_port_name(element.attribute("internal").value()) &&
         element.attribute("external");
}

std::optional<Span> mark_in(const Element& element) {
  if (is_renamed(element) || is_old_port(element)) return element.span();
  for (const Attribute& attribute : element.attributes()) {
    const bool is_port = is_parallel(element) && !new_name_of_port(attribute.name()).empty();
    if (is_port || !new_name_of_attribute(attribute.name()).empty()) return attribute.name_span();
  }
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (const std::optional<Span> mark = mark_in(child)) return mark;
  }
  return std::nullopt;
}

class Rewriter {
 public:
  Rewriter(const Element& root, const Declarations& nodes) : root_(root), nodes_(nodes) {}

  std::vector<text::Edit> run() {
    const Attribute format = root_.attribute("BTCPP_format");
    if (format && format.value() != "3") return {};
    if (format) {
      edits_.push_back({format.value_span(), "4"});
    } else {
      edits_.push_back({{root_.span().file, root_.span().end, root_.span().end}, " BTCPP_format=\"4\""});
    }
    for (Element child = root_.first_child(); child; child = child.next_sibling()) {
      if (child.name() == kTreeElement && child.attribute("ID")) trees_.insert(child.attribute("ID").value());
    }
    for (const Declaration& node : read_models(root_).nodes) {
      for (const Port& port : node.ports) {
        if (port.direction == Direction::output) outputs_.emplace(node.name, port.name);
      }
    }
    for (Element child = root_.first_child(); child; child = child.next_sibling()) {
      if (child.name() == kTreeElement) nodes(child);
      if (child.name() == kModelElement) models(child);
    }
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const text::Edit& a, const text::Edit& b) { return a.span < b.span; });
    return std::move(edits_);
  }

 private:
  // Of models the file's own counts first.
  bool is_output(const std::string& node, std::string_view name) const {
    const Declaration* const declared = nodes_.find(node);
    const Port* const port = declared == nullptr ? nullptr : declared->find_port(name);
    const bool is_said = port != nullptr && port->gives_direction;
    if (is_said && !declared->is_of_model()) return port->direction == Direction::output;
    return outputs_.count({node, std::string(name)}) != 0 || (is_said && port->direction == Direction::output);
  }

  void nodes(const Element& parent) {
    for (Element child = parent.first_child(); child; child = child.next_sibling()) {
      if (is_old_port(child)) continue;
      node(child, is_reactive_sequence(parent));
      nodes(child);
    }
  }

  void models(const Element& parent) {
    for (Element child = parent.first_child(); child; child = child.next_sibling()) {
      rename(child);
      // Editors wrote attributes of the old format as ports of trees.
      for (Element port = child.first_child(); port; port = port.next_sibling()) {
        if (!new_name_of_attribute(port.attribute("name").value()).empty()) remove(port);
        if (port.name() == "output_port") connect_default(port.attribute("default"));
      }
    }
  }

  // With the line that it stands on alone.
  void remove(const Element& element) {
    const std::string_view text = element.document().source().text();
    std::size_t begin = element.span().begin - 1;
    std::size_t end = element.span().end;
    for (const Attribute& attribute : element.attributes()) end = attribute.value_span().end + 1;
    end = text.find('>', std::max<std::size_t>(end, element.end_span().end)) + 1;
    const std::size_t line_end = std::min(text.find_first_not_of(" \t\r", end), text.size() - 1);
    const std::size_t line_begin = text.find_last_not_of(" \t", begin - 1);
    if (text[line_end] == '\n' && text[line_begin] == '\n') {
      begin = line_begin + 1;
      end = line_end + 1;
    }
    edits_.push_back({{element.span().file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}, ""});
  }

  // `needs_name`: below a ReactiveSequence the library now looks for a node with the name of the element.
  void node(const Element& element, bool needs_name) {
    const bool is_explicit = kind_of_tag(element.name()) && element.name() != kSubTreeElement;
    if (is_explicit && needs_name && is_valid_name(element.attribute("ID").value())) {
      make_compact(element);
    } else if (is_explicit) {
      const Attribute id = element.attribute("ID");
      if (const std::string_view now = new_name_of_node(id.value()); !now.empty()) replace(id.value_span(), now);
    } else if (is_tree(element)) {
      replace(element.span(), std::string(kSubTreeElement) + " ID=\"" + std::string(element.name()) + '"');
      if (const Span end = element.end_span(); end.begin < end.end) replace(end, kSubTreeElement);
    } else {
      rename(element);
    }
    const std::string id(is_explicit ? element.attribute("ID").value() : element.name());
    const bool is_subtree = element.name() == kSubTreeElement || is_tree(element);
    if (is_subtree) connect_children(element);
    bool has_autoremap = static_cast<bool>(element.attribute("_autoremap"));
    for (const Attribute& attribute : element.attributes()) {
      const std::string_view name = attribute.name();
      if (const std::string_view now = new_name_of_attribute(name); !now.empty() && !has_autoremap) {
        replace(attribute.name_span(), now);
        has_autoremap = true;
      } else if (const std::string_view port = new_name_of_port(name); !port.empty() && is_parallel(element)) {
        replace(attribute.name_span(), port);
      } else if (name == "threshold" && is_parallel(element)) {  // of early versions 3
        replace(attribute.name_span(), "success_count");
        add_failure_count(element, attribute);
      } else if (!is_old_pointer(attribute) && (is_subtree || is_output(id, name))) {
        connect(attribute);  // without braces it was the name of an entry here, too
      } else if (is_port_name(name) && is_old_pointer(attribute)) {
        const Span value = attribute.value_span();
        edits_.push_back({{value.file, value.begin, value.begin + 1}, ""});  // its '$'
      }
    }
  }

  void make_compact(const Element& element) {
    const Attribute id = element.attribute("ID");
    const std::string_view now = new_name_of_node(id.value());
    const std::string_view name = now.empty() ? id.value() : now;
    replace(element.span(), name);
    edits_.push_back({{id.name_span().file, id.name_span().begin - 1, id.value_span().end + 1}, ""});
    if (const Span end = element.end_span(); end.begin < end.end) replace(end, name);
  }

  void connect_default(const Attribute& otherwise) {
    if (!otherwise || otherwise.value().empty() || otherwise.value().find_first_of("{}$") != std::string_view::npos)
      return;
    replace(otherwise.value_span(), "{" + std::string(otherwise.value()) + "}");
  }

  // With a threshold alone, version 3 failed as soon as too few children were left that could succeed.
  void add_failure_count(const Element& element, const Attribute& threshold) {
    const std::string_view text = threshold.value();
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool is_number = error == std::errc{} && end == text.data() + text.size();
    const bool has_count = element.attribute("failure_count") || element.attribute("failure_threshold");
    if (!is_number || has_count || count == 0 || count > element.child_count()) return;
    const Span value = threshold.value_span();
    const std::string failures = std::to_string(element.child_count() - count + 1);
    edits_.push_back({{value.file, value.end + 1, value.end + 1}, " failure_count=\"" + failures + '"'});
  }

  // A tree of the file could be used like a node.
  bool is_tree(const Element& element) const {
    return trees_.count(element.name()) != 0 && find_library_node(element.name()) == nullptr;
  }

  static bool is_old_pointer(const Attribute& attribute) {
    const std::string_view value = attribute.value();
    const bool is_script = attribute.name() == "code" || attribute.name() == "if";
    return !is_script && value.starts_with("${") && value.find_first_of("{}", 2) == value.size() - 1;
  }

  // <remap internal="a" external="b"/>, where it can be an attribute.
  void connect_children(const Element& subtree) {
    std::uint32_t end = subtree.span().end;
    for (const Attribute& attribute : subtree.attributes()) end = attribute.value_span().end + 1;
    std::set<std::string_view> known;
    for (Element child = subtree.first_child(); child; child = child.next_sibling()) {
      const std::string_view inside = child.attribute("internal").value();
      const Attribute outside = child.attribute("external");
      const std::string_view key = outside.value();
      const bool is_plain = !key.empty() && key.find_first_of("{}\"&<>$") == std::string_view::npos;
      if (!is_old_port(child) || !is_plain || subtree.attribute(inside) || !known.insert(inside).second) continue;
      std::string port = " " + std::string(inside);
      port.append("=\"{").append(key).append("}\"");
      edits_.push_back({{subtree.span().file, end, end}, std::move(port)});
      remove(child);
    }
  }

  // The name of an entry of the parent.
  void connect(const Attribute& attribute) {
    const bool is_port = attribute.name() != "ID" && attribute.name() != "name" && is_port_name(attribute.name());
    const std::string_view key = attribute.value();
    if (!is_port || key.empty() || read_port_value(key, attribute.name()).is_pointer) return;
    const Span value = attribute.value_span();
    edits_.push_back({{value.file, value.begin, value.begin}, "{"});
    edits_.push_back({{value.file, value.end, value.end}, "}"});
  }

  void rename(const Element& element) {
    const std::string_view now = new_name_of_node(element.name());
    if (now.empty()) return;
    replace(element.span(), now);
    if (const Span end = element.end_span(); end.begin < end.end) replace(end, now);
  }

  void replace(const Span& span, std::string_view text) { edits_.push_back({span, std::string(text)}); }

  Element root_;
  const Declarations& nodes_;                              // that others declare
  std::set<std::string_view> trees_;                       // of the file
  std::set<std::pair<std::string, std::string>> outputs_;  // of nodes that it models
  std::vector<text::Edit> edits_;
};

}  // namespace

std::string_view new_name_of_node(std::string_view name) { return new_name(name, kRenamedNodes); }
std::string_view new_name_of_port(std::string_view name) { return new_name(name, kRenamedPorts); }
std::string_view new_name_of_attribute(std::string_view name) { return new_name(name, kRenamedAttributes); }

bool has_no_successor(std::string_view node) {
  return std::find(std::begin(kComparing), std::end(kComparing), node) != std::end(kComparing);
}

std::string_view node_of_format_3_near(std::string_view name) {
  for (const Renamed& each : kRenamedNodes) {
    if (text::is_near_name(name, each.before)) return each.before;
  }
  const auto* const found = std::find_if(std::begin(kComparing), std::end(kComparing),
                                         [&](std::string_view node) { return text::is_near_name(name, node); });
  return found == std::end(kComparing) ? std::string_view() : *found;
}

const Declaration* find_node_of_format_3(std::string_view name) {
  static const std::vector<Declaration> kNodes = [] {
    std::vector<Declaration> nodes;
    for (const std::string_view check : kComparing) {
      Declaration& node = nodes.emplace_back();
      node.name = check;
      node.kind = NodeKind::decorator;
      for (const char* const port : {"value_A", "value_B", "return_on_mismatch"})
        node.ports.push_back({port, {}, Direction::input, std::nullopt, Missing::allowed});
    }
    Declaration& node = nodes.emplace_back();
    node.name = "ManualSelector";
    node.kind = NodeKind::control;
    node.built = built_of_host(node.kind);
    node.ports.push_back({"repeat_last_selection", {}, Direction::input, std::nullopt, Missing::allowed});
    return nodes;
  }();
  const auto found =
      std::find_if(kNodes.begin(), kNodes.end(), [&](const Declaration& node) { return node.name == name; });
  return found == kNodes.end() ? nullptr : &*found;
}

std::optional<Span> mark_of_format_3(const Element& root) {
  const Attribute format = root.attribute("BTCPP_format");
  if (format && format.value() != "3") return std::nullopt;
  for (Element child = root.first_child(); child; child = child.next_sibling()) {
    const std::optional<Span> mark = mark_in(child);
    if (mark) return mark;
  }
  return std::nullopt;
}

std::vector<text::Edit> edits_from_format_3(const text::XmlDocument& document, const Declarations& nodes) {
  const Element root = document.root();
  return root ? Rewriter(root, nodes).run() : std::vector<text::Edit>();
}

Migration migration_from_format_3() {
  const auto learn = [](const text::XmlDocument& document, Options& options) {
    if (!document.root()) return;
    for (Declaration& node : read_models(document.root()).nodes)
      options.edit<BtcppOptions>().nodes.push_back(std::move(node));
  };
  const auto edits = [](const text::XmlDocument& document, const Options& options) {
    Declarations nodes;
    for (const Declaration& node : options.of<BtcppOptions>().nodes) nodes.add(node);
    return edits_from_format_3(document, nodes);
  };
  return {"btcpp3", learn, edits};
}

}  // namespace espalier::dialects::btcpp
