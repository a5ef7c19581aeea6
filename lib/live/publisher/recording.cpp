// Recordings. See recording.h; formats/btlog.cpp reads them.
#include "live/publisher/recording.h"

#include <cerrno>
#include <ostream>
#include <system_error>

#include "system/filesystem.h"
#include "system/reason.h"
#include "text/names.h"

namespace espalier::live {
namespace {

void put(std::uint64_t number, unsigned size, std::string& bytes) {
  for (unsigned i = 0; i < size; ++i) bytes.push_back(static_cast<char>(number >> 8 * i & 0xFF));
}

}  // namespace

std::string btlog_head(std::string_view tree_xml, std::int64_t first_us) {
  std::string bytes = "BTCPP4-FileLogger2\x01";
  put(tree_xml.size(), 4, bytes);
  bytes += tree_xml;
  put(static_cast<std::uint64_t>(first_us), 8, bytes);
  return bytes;
}

std::string btlog_record(const Change& change, std::int64_t first_us) {
  std::string bytes;
  put(static_cast<std::uint64_t>(change.at_us - first_us), 6, bytes);
  put(change.uid, 2, bytes);
  put(static_cast<std::uint64_t>(change.status), 1, bytes);
  return bytes;
}

void BtlogWriter::begin_tree(const std::string& xml) {
  xml_ = xml;
  changes_.close();
  entries_.close();
}

// What cannot be written is not lost in silence.
void BtlogWriter::check(const std::ofstream& file, const std::string& path) {
  if (!file && fault_.empty()) fault_ = "cannot write " + text::quote(path) + ": " + system::reason_of(errno);
}

bool BtlogWriter::begin(std::int64_t first_us) {
  if (changes_.is_open() || !fault_.empty()) return false;
  first_us_ = first_us;
  std::error_code error;
  do {
    path_ = asked_path_;
    if (++number_ > 1) path_.insert(path_.rfind('.'), "-" + std::to_string(number_));
  } while (system::filesystem::exists(path_, error) ||
           (with_entries_ && system::filesystem::exists(entries_path(path_), error)));
  changes_.open(system::native(path_), std::ios::binary | std::ios::trunc);
  changes_ << btlog_head(xml_, first_us_) << std::flush;
  check(changes_, path_);
  last_entries_.clear();
  if (!with_entries_ || !fault_.empty()) return fault_.empty();
  entries_.open(system::native(entries_path(path_)), std::ios::binary | std::ios::trunc);
  check(entries_, entries_path(path_));
  return fault_.empty();
}

bool BtlogWriter::begin_behind_gap(std::int64_t first_us) {
  if (!changes_.is_open()) return false;
  begin_tree(std::string(xml_));
  return begin(first_us);
}

void BtlogWriter::add(const std::vector<Change>& changes) {
  if (!changes_.is_open()) return;
  for (const Change& change : changes) changes_ << btlog_record(change, first_us_);
  changes_.flush();
  check(changes_, path_);
}

void BtlogWriter::add_statuses(std::int64_t at_us, const std::vector<NodeStatus>& statuses) {
  if (!entries_.is_open()) return;
  std::string json;
  for (const NodeStatus& each : statuses) {
    if (each.status == 0 || each.status >= kStatusCount) continue;
    json += (json.empty() ? "\"" : ", \"") + std::to_string(each.uid) + "\": \"" +
            std::string(name_of(static_cast<Status>(each.status))) + '"';
  }
  if (json.empty()) return;  // nothing runs
  entries_ << "{\"at\": " << at_us << ", \"statuses\": {" << json << "}}\n" << std::flush;
  check(entries_, entries_path(path_));
}

void BtlogWriter::add_entries(std::int64_t at_us, const std::string& json) {
  if (!entries_.is_open() || json == last_entries_) return;
  last_entries_ = json;
  entries_ << "{\"at\": " << at_us << ", \"entries\": " << json << "}\n" << std::flush;
  check(entries_, entries_path(path_));
}

}  // namespace espalier::live
