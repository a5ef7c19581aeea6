// Captured sessions with Groot2Publisher: a JSON object a line, a request with its reply in hexadecimal. A reply to `T`
// is the tree, to `r start` the time from which those to `t` count, nine bytes a change.
#include <charconv>

#include "live/formats/bytes.h"
#include "live/formats/readers.h"
#include "live/tree_xml.h"
#include "rules/logs.h"
#include "text/json.h"

namespace espalier::live {
namespace {

int digit_of(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

// False: it is not hexadecimal.
bool read_hex(std::string_view text, std::string* bytes) {
  bytes->clear();
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const int high = digit_of(text[i]);
    const int low = digit_of(text[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes->push_back(static_cast<char>(high * 16 + low));
  }
  return text.size() % 2 == 0;
}

class Session {
 public:
  Session(const ReadOptions& options, LogFile& file) : options_(options), file_(file) {}

  // False: it is no line of a session.
  bool read(std::string_view line, std::size_t number) {
    text::JsonFault fault;
    const std::optional<text::JsonValue> object = text::parse_json(line, 0, fault);
    if (!object || object->kind != text::JsonKind::object) return false;
    const text::JsonValue* const ask = object->find("ask");
    const text::JsonValue* const reply = object->find("reply");
    if (ask == nullptr || reply == nullptr || reply->values.size() < 2) return true;
    const std::string& part = reply->values[1].string;
    std::string bytes;
    const bool is_file = part.starts_with('@');
    if (!is_file && !read_hex(part, &bytes)) return false;
    if (is_file && (!options_.beside || !options_.beside(part.substr(1), &bytes))) return true;
    const text::JsonValue* const t = object->find("t");
    constexpr double kMostSeconds = 1e9;
    const bool has_time =
        t != nullptr && t->kind == text::JsonKind::number && t->number >= 0 && t->number < kMostSeconds;
    const std::int64_t at_us = has_time ? static_cast<std::int64_t>(t->number * 1e6) : 0;
    if (ask->string == "T") {
      file_.runs.emplace_back().tree_xml = bytes;
    } else if (ask->string == "r") {
      std::from_chars(bytes.data(), bytes.data() + bytes.size(), first_us_);
      constexpr std::int64_t kMostTime_us = std::int64_t{1} << 60;
      is_in_time_ = has_time && first_us_ > 0 && first_us_ < kMostTime_us;
      if (is_in_time_) ahead_us_ = first_us_ - at_us;
    } else if (ask->string == "B" && !file_.runs.empty() && has_time && is_in_time_) {
      read_entries(bytes, at_us + ahead_us_);
    } else if (ask->string == "S" && !file_.runs.empty() && has_time && is_in_time_) {
      if (!file_.runs.back().first_statuses)
        file_.runs.back().first_statuses = unpack_statuses(bytes, at_us + ahead_us_);
    } else if (ask->string == "t" && !file_.runs.empty()) {
      return read_records(bytes, number);
    }
    return true;
  }

 private:
  // An error, such as for names that the program does not have, tells nothing.
  void read_entries(std::string_view bytes, std::int64_t at_us) {
    std::string json;
    if (!unpack_entries(bytes, &json)) return;
    text::JsonFault fault;
    Log& log = file_.runs.back();
    if (const auto boards = text::parse_json(json, 0, fault))
      add_samples(*boards, at_us, main_tree_of(log.tree_xml), log);
  }

  bool read_records(std::string_view bytes, std::size_t line) {
    if (bytes.size() / kRecordBytes >= kMostRecords) {
      file_.faults.push_back({rules::LOG_changes_lost,
                              "the program sent as many changes as it keeps, so older ones are lost", "ask more often",
                              "line " + std::to_string(line)});
    }
    Bytes from(bytes);
    while (from.left() >= kRecordBytes) {
      Change change;
      if (!read_record(from, first_us_, &change)) return false;
      file_.runs.back().changes.push_back(change);
    }
    return true;
  }

  const ReadOptions& options_;
  LogFile& file_;
  std::int64_t first_us_ = 0;
  bool is_in_time_ = false;    // the program's times are known for the session's
  std::int64_t ahead_us_ = 0;  // of the session's times: by which the program's are ahead
};

}  // namespace

std::optional<StatusSample> unpack_statuses(std::string_view bytes, std::int64_t at_us) {
  constexpr std::size_t kSampledBytes = 3;
  StatusSample sample{at_us, {}};
  Bytes from(bytes);
  while (from.left() >= kSampledBytes) {
    const std::uint16_t uid = from.u16();
    const std::uint8_t status = from.u8();
    if (uid == 0) return std::nullopt;
    if (uid > sample.statuses.size()) sample.statuses.resize(uid, Status::idle);
    // Of nodes that went idle it is 10 + the status before.
    if (status < kStatusCount) sample.statuses[uid - 1u] = static_cast<Status>(status);
  }
  return sample;
}

void read_session(std::string_view bytes, const ReadOptions& options, LogFile& file) {
  Session session(options, file);
  std::size_t number = 0;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view line = bytes.substr(0, end);
    ++number;
    if (!line.empty() && !session.read(line, number)) {
      file.faults.push_back(
          {rules::LOG_not_a_log, "this is no line of a captured session", {}, "line " + std::to_string(number)});
      return;
    }
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  }
  std::erase_if(file.runs, [](const Log& run) { return run.changes.empty(); });
}

}  // namespace espalier::live
