// FileLogger2's files: "BTCPP4-FileLogger2", a version, the tree's XML after its size, a time, and a record a change.
// Records have the time since that one in 6 bytes, the uid in 2, the status in 1. A program that was killed may leave a
// part of a record.
#include "live/formats/bytes.h"
#include "live/formats/readers.h"
#include "rules/logs.h"

namespace espalier::live {
namespace {

constexpr std::string_view kMagic = "BTCPP4-FileLogger2";

}  // namespace

bool read_record(Bytes& from, std::int64_t first_us, Change* change) {
  const std::uint64_t low = from.u32();
  const std::uint64_t since_us = low | std::uint64_t{from.u16()} << 32;
  change->at_us = static_cast<std::int64_t>(static_cast<std::uint64_t>(first_us) + since_us);
  change->uid = from.u16();
  return read_status(from.u8(), &change->status);
}

void read_btlog(std::string_view bytes, LogFile& file) {
  Bytes from(bytes);
  if (from.take(kMagic.size()) != kMagic) return;
  if (const unsigned version = from.u8(); version != 1) {
    file.faults.push_back({rules::LOG_old_version, "the version of the log is " + std::to_string(version) + ", not 1"});
    return;
  }
  Log& log = file.runs.emplace_back();
  log.tree_xml = from.text();
  const std::int64_t first_us = from.number<std::int64_t>();
  if (from.is_short()) {
    file.faults.push_back({rules::LOG_cut, "the log ends in its header, at byte " + std::to_string(bytes.size())});
    file.runs.pop_back();
    return;
  }
  log.changes.reserve(from.left() / kRecordBytes);
  while (from.left() >= kRecordBytes) {
    Change change;
    if (!read_record(from, first_us, &change)) {
      file.faults.push_back(
          {rules::LOG_not_a_log,
           "there is no such status",
           {},
           "record " + std::to_string(log.changes.size()) + ", byte " + std::to_string(from.at() - 1)});
      return;
    }
    log.changes.push_back(change);
  }
  if (from.left() != 0) {
    file.faults.push_back(
        {rules::LOG_cut,
         "the last record has " + std::to_string(from.left()) + " of " + std::to_string(kRecordBytes) + " bytes",
         {},
         "record " + std::to_string(log.changes.size()) + ", byte " + std::to_string(from.at())});
  }
}

}  // namespace espalier::live
