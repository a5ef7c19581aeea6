// Recordings. See recordings.h.
#include "cli/recordings.h"

#include <iostream>
#include <sstream>

#include "cli/cli.h"
#include "live/segments.h"
#include "project/files.h"
#include "project/trace_files.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

constexpr std::size_t kMostRecordingBytes = std::size_t{1} << 30;

std::optional<live::Recording> read_recording(const std::string& path, std::string* error) {
  std::string bytes;
  std::string reason;
  std::optional<live::Recording> recording;
  live::RecordingFault fault;
  if (project::read_bytes(path, kMostRecordingBytes, bytes, reason)) {
    recording = live::recording_of(bytes, &fault);
    reason = fault.message;
  }
  if (recording) return recording;
  *error = "cannot read the recording " + text::quote(path) + ": " + reason;
  return std::nullopt;
}

std::string error_of(const std::string& path, const live::RecordingFault& fault) {
  return "cannot play the recording " + text::quote(path) + ": " + fault.message;
}

// A recording as a trace, for another version of its trees unless `other` is null. None: `fault` says why, with the
// path. What the trace lacks is told, unless `is_quiet`.
std::optional<live::RecordedTrace> read_trace(const std::string& path, const Asset& asset, const Asset* other,
                                              const std::string& name, bool is_quiet, live::RecordingFault* fault) {
  const std::optional<live::Recording> recording = read_recording(path, &fault->message);
  if (!recording) return std::nullopt;
  std::optional<live::RecordedTrace> trace = live::trace_of(*recording, asset, other, name, fault);
  if (!trace) {
    fault->message = error_of(path, *fault);
    return std::nullopt;
  }
  if (std::string note = live::words_of_left_out(*recording); !note.empty()) trace->notes.push_back(std::move(note));
  for (const std::string& note : trace->notes) {
    if (!is_quiet) std::cerr << "espalier: " << text::visible(path) << ": " << text::visible(note) << '\n';
  }
  return trace;
}

}  // namespace

bool open_recorded_asset(const std::vector<std::string>& traces, const std::vector<std::string>& paths, AssetFile& file,
                         int* status) {
  *status = kOk;
  if (!paths.empty()) return false;
  for (const std::string& path : traces) {
    std::string error;
    if (!live::is_recording_path(path)) continue;
    const std::optional<live::Recording> recording = read_recording(path, &error);
    if (!recording) {
      *status = fail(error);
      return true;
    }
    if (const std::optional<live::RecordingFault> fault = live::head_fault(*recording)) {
      *status = fail(error_of(path, *fault), fault->hint);
      return true;
    }
    const std::string_view asset = live::recorded_asset(*recording);
    if (asset.empty()) continue;
    if (!open_asset(path, asset, file)) *status = kFailed;
    return true;
  }
  return false;
}

namespace {

std::unique_ptr<std::istream> open_recording(const std::string& path, const Asset& asset, const Asset* other,
                                             bool is_quiet, std::optional<replay::Start>* start, std::string* error) {
  live::RecordingFault fault;
  std::optional<live::RecordedTrace> trace = read_trace(path, asset, other, {}, is_quiet, &fault);
  if (!trace) {
    *error = fault.message + (fault.hint.empty() ? "" : "; " + fault.hint);
    return nullptr;
  }
  *start = std::move(trace->start);
  return std::make_unique<std::istringstream>(std::move(trace->text));
}

}  // namespace

std::unique_ptr<std::istream> open_trace_or_recording(const std::string& path, const Asset& asset, bool is_kept,
                                                      bool is_quiet, std::optional<replay::Start>* start,
                                                      std::string* error) {
  start->reset();
  if (live::is_recording_path(path)) return open_recording(path, asset, nullptr, is_quiet, start, error);
  return project::open_trace(path, is_kept, error);
}

std::unique_ptr<std::istream> open_for_other_version(const std::string& path, const Asset& asset, const Asset& other,
                                                     std::optional<replay::Start>* start, std::string* error) {
  start->reset();
  if (live::is_recording_path(path)) return open_recording(path, asset, &other, true, start, error);
  return project::open_trace(path, false, error);
}

int verify_recordings(const std::vector<std::string>& paths, const Asset& asset, bool is_quiet) {
  int status = kOk;
  for (const std::string& path : paths) {
    if (!live::is_recording_path(path)) return fail(text::quote(path) + " is no recording", "--verify plays .esprec");
    std::string error;
    const std::optional<live::Recording> recording = read_recording(path, &error);
    if (!recording) return fail(error);
    live::RecordingFault fault;
    const std::optional<live::VerifiedRecording> verified = live::verify(*recording, asset, &fault);
    if (!verified) return fail(error_of(path, fault), fault.hint);
    if (const std::string note = live::words_of_left_out(*recording); !note.empty())
      std::cerr << "espalier: " << text::visible(path) << ": " << note << '\n';
    if (recording->is_damaged) status = kFound;
    const auto counted = [](std::uint64_t count, const std::string& word) {
      return std::to_string(count) + ' ' + word + (count == 1 ? "" : "s");
    };
    if (verified->has_diverged) {
      std::cout << text::visible(path) << ": frame " << verified->frame_count + 1 << " is not what was recorded: "
                << (verified->is_redacted ? "the trees compare a value that was left out\n"
                                          : "the program or the runtime was another one\n");
      status = kFound;
    } else if (!is_quiet) {
      std::cout << text::visible(path) << ": " << counted(verified->frame_count, "frame") << " of "
                << counted(verified->agent_count, "agent") << " are as they were recorded"
                << (verified->is_redacted  ? ", as far as calls tell: values were left out of it\n"
                    : verified->has_hashes ? "\n"
                                           : ", as far as calls tell: it has no hashes\n");
    }
  }
  std::cout << std::flush;
  return status;
}

int convert_recording(const std::string& path, const std::string& output, bool is_packed) {
  std::string bytes;
  std::string reason;
  if (!project::read_bytes(path, kMostRecordingBytes, bytes, reason))
    return fail("cannot read the recording " + text::quote(path) + ": " + reason);
  std::string converted;
  if (!(is_packed ? live::pack_segments : live::unpack_segments)(bytes, &converted, &reason))
    return fail("cannot convert the recording " + text::quote(path) + ": " + reason);
  return write_file(output, converted, {path}, &reason) ? kOk : fail(reason);
}

std::optional<live::RecordedTrace> import_recording(const std::string& path, const Asset& asset, bool is_quiet) {
  live::RecordingFault fault;
  std::optional<live::RecordedTrace> trace = read_trace(path, asset, nullptr, path, is_quiet, &fault);
  if (!trace) static_cast<void>(fail(fault.message, fault.hint));
  return trace;
}

}  // namespace espalier::cli
