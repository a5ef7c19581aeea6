// Runs the agents of an asset with a host that does anything at random, records it, and plays it back:
//   recorded_runs ASSET SEED FRAMES [FILE | ring FILE]
//   recorded_runs ASSET SEED FRAMES threads
//   recorded_runs ASSET SEED FRAMES reload OTHER
//   recorded_runs ASSET SEED FRAMES redact FILE
//   recorded_runs ASSET hour [random | alone]
// After each frame every block has to have the same bytes in both. Exit status 1 where one has not. FILE gets a run of
// the first tree that a trace can tell: nothing happens inside of calls, and all functions are there; with `ring`, of
// the last frames. With `threads`, three threads record at once; with `reload`, the agents move to another asset in the
// middle. With `hour`, how many bytes an hour of ten updates a second takes, where actions go on for ten seconds,
// conditions change after ten, and an event comes every two.
#include <espalier/recording.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <espalier/espalier.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "random_program.h"
#include "recorded_hour.h"

namespace {

using namespace recorded;

// How many frames were the same.
std::uint64_t compare(const Run& run, const std::vector<unsigned char>& file, bool is_watched, bool has_same_bytes,
                      const std::string& name) {
  std::vector<std::uint64_t> memory(espalier_playback_bytes(file.data(), file.size(), run.asset) / 8 + 1);
  espalier_playback* playback = nullptr;
  Fault fault;
  if (espalier_playback_open(file.data(), file.size(), run.asset, memory.data(), &playback, &fault) != ESPALIER_OK)
    fail(name + ": cannot be opened: " + fault.reason + " at " + std::to_string(fault.offset_bytes));
  std::uint64_t count = 0;
  const Watcher watcher;
  for (;;) {
    const espalier_status status = espalier_playback_step(playback, is_watched ? &watcher : nullptr);
    if (status == ESPALIER_NOT_FOUND) break;
    const std::uint64_t frame = espalier_playback_frame(playback);
    if (status != ESPALIER_OK) fail(name + ": frame " + std::to_string(frame) + ": " + espalier_status_text(status));
    if (frame >= run.frames.size()) fail(name + ": there are too many frames");
    const unsigned char* kept = run.frames[static_cast<std::size_t>(frame)].data();
    for (std::uint32_t i = 0; i < run.agents.size(); ++i) {
      const std::size_t size_bytes = espalier_agent_bytes(run.agents[i].tree);
      const void* const block = espalier_playback_block(playback, i, nullptr);
      const bool is_there = *kept++ != 0;
      if ((block != nullptr) != is_there || (is_there && has_same_bytes && std::memcmp(block, kept, size_bytes) != 0))
        fail(name + ": frame " + std::to_string(frame) + ": agent " + std::to_string(i) + " has another block");
      if (is_there) kept += size_bytes;
    }
    ++count;
  }
  if (espalier_playback_frame(playback) + 1 < run.frames.size())
    fail(name + ": only " + std::to_string(espalier_playback_frame(playback)) + " frames");
  return count;
}

// ---- Damage

std::uint32_t crc32c(const unsigned char* bytes, std::size_t size_bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (std::size_t i = 0; i < size_bytes; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82F63B78u : 0u);
  }
  return ~crc;
}

// Anything is read as a recording: what is not one is refused, or ends. Run with sanitizers, too.
void play_damaged(const Run& run, const std::vector<unsigned char>& file, const std::string& name) {
  Random random{run.seed};
  constexpr int kCopies = 40;
  constexpr int kSteps = 500;
  std::size_t first = 0;  // the first segment: the only place where a payload of this checksum begins
  for (std::size_t at = 12; at + 24 < file.size() && first == 0; ++at) {
    std::uint32_t size_bytes = 0;
    std::uint32_t crc = 0;
    std::memcpy(&size_bytes, &file[at], 4);
    std::memcpy(&crc, &file[at + 4], 4);
    if (size_bytes > 2 && size_bytes <= file.size() - at - 24 && crc32c(&file[at + 24], size_bytes) == crc) first = at;
  }
  if (first == 0) fail(name + ": there is no segment");
  for (int copy = 0; copy < kCopies; ++copy) {
    std::vector<unsigned char> damaged = file;
    std::uint32_t size_bytes = 0;
    std::memcpy(&size_bytes, &damaged[first], 4);
    unsigned char* const payload = &damaged[first + 24];
    for (std::uint32_t i = 1 + random.below(4); i > 0; --i) {
      const std::uint32_t at = 1 + random.below(size_bytes - 1);
      payload[at] =
          static_cast<unsigned char>(random.chance(2) ? random.below(256) : payload[at] ^ 1u << random.below(8));
    }
    const std::uint32_t crc = crc32c(payload, size_bytes);
    std::memcpy(&damaged[first + 4], &crc, 4);
    if (random.chance(4)) damaged.resize(random.below(static_cast<std::uint32_t>(damaged.size())));
    if (random.chance(8) && damaged.size() > first) damaged[random.below(static_cast<std::uint32_t>(first))] ^= 0x10;
    // In memory of its exact size, so that sanitizers see what is read beyond it.
    const std::vector<unsigned char> exact(damaged.begin(), damaged.end());
    const std::size_t needed = espalier_playback_bytes(exact.data(), exact.size(), run.asset);
    if (needed == 0 || needed > (std::size_t{1} << 24)) continue;
    std::vector<std::uint64_t> memory((needed + 7) / 8);
    espalier_playback* playback = nullptr;
    if (espalier_playback_open(exact.data(), exact.size(), run.asset, memory.data(), &playback, nullptr) != ESPALIER_OK)
      continue;
    for (int step = 0; step < kSteps && espalier_playback_step(playback, nullptr) == ESPALIER_OK; ++step) {
    }
  }
}

