// Updates of crowds by vectors of a given width; the results are the same.
#pragma once
#include <espalier/columns.h>

#include <cstddef>
#include <cstdint>

namespace espalier {

enum class ColumnPath : std::uint8_t { plain, base, avx2, avx512 };

// Of this processor.
ColumnPath widest_path();
// `path` is at most widest_path().
void update_columns(ColumnPath path, const espalier_columns& columns, unsigned char* blocks, std::size_t count,
                    unsigned char* work);

}  // namespace espalier
