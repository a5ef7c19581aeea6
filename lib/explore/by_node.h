// What is known of the nodes of a tree, by their words: looked up at each step of an update.
#pragma once
#include <cstdint>
#include <vector>

namespace espalier::explore {

template <typename T>
class ByNode {
 public:
  // Adds the node if it is not known yet. What was returned before is invalid then.
  T& operator[](std::uint32_t word) {
    if (numbers_.empty()) first_ = word;
    if (word < first_) {
      numbers_.insert(numbers_.begin(), first_ - word, 0);
      first_ = word;
    }
    if (word - first_ >= numbers_.size()) numbers_.resize(word - first_ + std::size_t{1}, 0);
    std::uint32_t& number = numbers_[word - first_];
    if (number == 0) {
      values_.emplace_back();
      number = static_cast<std::uint32_t>(values_.size());
    }
    return values_[number - 1];
  }
  bool is_empty() const { return values_.empty(); }
  // Null: it is not known.
  const T* find(std::uint32_t word) const {
    const std::uint32_t place = word - first_;  // of a word before the first one: large
    if (place >= numbers_.size() || numbers_[place] == 0) return nullptr;
    return &values_[numbers_[place] - 1];
  }

 private:
  std::uint32_t first_ = 0;
  std::vector<std::uint32_t> numbers_;  // 1 + those of values, by word from the first one on; 0: none
  std::vector<T> values_;
};

}  // namespace espalier::explore
