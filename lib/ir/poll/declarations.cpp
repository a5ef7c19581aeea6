// What a project's nodes are declared to be. See declarations.h.
#include "ir/poll/declarations.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "ir/poll/built.h"
#include "runtime/format/opcodes/poll.h"

namespace espalier::ir::poll {
namespace {

constexpr std::string_view kTags[] = {"Action", "Condition", "Control", "Decorator", "SubTree"};

// Its names are words of the table, or short.
namespace node_table {

enum class Source : std::uint8_t { library, nav2 };
constexpr std::nullopt_t none = std::nullopt;
constexpr std::uint32_t many = std::numeric_limits<std::uint32_t>::max();

struct PortRow {
  std::string_view set, name, type;
  Direction direction;
  std::optional<std::string_view> otherwise;
  Missing missing;
  PortRole role;
  std::string_view doc;
};
constexpr PortRow kPorts[] = {
#define POLL_PORT(set, name, type, direction, otherwise, missing, role, doc) \
  {#set, name, type, Direction::direction, otherwise, Missing::missing, PortRole::role, doc},
#include "runtime/poll/nodes.def"
};

// The first `count` of a set.
std::vector<Port> ports_of(std::string_view set, std::size_t count) {
  std::vector<Port> ports;
  const auto* row =
      std::find_if(std::begin(kPorts), std::end(kPorts), [&](const PortRow& each) { return each.set == set; });
  for (; count > 0; --count, ++row) {
    ports.push_back({std::string(row->name), read_type(row->type), row->direction,
                     row->otherwise ? std::optional<std::string>(*row->otherwise) : std::nullopt, row->missing,
                     row->role, std::string(row->doc)});
  }
  return ports;
}

// What has come to Nav2's nodes after the oldest release whose nodes are known. Of those in the table: of others their
// host file says it.
constexpr struct {
  std::string_view node, port;  // no port: the node
  Nav2Release first;
} kNewer[] = {{"NonblockingSequence", {}, Nav2Release::lyrical},
              {"PersistentSequence", {}, Nav2Release::lyrical},
              {"RoundRobin", "wrap_around", Nav2Release::lyrical}};

void tell_releases(std::vector<Declaration>& nodes) {
  for (const auto& newer : kNewer) {
    for (Declaration& node : nodes) {
      if (node.name != newer.node) continue;
      if (newer.port.empty()) node.releases.first = newer.first;
      for (Port& port : node.ports) {
        if (port.name == newer.port) port.releases.first = newer.first;
      }
    }
  }
}

std::vector<Declaration> all_nodes() {
  std::vector<Declaration> nodes;
  const auto add = [&](std::string_view name, NodeKind kind, Built built, Source source, std::vector<Port> ports,
                       std::uint32_t least, std::uint32_t most, std::string_view doc) {
    Declaration& node = nodes.emplace_back();
    node.name = name;
    node.kind = kind;
    node.built = built;
    node.is_of_library = true;
    node.is_of_nav2 = source == Source::nav2;
    node.ports = std::move(ports);
    node.least = least;
    node.most = most;
    node.doc = doc;
  };
#define POLL_NODE(id, name, kind, of, opcode, flags, places, bytes, bits, timer, halt, ports, port_count, needed, \
                  least, most, doc)                                                                               \
  add(name, NodeKind::kind, built::id, Source::of, ports_of(#ports, port_count), least, most, doc);
#define POLL_MORE POLL_NODE
#include "runtime/poll/nodes.def"
  tell_releases(nodes);
  return nodes;
}

}  // namespace node_table

constexpr auto kBuiltOpcodes = [] {
  std::array<BuiltOpcode, 256> rows{};
  rows[static_cast<std::size_t>(built::subtree)].opcode = opcode::poll_subtree;
#define POLL_NODE(id, name, kind, of, code, flags, places, bytes, bits, timer, halt, ports, port_count, needed, least, \
                  most, doc)                                                                                           \
  rows[static_cast<std::size_t>(built::id)] = {opcode::code, flags};
#include "runtime/poll/nodes.def"
  return rows;
}();

}  // namespace

Built built_of_host(NodeKind kind) { return kind == NodeKind::control ? built::sequence : built::none; }

std::string_view tag_of(NodeKind kind) { return kTags[static_cast<std::size_t>(kind)]; }

std::optional<NodeKind> kind_of_tag(std::string_view tag) {
  const auto found = std::find(std::begin(kTags), std::end(kTags), tag);
  if (found == std::end(kTags)) return std::nullopt;
  return static_cast<NodeKind>(found - std::begin(kTags));
}

BuiltOpcode opcode_of(Built built) { return kBuiltOpcodes[static_cast<std::size_t>(built)]; }

const std::vector<Declaration>& library_nodes() {
  static const std::vector<Declaration> kNodes = node_table::all_nodes();
  return kNodes;
}

const Declaration* find_library_node(std::string_view name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, const Declaration*> nodes;
    for (const Declaration& node : library_nodes()) nodes.emplace(node.name, &node);
    return nodes;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? nullptr : found->second;
}

std::vector<std::string> words_of(Results results) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::size(kResultWords); ++i) {
    if (can(results, kResultOfWord[i])) words.emplace_back(kResultWords[i]);
  }
  return words;
}

