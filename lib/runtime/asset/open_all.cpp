// Opening with every engine, apart so that a program that names its engines does not link them all.
#include <espalier/espalier.hpp>

namespace espalier {

Status open(const void* bytes, std::size_t size_bytes, Asset* asset, Fault* fault) {
  const Engine* const engines[] = {&kSelectEngine, &kTickEngine, &kRuleEngine, &kDecideEngine, &kStoreEngine};
  static_assert(sizeof engines / sizeof engines[0] == kEngineCount);
  return open_with(engines, kEngineCount, bytes, size_bytes, asset, fault);
}

}  // namespace espalier
