// Values as bytes and back: for what is kept on disk. One function, fields(), lists the members of a type for both
// ways:
//   template <typename Io> void fields(Io& io, Thing& thing) { io(thing.name, thing.count); }
#pragma once
#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace espalier::project {

template <typename Value>
concept PlainValue = std::is_arithmetic_v<Value> || std::is_enum_v<Value>;

// A value or none: std::optional and the like.
template <typename Value>
concept OptionalValue = requires(Value value) {
  value.has_value();
  value.emplace();
  value.reset();
};

// Appends values to `bytes`. It changes nothing of them.
class ByteWriter {
 public:
  std::string bytes;

  template <typename... Values>
  void operator()(Values&... values) {
    (put(values), ...);
  }
  template <typename Value>
  void write(const Value& value) {
    put(const_cast<Value&>(value));
  }

 private:
  template <typename Value>
  void put(Value& value) {
    if constexpr (PlainValue<Value>) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      fields(*this, value);
    }
  }
  void put_size(std::size_t size) { write(static_cast<std::uint32_t>(size)); }
  void put(std::string& text) {
    put_size(text.size());
    bytes += text;
  }
  template <typename Value>
  void put(std::vector<Value>& values) {
    put_size(values.size());
    for (Value& value : values) put(value);
  }
  template <typename Value>
  void put(std::set<Value>& values) {
    put_size(values.size());
    for (const Value& value : values) write(value);
  }
  template <OptionalValue Value>
  void put(Value& value) {
    write(value.has_value());
    if (value) put(*value);
  }
  template <typename Value>
  void put(std::shared_ptr<const Value>& value) {
    write(value != nullptr);
    if (value != nullptr) write(*value);
  }
  template <typename First, typename Second>
  void put(std::pair<First, Second>& pair) {
    put(pair.first);
    put(pair.second);
  }
};

// Reads what a ByteWriter has written. Other bytes give is_sound() false, and values of any content, but nothing beyond
// their end is read, and no more memory is taken than a small multiple of their size.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] bool is_sound() const { return is_sound_; }
  [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }
  void fail() {
    is_sound_ = false;
    bytes_ = {};
  }

  template <typename... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }

 private:
  template <typename Value>
  void get(Value& value) {
    if constexpr (std::is_same_v<Value, bool>) {
      std::uint8_t byte = 0;
      get(byte);
      if (byte > 1) fail();
      value = byte == 1;
    } else if constexpr (PlainValue<Value>) {
      if (bytes_.size() < sizeof value) return fail();
      std::memcpy(&value, bytes_.data(), sizeof value);
      bytes_.remove_prefix(sizeof value);
    } else {
      fields(*this, value);
    }
  }
  // Each thing has at least a byte.
  std::size_t get_size() {
    std::uint32_t size = 0;
    get(size);
    if (size > bytes_.size()) fail();
    return is_sound_ ? size : 0;
  }
  void get(std::string& text) {
    const std::size_t size = get_size();
    text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
  }
  template <typename Value>
  void get(std::vector<Value>& values) {
    const std::size_t size = get_size();
    values.clear();
    for (std::size_t i = 0; i < size && is_sound_; ++i) get(values.emplace_back());
  }
  template <typename Value>
  void get(std::set<Value>& values) {
    const std::size_t size = get_size();
    values.clear();
    for (std::size_t i = 0; i < size && is_sound_; ++i) {
      Value value{};
      get(value);
      values.insert(values.end(), std::move(value));
    }
  }
  template <OptionalValue Value>
  void get(Value& value) {
    bool has_value = false;
    get(has_value);
    value.reset();
    if (has_value) get(value.emplace());
  }
  template <typename Value>
  void get(std::shared_ptr<const Value>& value) {
    bool has_value = false;
    get(has_value);
    value = nullptr;
    if (!has_value) return;
    auto read = std::make_shared<Value>();
    get(*read);
    value = std::move(read);
  }
  template <typename First, typename Second>
  void get(std::pair<First, Second>& pair) {
    get(pair.first);
    get(pair.second);
  }

  std::string_view bytes_;
  bool is_sound_ = true;
};

}  // namespace espalier::project
