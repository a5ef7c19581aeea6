// A program of BehaviorTree.CPP 4 that runs, seen through its Groot2Publisher: what to ask it next, and what its
// answers say. By itself it asks for the tree, statuses, changes and entries, and for nothing that holds or changes the
// program; a debugger orders what does. Without a socket and a clock: whoever has these tells the time and moves the
// messages.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/formats/log.h"
#include "live/publisher/zmtp.h"

namespace espalier::live {

struct NodeStatus {
  std::uint16_t uid = 0;
  std::uint8_t status = 0;  // as `Status`; from 10 on: 10 + the one from which it went idle
};

// What it tells. Each may be empty.
struct ClientEvents {
  // A tree, the first one or another one, as the program wrote it. False: it cannot be used; nothing more is asked.
  std::function<bool(const std::string& xml)> tree;
  std::function<void(const std::vector<NodeStatus>& statuses)> statuses;
  std::function<void(std::int64_t first_us)> begin;  // the program records since this time, in us since 1970: 0..2^60
  std::function<void(const std::vector<Change>& changes)> changes;
  std::function<void(std::int64_t first_us)> gap;        // changes before those that come next were lost; as of begin
  std::function<void(const std::string& json)> entries;  // of all blackboards: {"PATH": {"ENTRY": value}}
  std::function<void(const std::string& text)> note;
  std::function<void(char letter)> ordered;  // what was ordered is answered, even if the program refused it
};

class PublisherClient {
 public:
  // Times are in microseconds of any clock. `boards_period_us` 0: entries are not asked for. `records`: changes are
  // told, else only statuses.
  PublisherClient(ClientEvents events, std::int64_t period_us, std::int64_t boards_period_us, bool records);
  void set_boards_period(std::int64_t boards_period_us) { boards_period_us_ = boards_period_us; }

  // What to ask now. None: an answer is missing, or it is not time yet. After an error only what is ordered after it.
  std::optional<Message> ask(std::int64_t now_us);
  // When ask() may have something; far away while an answer is missing.
  std::int64_t next_us() const;
  // Asks this next, once the tree and its statuses are known; several in their order. 'B' needs no argument.
  void order(char letter, std::string argument = {}) { orders_.emplace_back(letter, std::move(argument)); }
  bool has_orders() const { return !orders_.empty() || is_order_; }
  // An answer. False: it is none of this protocol, see error().
  bool take(const Message& reply);
  // The connection was lost: what was asked and ordered will not be answered. The program goes on recording, if it is
  // still the same one.
  void reset();

  const std::string& error() const { return error_; }
  bool has_tree() const { return !xml_.empty(); }
  // Are changes told? Else statuses are, again and again.
  bool has_changes() const { return !is_without_changes_; }
  bool is_waiting() const { return asked_ != '\0'; }

 private:
  std::optional<Message> request(char letter, std::string argument = {});
  std::optional<Message> next_order();
  void tell_gap(const std::string& why);
  bool fail(std::string why);
  bool take_answer(char asked, const std::string& body);
  bool take_error(std::string_view text);
  bool take_tree(const std::string& xml);
  bool take_begin(std::string_view number);
  bool take_statuses(std::string_view bytes);
  bool take_changes(std::string_view bytes);
  bool take_entries(std::string_view bytes);
  void note(const std::string& text) const {
    if (events_.note) events_.note(text);
  }

  const ClientEvents events_;
  const std::int64_t period_us_;
  std::int64_t boards_period_us_;
  std::string xml_;
  std::string tree_id_;
  std::string boards_;  // their names, with ';' between them
  std::uint32_t request_id_ = 0;
  char asked_ = '\0';  // the letter of what was asked and is not answered
  bool has_recording_ = false;
  bool has_gap_ = false;  // and it was not told yet
  bool has_statuses_ = false;
  bool is_without_changes_;  // the program is too old to record them, or nobody wants them
  std::int64_t first_us_ = 0;
  std::int64_t changes_us_ = 0;  // when the next are asked for
  std::int64_t boards_us_ = 0;
  std::deque<std::pair<char, std::string>> orders_;  // letters and arguments
  bool is_order_ = false;                            // what was asked
  std::string error_;
};

}  // namespace espalier::live
