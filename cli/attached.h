// One program that `attach` watches: its connection, its tree, and what is told of it.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/followed.h"
#include "cli/log_tree.h"
#include "live/publisher/client.h"
#include "live/publisher/live_story.h"
#include "live/publisher/recording.h"
#include "report/pictures/live_page.h"
#include "system/connection.h"

namespace espalier::cli {

// tcp://HOST:PORT.
struct Address {
  std::string text;  // as it was given
  std::string host;
  std::uint16_t port = 1667;
};
// None: it is no such address.
std::optional<Address> read_address(const std::string& text);

struct AttachOptions {
  CommonOptions common;
  std::vector<std::string> words;  // addresses, then paths
  std::string output;
  std::string format = "human";
  double rate = 10;
  double entries_rate = 2;
  double for_seconds = 0;  // 0: until it is interrupted
  bool is_once = false;
  bool has_page = false;
  std::optional<std::uint16_t> page_port = {};  // of the page; 0: any
  bool takes_any_tree = false;
  std::string hidden;
  std::string only;
  std::string tree;
};

// Where it is told: lines, and on a terminal a last one that says what runs now, until something is written.
class LiveOutput {
 public:
  explicit LiveOutput(bool has_last_line) : has_last_line_(has_last_line) {}
  void write(const std::string& text);  // to standard output
  void note(const std::string& text);   // to standard error
  void show(const std::string& last_line);
  void clear() { show({}); }

 private:
  const bool has_last_line_;
  std::string last_line_;
};

class Attached {
 public:
  // `name`: before what is told, if there are several; empty: it is the only one. `page`: where it is shown too; null:
  // nowhere. The options, the output and the page must outlive this.
  Attached(const AttachOptions& options, LiveOutput& output, report::LivePage* page, Address address, std::string name,
           std::uint32_t agent);

  // Sends what is to be asked now.
  void ask(std::int64_t now_us);
  // Tells what was answered. `now_us`: of the same clock.
  void take(std::int64_t now_us);
  // When ask() has something to do.
  std::int64_t next_us() const;
  // Tells what it has not told yet, as nothing more is asked.
  void end();
  // Null: there is none at present.
  system::Connection* connection() { return connection_.get(); }

  // Why nothing more can be done; kOk: it goes on.
  int status() const { return status_; }
  // Has it told all that is wanted of it (--once)?
  bool is_done() const { return is_done_; }
  std::string running() const { return story_ ? story_->running() : std::string(); }
  const std::string& name() const { return name_; }

 private:
  void connect(std::int64_t now_us);
  void lose(std::string why, std::int64_t now_us);
  int give_up(const std::string& why, const std::string& hint);
  live::ClientEvents events();
  bool take_tree(const std::string& xml);
  void take_statuses(const std::vector<live::NodeStatus>& statuses);
  void begin(std::int64_t first_us);
  void take_changes(const std::vector<live::Change>& changes);
  void take_gap(std::int64_t first_us);
  void take_entries(const std::string& json);
  FollowedEvents followed_events();
  void tell(const live::Change& change);
  void tell_reason(std::int64_t at_us, const std::string& words);
  void show_tree();
  void show(const live::Change& change);
  void tell_once(const std::string& entries);
  void note(const std::string& text) const;
  void check_recording();

  const AttachOptions& options_;
  LiveOutput& output_;
  report::LivePage* const page_;
  const Address address_;
  const std::string name_;
  const std::uint32_t agent_;
  std::unique_ptr<system::Connection> connection_;
  std::optional<live::Zmtp> codec_;
  live::PublisherClient client_;
  std::unique_ptr<CompiledTree> tree_;
  std::optional<live::LiveStory> story_;
  std::optional<live::LiveStory> page_story_;  // the page leaves nothing out
  std::optional<Followed> followed_;           // why it does that; none: it is not told (--once)
  std::string xml_;
  std::int64_t ahead_us_ = 0;  // by which the program's clock is ahead of ours
  std::int64_t first_us_ = 0;  // since 1970: from which lines count; 0: nothing was told yet
  std::optional<live::BtlogWriter> recording_;
  std::string last_entries_;
  std::int64_t asked_us_ = 0;     // when the question was sent that has no answer yet
  std::int64_t connects_us_ = 0;  // when to connect again
  bool knows_statuses_ = false;   // those of the present tree
  bool was_attached_ = false;
  bool is_lost_ = false;  // and it was told
  bool is_done_ = false;
  int status_ = kOk;
};

}  // namespace espalier::cli
