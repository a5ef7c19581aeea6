// Reads one BehaviorTree. See tree_reader.h.
#include "dialects/btcpp/tree_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/format_3.h"
#include "dialects/btcpp/near_names.h"
#include "dialects/btcpp/node_checks.h"
#include "dialects/btcpp/tags.h"
#include "dialects/btcpp/unknown_conditions.h"
#include "dialects/reading/checks.h"
#include "dialects/reading/synonyms.h"
#include "rules/btcpp.h"
#include "runtime/format/records.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

// What other engines call the library's controls.
std::string hint_for_control(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kCalled[] = {{"Selector", "Fallback"},
                                                                       {"Select", "Fallback"},
                                                                       {"Priority", "Fallback"},
                                                                       {"PrioritySelector", "Fallback"},
                                                                       {"Choice", "Fallback"},
                                                                       {"Concurrent", "Parallel"},
                                                                       {"MemSequence", "SequenceWithMemory"}};
  for (const auto& [other, own] : kCalled) {
    if (text::lower_case(name) == text::lower_case(other)) return "the library calls it " + quote(own);
  }
  return {};
}

constexpr std::string_view kHooks[] = {"_failureIf", "_successIf", "_skipIf",   "_while",
                                       "_onSuccess", "_onFailure", "_onHalted", "_post"};
static_assert(std::size(kHooks) == kHookCount);

bool is_explicit_tag(std::string_view tag) { return !tag.empty() && tag != kSubTreeElement; }

class TreeReader {
 public:
  explicit TreeReader(TreeContext& context)
      : context_(context), reporter_(context.findings, table(), context.lowered) {}

  ReadTree read(const Element& element, bool may_lack_id) {
    ReadTree tree;
    tree.element = element;
    read_name(element, may_lack_id, tree);
    warn_of_stray_text(element, reporter_);
    const std::vector<Element> children = element.children();
    if (children.size() != 1) {
      reporter_.report(rules::BTC_child_count_refused, element.span(),
                       "a tree has exactly one root node, but this one has " + std::to_string(children.size()),
                       children.empty() ? "" : "put them into a 'Sequence', 'Fallback' or 'Parallel'");
    }
    for (const Element& child : children) {
      if (node_count_ > layout::kMaxNodes) break;
      ReadNode node = read_node(child, 1);
      if (tree.root == nullptr) tree.root = std::make_unique<ReadNode>(std::move(node));
    }
    if (node_count_ > layout::kMaxNodes) {
      reporter_.report(rules::BTC_too_many_nodes, tree.span,
                       "the tree has more than " + with_commas(layout::kMaxNodes) + " nodes");
    }
    tree.has_errors = reporter_.has_errors() || element.is_damaged();
    return tree;
  }

 private:
  void read_name(const Element& element, bool may_lack_id, ReadTree& tree) {
    const Attribute id = element.attribute("ID");
    tree.span = id ? id.value_span() : element.span();
    report_unread_attributes(element);
    if (!id && !may_lack_id) {
      reporter_.report(rules::BTC_missing_attribute, element.span(), "the tree has no 'ID'",
                       "only the single tree of a file can be without one");
      return;
    }
    tree.name = id ? std::string(id.value()) : std::string(kNameOfTreeWithoutId);
    if (id) check_name(id.value(), id.value_span());
    if (id && context_.nodes.find(tree.name) != nullptr) {
      reporter_.report(rules::BTC_name_taken, id.value_span(), "a node is already named " + quote(tree.name));
    }
  }

  // One finding for all: editors put the ports of a tree there.
  void report_unread_attributes(const Element& element) {
    std::vector<std::string_view> names;
    Span first;
    bool has_condition = false;
    for (const Attribute& attribute : element.attributes()) {
      const bool is_condition = std::find(std::begin(kHooks), std::end(kHooks), attribute.name()) != std::end(kHooks);
      if (attribute.name() == "ID" || (attribute.name()[0] == '_' && !is_condition)) continue;
      if (names.empty()) first = attribute.name_span();
      names.push_back(attribute.name());
      has_condition = has_condition || is_condition;
    }
    if (names.empty()) return;
    reporter_.report(rules::BTC_unread_attribute, first,
                     (names.size() == 1 ? "a tree has no attribute " : "a tree has no attributes ") + list_of(names) +
                         ": only its 'ID' is read",
                     has_condition ? "put the condition on the node below" : "");
  }

