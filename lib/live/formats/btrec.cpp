// Files of samples/ros/espalier_recorder.h: "espalier-btrec", a version, a time, the uid of the root, the tree's XML
// after its size, and records. A record is a letter and what belongs to it; README.md has the table. A program that was
// killed may leave a part of a record.
#include <cmath>
#include <cstring>
#include <string>

#include "live/formats/bytes.h"
#include "live/formats/readers.h"
#include "rules/logs.h"

namespace espalier::live {
namespace {

using replay::TraceValue;

constexpr unsigned kSkipped = 4;               // as BehaviorTree.CPP numbers statuses
constexpr std::size_t kMostEntries = 100'000;  // of all blackboards
constexpr std::int64_t kMostTimes_us = std::int64_t{1} << 60;

// What can be read of a value.
struct ReadValue {
  bool is_there = true;
  bool is_again = false;  // the last one
  std::optional<TraceValue> value = {};
};

TraceValue whole_value(std::uint64_t magnitude, bool is_negative) {
  TraceValue value;
  value.kind = TraceValue::Kind::whole;
  const auto negative = static_cast<std::int64_t>(~magnitude);
  value.number = is_negative ? static_cast<double>(negative) : static_cast<double>(magnitude);
  constexpr double kMostExact = 9007199254740992.0;
  if (value.number >= kMostExact || value.number <= -kMostExact)
    value.text = is_negative ? std::to_string(negative) : std::to_string(magnitude);
  return value;
}

class Records {
 public:
  Records(Bytes from, std::uint16_t root, std::int64_t first_us, LogFile& file)
      : from_(from), root_(root), now_us_(first_us), file_(file), log_(file.runs.back()) {}

  void read() {
    while (from_.left() != 0 && !is_done_) {
      const std::size_t at = from_.at();
      const bool is_known = read_record(static_cast<char>(from_.u8()));
      if (from_.is_short()) {
        file_.faults.push_back({rules::LOG_cut, "the last record is not whole", {}, "byte " + std::to_string(at)});
        break;
      }
      const bool is_too_long = is_beyond_limits();
      if (is_known && !is_too_long) continue;
      file_.faults.push_back({rules::LOG_not_a_log,
                              is_too_long ? "the recording has too many records or values" : "there is no such record",
                              {},
                              "byte " + std::to_string(at)});
      break;
    }
    update_.is_cut = !is_ended_ || !is_last_of_root(Status::running) || status_of(root_) != Status::running;
    close();
  }

 private:
  // Records of a few bytes repeat long values, and long updates.
  bool is_beyond_limits() const {
    const std::size_t count = log_.ticks.size() + log_.changes.size() + log_.updates.size() + log_.writes.size();
    return count + repeated_count_ > kMaxChanges || value_bytes_ > kMaxLogBytes;
  }

  // ---- Records. False: there is no such one; if the bytes are not enough, what was read is not used.

  bool read_record(char letter) {
    switch (letter) {
      case 'n':
        return read_entry();
      case 'o':
      case 'w':
        return read_write(letter == 'o');
      case 't':
        return read_tick(read_uid());
      case 'u':
        return read_end();
      case 'r':
        return read_repeat();
      case 's':
        return read_change();
      case 'i':
        return read_first_status();
      case 'k':
        return read_untold();
      case 'x':
        file_.faults.push_back(
            {rules::LOG_changes_lost, "the disk was full or too slow: the recording ends before the program"});
        is_done_ = true;
        return true;
      default:
        return false;
    }
  }

  bool read_entry() {
    RecordedEntry entry;
    entry.path = read_text();
    entry.name = read_text();
    if (from_.is_short()) return true;
    if (log_.entries.size() == kMostEntries) return false;
    log_.entries.push_back(std::move(entry));
    lasts_.emplace_back();
    return true;
  }

  bool read_write(bool is_of_tick) {
    const std::uint64_t entry = read_number();
    ReadValue read;
    const bool is_known = read_value(&read);
    if (from_.is_short()) return true;
    if (!is_known || entry >= log_.entries.size()) return false;
    if (!is_root_idle_) begin();
    if (!read.is_again) lasts_[entry] = std::move(read.value);
    log_.writes.push_back({static_cast<std::uint32_t>(entry), count_of(log_.ticks), is_of_tick, lasts_[entry]});
    if (lasts_[entry]) value_bytes_ += lasts_[entry]->text.size();
    ++update_.write_count;
    const bool is_first = log_.ticks.empty() && log_.changes.empty() && !is_of_tick;
    if (is_first) ++log_.first_write_count;
    return true;
  }

