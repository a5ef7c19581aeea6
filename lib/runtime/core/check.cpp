// See check.h. Builds without ESPALIER_CHECK have only a function that does nothing.
#include "core/check.h"

#include <espalier/checking.h>

#ifdef ESPALIER_CHECK
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/engine.h"

namespace espalier {
namespace {

void (*told_misuse)(const char* function, const char* what) = nullptr;

bool is_at_multiple_of(std::size_t bytes, const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
}

}  // namespace

bool Check::tell(const char* what) const {
  if (told_misuse == nullptr) {
    std::fprintf(stderr, "%s: %s\n", function_, what);
    std::abort();
  }
  told_misuse(function_, what);
  return false;
}

bool Check::is_asset(const Asset* asset) const {
  if (asset == nullptr) return tell("the asset is null");
  const void* bytes = asset->internal[kBytesPlace];
  return (bytes != nullptr && std::memcmp(bytes, "ESPB", 4) == 0) || tell("the asset is not open");
}

bool Check::is_tree(const Tree& tree) const {
  return is_asset(tree.asset) && (tree.index < tree_count(*tree.asset) || tell("the asset has no tree of this index"));
}

bool Check::is_tree_of(const Tree& tree, EngineId engine_id) const {
  return is_tree(tree) && (engine_id_of(tree) == engine_id || tell("the tree is of another kind"));
}

bool Check::is_kind(const Tree& tree, espalier_kind kind) const {
  if (static_cast<std::uint32_t>(kind) > ESPALIER_ENTRIES) return tell("there is no such kind of names");
  const bool is_of_asset = kind < ESPALIER_VARIABLES || kind == ESPALIER_PRELUDES || kind == ESPALIER_PRELUDE_FILES;
  return is_of_asset ? is_asset(tree.asset) : is_tree(tree);
}

bool Check::is_id(const Tree& tree, espalier_kind kind, std::uint32_t id) const {
  return is_kind(tree, kind) && (id < espalier_count(tree, kind) || tell("the id is not below its count"));
}

bool Check::is_node(const Asset* asset, std::uint32_t node_word) const {
  return node_word < record_count(*asset, layout::SectionId::nodes) || tell("the asset has no such node");
}

bool Check::is_memory(const void* memory, std::size_t alignment) const {
  if (memory == nullptr) return tell("the memory is null");
  return is_at_multiple_of(alignment, memory) || tell("the memory is not aligned");
}

bool Check::is_block(const Tree& tree, const void* block) const {
  if (!is_tree(tree)) return false;
  if (block == nullptr) return tell("the block is null");
  return is_at_multiple_of(agent_alignment(engine_id_of(tree)), block) || tell("the block is not aligned");
}

bool Check::are_agents(const Tree& tree, const void* blocks, std::size_t stride_bytes, std::size_t count) const {
  if (!is_tree(tree)) return false;
  if (count > 1 && stride_bytes < tree_record(tree).agent_bytes) return tell("the stride is less than an agent");
  for (std::size_t i = 0; i < count; ++i) {
    const auto* block = static_cast<const unsigned char*>(blocks) + i * stride_bytes;
    if (!is_block(tree, block)) return false;
    if (!engine_of(tree).check(tree, block, nullptr)) return tell("the block is not one of an agent of this tree");
  }
  return true;
}

bool Check::is_host(const Host* host) const {
  if (host == nullptr) return tell("the host is null");
  for (const void* block : {static_cast<const void*>(host->shared), static_cast<const void*>(host->group),
                            static_cast<const void*>(host->scratch)}) {
    if (!is_at_multiple_of(kAgentAlignment, block)) return tell("one of the host's blocks is not aligned");
  }
  for (const void* reserved : host->reserved) {
    if (reserved != nullptr) return tell("a reserved member of the host is not null");
  }
  return true;
}

bool Check::is_call(const Call* call) const {
  if (call == nullptr) return tell("the call is null");
  if (!is_tree(call->tree)) return false;
  const std::uint32_t word_count = record_count(*call->tree.asset, layout::SectionId::nodes);
  return call->node_word < word_count || tell("the call is of no node");
}

}  // namespace espalier

void espalier_set_misuse(void (*misuse)(const char* function, const char* what)) { espalier::told_misuse = misuse; }
#else
void espalier_set_misuse(void (*)(const char* function, const char* what)) {}
#endif
