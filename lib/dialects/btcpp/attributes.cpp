// Attributes of nodes. See attributes.h.
#include "dialects/btcpp/attributes.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/format_3.h"
#include "dialects/btcpp/node_checks.h"
#include "dialects/reading/synonyms.h"
#include "ir/poll/built.h"
#include "rules/btcpp.h"
#include "text/name_index.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

// ---- Attributes that look like pre- or postconditions, and are none

// What editors keep in nodes.
constexpr std::string_view kOfEditors[] = {"_autoremap", "_collapsed", "_description", "_external",   "_favorite",
                                           "_fullpath",  "_hardcoded", "_uid",         "_subtreeOnly"};

// Conditions that other libraries have, or that one would expect.
struct OtherCondition {
  std::string_view name;
  std::string_view hint;
};
constexpr std::string_view kForWhenTrue =
    "use '_skipIf' with the opposite to check when the node begins, '_while' to check also while it runs";
constexpr std::string_view kForWhenFalse =
    "use '_skipIf' to check when the node begins, '_while' with the opposite to check also while it runs";
constexpr OtherCondition kOtherConditions[] = {
    {"_onlyIf", kForWhenTrue},
    {"_if", kForWhenTrue},
    {"_when", kForWhenTrue},
    {"_runIf", kForWhenTrue},
    {"_precondition", kForWhenTrue},
    {"_pre", kForWhenTrue},
    {"_condition", kForWhenTrue},
    {"_guard", kForWhenTrue},
    {"_until", kForWhenFalse},
    {"_unless", kForWhenFalse},
    {"_ifNot", kForWhenFalse},
    {"_skipUnless", kForWhenTrue},
    {"_skip", "did you mean '_skipIf'?"},
    {"_fail", "did you mean '_failureIf'?"},
    {"_failure", "did you mean '_failureIf'?"},
    {"_success", "did you mean '_successIf'?"},
    {"_succeed", "did you mean '_successIf'?"},
    {"_failIf", "did you mean '_failureIf'?"},
    {"_succeedIf", "did you mean '_successIf'?"},
    {"_onFail", "did you mean '_onFailure'?"},
    {"_onSucceed", "did you mean '_onSuccess'?"},
    {"_onHalt", "did you mean '_onHalted'?"},
    {"_onDone", "did you mean '_post'?"},
    {"_finally", "did you mean '_post'?"},
    {"_onComplete", "did you mean '_post'?"},
};

bool is_named_as_condition(std::string_view name) {
  const auto is_known = [&](const OtherCondition& each) { return text::equal_any_case(each.name, name); };
  const std::string lower = text::lower_case(name);
  return std::any_of(std::begin(kOtherConditions), std::end(kOtherConditions), is_known) || lower.starts_with("_on") ||
         lower.ends_with("if") || lower.ends_with("when") || lower.ends_with("while") || lower.ends_with("until");
}

// Is an attribute that begins with '_' neither an editor's nor a note, but a script? The library ignores it.
bool is_unknown_condition(const text::Attribute& attribute) {
  if (std::find(std::begin(kOfEditors), std::end(kOfEditors), attribute.name()) != std::end(kOfEditors)) return false;
  const Script script = parse_script(attribute.value());
  if (script.fault || script.statements.empty() || !script.unseparated.empty()) return false;
  const Operator op = script.expressions[script.statements.front()].op;
  const bool is_value = op == Operator::number || op == Operator::text || op == Operator::name;
  return !is_value || is_named_as_condition(attribute.name());
}

// What may be meant by it.
std::string hint_for_condition(std::string_view name) {
  const auto* const known =
      std::find_if(std::begin(kOtherConditions), std::end(kOtherConditions),
                   [&](const OtherCondition& each) { return text::equal_any_case(each.name, name); });
  if (known != std::end(kOtherConditions)) return std::string(known->hint);
  return "the conditions are " + list_of(names_of_hooks());
}

// ----

class AttributeReader {
 public:
  AttributeReader(const Element& element, TreeContext& context, Reporter& reporter)
      : element_(element), context_(context), project_(context.project), reporter_(reporter) {}