  bool read_value(ReadValue* read) {
    TraceValue value;
    const char kind = static_cast<char>(from_.u8());
    switch (kind) {
      case '=':
        read->is_again = true;
        return true;
      case 'n':
        return true;
      case '?':
        static_cast<void>(read_text());  // the type
        return true;
      case 't':
      case 'f':
        value.number = kind == 't' ? 1 : 0;
        break;
      case '+':
        value = whole_value(read_number(), false);
        break;
      case '-':
        value = whole_value(read_number(), true);
        break;
      case 'd': {
        const std::uint64_t bits = from_.u64();
        value.kind = TraceValue::Kind::real;
        std::memcpy(&value.number, &bits, sizeof bits);
        if (!std::isfinite(value.number)) return true;  // traces have no such numbers
        break;
      }
      case 's':
      case 'j':
        value.kind = TraceValue::Kind::text;
        value.text = read_text();
        break;
      default:
        return from_.is_short();
    }
    read->value = std::move(value);
    return true;
  }

  bool read_tick(std::uint16_t uid) {
    const unsigned status = from_.u8();
    if (from_.is_short()) return true;
    RecordedTick tick{uid, status == kSkipped, Status::idle};
    if (uid == 0 || (!tick.is_skipped && !read_status(status, &tick.status))) return false;
    begin();
    if (uid < untold_.size() && untold_[uid] != Status::idle) return true;
    log_.ticks.push_back(tick);
    ++update_.tick_count;
    idle_count_ = 0;
    // What a thread of the node's own has made of its status is seen by the tree now.
    if (const Status* const waiting = waiting_of(uid); waiting != nullptr && *waiting == tick.status) {
      add_change(uid, tick.status);
      waiting_[uid] = Status::idle;
    }
    return true;
  }

  bool read_end() {
    is_root_idle_ = false;  // nodes of Nav2 halt themselves before they are done
    if (!read_tick(root_)) return false;
    read_time();
    if (from_.is_short()) return true;
    end();
    last_ = update_;
    return true;
  }

  bool read_repeat() {
    read_time();
    if (from_.is_short()) return true;
    close();
    if (last_.tick_count == 0 || last_.change_count != 0) return false;
    update_ = last_;
    update_.first_change = count_of(log_.changes);
    repeated_count_ += last_.tick_count + last_.write_count;
    end();
    return true;
  }

  bool read_change() {
    const std::uint16_t uid = read_uid();
    Status status = {};
    const bool is_known = live::read_status(from_.u8(), &status);
    read_time();
    if (from_.is_short()) return true;
    if (uid == 0 || !is_known) return false;
    const bool is_result = status == Status::success || status == Status::failure;
    const Status before = status_of(uid);
    if (status == before) return true;
    // A node's tick tells its result before its status does; else a thread of the node's own has set it.
    const bool is_ticked = !log_.ticks.empty() && log_.ticks.back().uid == uid && log_.ticks.back().status == status;
    const bool is_untold = uid < untold_.size() && untold_[uid] != Status::idle;
    if (is_result && before == Status::running && !is_ticked && !is_untold) {
      set(waiting_, uid, status);
      return true;
    }
    if (waiting_of(uid) != nullptr) waiting_[uid] = Status::idle;
    change(uid, before, status);
    return true;
  }

  bool read_untold() {
    const std::uint16_t uid = read_uid();
    if (from_.is_short()) return true;
    if (uid == 0 || log_.untold.size() > UINT16_MAX) return false;
    log_.untold.push_back(uid);
    set(untold_, uid, Status::running);
    return true;
  }

  bool read_first_status() {
    const std::uint16_t uid = read_uid();
    Status status = {};
    const bool is_known = live::read_status(from_.u8(), &status);
    if (from_.is_short()) return true;
    if (uid == 0 || !is_known) return false;
    set(statuses_, uid, status);
    log_.begins_within_run = log_.begins_within_run || uid == root_;
    return true;
  }

  void change(std::uint16_t uid, Status before, Status status) {
    const bool is_result = status == Status::success || status == Status::failure;
    const bool is_of_end =
        is_ended_ && uid == root_ && (status == Status::idle ? before != Status::running : is_last_of_root(status));
    if (!is_of_end) begin();
    add_change(uid, status);
    if (is_of_end) {
      if (status == Status::idle) close();
      return;
    }
    idle_count_ = status == Status::idle ? idle_count_ + 1 : 0;
    if (uid != root_) return;
    if (is_result) end();  // a condition of the root has decided
    is_root_idle_ = status == Status::idle;
  }

  // ---- Updates

  void begin() {
    if (is_root_idle_) halt();
    if (is_ended_) close();
  }

  void end() {
    is_ended_ = true;
    update_.end_us = now_us_;
    if (update_.change_count == 0) update_.begin_us = now_us_;
  }

  // What ends here was halted, and perhaps an update before that by an exception.
  void halt() {
    is_root_idle_ = false;
    const std::uint32_t halted = idle_count_;
    const std::uint32_t first = count_of(log_.changes) - halted;
    if (update_.tick_count != 0 || update_.change_count != halted) {
      update_.change_count -= halted;
      update_.end = RecordedUpdate::End::none;
      end();
      close();
    }
    update_.first_change = first;
    update_.change_count = halted;
    update_.end = RecordedUpdate::End::halt;
    update_.begin_us = log_.changes[first].at_us;
    end();
    close();
  }

