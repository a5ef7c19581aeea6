// Declarations of hosts. See host.h.
#include "dialects/reading/host.h"

#include <algorithm>

namespace espalier::dialects {
namespace {

// The range of the engines' integers, signed and unsigned.
constexpr double kLeastWhole = -2147483648.0;
constexpr double kGreatestWhole = 4294967295.0;

// In the order of ir::ParameterType.
constexpr ValueType kValueTypes[] = {ValueType::text, ValueType::whole,  ValueType::number, ValueType::any_boolean,
                                     ValueType::word, ValueType::vector, ValueType::event,  ValueType::script};

ValueType type_of(const HostAttribute& attribute, bool exact_booleans) {
  const ValueType type = kValueTypes[static_cast<std::size_t>(attribute.type)];
  if (attribute.is_presence) return ValueType::text;
  if (type == ValueType::text && (attribute.is_required || attribute.is_recommended)) return ValueType::name;
  return type == ValueType::any_boolean && exact_booleans ? ValueType::boolean : type;
}

Need need_of_host(const HostAttribute& attribute, GameEngine engine) {
  if (attribute.is_required && contains(attribute.required_in, engine)) return Need::required;
  return attribute.is_recommended ? Need::recommended : Need::optional;
}

// The first engine that reads it, if `engine` does not.
std::string_view reader_elsewhere(const HostAttribute& attribute, GameEngine engine) {
  if (contains(attribute.engines, engine)) return {};
  for (const GameEngine other : {GameEngine::cryengine_5_6, GameEngine::cryengine_5_3, GameEngine::lumberyard_1}) {
    if (contains(attribute.engines, other)) return name_of(other);
  }
  return "no engine";
}

Content content_of(const HostDeclaration& host, Groups holds) {
  constexpr std::uint32_t kMaxNodes = 255;  // of a Sequence or Selector
  switch (host.children) {
    case HostChildren::none:
      return kNothing;
    case HostChildren::one:
      return {holds, 1, 1};
    case HostChildren::many:
      return {holds, 1, kMaxNodes};
    case HostChildren::raw:
      return {0, 0, Content::kUnbounded, Shape::raw};
  }
  return kNothing;
}

}  // namespace

const HostAttribute* find_attribute(const HostDeclaration& host, std::string_view attribute) {
  const auto found = std::find_if(host.attributes.begin(), host.attributes.end(),
                                  [&](const HostAttribute& each) { return each.name == attribute; });
  return found == host.attributes.end() ? nullptr : &*found;
}

const HostDeclaration* find_declaration(std::span<const HostDeclaration> sorted, std::string_view name) {
  const auto found =
      std::lower_bound(sorted.begin(), sorted.end(), name,
                       [](const HostDeclaration& host, std::string_view key) { return host.name < key; });
  return found != sorted.end() && found->name == name ? &*found : nullptr;
}

Value value_of(const HostAttribute& attribute, std::vector<std::string_view>& words, bool exact_booleans) {
  words.assign(attribute.words.begin(), attribute.words.end());
  Value value{type_of(attribute, exact_booleans)};
  if (attribute.type == ir::ParameterType::whole) {
    value.least = kLeastWhole;
    value.most = kGreatestWhole;
  }
  value.least = attribute.minimum.value_or(value.least);
  value.most = attribute.maximum.value_or(value.most);
  if (value.type != ValueType::any_boolean && value.type != ValueType::boolean) value.words = words;
  value.any_case = true;
  return value;
}

std::optional<ir::Parameter> read_value(const HostAttribute& attribute, std::string_view text, ValueFault& fault,
                                        NumberText numbers, bool exact_booleans) {
  std::vector<std::string_view> words;
  return read_value(attribute.name, value_of(attribute, words, exact_booleans), text, numbers, fault);
}

HostRow::HostRow(const HostDeclaration& host, Groups groups, Groups holds, GameEngine engine) {
  attributes_.reserve(host.attributes.size());
  for (const HostAttribute& declared : host.attributes) {
    AttributeRow& attribute = attributes_.emplace_back();
    attribute.name = declared.name;
    attribute.need = need_of_host(declared, engine);
    attribute.value = value_of(declared, words_.emplace_back());
    attribute.doc = declared.doc;
    if (declared.otherwise) attribute.otherwise = *declared.otherwise;
    attribute.read_elsewhere = reader_elsewhere(declared, engine);
    attribute.is_offered = declared.is_offered;
    attribute.is_declared = host.span.end != 0;
  }
  row_.name = host.name;
  row_.groups = groups;
  row_.content = content_of(host, holds);
  row_.attributes = attributes_;
  row_.doc = host.doc;
  row_.common = host.reads_logs ? Common::read : Common::unread;
}

void DeclaredRows::add(const HostDeclaration& host, Groups groups, Groups holds, GameEngine engine) {
  rows_.push_back(hosts_.emplace_back(host, groups, holds, engine).row());
}

void DeclaredRows::add_known(const HostDeclaration& host, Groups groups, const Content& content) {
  std::vector<AttributeRow>& attributes = attributes_.emplace_back();
  for (const HostAttribute& known : host.attributes) attributes.push_back({.name = known.name, .doc = known.doc});
  ElementRow& row = rows_.emplace_back();
  row.name = host.name;
  row.groups = groups;
  row.content = host.children == HostChildren::raw ? Content{.shape = Shape::raw} : content;
  row.attributes = attributes;
  row.doc = host.doc;
  row.takes_parameters = true;
}

void DeclaredRows::limit(const ElementTable& table, std::string_view element, std::string_view attribute,
                         const std::vector<std::string_view>& names) {
  const Value value = one_of(words_.emplace_back(names));
  for (const ElementRow& row : table.elements) {
    if (row.name != element) continue;
    ElementRow& limited = rows_.emplace_back(row);
    if (attribute.empty()) limited.content.text = value;
    std::vector<AttributeRow>& attributes = attributes_.emplace_back(row.attributes.begin(), row.attributes.end());
    for (AttributeRow& each : attributes) {
      if (each.name == attribute) each.value = value;
    }
    limited.attributes = attributes;
  }
}

}  // namespace espalier::dialects
