// The readers of the formats, one a file. See log.h, whose read_log() chooses among them.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "live/formats/bytes.h"
#include "live/formats/log.h"
#include "text/json.h"

namespace espalier::live {

// FileLogger2 of BehaviorTree.CPP: a header, the tree, and nine bytes a change.
void read_btlog(std::string_view bytes, LogFile& file);
// A database: of SqliteLogger, whose sessions are runs, or of rosbag2.
void read_database(std::string_view bytes, const std::string& topic, LogFile& file);
// MCAP, in which rosbag2 records topics.
void read_mcap(std::string_view bytes, const std::string& topic, LogFile& file);
// What a client of Groot2Publisher heard: JSON Lines, a run for each tree.
void read_session(std::string_view bytes, const ReadOptions& options, LogFile& file);

// What samples/ros/espalier_recorder.h writes inside of a program.
inline constexpr std::string_view kBtrecMagic = "espalier-btrec";
void read_btrec(std::string_view bytes, LogFile& file);

// A change as loggers and publishers write it: 6 bytes of microseconds since `first_us`, 2 of the uid, 1 of the status.
// False: there is no such status.
inline constexpr std::size_t kRecordBytes = 9;
inline constexpr std::size_t kMostRecords = 1000;  // that a publisher keeps; it drops the oldest
[[nodiscard]] bool read_record(Bytes& from, std::int64_t first_us, Change* change);

// Reads times and statuses as the readers have them. False: there is no such status.
[[nodiscard]] bool read_status(unsigned number, Status* status);
[[nodiscard]] bool read_status(std::string_view name, Status* status);

// What a publisher replies of its entries, in MessagePack, as JSON. False: it is none, or is nested too deep.
[[nodiscard]] bool unpack_entries(std::string_view packed, std::string* json);
// What a publisher replies of its statuses: 3 bytes a node. None: they are not such.
[[nodiscard]] std::optional<StatusSample> unpack_statuses(std::string_view bytes, std::int64_t at_us);
// Adds what such JSON says of entries at a time; `main_tree`: its ID.
void add_samples(const text::JsonValue& boards, std::int64_t at_us, const std::string& main_tree, Log& log);

// Unpacks; false: it is not such data, unpacks to more than kMaxLogBytes, or `error` says that this program cannot.
[[nodiscard]] bool unpack_zstd(std::string_view packed, std::string* bytes, std::string* error);
// False: this program cannot.
[[nodiscard]] bool pack_zstd(std::string_view bytes, std::string* packed);
[[nodiscard]] bool unpack_lz4(std::string_view packed, std::string* bytes, std::string* error);

// Collects the messages of a topic of a bag.
class BagMessages {
 public:
  explicit BagMessages(const std::string& topic) : topic_(topic) {}

  // Are messages of this topic, of this type, wanted? The first such topic is, unless one was named; others are told.
  bool is_wanted(const std::string& topic, std::string_view type);
  // A message in CDR. `where` it is, for faults.
  void add(std::uint64_t log_time_ns, std::string_view data, const std::string& where, LogFile& file);
  // Adds the run.
  void end(LogFile& file);

 private:
  struct Message {
    std::uint64_t log_time_ns;
    std::vector<Change> changes;
  };
  const std::string topic_;
  std::string chosen_ = {};
  std::vector<std::string> others_ = {};
  std::vector<std::string> names_ = {};
  std::map<std::string, std::uint16_t, std::less<>> numbers_ = {};  // of names, as Change::name has them
  std::vector<Message> messages_ = {};
  std::size_t change_count_ = 0;
  bool has_idle_ = false;
  static bool is_read(std::string_view data, bool has_uids, Message& message, std::vector<std::string_view>& names);
  std::uint16_t number_of(std::string_view name);
};

}  // namespace espalier::live