// ---- Forms

// `expected`: of a recording that ends early, the blocks of a run that was recorded to its end; of others, gets them.
std::uint64_t run_form(const Asset& asset, std::uint32_t tree_index, std::uint64_t seed, std::uint32_t frame_count,
                       const Form& form, const std::string& name, Frames& expected, const char* path = nullptr) {
  Run run(seed);
  begin_run(run, asset, tree_index, form, name);
  for (std::uint32_t i = 0; i < run.agents.size(); ++i) begin_agent(run, i);
  run_frames(run, frame_count, form);
  if (form.ending != Ending::none) {
    if (espalier_recorder_fault(run.recorder) == nullptr && form.ending == Ending::unknown_agent)
      fail(name + ": the recorder says nothing of an agent that it was not told of");
    if (run.frames != expected) fail(name + ": its agents do something else");
    return frame_count;
  }
  expected = run.frames;
  end_run(run, form, name);
  const std::vector<unsigned char>& file = run.file.bytes;
  if (path != nullptr)
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  play_damaged(run, file, name);
  // A watched update keeps no cursor to go on from: then it is the hashes that are compared.
  const bool has_hashes = (form.flags & ESPALIER_RECORD_HASHES) != 0;
  if (has_hashes && !form.is_watched) compare(run, file, true, false, name + ", played with a watcher");
  return compare(run, file, form.is_watched, true, name);
}

constexpr Form kReloadForm = {0, 4096, ESPALIER_RECORD_HASHES, false, false, false, Ending::none, true};

// Agents that move to the first tree of another asset in the middle of a run. The recording of each asset has its part.
std::uint64_t run_reloaded(const Asset& asset, const Asset& other, std::uint32_t tree_index, std::uint64_t seed,
                           std::uint32_t frame_count, const std::string& name) {
  Run first(seed);
  begin_run(first, asset, tree_index, kReloadForm, name);
  for (std::uint32_t i = 0; i < first.agents.size(); ++i) begin_agent(first, i);
  run_frames(first, frame_count / 2, kReloadForm);
  end_run(first, kReloadForm, name);
  Run next(seed + 1);
  begin_run(next, other, 0, kReloadForm, name + ", reloaded");
  next.host.clock_us = first.host.clock_us;
  for (std::uint32_t i = 0; i < next.agents.size(); ++i) {
    Agent& from = first.agents[i];
    first.host.first_agent = next.host.first_agent = i;
    first.is_moving = next.is_moving = true;
    espalier_move_agent(from.tree, from.block.data(), &first.host, next.agents[i].tree, next.agents[i].block.data(),
                        &next.host);
  }
  next.is_moving = false;
  for (std::uint32_t i = 0; i < next.agents.size(); ++i) tell_agent(next, i);
  run_frames(next, frame_count - frame_count / 2, kReloadForm);
  end_run(next, kReloadForm, name);
  return compare(first, first.file.bytes, false, true, name) +
         compare(next, next.file.bytes, false, true, name + ", reloaded");
}

// The values of entries are nowhere in a recording that leaves them out: not in its events, nor where agents begin.
std::uint64_t run_redacted(const Asset& asset, std::uint64_t seed, std::uint32_t frame_count, const std::string& name,
                           const char* path) {
  for (const std::uint32_t ring_segments : {3u, 0u}) {
    constexpr std::uint32_t kSegmentBytes = 16384;
    const Form form = {ring_segments, kSegmentBytes, ESPALIER_RECORD_ASSET, false, false, false, Ending::none,
                       true,          true};
    Run run(seed);
    begin_run(run, asset, 0, form, name);
    for (std::uint32_t i = 0; i < run.agents.size(); ++i) begin_agent(run, i);
    run_frames(run, frame_count, form);
    end_run(run, form, name);
    const std::string bytes(run.file.bytes.begin(), run.file.bytes.end());
    if (bytes.find(kSecret) != std::string::npos) fail(name + ": has a text that was to be left out");
    std::ofstream(path, std::ios::binary) << bytes;
    std::vector<std::uint64_t> memory(espalier_playback_bytes(bytes.data(), bytes.size(), &asset) / 8 + 1);
    espalier_playback* playback = nullptr;
    if (espalier_playback_open(bytes.data(), bytes.size(), &asset, memory.data(), &playback, nullptr) != ESPALIER_OK)
      fail(name + ": cannot be opened");
    while (espalier_playback_step(playback, nullptr) == ESPALIER_OK) {
    }
    if (!espalier_playback_is_redacted(playback)) fail(name + ": does not say that values are left out");
  }
  return frame_count;
}

