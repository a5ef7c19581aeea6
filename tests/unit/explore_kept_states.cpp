// The bytes of states that a search keeps.
#include "explore/kept_states.h"

#include <random>

#include "unit.h"

namespace explore_kept_states {

using namespace espalier;

TEST_CASE("states are kept as they were added") {
  const std::size_t size = GENERATE(1, 8, 63, 64, 200, 320, 511, 512, 513, 880, 4104);
  CAPTURE(size);
  std::mt19937_64 random(size);
  std::vector<std::vector<unsigned char>> states;
  explore::KeptStates kept(size);
  std::vector<unsigned char> state(size);
  // More than fit in one block of rows, and of pieces.
  for (std::uint32_t i = 0; i < 9'000; ++i) {
    for (int changes = 0; changes < 3; ++changes) state[random() % size] = static_cast<unsigned char>(random() % 7);
    states.push_back(state);
    kept.add(state.data());
  }
  std::size_t wrong = 0;
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    kept.read(i, state.data());
    wrong += state != states[i] || !kept.is(i, states[i].data()) ? 1u : 0u;
    state[random() % size] ^= 0x80;
    wrong += kept.is(i, state.data()) ? 1u : 0u;
  }
  CHECK(wrong == 0);
}

TEST_CASE("long states that differ in few places take little memory") {
  constexpr std::size_t kSize = 2048;
  constexpr std::uint32_t kCount = 100'000;
  std::mt19937_64 random(1);
  explore::KeptStates kept(kSize);
  std::vector<unsigned char> state(kSize);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    state[random() % 40 * 50] = static_cast<unsigned char>(random() % 3);
    kept.add(state.data());
  }
  CHECK(kept.bytes() / kCount < kSize / 8);
}

}  // namespace explore_kept_states
