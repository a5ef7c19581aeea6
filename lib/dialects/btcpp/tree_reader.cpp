// Reads one BehaviorTree. See tree_reader.h.
#include "dialects/btcpp/tree_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dialects/btcpp/attributes.h"
#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/format_3.h"
#include "dialects/btcpp/node_checks.h"
#include "dialects/reading/checks.h"
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

bool is_explicit_tag(std::string_view tag) { return !tag.empty() && tag != kSubTreeElement; }

class TreeReader {
 public:
  TreeReader(TreeContext& context, std::vector<Element>* elements)
      : context_(context), reporter_(context.findings, table(), context.lowered), elements_(elements) {}

  WrittenTree read(const Element& element, bool may_lack_id) {
    read_name(element, may_lack_id, tree_);
    warn_of_stray_text(element, reporter_);
    const std::vector<Element> children = element.children();
    if (children.size() != 1) {
      reporter_.report(rules::BTC_child_count_refused, element.span(),
                       "a tree has exactly one root node, but this one has " + std::to_string(children.size()),
                       children.empty() ? "" : "put them into a 'Sequence', 'Fallback' or 'Parallel'");
    }
    for (const Element& child : children) {
      if (node_count_ > layout::kMaxNodes) break;
      read_node(child, 0, 1);
      tree_.nodes.erase(tree_.nodes.begin() + tree_.root().extent, tree_.nodes.end());  // there is one root
    }
    if (node_count_ > layout::kMaxNodes) {
      reporter_.report(rules::BTC_too_many_nodes, tree_.span,
                       "the tree has more than " + with_commas(layout::kMaxNodes) + " nodes");
    }
    tree_.has_errors = reporter_.has_errors() || element.is_damaged();
    return std::move(tree_);
  }

 private:
  void read_name(const Element& element, bool may_lack_id, WrittenTree& tree) {
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
    const Declaration* const node = id ? context_.find(tree.name) : nullptr;
    if (node != nullptr && node->is_of_model()) {
      reporter_.report(rules::BTC_name_modelled, id.value_span(), "a model has a node " + quote(tree.name),
                       "if the program registers it, the library refuses the tree", {node->span, "the model"});
    } else if (node != nullptr) {
      reporter_.report(rules::BTC_name_taken, id.value_span(), "a node is already named " + quote(tree.name));
    }
  }

  // One finding for all: editors put the ports of a tree there.
  void report_unread_attributes(const Element& element) {
    std::vector<std::string_view> names;
    Span first;
    bool has_condition = false;
    for (const Attribute& attribute : element.attributes()) {
      const bool is_condition = hook_of(attribute.name()).has_value();
      if (attribute.name() == "ID" || (attribute.name()[0] == '_' && !is_condition)) continue;
      if (names.empty()) first = attribute.name_span();
      names.push_back(attribute.name());
      has_condition = has_condition || is_condition;
    }
    if (names.empty() || (context_.is_of_fork && !has_condition)) return;  // which has ports there
    reporter_.report(rules::BTC_unread_attribute, first,
                     (names.size() == 1 ? "a tree has no attribute " : "a tree has no attributes ") + list_of(names) +
                         ": only its 'ID' is read",
                     has_condition ? "put the condition on the node below" : "");
  }

