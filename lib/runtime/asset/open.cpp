// Opens an asset: checks its header, hash and section table. The verifier checks the rest (verify.h).
#include <cstring>

#include "asset/hash.h"
#include "asset/verify.h"
#include "core/engine.h"

namespace espalier {
namespace {

using layout::SectionId;

constexpr std::uint32_t kSectionEnd = static_cast<std::uint32_t>(SectionId::count);
constexpr std::uint64_t kMaxAssetBytes = 0xFFFFFFF8;  // sections' offsets have 32 bits

// Is this machine little-endian?
bool is_little_endian() {
  const std::uint16_t number = 1;
  unsigned char first = 0;
  std::memcpy(&first, &number, sizeof first);
  return first == 1;
}

Fault check_header(const unsigned char* bytes, std::size_t size_bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes) % layout::kAlignment != 0) return {Status::misaligned, "", 0};
  if (size_bytes < sizeof(layout::Header)) return {Status::not_an_asset, "shorter than the header", 0};
  const Fault order = check_byte_order(bytes, is_little_endian());
  if (order.status != Status::ok) return order;
  const layout::Header& header = *reinterpret_cast<const layout::Header*>(bytes);
  if (header.major_version != layout::kMajorVersion) {
    return {Status::unsupported_version, "another major version", offsetof(layout::Header, major_version)};
  }
  if (header.size_bytes != size_bytes || size_bytes % layout::kAlignment != 0 || size_bytes > kMaxAssetBytes) {
    return {Status::wrong_size, "the header has another size", offsetof(layout::Header, size_bytes)};
  }
  if (header.hash != asset_hash(bytes, size_bytes)) {
    return {Status::wrong_hash, "the header has another hash", offsetof(layout::Header, hash)};
  }
  if (header.reserved != 0) return {Status::malformed, "a reserved field is used", offsetof(layout::Header, reserved)};
  return {};
}

bool is_zero(const unsigned char* bytes, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t i = begin; i < end; ++i) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

// Null if a section matches sections.def; else the reason. Records may be longer than in this version.
const char* check_section(const layout::Section& section) {
  const layout::SectionInfo& info = section_info(static_cast<SectionId>(section.id));
  if ((section.flags == layout::kSectionOptional) != layout::is_optional(info.presence)) {
    return "a section's optional flag is wrong";
  }
  const bool is_known_size = info.growth == layout::Growth::fixed ? section.record_bytes == info.record_bytes
                                                                  : section.record_bytes >= info.record_bytes;
  if (!is_known_size || section.record_bytes % info.alignment != 0) return "records have the wrong size";
  if (section.size_bytes % section.record_bytes != 0) return "the size of a section is not a multiple of its records";
  if (!layout::may_be_empty(info.presence) && section.size_bytes == 0) {
    return "an optional section is empty";
  }
  return nullptr;
}

// Sections follow one another in the order of their ids, with zeros between them.
Fault check_sections(const unsigned char* bytes, Asset* asset) {
  const layout::Header& header = *reinterpret_cast<const layout::Header*>(bytes);
  const std::uint64_t table_end =
      sizeof(layout::Header) + std::uint64_t{header.section_count} * sizeof(layout::Section);
  if (table_end > header.size_bytes) {
    return {Status::malformed, "the section table is truncated", offsetof(layout::Header, section_count)};
  }
  const layout::Section* sections = reinterpret_cast<const layout::Section*>(bytes + sizeof(layout::Header));
  std::uint64_t end = table_end;
  for (std::uint32_t i = 0; i < header.section_count; ++i) {
    const layout::Section& section = sections[i];
    const std::uint64_t place = sizeof(layout::Header) + std::uint64_t{i} * sizeof(layout::Section);
    if (section.flags > layout::kSectionOptional || section.id == 0 || (i > 0 && section.id <= sections[i - 1].id)) {
      return {Status::malformed, "the section table is out of order", place};
    }
    if (section.record_bytes == 0) return {Status::malformed, "records have the wrong size", place};
    const std::uint64_t begin = layout::section_begin(end, section.record_bytes);
    if (begin > header.size_bytes || section.size_bytes > header.size_bytes - begin) {
      return {Status::malformed, "a section is truncated", place};
    }
    if (!is_zero(bytes, end, begin)) return {Status::malformed, "padding is not 0", end};
    end = begin + section.size_bytes;
    if (section.id < kSectionEnd) {
      if (const char* reason = check_section(section)) return {Status::malformed, reason, place};
      asset->internal[section.id] = bytes + begin;
      asset->internal_numbers[section.id] = section.size_bytes / section.record_bytes;
      asset->internal_numbers[kRecordBytesPlace + section.id] = section.record_bytes;
    } else if (section.flags != layout::kSectionOptional) {
      return {Status::unsupported_version, "a required section is unknown to this runtime", place};
    }
  }
  for (std::uint32_t id = 1; id < kSectionEnd; ++id) {
    const bool is_needed = section_info(static_cast<SectionId>(id)).presence == layout::Presence::always;
    if (is_needed && asset->internal[id] == nullptr) {
      return {Status::malformed, "a section is missing", sizeof(layout::Header)};
    }
  }
  const std::uint64_t padded = (end + layout::kAlignment - 1) / layout::kAlignment * layout::kAlignment;
  if (padded == header.size_bytes && !is_zero(bytes, end, padded)) return {Status::malformed, "padding is not 0", end};
  if (padded != header.size_bytes) return {Status::malformed, "bytes outside all sections", end};
  return {};
}

Fault check_asset(const unsigned char* bytes, std::size_t size_bytes, Asset* asset) {
  Fault fault = check_header(bytes, size_bytes);
  if (fault.status != Status::ok) return fault;
  asset->internal[kBytesPlace] = bytes;
  fault = check_sections(bytes, asset);
  if (fault.status != Status::ok) return fault;
  Verifier verifier(*asset);
  return verifier.check() ? Fault{} : verifier.fault();
}

}  // namespace

Fault check_byte_order(const unsigned char* magic, bool is_host_little_endian) {
  const std::string_view found(reinterpret_cast<const char*>(magic), 4);
  if (found == "BPSE") return {Status::wrong_byte_order, "big-endian: it begins with BPSE, not ESPB", 0};
  if (found != "ESPB") return {Status::not_an_asset, "it does not begin with ESPB", 0};
  if (!is_host_little_endian) {
    return {Status::wrong_byte_order, "this host is big-endian, and assets are little-endian", 0};
  }
  return {};
}

}  // namespace espalier

using namespace espalier;

espalier_status espalier_open_with(const espalier_engine* const* engines, size_t engine_count, const void* bytes,
                                   size_t size_bytes, espalier_asset* asset, espalier_fault* fault) {
  Asset view = {};
  for (std::size_t i = 0; i < engine_count; ++i) {
    view.internal[kEnginesPlace + static_cast<std::size_t>(engines[i]->id)] = engines[i];
  }
  const Fault found = check_asset(static_cast<const unsigned char*>(bytes), size_bytes, &view);
  if (found.status == Status::ok) {
    *asset = view;
  } else if (fault != nullptr) {
    *fault = found;
  }
  return found.status;
}
