// Tags of the explicit form. See tags.h.
#include "dialects/btcpp/tags.h"

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/poll.h"
#include "rules/btcpp.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

constexpr NodeKind kTagKinds[] = {NodeKind::subtree, NodeKind::action, NodeKind::condition, NodeKind::control,
                                  NodeKind::decorator};

// What people write who have seen "<BehaviorTree ID=...>" only.
bool is_another_word(std::string_view name) { return name == "Tree" || name == kTreeElement; }

}  // namespace

std::string_view tag_of(const Element& element) {
  const std::string_view name = element.name();
  for (const NodeKind kind : kTagKinds) {
    if (tag_of(kind) == name) return tag_of(kind);
  }
  if (element.attribute("ID").value().empty()) return {};
  for (const NodeKind kind : kTagKinds) {
    if (is_near_name(name, tag_of(kind))) return tag_of(kind);
  }
  return is_another_word(name) ? kSubTreeElement : std::string_view();
}

void report_misspelt_tag(const Element& element, std::string_view tag, Reporter& reporter) {
  text::Finding& finding = reporter.report(rules::BTC_unknown_node, element.span(),
                                           "unknown node " + quote(element.name()), did_you_mean(tag));
  if (is_near_name(element.name(), tag)) reporter.propose_name(finding, element, tag);
}

}  // namespace espalier::dialects::btcpp
