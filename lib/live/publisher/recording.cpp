// Recordings. See recording.h; formats/btlog.cpp reads them.
#include "live/publisher/recording.h"

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

}  // namespace espalier::live