  void check_name(std::string_view name, Span span) {
    if (is_valid_name(name)) return;
    const bool is_root = name == "Root" || name == "root";
    reporter_.report(rules::BTC_bad_name, span,
                     name.empty() ? "the name is empty"
                     : is_root    ? quote(name) + " is not allowed as a name"
                                  : "the name " + quote(name) + " has characters that are not allowed",
                     name.empty() || is_root
                         ? ""
                         : "since its version 4.8.4, the library refuses blanks and any of < > & \" ' / \\ : * ? | .");
  }

  // ---- Nodes

  ReadNode read_node(const Element& element, std::uint32_t depth) {
    ++node_count_;
    ReadNode node;
    node.element = element;
    const std::string_view tag = tag_of_node(element);
    node.is_explicit = is_explicit_tag(tag);
    meant_ports_.clear();
    lacking_.reset();
    read_kind(element, tag, node);
    read_attributes(element, node);
    if (node.declaration != nullptr) check_ports(node);
    warn_of_stray_text(element, reporter_);
    if (depth >= kMaxDepth && element.first_child()) {
      reporter_.report(rules::BTC_too_deep, element.first_child().span(),
                       "more than " + std::to_string(kMaxDepth) + " elements are nested here");
      return node;
    }
    node.children.reserve(std::min<std::size_t>(element.child_count(), layout::kMaxNodes));
    for (Element child = element.first_child(); child && node_count_ <= layout::kMaxNodes;
         child = child.next_sibling()) {
      node.children.push_back(read_node(child, depth + 1));
    }
    check_children(node, reporter_);
    check_values(node, reporter_);
    return node;
  }

  // That of the explicit form, also if it is misspelt and no node has its name.
  std::string_view tag_of_node(const Element& element) const {
    return context_.nodes.find(element.name()) == nullptr ? tag_of(element) : std::string_view();
  }

  // Which node it is: `declaration`, or `id` of a SubTree.
  void read_kind(const Element& element, std::string_view tag, ReadNode& node) {
    if (read_old_name(element, node)) return;
    const Attribute id = element.attribute("ID");
    const bool has_id = !tag.empty();
    if (has_id && tag != element.name()) report_misspelt_tag(element, tag, reporter_);
    if (has_id && (!id || id.value().empty())) {
      reporter_.report(rules::BTC_missing_attribute, element.span(), quote(element.name()) + " needs an 'ID'",
                       node.is_explicit ? "it names the node" : "it names the tree");
    }
    if (!has_id && id) {
      reporter_.report(rules::BTC_id_not_allowed, id.name_span(),
                       "'ID' is not allowed here: the element's name is the node's",
                       "'ID' belongs to 'Action', 'Condition', 'Control', 'Decorator' and 'SubTree'");
    }
    node.id = has_id ? std::string(id ? id.value() : std::string_view()) : std::string(element.name());
    node.id_span = has_id && id ? id.value_span() : element.span();
    node.name = node.id;
    if (tag == kSubTreeElement) return;
    if (!node.id.empty()) check_name(node.id, node.id_span);
    node.declaration = context_.nodes.find(node.id);
    if (node.declaration == nullptr) node.declaration = &undeclared(element, node);
    const NodeKind kind = node.declaration->kind;
    if (node.is_explicit && node.declaration->is_declared && kind_of_tag(tag) != kind) {
      reporter_.report(rules::BTC_wrong_kind, element.span(),
                       quote(node.id) + " is of the kind " + quote(tag_of(kind)) + ", not " + quote(tag),
                       "the tag has no effect: the node is created by its ID");
    }
  }

  bool read_old_name(const Element& element, ReadNode& node) {
    const Attribute id = element.attribute("ID");
    const std::string_view before = node.is_explicit ? id.value() : element.name();
    const std::string_view now = new_name_of_node(before);
    if (now.empty() || context_.nodes.find(before) != nullptr) return false;
    text::Finding& finding = reporter_.report(rules::BTC_version_3, node.is_explicit ? id.value_span() : element.span(),
                                              quote(before) + " was renamed " + quote(now) + " in format 4");
    if (node.is_explicit) {
      reporter_.propose(finding, before, now, Guess::Of::notation);
    } else {
      reporter_.propose_name(finding, element, now, Guess::Of::notation);
    }
    if (now != kSubTreeElement) node.declaration = context_.nodes.find(now);
    node.id = id.value();
    node.name = node.id;
    return true;
  }

