// Lays out drafts. See nodes.h.
#include "ir/nodes.h"

#include <array>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <variant>

namespace espalier::ir {
namespace {

template <typename Variant>
struct ListsOf;
template <typename... Kinds>
struct ListsOf<std::variant<Kinds...>> {
  using Type = std::tuple<std::vector<Kinds>...>;
};

constexpr std::size_t kKindCount = std::variant_size_v<Payload>;

struct Counts {
  std::size_t nodes = 0;
  std::array<std::size_t, kKindCount> of_kinds{};

  void add(const Draft& draft) {
    ++nodes;
    ++of_kinds[draft.payload.index()];
    for (const Draft& child : draft.children) add(child);  // depth is limited by the reader
  }
};

}  // namespace

struct Nodes::Lists {
  std::vector<Node> nodes;
  ListsOf<Payload>::Type payloads;        // by kind
  std::unordered_set<std::string> names;  // of nodes, and labels
  std::vector<std::uint32_t> shared;      // where the nodes of each shared decider begin

  // Nothing moves afterwards.
  void reserve(const Counts& counts) {
    nodes.reserve(counts.nodes);
    reserve_payloads(counts, std::make_index_sequence<kKindCount>());
  }
  template <std::size_t... kKinds>
  void reserve_payloads(const Counts& counts, std::index_sequence<kKinds...>) {
    (std::get<kKinds>(payloads).reserve(counts.of_kinds[kKinds]), ...);
  }

  void add(Draft& draft, std::uint32_t parent) {
    const auto index = static_cast<std::uint32_t>(nodes.size());
    Node& node =
        nodes.emplace_back(*names.insert(std::move(draft.name)).first, *names.insert(std::move(draft.label)).first);
    node.opcode = draft.opcode;
    node.flags = draft.flags;
    node.is_doubtful = draft.is_doubtful;
    node.kind = static_cast<std::uint8_t>(draft.payload.index());
    node.span = draft.span;
    node.rise = index - parent;
    node.payload = std::visit(
        [&](auto& own) -> const void* {
          using Kind = std::decay_t<decltype(own)>;
          if constexpr (std::is_same_v<Kind, std::monostate>) return nullptr;
          return &std::get<std::vector<Kind>>(payloads).emplace_back(std::move(own));
        },
        draft.payload);
    for (Draft& child : draft.children) add(child, index);  // depth is limited by the reader
    node.extent = static_cast<std::uint32_t>(nodes.size()) - index;
  }
};

Nodes::Nodes(Draft root, std::vector<Draft> shared) {
  Counts counts;
  counts.add(root);
  for (const Draft& each : shared) counts.add(each);
  auto lists = std::make_shared<Lists>();
  lists->reserve(counts);
  lists->add(root, 0);
  for (Draft& each : shared) {
    const auto begin = static_cast<std::uint32_t>(lists->nodes.size());
    lists->shared.push_back(begin);
    lists->add(each, begin);
  }
  lists_ = std::move(lists);
}

std::span<const Node> Nodes::all() const {
  return lists_ == nullptr ? std::span<const Node>() : std::span<const Node>(lists_->nodes);
}

std::size_t Nodes::shared_count() const { return lists_ == nullptr ? 0 : lists_->shared.size(); }

const Node& Nodes::shared(std::size_t number) const { return lists_->nodes[lists_->shared[number]]; }

}  // namespace espalier::ir
