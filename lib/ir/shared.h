// Values that many nodes share: each is there once, and those who have it hold a pointer.
#pragma once
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier::ir {

// A counted pointer to a value that never changes, or null. As large as a plain pointer. Threads may have copies of it.
template <typename Value>
class Shared {
 public:
  Shared() = default;
  Shared(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  explicit Shared(Value value) : counted_(new Counted{std::move(value)}) {}
  Shared(const Shared& other) : counted_(other.counted_) {
    if (counted_ != nullptr) counted_->count.fetch_add(1, std::memory_order_relaxed);
  }
  Shared(Shared&& other) noexcept : counted_(std::exchange(other.counted_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(counted_, other.counted_);
    return *this;
  }
  ~Shared() {
    if (counted_ != nullptr && counted_->count.fetch_sub(1, std::memory_order_acq_rel) == 1) delete counted_;
  }

  const Value& operator*() const { return counted_->value; }
  const Value* operator->() const { return &counted_->value; }
  explicit operator bool() const { return counted_ != nullptr; }
  friend bool operator==(const Shared& one, std::nullptr_t) { return one.counted_ == nullptr; }
  // Are they the same one, or both null?
  friend bool operator==(const Shared& one, const Shared& other) { return one.counted_ == other.counted_; }

 private:
  struct Counted {
    Value value;
    std::atomic<std::uint32_t> count = 1;
  };
  Counted* counted_ = nullptr;
};

// Names that many nodes share.
using SharedNames = Shared<std::vector<std::string>>;
inline SharedNames shared_names(std::vector<std::string> names) { return SharedNames(std::move(names)); }

// A text in a payload, used like a constant string. Readers of trees take it from Names (node_lists.h), which has each
// text once; a text that is made of a string is a new one.
class Text {
 public:
  Text() = default;
  // NOLINTBEGIN(google-explicit-constructor)
  Text(std::string text) {
    if (!text.empty()) shared_ = Shared<std::string>(std::move(text));
  }
  Text(std::string_view text) : Text(std::string(text)) {}
  Text(const char* text) : Text(std::string(text)) {}
  operator const std::string&() const { return string(); }
  operator std::string_view() const { return string(); }
  // NOLINTEND(google-explicit-constructor)

  const std::string& string() const { return shared_ ? *shared_ : none(); }
  bool empty() const { return !shared_; }
  std::size_t size() const { return string().size(); }

  friend bool operator==(const Text& one, const Text& other) {
    return one.shared_ == other.shared_ || one.string() == other.string();
  }
  template <typename Other>
  requires std::convertible_to<const Other&, std::string_view> &&(!std::same_as<Other, Text>)friend bool operator==(
      const Text& one, const Other& other) {
    return one.string() == other;
  }
  friend auto operator<=>(const Text& one, const Text& other) { return one.string().compare(other.string()) <=> 0; }
  friend std::string operator+(std::string left, const Text& right) { return std::move(left += right.string()); }
  friend std::string operator+(const Text& left, const char* right) { return left.string() + right; }

 private:
  static const std::string& none() {
    static const std::string kNone;
    return kNone;
  }

  Shared<std::string> shared_;  // null: it is empty
};

}  // namespace espalier::ir
