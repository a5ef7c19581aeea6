// The meaning of an asset. See meaning.h.
#include "codegen/meaning.h"

#include <cstdint>
#include <map>
#include <string_view>

#include "codegen/dump/listing.h"
#include "runtime/asset/view.h"

namespace espalier::codegen {

std::string meaning_of(const Asset& asset) {
  std::map<std::uint32_t, std::string_view> sections;
  for (std::uint32_t i = 0; i < header_of(asset).section_count; ++i) {
    const layout::Section& section = section_at(asset, i);
    if ((section.flags & layout::kSectionOptional) != 0) continue;
    sections[section.id] = {array<char>(asset, static_cast<layout::SectionId>(section.id)), section.size_bytes};
  }
  std::string bytes;
  for (const auto& [id, content] : sections) {
    bytes.append(std::to_string(id)).append(1, ' ').append(std::to_string(content.size())).append(1, ' ');
    bytes.append(content);
  }
  return bytes;
}

}  // namespace espalier::codegen
