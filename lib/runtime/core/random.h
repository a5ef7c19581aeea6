// Random numbers: SplitMix64, with a state of 8 bytes in each agent. A run is the same on every machine.
// Guy Steele, Doug Lea, Christine Flood: Fast splittable pseudorandom number generators, 2014.
#pragma once
#include <cstdint>

#include "core/bytes.h"
#include "core/watch.h"

namespace espalier {

inline std::uint64_t next_random(unsigned char* generator) {
  std::uint64_t mixed = load_u64(generator) + 0x9E3779B97F4A7C15;
  store_u64(generator, mixed);
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

// Does a guard with a chance of chance / 2^53 draw a number?
constexpr bool draws_chance(std::uint64_t chance) { return chance != 0 && chance < std::uint64_t{1} << 53; }

// A number in [0, 1) with 53 random bits.
constexpr double unit_of(std::uint64_t bits) {
  constexpr double kStep = 1.0 / (std::uint64_t{1} << 53);
  return static_cast<double>(bits >> 11) * kStep;
}

// A whole number in [0, count), count up to 2^32.
inline std::uint64_t next_below(unsigned char* generator, std::uint64_t count, const Watcher* watcher) {
  const std::uint64_t bits = choose_bits(watcher, ESPALIER_DRAW_PLACE, count, next_random(generator));
  return ((bits >> 32) * count) >> 32;
}

// Fills `order` with the numbers from 0 to count - 1 in a random order (Fisher and Yates). Draws count - 1 times.
void shuffle(unsigned char* generator, unsigned char* order, std::uint32_t count, const Watcher* watcher);

}  // namespace espalier
