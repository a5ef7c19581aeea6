// The messages of Nav2's /behavior_tree_log, in CDR: a time, and for each change a time, the node's name, perhaps its
// uid (since Jazzy), and its previous and new status in words. One message has the changes of one update.
#include <algorithm>
#include <utility>

#include "live/formats/bytes.h"
#include "live/formats/readers.h"
#include "rules/logs.h"
#include "text/names.h"

namespace espalier::live {
namespace {

constexpr std::size_t kHeaderBytes = 4;  // how the rest is encoded
constexpr std::size_t kWordBytes = 4;

// A text after its size, which counts the NUL at its end.
std::string_view cdr_text(Bytes& from) {
  from.align(kWordBytes);
  std::string_view text = from.text();
  if (text.ends_with('\0')) text.remove_suffix(1);
  return text;
}

std::int64_t cdr_time_us(Bytes& from) {
  from.align(kWordBytes);
  const auto seconds = static_cast<std::int32_t>(from.u32());
  return std::int64_t{seconds} * 1'000'000 + from.u32() / 1000;
}

}  // namespace

bool BagMessages::is_wanted(const std::string& topic, std::string_view type) {
  if (!type.ends_with("/BehaviorTreeLog")) return false;
  if (!topic_.empty()) return topic == topic_;
  if (chosen_.empty()) chosen_ = topic;
  if (topic != chosen_ && std::find(others_.begin(), others_.end(), topic) == others_.end()) others_.push_back(topic);
  return topic == chosen_;
}

std::uint16_t BagMessages::number_of(std::string_view name) {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  if (names_.size() == kMaxNames) return 0;
  names_.emplace_back(name);
  return numbers_.emplace(name, static_cast<std::uint16_t>(names_.size())).first->second;
}

// False: it is not in this layout.
bool BagMessages::is_read(std::string_view data, bool has_uids, Message& message,
                          std::vector<std::string_view>& names) {
  if (data.size() < kHeaderBytes || data[0] != 0 || (data[1] != 0 && data[1] != 1)) return false;
  Bytes from(data.substr(kHeaderBytes), data[1] == 0);
  cdr_time_us(from);
  const std::uint32_t count = from.u32();
  message.changes.clear();
  names.clear();
  for (std::uint32_t i = 0; i < count && !from.is_short(); ++i) {
    Change change;
    change.at_us = cdr_time_us(from);
    const std::string_view name = cdr_text(from);
    if (has_uids) {
      from.align(sizeof change.uid);
      change.uid = from.u16();
    }
    Status previous = {};
    if (!read_status(cdr_text(from), &previous) || !read_status(cdr_text(from), &change.status)) return false;
    change.previous = static_cast<std::uint8_t>(static_cast<unsigned>(previous) + 1);
    change.begins_message = i == 0;
    if (from.is_short()) return false;
    message.changes.push_back(change);
    names.push_back(name);
  }
  return !from.is_short() && from.left() < kWordBytes;
}

void BagMessages::add(std::uint64_t log_time_ns, std::string_view data, const std::string& where, LogFile& file) {
  Message message{log_time_ns, {}};
  std::vector<std::string_view> names;
  if (!is_read(data, true, message, names) && !is_read(data, false, message, names)) {
    file.faults.push_back(
        {rules::LOG_not_a_log, "the message is no BehaviorTreeLog that espalier can read", {}, where});
    return;
  }
  for (std::size_t i = 0; i < names.size(); ++i) message.changes[i].name = number_of(names[i]);
  change_count_ += message.changes.size();
  if (change_count_ > kMaxChanges) return;
  if (!message.changes.empty()) messages_.push_back(std::move(message));
}

void BagMessages::end(LogFile& file) {
  std::stable_sort(messages_.begin(), messages_.end(),
                   [](const Message& a, const Message& b) { return a.log_time_ns < b.log_time_ns; });
  Log log;
  log.names = std::move(names_);
  log.has_messages = true;
  log.has_idle = false;
  for (const Message& message : messages_) {
    for (const Change& change : message.changes) log.has_idle = log.has_idle || change.status == Status::idle;
    log.changes.insert(log.changes.end(), message.changes.begin(), message.changes.end());
  }
  for (const std::string& other : others_) {
    file.faults.push_back({rules::LOG_two_trees,
                           "the bag has logs of trees on several topics: " + text::quote(chosen_) + " is read, " +
                               text::quote(other) + " is not",
                           "'--topic' chooses one"});
  }
  if (log.changes.empty()) {
    file.faults.push_back({rules::LOG_not_a_log, topic_.empty()
                                                     ? "the bag has no log of a tree"
                                                     : "the bag has no log of a tree on " + text::quote(topic_)});
    return;
  }
  file.runs.push_back(std::move(log));
}

}  // namespace espalier::live
