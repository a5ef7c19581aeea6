// Parts of texts.
#pragma once
#include <string_view>

namespace espalier::serving {

// As substr(), which throws where this gives what there is: the runtime does not refer to exceptions.
inline std::string_view part_of(std::string_view text, std::size_t begin, std::size_t size = std::string_view::npos) {
  if (begin > text.size()) begin = text.size();
  const std::size_t left = text.size() - begin;
  return {text.data() + begin, size < left ? size : left};
}

}  // namespace espalier::serving
