// Nodes of the host: read as declared, or guessed from their form. See tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/modular/tree_reader.h"
#include "dialects/reading/host.h"
#include "dialects/reading/numbers.h"
#include "rules/modular.h"
#include "runtime/format/opcodes/tick.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

// A node that is not declared: any attribute is a parameter.
constexpr ElementRow kUndeclared{
    .name = {}, .groups = kNodes, .content = kOneNode, .takes_parameters = true, .common = Common::read};

Opcode opcode_of(HostAs as) {
  if (as == HostAs::parallel) return opcode::tick_parallel;
  return as == HostAs::selector ? opcode::tick_selector : opcode::tick_sequence;
}

// Is an attribute that enables a result on?
bool is_on(const HostAttribute& attribute, const Element& element) {
  const Attribute given = element.attribute_any_case(attribute.name);
  std::string_view text;
  if (given) {
    text = given.value();
  } else if (attribute.otherwise) {
    text = *attribute.otherwise;
  }
  const std::optional<EngineNumber> number = read_engine_number(text);
  if (attribute.type != ir::ParameterType::boolean) return number && number->value >= 0;
  return number ? number->value != 0 : text::equal_any_case(text, "true");
}

// The results that the node can give with these attributes.
ir::Results results_of(const HostDeclaration& host, const Element& element) {
  unsigned dependent = 0;
  unsigned given = 0;
  for (const HostAttribute& attribute : host.attributes) {
    dependent |= attribute.gives;
    if (attribute.gives != 0 && is_on(attribute, element)) given |= attribute.gives;
  }
  const unsigned results = host.results & ~(dependent & ~given);
  return results == 0 ? host.results : static_cast<ir::Results>(results);
}

// Digits with a point or an exponent. Other texts that atof reads, such as "inf", may be words.
std::optional<double> number_by_look(std::string_view text) {
  if (text.find_first_not_of("+-.0123456789eE") != std::string_view::npos) return std::nullopt;
  const std::optional<EngineNumber> number = read_engine_number(text);
  if (!number || !number->is_finite()) return std::nullopt;
  return number->exact;
}

// A value without a declared type.
ir::Parameter by_look(const Attribute& attribute, ir::Drafts& drafts) {
  ir::Parameter parameter;
  parameter.name = drafts.text(attribute.name());
  const std::string_view text = attribute.value();
  const bool is_true = text::equal_any_case(text, "true");
  if (const auto whole = read_whole(text)) {
    parameter.type = ir::ParameterType::whole;
    parameter.whole = *whole;
  } else if (const auto number = number_by_look(text)) {
    parameter.type = ir::ParameterType::number;
    parameter.numbers[0] = *number;
  } else if (is_true || text::equal_any_case(text, "false")) {
    parameter.type = ir::ParameterType::boolean;
    parameter.whole = is_true ? 1 : 0;
  } else {
    parameter.text = drafts.text(text);
  }
  return parameter;
}

}  // namespace

const ElementRow& TreeReader::row_of(const HostDeclaration& host) const {
  return project_.host_rows[static_cast<std::size_t>(&host - options_.hosts.data())].row();
}

// ---- Declared -----------------------------------------------------------------------------------

ir::Draft& TreeReader::read_declared(const Element& element, const HostDeclaration& host) {
  ir::Draft& node = read_host_itself(element, host);
  read_host_children(element, host, node);
  return with_logs(element, row_of(host), node);
}

// Without its children. A separate function, so that nested nodes take little stack.
ir::Draft& TreeReader::read_host_itself(const Element& element, const HostDeclaration& host) {
  const Attributes attributes(element, row_of(host), reporter_);
  const bool is_leaf = host.children == HostChildren::none || host.children == HostChildren::raw;
  ir::Draft& node = start(is_leaf ? opcode::tick_action : opcode::tick_wrapper, host.name, element.span());
  is_doubtful_ = attributes.has_misspelt();
  if (host.is_deprecated) {
    reporter_.report(rules::MBT_deprecated, element.span(), quote(host.name) + " is deprecated", host.doc);
  }
  if (!is_leaf && host.as == HostAs::keep) node.flags = kWrapperKeeps;
  node.set(ir::Behavior{drafts_.text(host.name), read_parameters(attributes, host), results_of(host, element),
                        host.sends, host.sets, host.memory_bytes});
  node.is_doubtful = is_doubtful_;
  return node;
}

