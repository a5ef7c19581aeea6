// Programs that run. See live_program.h.
#include "debug/live_program.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

namespace espalier::debug {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kPeriod_us = 100'000;  // of changes
constexpr std::int64_t kBoardsPeriod_us = 500'000;
constexpr milliseconds kLongestAnswer{2000};
constexpr milliseconds kBetweenConnections{500};
constexpr milliseconds kUntilSubscribed{100};  // after which no notice is lost any more
constexpr milliseconds kUntilGone{1000};
// A program that nobody asks anything for 5 seconds goes on by itself; messages take a while.
constexpr milliseconds kHeldWithoutRequests{4000};

std::int64_t microseconds_of(std::chrono::steady_clock::duration time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
}

nlohmann::json hook_json(std::uint16_t uid, bool is_enabled) {
  constexpr int kBreakpoint = 0;
  constexpr int kBeforeTick = 0;
  return {{"enabled", is_enabled},      {"uid", uid}, {"mode", kBreakpoint}, {"once", false}, {"position", kBeforeTick},
          {"desired_status", "SKIPPED"}};
}

}  // namespace

std::int64_t since_1970_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// ---- A connection

void LiveProgram::Link::connect(const LiveOptions& options, std::uint16_t port, const char* socket) {
  connection = std::make_unique<system::Connection>(options.host, port);
  codec.emplace(socket);
  connection->send(codec->take_output());
  since = Clock::now();
  connects = since + kBetweenConnections;
}

void LiveProgram::Link::send(const live::Message& message) {
  codec->send(message);
  connection->send(codec->take_output());
}

bool LiveProgram::Link::receive(const std::function<bool(const live::Message&)>& take, std::string* why) {
  const std::string bytes = connection->take();
  if (!bytes.empty() && !codec->feed(bytes)) {
    *why = codec->error();
    return false;
  }
  connection->send(codec->take_output());
  while (const std::optional<live::Message> message = codec->take_message()) {
    if (!take(*message)) return false;
  }
  *why = connection->error();
  return connection->state() != system::Connection::State::closed;
}

// ---- Questions and answers

LiveProgram::LiveProgram(LiveOptions options, LiveEvents events)
    : options_(std::move(options)),
      events_(std::move(events)),
      client_(client_events(), kPeriod_us, kBoardsPeriod_us, true) {
  if (!options_.record.empty()) recording_.emplace(options_.record);
}

live::ClientEvents LiveProgram::client_events() {
  live::ClientEvents events;
  events.tree = [this](const std::string& xml) {
    forget_hooks();
    installed_.clear();  // they went with the program's publisher
    statuses_.clear();
    breakpoints_.clear();
    is_over_ = !events_.tree(xml);
    if (recording_) recording_->begin_tree(xml);
    was_attached_ = true;
    return !is_over_;
  };
  events.begin = [this](std::int64_t first_us) {
    ahead_us_ = first_us - since_1970_us();
    events_.begin(first_us);
    if (recording_ && recording_->begin(first_us) && recording_->path() != options_.record)
      events_.note("records to " + recording_->path());
    check_recording();
  };
  events.gap = [this](std::int64_t first_us) {
    if (recording_ && recording_->begin_behind_gap(first_us))
      events_.note("goes on recording to " + recording_->path());
    check_recording();
  };
  events.statuses = [this](const std::vector<live::NodeStatus>& statuses) { take_statuses(statuses); };
  events.changes = [this](const std::vector<live::Change>& changes) {
    note_statuses(changes);
    if (recording_) recording_->add(changes);
    check_recording();
    const bool could_hold = !options_.holds || lacks_notices_ || has_hooks_;  // when they happened
    has_hooks_ = has_notices_ && !client_.has_orders();
    could_hold ? events_.changes(changes) : events_.found(changes);
  };
  events.entries = [this](const std::string& json) {
    if (recording_) recording_->add_entries(since_1970_us() + ahead_us_, json);
    check_recording();
    events_.entries(json);
  };
  events.note = [this](const std::string& text) { events_.note(text); };
  events.ordered = [this](char letter) {
    if (letter == 't' || letter == 'S') tell_held();
    if (letter == 'A') has_removed_others_ = true;
    if (letter != 'R' || removed_.empty()) return;
    if (!hooks_.contains(removed_.front())) installed_.erase(removed_.front());  // else it is installed again
    removed_.pop_front();
  };
  return events;
}

// What cannot be written is not lost in silence.
void LiveProgram::check_recording() {
  if (!recording_ || recording_->fault().empty()) return;
  events_.note(recording_->fault() + "; nothing more is recorded");
  recording_.reset();
}

void LiveProgram::poll(milliseconds longest) {
  if (is_over_) return;
  check_silence();
  if (is_over_) return;
  ask();
  const std::int64_t now_us = microseconds_of(Clock::now().time_since_epoch());
  const std::int64_t until_ms = std::max<std::int64_t>(0, client_.next_us() - now_us + 999) / 1000;
  take(static_cast<int>(std::min<std::int64_t>(longest.count(), until_ms)));
}

