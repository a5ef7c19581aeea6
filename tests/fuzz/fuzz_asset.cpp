// Any bytes as an asset: refused, or safe to run and to print, with blocks of any content. Checks that only guard
// against accidents are made to pass first, so that the verifier itself is tested.
#include <algorithm>

#include "codegen/dump/disassemble.h"
#include "crowd.h"
#include "runtime/asset/hash.h"
#include "runtime/format/records.h"
#include "saved.h"

namespace {

namespace layout = espalier::layout;

void open_and_run(const unsigned char* bytes, std::size_t size_bytes) {
  espalier::Asset asset;
  if (espalier::open(bytes, size_bytes, &asset) != espalier::Status::ok) {
    fuzz::require(espalier::first_byte(asset) == nullptr);
    return;
  }
  fuzz::run_agents(asset, size_bytes);
  fuzz::try_blocks(asset, bytes, size_bytes);
  fuzz::require(!espalier::codegen::disassemble(asset).empty());
}

void mend_header(unsigned char* bytes, std::size_t size_bytes) {
  layout::Header header;
  std::memcpy(&header, bytes, sizeof header);
  header.magic = layout::kMagic;
  header.major_version = layout::kMajorVersion;
  header.size_bytes = size_bytes;
  header.reserved = 0;
  std::memcpy(bytes, &header, sizeof header);
  header.hash = espalier::asset_hash(bytes, size_bytes);
  std::memcpy(bytes, &header, sizeof header);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  const auto exact = std::make_unique<unsigned char[]>(size_bytes);
  std::copy_n(data, size_bytes, exact.get());
  open_and_run(exact.get(), size_bytes);
  const std::size_t whole_bytes = size_bytes / layout::kAlignment * layout::kAlignment;
  if (whole_bytes < sizeof(layout::Header)) return 0;
  const auto mended = std::make_unique<unsigned char[]>(whole_bytes);
  std::copy_n(data, whole_bytes, mended.get());
  mend_header(mended.get(), whole_bytes);
  open_and_run(mended.get(), whole_bytes);
  return 0;
}
