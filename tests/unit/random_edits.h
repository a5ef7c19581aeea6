// Random edits such as people make.
#pragma once
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// A piece is removed, doubled, or replaced by one of another place; a name, or a reference to one, becomes another.
inline std::string edited(const std::string& text, const std::vector<std::string>& others, std::mt19937& random) {
  const auto below = [&](std::size_t count) { return count == 0 ? 0 : random() % count; };
  const std::size_t at = below(text.size() + 1);
  const std::size_t length = below(std::min<std::size_t>(text.size() - at, 12) + 1);
  const std::string& other = others[below(others.size())];
  const std::size_t from = below(other.size());
  constexpr std::string_view kPieces[] = {"\"", "<", ">", "/", "Ref", "OnSeen", " and ", "x", "<Leaf name=\"New\"/>"};
  switch (random() % 6) {
    case 0:
      return text.substr(0, at) + text.substr(at + length);
    case 1:
      return text.substr(0, at) + std::string(kPieces[below(std::size(kPieces))]) + text.substr(at);
    case 2:  // a letter of a name, often one that other files refer to
      if (const std::size_t quote = text.find("name=\"", at); quote != std::string::npos) {
        return text.substr(0, quote + 6) + static_cast<char>('a' + below(26)) + text.substr(quote + 6);
      }
      return text;
    case 3:  // a reference to another tree, or another name of one
      if (const std::size_t digit = text.find_first_of("0123456789", text.find("ID=\"Tree", at)); digit < text.size()) {
        return text.substr(0, digit) + static_cast<char>('0' + below(10)) + text.substr(digit + 1);
      }
      return text;
    case 4: {  // a node is a subtree, or the opposite
      std::string result = text;
      if (const std::size_t subtree = text.find("<SubTree name=", at); subtree != std::string::npos) {
        const std::size_t id = text.find("ID=\"", subtree) + 4;
        return result.replace(subtree + 1, 7, text.substr(id, text.find('"', id) - id));
      }
      if (const std::size_t node = text.find("<Tree", at); node != std::string::npos) {
        const std::size_t end = text.find(' ', node);
        return result.replace(node, end - node, "<SubTree ID=\"" + text.substr(node + 1, end - node - 1) + '"');
      }
      return text;
    }
    default:
      return text.substr(0, at) + other.substr(from, below(30)) + text.substr(at + length);
  }
}

// The next value of an attribute from `at` on, without its quotes; empty: there is none.
inline std::string_view value_after(std::string_view text, std::size_t at) {
  const std::size_t quote = text.find("=\"", at);
  if (quote == text.npos) return {};
  return text.substr(quote + 2, text.find('"', quote + 2) - quote - 2);
}

// A value of an attribute becomes that of another one, often a name of another file.
inline std::string with_other_value(const std::string& text, const std::vector<std::string>& others,
                                    std::mt19937& random) {
  const std::string_view value = value_after(text, random() % (text.size() + 1));
  const std::string& other = others[random() % others.size()];
  const std::string_view meant = value_after(other, random() % (other.size() + 1));
  if (value.data() == nullptr || meant.data() == nullptr) return text;
  const auto at = static_cast<std::size_t>(value.data() - text.data());
  return text.substr(0, at) + std::string(meant) + text.substr(at + value.size());
}

}  // namespace espalier
