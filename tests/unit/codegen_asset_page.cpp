// schemas/asset.md agrees with the code: parts, records, limits.
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/dump/fields.h"
#include "runtime/decide/layout.h"
#include "runtime/format/records.h"
#include "source_folder.h"
#include "unit.h"

namespace codegen_asset_page {

namespace {

using namespace espalier;
using namespace espalier::layout;

const std::string& page() {
  static const std::string text = [] {
    const auto path = source_folder() / "schemas/asset.md";
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file);
    return (std::ostringstream() << file.rdbuf()).str();
  }();
  return text;
}

// The text between the first `begin` and the next `end`.
std::string part(const std::string& begin, const std::string& end) {
  const std::size_t first = page().find(begin);
  REQUIRE(first != std::string::npos);
  const std::size_t from = first + begin.size();
  return page().substr(from, page().find(end, from) - from);
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// The rows that the page must have for a field: mask and value have separate rows.
std::string rows_of(const codegen::Field& field) {
  const auto row = [](std::size_t offset, std::size_t size, const std::string& name) {
    return "| " + std::to_string(offset) + " | " + std::to_string(size) + " | " + name + " |\n";
  };
  const std::string name(field.name);
  if (field.kind != codegen::FieldKind::mask_and_value) return row(field.offset_bytes, field.size_bytes, name);
  return row(field.offset_bytes, 8, name + "_mask") + row(field.offset_bytes + std::size_t{8}, 8, name + "_value");
}

// The first three columns of the table below a heading.
std::string rows_on_page(const std::string& heading) {
  const std::string text = part("\n### " + heading + " bytes\n", "\n#");
  std::string rows;
  for (std::size_t at = text.find("\n|---"); (at = text.find("\n| ", at + 1)) != std::string::npos;) {
    std::size_t end = at;
    for (int column = 0; column < 4; ++column) end = text.find('|', end + 1);
    rows += text.substr(at + 1, end - at) + "\n";
  }
  return rows;
}

}  // namespace

TEST_CASE("the page's parts of agents' blocks are the code's") {
  const std::string table = part("<!-- parts -->\n", "<!-- end of parts -->");
  std::size_t at = table.find("|---");
  const auto add = [&](const std::string& row) {
    at = table.find('\n', at) + 1;
    CHECK(table.substr(at, row.size()) == row);
  };
#define PART(engine, kind, bits, wide, align, count, start, names, moved)                   \
  add("| " #engine " | " #kind " | " #bits + std::string((wide) == 0 ? "" : " or " #wide) + \
      " | " #align " | " #start " | " + (std::string(#names) == "none" ? std::string() : #names " ") + "|");
#include "runtime/format/parts.def"
#undef PART
  at = table.find('\n', at) + 1;
  CHECK(at == table.size());
}

TEST_CASE("the page's records are the code's") {
  for (std::uint32_t id = 1; id < static_cast<std::uint32_t>(SectionId::count); ++id) {
    std::string expected;
    std::size_t size = 0;
    for (const codegen::Field& field : codegen::fields_of(static_cast<SectionId>(id))) {
      expected += rows_of(field);
      size += field.size_bytes;
    }
    if (expected.empty()) continue;  // bytes and words
    const std::string heading = std::string(codegen::section_name(id)) + ": " + std::to_string(size);
    INFO(heading);
    CHECK(rows_on_page(heading) == expected);
  }
  CHECK(rows_on_page("header: " + std::to_string(sizeof(Header))) ==
        "| 0 | 4 | magic |\n| 4 | 2 | major_version |\n| 6 | 2 | minor_version |\n| 8 | 8 | size_bytes |\n"
        "| 16 | 8 | hash |\n| 24 | 4 | section_count |\n| 28 | 4 | reserved |\n");
  CHECK(rows_on_page("section: " + std::to_string(sizeof(Section))) ==
        "| 0 | 1 | id |\n| 1 | 1 | flags |\n| 2 | 2 | record_bytes |\n| 4 | 4 | size_bytes |\n");
}

TEST_CASE("the page's sizes of what is kept while deciders choose are the code's") {
  const std::string frame = std::to_string(kFrameBytes);
  const std::string answer = std::to_string(kAnswerBytes);
  for (const std::string& said : {"a *frame* of " + frame + " bytes", "An answer takes " + answer + " bytes",
                                  "\nanswer_bytes  = " + answer + " + block", "\nchoosing      = " + frame + " + ",
                                  "\nscratch_bytes = " + answer + " + block"}) {
    INFO(said);
    CHECK(page().find(said) != std::string::npos);
  }
}

TEST_CASE("the page's limits are the code's") {
  const std::string limits = part("## 10. Limits\n", "\n## ");
  const std::pair<const char*, std::uint64_t> kLimits[] = {
      {"nodes of a tree, with shared units counted for each use", kMaxNodes},
      {"nested nodes in one unit", kMaxDepth},
      {"the same, if the tree ticks, has rules or stores", kMaxTickDepth},
      {"nested machines and shared units; nested parallels", kMaxRegions},
      {"states of a machine that selects", kMaxStates},
      {"states of a machine that ticks, cases of a priority", kMaxEventStates},
      {"branches of a parallel", kMaxBranches},
      {"limits of a tree", kMaxLimits},
      {"rules of a tree, with units counted for each use", kMaxRules},
      {"nodes of a tree of deciders, each unit counted once", kMaxNodes},
      {"deciders on a path", kMaxLevels},
      {"deciders that are asked when one decider is asked", kMaxAsked},
      {"children of a `decide_shuffle`", kMaxShuffled},
      {"decision flags of a tree", kMaxFlags},
      {"stimuli of a tree", kMaxStimuli},
      {"behaviour flags of a tree", kMaxBehaviorFlags},
      {"`max_redecides`", kMaxRedecides},
      {"bytes of a behaviour's memory", kMaxMemoryBytes},
      {"bytes of a decider block", kMaxBlockBytes},
      {"microseconds of `every_us` and `timeout_us`", kMaxTimeUs},
      {"bytes of the block, and of the memory for a choice, of a tree of deciders", kMaxDecideBytes},
      {"trees up to and including the last one that stores", kMaxStoreTrees},
      {"roles of a group", kMaxRoles},
      {"barriers of a group, by name", kMaxNodes},
      {"levels of trees in slots", kMaxTreeLevels},
      {"bytes up to which needs are counted", kMaxNeedBytes},
      {"results on the stack of a condition", kMaxBits},
      {"bytes of an agent's block, except for deciders and trees that poll", kMaxAgentBytes},
  };
  for (const auto& [name, value] : kLimits) {
    INFO(name);
    CHECK(limits.find("\n| " + std::string(name) + " | " + with_commas(value) + " |") != std::string::npos);
  }
  CHECK(page().find("format version " + std::to_string(kMajorVersion) + "." + std::to_string(kMinorVersion)) !=
        std::string::npos);
}

}  // namespace codegen_asset_page