  // Reports a node that nobody declares. Its kind is that of the explicit tag, else it follows from its children.
  const Declaration& undeclared(const Element& element, const ReadNode& node) {
    if (!node.id.empty()) report_undeclared(element, node);
    Declaration declaration;
    declaration.name = node.id;
    declaration.is_declared = false;
    const std::size_t children = element.child_count();
    if (node.is_explicit) {
      declaration.kind = *kind_of_tag(tag_of(element));
    } else if (children > 0) {
      declaration.kind = children == 1 ? NodeKind::decorator : NodeKind::control;
    }
    if (declaration.kind == NodeKind::control) declaration.built = Built::sequence;
    const std::string key = std::string(tag_of(declaration.kind)) + " " + node.id;
    return context_.undeclared.try_emplace(key, std::move(declaration)).first->second;
  }

  void report_undeclared(const Element& element, const ReadNode& node) {
    if (context_.tree_names.count(node.id) != 0) {
      reporter_.report(rules::BTC_unknown_node, node.id_span, "unknown node " + quote(node.id) + ": it is a tree",
                       "a tree is used with '<SubTree ID=\"" + node.id + "\"/>'");
      return;
    }
    const char* const successor = has_no_successor(node.id) ? "in version 4 a 'Precondition' compares the entry before "
                                                              "its child begins, and '_while' also while it runs"
                                                            : nullptr;
    std::string near = context_.node_names.nearest(node.id);
    const NodeRow* const row = near.empty() ? nullptr : find_node_row(near);
    const bool is_in_other_case = row != nullptr && text::equal_any_case(row->name, node.id);
    const bool is_known = context_.nodes.has_name_of_framework(node.id);
    const bool may_be_slip = !is_known && successor == nullptr && context_.is_written_once(node.id);
    const bool is_of_tree =
        near.empty() && !node.is_explicit && element.child_count() == 0 && is_near_name(node.id, kSubTreeElement);
    if (is_of_tree) near = kSubTreeElement;
    const bool is_slip =
        may_be_slip && (is_of_tree || (row != nullptr && is_near_name(node.id, near) && is_used_as(element, *row)));
    if (near.empty() && may_be_slip) near = nearest_of_framework(element, node.id);
    const bool is_slip_of_framework = !near.empty() && context_.nodes.is_known(near);
    const bool is_unknown = context_.nodes.has_declared() && !is_known;
    const bool is_error = is_in_other_case || (is_unknown && is_slip) ||
                          (node.is_explicit ? !near.empty() && row == nullptr : is_unknown);
    if (is_error) {
      text::Finding& finding = reporter_.report(rules::BTC_unknown_node, node.id_span, "unknown node " + quote(node.id),
                                                successor != nullptr ? successor
                                                : near.empty() ? "declare it in 'TreeNodesModel' or in espalier.json"
                                                               : did_you_mean(near));
      const Guess::Of of = row != nullptr ? Guess::Of::word : Guess::Of::name;
      if (node.is_explicit) {
        reporter_.propose(finding, node.id, near, of);
      } else {
        reporter_.propose_name(finding, element, near, of);
      }
      return;
    }
    if (is_slip || is_slip_of_framework) {
      text::Finding& finding = reporter_.report(
          rules::BTC_suspicious_node, node.id_span,
          (is_slip ? "the library has no node " : "neither the library nor Nav2 has a node ") + quote(node.id),
          did_you_mean(near));
      if (node.is_explicit) {
        reporter_.propose(finding, node.id, near);
      } else {
        add_renaming(finding, element, near, text::FixGrade::unsafe);
      }
      return;
    }
    if (!node.is_explicit && element.child_count() > 1) {
      reporter_.report(rules::BTC_unknown_control, node.id_span,
                       "undeclared control " + quote(node.id) + ": it is treated as a 'Sequence'",
                       hint_for_control(node.id));
      return;
    }
    if (successor != nullptr) {
      reporter_.report(rules::BTC_undeclared_node, node.id_span,
                       quote(node.id) + " was a node of version 3, and is not declared", successor);
      return;
    }
    context_.noted.try_emplace(node.id, node.id_span);
  }

  // The framework's node that this one is a slip of the finger for; empty: none.
  std::string nearest_of_framework(const Element& element, std::string_view id) const {
    std::string near = context_.framework_names.nearest(id);
    const Declaration* const known = near.empty() ? nullptr : context_.nodes.find_known(near);
    return known != nullptr && is_near_name(id, near) && is_used_as(element, *known) ? near : std::string();
  }

  // ---- Attributes

