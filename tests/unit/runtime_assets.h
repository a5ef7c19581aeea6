// Assets for tests: a small one of everything, changed bytes with a right hash, and assets taken apart into sections
// and put together.
#pragma once
#include <cstdint>
#include <cstring>
#include <espalier/espalier.hpp>
#include <map>
#include <vector>

#include "ir/tree.h"
#include "runtime/format/section.h"

namespace espalier::test {

using Bytes = std::vector<unsigned char>;

// The bytes that a project is compiled to.
Bytes compiled_bytes(const ir::Project& project, bool strip);
// The same of a project that no reader would give, stripped, and never opened.
Bytes unopened_bytes(const ir::Project& project);

// An asset of one tree that selects, with every kind of record that such trees have and as few bytes as that takes.
Bytes small_asset(bool strip);
// The same of trees that tick: two, which an agent can be moved between.
Bytes small_ticking_asset(bool strip);
// The same of trees of rules: two, which share a file's rules.
Bytes small_rules_asset(bool strip);
// The same of trees of deciders: two, which an agent can be moved between.
Bytes small_deciders_asset(bool strip);
// The same of trees that store their results: two, which run one another in slots.
Bytes small_store_asset(bool strip);

// Writes the right hash into the header, as who wants to do harm would.
void mend_hash(Bytes& bytes);

// Opens the bytes in a buffer of exactly their size and, when they are accepted, uses all of them: names, agents, the
// printed form. Fails the test when an accepted asset misbehaves in a way that needs no sanitizer to see.
Status open_and_run(const Bytes& bytes);

// The sections of an asset. assemble() writes header, section table and hash anew; records that may grow are so much
// longer, as those of a later version may be.
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
  // Back into the section.
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