  void close() {
    if (is_root_idle_) halt();
    const bool is_of_halt = !is_ended_ && update_.tick_count == 0 && update_.change_count == idle_count_;
    // Threads of nodes and of timers change statuses between updates.
    const bool is_between = !is_ended_ && update_.tick_count == 0 && !has_told_changes_;
    const bool is_empty = is_between || (is_of_halt && status_of(root_) != Status::idle);
    if (!is_ended_ && !is_empty) {
      update_.end = is_of_halt ? RecordedUpdate::End::halt : RecordedUpdate::End::none;
      end();
    }
    if (!is_empty) log_.updates.push_back(update_);
    const std::uint32_t left = is_empty ? update_.write_count : 0;
    update_ = {};
    update_.first_change = count_of(log_.changes);
    update_.first_tick = count_of(log_.ticks);
    update_.write_count = left;
    update_.first_write = count_of(log_.writes) - left;
    is_ended_ = has_told_changes_ = false;
    idle_count_ = 0;
  }

  void add_change(std::uint16_t uid, Status status) {
    if (update_.change_count == 0) update_.begin_us = now_us_;
    set(statuses_, uid, status);
    Change& change = log_.changes.emplace_back();
    change.at_us = now_us_;
    change.uid = uid;
    change.status = status;
    ++update_.change_count;
    has_told_changes_ = has_told_changes_ || uid >= untold_.size() || untold_[uid] == Status::idle;
  }

  // Did the root's last tick return this?
  bool is_last_of_root(Status status) const {
    return !log_.ticks.empty() && log_.ticks.back().uid == root_ && log_.ticks.back().status == status;
  }

  // ---- Statuses, by uid

  Status status_of(std::uint16_t uid) const { return uid < statuses_.size() ? statuses_[uid] : Status::idle; }
  const Status* waiting_of(std::uint16_t uid) const {
    return uid < waiting_.size() && waiting_[uid] != Status::idle ? &waiting_[uid] : nullptr;
  }
  static void set(std::vector<Status>& statuses, std::uint16_t uid, Status status) {
    if (uid >= statuses.size()) statuses.resize(std::size_t{uid} + 1, Status::idle);
    statuses[uid] = status;
  }

  // ---- Parts of records

  // Seven bits a byte, the lowest ones first; all but the last have the eighth bit.
  std::uint64_t read_number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t byte = from_.u8();
      number |= (byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    return number;
  }
  std::uint16_t read_uid() {
    const std::uint64_t number = read_number();
    return number > UINT16_MAX ? std::uint16_t{0} : static_cast<std::uint16_t>(number);
  }
  std::string read_text() { return std::string(from_.take(read_number())); }
  void read_time() {
    const std::uint64_t since_us = read_number();
    if (since_us < static_cast<std::uint64_t>(kMostTimes_us - now_us_)) now_us_ += static_cast<std::int64_t>(since_us);
  }
  template <typename List>
  static std::uint32_t count_of(const List& list) {
    return static_cast<std::uint32_t>(list.size());
  }

  Bytes from_;
  const std::uint16_t root_;
  std::int64_t now_us_;
  LogFile& file_;
  Log& log_;
  RecordedUpdate update_ = {};  // that is read
  RecordedUpdate last_ = {};    // that may be repeated
  bool is_root_idle_ = false;   // without a result: the program halted the tree, or the root itself
  bool is_ended_ = false;       // at most changes of the root follow in it
  bool is_done_ = false;
  bool has_told_changes_ = false;   // of nodes whose ticks are told
  std::uint32_t idle_count_ = 0;    // changes to idle that come last in it
  std::size_t value_bytes_ = 0;     // of the texts of all writes
  std::size_t repeated_count_ = 0;  // ticks and writes of updates that repeat the one before
  std::vector<Status> statuses_ = {};
  std::vector<Status> untold_ = {};                    // running: of Log::untold
  std::vector<Status> waiting_ = {};                   // results that no tick has told yet
  std::vector<std::optional<TraceValue>> lasts_ = {};  // by entry
};

}  // namespace

void read_btrec(std::string_view bytes, LogFile& file) {
  Bytes from(bytes);
  if (from.take(kBtrecMagic.size()) != kBtrecMagic) return;
  if (const unsigned version = from.u8(); version != 1 && !from.is_short()) {
    file.faults.push_back({rules::LOG_old_version,
                           "the version of the recording is " + std::to_string(version) + ", not 1",
                           "use the espalier_recorder.h of this espalier"});
    return;
  }
  const std::uint64_t first_us = from.u64();
  const std::uint16_t root = from.u16();
  std::string xml(from.text());
  if (from.is_short()) {
    file.faults.push_back(
        {rules::LOG_cut, "the recording ends in its header, at byte " + std::to_string(bytes.size())});
    return;
  }
  if (first_us >= static_cast<std::uint64_t>(kMostTimes_us) || root == 0) {
    file.faults.push_back({rules::LOG_not_a_log, "the recording's header is damaged"});
    return;
  }
  file.runs.emplace_back().tree_xml = std::move(xml);
  Records(from, root, static_cast<std::int64_t>(first_us), file).read();
}

}  // namespace espalier::live