  void read_attributes(const Element& element, ReadNode& node) {
    std::size_t count = 0;
    for ([[maybe_unused]] const Attribute& attribute : element.attributes()) ++count;
    constexpr std::size_t kFew = 1000;  // most of fewer attributes may be no ports
    if (count > kFew) node.ports.reserve(count);
    for (const Attribute& attribute : element.attributes()) {
      const std::string_view name = attribute.name();
      const auto* const hook = std::find(std::begin(kHooks), std::end(kHooks), name);
      if (name == "name") {
        node.name = attribute.value();
        node.has_name = true;
      } else if (name == "ID") {
      } else if (name == "_autoremap") {
        if (node.is_subtree()) read_autoremap(attribute, node);
      } else if (name == kPathAttribute) {
        if (node.is_subtree()) read_path(attribute, node);
      } else if (hook != std::end(kHooks)) {
        read_hook(attribute, static_cast<std::size_t>(hook - std::begin(kHooks)), node);
      } else if (is_port_name(name)) {
        read_port(attribute, node);
      } else {
        check_ignored(attribute);
      }
    }
  }

  // The library writes the path of an instance in place of its name: "bring/retry", or "bring/GoTo::7" without one.
  static void read_path(const Attribute& attribute, ReadNode& node) {
    const std::string_view path = attribute.value();
    const std::string_view name = path.substr(path.find_last_of('/') + 1);
    if (node.has_name || name.empty() || name.starts_with(node.id + "::")) return;
    node.name = name;
    node.has_name = true;
  }

  void read_autoremap(const Attribute& attribute, ReadNode& node) {
    if (check_literal({TypeKind::boolean}, attribute.value()) != LiteralFault::none) {
      reporter_.report(rules::BTC_bad_value, attribute.value_span(), "'_autoremap' must be 'true' or 'false'");
    }
    node.has_autoremap = attribute.value() == "1" || text::equal_any_case(attribute.value(), "true");
  }

  static void add_script(ReadScript script, ReadNode& node) {
    const auto after = std::find_if(node.scripts.begin(), node.scripts.end(),
                                    [&](const ReadScript& each) { return each.hook > script.hook; });
    node.scripts.insert(after, std::move(script));
  }

  void read_hook(const Attribute& attribute, std::size_t hook, ReadNode& node) {
    add_script(read_script(attribute, static_cast<Hook>(hook), hook < kConditionCount), node);
    if (attribute.value().empty()) {
      reporter_.report(rules::BTC_empty_condition, attribute.name_span(),
                       quote(attribute.name()) + " is empty: the library refuses it", "remove the attribute");
    }
  }

  ReadScript read_script(const Attribute& attribute, Hook hook, bool is_condition) {
    ReadScript script{hook, attribute, parse_script(attribute.value()), {}};
    if (const auto& fault = script.script.fault) {
      if (!attribute.value().empty()) {
        reporter_.report(rules::BTC_script_syntax, attribute.value_span(fault->begin, fault->end), fault->message,
                         fault->hint);
      }
      script.script = {};
      return script;
    }
    script.checked = check_script(script.script, context_.enumeration, is_condition);
    const bool is_switch = hook == Hook::skip_if && is_plain_truth(attribute.value());
    for (ScriptFinding& each : script.checked.findings) {
      if (is_switch && each.rule == rules::BTC_constant_condition) continue;
      reporter_.report(each.rule, attribute.value_span(each.begin, each.end), std::move(each.message),
                       std::move(each.hint));
    }
    return script;
  }

  void check_ignored(const Attribute& attribute) {
    const std::string_view name = attribute.name();
    if (const std::string_view now = new_name_of_attribute(name); !now.empty()) {
      reporter_.report(rules::BTC_version_3_attribute, attribute.name_span(),
                       quote(name) + " was renamed " + quote(now) + " in format 4: the library ignores it");
      return;
    }
    const std::vector<std::string_view> hooks(std::begin(kHooks), std::end(kHooks));
    if (const std::string near = name[0] == '_' ? reporter_.nearest(name, hooks) : ""; !near.empty()) {
      text::Finding& finding =
          reporter_.report(rules::BTC_misspelt_condition, attribute.name_span(),
                           "unknown condition " + quote(name) + ": the library ignores it", did_you_mean(near));
      reporter_.propose(finding, name, near, Guess::Of::word);
    } else if (name[0] != '_' || has_forbidden(name)) {
      reporter_.report(
          rules::BTC_ignored_attribute, attribute.name_span(),
          "the library ignores the attribute " + quote(name) + ", since its name is not a valid port name");
    } else if (is_unknown_condition(attribute)) {
      reporter_.report(rules::BTC_unknown_condition, attribute.name_span(),
                       "unknown condition " + quote(name) + ": the library ignores it", hint_for_condition(name));
    }
  }

