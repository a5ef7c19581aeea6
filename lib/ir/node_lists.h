// What the nodes of one tree consist of: the nodes and what they hold. Trees share names and other texts.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "ir/node.h"

namespace espalier::ir {

// A list whose elements never move. Small while it is empty: a tree has one for each kind of payload.
template <typename T>
class StableList {
 public:
  template <typename... Arguments>
  T& add(Arguments&&... arguments) {
    make_room(1);
    return last_->items.emplace_back(std::forward<Arguments>(arguments)...);
  }
  // Side by side; afterwards there are none in `items`.
  std::span<T> take_all(std::vector<T>& items) {
    if (items.empty()) return {};
    make_room(items.size());
    std::vector<T>& own = last_->items;
    own.insert(own.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
    const std::size_t count = items.size();
    items.clear();
    return {own.data() + own.size() - count, count};
  }
  std::size_t size() const {
    std::size_t size = 0;
    for (const Chunk* chunk = last_.get(); chunk != nullptr; chunk = chunk->before.get()) size += chunk->items.size();
    return size;
  }

 private:
  void make_room(std::size_t count) {
    if (last_ != nullptr && last_->items.size() + count <= last_->items.capacity()) return;
    constexpr std::size_t kFirst = 2;
    auto chunk = std::make_unique<Chunk>();
    chunk->items.reserve(std::max(count, last_ == nullptr ? kFirst : 2 * last_->items.capacity()));
    chunk->before = std::move(last_);
    last_ = std::move(chunk);
  }

  // With room for twice as many as the one before it, so that there are few.
  struct Chunk {
    std::vector<T> items;
    std::unique_ptr<Chunk> before;
  };
  std::unique_ptr<Chunk> last_;
};

// Texts of the trees that a thread reads, each once. Threads may read them together, while none adds one.
class Names {
 public:
  const Text& of(std::string_view name);
  // The reference stays valid as long as the names.
  const std::string& intern(std::string_view name) { return of(name); }
  // The same for one that hardly any other node has, which is not looked for.
  const std::string& keep(std::string_view name) { return name.empty() ? intern(name) : kept_.add(name); }

 private:
  static std::size_t place_of(std::string_view name, const std::vector<Text>& slots);

  StableList<std::string> kept_;
  std::size_t count_ = 0;
  std::vector<Text> slots_;  // by hash, as many as a power of two, at most half of them used
};

class NodeLists {
 public:
  explicit NodeLists(std::shared_ptr<Names> its_names) : names(std::move(its_names)) {}

  std::vector<Node> nodes;
  const std::shared_ptr<Names> names;
  std::vector<std::uint32_t> shared;  // where the nodes of each shared decider begin

  template <typename Given, typename Kind = std::decay_t<Given>>
  Kind& add(Given&& payload) {
    return std::get<StableList<Kind>>(payloads_).add(std::forward<Given>(payload));
  }

 private:
  template <typename Variant>
  struct Lists;
  template <typename... Kinds>
  struct Lists<std::variant<std::monostate, Kinds...>> {
    using Type = std::tuple<StableList<Kinds>...>;
  };
  Lists<Payload>::Type payloads_;
};

}  // namespace espalier::ir
