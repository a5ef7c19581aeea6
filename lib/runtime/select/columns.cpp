// Updating crowds: the widest vectors of the processor, chosen at run time where that is known how.
#include "select/columns.h"

#include "core/check.h"
#include "select/columns_run.h"

namespace espalier {
namespace {

struct PlainPath {
  using Vector = std::uint64_t;
};

template <typename Path>
[[gnu::always_inline]] inline void update_blocks(const espalier_columns& columns, unsigned char* blocks,
                                                 std::size_t count, unsigned char* work) {
  for (std::size_t i = 0; i < count; ++i) ColumnRun<Path>(columns, blocks + i * columns.block_bytes, work).run();
}

// A function each, as each needs some stack.
#ifdef __GNUC__
[[gnu::noinline]]
#endif
void update_words(const espalier_columns& columns, unsigned char* blocks, std::size_t count, unsigned char* work) {
  update_blocks<PlainPath>(columns, blocks, count, work);
}
#ifdef __GNUC__
// What every processor of the target has: SSE2, NEON, or words.
struct BasePath {
  using Vector = std::uint64_t __attribute__((vector_size(16)));
};
[[gnu::noinline]] void update_base(const espalier_columns& columns, unsigned char* blocks, std::size_t count,
                                   unsigned char* work) {
  update_blocks<BasePath>(columns, blocks, count, work);
}
#ifdef __x86_64__
struct Avx2Path {
  using Vector = std::uint64_t __attribute__((vector_size(32)));
};
struct Avx512Path {
  using Vector = std::uint64_t __attribute__((vector_size(64)));
};
[[gnu::target("avx2")]] void update_avx2(const espalier_columns& columns, unsigned char* blocks, std::size_t count,
                                         unsigned char* work) {
  update_blocks<Avx2Path>(columns, blocks, count, work);
}
[[gnu::target("avx512f")]] void update_avx512(const espalier_columns& columns, unsigned char* blocks, std::size_t count,
                                              unsigned char* work) {
  update_blocks<Avx512Path>(columns, blocks, count, work);
}
#endif
#endif

}  // namespace

ColumnPath widest_path() {
#if defined(__GNUC__) && defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return ColumnPath::avx512;
  if (__builtin_cpu_supports("avx2")) return ColumnPath::avx2;
#endif
#ifdef __GNUC__
  return ColumnPath::base;
#else
  return ColumnPath::plain;
#endif
}

void update_columns(ColumnPath path, const espalier_columns& columns, unsigned char* blocks, std::size_t count,
                    unsigned char* work) {
  switch (path) {
#if defined(__GNUC__) && defined(__x86_64__)
    case ColumnPath::avx512:
      return update_avx512(columns, blocks, count, work);
    case ColumnPath::avx2:
      return update_avx2(columns, blocks, count, work);
#endif
#ifdef __GNUC__
    case ColumnPath::base:
      return update_base(columns, blocks, count, work);
#endif
    default:
      return update_words(columns, blocks, count, work);
  }
}

}  // namespace espalier

using namespace espalier;

void espalier_update_columns(const espalier_columns* columns, void* blocks, size_t block_count, void* work) {
  if (!Check(__func__).given(columns, "the columns are null").plane(blocks).plane(work)) return;
  update_columns(widest_path(), *columns, static_cast<unsigned char*>(blocks), block_count,
                 static_cast<unsigned char*>(work));
}