  // ---- Ports

  void read_port(const Attribute& attribute, ReadNode& node) {
    ReadPort port;
    port.name = attribute.name();
    port.name_span = attribute.name_span();
    port.value_span = attribute.value_span();
    if (node.declaration != nullptr) port.port = node.declaration->find_port(port.name);
    port.value = read_value(attribute, port, node);
    if (node.declaration != nullptr && port.port == nullptr && node.declaration->is_declared) {
      report_unknown_port(attribute, node);
      return;
    }
    if (port.port != nullptr && node.declaration->row != nullptr &&
        (port.port->role == PortRole::script || port.port->role == PortRole::condition)) {
      read_script_port(attribute, port, node);
    }
    check_port_value(port, node, reporter_);
    node.ports.push_back(port);
  }

  static PortValue read_value(const Attribute& attribute, const ReadPort& port, const ReadNode& node) {
    if (node.is_subtree()) return read_subtree_value(attribute.value(), attribute.name());
    // These nodes read what is written, in which '=' is not the port's name; only a loop takes '{=}' for it.
    const bool is_source = node.built() == Built::set_blackboard && port.name == "value";
    const bool is_queue = node.built() == Built::loop && port.name == "queue";
    const bool is_watched = port.port != nullptr && port.port->role == PortRole::watched;
    if (is_queue) return read_subtree_value(attribute.value(), port.name);
    if (is_source || is_watched) return read_subtree_value(attribute.value(), "=");
    return read_port_value(attribute.value(), attribute.name(), port.port == nullptr ? Type{} : port.port->type);
  }

  void find_lacking(const ReadNode& node) {
    std::set<std::string_view> given;
    for (const Attribute& attribute : node.element.attributes()) given.insert(attribute.name());
    lacking_.emplace();
    for (const Port& port : node.declaration->ports) {
      if (given.count(port.name) == 0) lacking_->names.push_back(port.name);
    }
    lacking_->index = text::NameIndex(lacking_->names);
  }

  void report_unknown_port(const Attribute& attribute, const ReadNode& node) {
    if (!lacking_) find_lacking(node);
    const std::vector<std::string_view>& names = lacking_->names;
    const std::string_view now = new_name_of_port(attribute.name());
    const bool is_renamed = !now.empty() && std::find(names.begin(), names.end(), now) != names.end();
    if (is_renamed) {
      text::Finding& finding =
          reporter_.report(rules::BTC_version_3, attribute.name_span(),
                           quote(attribute.name()) + " was renamed " + quote(now) + " in format 4");
      reporter_.propose(finding, attribute.name(), now, Guess::Of::notation);
      meant_ports_.emplace(now);
      return;
    }
    const std::string near = lacking_->index.nearest(attribute.name());
    std::string meant =
        near.empty() && reporter_.may_translate() ? std::string(synonym_of_attribute(attribute.name(), names)) : near;
    if (meant.empty()) meant = only_needed(node);
    std::string hint = did_you_mean(meant);
    if (hint.empty() && !names.empty()) {
      const bool are_all = names.size() == node.declaration->ports.size();
      hint = (are_all ? "its " : "its other ") + std::string(names.size() == 1 ? "port is " : "ports are ") +
             list_of(names);
    } else if (hint.empty()) {
      hint = !node.declaration->ports.empty() ? "it has no other ports" : "it has no ports";
    }
    text::Finding& finding =
        reporter_.report(rules::BTC_unknown_port, attribute.name_span(),
                         quote(node.id) + " has no port " + quote(attribute.name()), std::move(hint));
    if (node.declaration->span.end > 0) finding.related.push_back({node.declaration->span, "declared here"});
    const bool is_of_file = node.declaration->span.end > 0;  // in which it may be misspelt
    reporter_.propose(finding, attribute.name(), near, is_of_file ? Guess::Of::name : Guess::Of::word);
    if (!meant.empty()) meant_ports_.insert(meant);
  }

  // The one port that the node needs and lacks; empty if there is none, or several.
  std::string only_needed(const ReadNode& node) const {
    std::string needed;
    for (const Port& port : node.declaration->ports) {
      const bool is_needed =
          !port.otherwise && (port.missing == Missing::refused || port.missing == Missing::at_a_tick);
      if (!is_needed || node.element.attribute(port.name) || is_meant(port.name)) continue;
      if (!needed.empty()) return {};
      needed = port.name;
    }
    return needed;
  }

