// Nodes: which one an element is, what it holds, and what stands around it in a tree. See tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/modular/tree_reader.h"
#include "runtime/layout.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

// Has a node of this opcode anything that Details hold?
bool has_details(Opcode opcode) {
  const OpcodeInfo& info = opcode_info(opcode);
  if (info.flags != FlagsKind::none && info.flags != FlagsKind::number) return true;
  return std::any_of(info.operands, info.operands + info.operand_count, [](OperandKind operand) {
    return operand != OperandKind::parent && operand != OperandKind::condition && operand != OperandKind::limit;
  });
}

// What holds one node needs it, and what holds several needs one at least.
std::string needs(Holds holds) {
  if (holds == Holds::nothing) return " has no children";
  if (holds == Holds::one) return " has exactly one child";
  if (holds == Holds::cases) return " needs a Case";
  return holds == Holds::states ? " needs a State" : " needs a child";
}

}  // namespace

ir::Node TreeReader::start(Opcode opcode, std::string_view name, Span span) {
  ++node_count_;
  ir::Node node;
  node.opcode = opcode;
  node.name = name;
  node.span = span;
  return node;
}

void TreeReader::give(ir::Node& node, ir::Details details) {
  if (!has_details(node.opcode)) return;
  node.details = static_cast<ir::DetailsIndex>(tree_.details.size());
  tree_.details.push_back(std::move(details));
}

// Elements within elements are limited (text::kMaxNesting), and so is this recursion.
ir::Node TreeReader::read_node(const Element& element) {
  if (const CoreNode* core = find_core_node(element.name())) return read_core(element, *core);
  if (const HostDeclaration* host = find_host(element.name())) return read_declared(element, *host);
  if (const std::string_view place = place_of(element.name()); !place.empty()) {
    reporter_.report(Rule::MBT_unexpected_element, element.span(),
                     "unexpected element " + text::quoted(element.name()) + ": it stands " + std::string(place));
    return {};
  }
  return read_other(element);
}

// An element that is no core node and not declared: the host's, or a slip. What stands below a slip is read as what
// was meant would have it; what the slip itself has too much or too little would be a second finding of one fault.
ir::Node TreeReader::read_other(const Element& element) {
  const std::string_view name = element.name();
  std::vector<std::string_view> names = core_node_names();
  const auto is_same = [&](std::string_view core) { return text::equal_any_case(core, name); };
  if (options_.hosts.empty()) {
    const bool is_slip = std::any_of(names.begin(), names.end(), is_same) ||
                         (element.first_child() && !text::nearest(name, names).empty());
    if (!is_slip) return read_undeclared(element);
  }
  for (const HostDeclaration& host : options_.hosts) names.push_back(host.name);
  const std::string near = reporter_.may_guess(names.size()) ? text::nearest(name, names) : std::string();
  reporter_.report(Rule::MBT_unknown_node, element.span(), "no node is named " + text::quoted(name),
                   near.empty() ? std::string() : "did you mean " + text::quoted(near) + "?");
  if (const CoreNode* core = find_core_node(near)) {
    ir::Node unused;
    read_children(element, *core, unused);
  } else {
    read_for_faults(element);
  }
  return {};
}

void TreeReader::read_for_faults(const Element& parent) {
  for (Element child = parent.first_child(); child; child = child.next_sibling()) static_cast<void>(read_node(child));
}

ir::Node TreeReader::read_core(const Element& element, const CoreNode& core) {
  LogTexts logs;
  ir::Node node = read_alone(element, core, logs);
  read_children(element, core, node);
  return with_logs(std::move(logs), std::move(node));
}

// Without what stands below it. Apart, so that nodes within nodes take little stack.
ir::Node TreeReader::read_alone(const Element& element, const CoreNode& core, LogTexts& logs) {
  const Attributes attributes(element, core.attributes, core.reads_logs ? Logs::read : Logs::unread, reporter_);
  logs = attributes.logs();
  ir::Node node = start(core.opcode, core.name, element.span());
  ir::Details details;
  details.flags = core.flags;
  read_operands(element, core, attributes, node, details);
  give(node, std::move(details));
  return node;
}

ir::Node TreeReader::with_logs(LogTexts logs, ir::Node node) {
  if (std::all_of(logs.begin(), logs.end(), [](const std::string& text) { return text.empty(); })) return node;
  ir::Node log = start(Opcode::tick_log, {}, node.span);
  ir::Details details;
  std::move(logs.begin(), logs.end(), details.texts);
  give(log, std::move(details));
  log.children.push_back(std::move(node));
  return log;
}

void TreeReader::read_children(const Element& element, const CoreNode& core, ir::Node& node) {
  switch (core.holds) {
    case Holds::nothing:
      read_for_faults(element);
      return check_count(element, core.holds);
    case Holds::nothing_read:
      if (const Element child = element.first_child()) {
        reporter_.report(Rule::MBT_ignored_children, element.span(),
                         text::quoted(core.name) + " has no children, and the engine never looks at this one's", {},
                         {child.span(), "not read"});
      }
      return;
    case Holds::cases:
      return read_cases(element, node);
    case Holds::states:
      return read_states(element, node);
    case Holds::one:
    case Holds::nodes:
    case Holds::branches:
      append_children(element, core.holds, node);
      return check_count(element, core.holds);
  }
}

// Beyond the limit of nodes, which is told at the end, faults are looked for and nothing is kept.
void TreeReader::append_children(const Element& element, Holds holds, ir::Node& node) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    ir::Node read = read_node(child);
    if (node_count_ > layout::kMaxNodes) continue;
    if (holds != Holds::branches) {
      node.children.push_back(std::move(read));
      continue;
    }
    node.children.push_back(start(Opcode::tick_branch, {}, read.span));
    node.children.back().children.push_back(std::move(read));
  }
}

void TreeReader::check_count(const Element& element, Holds holds) {
  const std::vector<Element> children = element.children();
  const std::size_t count = children.size();
  const std::size_t most = max_children(holds);
  const std::string name = text::quoted(element.name());
  if (count > most && most > 1) {
    reporter_.report(Rule::MBT_too_many_children, element.span(),
                     name + " has " + std::to_string(count) + " children; " + std::to_string(most) + " are the most");
  } else if (count > most) {
    reporter_.report(Rule::MBT_child_count, element.span(),
                     name + needs(holds) + ", this one has " + (count == 1 ? "one" : std::to_string(count)),
                     most == 1 ? "put them in one node, such as a Sequence" : "a Sequence holds several nodes",
                     {children[most].span(), "one too many"});
  } else if (count == 0 && most > 0) {
    reporter_.report(Rule::MBT_child_count, element.span(), name + needs(holds) + ", this one has none");
  } else if (count == 1 && most > 1 && (find_core_node(element.name()) || find_host(element.name()))) {
    const bool is_plain = holds == Holds::nodes || holds == Holds::branches;
    reporter_.report(Rule::MBT_superfluous_composite, element.span(),
                     name + " has one " + text::quoted(children[0].name()) + " alone",
                     is_plain ? "it can stand in its place" : std::string());
  }
}

}  // namespace espalier::dialects::modular
