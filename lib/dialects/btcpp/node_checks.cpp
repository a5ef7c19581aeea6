// Checks of one node. See node_checks.h.
#include "dialects/btcpp/node_checks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <system_error>

#include "dialects/reading/checks.h"
#include "ir/poll/built.h"
#include "rules/btcpp.h"

namespace espalier::dialects::btcpp {
namespace {

// Was it meant to be a pointer? The key that was meant, or empty.
std::string_view key_of_typo(std::string_view literal) {
  if (literal.size() > 3 && literal.substr(0, 2) == "${" && literal.back() == '}')
    return literal.substr(2, literal.size() - 3);
  if (literal.size() < 2) return {};
  const bool is_open = literal.front() == '{';
  const bool is_closed = literal.back() == '}';
  if (is_open == is_closed) return {};
  const std::string_view key = is_open ? literal.substr(1) : literal.substr(0, literal.size() - 1);
  return key.find_first_of("{}") == std::string_view::npos ? key : std::string_view();
}

std::string pointer_hint(std::string_view key) {
  return key.empty() ? std::string() : "write " + quote("{" + std::string(key) + "}") + " for an entry";
}

void check_pointer(const WrittenPort& port, const WrittenNode& node, Reporter& reporter) {
  if (node.built() == built::set_blackboard && port.name == "value" && port.value.key() == "=") {
    reporter.report(rules::BTC_missing_port_at_tick, port.value_span,
                    "'{=}' is not the entry 'value' here but one that is named '=': the node throws when it is ticked",
                    "write '{value}' for the entry 'value'");
  }
  const bool has_space = port.value.key().find_first_of(" \t\r\n") != std::string::npos;
  if (has_space) {
    reporter.report(rules::BTC_space_in_key, port.value_span,
                    "the name of the entry " + quote(port.value.key()) + " has blanks, which are part of it");
  }
  if (port.port != nullptr && port.port->role == PortRole::new_key && node.built() == built::set_blackboard) {
    reporter.report(rules::BTC_key_in_braces, port.value_span,
                    "this writes the entry that is named by the text in " + quote(port.value.key()),
                    "write output_key=\"" + std::string(port.value.key()) + "\" to write that entry itself");
  }
}

// "an int", "a double".
std::string with_article(const std::string& type) {
  const bool begins_with_vowel = type[0] == 'i' || type.rfind("un", 0) == 0;
  return (begins_with_vowel ? "an " : "a ") + type;
}

// What would be an entry at a port of a text: "=", " {x}".
bool report_no_pointer(const WrittenPort& port, const Port& declared, Reporter& reporter) {
  const std::string_view literal = port.value.literal();
  const PortValue meant = read_port_value(literal, port.name);
  if (!meant.is_pointer || !is_checked_when_made(declared.type)) return false;
  const bool is_equal = literal == "=";
  reporter.report(rules::BTC_bad_value, port.value_span,
                  quote(literal) + " is not an entry here: at ports of type " + shown(declared.type) +
                      " the library reads it as a value, and refuses it",
                  "write " + quote(is_equal ? "{=}" : "{" + std::string(meant.key()) + "}") + " for an entry" +
                      (is_equal ? "" : ", without blanks around it"));
  return true;
}

// The elements of a queue are converted when the tree is made.
void check_queue(const WrittenPort& port, const WrittenNode& node, Reporter& reporter) {
  const Port* const value = node.declaration->find_port("value");
  const std::string_view queue = port.value.literal();
  for (std::size_t begin = 0; begin < queue.size();) {
    const std::size_t end = std::min(queue.find(';', begin), queue.size());
    const std::string element(queue.substr(begin, end - begin));
    std::string read;
    const LiteralFault fault = check_literal(value->type, element, &read);
    const std::string type = with_article(shown(value->type));
    if (fault == LiteralFault::bad) {
      reporter.report(rules::BTC_bad_value, port.value_span,
                      quote(element) + " in the queue of " + quote(node.id) + " is not " + type);
    } else if (fault == LiteralFault::prefix) {
      reporter.report(rules::BTC_numeric_prefix, port.value_span,
                      quote(element) + " is not " + type + ": the library reads " + read);
    }
    begin = end + 1;
  }
}

// A literal that is the name of an entry.
void check_key(const WrittenPort& port, const WrittenNode& node, Reporter& reporter) {
  const std::string_view key = port.value.literal();
  if (key.find_first_of(" \t\r\n") != std::string::npos) {
    reporter.report(rules::BTC_space_in_key, port.value_span,
                    "the name of the entry " + quote(key) + " has blanks: no script can name it");
  } else if (key.empty() && port.port->role == PortRole::new_key) {
    reporter.report(rules::BTC_empty_key, port.name_span,
                    quote(port.name) + " of " + quote(node.id) + " is empty: an entry without a name is written",
                    "give it the name of an entry");
  }
}

// Older versions leave the conversion to the node, which may read the port as another type than it declares.
void report_unconverted(const WrittenPort& port, const std::string& expected, Reporter& reporter) {
  reporter.report(rules::BTC_unconverted_literal, port.value.literal().empty() ? port.name_span : port.value_span,
                  quote(port.value.literal()) + " is not a valid value: " + expected,
                  "versions before 4.5.2 do not refuse it: the node gets an error when it reads it as that type");
}

void check_typed_literal(const WrittenPort& port, const Port& declared, const WrittenNode& node, bool is_converted,
                         Reporter& reporter) {
  if (report_no_pointer(port, declared, reporter)) return;
  const std::string_view literal = port.value.literal();
  std::string read;
  const LiteralFault fault = check_literal(declared.type, literal, &read);
  const std::string expected =
      "the port " + quote(port.name) + " of " + quote(node.id) + " is of type " + shown(declared.type);
  const std::string_view typo = key_of_typo(literal);
  if (fault == LiteralFault::bad && !is_converted && typo.empty() && node.declaration->is_of_host() &&
      declared.direction != Direction::output) {
    report_unconverted(port, expected, reporter);
  } else if (fault == LiteralFault::bad) {
    const bool may_be_key = declared.direction == Direction::output && is_port_name(literal);
    std::string hint = pointer_hint(may_be_key ? std::string_view(literal) : typo);
    if (literal.empty()) hint = "remove the attribute to use the default, or give it a value";
    reporter.report(rules::BTC_bad_value, literal.empty() ? port.name_span : port.value_span,
                    quote(literal) + " is not a valid value: " + expected, std::move(hint));
  } else if (declared.direction == Direction::output) {
    const std::string key(typo.empty() && is_port_name(literal) ? std::string_view(literal) : typo);
    text::Finding& finding = reporter.report(
        rules::BTC_output_literal, port.value_span,
        "the output " + quote(port.name) + " of " + quote(node.id) + " cannot be written: this is not an entry",
        pointer_hint(key));
    if (!key.empty() && finding.fixes.empty())
      finding.fixes.push_back(text::make_fix(port.value_span, literal, "{" + key + "}", rules::FixGrade::unsafe));
  } else if (fault == LiteralFault::prefix) {
    reporter.report(rules::BTC_numeric_prefix, port.value_span,
                    quote(literal) + " is not " + with_article(shown(declared.type)) + ": the library reads " + read);
  } else if (fault == LiteralFault::at_a_tick) {
    reporter.report(rules::BTC_bad_status, port.value_span,
                    quote(literal) + " is not a status: the node throws when it is ticked",
                    "expected one of 'SUCCESS', 'FAILURE', 'RUNNING', 'SKIPPED'");
  } else if (!typo.empty()) {
    reporter.report(rules::BTC_brace_typo, port.value_span, quote(literal) + " is taken as a text, not as an entry",
                    pointer_hint(typo));
  }
}

bool is_leaf(const WrittenNode& node) { return node.declaration == nullptr || is_leaf(node.declaration->kind); }

std::string children_of(const WrittenNode& node) {
  const std::size_t count = node.children().size();
  return std::to_string(count) + (count == 1 ? " child" : " children");
}

void report_count(const WrittenNode& node, const Element& element, std::string_view expected, Reporter& reporter) {
  reporter.report(rules::BTC_child_count_refused, node.span,
                  quote(element.name()) + " has " + children_of(node) + ": " + std::string(expected),
                  node.children().size() > 1 && !is_leaf(node) ? "put them into a 'Sequence' or 'Fallback'" : "");
}

void check_count(const WrittenNode& node, const Element& element, Reporter& reporter) {
  const std::size_t count = node.children().size();
  if (is_leaf(node)) {
    if (count > 0) {
      report_count(node, element, node.is_subtree() ? "a 'SubTree' has none" : "actions and conditions have none",
                   reporter);
    }
    return;
  }
  if (node.declaration->kind == NodeKind::decorator) {
    if (count != 1) report_count(node, element, "a decorator has exactly one", reporter);
    return;
  }
  if (count == 0) {
    report_count(node, element, "a control has at least one", reporter);
    return;
  }
  if (node.built() == built::try_catch && count < 2) {
    report_count(node, element, "a 'TryCatch' has at least two", reporter);
    return;
  }
  const Declaration* const row = node.declaration;
  if (row->is_of_host() || (count >= row->least && count <= row->most)) return;
  const std::string least = std::to_string(row->least);
  reporter.report(
      rules::BTC_child_count, node.span,
      quote(node.id) + " has " + children_of(node) + ", and throws when it is ticked",
      row->least == row->most ? "it needs exactly " + least : "it needs " + least + " or " + std::to_string(row->most));
}

// Turns '<Action ID="X" ...>' into '<X ...>'.
void make_compact(const Element& element, std::string_view name, text::Finding& finding) {
  add_renaming(finding, element, name, text::FixGrade::safe);
  if (finding.fixes.empty()) return;
  const Attribute id = element.attribute("ID");
  const Span attribute{id.name_span().file, id.name_span().begin - 1,
                       id.value_span().end + 1};  // with a blank and a quote
  finding.fixes[0].edits.push_back({attribute, ""});
}

void check_reactive(const WrittenNode& node, const Element& element, Reporter& reporter) {
  std::vector<const WrittenNode*> async;
  Element child_element = element.first_child();
  for (const WrittenNode& child : node.children()) {
    if (child.is_explicit) {
      text::Finding& finding =
          reporter.report(rules::BTC_explicit_under_reactive, child.span,
                          "below a 'ReactiveSequence' the library looks for a node named " +
                              quote(child_element.name()) + ", and refuses the file",
                          is_valid_name(child.id) ? "use the compact form: '<" + std::string(child.id) + ">'" : "");
      if (!child.id.empty() && is_valid_name(child.id)) make_compact(child_element, child.id, finding);
    }
    if (child.built() == built::async_sequence && child.is_of_library()) async.push_back(&child);
    child_element = child_element.next_sibling();
  }
  if (async.size() < 2) return;
  text::Finding& finding = reporter.report(
      rules::BTC_reactive_async_sequences, node.span,
      "a 'ReactiveSequence' takes only one 'AsyncSequence', and this one has " + std::to_string(async.size()));
  for (const WrittenNode* each : async) finding.related.push_back({each->span, "one of them"});
}

void check_thresholds(const WrittenNode& node, Reporter& reporter) {
  for (const std::string_view name : {"success_count", "failure_count", "max_failures"}) {
    const WrittenPort* const port = node.find_port(name);
    const std::optional<double> number = port == nullptr ? std::nullopt : literal_number(node, name);
    if (!number) continue;
    if (*number > static_cast<double>(node.children().size())) {
      reporter.report(rules::BTC_threshold_too_large, port->value_span,
                      quote(name) + " is " + dialects::shown(*number) + ", and there are " + children_of(node) +
                          ": the node throws when it is ticked");
    } else if (name == "max_failures" && *number == 0) {
      reporter.report(rules::BTC_always_fails, port->value_span, "with max_failures=\"0\" the node always fails");
    }
  }
}

bool is_same_case(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::optional<double> left = number_of(a);
  const std::optional<double> right = number_of(b);
  return left && right && std::abs(*left - *right) <= 1.0 / (1 << 23);
}

void check_cases(const WrittenNode& node, Reporter& reporter) {
  std::vector<const WrittenPort*> cases;
  for (const WrittenPort& port : node.ports) {
    if (port.name.rfind("case_", 0) == 0 && !port.value.is_pointer) cases.push_back(&port);
  }
  std::sort(cases.begin(), cases.end(), [](const WrittenPort* a, const WrittenPort* b) { return a->name < b->name; });
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto same = std::find_if(
        cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const WrittenPort* each) { return is_same_case(each->value.literal(), cases[i]->value.literal()); });
    if (same == cases.begin() + static_cast<std::ptrdiff_t>(i)) continue;
    reporter.report(rules::BTC_duplicate_case, cases[i]->value_span,
                    quote(cases[i]->name) + " is equal to " + quote((*same)->name) + ": it is never taken", {},
                    {(*same)->value_span, "the same value"});
  }
}

}  // namespace

