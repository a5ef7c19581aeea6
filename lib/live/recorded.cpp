// Recordings. See recorded.h.
#include "live/recorded.h"

#include <espalier/recording.h>

#include <algorithm>
#include <cstring>

#include "live/segments.h"
#include "runtime/recording/reader.h"

namespace espalier::live {
namespace {

constexpr std::string_view kEnding = ".esprec";

// Is there a segment behind the last whole frame that is all there, but not as it was written?
bool has_damage(std::string_view bytes, std::size_t at) {
  recording::Segment segment;
  while (bytes.size() - at > sizeof segment) {
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    at += sizeof segment;
    if (segment.payload_bytes == 0 || segment.payload_bytes > recording::kMostPayloadBytes) return true;
    if (segment.payload_bytes > bytes.size() - at) return false;
    const auto* const payload = reinterpret_cast<const unsigned char*>(bytes.data()) + at;
    if (recording::crc32c(payload, segment.payload_bytes) != segment.crc) return true;
    at += segment.payload_bytes;
  }
  return false;
}

}  // namespace

std::optional<OpenedRecording> open_recording(const Recording& recording, const Asset& asset, RecordingFault* fault) {
  OpenedRecording opened;
  opened.memory.resize(espalier_playback_bytes(recording.bytes(), recording.size_bytes, &asset) / 8 + 1);
  Fault why;
  const espalier_status status = espalier_playback_open(recording.bytes(), recording.size_bytes, &asset,
                                                        opened.memory.data(), &opened.playback, &why);
  if (status == ESPALIER_OK) return opened;
  *fault = {std::string(why.reason) + " (byte " + std::to_string(why.offset_bytes) + ")"};
  if (status == ESPALIER_WRONG_HASH) {
    *fault = {"it was recorded with another version of the trees",
              "name the asset that was recorded; ESPALIER_RECORD_ASSET keeps it in the recording"};
  }
  return std::nullopt;
}

bool is_recording_path(std::string_view path) { return path.ends_with(kEnding); }

std::optional<Recording> recording_of(std::string_view bytes, RecordingFault* fault) {
  recording::File file;
  std::string plain;
  Recording recording;
  const bool is_one = recording::open_file(bytes.data(), bytes.size(), &file, nullptr) == ESPALIER_OK;
  if (is_one) {
    recording.left_out_bytes = bytes.size() - file.end;
    recording.is_damaged = has_damage(bytes, file.end);
  }
  const bool is_packed = is_one && file.has_compressed;
  if (is_packed && !unpack_segments(bytes, &plain, &fault->message)) return std::nullopt;
  if (is_packed) bytes = plain;
  recording.words.resize(bytes.size() / 8 + 1);
  recording.size_bytes = bytes.size();
  std::memcpy(recording.words.data(), bytes.data(), bytes.size());
  return recording;
}

std::string words_of_left_out(const Recording& recording) {
  if (recording.left_out_bytes == 0) return {};
  const std::string count = std::to_string(recording.left_out_bytes);
  return recording.is_damaged
             ? "it is damaged: its last " + count + " bytes are left out"
             : "it is cut off: its last " + count + " bytes, of a frame that is not whole, are left out";
}

std::optional<RecordingFault> head_fault(const Recording& recording) {
  recording::File file;
  Fault fault;
  if (recording::open_file(recording.bytes(), recording.size_bytes, &file, &fault) == ESPALIER_OK) return std::nullopt;
  return RecordingFault{std::string(fault.reason) + " (byte " + std::to_string(fault.offset_bytes) + ")"};
}

std::string_view recorded_asset(const Recording& recording) {
  std::size_t size_bytes = 0;
  const void* const asset = espalier_recorded_asset(recording.bytes(), recording.size_bytes, &size_bytes);
  return asset == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(asset), size_bytes);
}

std::optional<VerifiedRecording> verify(const Recording& recording, const Asset& asset, RecordingFault* fault) {
  const std::optional<OpenedRecording> opened = open_recording(recording, asset, fault);
  if (!opened) return std::nullopt;
  VerifiedRecording verified;
  verified.has_hashes = espalier_playback_has_hashes(opened->playback);
  verified.is_redacted = espalier_playback_is_redacted(opened->playback);
  espalier_status status = ESPALIER_OK;
  while ((status = espalier_playback_step(opened->playback, nullptr)) == ESPALIER_OK) ++verified.frame_count;
  verified.has_diverged = status == ESPALIER_DIVERGED;
  for (std::uint32_t i = 0; i < espalier_playback_agent_count(opened->playback); ++i) {
    if (espalier_playback_block(opened->playback, i, nullptr) != nullptr) ++verified.agent_count;
  }
  return verified;
}

}  // namespace espalier::live
