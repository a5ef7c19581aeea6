// A program of BehaviorTree.CPP 4 that is debugged while it runs, through its Groot2Publisher: what it tells, and where
// it is held. A program that is held stands still until it is released, or has not been asked anything for 5 seconds.
// Its publisher keeps what holds it when a debugger is killed, and holds the program there again as soon as any client
// asks it something.
#pragma once
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "live/formats/log.h"
#include "live/publisher/client.h"
#include "live/publisher/recording.h"
#include "live/publisher/zmtp.h"
#include "system/connection.h"

namespace espalier::debug {

// The file that nodes are placed in where only the program has their XML.
inline constexpr const char* kProgramXml = "program.xml";

// By this machine's clock.
[[nodiscard]] std::int64_t since_1970_us();

struct LiveOptions {
  std::string address;  // as the user wrote it
  std::string host;
  std::uint16_t port = 0;
  // False: nothing is ever asked that holds the program, but what others left behind may hold it. True: what others
  // left behind, or have in it, is removed first.
  bool holds = false;
  std::string record = {};  // to this .btlog, see live::BtlogWriter; empty: to none
};

struct LiveEvents {
  std::function<bool(const std::string& xml)> tree;  // the program has this tree from now on. False: it cannot be used
  std::function<void(std::int64_t now_us)> begin;    // its clock, in us since 1970
  std::function<void(const std::vector<live::Change>& changes)> changes;  // none: nothing has changed meanwhile
  // The same as a first look tells them, or one after the connection was lost.
  std::function<void(const std::vector<live::Change>& changes)> found;
  std::function<void(const std::string& json)> entries;
  // The program stands still before it ticks this node; `is_once`: as hold_at() wanted it.
  std::function<void(std::uint16_t uid, bool is_once)> held;
  std::function<void()> released;  // it goes on by itself, or it is not known what it does
  std::function<void(const std::string& text)> note;
  std::function<void(const std::string& why)> failed;  // it cannot be debugged; nothing more comes
};

class LiveProgram {
 public:
  LiveProgram(LiveOptions options, LiveEvents events);

  // Waits so long for what the program says, asks what is due, and tells what was answered.
  void poll(std::chrono::milliseconds longest);

  // Before which nodes the program is held when they begin.
  void set_breakpoints(std::set<std::uint16_t> uids);
  // Holds it once, before whichever of these it ticks next.
  void hold_at(std::set<std::uint16_t> uids);
  // Reads entries whenever it asks for changes, not only twice a second.
  void read_entries_often(bool often);
  // Lets it go on. Nothing if it is not held.
  void release();
  // Lets it go on and takes all that holds it out of it; waits a second at most.
  void detach();

  [[nodiscard]] bool holds() const { return options_.holds; }
  [[nodiscard]] bool is_held() const { return held_ && held_->is_told; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Link {
    std::unique_ptr<system::Connection> connection = nullptr;
    std::optional<live::Zmtp> codec = {};
    Clock::time_point since = {};     // it connects, or is asked
    Clock::time_point connects = {};  // when to connect again

    [[nodiscard]] bool is_ready() const { return connection != nullptr && codec->is_ready(); }
    void connect(const LiveOptions& options, std::uint16_t port, const char* socket);
    void send(const live::Message& message);
    // False: what comes is none of the protocol, or nothing comes any more, for this reason.
    bool receive(const std::function<bool(const live::Message&)>& take, std::string* why);
  };
  struct Held {
    std::uint16_t uid = 0;
    bool is_told = false;  // all that came before it is known
  };

  live::ClientEvents client_events();
  void ask();
  void check_silence();
  void take(int longest_ms);
  void lose(const std::string& why);
  void lose_notices(const std::string& why);
  void fail(const std::string& why);
  void watch_notices();
  void send_hooks();
  void take_statuses(const std::vector<live::NodeStatus>& statuses);
  void note_statuses(const std::vector<live::Change>& changes);
  bool take_notice(const live::Message& message);
  void tell_held();
  void check_recording();
  void order_removal(std::uint16_t uid);
  void forget_hooks();
  void forget_held();

  const LiveOptions options_;
  const LiveEvents events_;
  live::PublisherClient client_;
  std::optional<live::BtlogWriter> recording_;
  Link requests_;
  Link notices_;
  std::vector<live::Status> statuses_;  // by uid
  std::set<std::uint16_t> breakpoints_;
  std::set<std::uint16_t> once_;
  std::map<std::uint16_t, bool> hooks_;  // that the program has: are they enabled?
  std::set<std::uint16_t> installed_;    // that the program may have
  std::deque<std::uint16_t> removed_;    // whose removal is ordered
  std::optional<Held> held_;
  std::int64_t ahead_us_ = 0;  // by which the program's clock is ahead of ours
  bool was_attached_ = false;
  bool is_lost_ = false;        // and it was told
  bool has_notices_ = false;    // none is missed
  bool lacks_notices_ = false;  // and it was told
  bool has_hooks_ = false;      // all that are wanted
  bool has_removed_others_ = false;
  bool is_leaving_ = false;
  bool is_over_ = false;
};

}  // namespace espalier::debug
