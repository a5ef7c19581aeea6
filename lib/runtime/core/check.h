// Tests of the arguments of the interface's functions, in builds with ESPALIER_CHECK; see checking.h. Other builds
// compile them to nothing.
#pragma once
#include "asset/view.h"

namespace espalier {

#ifdef ESPALIER_CHECK
inline constexpr bool kChecks = true;
#else
inline constexpr bool kChecks = false;
#endif

// if (!Check(__func__).block(tree, block).host(host)) return;
// The first failed test is reported; later ones are skipped.
class Check {
 public:
  explicit Check(const char* function) : function_(function) {}
  explicit operator bool() const { return is_fine_; }

  Check& asset(const Asset* asset) {
    return test([&] { return is_asset(asset); });
  }
  Check& tree(const Tree& tree) {
    return test([&] { return is_tree(tree); });
  }
  // For a function of one engine.
  Check& tree_of(const Tree& tree, EngineId engine_id) {
    return test([&] { return is_tree_of(tree, engine_id); });
  }
  Check& kind(const Tree& tree, espalier_kind kind) {
    return test([&] { return is_kind(tree, kind); });
  }
  Check& id(const Tree& tree, espalier_kind kind, std::uint32_t id) {
    return test([&] { return is_id(tree, kind, id); });
  }
  Check& below(std::uint32_t number, std::uint32_t count, const char* what) {
    return test([&] { return number < count || tell(what); });
  }
  // The first word of a node.
  Check& node(const Asset* asset, std::uint32_t node_word) {
    return test([&] { return is_node(asset, node_word); });
  }
  Check& given(const void* pointer, const char* what) {
    return test([&] { return pointer != nullptr || tell(what); });
  }
  // Memory of the host's for anything that the library makes.
  Check& memory(const void* memory) {
    return test([&] { return is_memory(memory, 8); });
  }
  // Or for planes of bits.
  Check& plane(const void* memory) {
    return test([&] { return is_memory(memory, 64); });
  }
  // A possible address of an agent's block. Its content is not tested.
  Check& block(const Tree& tree, const void* block) {
    return test([&] { return is_block(tree, block); });
  }
  // A block that an agent of the tree can have between calls; `count` of them.
  Check& agent(const Tree& tree, const void* block) { return agents(tree, block, 0, 1); }
  Check& agents(const Tree& tree, const void* blocks, std::size_t stride_bytes, std::size_t count) {
    return test([&] { return are_agents(tree, blocks, stride_bytes, count); });
  }
  Check& host(const Host* host) {
    return test([&] { return is_host(host); });
  }
  Check& call(const Call* call) {
    return test([&] { return is_call(call); });
  }

 private:
  template <typename Test>
  Check& test(const Test& passes) {
    if constexpr (kChecks) is_fine_ = is_fine_ && passes();
    return *this;
  }
  bool is_asset(const Asset* asset) const;
  bool is_tree(const Tree& tree) const;
  bool is_tree_of(const Tree& tree, EngineId engine_id) const;
  bool is_kind(const Tree& tree, espalier_kind kind) const;
  bool is_id(const Tree& tree, espalier_kind kind, std::uint32_t id) const;
  bool is_node(const Asset* asset, std::uint32_t node_word) const;
  bool is_memory(const void* memory, std::size_t alignment) const;
  bool is_block(const Tree& tree, const void* block) const;
  bool are_agents(const Tree& tree, const void* blocks, std::size_t stride_bytes, std::size_t count) const;
  bool is_host(const Host* host) const;
  bool is_call(const Call* call) const;
  bool tell(const char* what) const;  // returns false

  const char* function_;
  bool is_fine_ = true;
};

}  // namespace espalier
