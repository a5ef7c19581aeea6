// How branches of a tree end, by what they depend on: see BranchRow. What is known of them changes no result.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/engine.h"

namespace espalier::explore {

// In the order in which they were found; empty: it has to be walked each time.
using BranchEnds = std::vector<BranchEnd>;

class KnownBranches {
 public:
  // Null: not known. Valid as long as this is.
  const BranchEnds* find(const std::string& key) const {
    const auto found = ends_.find(key);
    return found == ends_.end() ? nullptr : &found->second;
  }
  const BranchEnds& add(const std::string& key, BranchEnds ends) {
    for (const BranchEnd& end : ends) bytes_ += sizeof end + end.bytes.size();
    bytes_ += key.size() + kBytesAKey;
    return ends_.try_emplace(key, std::move(ends)).first->second;
  }
  // Between two updates: others are found from now on, too.
  void forget_if_full() {
    if (bytes_ < kMostBytes) return;
    ends_.clear();
    bytes_ = 0;
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 24;
  static constexpr std::size_t kBytesAKey = 96;
  std::unordered_map<std::string, BranchEnds> ends_;
  std::size_t bytes_ = 0;
};

// Those of several threads, each of which uses its own until it ends.
class BranchPool {
 public:
  std::shared_ptr<KnownBranches> take() {
    const std::scoped_lock lock(mutex_);
    std::unique_ptr<KnownBranches> taken = std::make_unique<KnownBranches>();
    if (!idle_.empty()) {
      taken = std::move(idle_.back());
      idle_.pop_back();
    }
    return {taken.release(), [this](KnownBranches* given_back) {
              const std::scoped_lock back(mutex_);
              idle_.emplace_back(given_back);
            }};
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<KnownBranches>> idle_;
};

}  // namespace espalier::explore