// Threads that run agents of one asset, each with blocks and a recorder of its own.
std::uint64_t run_threads(const Asset& asset, std::uint32_t tree_index, std::uint64_t seed, std::uint32_t frame_count,
                          const std::string& name) {
  constexpr std::uint32_t kThreads = 3;
  std::vector<std::thread> threads;
  std::atomic<std::uint64_t> count{0};
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      Frames kept;
      count +=
          run_form(asset, tree_index, seed + i, frame_count, kReloadForm, name + ", thread " + std::to_string(i), kept);
    });
  }
  for (std::thread& each : threads) each.join();
  return count;
}

}  // namespace

// An asset and its bytes.
struct OpenedAsset {
  explicit OpenedAsset(const char* path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    aligned.resize(bytes.size() / 8 + 1);
    std::memcpy(aligned.data(), bytes.data(), bytes.size());
    if (espalier_open(aligned.data(), bytes.size(), &asset, nullptr) != ESPALIER_OK)
      fail(std::string(path) + ": no asset");
  }
  OpenedAsset(const OpenedAsset&) = delete;
  OpenedAsset& operator=(const OpenedAsset&) = delete;

  std::vector<std::uint64_t> aligned;
  Asset asset;
};

int main(int count, char** words) {
  const bool is_hour = (count == 3 || count == 4) && std::string_view(words[2]) == "hour";
  if (!is_hour && (count < 4 || count > 6))
    fail("recorded_runs ASSET SEED FRAMES [FILE | ring FILE | threads | reload OTHER | redact FILE]");
  const OpenedAsset opened(words[1]);
  const Asset& asset = opened.asset;
  if (is_hour) {
    const std::string_view how = count == 4 ? words[3] : "";
    record_hour(asset, how == "random", how == "alone" ? 1 : 100);
    return 0;
  }
  const std::uint64_t seed = std::strtoull(words[2], nullptr, 10);
  const auto frames = static_cast<std::uint32_t>(std::strtoul(words[3], nullptr, 10));
  const std::string_view what = count > 4 ? words[4] : "";
  std::uint64_t run_count = 0;
  std::uint64_t frame_count = 0;
  const bool is_reload = what == "reload" && count == 6;
  if (what == "threads" || is_reload) {
    const OpenedAsset other(words[is_reload ? 5 : 1]);
    for (std::uint32_t tree = 0; tree < tree_count(asset); ++tree, ++run_count) {
      const std::string name = std::string(words[1]) + ", " + std::string(tree_name(espalier::tree(asset, tree)));
      frame_count += is_reload ? run_reloaded(asset, other.asset, tree, seed, frames, name)
                               : run_threads(asset, tree, seed, frames, name);
    }
  } else if (what == "redact" && count == 6) {
    frame_count = run_redacted(asset, seed, frames, words[1], words[5]);
  } else if (count == 5 || what == "ring") {
    const bool is_ring = what == "ring";
    const Form plain = {is_ring ? 3u : 0u, 4096, ESPALIER_RECORD_HASHES | ESPALIER_RECORD_ASSET, false, false, true};
    Frames kept;
    frame_count = run_form(asset, 0, seed, frames, plain, words[1], kept, words[count - 1]);
    run_count = 1;
  }
  constexpr Form kForms[] = {{0, 0, ESPALIER_RECORD_HASHES, false},
                             {0, 1024, ESPALIER_RECORD_MEMORY | ESPALIER_RECORD_ASSET, true},
                             {0, 4096, ESPALIER_RECORD_HASHES, false, true},
                             {3, 65536, ESPALIER_RECORD_HASHES, false}};
  for (std::uint32_t tree = 0; tree < tree_count(asset) && count == 4; ++tree) {
    for (const Form& form : kForms) {
      const std::string name = std::string(words[1]) + ", " + std::string(tree_name(espalier::tree(asset, tree))) +
                               (form.ring_segments != 0 ? ", ring"
                                : form.updates_all      ? ", batches"
                                : form.is_watched       ? ", watched"
                                                        : ", alone");
      Frames kept;
      frame_count += run_form(asset, tree, seed, frames, form, name, kept);
      ++run_count;
      for (const Ending ending : {Ending::write_fails, Ending::unknown_agent}) {
        Form early = form;
        early.ending = ending;
        const char* const why = ending == Ending::write_fails ? ", writing fails" : ", an unknown agent";
        run_form(asset, tree, seed, frames, early, name + why, kept);
      }
    }
  }
  std::printf("%llu runs with %llu frames compared\n", static_cast<unsigned long long>(run_count),
              static_cast<unsigned long long>(frame_count));
}
