// Damaged and hostile assets: whatever the bytes are, open() refuses them or agents run on them safely. Made to be run
// under the address and undefined-behaviour sanitizers: assets and agents are in heap buffers of exactly their size.
#include <algorithm>
#include <cstring>
#include <memory>
#include <unordered_set>

#include "runtime/asset/verify.h"
#include "runtime/format/records.h"
#include "runtime_assets.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace runtime_hostile {

namespace {

using namespace espalier;
using test::Bytes;
using test::mend_hash;
using test::open_and_run;
using test::small_asset;
using test::small_deciders_asset;
using test::small_rules_asset;
using test::small_store_asset;
using test::small_ticking_asset;

// How many of the damaged forms of an asset were refused and how many accepted. Each form is tried once: changes repeat
// one another, and most words are 0 already.
class Tally {
 public:
  explicit Tally(Bytes whole) : seen_{mend_hash(whole)} {}

  void try_once(Bytes& bytes) {
    if (!seen_.insert(mend_hash(bytes)).second) return;
    ++(open_and_run(bytes) == Status::ok ? accepted_ : refused_);
  }

  std::size_t refused() const { return refused_; }
  std::size_t accepted() const { return accepted_; }

 private:
  std::unordered_set<std::uint64_t> seen_;
  std::size_t refused_ = 0;
  std::size_t accepted_ = 0;
};

// A small asset of each engine.
std::vector<Bytes> small_assets(bool strip) {
  return {small_asset(strip),           small_ticking_asset(strip), small_rules_asset(strip),
          small_deciders_asset(strip),  small_store_asset(strip),   test::overlapping_store_asset(strip),
          test::small_poll_asset(strip)};
}

// A few changes in any places: plausible numbers from elsewhere, small steps, any byte.
Bytes changed(const Bytes& whole, test::Random& random) {
  Bytes bytes = whole;
  const std::uint32_t change_count = 1 + random.below(4);
  for (std::uint32_t i = 0; i < change_count; ++i) {
    const auto words = static_cast<std::uint32_t>(whole.size() / 4);
    const std::size_t to = 4 * std::size_t{random.below(words)};
    const std::size_t from = 4 * std::size_t{random.below(words)};
    switch (random.below(3)) {
      case 0:
        std::memcpy(bytes.data() + to, whole.data() + from, 4);
        break;
      case 1:
        bytes[to] = static_cast<unsigned char>(bytes[to] + random.below(5) - 2);
        break;
      default:
        bytes[to + random.below(4)] = static_cast<unsigned char>(random.below(256));
        break;
    }
  }
  return bytes;
}

}  // namespace

TEST_CASE("an asset as it was written is accepted and runs") {
  for (const bool strip : {false, true}) {
    for (const Bytes& whole : small_assets(strip)) CHECK(open_and_run(whole) == Status::ok);
  }
}

TEST_CASE("an asset that is cut is refused at every length") {
  for (const Bytes& whole : small_assets(false)) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const Status expected = size < sizeof(layout::Header) ? Status::not_an_asset : Status::wrong_size;
      if (open_and_run(cut) != expected) FAIL("cut at " << size);
      // The same by an attacker who corrects the checks against accidents.
      if (size < sizeof(layout::Header)) continue;
      const std::uint64_t told = size;
      std::memcpy(cut.data() + offsetof(layout::Header, size_bytes), &told, sizeof told);
      mend_hash(cut);
      if (open_and_run(cut) == Status::ok) FAIL("cut and mended at " << size);
    }
  }
}

TEST_CASE("bytes behind an asset are refused") {
  Bytes longer = small_asset(false);
  for (int i = 0; i < 16; ++i) {
    longer.push_back(0);
    CHECK(open_and_run(longer) == Status::wrong_size);
  }
}

TEST_CASE("an asset that lies at no multiple of 8 is refused") {
  const Bytes whole = small_asset(false);
  for (std::size_t shift = 1; shift < 8; ++shift) {
    const auto shifted = std::make_unique<unsigned char[]>(whole.size() + shift);
    std::memcpy(shifted.get() + shift, whole.data(), whole.size());
    Asset asset;
    CHECK(open(shifted.get() + shift, whole.size(), &asset) == Status::misaligned);
  }
}

TEST_CASE("a fault tells the status and the place") {
  Bytes bytes = small_asset(true);
  bytes[0] ^= 1;
  Asset asset;
  Fault fault;
  REQUIRE(open(bytes.data(), bytes.size(), &asset, &fault) == Status::not_an_asset);
  CHECK(fault.status == Status::not_an_asset);
  CHECK(fault.reason != nullptr);
  CHECK(fault.offset_bytes < bytes.size());
}