  void read(WrittenNode& node, WrittenTree& tree) {
    for (const Attribute& attribute : element_.attributes()) {
      const std::string_view name = attribute.name();
      if (name == "name") {
        node.name = project_.names.keep(attribute.value());
        node.has_name = true;
      } else if (name == "ID") {
      } else if (name == "_autoremap") {
        if (node.is_subtree()) read_autoremap(attribute, node);
      } else if (name == kPathAttribute) {
        if (node.is_subtree()) read_path(attribute, node);
      } else if (const std::optional<Hook> hook = name[0] == '_' ? hook_of(name) : std::nullopt) {
        read_hook(attribute, *hook);
      } else if (is_port_name(name)) {
        read_port(attribute, node);
      } else {
        check_ignored(attribute);
      }
    }
    if (node.declaration != nullptr) check_ports(node);
    node.ports = tree.ports.take_all(ports_);
    node.scripts = tree.scripts.take_all(scripts_);
  }

 private:
  // The library writes the path of an instance in place of its name: "bring/retry", or "bring/GoTo::7" without one.
  void read_path(const Attribute& attribute, WrittenNode& node) {
    const std::string_view path = attribute.value();
    const std::string_view name = path.substr(path.find_last_of('/') + 1);
    if (node.has_name || name.empty() || name.starts_with(std::string(node.id) + "::")) return;
    node.name = project_.names.keep(name);
    node.has_name = true;
  }

  void read_autoremap(const Attribute& attribute, WrittenNode& node) {
    if (check_literal({TypeKind::boolean}, attribute.value()) != LiteralFault::none) {
      reporter_.report(rules::BTC_bad_value, attribute.value_span(), "'_autoremap' must be 'true' or 'false'");
    }
    node.has_autoremap = attribute.value() == "1" || text::equal_any_case(attribute.value(), "true");
  }

  void add_script(WrittenScript script) {
    const auto after = std::find_if(scripts_.begin(), scripts_.end(),
                                    [&](const WrittenScript& each) { return each.hook > script.hook; });
    scripts_.insert(after, std::move(script));
  }

  void read_hook(const Attribute& attribute, Hook hook) {
    add_script(read_script(attribute, hook, is_condition(hook)));
    if (attribute.value().empty()) {
      reporter_.report(rules::BTC_empty_condition, attribute.name_span(),
                       quote(attribute.name()) + " is empty: the library refuses it", "remove the attribute");
    }
  }

  WrittenScript read_script(const Attribute& attribute, Hook hook, bool is_condition) {
    WrittenScript script{hook,
                         attribute.value_span(),
                         is_plain_truth(attribute.value()),
                         parse_script(attribute.value(), !context_.reads_one_quote),
                         {}};
    if (const auto& fault = script.script.fault) {
      if (!attribute.value().empty()) {
        reporter_.report(rules::BTC_script_syntax, attribute.value_span(fault->begin, fault->end), fault->message,
                         fault->hint);
      }
      script.script = {};
      return script;
    }
    script.checked = check_script(script.script, project_.enums, is_condition);
    const bool is_switch = hook == Hook::skip_if && script.is_plain;
    for (ScriptFinding& each : script.checked.findings) {
      if (is_switch && each.rule == rules::BTC_constant_condition) continue;
      reporter_.report(each.rule, attribute.value_span(each.begin, each.end), std::move(each.message),
                       std::move(each.hint));
    }
    const auto place_in_file = [&](auto& each) {
      const Span span = attribute.value_span(each.begin, each.end);
      each.begin = span.begin;
      each.end = span.end;
    };
    for (ScriptFinding& each : script.checked.findings) place_in_file(each);
    for (ScriptUse& each : script.checked.uses) place_in_file(each);
    for (Expression& each : script.script.expressions) place_in_file(each);
    return script;
  }

