// What is known of branches. See known_branches.h.
#include "explore/known_branches.h"

namespace espalier::explore {

// Those that depend on bits of the same words are one: all are looked for anew if there are more bits.
Passages::Alike* Passages::alike_of(const Places& places) {
  for (Alike& alike : alike_) {
    const Places all = joined(alike.places, places);
    if (all.size() != alike.places.size() || all.size() != places.size()) continue;
    if (all != alike.places) alike = Alike{all, WordRows(all.size())};
    return &alike;
  }
  if (alike_.size() == kMostAlike) return nullptr;
  return &alike_.emplace_back(Alike{places, WordRows(places.size())});
}

// Returns how many bytes it takes.
std::size_t Passages::add(const Places& places, const unsigned char* before, const unsigned char* after,
                          Passage passage) {
  ++added_count_;
  Alike* const alike = alike_of(places);
  if (alike == nullptr) return 0;
  words_.resize(std::max(words_.size(), alike->places.size()));
  read_words(alike->places, before, words_.data());
  alike->rows.add(words_.data());
  read_words(alike->places, after, words_.data());
  const auto end = words_.begin() + static_cast<std::ptrdiff_t>(alike->places.size());
  alike->after.insert(alike->after.end(), words_.begin(), end);
  const std::size_t bytes = sizeof passage + passage.marks.size() * sizeof passage.marks[0];
  alike->passages.push_back(std::move(passage));
  return bytes + 2 * alike->places.size() * sizeof(std::uint64_t);
}

Gate& KnownBranches::gate(const Side& side, std::uint32_t branch, std::uint32_t name, std::uint32_t node_word,
                          const std::string& rest) {
  key_.assign(reinterpret_cast<const char*>(&branch), sizeof branch);
  key_ += rest;
  std::unique_ptr<Gate>& gate = gates_[key_];
  if (gate != nullptr) return *gate;
  gate = std::make_unique<Gate>(Gate{branch, name, node_word, rest, hash_of(rest.data(), rest.size())});
  bytes_ += kBytesAKey + key_.size() + rest.size();
  if (branch == kNoValue) return *gate;
  const BranchRow& row = *side.engine->branches;
  key_.resize(sizeof branch);
  row.add_key(side, branch, rest, key_);
  std::unique_ptr<EndsOfBranch>& ends = ends_[key_];
  if (ends == nullptr) ends = std::make_unique<EndsOfBranch>(EndsOfBranch{WordRows(row.places(side, branch).size())});
  gate->ends = ends.get();
  return *gate;
}

const BranchEnds& KnownBranches::add(Gate& gate, const std::uint64_t* row, BranchEnds ends) {
  for (const BranchEnd& end : ends) bytes_ += sizeof end + (end.words.size() + end.marks.size()) * sizeof row[0];
  bytes_ += kBytesAKey;
  gate.ends->rows.add(row);
  return gate.ends->ends.emplace_back(std::move(ends));
}

void KnownBranches::forget() {
  ends_.clear();
  gates_.clear();
  begin_ = {};
  bytes_ = 0;
}

}  // namespace espalier::explore
