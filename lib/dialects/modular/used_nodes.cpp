// The host's nodes in files. See used_nodes.h.
#include "dialects/modular/used_nodes.h"

#include <algorithm>
#include <vector>

#include "dialects/modular/elements.h"
#include "dialects/reading/numbers.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

ValueLook look_of(std::string_view value) {
  if (read_whole(value)) return ValueLook::whole;
  const bool has_digits_only = value.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
  const std::optional<EngineNumber> number = has_digits_only ? read_engine_number(value) : std::nullopt;
  if (number && number->is_finite()) return ValueLook::number;
  return value == "true" || value == "false" ? ValueLook::boolean : ValueLook::text;
}

ValueLook both(ValueLook one, ValueLook other) {
  if (one == other) return one;
  const bool are_numbers = one <= ValueLook::number && other <= ValueLook::number;
  return are_numbers ? ValueLook::number : ValueLook::text;
}

class NodeFinder {
 public:
  NodeFinder(std::span<const HostDeclaration> engine_nodes, UsedNodes& used)
      : engine_nodes_(engine_nodes), used_(used), known_(core_node_names()) {
    for (const HostDeclaration& each : engine_nodes) known_.push_back(each.name);
  }

  // The nesting of elements is limited (text::kMaxNesting), so this recursion is too.
  void look_below(const text::Element& parent) {
    for (text::Element child = parent.first_child(); child; child = child.next_sibling()) look(child);
  }

 private:
  void look(const text::Element& element) {
    const std::string_view name = element.name();
    if (find_core_node(name) != nullptr || !place_of(name).empty()) return look_below(element);
    if (const HostDeclaration* known = find_declaration(engine_nodes_, name)) {
      used_.of_engines.insert(known->name);
      used_.engines = static_cast<EngineSet>(used_.engines & known->engines);
      if (known->children != HostChildren::raw) look_below(element);
      return;
    }
    if (text::nearest(name, known_).empty()) add_own(element);
    look_below(element);
  }

  void add_own(const text::Element& element) {
    OwnNode& node = used_.own[std::string(element.name())];
    node.child_count = std::max(node.child_count, element.child_count());
    for (const text::Attribute& attribute : element.attributes()) {
      if (attribute.name().starts_with('_')) continue;  // logs
      const ValueLook look = look_of(attribute.value());
      const auto [known, is_new] = node.attributes.try_emplace(std::string(attribute.name()), look);
      known->second = both(known->second, look);
    }
  }

  std::span<const HostDeclaration> engine_nodes_;
  UsedNodes& used_;
  std::vector<std::string_view> known_;
};

}  // namespace

void find_host_nodes(const text::Element& root, std::span<const HostDeclaration> engine_nodes, UsedNodes& used) {
  for (text::Element section = root.first_child(); section; section = section.next_sibling()) {
    if (text::equal_any_case(section.name(), "Root")) return NodeFinder(engine_nodes, used).look_below(section);
  }
}

}  // namespace espalier::dialects::modular