  void check_ignored(const Attribute& attribute) {
    const std::string_view name = attribute.name();
    if (const std::string_view now = new_name_of_attribute(name); !now.empty()) {
      reporter_.report(rules::BTC_version_3_attribute, attribute.name_span(),
                       quote(name) + " was renamed " + quote(now) + " in format 4: the library ignores it");
      return;
    }
    if (const std::string near = name[0] == '_' ? reporter_.nearest(name, names_of_hooks()) : ""; !near.empty()) {
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

  void read_port(const Attribute& attribute, const WrittenNode& node) {
    WrittenPort port;
    if (node.declaration != nullptr) port.port = node.declaration->find_port(attribute.name());
    port.name = port.port != nullptr ? std::string_view(port.port->name) : project_.names.intern(attribute.name());
    port.name_span = attribute.name_span();
    port.value_span = attribute.value_span();
    port.value = read_value(attribute, port, node);
    if (port.value.text == port.name) {
      port.value.text = port.name;
    } else {
      port.value.text =
          port.value.is_pointer ? project_.names.intern(port.value.text) : project_.names.keep(port.value.text);
    }
    const bool is_unknown =
        node.declaration != nullptr && port.port == nullptr && !node.declaration->may_have_other_ports();
    if (is_unknown && !(node.declaration->is_of_model() && is_beyond_model(attribute, node))) {
      report_unknown_port(attribute, node);
      return;
    }
    if (port.port != nullptr && node.declaration->is_of_library &&
        (port.port->role == PortRole::script || port.port->role == PortRole::condition)) {
      read_script_port(attribute, port, node);
    }
    const std::size_t findings = reporter_.findings().all().size();
    const bool is_named_output = !context_.refuses_outputs && port.port != nullptr && !port.value.is_pointer &&
                                 port.direction() == Direction::output;
    if (!is_named_output) check_port_value(port, node, context_.converts_literals, reporter_);
    for (std::size_t i = findings; i < reporter_.findings().all().size(); ++i) {
      if (node.declaration != nullptr) show_declaration(port.port, *node.declaration, reporter_.findings().all()[i]);
    }
    ports_.push_back(port);
  }

  // Where C++ declares what a finding is about. `port`: null: the node.
  static void show_declaration(const Port* port, const Declaration& node, text::Finding& finding) {
    const std::string& at = port != nullptr ? port->at : node.at;
    if (at.empty()) return;
    finding.related.push_back(
        {node.span, quote(port != nullptr ? port->name : node.name) + " is declared in " + at, at});
  }

  static PortValue read_value(const Attribute& attribute, const WrittenPort& port, const WrittenNode& node) {
    if (node.is_subtree()) return read_subtree_value(attribute.value(), attribute.name());
    // These nodes read what is written, in which '=' is not the port's name; only a loop takes '{=}' for it.
    const bool is_source = node.built() == built::set_blackboard && port.name == "value";
    const bool is_queue = node.built() == built::loop && port.name == "queue";
    const bool is_watched = port.port != nullptr && port.port->role == PortRole::watched;
    if (is_queue) return read_subtree_value(attribute.value(), port.name);
    if (is_source || is_watched) return read_subtree_value(attribute.value(), "=");
    return read_port_value(attribute.value(), attribute.name(), port.port == nullptr ? Type{} : port.port->type);
  }

  void find_lacking(const WrittenNode& node) {
    std::set<std::string_view> given;
    for (const Attribute& attribute : element_.attributes()) given.insert(attribute.name());
    lacking_.emplace();
    for (const Port& port : node.declaration->ports) {
      const bool is_there = port.releases.has(project_.nav2_release);
      if (is_there && given.count(port.name) == 0) lacking_->names.push_back(port.name);
    }
    lacking_->index = text::NameIndex(lacking_->names);
  }

  // Models lag behind: is it a port that they do not have, and no slip of the finger in a file where one holds?
  bool is_beyond_model(const Attribute& attribute, const WrittenNode& node) {
    if (!lacking_) find_lacking(node);
    const std::string near = lacking_->index.nearest(attribute.name());
    const bool is_slip = !near.empty() && is_near_name(attribute.name(), near);
    if (is_slip && node.declaration->by == DeclaredBy::model) return false;
    if (!is_slip) {
      context_.noted_ports.try_emplace({std::string(node.id), std::string(attribute.name())},
                                       FirstUse{attribute.name_span(), {}});
      return true;
    }
    text::Finding& finding =
        reporter_.report(rules::BTC_suspicious_port, attribute.name_span(),
                         "the model of " + quote(node.id) + " in another file has no port " + quote(attribute.name()),
                         did_you_mean(near), {node.declaration->span, "the model"});
    reporter_.propose(finding, attribute.name(), near, Guess::Of::name);
    meant_ports_.insert(near);
    return true;
  }

  void report_unknown_port(const Attribute& attribute, const WrittenNode& node) {
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
    if (!node.declaration->at.empty()) {
      show_declaration(nullptr, *node.declaration, finding);
    } else if (node.declaration->span.end > 0) {
      finding.related.push_back({node.declaration->span, "declared here"});
    }
    const bool is_of_file = node.declaration->span.end > 0;  // in which it may be misspelt
    reporter_.propose(finding, attribute.name(), near, is_of_file ? Guess::Of::name : Guess::Of::word);
    if (!meant.empty()) meant_ports_.insert(meant);
  }

  // The one port that the node needs and lacks; empty if there is none, or several.
  std::string only_needed(const WrittenNode& node) const {
    std::string needed;
    for (const Port& port : node.declaration->ports) {
      const bool is_needed =
          !port.otherwise && (port.missing == Missing::refused || port.missing == Missing::at_a_tick);
      if (!is_needed || element_.attribute(port.name) || is_meant(port.name)) continue;
      if (!needed.empty()) return {};
      needed = port.name;
    }
    return needed;
  }

  void read_script_port(const Attribute& attribute, const WrittenPort& port, const WrittenNode& node) {
    const bool is_condition = port.port->role == PortRole::condition;
    if (port.value.is_pointer) {
      reporter_.report(rules::BTC_script_from_entry, attribute.value_span(),
                       "the script is read when the tree is created, before the entry has a value");
      return;
    }
    if (!attribute.value().empty()) {
      add_script(read_script(attribute, kOwnHook, is_condition));
      return;
    }
    if (node.built() == built::script) {
      reporter_.report(rules::BTC_empty_script, attribute.name_span(), "the script is empty: it does nothing");
    } else if (node.built() == built::script_condition) {
      reporter_.report(rules::BTC_empty_script_condition, attribute.name_span(),
                       "an empty script has no value: the node throws when it is ticked");
    } else {
      reporter_.report(rules::BTC_empty_condition, attribute.name_span(),
                       "the condition is empty: the library refuses it");
    }
  }

  // Ports without an attribute.
  void check_ports(const WrittenNode& node) {
    std::vector<std::string_view> refused;
    std::vector<std::string_view> at_a_tick;
    std::vector<std::string_view> inputs;
    constexpr std::size_t kFew = 64;
    std::set<std::string_view> given;  // of many
    if (node.declaration->ports.size() > kFew) {
      for (const Attribute& attribute : element_.attributes()) given.insert(attribute.name());
    }
    const auto is_given = [&](const Port& port) {
      return node.declaration->ports.size() > kFew ? given.count(port.name) != 0 : bool(element_.attribute(port.name));
    };
    for (const Port& port : node.declaration->ports) {
      if (!port.releases.has(project_.nav2_release) || is_given(port) || is_meant(port.name)) continue;
      if (port.otherwise) {
        PortValue value = read_port_value(*port.otherwise, port.name);
        if (!value.is_pointer) continue;
        ports_.push_back({port.name, &port, value, node.span, node.span, true});
      } else if (port.missing == Missing::refused) {
        refused.push_back(port.name);
      } else if (port.missing == Missing::at_a_tick) {
        at_a_tick.push_back(port.name);
      } else if (node.declaration->is_of_host() && port.direction == Direction::input &&
                 port.missing != Missing::allowed) {
        inputs.push_back(port.name);
      }
    }
    const Span span = node.span;
    const auto needs = [&](const std::vector<std::string_view>& ports) {
      return quote(node.id) + (ports.size() == 1 ? " needs the port " : " needs the ports ") + list_of(ports);
    };
    if (!refused.empty()) reporter_.report(rules::BTC_missing_port, span, needs(refused));
    if (!at_a_tick.empty()) {
      reporter_.report(rules::BTC_missing_port_at_tick, span, needs(at_a_tick) + ": it throws when it is ticked");
    }
    if (inputs.empty()) return;
    text::Finding& finding = reporter_.report(
        rules::BTC_input_not_connected, span,
        inputs.size() == 1
            ? "the input " + list_of(inputs) + " of " + quote(node.id) + " is not connected, and has no default"
            : "the inputs " + list_of(inputs) + " of " + quote(node.id) + " are not connected, and have no defaults");
    show_declaration(node.declaration->find_port(inputs.front()), *node.declaration, finding);
  }

  bool is_meant(std::string_view port) const { return meant_ports_.count(port) != 0; }

  const Element element_;
  TreeContext& context_;
  WrittenProject& project_;
  Reporter& reporter_;
  std::vector<WrittenPort> ports_;
  std::vector<WrittenScript> scripts_;
  std::set<std::string, std::less<>> meant_ports_;  // that are misspelt, and so not missing
  struct Lacking {
    std::vector<std::string_view> names;
    text::NameIndex index;
  };
  std::optional<Lacking> lacking_;  // ports that are not given; found when they are asked for
};

}  // namespace

void read_attributes(const Element& element, WrittenNode& node, WrittenTree& tree, TreeContext& context,
                     Reporter& reporter) {
  AttributeReader(element, context, reporter).read(node, tree);
}

}  // namespace espalier::dialects::btcpp
