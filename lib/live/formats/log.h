// What a robot's program wrote of a run, whatever the format: when the status of which node became what. Readers take
// bytes of any content: each count and length is checked before it is used, and what cannot be read is told as a
// finding.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/names.h"
#include "rules/rule.h"

namespace espalier::live {

// As BehaviorTree.CPP numbers them.
enum class Status : std::uint8_t { idle, running, success, failure };
inline constexpr unsigned kStatusCount = 4;
// "IDLE"
std::string_view name_of(Status status);

struct Change {
  std::int64_t at_us = 0;       // since 1970
  std::uint16_t uid = 0;        // of the node, in the order of the tree's nodes from 1; 0: the format has only names
  std::uint16_t name = 0;       // of the node: 1 + its number in Log::names; 0: the format has only uids
  Status status = {};           // the new one
  bool begins_message = false;  // the first one of what the program sent after an update
  bool may_be_other = false;    // the same of a message that another tree may have sent, see mixed.h
  std::uint8_t previous = 0;    // 1 + the status before; 0: the format does not have it
};

// What an entry held at a time, as a client of the program asked for it.
struct EntrySample {
  std::int64_t at_us = 0;  // since 1970
  std::string entry = {};  // "battery", "north/cost": of the main tree's blackboard without a path
  replay::TraceValue value = {};
};

// The statuses of all nodes at a time when their changes were recorded already, as a client asked for them.
struct StatusSample {
  std::int64_t at_us = 0;             // since 1970
  std::vector<Status> statuses = {};  // by uid - 1
};
// Whoever asks a program is not quite in time with it: what is nearer to a change may be of before it, or of behind it.
inline constexpr std::int64_t kSampleApart_us = 20'000;

// ---- What a recorder inside of the program (samples/ros/espalier_recorder.h) has next to the changes

// A node was ticked. They are in the order in which they ended: a node comes after its children.
struct RecordedTick {
  std::uint16_t uid = 0;
  bool is_skipped = false;
  Status status = {};  // if it is not; idle: it returned that, which the library answers with an exception
};

// A write to an entry was seen.
struct RecordedWrite {
  std::uint32_t entry = 0;                       // its number in Log::entries
  std::uint32_t tick = 0;                        // seen when this tick ended, by its number in Log::ticks
  bool is_of_tick = false;                       // that node wrote it, or else it is not known who
  std::optional<replay::TraceValue> value = {};  // none: it has none, or one that a trace cannot say
};

struct RecordedEntry {
  std::string path = {};  // of its blackboard; empty: the main tree's
  std::string name = {};
};

// What the program did between two ends of ticks of the root.
struct RecordedUpdate {
  enum class End : std::uint8_t {
    result,  // the root returned one
    none,    // an exception ended it, or the program
    halt,    // it is none: the program halted the tree
  };
  std::uint32_t first_change = 0;
  std::uint32_t change_count = 0;
  std::uint32_t first_tick = 0;
  std::uint32_t tick_count = 0;
  std::uint32_t first_write = 0;
  std::uint32_t write_count = 0;
  std::int64_t begin_us = 0;  // of its first change, since 1970; without changes of its end
  std::int64_t end_us = 0;
  End end = End::result;
  bool is_cut = false;  // the recording ends in it, or before all of its changes
};

// One run of a tree.
struct Log {
  std::string tree_xml = {};  // as the program had it; empty: the format does not have it
  std::vector<std::string> names = {};
  std::vector<Change> changes = {};  // in the order in which they happened
  bool has_messages =
      false;             // no update goes beyond the changes of one message, and all but the last of a run have one
  bool has_idle = true;  // changes to IDLE are in it
  std::vector<EntrySample> samples = {};  // in the order of their times; may not be all that were held
  std::optional<StatusSample> first_statuses = {};
  // Of a recorder; empty: no recorder wrote it.
  std::vector<RecordedUpdate> updates = {};  // updates that are the same share their ticks and writes
  std::vector<RecordedTick> ticks = {};
  std::vector<RecordedWrite> writes = {};
  std::vector<RecordedEntry> entries = {};
  std::vector<std::uint16_t> untold = {};  // uids of nodes whose ticks are not among these
  std::uint32_t first_write_count = 0;     // those that tell what entries held before
  bool begins_within_run = false;          // the tree ran when its recorder was made
};

// Something about a log.
struct LogFault {
  rules::Rule rule;
  std::string message;
  std::string hint = {};
  std::string place = {};  // in the log: "record 12, 0.586 s"; empty: it is about all of it
};

// What a file holds: the runs that could be read, even if there are faults.
struct LogFile {
  std::vector<Log> runs = {};
  std::vector<LogFault> faults = {};
};

// What readers accept at most; more is a fault.
inline constexpr std::size_t kMaxLogBytes = std::size_t{1} << 30;   // of a file, and of what is unpacked from it
inline constexpr std::size_t kMaxTreeBytes = std::size_t{1} << 26;  // of the XML in it
inline constexpr std::size_t kMaxChanges = 50'000'000;
inline constexpr std::size_t kMaxNames = 65'000;  // of different nodes

struct ReadOptions {
  std::string topic = {};  // of a bag; empty: the first one with logs of trees
  // Reads a file beside the log, which captured sessions name. False: it cannot be read.
  std::function<bool(const std::string& name, std::string* bytes)> beside = {};
};

// The kind of file is told by its first bytes.
[[nodiscard]] LogFile read_log(std::string_view bytes, const ReadOptions& options);
// Adds to a log, which has its tree, what FILE.entries.jsonl tells of entries: `attach -o` writes it beside the log.
// False: it is no such file; what came before the line that cannot be read is added.
[[nodiscard]] bool read_entries(std::string_view bytes, Log& log);
// The files of a bag that was split, in their order, as one. Faults of several files stay.
[[nodiscard]] LogFile joined(std::vector<LogFile> files);
// The files that a bag's metadata.yaml names, in their order.
[[nodiscard]] std::vector<std::string> files_of_bag(std::string_view metadata);
// Does a file begin like one that read_log() reads?
[[nodiscard]] bool is_log(std::string_view first_bytes);
// How many of the first bytes is_log() looks at.
inline constexpr std::size_t kLogMagicBytes = 32;

// An entry of a program's: {"north/cost", "1"}; one of the main tree's board has no path.
struct Entry {
  std::string name;
  std::string value;
};
// The entries of boards, ClientEvents::entries; of what begins with '_', and of those without a value, nothing.
// `main_tree`: its ID; its entries have no path.
[[nodiscard]] std::vector<Entry> entries_of(std::string_view json, const std::string& main_tree);

}  // namespace espalier::live
