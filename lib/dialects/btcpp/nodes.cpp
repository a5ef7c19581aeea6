// The nodes of the library (4.10) and of Nav2. See nodes.h.
#include "dialects/btcpp/nodes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <unordered_set>
#include <utility>

namespace espalier::dialects::btcpp {
namespace {

constexpr std::string_view kTags[] = {"Action", "Condition", "Control", "Decorator", "SubTree"};

// Its names are words of the table, or short.
namespace node_table {

enum class Source : std::uint8_t { library, nav2 };
constexpr std::nullopt_t none = std::nullopt;
constexpr std::uint32_t many = std::numeric_limits<std::uint32_t>::max();

constexpr PortRow kPorts[] = {
#define POLL_PORT(set, name, type, direction, otherwise, missing, role, doc) \
  {name, type, Direction::direction, otherwise, Missing::missing, PortRole::role, doc},
#include "runtime/poll/nodes.def"
};
constexpr std::string_view kSets[] = {
#define POLL_PORT(set, name, type, direction, otherwise, missing, role, doc) #set,
#include "runtime/poll/nodes.def"
};

// What the element table needs of ports.
constexpr std::array<AttributeRow, std::size(kPorts)> attributes_of_ports() {
  std::array<AttributeRow, std::size(kPorts)> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].name = kPorts[i].name;
    rows[i].need = kPorts[i].missing == Missing::nothing ? Need::optional : Need::required;
    rows[i].doc = kPorts[i].doc;
    rows[i].otherwise = kPorts[i].otherwise.value_or("");
  }
  return rows;
}
constexpr auto kAttributes = attributes_of_ports();

// The first `count` rows of a set.
template <typename Row>
constexpr std::span<const Row> rows_of_set(std::span<const Row> rows, std::string_view set, std::size_t count) {
  const auto* const first = std::find(std::begin(kSets), std::end(kSets), set);
  return rows.subspan(first == std::end(kSets) ? 0 : static_cast<std::size_t>(first - std::begin(kSets)), count);
}

constexpr NodeRow kNodes[] = {
#define POLL_NODE(id, name, kind, of, opcode, flags, places, bytes, bits, timer, halt, ports, port_count, needed, \
                  least, most, doc)                                                                               \
  {name,                                                                                                          \
   NodeKind::kind,                                                                                                \
   Built::id,                                                                                                     \
   doc,                                                                                                           \
   rows_of_set(std::span<const PortRow>(kPorts), #ports, port_count),                                             \
   rows_of_set(std::span<const AttributeRow>(kAttributes), #ports, port_count),                                   \
   least,                                                                                                         \
   most,                                                                                                          \
   Source::of == Source::nav2},
#define POLL_MORE POLL_NODE
#include "runtime/poll/nodes.def"
};

}  // namespace node_table

using node_table::kNodes;

}  // namespace

std::string_view tag_of(NodeKind kind) { return kTags[static_cast<std::size_t>(kind)]; }

std::optional<NodeKind> kind_of_tag(std::string_view tag) {
  const auto found = std::find(std::begin(kTags), std::end(kTags), tag);
  if (found == std::end(kTags)) return std::nullopt;
  return static_cast<NodeKind>(found - std::begin(kTags));
}

std::span<const NodeRow> node_rows() { return kNodes; }

const NodeRow* find_node_row(std::string_view name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, const NodeRow*> rows;
    for (const NodeRow& row : kNodes) rows.emplace(row.name, &row);
    return rows;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? nullptr : found->second;
}

void add_new_ports(const std::vector<Port>& from, std::vector<Port>& to) {
  to.reserve(to.size() + from.size());  // names stay where they are
  std::unordered_set<std::string_view> known;
  for (const Port& port : to) known.insert(port.name);
  for (const Port& port : from) {
    if (known.insert(port.name).second) to.push_back(port);
  }
}

Nodes::Nodes() {
  for (const NodeRow& row : kNodes) {
    Declaration node;
    node.name = row.name;
    node.kind = row.kind;
    node.built = row.built;
    node.row = &row;
    for (const PortRow& port : row.ports) {
      node.ports.push_back({std::string(port.name), read_type(port.type), port.direction,
                            port.otherwise ? std::optional<std::string>(*port.otherwise) : std::nullopt, port.missing,
                            port.role});
    }
    by_name_.emplace(row.name, std::move(node));
  }
}

namespace {

void fill_port(const Port& model, Port& port) {
  if (!port.gives_direction) port.direction = model.direction;
  if (!port.gives_type) {
    port.type = model.type;
    port.has_type = model.has_type;
  }
  if (!port.otherwise) port.otherwise = model.otherwise;
  if (port.doc.empty()) port.doc = model.doc;
}

}  // namespace

void Nodes::declare(Declaration declaration) {
  has_declared_ = true;
  const auto [place, is_new] = by_name_.try_emplace(declaration.name);
  if (!is_new && place->second.is_of_host()) {
    const Declaration& model = place->second;
    if (!declaration.gives_kind) {
      declaration.kind = model.kind;
      declaration.built = model.built;
    }
    for (Port& port : declaration.ports) {
      if (const Port* const other = model.find_port(port.name); other != nullptr) fill_port(*other, port);
    }
    add_new_ports(model.ports, declaration.ports);
    if (declaration.doc.empty()) declaration.doc = model.doc;
  }
  place->second = std::move(declaration);
}

void Nodes::add(const Declaration& declaration) {
  has_declared_ = true;
  const auto [place, is_new] = by_name_.try_emplace(declaration.name, declaration);
  if (!is_new) add_new_ports(declaration.ports, place->second.ports);
}

const Declaration* Nodes::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second;
}

void Nodes::learn(const std::vector<Declaration>& known) {
  for (const Declaration& each : known) {
    known_.emplace(each.name, &each);
    const auto found = by_name_.find(each.name);
    if (found == by_name_.end() || !found->second.is_of_host()) continue;
    Declaration& own = found->second;
    if (own.kind != each.kind && !(is_leaf(own.kind) && is_leaf(each.kind))) continue;
    own.fails_from_idle = each.fails_from_idle;
    // Editors write actions as conditions, and the other way round: what the node is decides what it gives.
    const bool is_asked = each.is_sync || each.kind == NodeKind::condition;
    if (each.results != 0) {
      own.results = each.results;
    } else if (is_asked || own.kind != each.kind) {
      own.results = static_cast<Outcomes>(kSuccess | kFailure | (is_asked ? 0 : kRunning));
    }
    for (Port& port : own.ports) {
      const Port* const other = each.find_port(port.name);
      if (other != nullptr && (other->otherwise || other->missing == Missing::allowed)) port.missing = Missing::allowed;
    }
    for (const Port& port : each.ports) {
      if (own.find_port(port.name) != nullptr) continue;
      Port& added = own.ports.emplace_back(port);
      added.otherwise.reset();
      added.missing = Missing::allowed;
    }
  }
}

void Nodes::learn_names(const std::vector<Declaration>& known) {
  for (const Declaration& each : known) framework_names_.insert(each.name);
}

const Declaration* Nodes::find_known(std::string_view name) const {
  const auto found = known_.find(name);
  return found == known_.end() ? nullptr : found->second;
}

std::vector<std::string_view> Nodes::known_names() const {
  std::vector<std::string_view> names;
  names.reserve(known_.size());
  for (const auto& [name, node] : known_) names.push_back(name);
  return names;
}

std::vector<std::string_view> Nodes::names() const {
  std::vector<std::string_view> names;
  names.reserve(by_name_.size());
  for (const auto& [name, node] : by_name_) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace espalier::dialects::btcpp