// Nothing was asked for so long, as when this process was stopped: the program has let all go on, and would hold at all
// that it still has when it is asked again. Notices of before are read first, as they tell of nothing that waits.
void LiveProgram::check_silence() {
  if (!was_attached_ || Clock::now() - requests_.since <= kHeldWithoutRequests) return;
  take(0);
  if (!hooks_.empty())
    events_.note(std::string("the program was not asked anything for some seconds: ") +
                 (held_ ? "it goes on by itself" : "breakpoints did not hold it meanwhile"));
  forget_hooks();
}

void LiveProgram::ask() {
  if (requests_.connection == nullptr) {
    if (Clock::now() < requests_.connects) return;
    requests_.connect(options_, options_.port, "REQ");
    client_.reset();
  }
  const bool waits = client_.is_waiting() || !requests_.is_ready();
  if (waits && Clock::now() - requests_.since > kLongestAnswer) return lose("no answer for 2 seconds");
  if (!requests_.is_ready()) return;
  if (options_.holds && client_.has_tree() && !is_leaving_) {
    watch_notices();
    send_hooks();
  }
  if (const auto message = client_.ask(microseconds_of(Clock::now().time_since_epoch()))) {
    requests_.since = Clock::now();
    requests_.send(*message);
  }
}

void LiveProgram::take(int longest_ms) {
  std::vector<system::Connection*> connections;
  for (const Link* each : {&requests_, &notices_}) {
    if (each->connection != nullptr) connections.push_back(each->connection.get());
  }
  system::wait_for(connections, longest_ms);
  std::string why;
  if (requests_.connection != nullptr) {
    if (!requests_.receive([this](const live::Message& message) { return client_.take(message); }, &why)) {
      if (!client_.error().empty()) return fail(client_.error());
      if (is_over_) return;
      lose(why);
    }
  }
  if (notices_.connection == nullptr) return;
  if (!notices_.receive([this](const live::Message& message) { return take_notice(message); }, &why)) lose_notices(why);
}

void LiveProgram::fail(const std::string& why) {
  if (std::exchange(is_over_, true) || is_leaving_) return;
  events_.failed(options_.address + ": " + why);
}

void LiveProgram::lose(const std::string& why) {
  const bool was_held = held_.has_value();
  requests_.connection.reset();
  forget_hooks();
  if (!was_attached_) return fail("no Groot2Publisher of BehaviorTree.CPP 4 answers there: " + why);
  if (!std::exchange(is_lost_, true))
    events_.note("the connection is lost: " + why + "; waiting for it" +
                 (was_held ? ". The program stands still for 5 seconds at most" : ""));
}

// What the nodes have now that was not told as changes: at first, and after a loss.
void LiveProgram::take_statuses(const std::vector<live::NodeStatus>& statuses) {
  const bool was_known = !statuses_.empty() && !is_lost_;  // they are asked again and again of old programs
  if (std::exchange(is_lost_, false)) events_.note("connected again");
  std::vector<live::Change> changes;
  for (const live::NodeStatus& each : statuses) {
    if (each.uid >= statuses_.size()) statuses_.resize(each.uid + std::size_t{1}, live::Status::idle);
    const auto status = static_cast<live::Status>(each.status < live::kStatusCount ? each.status : 0);
    if (statuses_[each.uid] != status)
      changes.push_back({.at_us = since_1970_us() + ahead_us_, .uid = each.uid, .status = status});
  }
  note_statuses(changes);
  was_known ? events_.changes(changes) : events_.found(changes);
}

void LiveProgram::note_statuses(const std::vector<live::Change>& changes) {
  for (const live::Change& change : changes) {
    if (change.uid < statuses_.size()) statuses_[change.uid] = change.status;
  }
}

// ---- Holding the program

void LiveProgram::set_breakpoints(std::set<std::uint16_t> uids) {
  if (options_.holds) breakpoints_ = std::move(uids);
}

void LiveProgram::read_entries_often(bool often) { client_.set_boards_period(often ? kPeriod_us : kBoardsPeriod_us); }

void LiveProgram::hold_at(std::set<std::uint16_t> uids) {
  if (options_.holds) once_ = std::move(uids);
}

