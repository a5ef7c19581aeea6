// Nodes of the host: as declared, or by what they look like. See tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/host_value.h"
#include "dialects/modular/tree_reader.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

Need need_of(const HostAttribute& attribute) {
  if (attribute.is_required) return Need::required;
  return attribute.is_recommended ? Need::recommended : Need::optional;
}

// The opcode of what stands below one that holds many, and what that holds.
struct Inner {
  Opcode opcode;
  Holds holds;
};
Inner inner_of(HostAs as) {
  if (as == HostAs::parallel) return {Opcode::tick_parallel, Holds::branches};
  return {as == HostAs::selector ? Opcode::tick_selector : Opcode::tick_sequence, Holds::nodes};
}

// A value of which no type is declared.
ir::Parameter by_look(const Attribute& attribute) {
  ir::Parameter parameter;
  parameter.name = attribute.name();
  const std::string_view text = attribute.value();
  const bool is_true = text::equal_any_case(text, "true");
  if (const auto whole = read_whole(text)) {
    parameter.type = ir::ParameterType::whole;
    parameter.whole = *whole;
  } else if (const auto number = read_decimal(text)) {
    parameter.type = ir::ParameterType::number;
    parameter.numbers[0] = *number;
  } else if (is_true || text::equal_any_case(text, "false")) {
    parameter.type = ir::ParameterType::boolean;
    parameter.whole = is_true ? 1 : 0;
  } else {
    parameter.text = text;
  }
  return parameter;
}

}  // namespace

const HostDeclaration* TreeReader::find_host(std::string_view name) const {
  const std::vector<HostDeclaration>& hosts = options_.hosts;
  const auto found =
      std::lower_bound(hosts.begin(), hosts.end(), name,
                       [](const HostDeclaration& host, std::string_view key) { return host.name < key; });
  return found != hosts.end() && found->name == name ? &*found : nullptr;
}

// ---- Declared -----------------------------------------------------------------------------------

ir::Node TreeReader::read_declared(const Element& element, const HostDeclaration& host) {
  LogTexts logs;
  ir::Node node = read_host_alone(element, host, logs);
  read_host_children(element, host, node);
  return with_logs(std::move(logs), std::move(node));
}

// Without what stands below it. Apart, so that nodes within nodes take little stack.
ir::Node TreeReader::read_host_alone(const Element& element, const HostDeclaration& host, LogTexts& logs) {
  std::vector<AttributeRow> rows;
  for (const HostAttribute& attribute : host.attributes) rows.push_back({attribute.name, need_of(attribute)});
  const Attributes attributes(element, rows, host.reads_logs ? Logs::read : Logs::unread, reporter_);
  logs = attributes.logs();
  const bool is_leaf = host.children == HostChildren::none || host.children == HostChildren::raw;
  ir::Node node = start(is_leaf ? Opcode::tick_action : Opcode::tick_wrapper, host.name, element.span());
  node.behavior = host.name;
  if (host.is_deprecated) {
    reporter_.report(Rule::MBT_deprecated, element.span(), text::quoted(host.name) + " is deprecated", host.doc);
  }
  ir::Details details;
  if (host.as == HostAs::keep) details.flags = kWrapperKeeps;
  details.results = host.results;
  details.sends = host.sends;
  details.sets = host.sets;
  read_parameters(attributes, host, details);
  give(node, std::move(details));
  return node;
}

// In the order of the declaration, with defaults for what is not there.
void TreeReader::read_parameters(const Attributes& attributes, const HostDeclaration& host, ir::Details& details) {
  for (const HostAttribute& declared : host.attributes) {
    if (const Attribute& attribute = attributes[declared.name]) {
      read_parameter(attribute, declared, details);
    } else if (declared.otherwise) {
      ValueFault fault;  // the declaration's, and told there
      if (auto parameter = read_value(declared, *declared.otherwise, fault)) {
        details.parameters.push_back(std::move(*parameter));
      }
    }
  }
}

void TreeReader::read_parameter(const Attribute& attribute, const HostAttribute& declared, ir::Details& details) {
  if (declared.is_deprecated) {
    reporter_.report(Rule::MBT_deprecated, attribute.name_span(), text::quoted(declared.name) + " is deprecated",
                     declared.doc);
  }
  if (declared.is_required && attribute.value().empty()) return;  // has been told
  ValueFault fault;
  std::optional<ir::Parameter> parameter = read_value(declared, attribute.value(), fault);
  if (!parameter) {
    reporter_.report(Rule::MBT_bad_value, attribute.value_span(), std::move(fault.message), std::move(fault.hint));
    return;
  }
  if (parameter->type == ir::ParameterType::boolean) check_spelling(attribute);
  if (parameter->type == ir::ParameterType::script) static_cast<void>(read_script(attribute, Rule::MBT_lua_syntax));
  if (parameter->type == ir::ParameterType::event && !parameter->text.empty()) {
    static_cast<void>(event(attribute.value(), attribute.value_span()));
  }
  details.parameters.push_back(std::move(*parameter));
}

void TreeReader::read_host_children(const Element& element, const HostDeclaration& host, ir::Node& node) {
  switch (host.children) {
    case HostChildren::raw:
      return;
    case HostChildren::none:
      read_for_faults(element);
      return check_count(element, Holds::nothing);
    case HostChildren::one:
      append_children(element, Holds::one, node);
      return check_count(element, Holds::one);
    case HostChildren::many:
      break;
  }
  const Inner inner = inner_of(host.as);
  ir::Node composite = start(inner.opcode, {}, element.span());
  give(composite, {});
  append_children(element, inner.holds, composite);
  check_count(element, inner.holds);
  node.children.push_back(std::move(composite));
}

// ---- Undeclared ---------------------------------------------------------------------------------

// An action, or with a child a decorator.
ir::Node TreeReader::read_undeclared(const Element& element) {
  LogTexts logs;
  ir::Node node = read_undeclared_alone(element, logs);
  if (node.opcode == Opcode::tick_wrapper) {
    append_children(element, Holds::one, node);
    check_count(element, Holds::one);
  }
  return with_logs(std::move(logs), std::move(node));
}

ir::Node TreeReader::read_undeclared_alone(const Element& element, LogTexts& logs) {
  const Attributes attributes(element, reporter_);
  logs = attributes.logs();
  const Opcode opcode = element.first_child() ? Opcode::tick_wrapper : Opcode::tick_action;
  ir::Node node = start(opcode, element.name(), element.span());
  node.behavior = element.name();
  ir::Details details;
  for (const Attribute& attribute : attributes.all()) details.parameters.push_back(by_look(attribute));
  give(node, std::move(details));
  return node;
}

}  // namespace espalier::dialects::modular
