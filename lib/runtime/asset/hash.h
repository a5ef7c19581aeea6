// The content hash of assets. It detects accidental changes; the verifier protects against malicious ones.
#pragma once
#include <cstddef>
#include <cstdint>

namespace espalier {

// XXH64 with seed 0 (github.com/Cyan4973/xxHash, doc/xxhash_spec.md) of an asset, the header's hash field taken as 0.
// `size_bytes` is at least that of the header.
std::uint64_t asset_hash(const void* bytes, std::size_t size_bytes);

}  // namespace espalier
