// The messages for faults of an asset. The rules' examples are golden cases.
#include <algorithm>
#include <cstring>
#include <sstream>

#include "codegen/asset_fault.h"
#include "codegen_trees.h"
#include "runtime/asset/hash.h"
#include "runtime/format/records.h"
#include "unit.h"

namespace codegen_asset_faults {

namespace {

using namespace espalier;

// The bytes of a project that compiles.
std::string sound_asset() {
  test::Compiled asset;
  test::compile({{test::guard()}, {}}, asset);
  return {reinterpret_cast<const char*>(asset.words.data()), asset.size_bytes};
}

void rehash(std::string& bytes) {
  const std::uint64_t hash = asset_hash(bytes.data(), bytes.size());
  std::memcpy(bytes.data() + offsetof(layout::Header, hash), &hash, sizeof hash);
}

// Does steps to the asset, divided by ", ": cut N, add N, set N = B, rehash.
void change(std::string& bytes, const std::string& steps) {
  std::istringstream stream(steps);
  for (std::string step; std::getline(stream >> std::ws, step, ',');) {
    std::istringstream words(step);
    std::string verb;
    std::size_t number = 0;
    std::string equals;
    unsigned value = 0;
    words >> verb >> number >> equals >> value;
    if (verb == "cut") {
      bytes.resize(number);
    } else if (verb == "add") {
      bytes.append(number, '\0');
    } else if (verb == "set") {
      REQUIRE(number < bytes.size());
      bytes[number] = static_cast<char>(value);
    } else if (verb == "rehash") {
      rehash(bytes);
    } else {
      FAIL("unknown step");
    }
  }
}

// The status of open() for these bytes. Unless it is `ok`, `result` gets the description of the fault.
Status open_bytes(const std::string& bytes, codegen::AssetFault* result) {
  std::vector<std::uint64_t> words(bytes.size() / 8 + 1);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  Asset asset;
  Fault fault;
  const Status status = open(words.data(), bytes.size(), &asset, &fault);
  if (status != Status::ok) *result = codegen::describe_fault(bytes, fault);
  return status;
}

}  // namespace

TEST_CASE("a fault is told with the file, the byte, the reason and what helps") {
  const struct {
    const char* steps;
    const char* text;
  } kCases[] = {
      {"cut 0", "a.espb: byte 0: error: the file is empty [not-an-asset AST001]\n"},
      {"cut 20",
       "a.espb: byte 0: error: this is not a compiled asset: shorter than the header [not-an-asset AST001]\n"},
      {"set 0 = 60",
       "a.espb: byte 0: error: this is XML, not a compiled asset [not-an-asset AST001]\n"
       "  hint: compile it first: espalier compile FILE.xml -o FILE.espb\n"},
      {"set 4 = 4",
       "a.espb: byte 4: error: the asset has version 4.0, which this espalier cannot read "
       "[unsupported-version AST002]\n"
       "  hint: this espalier reads version 3; compile the asset again\n"},
      {"set 40 = 255",
       "a.espb: byte 16: error: the bytes were changed: their hash differs from the one in the header "
       "[wrong-hash AST004]\n"
       "  hint: the file was damaged or changed; copy it in binary mode or compile it again\n"},
      {"set 28 = 1, rehash", "a.espb: byte 28: error: a reserved field is used [malformed-asset AST005]\n"},
  };
  for (const auto& row : kCases) {
    std::string bytes = sound_asset();
    change(bytes, row.steps);
    codegen::AssetFault fault{};
    REQUIRE(open_bytes(bytes, &fault) != Status::ok);
    CHECK(codegen::fault_text("a.espb", fault) == row.text);
  }
}

TEST_CASE("a wrong size tells both sizes, and whether bytes are missing or too many") {
  std::string bytes = sound_asset();
  const std::string size = std::to_string(bytes.size());
  codegen::AssetFault fault{};
  change(bytes, "cut 200");
  REQUIRE(open_bytes(bytes, &fault) == Status::wrong_size);
  CHECK(fault.message == "the header says " + size + " bytes, but the file has 200");
  CHECK(fault.hint == "the file was cut off; copy it or compile it again");
  bytes = sound_asset();
  change(bytes, "add 8");
  REQUIRE(open_bytes(bytes, &fault) == Status::wrong_size);
  CHECK(fault.hint == "there are bytes after the end of the asset; copy it or compile it again");
}

TEST_CASE("XML is told from other files in any encoding") {
  for (const std::string& bytes :
       {std::string("<a/>"), std::string("\xEF\xBB\xBF<a/>"), std::string("\xFF\xFE<\0a\0", 6),
        std::string("\xFE\xFF\0<\0a", 6), std::string("\n  <a/>")}) {
    codegen::AssetFault fault{};
    REQUIRE(open_bytes(bytes, &fault) == Status::not_an_asset);
    CHECK(fault.message == "this is XML, not a compiled asset");
  }
}

}  // namespace codegen_asset_faults