TEST_CASE("bytes in the wrong order are told apart from what is no asset") {
  const auto* right = reinterpret_cast<const unsigned char*>("ESPB");
  const auto* swapped = reinterpret_cast<const unsigned char*>("BPSE");
  CHECK(check_byte_order(right, true).status == Status::ok);
  const Fault big_endian = check_byte_order(right, false);
  CHECK(big_endian.status == Status::wrong_byte_order);
  CHECK(std::string(big_endian.reason) == "this host is big-endian, and assets are little-endian");
  for (const bool is_little_endian : {true, false}) {
    const Fault fault = check_byte_order(swapped, is_little_endian);
    CHECK(fault.status == Status::wrong_byte_order);
    CHECK(std::string(fault.reason) == "big-endian: it begins with BPSE, not ESPB");
  }
  CHECK(check_byte_order(reinterpret_cast<const unsigned char*>("<Sel"), false).status == Status::not_an_asset);
  Bytes bytes = small_asset(true);
  std::reverse(bytes.begin(), bytes.begin() + 4);
  CHECK(open_and_run(bytes) == Status::wrong_byte_order);
}

TEST_CASE("another major version is refused, a later minor one read") {
  Bytes bytes = small_asset(true);
  bytes[offsetof(layout::Header, major_version)] = layout::kMajorVersion + 1;
  mend_hash(bytes);
  CHECK(open_and_run(bytes) == Status::unsupported_version);
  bytes = small_asset(true);
  bytes[offsetof(layout::Header, minor_version)] = layout::kMinorVersion + 1;
  mend_hash(bytes);
  CHECK(open_and_run(bytes) == Status::ok);
}

TEST_CASE("every changed byte of an asset is refused") {
  Bytes bytes = small_ticking_asset(true);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (unsigned change = 1; change < 256; change = change == 128 ? 255 : change * 2) {
      bytes[i] = static_cast<unsigned char>(bytes[i] ^ change);
      Asset asset;
      const Status status = open(bytes.data(), bytes.size(), &asset);
      if (status == Status::ok) FAIL("byte " << i << " xor " << change);
      const bool guarded = i >= offsetof(layout::Header, hash);  // the fields before it are checked first
      if (guarded && status != Status::wrong_hash) FAIL("byte " << i << " is not noticed by the hash");
      bytes[i] = static_cast<unsigned char>(bytes[i] ^ change);
    }
  }
}

TEST_CASE("every changed byte is refused or harmless when the hash is mended", "[hostile][bytes]") {
  std::vector<Bytes> assets = small_assets(true);
  assets.push_back(small_asset(false));
  for (const Bytes& whole : assets) {
    Tally tally(whole);
    for (std::size_t i = 0; i < whole.size(); i += static_cast<std::size_t>(usual_stride())) {
      INFO("byte " << i);
      const unsigned char old = whole[i];
      Bytes bytes = whole;
      for (const unsigned change : {1, 2, 4, 8, 32, 128, 255, old ^ ((old + 1) & 255), old ^ ((old - 1) & 255)}) {
        bytes[i] = static_cast<unsigned char>(old ^ change);
        tally.try_once(bytes);
      }
    }
    CHECK(tally.refused() > tally.accepted());  // most of an asset is structure
    CHECK(tally.accepted() > 0);                // letters of names, tested bits
  }
}

TEST_CASE("every word that is set to a tempting number is refused or harmless", "[hostile][words]") {
  for (const Bytes& whole : small_assets(true)) {
    const auto size = static_cast<std::uint32_t>(whole.size());
    const std::uint32_t tempting[] = {0,          1,      2,       0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
                                      0xFFFFFFF8, 0xFFFF, 0x10000, size,       size - 8,   size / 2};
    Tally tally(whole);
    for (std::size_t i = 0; i + 4 <= whole.size(); i += 4 * static_cast<std::size_t>(usual_stride())) {
      INFO("word at " << i);
      Bytes bytes = whole;
      for (const std::uint32_t value : tempting) {
        std::memcpy(bytes.data() + i, &value, sizeof value);
        tally.try_once(bytes);
      }
    }
    CHECK(tally.refused() > tally.accepted());
  }
}

TEST_CASE("assets that are changed in several places are refused or harmless", "[hostile][places]") {
  test::Random random{7};
  for (const Bytes& whole : small_assets(true)) {
    Tally tally(whole);
    for (int round = 0; round < 15000 / usual_stride(); ++round) {
      INFO("round " << round);
      Bytes bytes = changed(whole, random);
      tally.try_once(bytes);
    }
    CHECK(tally.refused() > 0);
    CHECK(tally.accepted() > 0);
  }
}

TEST_CASE("an agent's block of any content can be updated") {
  const Bytes whole = small_asset(true);
  Asset asset;
  REQUIRE(open(whole.data(), whole.size(), &asset) == Status::ok);
  const Tree only = tree(asset, 0);
  const auto block = std::make_unique<unsigned char[]>(agent_bytes(only));
  test::Random random{11};
  for (int round = 0; round < 20000; ++round) {
    for (std::size_t i = 0; i < agent_bytes(only); ++i) block[i] = static_cast<unsigned char>(random.below(256));
    const Host host;
    const Result result = update(only, block.get(), host);
    const std::uint32_t leaf = current_leaf(only, block.get());
    if ((result == Result::running) != (leaf < leaf_count(only))) FAIL("round " << round << ": a leaf that is none");
    if (round % 2 == 0) signal(only, block.get(), random.below(signal_count(only)), host);
    if (round % 3 == 0) stop(only, block.get(), host);
  }
}

}  // namespace runtime_hostile
