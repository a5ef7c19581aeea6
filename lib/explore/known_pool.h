// What is known of steps, so that they are not done again. It changes no result.
#pragma once
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace espalier::explore {

// What several threads know, each of which uses its own until it ends.
template <typename Known>
class KnownPool {
 public:
  std::shared_ptr<Known> take() {
    const std::scoped_lock lock(mutex_);
    std::unique_ptr<Known> taken = std::make_unique<Known>();
    if (!idle_.empty()) {
      taken = std::move(idle_.back());
      idle_.pop_back();
    }
    return {taken.release(), [this](Known* given_back) {
              const std::scoped_lock back(mutex_);
              idle_.emplace_back(given_back);
            }};
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Known>> idle_;
};

}  // namespace espalier::explore
