// Reads an asset's file for the programs here.
#pragma once
#include <cstdint>
#include <fstream>
#include <vector>

// Words, because the runtime reads an asset in place, at a multiple of 8 bytes. `size_bytes` is 0 if there is no such
// file.
inline std::vector<std::uint64_t> read_file(const char* path, std::size_t& size_bytes) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  size_bytes = file ? static_cast<std::size_t>(file.tellg()) : 0;
  std::vector<std::uint64_t> words((size_bytes + 7) / 8);
  file.seekg(0).read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(size_bytes));
  return words;
}
