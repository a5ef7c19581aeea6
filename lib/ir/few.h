// A list that is mostly empty or short: while it is empty it is as large as a pointer.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace espalier::ir {

// Used like std::vector, of which it has what readers of trees need.
template <typename T>
class Few {
 public:
  using value_type = T;

  Few() = default;
  Few(std::initializer_list<T> items) { append(items.begin(), items.end()); }
  template <typename Item>
  Few(std::vector<Item> items) {  // NOLINT(google-explicit-constructor)
    append(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  }
  Few(const Few& other) { append(other.begin(), other.end()); }
  Few(Few&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Few& operator=(Few other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Few() {
    if (block_ != nullptr) free_block();
  }

  std::size_t size() const { return block_ == nullptr ? 0 : block_->size; }
  bool empty() const { return size() == 0; }
  T* begin() { return block_ == nullptr ? nullptr : items(); }
  T* end() { return begin() + size(); }
  const T* begin() const { return block_ == nullptr ? nullptr : items(); }
  const T* end() const { return begin() + size(); }
  T& operator[](std::size_t number) { return begin()[number]; }
  const T& operator[](std::size_t number) const { return begin()[number]; }
  T& front() { return *begin(); }
  const T& front() const { return *begin(); }
  T& back() { return end()[-1]; }
  const T& back() const { return end()[-1]; }

  void reserve(std::size_t count) {
    if (count > capacity()) move_to(count);
  }
  template <typename... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    if (size() == capacity()) move_to(std::max<std::size_t>(1, 2 * size()));
    T* const item = ::new (static_cast<void*>(items() + block_->size)) T{std::forward<Arguments>(arguments)...};
    ++block_->size;
    return *item;
  }
  void push_back(T item) { emplace_back(std::move(item)); }
  void pop_back() { std::destroy_at(begin() + --block_->size); }
  void clear() { *this = Few(); }

  friend bool operator==(const Few& one, const Few& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
  }

 private:
  // The items come after it.
  struct alignas(std::max(alignof(T), alignof(std::uint32_t))) Block {
    std::uint32_t size = 0;
    std::uint32_t capacity = 0;
  };

  std::size_t capacity() const { return block_ == nullptr ? 0 : block_->capacity; }
  T* items() const { return reinterpret_cast<T*>(block_ + 1); }

  template <typename Iterator>
  void append(Iterator first, Iterator last) {
    reserve(size() + static_cast<std::size_t>(std::distance(first, last)));
    for (; first != last; ++first) emplace_back(*first);
  }

  void free_block() {
    std::destroy(begin(), end());
    ::operator delete(block_);
  }

  void move_to(std::size_t count) {
    Few larger;
    larger.block_ =
        ::new (::operator new(sizeof(Block) + count * sizeof(T))) Block{0, static_cast<std::uint32_t>(count)};
    std::uninitialized_move(begin(), end(), larger.items());
    larger.block_->size = static_cast<std::uint32_t>(size());
    std::swap(block_, larger.block_);
  }

  Block* block_ = nullptr;
};

}  // namespace espalier::ir