Results results_of_host(const Declaration& declaration, std::span<const Results> children) {
  if (declaration.results != 0) return declaration.results;
  if (!children.empty()) {
    const bool can_be_skipped =
        std::all_of(children.begin(), children.end(), [](Results child) { return can(child, kSkips); });
    return both(kAnyResult, if_so(can_be_skipped, kSkips));
  }
  const bool is_asked = declaration.kind == NodeKind::condition || declaration.is_sync;
  return is_asked && declaration.kind != NodeKind::decorator ? kDone : kAnyResult;
}

void add_new_ports(const std::vector<Port>& from, std::vector<Port>& to) {
  to.reserve(to.size() + from.size());  // names stay where they are
  std::unordered_set<std::string_view> known;
  for (const Port& port : to) known.insert(port.name);
  for (const Port& port : from) {
    if (known.insert(port.name).second) to.push_back(port);
  }
}

void keep_facts(const Declaration& known, Declaration& declaration) {
  declaration.fails_from_idle = known.fails_from_idle;
  declaration.uses = known.uses;
  // Editors write actions as conditions, and the other way round: what the node is decides what it gives.
  const bool is_asked = known.is_sync || known.kind == NodeKind::condition;
  if (known.results != 0) {
    declaration.results = known.results;
  } else if (is_asked || declaration.kind != known.kind) {
    declaration.results = both(kDone, if_so(!is_asked, kRuns));
  }
  for (Port& port : declaration.ports) {
    const Port* const other = known.find_port(port.name);
    if (other != nullptr && (other->otherwise || other->missing == Missing::allowed)) port.missing = Missing::allowed;
  }
}

void complete_model(const Declaration& known, Declaration& model) {
  if (model.kind != known.kind && !(is_leaf(model.kind) && is_leaf(known.kind))) return;
  keep_facts(known, model);
  for (const Port& port : known.ports) {
    if (model.find_port(port.name) != nullptr) continue;
    Port& added = model.ports.emplace_back(port);
    added.otherwise.reset();
    added.missing = Missing::allowed;
    added.releases = {};
  }
}

namespace {

// A model of it shows that it is there, whatever the release.
void fill_port(const Port& model, Port& port) {
  port.releases = {};
  if (!port.gives_direction) port.direction = model.direction;
  if (!port.gives_type) {
    port.type = model.type;
    port.has_type = model.has_type;
  }
  if (!port.otherwise) port.otherwise = model.otherwise;
  if (port.doc.empty()) port.doc = model.doc;
}

}  // namespace

void fill_from_model(const Declaration& model, Declaration& declaration) {
  declaration.releases = {};
  if (!declaration.gives_kind) {
    declaration.kind = model.kind;
    declaration.built = model.built;
    declaration.gives_kind = true;
  }
  for (Port& port : declaration.ports) {
    if (const Port* const other = model.find_port(port.name); other != nullptr) fill_port(*other, port);
  }
  add_new_ports(model.ports, declaration.ports);
  if (declaration.doc.empty()) declaration.doc = model.doc;
}

void Declarations::declare(Declaration declaration) {
  has_declared_ = true;
  const auto [place, is_new] = by_name_.try_emplace(declaration.name);
  if (!is_new) fill_from_model(place->second, declaration);
  place->second = std::move(declaration);
}

void Declarations::add(const Declaration& declaration) {
  has_declared_ = true;
  const auto [place, is_new] = by_name_.try_emplace(declaration.name, declaration);
  if (!is_new) add_new_ports(declaration.ports, place->second.ports);
}

const Declaration* Declarations::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? find_library_node(name) : &found->second;
}

void Declarations::learn(const std::vector<Declaration>& known) {
  for (const Declaration& each : known) known_.emplace(each.name, &each);
}

const Declaration* Declarations::find_known(std::string_view name) const {
  const auto found = known_.find(name);
  return found == known_.end() ? nullptr : found->second;
}

std::vector<std::string_view> Declarations::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, node] : by_name_) names.push_back(name);
  for (const Declaration& node : library_nodes()) names.push_back(node.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace espalier::ir::poll