void check_port_value(const WrittenPort& port, const WrittenNode& node, bool is_converted, Reporter& reporter) {
  if (port.value.is_pointer) {
    check_pointer(port, node, reporter);
    return;
  }
  const bool is_script =
      port.port != nullptr && (port.port->role == PortRole::script || port.port->role == PortRole::condition);
  if (is_script) return;
  if (port.port != nullptr && port.port->role == PortRole::watched && port.value.literal().empty()) {
    reporter.report(rules::BTC_missing_port, port.name_span,
                    quote(node.id) + " needs the port " + quote(port.name) + ": it is empty",
                    "write the name of an entry, or '{name}'");
    return;
  }
  if (port.port != nullptr) {
    if (node.built() == built::loop && port.name == "queue") check_queue(port, node, reporter);
    const PortRole role = port.port->role;
    const bool is_key = role == PortRole::new_key || role == PortRole::old_key || role == PortRole::watched;
    if (is_key) check_key(port, node, reporter);
    check_typed_literal(port, *port.port, node, is_converted, reporter);
    return;
  }
  if (const std::string_view typo = key_of_typo(port.value.literal()); !typo.empty()) {
    reporter.report(rules::BTC_brace_typo, port.value_span,
                    quote(port.value.literal()) + " is taken as a text, not as an entry", pointer_hint(typo));
  }
}

