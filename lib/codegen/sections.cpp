// Writes sections as bytes. See sections.h.
#include "codegen/sections.h"

#include <cstring>
#include <functional>
#include <string_view>

#include "runtime/asset/hash.h"

namespace espalier::codegen {
namespace {

using layout::SectionId;

// Writes the sections in the order of their ids, and the header last. What is written of them is released, so that a
// large asset is not there twice.
class AssetWriter {
 public:
  template <typename Content>
  void add(SectionId id, Content& content) {
    const std::string_view bytes = bytes_of(content);
    const layout::SectionInfo& info = section_info(id);
    if (bytes.empty() && !layout::may_be_empty(info.presence)) return;
    table_.push_back({static_cast<std::uint8_t>(id),
                      layout::is_optional(info.presence) ? layout::kSectionOptional : std::uint8_t{0},
                      info.record_bytes, static_cast<std::uint32_t>(bytes.size())});
    parts_.push_back({bytes, [&content] { Content().swap(content); }});
  }

  // Empty if the asset is too large for 32-bit offsets.
  std::vector<std::uint64_t> finish(std::size_t* size_bytes) {
    std::uint64_t end = sizeof(layout::Header) + table_.size() * sizeof(layout::Section);
    std::vector<std::uint64_t> begins;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      begins.push_back(layout::section_begin(end, table_[i].record_bytes));
      end = begins.back() + parts_[i].bytes.size();
    }
    end = (end + layout::kAlignment - 1) / layout::kAlignment * layout::kAlignment;
    if (end > 0xFFFFFFF8) return {};
    std::vector<std::uint64_t> words;
    words.reserve(end / sizeof(std::uint64_t));  // it does not move, and is used as it is filled
    char* const bytes = reinterpret_cast<char*>(words.data());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::string_view part = parts_[i].bytes;
      words.resize((begins[i] + part.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
      if (!part.empty()) std::memcpy(bytes + begins[i], part.data(), part.size());
      parts_[i].release();
    }
    words.resize(end / sizeof(std::uint64_t));
    std::memcpy(bytes + sizeof(layout::Header), table_.data(), table_.size() * sizeof(layout::Section));
    layout::Header header = {layout::kMagic,
                             layout::kMajorVersion,
                             layout::kMinorVersion,
                             end,
                             0,
                             static_cast<std::uint32_t>(table_.size()),
                             0};
    std::memcpy(bytes, &header, sizeof header);
    header.hash = asset_hash(bytes, end);
    std::memcpy(bytes, &header, sizeof header);
    *size_bytes = end;
    return words;
  }

 private:
  std::vector<layout::Section> table_;
  struct Part {
    std::string_view bytes;
    std::function<void()> release;
  };
  std::vector<Part> parts_;
};

}  // namespace

std::vector<std::uint64_t> write_asset(Sections&& sections, bool strip, std::size_t* size_bytes) {
  AssetWriter writer;
#define ASSET_SECTION(id, name, record, growth, presence, owner) \
  if (!strip || !layout::is_debug(layout::Presence::presence)) writer.add(SectionId::name, sections.name);
#include "runtime/format/sections.def"
#undef ASSET_SECTION
  return writer.finish(size_bytes);
}

}  // namespace espalier::codegen