// Only while notices come: without them nobody knew that the program is held. What the program had before they were
// missed is removed. What debuggers that were killed left behind is removed once: it would hold the program, and nobody
// would let it go on.
void LiveProgram::send_hooks() {
  if (!has_removed_others_) {
    if (!client_.has_orders()) client_.order('A');
    return;
  }
  if (hooks_.empty() && removed_.empty()) {
    for (const std::uint16_t uid : installed_) order_removal(uid);
  }
  if (!has_notices_) return;
  nlohmann::json changed = nlohmann::json::array();
  for (const std::set<std::uint16_t>* wanted : {&breakpoints_, &once_}) {
    for (const std::uint16_t uid : *wanted) {
      const auto [hook, is_new] = hooks_.try_emplace(uid, false);
      installed_.insert(uid);
      if (!std::exchange(hook->second, true)) changed.push_back(hook_json(uid, true));
    }
  }
  for (auto& [uid, is_enabled] : hooks_) {
    const bool is_wanted = breakpoints_.contains(uid) || once_.contains(uid) || (held_ && held_->uid == uid);
    if (!is_wanted && std::exchange(is_enabled, false)) changed.push_back(hook_json(uid, false));
  }
  if (!changed.empty()) client_.order('I', changed.dump());
}

void LiveProgram::watch_notices() {
  if (notices_.connection == nullptr) {
    if (Clock::now() < notices_.connects) return;
    notices_.connect(options_, static_cast<std::uint16_t>(options_.port + 1), "SUB");
    notices_.send({std::string(1, '\x01')});  // all of them
    return;
  }
  if (!notices_.is_ready()) notices_.since = Clock::now();
  if (has_notices_ || Clock::now() - notices_.since < kUntilSubscribed) return;
  has_notices_ = true;
  if (std::exchange(lacks_notices_, false)) events_.note("breakpoints hold the program again");
}

void LiveProgram::lose_notices(const std::string& why) {
  notices_.connection.reset();
  has_notices_ = false;
  forget_hooks();
  if (is_lost_ || std::exchange(lacks_notices_, true)) return;
  events_.note("no notices come from port " + std::to_string(options_.port + 1) + ": " + why +
               "; breakpoints do not hold the program");
}

// A notice is for a hook of ours, or of another client: only those of ours wait for us, and not those whose removal is
// ordered, which lets the program go on.
bool LiveProgram::take_notice(const live::Message& message) {
  constexpr std::size_t kHeadBytes = 6;
  if (message.size() != 2 || message[0].size() != kHeadBytes || message[0][1] != 'N') return true;
  std::uint16_t uid = 0;
  const std::string& number = message[1];
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), uid);
  if (error != std::errc() || end != number.data() + number.size() || !hooks_.contains(uid)) return true;
  if (std::find(removed_.begin(), removed_.end(), uid) != removed_.end()) return true;
  // It was enabled, whatever was ordered meanwhile: programs enable all when they are asked again.
  if (!std::exchange(hooks_[uid], true)) client_.order('I', hook_json(uid, true).dump());
  const bool is_asked = held_ && !held_->is_told;
  held_ = {uid};
  if (is_asked) return true;
  client_.order('B');
  client_.order(client_.has_changes() ? 't' : 'S');  // then all is known that came before it
  return true;
}

// The hook is called whenever the node is ticked; a breakpoint is where it begins.
void LiveProgram::tell_held() {
  if (!held_ || held_->is_told) return;
  const bool runs_on = held_->uid < statuses_.size() && statuses_[held_->uid] == live::Status::running;
  const bool is_once = once_.contains(held_->uid);
  if (!is_once && (runs_on || !breakpoints_.contains(held_->uid))) return release();
  once_.clear();
  held_->is_told = true;
  events_.held(held_->uid, is_once);
}

void LiveProgram::release() {
  if (!held_) return;
  send_hooks();  // where it is held next
  client_.order(
      'U',
      nlohmann::json{
          {"uid", held_->uid}, {"desired_status", "SKIPPED"}, {"position", 0}, {"remove_when_done", is_leaving_}}
          .dump());
  held_.reset();
}

void LiveProgram::order_removal(std::uint16_t uid) {
  removed_.push_back(uid);
  client_.order('R', nlohmann::json{{"uid", uid}, {"position", 0}}.dump());
}

// It is not known what the program still has of them.
void LiveProgram::forget_hooks() {
  hooks_.clear();
  has_hooks_ = false;
  removed_.clear();
  once_.clear();
  forget_held();
}

void LiveProgram::forget_held() {
  if (std::exchange(held_, std::nullopt)) events_.released();
}

void LiveProgram::detach() {
  if (!was_attached_ || (is_over_ && installed_.empty())) return;
  if (std::exchange(is_over_, false)) removed_.clear();  // a client that failed has dropped all orders
  is_leaving_ = true;
  breakpoints_.clear();
  once_.clear();
  if (!hooks_.empty()) send_hooks();  // disables them all at once
  release();
  hooks_.clear();
  for (const std::uint16_t uid : installed_) order_removal(uid);
  const Clock::time_point end = Clock::now() + kUntilGone;
  while (client_.has_orders() && !is_lost_ && !is_over_ && Clock::now() < end) poll(milliseconds(10));
  is_over_ = true;
}

}  // namespace espalier::debug