bool is_used_as(const Element& element, const Declaration& node) {
  const std::size_t children = element.child_count();
  if (is_leaf(node.kind) ? children > 0 : node.kind == NodeKind::decorator ? children != 1 : children == 0)
    return false;
  const auto is_given = [&](const Port& port) { return static_cast<bool>(element.attribute(port.name)); };
  const bool has_all = std::all_of(node.ports.begin(), node.ports.end(), [&](const Port& port) {
    return port.missing == Missing::nothing || port.missing == Missing::allowed || is_given(port);
  });
  const auto given = std::count_if(node.ports.begin(), node.ports.end(), is_given);
  std::ptrdiff_t written = 0;
  for (const Attribute& attribute : element.attributes()) {
    const bool is_other = attribute.name() == "name" || attribute.name() == "ID" || !is_port_name(attribute.name());
    written += is_other ? 0 : 1;
  }
  return has_all && written == given;
}

void check_children(const WrittenNode& node, const Element& element, bool is_of_format_3, Reporter& reporter) {
  check_count(node, element, reporter);
  if (!is_of_format_3 && node.is_of_library() && node.built() == built::reactive_sequence)
    check_reactive(node, element, reporter);
}

void check_values(const WrittenNode& node, Reporter& reporter) {
  if (!node.is_of_library()) return;
  switch (node.built()) {
    case built::parallel:
    case built::parallel_all:
      check_thresholds(node, reporter);
      break;
    case built::switch_case:
      check_cases(node, reporter);
      break;
    case built::timeout:
      if (literal_number(node, "msec") == 0.0) {
        reporter.report(rules::BTC_timeout_zero, node.find_port("msec")->value_span,
                        "with msec=\"0\" there is no timeout");
      }
      break;
    default:
      break;
  }
}

}  // namespace espalier::dialects::btcpp
