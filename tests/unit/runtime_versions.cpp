// Assets of later minor versions: records that have grown, and sections that this version does not know.
#include "codegen/dump/disassemble.h"
#include "runtime_assets.h"
#include "unit.h"

namespace runtime_versions {

namespace {

using namespace espalier;
using layout::SectionId;
using test::Bytes;

// The contents of an asset, except the positions of its sections.
std::string content_of(const Bytes& bytes) {
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  Asset asset;
  REQUIRE(open(words.data(), bytes.size(), &asset) == Status::ok);
  const std::string text = codegen::disassemble(asset);
  return text.substr(text.find("\ntree 0"));
}

// An unknown section, after all others.
Bytes with_section(const Bytes& bytes, std::uint8_t flags) {
  layout::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t table_end = sizeof header + header.section_count * sizeof(layout::Section);
  Bytes result = bytes;
  // As long as its row in the table, and the multiple of 8 that the others are moved by.
  const layout::Section added = {200, flags, 8, 24};
  static_assert(sizeof added == layout::kAlignment);
  const auto* first = reinterpret_cast<const unsigned char*>(&added);
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(table_end), first, first + sizeof added);
  result.resize(result.size() + 24, 0xA5);
  ++header.section_count;
  header.size_bytes = result.size();
  std::memcpy(result.data(), &header, sizeof header);
  test::mend_hash(result);
  return result;
}

std::vector<Bytes> assets() {
  return {test::small_asset(false), test::small_ticking_asset(false), test::small_rules_asset(false),
          test::small_deciders_asset(false), test::small_store_asset(false)};
}

}  // namespace

TEST_CASE("records that have grown at their end are read as far as they are known") {
  for (const Bytes& asset : assets()) {
    const Bytes grown = test::assemble(test::take_apart(asset), 8);
    CHECK(grown.size() > asset.size());
    CHECK(content_of(grown) == content_of(asset));
    CHECK(test::open_and_run(grown) == Status::ok);
  }
}

TEST_CASE("records that are fixed, or shorter than they are known, are refused") {
  for (const SectionId id : {SectionId::nodes, SectionId::tests, SectionId::trees, SectionId::variables}) {
    const bool is_fixed = section_info(id).growth == layout::Growth::fixed;
    Bytes bytes = test::small_asset(false);
    layout::Section section;
    std::size_t place = sizeof(layout::Header);
    for (;; place += sizeof section) {
      std::memcpy(&section, bytes.data() + place, sizeof section);
      if (section.id == static_cast<std::uint8_t>(id)) break;
    }
    for (const int change : {-4, is_fixed ? 4 : 2}) {  // 2: not a multiple of what a record must lie at
      layout::Section changed = section;
      changed.record_bytes = static_cast<std::uint16_t>(section.record_bytes + change);
      std::memcpy(bytes.data() + place, &changed, sizeof changed);
      test::mend_hash(bytes);
      CHECK(test::open_and_run(bytes) == Status::malformed);
    }
  }
}

TEST_CASE("a section that is not known is skipped when it is optional, and refused when it is not") {
  for (const Bytes& asset : assets()) {
    CHECK(test::open_and_run(with_section(asset, layout::kSectionOptional)) == Status::ok);
    CHECK(test::open_and_run(with_section(asset, 0)) == Status::unsupported_version);
  }
}

}  // namespace runtime_versions
