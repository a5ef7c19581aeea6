// The client of Groot2Publisher. See client.h.
#include "live/publisher/client.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "live/formats/bytes.h"
#include "live/formats/readers.h"
#include "live/tree_xml.h"

namespace espalier::live {
namespace {

constexpr unsigned kProtocol = 2;
constexpr std::size_t kRequestBytes = 6;
constexpr std::size_t kReplyBytes = 22;
constexpr std::size_t kStatusBytes = 3;
constexpr std::int64_t kNever = INT64_MAX;
constexpr std::int64_t kLastTime_us = std::int64_t{1} << 60;

std::string head_of(char letter, std::uint32_t id) {
  std::string head = {static_cast<char>(kProtocol), letter};
  for (unsigned i = 0; i < 4; ++i) head.push_back(static_cast<char>(id >> 8 * i & 0xFF));
  return head;
}

}  // namespace

PublisherClient::PublisherClient(ClientEvents events, std::int64_t period_us, std::int64_t boards_period_us,
                                 bool records)
    : events_(std::move(events)),
      period_us_(period_us),
      boards_period_us_(boards_period_us),
      is_without_changes_(!records) {}

bool PublisherClient::fail(std::string why) {
  error_ = std::move(why);
  orders_.clear();
  return false;
}

std::optional<Message> PublisherClient::request(char letter, std::string argument) {
  asked_ = letter;
  Message message = {head_of(letter, ++request_id_)};
  if (!argument.empty()) message.push_back(std::move(argument));
  return message;
}

std::optional<Message> PublisherClient::next_order() {
  if (orders_.empty()) return std::nullopt;
  auto [letter, argument] = std::move(orders_.front());
  orders_.pop_front();
  is_order_ = true;
  return request(letter, letter == 'B' ? boards_ : std::move(argument));
}

std::optional<Message> PublisherClient::ask(std::int64_t now_us) {
  if (is_waiting()) return std::nullopt;
  if (!error_.empty()) return next_order();
  if (xml_.empty()) return request('T');
  if (!has_recording_ && !is_without_changes_) return request('r', "start");
  if (!has_statuses_) return request('S');
  if (!orders_.empty()) return next_order();
  if (now_us >= boards_us_ && boards_period_us_ != 0) {
    boards_us_ = now_us + boards_period_us_;
    return request('B', boards_);
  }
  if (now_us < changes_us_) return std::nullopt;
  changes_us_ = now_us + period_us_;
  return is_without_changes_ ? request('S') : request('t');
}

std::int64_t PublisherClient::next_us() const {
  if (is_waiting()) return kNever;
  if (!error_.empty()) return orders_.empty() ? kNever : 0;
  if (xml_.empty() || !has_statuses_ || !orders_.empty()) return 0;
  return boards_period_us_ == 0 ? changes_us_ : std::min(changes_us_, boards_us_);
}

void PublisherClient::tell_gap(const std::string& why) {
  note("changes were lost: " + why);
  if (events_.gap) events_.gap(first_us_);
}

void PublisherClient::reset() {
  has_gap_ = has_gap_ || asked_ == 't';  // what was sent is sent once
  asked_ = '\0';
  has_statuses_ = false;
  orders_.clear();
  is_order_ = false;
}

bool PublisherClient::take(const Message& reply) {
  const char asked = std::exchange(asked_, '\0');
  if (asked == '\0') return true;  // of a question that was given up
  const bool was_ordered = std::exchange(is_order_, false);
  if (was_ordered && reply.size() == 2 && reply[0] == "error") {
    if (events_.ordered) events_.ordered(asked);
    return true;
  }
  if (reply.size() == 2 && reply[0] == "error") {
    asked_ = asked;
    const bool goes_on = take_error(reply[1]);
    asked_ = '\0';
    return goes_on;
  }
  if (reply.empty() || reply[0].size() != kReplyBytes || reply[0][1] != asked)
    return fail("it does not speak Groot2's protocol");
  const std::string tree_id = reply[0].substr(kRequestBytes);
  const bool is_another = !tree_id_.empty() && tree_id != tree_id_;
  tree_id_ = tree_id;
  if (is_another && asked != 'T') {
    note("the program has another tree");
    xml_.clear();
    has_recording_ = has_statuses_ = has_gap_ = false;
    orders_.clear();
    return true;
  }
  if (std::exchange(has_gap_, false)) tell_gap("the connection was lost while they came");
  if (!take_answer(asked, reply.size() > 1 ? reply[1] : std::string())) return false;
  if (was_ordered && events_.ordered) events_.ordered(asked);
  return true;
}

bool PublisherClient::take_answer(char asked, const std::string& body) {
  switch (asked) {
    case 'T':
      return take_tree(body);
    case 'r':
      return take_begin(body);
    case 'S':
      return take_statuses(body);
    case 't':
      return take_changes(body);
    case 'B':
      return take_entries(body);
    default:
      return true;
  }
}

// Programs before 4.3.3 know neither 'r' nor 't'; boards may have types that cannot be told.
bool PublisherClient::take_error(std::string_view text) {
  if (asked_ == 'r' || asked_ == 't') {
    note("the program's BehaviorTree.CPP is older than 4.3.3: only the present statuses are known");
    is_without_changes_ = true;
    return true;
  }
  if (asked_ == 'B') {
    boards_us_ = kNever;
    note("the program does not tell its entries: " + std::string(text.substr(0, 200)));
    if (events_.entries) events_.entries("{}");
    return true;
  }
  return fail("it does not answer: " + std::string(text.substr(0, 200)));
}

bool PublisherClient::take_tree(const std::string& xml) {
  if (xml.empty()) return fail("it has no tree");
  xml_ = xml;
  boards_.clear();
  for (const std::string& name : boards_of(xml)) boards_ += (boards_.empty() ? "" : ";") + name;
  if (events_.tree && !events_.tree(xml)) return fail({});
  return true;
}

// Any later time can be added to it.
bool PublisherClient::take_begin(std::string_view number) {
  std::int64_t first_us = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), first_us);
  if (error != std::errc() || end != number.data() + number.size() || first_us < 0 || first_us > kLastTime_us)
    return fail("it does not speak Groot2's protocol");
  first_us_ = first_us;
  has_recording_ = true;
  if (events_.begin) events_.begin(first_us_);
  return true;
}

bool PublisherClient::take_statuses(std::string_view bytes) {
  if (bytes.size() % kStatusBytes != 0) return fail("it does not speak Groot2's protocol");
  std::vector<NodeStatus> statuses;
  Bytes from(bytes);
  while (from.left() >= kStatusBytes) {
    NodeStatus status;
    status.uid = from.u16();
    status.status = from.u8();
    statuses.push_back(status);
  }
  has_statuses_ = true;
  if (events_.statuses) events_.statuses(statuses);
  return true;
}

bool PublisherClient::take_changes(std::string_view bytes) {
  std::vector<Change> changes;
  Bytes from(bytes);
  while (from.left() >= kRecordBytes) {
    Change change;
    if (!read_record(from, first_us_, &change)) return fail("it does not speak Groot2's protocol");
    changes.push_back(change);
  }
  if (changes.size() >= kMostRecords) tell_gap("the program keeps 1,000; a higher --rate asks more often");
  if (events_.changes && !changes.empty()) events_.changes(changes);
  return true;
}

bool PublisherClient::take_entries(std::string_view bytes) {
  std::string json;
  if (!unpack_entries(bytes, &json)) return fail("it does not speak Groot2's protocol");
  if (events_.entries && json.starts_with('{')) events_.entries(json);
  return true;
}

}  // namespace espalier::live
