// How branches of a tree end, and how updates go on from there, by what they depend on: see BranchRow. What is known of
// it changes no result.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/engine.h"
#include "explore/places.h"

namespace espalier::explore {

// In the order in which they were found; empty: it has to be walked each time.
using BranchEnds = std::vector<BranchEnd>;

// Those of a branch, by its bytes.
struct EndsOfBranch {
  WordRows rows;
  std::deque<BranchEnds> ends = {};  // by row
};

struct Gate;

// What an update does from one place to the next gate, or to its end.
struct Passage {
  Gate* gate = nullptr;                   // null: it ends
  Result result = Result::running;        // with this
  std::vector<std::uint64_t> marks = {};  // that it leaves on the way
};

// All that are known from one place, by the bytes that they depend on.
class Passages {
 public:
  // With what the block is like at its end, so far as it may have changed. Null: it is not known.
  const Passage* pass(unsigned char* block) {
    for (std::size_t i = 0; i < alike_.size(); ++i) {
      Alike& alike = alike_[i];
      read_words(alike.places, block, words_.data());
      const std::uint32_t found = alike.rows.find(words_.data());
      if (found == 0) continue;
      write_words(alike.places, block, alike.after.data() + (found - 1) * alike.places.size());
      ++known_count_;
      const Passage* const known = &alike.passages[found - 1];
      if (++alike.known_count; i > 0 && alike.known_count > alike_[i - 1].known_count) std::swap(alike, alike_[i - 1]);
      return known;
    }
    return nullptr;
  }
  // Is it worth while to look for them, and to add others?
  bool is_useful() const { return added_count_ < std::max(kTried, known_count_); }
  // `before`, `after`: the block.
  std::size_t add(const Places& places, const unsigned char* before, const unsigned char* after, Passage passage);
  void add_unknown() { ++added_count_; }

 private:
  static constexpr std::uint64_t kTried = 1024;
  static constexpr std::size_t kMostAlike = 8;
  // Those that depend on the same places.
  struct Alike {
    Places places;
    WordRows rows;
    std::vector<std::uint64_t> after = {};  // rows of words
    std::vector<Passage> passages = {};     // by row
    std::uint64_t known_count = 0;          // the first ones are looked at first
  };
  Alike* alike_of(const Places& places);

  std::vector<Alike> alike_;
  std::vector<std::uint64_t> words_;
  std::uint64_t known_count_ = 0;
  std::uint64_t added_count_ = 0;
};

// Where an update comes to a branch, or to another question of the host.
struct Gate {
  std::uint32_t branch = 0;     // kNoValue: none
  std::uint32_t name = 0;       // of World::names()
  std::uint32_t node_word = 0;  // that asks
  std::string rest = {};        // EngineRow::rest_of_update
  Hash rest_hash = {};
  EndsOfBranch* ends = nullptr;  // from there
  // What follows, by how it ends, or by the answer.
  struct Way {
    std::uint32_t end = 0;
    Passages passages = {};
  };
  std::vector<Way> ways = {};

  Passages& passages_after(const BranchEnd& end) { return passages_after(std::uint32_t{end.status} << 8 | end.fault); }
  Passages& passages_after(Answer answer) { return passages_after(static_cast<std::uint32_t>(answer)); }
  Passages& passages_after(std::uint32_t end) {
    for (Way& way : ways) {
      if (way.end == end) return way.passages;
    }
    return ways.emplace_back(Way{end}).passages;
  }
};

class KnownBranches {
 public:
  // Of updates from their beginning.
  Passages& begin() { return begin_; }
  // Valid until forget_if_full().
  Gate& gate(const Side& side, std::uint32_t branch, std::uint32_t name, std::uint32_t node_word,
             const std::string& rest);
  const BranchEnds& add(Gate& gate, const std::uint64_t* row, BranchEnds ends);
  void add(Passages& passages, const Places& places, const unsigned char* before, const unsigned char* after,
           Passage passage) {
    bytes_ += passages.add(places, before, after, std::move(passage));
  }
  // Between two updates: others are found from now on, too.
  void forget_if_full() {
    if (bytes_ >= kMostBytes) forget();
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 24;
  static constexpr std::size_t kBytesAKey = 96;
  void forget();

  std::unordered_map<std::string, std::unique_ptr<EndsOfBranch>> ends_;
  std::unordered_map<std::string, std::unique_ptr<Gate>> gates_;
  Passages begin_;
  std::string key_;
  std::size_t bytes_ = 0;
};

}  // namespace espalier::explore
