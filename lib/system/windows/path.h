// Paths of Windows, by the names of std::filesystem::path: text in UTF-8, with '/' between names. Its root is a drive
// ("C:") or the share of a server ("//server/share"), and a directory behind it. The share of a server is always
// absolute, as no folder is above it. The file is compiled on every system, for its tests.
#pragma once
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier::system::windows {

class path {
 public:
  static constexpr char preferred_separator = '\\';
  class iterator;
  using const_iterator = iterator;

  path() = default;
  path(std::string text);                                   // NOLINT(google-explicit-constructor)
  path(std::string_view text) : path(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  path(const char* text) : path(std::string(text)) {}       // NOLINT(google-explicit-constructor)

  bool empty() const { return text_.empty(); }
  std::string generic_string() const { return text_; }
  const std::string& native() const { return text_; }

  path root_name() const;
  path root_path() const;
  path relative_path() const;
  path parent_path() const;
  path filename() const;
  path stem() const;
  path extension() const;
  bool has_root_name() const { return root_name_size() != 0; }
  bool has_root_directory() const;
  bool has_relative_path() const { return root_size() != text_.size(); }
  bool has_filename() const { return !filename().empty(); }
  bool is_absolute() const { return has_root_name() && has_root_directory(); }
  bool is_relative() const { return !is_absolute(); }

  path lexically_normal() const;
  // Empty: their roots differ.
  path lexically_relative(const path& base) const;

  path& operator/=(const path& other);
  friend path operator/(path left, const path& right) { return std::move(left /= right); }

  iterator begin() const;
  iterator end() const;
  // By names, not by letters.
  friend bool operator==(const path& left, const path& right);
  friend bool operator<(const path& left, const path& right);

 private:
  std::size_t root_name_size() const;
  std::size_t root_size() const;
  bool is_of_server() const { return text_.starts_with("//") && has_root_name(); }
  std::size_t filename_begin() const;
  std::vector<path> elements() const;

  std::string text_;
};

class path::iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = path;
  using difference_type = std::ptrdiff_t;
  using pointer = const path*;
  using reference = const path&;

  iterator() = default;
  reference operator*() const { return (*elements_)[i_]; }
  pointer operator->() const { return &**this; }
  iterator& operator++() {
    ++i_;
    return *this;
  }
  iterator operator++(int) { return std::exchange(*this, std::next(*this)); }
  // Of one path.
  bool operator==(const iterator& other) const { return left() == other.left(); }

 private:
  friend class path;
  explicit iterator(std::vector<path> elements)
      : elements_(std::make_shared<const std::vector<path>>(std::move(elements))) {}
  std::size_t left() const { return elements_ == nullptr ? 0 : elements_->size() - i_; }

  std::shared_ptr<const std::vector<path>> elements_;  // null: the end
  std::size_t i_ = 0;
};

}  // namespace espalier::system::windows
