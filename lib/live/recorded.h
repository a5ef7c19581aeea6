// A recording of espalier's own agents (espalier/recording.h) as a trace: what reached the agents, what the program
// answered, and after each frame in which an agent did something else than before, what must hold.
#pragma once
#include <espalier/recording.h>
#include <cstdint>
#include <espalier/espalier.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/replay.h"

namespace espalier::live {

// Does a path name a recording? By its ending.
bool is_recording_path(std::string_view path);

// Of one byte string, at a multiple of 8.
struct Recording {
  std::vector<std::uint64_t> words;
  std::size_t size_bytes = 0;
  std::size_t left_out_bytes = 0;  // of the file, behind its last whole frame
  bool is_damaged = false;         // and they are not only cut off

  const void* bytes() const { return words.data(); }
};
// Why a recording cannot be read.
struct RecordingFault {
  std::string message;
  std::string hint = {};
};
// "its last 20 bytes are cut off, ..."; empty: all of it can be read.
std::string words_of_left_out(const Recording& recording);
// None: its segments cannot be unpacked, and `fault` says why.
std::optional<Recording> recording_of(std::string_view bytes, RecordingFault* fault);
// Why its head cannot be read; none: it can.
std::optional<RecordingFault> head_fault(const Recording& recording);
// The asset inside it; empty: there is none.
std::string_view recorded_asset(const Recording& recording);

struct RecordedTrace {
  std::string text;
  // How its agents begin, where that is not how trees begin.
  std::optional<replay::Start> start = {};
  std::uint64_t frame_count = 0;
  std::uint32_t agent_count = 0;
  // What the trace lacks, a sentence each.
  std::vector<std::string> notes = {};
};

// A playback and its memory.
struct OpenedRecording {
  std::vector<std::uint64_t> memory;
  espalier_playback* playback = nullptr;
};
// Both must outlive it.
std::optional<OpenedRecording> open_recording(const Recording& recording, const Asset& asset, RecordingFault* fault);

// None: `fault` says why. `other`: a version of the asset that is to run the trace, so that answers are for nodes and
// agents that it has; null: the recorded one. `name`: of the trace; empty: it has none.
std::optional<RecordedTrace> trace_of(const Recording& recording, const Asset& asset, const Asset* other,
                                      const std::string& name, RecordingFault* fault);

// Runs all frames. None: they are as they were recorded; else where they are not.
struct VerifiedRecording {
  std::uint64_t frame_count = 0;
  std::uint32_t agent_count = 0;
  bool has_hashes = false;
  bool is_redacted = false;   // values were left out of it
  bool has_diverged = false;  // in the frame after those
};
std::optional<VerifiedRecording> verify(const Recording& recording, const Asset& asset, RecordingFault* fault);

}  // namespace espalier::live
