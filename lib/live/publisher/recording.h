// Files of what a program's publisher told, as FileLogger2 writes them: Groot2 and `import` read them.
#pragma once
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/formats/log.h"
#include "live/publisher/client.h"

namespace espalier::live {

// What a file begins with. `first_us`: since 1970; changes are relative to it.
[[nodiscard]] std::string btlog_head(std::string_view tree_xml, std::int64_t first_us);
[[nodiscard]] std::string btlog_record(const Change& change, std::int64_t first_us);

// A recording of a program: its changes in a .btlog, and its entries beside it in FILE.entries.jsonl. Another tree
// begins another file: FILE-2.btlog; so does a gap, as a log with one is of no tree. No file that is there is
// overwritten: the next number is taken.
class BtlogWriter {
 public:
  // `with_entries`: they are written too.
  explicit BtlogWriter(std::string path, bool with_entries = true)
      : asked_path_(std::move(path)), with_entries_(with_entries) {}

  // Where the entries of a file are.
  static std::string entries_path(const std::string& path) { return path + ".entries.jsonl"; }

  void begin_tree(const std::string& xml);
  // From this time on, in us since 1970. True: a file has begun; false: one had before, or cannot be written.
  bool begin(std::int64_t first_us);
  // Changes before those that come next are missing.
  bool begin_behind_gap(std::int64_t first_us);
  void add(const std::vector<Change>& changes);
  // What nodes are before their changes are told, with the entries: for a program that is in the middle of a run.
  void add_statuses(std::int64_t at_us, const std::vector<NodeStatus>& statuses);
  // As ClientEvents::entries has them; what they were before is not written again.
  void add_entries(std::int64_t at_us, const std::string& json);
  // Of the present file.
  [[nodiscard]] const std::string& path() const { return path_; }
  // Why it cannot be written; empty: it can.
  [[nodiscard]] const std::string& fault() const { return fault_; }

 private:
  void check(const std::ofstream& file, const std::string& path);

  const std::string asked_path_;
  const bool with_entries_;
  std::string path_;
  std::string xml_;
  std::string last_entries_;
  std::ofstream changes_;
  std::ofstream entries_;
  std::int64_t first_us_ = 0;
  std::uint32_t number_ = 0;
  std::string fault_;
};

}  // namespace espalier::live
