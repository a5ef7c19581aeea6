// Recordings of espalier's own agents (.esprec), where a trace is taken.
#pragma once
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/asset_file.h"
#include "live/recorded.h"
#include "replay/replay.h"

namespace espalier::cli {

// The assets inside recordings serve where no trees are named: `paths` is empty then, and `file` gets the asset of the
// first recording that has one. False: nothing was read. `status`: an error that was reported.
[[nodiscard]] bool open_recorded_asset(const std::vector<std::string>& traces, const std::vector<std::string>& paths,
                                       AssetFile& file, int* status);

// A trace, or a recording as one: `start` gets how its agents begin. Null: it cannot be read, and `error` says why.
// What a trace of a recording lacks is told on standard error, unless `is_quiet`.
[[nodiscard]] std::unique_ptr<std::istream> open_trace_or_recording(const std::string& path, const Asset& asset,
                                                                    bool is_kept, bool is_quiet,
                                                                    std::optional<replay::Start>* start,
                                                                    std::string* error);

// The same for trees that are another version of those of a recording, by the names that both have: the asset of the
// recording, and the other one.
[[nodiscard]] std::unique_ptr<std::istream> open_for_other_version(const std::string& path, const Asset& asset,
                                                                   const Asset& other,
                                                                   std::optional<replay::Start>* start,
                                                                   std::string* error);

// Plays recordings and says of each whether its frames are as they were recorded. Returns an exit status.
[[nodiscard]] int verify_recordings(const std::vector<std::string>& paths, const Asset& asset, bool is_quiet);

// Writes a recording with its segments compressed, or with none of them. Returns an exit status.
[[nodiscard]] int convert_recording(const std::string& path, const std::string& output, bool is_packed);

// A recording as a trace, for `import`. None: the reason is on standard error. What the trace lacks is told there too,
// unless `is_quiet`.
[[nodiscard]] std::optional<live::RecordedTrace> import_recording(const std::string& path, const Asset& asset,
                                                                  bool is_quiet);

}  // namespace espalier::cli
