// Assets for tests: small ones with every kind of record, changed bytes with a correct hash, and assets split into
// sections and reassembled.
#pragma once
#include <cstdint>
#include <cstring>
#include <espalier/espalier.hpp>
#include <map>
#include <vector>

#include "payloads.h"
#include "runtime/format/section.h"

namespace espalier::test {

using Bytes = std::vector<unsigned char>;

// The compiled bytes of a project.
Bytes compiled_bytes(const DraftProject& project, bool strip);
// The same for a project that no reader would produce, stripped and not opened.
Bytes unopened_bytes(const DraftProject& project);

// The smallest asset of one tree that selects with every kind of record of such trees.
Bytes small_asset(bool strip);
// The same for two trees that tick, between which an agent can be moved.
Bytes small_ticking_asset(bool strip);
// The same for two trees of rules that share a file's rules.
Bytes small_rules_asset(bool strip);
// The same for two trees of deciders, between which an agent can be moved.
Bytes small_deciders_asset(bool strip);
// The same for two trees that store their results and run one another in slots.
Bytes small_store_asset(bool strip);
Bytes small_poll_asset(bool strip);
// Of four such trees. In the second one the rooms of two slots overlap; the first one has all of its slots in use at
// once.
Bytes overlapping_store_asset(bool strip);

// Writes the correct hash into the header, as an attacker would, and returns it.
std::uint64_t mend_hash(Bytes& bytes);

// Opens the bytes in a buffer of exactly their size and, if they are accepted, uses all of them: names, agents, the
// printed form. Fails the test when an accepted asset misbehaves in a way that is visible without a sanitizer.
Status open_and_run(const Bytes& bytes);

// The sections of an asset. assemble() writes a new header, section table and hash. Records that may grow become
// `growth_bytes` bytes longer, as in a later version.
using Parts = std::map<layout::SectionId, Bytes>;
Parts take_apart(const Bytes& bytes);
Bytes assemble(const Parts& parts, std::size_t growth_bytes = 0);

// The records of a section, to change them.
template <typename Record>
class Records {
 public:
  Records(Parts& parts, layout::SectionId id) : bytes_(parts[id]), values_(bytes_.size() / sizeof(Record)) {
    if (!values_.empty()) std::memcpy(values_.data(), bytes_.data(), values_.size() * sizeof(Record));
  }
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;
  // Writes the records back into the section.
  ~Records() {
    bytes_.resize(values_.size() * sizeof(Record));
    if (!values_.empty()) std::memcpy(bytes_.data(), values_.data(), bytes_.size());
  }
  std::vector<Record>& operator*() { return values_; }
  std::vector<Record>* operator->() { return &values_; }
  Record& operator[](std::size_t index) { return values_.at(index); }

 private:
  Bytes& bytes_;
  std::vector<Record> values_;
};

}  // namespace espalier::test
