// Long texts, made of copies of a short one.
#pragma once
#include <string>
#include <string_view>

inline std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}