  void read_script_port(const Attribute& attribute, const ReadPort& port, ReadNode& node) {
    const bool is_condition = port.port->role == PortRole::condition;
    if (port.value.is_pointer) {
      reporter_.report(rules::BTC_script_from_entry, attribute.value_span(),
                       "the script is read when the tree is created, before the entry has a value");
      return;
    }
    if (!attribute.value().empty()) {
      add_script(read_script(attribute, Hook::own, is_condition), node);
      return;
    }
    if (node.built() == Built::script) {
      reporter_.report(rules::BTC_empty_script, attribute.name_span(), "the script is empty: it does nothing");
    } else if (node.built() == Built::script_condition) {
      reporter_.report(rules::BTC_empty_script_condition, attribute.name_span(),
                       "an empty script has no value: the node throws when it is ticked");
    } else {
      reporter_.report(rules::BTC_empty_condition, attribute.name_span(),
                       "the condition is empty: the library refuses it");
    }
  }

  // Ports without an attribute.
  void check_ports(ReadNode& node) {
    std::vector<std::string_view> refused;
    std::vector<std::string_view> at_a_tick;
    std::vector<std::string_view> inputs;
    constexpr std::size_t kFew = 64;
    std::set<std::string_view> given;  // of many
    if (node.declaration->ports.size() > kFew) {
      for (const Attribute& attribute : node.element.attributes()) given.insert(attribute.name());
    }
    const auto is_given = [&](const Port& port) {
      return node.declaration->ports.size() > kFew ? given.count(port.name) != 0
                                                   : bool(node.element.attribute(port.name));
    };
    for (const Port& port : node.declaration->ports) {
      if (is_given(port) || is_meant(port.name)) continue;
      if (port.otherwise) {
        PortValue value = read_port_value(*port.otherwise, port.name);
        if (!value.is_pointer) continue;
        node.ports.push_back({port.name, &port, value, node.element.span(), node.element.span(), true});
      } else if (port.missing == Missing::refused) {
        refused.push_back(port.name);
      } else if (port.missing == Missing::at_a_tick) {
        at_a_tick.push_back(port.name);
      } else if (node.declaration->is_of_host() && port.direction == Direction::input &&
                 port.missing != Missing::allowed) {
        inputs.push_back(port.name);
      }
    }
    const Span span = node.element.span();
    const auto needs = [&](const std::vector<std::string_view>& ports) {
      return quote(node.id) + (ports.size() == 1 ? " needs the port " : " needs the ports ") + list_of(ports);
    };
    if (!refused.empty()) reporter_.report(rules::BTC_missing_port, span, needs(refused));
    if (!at_a_tick.empty()) {
      reporter_.report(rules::BTC_missing_port_at_tick, span, needs(at_a_tick) + ": it throws when it is ticked");
    }
    if (inputs.empty()) return;
    reporter_.report(
        rules::BTC_input_not_connected, span,
        inputs.size() == 1
            ? "the input " + list_of(inputs) + " of " + quote(node.id) + " is not connected, and has no default"
            : "the inputs " + list_of(inputs) + " of " + quote(node.id) + " are not connected, and have no defaults");
  }

  bool is_meant(std::string_view port) const { return meant_ports_.count(port) != 0; }

  TreeContext& context_;
  Reporter reporter_;
  // Of the node that is being read: ports that are misspelt, and so not missing, and those that are not given.
  std::set<std::string, std::less<>> meant_ports_;
  struct Lacking {
    std::vector<std::string_view> names;
    text::NameIndex index;
  };
  std::optional<Lacking> lacking_;  // found when it is asked for
  std::uint32_t node_count_ = 0;    // that are read: of a tree with too many, the others are not
};

}  // namespace

const ReadScript& ReadNode::script(Hook hook) const {
  static const ReadScript kNone;
  const auto found =
      std::find_if(scripts.begin(), scripts.end(), [&](const ReadScript& each) { return each.hook == hook; });
  return found == scripts.end() ? kNone : *found;
}

std::string_view name_of(Hook hook) { return kHooks[static_cast<std::size_t>(hook)]; }

ReadTree read_tree(const Element& element, bool may_lack_id, TreeContext& context) {
  return TreeReader(context).read(element, may_lack_id);
}

}  // namespace espalier::dialects::btcpp
