// The table of elements. See elements.h.
#include "dialects/selection/elements.h"

#include <algorithm>
#include <vector>

#include "text/names.h"

namespace espalier::dialects::selection {
namespace {

constexpr Kind kOfTrees[] = {Kind::selection_tree};
constexpr Kind kOfTree[] = {Kind::variables,
                            Kind::signal_variables,
                            Kind::leaf_translations,
                            Kind::priority,
                            Kind::state_machine,
                            Kind::leaf,
                            Kind::blocks,
                            Kind::ref};
constexpr Kind kOfBlocks[] = {Kind::block};
constexpr Kind kOfVariables[] = {Kind::variable, Kind::ref};
constexpr Kind kOfSignals[] = {Kind::signal, Kind::ref};
constexpr Kind kOfTranslations[] = {Kind::map, Kind::ref};
constexpr Kind kOfPriority[] = {Kind::priority, Kind::state_machine, Kind::leaf, Kind::ref};
constexpr Kind kOfMachine[] = {Kind::state, Kind::ref};
constexpr Kind kOfState[] = {Kind::transition, Kind::priority, Kind::state_machine, Kind::leaf, Kind::ref};
// What a block can bring in somewhere.
constexpr Kind kOfBlock[] = {Kind::variables, Kind::variable,          Kind::signal_variables,
                             Kind::signal,    Kind::leaf_translations, Kind::map,
                             Kind::priority,  Kind::state_machine,     Kind::leaf,
                             Kind::state,     Kind::transition,        Kind::ref};

using Keys = std::uint32_t;
constexpr Keys bit(Key key) { return Keys{1} << static_cast<unsigned>(key); }

struct Row {
  std::string_view name;
  Keys keys;
  std::span<const Kind> children;
};

// In the order of Kind.
constexpr Keys kNamed = bit(Key::name);
constexpr Keys kNode = kNamed | bit(Key::condition);
constexpr Row kRows[] = {
    {"", 0, {}},
    {"SelectionTrees", 0, kOfTrees},
    {"SelectionTree", kNamed | bit(Key::type), kOfTree},
    {"Blocks", 0, kOfBlocks},
    {"Block", kNode, kOfBlock},
    {"Ref", kNode, {}},
    {"Variables", 0, kOfVariables},
    {"Variable", kNamed | bit(Key::initial), {}},
    {"SignalVariables", 0, kOfSignals},
    {"Signal", kNamed | bit(Key::variable) | bit(Key::value), {}},
    {"LeafTranslations", 0, kOfTranslations},
    {"Map", bit(Key::node) | bit(Key::target), {}},
    {"Priority", kNode, kOfPriority},
    {"StateMachine", kNode, kOfMachine},
    {"Leaf", kNode, {}},
    {"Sequence", kNode, kOfPriority},
    {"State", kNode, kOfState},
    {"Transition", bit(Key::state) | bit(Key::condition), {}},
};
static_assert(std::size(kRows) == static_cast<std::size_t>(Kind::count));

// In the order of Key.
constexpr std::string_view kKeyNames[] = {"name", "type",   "default", "variable", "value",
                                          "node", "target", "state",   "condition"};
static_assert(std::size(kKeyNames) == kKeyCount);

const Row& row(Kind kind) { return kRows[static_cast<std::size_t>(kind)]; }

}  // namespace

Kind kind_of(std::string_view element_name) {
  for (std::size_t i = 1; i < std::size(kRows); ++i) {
    if (text::equal_any_case(kRows[i].name, element_name)) return static_cast<Kind>(i);
  }
  return Kind::unknown;
}

std::string_view name_of(Kind kind) { return row(kind).name; }
std::string_view name_of(Key key) { return kKeyNames[static_cast<std::size_t>(key)]; }
bool is_node(Kind kind) { return kind >= Kind::priority && kind <= Kind::sequence; }
static_assert(Kind::priority < Kind::state_machine && Kind::state_machine < Kind::leaf && Kind::leaf < Kind::sequence);
bool has(Kind kind, Key key) { return (row(kind).keys & bit(key)) != 0; }

Key key_of(std::string_view attribute_name) {
  for (std::size_t i = 0; i < kKeyCount; ++i) {
    if (text::equal_any_case(kKeyNames[i], attribute_name)) return static_cast<Key>(i);
  }
  return Key::count;
}

std::span<const Kind> children_of(Kind kind) { return row(kind).children; }

bool may_hold(Kind parent, Kind child) {
  const std::span<const Kind> kinds = children_of(parent);
  return std::find(kinds.begin(), kinds.end(), child) != kinds.end();
}

Kind meant_kind(std::string_view element_name, Kind parent) {
  std::vector<std::string_view> names;
  for (const Kind kind : children_of(parent)) names.push_back(name_of(kind));
  return kind_of(text::nearest(text::local_name(element_name), names));
}

std::string list_of(std::span<const Kind> kinds) {
  std::string result;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (i > 0) result += i + 1 == kinds.size() ? " and " : ", ";
    result += name_of(kinds[i]);
  }
  return result;
}

}  // namespace espalier::dialects::selection