  void check_name(std::string_view name, Span span) {
    if (is_valid_name(name) || context_.is_of_format_3 || (!context_.checks_names && !name.empty())) return;
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

  // Appends the node and all below it.
  void read_node(const Element& element, std::size_t parent, std::uint32_t depth) {
    const std::size_t place = tree_.nodes.size();
    add_node(element);
    tree_.nodes[place].rise = static_cast<std::uint32_t>(place - parent);
    warn_of_stray_text(element, reporter_);
    if (depth >= kMaxDepth && element.first_child()) {
      reporter_.report(rules::BTC_too_deep, element.first_child().span(),
                       "more than " + std::to_string(kMaxDepth) + " elements are nested here",
                       "since its version 4.9.0, the library refuses more");
      return;
    }
    for (Element child = element.first_child(); child && node_count_ <= layout::kMaxNodes;
         child = child.next_sibling()) {
      read_node(child, place, depth + 1);
    }
    WrittenNode& node = tree_.nodes[place];
    node.extent = static_cast<std::uint32_t>(tree_.nodes.size() - place);
    check_children(node, element, context_.is_of_format_3, reporter_);
    check_values(node, reporter_);
  }

  void add_node(const Element& element) {
    ++node_count_;
    if (elements_ != nullptr) elements_->push_back(element);
    WrittenNode& node = tree_.nodes.emplace_back();
    node.span = element.span();
    node.has_attributes = !element.attributes().empty();
    const std::string_view tag = tag_of_node(element);
    node.is_explicit = is_explicit_tag(tag);
    read_kind(element, tag, node);
    set_opcode(node);
    read_attributes(element, node, tree_, context_, reporter_);
    if (!node.is_subtree() || node.id.empty()) return;
    if (context_.tree_of) node.tree = context_.tree_of(node.id, element.attribute(kPathAttribute));
    if (context_.model_of) node.model = context_.model_of(node.id, node.tree);
  }

  // That of the explicit form, also if it is misspelt and no node has its name.
  std::string_view tag_of_node(const Element& element) const {
    return context_.find(element.name()) == nullptr ? tag_of(element) : std::string_view();
  }

  // Which node it is: `declaration`, or `id` of a SubTree.
  void read_kind(const Element& element, std::string_view tag, WrittenNode& node) {
    if (read_old_name(element, node)) return;
    const Attribute id = element.attribute("ID");
    const bool has_id = !tag.empty();
    if (has_id && tag != element.name()) report_misspelt_tag(element, tag);
    if (has_id && (!id || id.value().empty())) {
      reporter_.report(rules::BTC_missing_attribute, element.span(), quote(element.name()) + " needs an 'ID'",
                       node.is_explicit ? "it names the node" : "it names the tree");
    }
    if (!has_id && id) {
      reporter_.report(rules::BTC_id_not_allowed, id.name_span(),
                       "'ID' is not allowed here: the element's name is the node's",
                       "'ID' belongs to 'Action', 'Condition', 'Control', 'Decorator' and 'SubTree'");
    }
    node.id = context_.project.names.intern(!has_id ? element.name() : id ? id.value() : std::string_view());
    node.id_span = has_id && id ? id.value_span() : element.span();
    node.name = node.id;
    if (tag == kSubTreeElement) return;
    if (!node.id.empty()) check_name(node.id, node.id_span);
    node.declaration = context_.find(node.id);
    if (node.declaration == nullptr) {
      node.declaration = &undeclared(element, node);
    } else if (node.declaration->is_open && !node.declaration->gives_kind) {
      node.declaration = &as_used(*node.declaration, element, node);
    } else if (node.declaration->is_of_model()) {
      compare_with_model(element, tag, node);
    } else if (const NodeKind kind = node.declaration->kind; node.is_explicit && kind_of_tag(tag) != kind) {
      reporter_.report(rules::BTC_wrong_kind, element.span(),
                       quote(node.id) + " is of the kind " + quote(tag_of(kind)) + ", not " + quote(tag),
                       "the tag has no effect: the node is created by its ID");
    }
  }

  static std::string_view children_of(NodeKind kind) {
    return is_leaf(kind) ? "no children" : kind == NodeKind::decorator ? "one child" : "children";
  }

  // Editors take a node for a control that the program has as an action, and the other way round: only one with
  // children that is no parent at all is a fault, where the model holds.
  void compare_with_model(const Element& element, std::string_view tag, WrittenNode& node) {
    const Declaration& model = *node.declaration;
    const std::size_t children = element.child_count();
    const bool has_too_few = !is_leaf(model.kind) && children == 0;
    const bool has_too_many = is_leaf(model.kind) ? children > 0 : model.kind == NodeKind::decorator && children > 1;
    const bool is_other_use = has_too_few || (has_too_many && model.by == DeclaredBy::hint);
    if (is_other_use || (node.is_explicit && kind_of_tag(tag) != model.kind)) {
      reporter_.report(rules::BTC_modelled_kind, element.span(),
                       "a model says that " + quote(node.id) + " is " +
                           (model.kind == NodeKind::action ? "an " : "a ") + quote(tag_of(model.kind)) +
                           (is_other_use ? ", which has " + std::string(children_of(model.kind)) : ""),
                       {}, {model.span, "the model"});
    }
    if (is_other_use) node.declaration = &as_used(model, element, node);
  }

  // Its name is not the tag that it means.
  void report_misspelt_tag(const Element& element, std::string_view tag) {
    text::Finding& finding = reporter_.report(rules::BTC_unknown_node, element.span(),
                                              "unknown node " + quote(element.name()), did_you_mean(tag));
    if (is_near_name(element.name(), tag)) reporter_.propose_name(finding, element, tag);
  }

  bool read_old_name(const Element& element, WrittenNode& node) {
    const Attribute id = element.attribute("ID");
    const std::string_view before = node.is_explicit ? id.value() : element.name();
    const std::string_view now = new_name_of_node(before);
    if (now.empty() || context_.find(before) != nullptr) return false;
    text::Finding& finding = reporter_.report(rules::BTC_version_3, node.is_explicit ? id.value_span() : element.span(),
                                              quote(before) + " was renamed " + quote(now) + " in format 4");
    if (node.is_explicit) {
      reporter_.propose(finding, before, now, Guess::Of::notation);
    } else {
      reporter_.propose_name(finding, element, now, Guess::Of::notation);
    }
    if (now != kSubTreeElement) node.declaration = context_.project.nodes.find(now);
    node.id = context_.project.names.intern(id.value());
    node.name = node.id;
    return true;
  }

  // Reports a node that nobody declares.
  const Declaration& undeclared(const Element& element, const WrittenNode& node) {
    if (!node.id.empty()) report_undeclared(element, node);
    Declaration declaration;
    declaration.name = node.id;
    declaration.by = DeclaredBy::nobody;
    return as_used(declaration, element, node);
  }

  // Its kind is that of the explicit tag, else it follows from its children, as also where these contradict a model.
  const Declaration& as_used(const Declaration& declaration, const Element& element, const WrittenNode& node) {
    const std::size_t children = element.child_count();
    const NodeKind kind = node.is_explicit && !declaration.is_of_model() ? *kind_of_tag(tag_of(element))
                          : children == 0                                ? NodeKind::action
                          : children == 1                                ? NodeKind::decorator
                                                                         : NodeKind::control;
    std::string key = std::string(tag_of(kind)) + " " + std::string(node.id);
    if (declaration.is_of_model()) key += " " + std::to_string(element.span().file);  // each file has its models
    const auto [place, is_new] = context_.project.undeclared.try_emplace(key, declaration);
    if (is_new) {
      place->second.kind = kind;
      place->second.built = built_of_host(kind);
    }
    return place->second;
  }

  // A name that an undeclared node may have been meant to have.
  struct Meant {
    std::string name;                      // empty: there is none
    const Declaration* library = nullptr;  // the library's or Nav2's own
    bool is_of_framework = false;
    bool is_slip = false;  // of the finger
  };

  Meant meant_by(const Element& element, const WrittenNode& node) {
    Meant meant;
    if (context_.node_names != nullptr) meant.name = context_.node_names->nearest(node.id);
    meant.library = meant.name.empty() ? nullptr : find_library_node(meant.name);
    const bool is_of_tree =
        meant.name.empty() && !node.is_explicit && element.child_count() == 0 && is_near_name(node.id, kSubTreeElement);
    if (is_of_tree) meant.name = kSubTreeElement;
    meant.is_slip = is_of_tree || (is_near_name(node.id, meant.name) &&
                                   (meant.library == nullptr || is_used_as(element, *meant.library)));
    if (!meant.name.empty()) return meant;
    meant.name = nearest_of_framework(element, node.id);
    meant.is_of_framework = !meant.name.empty();
    if (meant.name.empty() && context_.is_of_format_3) meant.name = node_of_format_3_near(node.id);
    meant.is_slip = !meant.name.empty();
    return meant;
  }

  void report_undeclared(const Element& element, const WrittenNode& node) {
    if (report_tree_as_node(node)) return;
    const char* const successor = has_no_successor(node.id) && !context_.is_of_format_3
                                      ? "in version 4 a 'Precondition' compares the entry before "
                                        "its child begins, and '_while' also while it runs"
                                      : nullptr;
    const bool is_known = context_.framework != nullptr && context_.framework->find(node.id) != nullptr;
    const bool may_be_misspelt = !is_known && successor == nullptr;
    const Meant meant = may_be_misspelt ? meant_by(element, node) : Meant{};
    const bool is_slip = meant.is_slip && context_.is_written_once && context_.is_written_once(node.id);
    const Declaration* const declared = meant.library == nullptr ? context_.find(meant.name) : nullptr;
    const bool may_be_explicit = declared != nullptr && declared->by == DeclaredBy::program;
    const bool is_unknown = context_.has_all_nodes && !is_known && (!node.is_explicit || may_be_explicit);
    if (is_unknown || (is_slip && context_.has_model && !context_.has_other_nodes)) {
      report_unknown(element, node, meant, successor);
    } else if (is_slip) {
      report_suspicious(element, node, meant);
    } else if (!node.is_explicit && element.child_count() > 1) {
      reporter_.report(rules::BTC_unknown_control, node.id_span,
                       "undeclared control " + quote(node.id) + ": it is treated as a 'Sequence'",
                       hint_for_control(node.id));
    } else if (successor != nullptr) {
      reporter_.report(rules::BTC_undeclared_node, node.id_span,
                       quote(node.id) + " was a node of version 3, and is not declared", successor);
    } else {
      const std::string& near = meant.is_slip ? meant.name : std::string();
      context_.noted.try_emplace(std::string(node.id), FirstUse{node.id_span, near});
    }
  }

  // A tree that is used like a node. One of another file may be another program's.
  bool report_tree_as_node(const WrittenNode& node) {
    const TreeNamed named = context_.tree_named ? context_.tree_named(node.id) : TreeNamed::none;
    if (named == TreeNamed::none) return false;
    const bool is_sure = named == TreeNamed::in_the_file;
    reporter_.report(is_sure ? rules::BTC_unknown_node : rules::BTC_suspicious_node, node.id_span,
                     (is_sure ? "unknown node " : "nothing declares the node ") + quote(node.id) + ": it is a tree",
                     "a tree is used with '<SubTree ID=\"" + std::string(node.id) + "\"/>'");
    return true;
  }

  void report_unknown(const Element& element, const WrittenNode& node, const Meant& meant, const char* successor) {
    text::Finding& finding = reporter_.report(rules::BTC_unknown_node, node.id_span, "unknown node " + quote(node.id),
                                              successor != nullptr ? successor
                                              : meant.name.empty() ? "declare it in espalier.json"
                                                                   : did_you_mean(meant.name));
    const Guess::Of of = meant.library != nullptr ? Guess::Of::word : Guess::Of::name;
    if (node.is_explicit) {
      reporter_.propose(finding, node.id, meant.name, of);
    } else {
      reporter_.propose_name(finding, element, meant.name, of);
    }
  }

  void report_suspicious(const Element& element, const WrittenNode& node, const Meant& meant) {
    const bool is_of_library = meant.library != nullptr || meant.name == kSubTreeElement;
    text::Finding& finding = reporter_.report(rules::BTC_suspicious_node, node.id_span,
                                              (is_of_library           ? "the library has no node "
                                               : meant.is_of_framework ? "neither the library nor Nav2 has a node "
                                                                       : "nothing declares the node ") +
                                                  quote(node.id),
                                              did_you_mean(meant.name));
    if (node.is_explicit) {
      reporter_.propose(finding, node.id, meant.name);
    } else {
      add_renaming(finding, element, meant.name, text::FixGrade::unsafe);
    }
  }

  // The framework's node that this one is a slip of the finger for; empty: none.
  std::string nearest_of_framework(const Element& element, std::string_view id) {
    std::string near = context_.framework_names.nearest(id);
    const Declaration* const known =
        near.empty() || context_.framework == nullptr ? nullptr : context_.framework->find(near);
    return known != nullptr && is_near_name(id, near) && is_used_as(element, *known) ? near : std::string();
  }

  TreeContext& context_;
  Reporter reporter_;
  std::vector<Element>* elements_;
  WrittenTree tree_;
  std::uint32_t node_count_ = 0;  // that are read: of a tree with too many, the others are not
};

}  // namespace

WrittenTree read_tree(const Element& element, bool may_lack_id, TreeContext& context, std::vector<Element>* elements) {
  return TreeReader(context, elements).read(element, may_lack_id);
}

}  // namespace espalier::dialects::btcpp
