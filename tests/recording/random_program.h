// A program whose agents do anything at random, and which records them. It and its agents do the same for the same
// seed.
#pragma once
#include <espalier/recording.h>

#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <vector>

namespace recorded {

using namespace espalier;

struct Random {
  std::uint64_t state;

  std::uint64_t next() {
    state += 0x9E3779B97F4A7C15;
    std::uint64_t bits = state;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    return bits ^ bits >> 31;
  }
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(next() % count); }
  bool chance(std::uint32_t in) { return below(in) == 0; }
};

// Why a recording ends before its run.
enum class Ending { none, write_fails, unknown_agent };

// How the run is recorded, and which functions the host has.
struct Form {
  std::uint32_t ring_segments = 0;
  std::uint32_t segment_bytes = 0;
  std::uint32_t flags = 0;
  bool updates_all = false;
  bool is_watched = false;
  bool is_plain = false;  // a trace can tell it
  Ending ending = Ending::none;
  bool is_moved = false;     // agents move to other blocks
  bool is_redacted = false;  // the values of all entries are left out
};

// At the end of each: for each agent a byte that is 1 if it is there, and then its block.
using Frames = std::vector<std::vector<unsigned char>>;

// A text that the program writes to ports and entries.
inline constexpr const char* kSecret = "a longer text than eight bytes";

// What a recorder writes.
struct File {
  std::vector<unsigned char> bytes;
  std::size_t most_bytes = SIZE_MAX;  // then it takes no more
};

struct Agent {
  Tree tree;
  std::vector<std::uint64_t> block;
  bool is_there = true;
};

// Copies of all blocks, to be put back together.
struct Saved {
  std::vector<Agent> agents;
  std::vector<std::uint64_t> shared;
  std::vector<std::uint64_t> group;
};

// A program with an asset: its functions, its blocks, and what it records.
struct Run {
  explicit Run(std::uint64_t random_seed) : random{random_seed}, seed(random_seed) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Random random;
  std::uint64_t seed;
  const Asset* asset = nullptr;
  Host host;
  espalier_recorder* recorder = nullptr;
  std::vector<std::uint64_t> memory;  // of the recorder
  File file;
  std::vector<const char*> redacted;
  std::vector<Agent> agents;
  std::vector<Behavior> behaviors;
  std::vector<Behavior> other_behaviors;
  std::vector<Behavior> conditions;
  std::vector<std::uint64_t> shared;
  std::vector<std::uint64_t> group;
  std::vector<std::uint64_t> scratch;
  Saved saved;
  Frames frames;
  std::uint32_t depth = 0;
  bool is_moving = false;  // an agent is moved: functions update no other one then
  bool is_plain = false;
  Ending ending = Ending::none;
};

[[noreturn]] void fail(const std::string& text);

// The program's functions and blocks, its recorder, and its agents, which have not begun. `name`: for messages.
void begin_run(Run& run, const Asset& asset, std::uint32_t tree_index, const Form& form, const std::string& name);
void begin_agent(Run& run, std::uint32_t number);
// To the recorder, after the agent has begun or moved.
void tell_agent(Run& run, std::uint32_t number);
// Updates the agents, and keeps their blocks.
void run_frames(Run& run, std::uint32_t frame_count, const Form& form);
// Ends the recording, which must be whole.
void end_run(Run& run, const Form& form, const std::string& name);

// espalier_recorder_options.write: `user` is a File.
bool append(void* user, const void* bytes, size_t size_bytes);

}  // namespace recorded
