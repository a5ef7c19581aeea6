// See path.h.
#include "system/windows/path.h"

#include <algorithm>

namespace espalier::system::windows {
namespace {

bool is_letter(char letter) { return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z'); }

bool has_same_text(const path& left, const path& right) { return left.native() == right.native(); }

}  // namespace

// What lets long paths pass is left out: "//?/C:/x", "//?/UNC/server/share".
path::path(std::string text) : text_(std::move(text)) {
  std::replace(text_.begin(), text_.end(), '\\', '/');
  constexpr std::string_view kLong = "//?/";
  constexpr std::string_view kLongOfServer = "//?/UNC/";
  if (text_.starts_with(kLongOfServer)) {
    text_.erase(2, kLongOfServer.size() - 2);
  } else if (text_.starts_with(kLong) && text_.size() > kLong.size() + 1 && text_[kLong.size() + 1] == ':') {
    text_.erase(0, kLong.size());
  }
}

// "C:", "//server/share".
std::size_t path::root_name_size() const {
  if (text_.size() > 1 && text_[1] == ':' && is_letter(text_[0])) return 2;
  if (text_.size() < 3 || !text_.starts_with("//") || text_[2] == '/') return 0;
  const std::size_t server_end = std::min(text_.find('/', 2), text_.size());
  const std::size_t share_end = std::min(text_.find('/', server_end + 1), text_.size());
  return share_end > server_end + 1 ? share_end : server_end;
}

std::size_t path::root_size() const {
  const std::size_t name_size = root_name_size();
  return std::min(text_.find_first_not_of('/', name_size), text_.size());
}

bool path::has_root_directory() const { return root_size() != root_name_size() || is_of_server(); }

std::size_t path::filename_begin() const {
  const std::size_t slash = text_.rfind('/');
  return std::max(slash == std::string::npos ? 0 : slash + 1, root_size());
}

path path::root_name() const { return text_.substr(0, root_name_size()); }

path path::root_path() const {
  std::string result = text_.substr(0, root_name_size());
  if (has_root_directory()) result += '/';
  return result;
}

path path::relative_path() const { return text_.substr(root_size()); }

path path::parent_path() const {
  if (!has_relative_path()) return *this;
  const std::size_t root = root_size();
  std::size_t end = filename_begin();
  while (end > root && text_[end - 1] == '/') --end;
  return text_.substr(0, end);
}

path path::filename() const { return text_.substr(filename_begin()); }

path path::extension() const {
  const std::string name = text_.substr(filename_begin());
  const std::size_t dot = name == ".." ? std::string::npos : name.rfind('.');
  return dot == std::string::npos || dot == 0 ? path() : path(name.substr(dot));
}

path path::stem() const {
  const std::string name = text_.substr(filename_begin());
  return name.substr(0, name.size() - extension().text_.size());
}

path& path::operator/=(const path& other) {
  const std::size_t other_name = other.root_name_size();
  const std::string added = other.text_.substr(other_name);
  if (other.is_absolute() || (other_name != 0 && other.root_name().text_ != root_name().text_)) return *this = other;
  if (other.has_root_directory()) {
    text_.resize(root_name_size());
  } else if (has_filename() || (is_of_server() && !text_.ends_with('/'))) {
    text_ += '/';
  }
  text_ += added;
  return *this;
}

// The root's name, its directory, and names; an empty one stands for a separator at the end.
std::vector<path> path::elements() const {
  std::vector<path> result;
  const std::size_t root_name = root_name_size();
  if (root_name != 0) result.push_back(text_.substr(0, root_name));
  if (has_root_directory()) result.emplace_back("/");
  for (std::size_t begin = root_size(); begin < text_.size();) {
    const std::size_t end = std::min(text_.find('/', begin), text_.size());
    result.push_back(text_.substr(begin, end - begin));
    begin = text_.find_first_not_of('/', end);
    if (begin == std::string::npos && end != text_.size()) result.emplace_back();
  }
  return result;
}

path::iterator path::begin() const { return iterator(elements()); }
path::iterator path::end() const { return {}; }

// Names that lead nowhere are left out, and those that ".." leads back from.
path path::lexically_normal() const {
  std::vector<std::string> names;
  bool ends_with_folder = false;
  for (std::size_t begin = root_size(); begin <= text_.size() && has_relative_path();) {
    const std::size_t end = std::min(text_.find('/', begin), text_.size());
    std::string name = text_.substr(begin, end - begin);
    begin = end + 1;
    ends_with_folder = name.empty() || name == "." || name == "..";
    if (name == ".." && !names.empty() && names.back() != "..") {
      names.pop_back();
    } else if (!name.empty() && name != "." && !(name == ".." && has_root_directory())) {
      names.push_back(std::move(name));
    }
  }
  std::string result = root_path().text_;
  for (const std::string& name : names) {
    if (&name != names.data()) result += '/';
    result += name;
  }
  if (ends_with_folder && !names.empty() && names.back() != "..") result += '/';
  return result.empty() && !empty() ? "." : result;
}

path path::lexically_relative(const path& base) const {
  if (root_name().text_ != base.root_name().text_ || has_root_directory() != base.has_root_directory()) return {};
  const std::vector<path> own = elements();
  const std::vector<path> others = base.elements();
  const auto [here, there] = std::mismatch(own.begin(), own.end(), others.begin(), others.end(), has_same_text);
  if (here == own.end() && there == others.end()) return ".";
  std::ptrdiff_t up = 0;
  for (auto name = there; name != others.end(); ++name) {
    if (name->text_ == "..") {
      --up;
    } else if (!name->empty() && name->text_ != ".") {
      ++up;
    }
  }
  if (up < 0) return {};
  if (up == 0 && (here == own.end() || here->empty())) return ".";
  path result;
  for (; up > 0; --up) result /= "..";
  for (auto name = here; name != own.end(); ++name) result /= *name;
  return result;
}

bool operator==(const path& left, const path& right) {
  if (left.text_ == right.text_) return true;
  const std::vector<path> own = left.elements();
  const std::vector<path> others = right.elements();
  return std::equal(own.begin(), own.end(), others.begin(), others.end(), has_same_text);
}

// Roots first, and relative paths before absolute ones.
bool operator<(const path& left, const path& right) {
  const std::string root = left.root_name().text_;
  const std::string other_root = right.root_name().text_;
  if (root != other_root) return root < other_root;
  if (left.has_root_directory() != right.has_root_directory()) return right.has_root_directory();
  const std::vector<path> own = left.elements();
  const std::vector<path> others = right.elements();
  return std::lexicographical_compare(own.begin(), own.end(), others.begin(), others.end(),
                                      [](const path& one, const path& other) { return one.text_ < other.text_; });
}

}  // namespace espalier::system::windows
