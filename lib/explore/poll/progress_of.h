// What an update of a tree that polls goes on from: EngineRow::rest_of_update as bytes.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>

#include "runtime/poll/progress.h"

namespace espalier::explore {

inline constexpr std::size_t kProgressWords = 4;

// The word of the node that asks.
inline std::uint32_t word_of_progress(const std::string& rest) {
  std::uint32_t word = 0;
  std::memcpy(&word, rest.data(), sizeof word);
  return word;
}

// Adds it for the node at this word.
inline void add_progress(const PollProgress& progress, std::uint32_t word, std::string& rest) {
  const std::uint32_t words[kProgressWords] = {word, progress.round, progress.has_signal, progress.depth};
  rest.append(reinterpret_cast<const char*>(words), sizeof words);
  rest.append(reinterpret_cast<const char*>(progress.frames), (progress.depth + 1) * sizeof(PollFrame));
}

// Returns the word.
inline std::uint32_t read_progress(const std::string& rest, PollProgress& progress) {
  std::uint32_t words[kProgressWords];
  std::memcpy(words, rest.data(), sizeof words);
  progress.round = static_cast<std::uint16_t>(words[1]);
  progress.has_signal = words[2] != 0;
  progress.depth = words[3];
  std::memcpy(progress.frames, rest.data() + sizeof words, (progress.depth + 1) * sizeof(PollFrame));
  return words[0];
}

}  // namespace espalier::explore
