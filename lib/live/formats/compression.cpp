// Unpacking zstd and lz4, with the libraries that the program was built with.
#include <algorithm>
#include <memory>

#include "live/formats/readers.h"
#if ESPALIER_HAS_ZSTD
#include <zstd.h>
#endif
#if ESPALIER_HAS_LZ4
#include <lz4frame.h>
#endif

namespace espalier::live {
namespace {

[[maybe_unused]] constexpr std::size_t kPieceBytes = std::size_t{1} << 17;
[[maybe_unused]] constexpr const char* kTooLarge = "it is larger than 1 GiB";
[[maybe_unused]] constexpr const char* kDamaged = "it is damaged, or cut";

}  // namespace

#if ESPALIER_HAS_ZSTD
bool unpack_zstd(std::string_view packed, std::string* bytes, std::string* error) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  if (stream == nullptr) return false;
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t wanted = 1;
  std::string piece(kPieceBytes, '\0');
  while (in.pos < in.size || wanted != 0) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    const std::size_t before = in.pos;
    wanted = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(wanted) != 0 || (out.pos == 0 && in.pos == before)) {
      *error = kDamaged;
      return false;
    }
    if (bytes->size() + out.pos > kMaxLogBytes) {
      *error = kTooLarge;
      return false;
    }
    bytes->append(piece.data(), out.pos);
  }
  return true;
}

bool pack_zstd(std::string_view bytes, std::string* packed) {
  constexpr int kLevel = 19;
  packed->resize(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(packed->data(), packed->size(), bytes.data(), bytes.size(), kLevel);
  if (ZSTD_isError(size) != 0) return false;
  packed->resize(size);
  return true;
}
#else
bool unpack_zstd(std::string_view, std::string*, std::string* error) {
  *error = "this espalier was built without zstd";
  return false;
}

bool pack_zstd(std::string_view, std::string*) { return false; }
#endif

#if ESPALIER_HAS_LZ4
bool unpack_lz4(std::string_view packed, std::string* bytes, std::string* error) {
  LZ4F_dctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) != 0) return false;
  const std::unique_ptr<LZ4F_dctx, LZ4F_errorCode_t (*)(LZ4F_dctx*)> context(made, LZ4F_freeDecompressionContext);
  std::string piece(kPieceBytes, '\0');
  std::size_t wanted = 1;
  while (wanted != 0) {
    std::size_t out = piece.size();
    std::size_t in = packed.size();
    wanted = LZ4F_decompress(context.get(), piece.data(), &out, packed.data(), &in, nullptr);
    if (LZ4F_isError(wanted) != 0 || (out == 0 && in == 0)) {
      *error = kDamaged;
      return false;
    }
    packed.remove_prefix(in);
    if (bytes->size() + out > kMaxLogBytes) {
      *error = kTooLarge;
      return false;
    }
    bytes->append(piece.data(), out);
  }
  return true;
}
#else
bool unpack_lz4(std::string_view, std::string*, std::string* error) {
  *error = "this espalier was built without lz4";
  return false;
}
#endif

}  // namespace espalier::live