// In the order of the declaration, with defaults for missing ones.
ir::Few<ir::Parameter> TreeReader::read_parameters(const Attributes& attributes, const HostDeclaration& host) {
  ir::Few<ir::Parameter> parameters;
  const auto add = [&](ir::Parameter parameter) {
    parameter.name = drafts_.text(parameter.name);
    parameter.text = drafts_.text(parameter.text);
    parameters.push_back(std::move(parameter));
  };
  for (const HostAttribute& declared : host.attributes) {
    if (!contains(declared.engines, options_.engine)) continue;
    if (const Attribute& attribute = attributes[declared.name]) {
      if (auto parameter = read_parameter(attribute, declared)) add(std::move(*parameter));
    } else if (declared.otherwise) {
      ValueFault fault;  // reported at the declaration
      if (auto parameter = read_value(declared, *declared.otherwise, fault, NumberText::as_by_atof)) {
        add(std::move(*parameter));
      }
    }
  }
  return parameters;
}

std::optional<ir::Parameter> TreeReader::read_parameter(const Attribute& attribute, const HostAttribute& declared) {
  if (contains(declared.deprecated_in, options_.engine)) {
    const std::string in = declared.deprecated_in == kAllEngines ? std::string() : " in " + engine();
    reporter_.report(rules::MBT_deprecated, attribute.name_span(), quote(declared.name) + " is deprecated" + in,
                     declared.doc);
  }
  if (declared.is_required && attribute.value().empty()) return std::nullopt;  // reported
  ValueFault fault;
  std::optional<ir::Parameter> parameter = read_value(declared, attribute.value(), fault, NumberText::as_by_atof);
  if (!parameter) {
    reporter_.report(rules::MBT_bad_value, attribute.value_span(), std::move(fault.message), std::move(fault.hint));
    return std::nullopt;
  }
  if (parameter->type == ir::ParameterType::boolean && declared.words.empty()) check_boolean_spelling(attribute);
  if (parameter->type == ir::ParameterType::number) {
    if (const auto number = read_engine_number(attribute.value())) check_finite(attribute, *number);
  }
  if (parameter->type == ir::ParameterType::script) static_cast<void>(read_script(attribute, rules::MBT_lua_syntax));
  if (parameter->type == ir::ParameterType::event && !parameter->text.empty()) {
    static_cast<void>(event(attribute.value(), attribute.value_span()));
  }
  return parameter;
}

void TreeReader::read_host_children(const Element& element, const HostDeclaration& host, ir::Draft& node) {
  const Content& content = row_of(host).content;
  switch (host.children) {
    case HostChildren::raw:
      return;
    case HostChildren::none:
      read_for_faults(element);
      break;
    case HostChildren::one:
      append_children(element, node);
      break;
    case HostChildren::many:
      node.add(start(opcode_of(host.as), {}, element.span()));
      append_children(element, *node.last_child());
      break;
  }
  check_count(element, content);
}

// ---- Undeclared ---------------------------------------------------------------------------------

// An action, or a decorator if it has a child.
ir::Draft& TreeReader::read_undeclared(const Element& element, const ElementName& facts) {
  ir::Draft& node = read_undeclared_itself(element, facts);
  if (node.opcode == opcode::tick_wrapper) {
    append_children(element, node);
    check_count(element, kOneNode);
  }
  return with_logs(element, kUndeclared, node);
}

// The first fault that a declaration of the engine's node would show. Without an attribute of that node, or with a
// value that it does not take alone, it may be another node of the name.
void TreeReader::note_unchecked(const Element& element, const HostDeclaration& known, const Attributes& attributes) {
  const auto of_engine = [&](const HostAttribute& each) { return contains(each.engines, options_.engine); };
  std::optional<Unchecked> unread;
  std::optional<Unchecked> bad;
  std::optional<Unchecked> deprecated;
  bool has_read = false;
  bool has_valid = false;  // of a type that not every text has
  const auto note = [](std::optional<Unchecked>& first, Span span, std::string what) {
    if (!first) first = {span, std::move(what)};
  };
  for (const Attribute& attribute : attributes.parameters()) {
    const auto row = std::find_if(known.attributes.begin(), known.attributes.end(), [&](const HostAttribute& each) {
      return of_engine(each) && text::equal_any_case(each.name, attribute.name());
    });
    if (row == known.attributes.end()) {
      note(unread, attribute.name_span(), quote(known.name) + " has no attribute " + quote(attribute.name()));
      continue;
    }
    ValueFault fault;
    const bool is_valid = read_value(*row, attribute.value(), fault, NumberText::as_by_atof).has_value();
    const std::string of = quote(row->name) + " of " + quote(known.name);
    has_read = true;
    has_valid = has_valid || (is_valid && row->type != ir::ParameterType::text);
    if (!is_valid) note(bad, attribute.value_span(), quote(attribute.value()) + " is not a valid value of " + of);
    if (contains(row->deprecated_in, options_.engine)) note(deprecated, attribute.name_span(), of + " is deprecated");
  }
  std::optional<Unchecked> missing;
  std::optional<Unchecked> recommended;
  for (const HostAttribute& each : known.attributes) {
    if (!of_engine(each) || element.attribute_any_case(each.name)) continue;
    const bool is_needed = each.is_required && contains(each.required_in, options_.engine);
    if (is_needed) note(missing, element.span(), quote(known.name) + " needs the attribute " + quote(each.name));
    if (each.is_recommended)
      note(recommended, element.span(), quote(known.name) + " should have the attribute " + quote(each.name));
  }
  const bool is_by_value = !unread && !missing && !deprecated;
  const std::optional<Unchecked>& fault = unread       ? unread
                                          : missing    ? missing
                                          : deprecated ? deprecated
                                          : bad        ? bad
                                                       : recommended;
  if (fault) {
    note(has_read && (has_valid || !is_by_value) ? unchecked_ : perhaps_unchecked_, fault->span, fault->what);
  } else if (has_read) {
    engine_nodes_.insert(known.name);
  }
}

// Are its attributes those of the engine's node of this name, and none missing that it needs?
bool TreeReader::is_like(const HostDeclaration& known, const Attributes& attributes) const {
  const auto is_read = [&](const Attribute& attribute) {
    return std::any_of(known.attributes.begin(), known.attributes.end(), [&](const HostAttribute& each) {
      return contains(each.engines, options_.engine) && text::equal_any_case(each.name, attribute.name());
    });
  };
  const std::vector<Attribute>& given = attributes.parameters();
  const auto is_missing = [&](const HostAttribute& each) {
    const bool is_needed =
        each.is_required && contains(each.engines, options_.engine) && contains(each.required_in, options_.engine);
    return is_needed && std::none_of(given.begin(), given.end(), [&](const Attribute& attribute) {
             return text::equal_any_case(each.name, attribute.name());
           });
  };
  return std::all_of(given.begin(), given.end(), is_read) &&
         std::none_of(known.attributes.begin(), known.attributes.end(), is_missing);
}

// Of the engines' node of this name only the results are used.
ir::Draft& TreeReader::read_undeclared_itself(const Element& element, const ElementName& facts) {
  const Attributes attributes(element, kUndeclared, reporter_);
  const bool is_wrapper = element.first_child() && !facts.is_raw;
  const Opcode opcode = is_wrapper ? opcode::tick_wrapper : opcode::tick_action;
  ir::Draft& node = start(opcode, element.name(), element.span());
  ir::Behavior& behavior = node.set(ir::Behavior());
  behavior.name = drafts_.text(element.name());
  if (facts.known != nullptr && (facts.known->children == HostChildren::one) == is_wrapper) {
    behavior.results = results_of(*facts.known, element);
    behavior.is_like_engines = is_like(*facts.known, attributes);
  }
  if (facts.known != nullptr && !unchecked_) note_unchecked(element, *facts.known, attributes);
  behavior.parameters.reserve(attributes.parameters().size());
  for (const Attribute& attribute : attributes.parameters()) behavior.parameters.push_back(by_look(attribute, drafts_));
  return node;
}

}  // namespace espalier::dialects::modular
