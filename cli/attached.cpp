// Programs that are watched. See attached.h.
#include "cli/attached.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <sstream>
#include <utility>

#include "cli/pictures.h"
#include "live/findings.h"
#include "live/tree_xml.h"
#include "replay/event.h"
#include "rules/logs.h"
#include "system/standard_streams.h"
#include "text/json.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

constexpr std::int64_t kSecond_us = 1'000'000;
constexpr std::int64_t kMostWait_us = 2 * kSecond_us;
constexpr const char* kOtherProtocols =
    "BehaviorTree.CPP 4 is watched on the port of its Groot2Publisher; version 3 and Groot 1 speak another protocol";
constexpr std::int64_t kBetweenConnections_us = kSecond_us / 2;

std::int64_t since_1970_us() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

std::int64_t period_us(double rate) { return rate > 0 ? static_cast<std::int64_t>(kSecond_us / rate) : 0; }

// "conditions,idle"
std::vector<std::string> listed_words(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

live::StoryOptions story_options(const AttachOptions& options, std::uint32_t agent) {
  const std::vector<std::string> hidden = listed_words(options.hidden);
  live::StoryOptions story;
  story.hides_conditions = std::find(hidden.begin(), hidden.end(), "conditions") != hidden.end();
  story.hides_idle = std::find(hidden.begin(), hidden.end(), "idle") != hidden.end();
  story.only = listed_words(options.only);
  story.agent = agent;
  return story;
}

}  // namespace

std::optional<Address> read_address(const std::string& text) {
  constexpr std::string_view kScheme = "tcp://";
  if (!text.starts_with(kScheme)) return std::nullopt;
  Address address{text, text.substr(kScheme.size())};
  const std::size_t colon = address.host.rfind(':');
  const bool is_port = colon != std::string::npos && address.host.find(']', colon) == std::string::npos;
  if (is_port) {
    const std::string port = address.host.substr(colon + 1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (error != std::errc() || end != port.data() + port.size() || address.port == 0) return std::nullopt;
    address.host.resize(colon);
  }
  if (address.host.size() > 1 && address.host.front() == '[' && address.host.back() == ']')
    address.host = address.host.substr(1, address.host.size() - 2);
  return address.host.empty() ? std::nullopt : std::optional(address);
}

// ---- The output

void LiveOutput::write(const std::string& text) {
  clear();
  std::cout << text << std::flush;
}

void LiveOutput::note(const std::string& text) {
  clear();
  std::cerr << text << std::flush;
}

// Not through standard error's stream, which shows control characters as text.
void LiveOutput::show(const std::string& last_line) {
  if (!has_last_line_ || last_line == last_line_) return;
  const std::string bytes = "\r\x1B[K" + last_line;
  static_cast<void>(system::write_directly(system::Stream::errors, bytes));
  last_line_ = last_line;
}

// ---- A program

Attached::Attached(const AttachOptions& options, LiveOutput& output, report::LivePage* page, Address address,
                   std::string name, std::uint32_t agent)
    : options_(options),
      output_(output),
      page_(page),
      address_(std::move(address)),
      name_(std::move(name)),
      agent_(agent),
      client_(events(), period_us(options.rate), options.is_once ? 1 : period_us(options.entries_rate),
              !options.is_once) {
  if (options.output.empty()) return;
  std::string path = options.output;
  if (!name_.empty()) path.insert(path.rfind('.'), "-" + name_);
  recording_.emplace(std::move(path), options.entries_rate > 0);
}

live::ClientEvents Attached::events() {
  live::ClientEvents events;
  events.tree = [this](const std::string& xml) { return take_tree(xml); };
  events.statuses = [this](const std::vector<live::NodeStatus>& statuses) { take_statuses(statuses); };
  events.begin = [this](std::int64_t first_us) { begin(first_us); };
  events.changes = [this](const std::vector<live::Change>& changes) { take_changes(changes); };
  events.gap = [this](std::int64_t first_us) { take_gap(first_us); };
  events.entries = [this](const std::string& json) { take_entries(json); };
  events.note = [this](const std::string& text) { note(text); };
  return events;
}

void Attached::note(const std::string& text) const {
  if (options_.common.quiet) return;
  output_.note((name_.empty() ? address_.text : name_) + ": " + text::visible(text) + '\n');
}

int Attached::give_up(const std::string& why, const std::string& hint) {
  output_.clear();
  status_ = fail(address_.text + ": " + text::visible(why), hint);
  return status_;
}

// ---- The connection

void Attached::connect(std::int64_t now_us) {
  connection_ = std::make_unique<system::Connection>(address_.host, address_.port);
  codec_.emplace("REQ");
  client_.reset();
  connection_->send(codec_->take_output());
  connects_us_ = now_us + kBetweenConnections_us;
  asked_us_ = now_us;
}

// `why` by value: it may be the connection's.
void Attached::lose(std::string why, std::int64_t now_us) {
  end();
  connection_.reset();
  connects_us_ = std::max(connects_us_, now_us + kBetweenConnections_us);
  if (!was_attached_) {
    give_up("nothing answers: " + why,
            "the program needs a Groot2Publisher on this port; in Nav2, set "
            "'enable_groot_monitoring' to true");
    return;
  }
  if (!std::exchange(is_lost_, true)) note("the connection is lost: " + why + "; waiting for it");
}

void Attached::ask(std::int64_t now_us) {
  if (status_ != kOk || is_done_) return;
  if (connection_ == nullptr) {
    if (now_us < connects_us_) return;
    connect(now_us);
  }
  const bool waits = client_.is_waiting() || !codec_->is_ready();
  const bool is_late = waits && now_us - asked_us_ > kMostWait_us;
  if (is_late && !was_attached_ && connection_->state() == system::Connection::State::open) {
    give_up("what listens there does not answer", kOtherProtocols);
    return;
  }
  if (is_late) return lose("no answer for 2 seconds", now_us);
  if (!codec_->is_ready()) return;
  if (const std::optional<live::Message> message = client_.ask(now_us)) {
    asked_us_ = now_us;
    codec_->send(*message);
    connection_->send(codec_->take_output());
  }
}

void Attached::take(std::int64_t now_us) {
  if (connection_ == nullptr || status_ != kOk) return;
  const std::string bytes = connection_->take();
  if (!bytes.empty() && !codec_->feed(bytes)) {
    give_up(codec_->error(), kOtherProtocols);
    return;
  }
  connection_->send(codec_->take_output());
  while (status_ == kOk) {
    const std::optional<live::Message> message = codec_->take_message();
    if (!message) break;
    if (client_.take(*message)) continue;
    if (status_ == kOk) give_up(client_.error(), kOtherProtocols);
  }
  if (followed_ && status_ == kOk) followed_->tell(since_1970_us() + ahead_us_);
  if (status_ == kOk && !is_done_ && connection_->state() == system::Connection::State::closed)
    lose(connection_->error(), now_us);
}

std::int64_t Attached::next_us() const {
  if (status_ != kOk || is_done_) return INT64_MAX;
  if (connection_ == nullptr) return connects_us_;
  return std::min(client_.next_us(), asked_us_ + kMostWait_us + 1);
}

// ---- What it tells

bool Attached::take_tree(const std::string& xml) {
  xml_ = xml;
  live::Log log;
  log.tree_xml = xml;
  auto compiled = std::make_unique<CompiledTree>();
  std::vector<live::LogFault> faults;
  LogOrigin origin{options_.common,      {.format = "human", .verb = "attach"}, "program.xml", options_.tree, {},
                   live::Origin::program};
  const int status = compile_tree_of(origin, log, *compiled, faults);
  const bool is_other = std::any_of(faults.begin(), faults.end(),
                                    [](const live::LogFault& fault) { return fault.rule == rules::LOG_other_tree; });
  for (const live::LogFault& fault : faults) output_.note(live::fault_text(address_.text, fault));
  if (status != kOk || !compiled->tree) {
    status_ = status != kOk ? status : kFound;
    return false;
  }
  if (is_other && !options_.takes_any_tree) {
    status_ = kFound;
    return false;
  }
  end();
  followed_.reset();
  story_.reset();
  page_story_.reset();
  tree_ = std::move(compiled);
  story_.emplace(*tree_->tree, story_options(options_, agent_));
  if (!options_.is_once) {
    const auto name_of = [this](std::uint32_t node) { return story_->name_of(static_cast<std::uint16_t>(node + 1)); };
    followed_.emplace(*tree_, agent_, name_of, followed_events());
  }
  show_tree();
  const std::string main = live::main_tree_of(xml);
  if (!options_.is_once)
    note("tree " + text::quote(main) + ", " + std::to_string(tree_->tree->nodes().size()) + " nodes");
  was_attached_ = true;
  is_lost_ = false;
  knows_statuses_ = false;
  if (recording_) recording_->begin_tree(xml);
  return true;
}

void Attached::take_statuses(const std::vector<live::NodeStatus>& statuses) {
  if (std::exchange(is_lost_, false)) note("connected again");
  if (!client_.has_changes() && !options_.is_once && knows_statuses_) {
    // Of a program that does not record: what has another status than before.
    for (const live::NodeStatus& each : statuses) {
      const auto status = static_cast<live::Status>(each.status < live::kStatusCount ? each.status : 0);
      if (!story_->has(each.uid) || story_->status_of(each.uid) == status) continue;
      tell({.at_us = since_1970_us(), .uid = each.uid, .status = status});
    }
  }
  if (recording_ && !knows_statuses_) recording_->add_statuses(since_1970_us() + ahead_us_, statuses);
  if (followed_ && client_.has_changes()) followed_->begin(statuses);
  knows_statuses_ = true;
  story_->set(statuses);
  if (page_story_) page_story_->set(statuses);
}

// ---- The page

void Attached::show_tree() {
  if (page_ == nullptr) return;
  page_story_.emplace(*tree_->tree, live::StoryOptions{});
  page_->set_trees(agent_, report::outline(tree_->file.asset, tree_->project.snapshot.sources),
                   tree_->tree->tree().index, sources_of(tree_->project.snapshot.sources));
}

namespace {

// A node that runs and is idle then was halted.
report::NodeResult result_of(live::Status status) {
  switch (status) {
    case live::Status::running:
      return report::NodeResult::running;
    case live::Status::success:
      return report::NodeResult::success;
    case live::Status::failure:
      return report::NodeResult::failure;
    case live::Status::idle:
      break;
  }
  return report::NodeResult::halted;
}

}  // namespace

void Attached::show(const live::Change& change) {
  if (!page_story_) return;
  const std::int64_t time_us = std::max<std::int64_t>(0, change.at_us - first_us_);
  const bool was_running = page_story_->has(change.uid) && page_story_->status_of(change.uid) == live::Status::running;
  if (page_story_->has(change.uid) && (change.status != live::Status::idle || was_running)) {
    const std::uint32_t word = tree_->tree->nodes()[change.uid - 1u].word;
    page_->note(agent_, static_cast<std::uint64_t>(time_us), word, result_of(change.status));
  }
  const std::string words = page_story_->words(change);
  if (!words.empty()) page_->tell(agent_, static_cast<std::uint64_t>(time_us), words, page_story_->running_words());
}

void Attached::tell(const live::Change& change) {
  if (first_us_ == 0) first_us_ = change.at_us;
  show(change);
  const bool is_json = options_.format == "jsonl";
  const std::string told = is_json ? story_->events(change, first_us_) : story_->line(change, first_us_);
  if (told.empty()) return;
  output_.write(is_json ? told : (name_.empty() ? told : name_ + ": " + told) + '\n');
}

FollowedEvents Attached::followed_events() {
  FollowedEvents events;
  events.change = [this](const live::Change& change) { tell(change); };
  events.reason = [this](std::int64_t at_us, const std::string& words) { tell_reason(at_us, words); };
  events.entry = [this](const std::string& json) {
    if (options_.format == "jsonl" && options_.only.empty()) output_.write(json + '\n');
  };
  events.zero_us = [this] { return first_us_; };
  return events;
}

void Attached::tell_reason(std::int64_t at_us, const std::string& words) {
  if (page_story_) {
    const auto time_us = static_cast<std::uint64_t>(std::max<std::int64_t>(0, at_us - first_us_));
    page_->tell(agent_, time_us, words, page_story_->running_words());
  }
  if (options_.format == "jsonl" || !options_.only.empty()) return;
  output_.write((name_.empty() ? "" : name_ + ": ") + live::timed_line(at_us, first_us_, words) + '\n');
}

void Attached::end() {
  if (followed_ && status_ == kOk) followed_->end();
}

// A connection that comes back goes on with its tree, and with the file.
void Attached::begin(std::int64_t first_us) {
  ahead_us_ = first_us - since_1970_us();
  if (first_us_ == 0) first_us_ = first_us;
  if (recording_) recording_->begin(first_us);
  check_recording();
}

void Attached::take_gap(std::int64_t first_us) {
  knows_statuses_ = false;
  if (recording_ && recording_->begin_behind_gap(first_us)) note("goes on recording to " + recording_->path());
  check_recording();
}

void Attached::take_changes(const std::vector<live::Change>& changes) {
  if (recording_) recording_->add(changes);
  if (followed_) followed_->add(changes);
  check_recording();
}

void Attached::check_recording() {
  if (!recording_ || recording_->fault().empty()) return;
  output_.clear();
  status_ = fail(recording_->fault());
}

void Attached::take_entries(const std::string& json) {
  if (options_.is_once) return tell_once(json);
  if (json == last_entries_) return;
  last_entries_ = json;
  if (page_ != nullptr) {
    if (first_us_ == 0) first_us_ = since_1970_us() + ahead_us_;  // of a program that does not record changes
    const std::int64_t time_us = since_1970_us() + ahead_us_ - first_us_;
    for (const live::Entry& entry : live::entries_of(json, live::main_tree_of(xml_)))
      page_->set_entry(agent_, static_cast<std::uint64_t>(std::max<std::int64_t>(0, time_us)), entry.name, entry.value);
  }
  if (recording_) recording_->add_entries(since_1970_us() + ahead_us_, json);
  check_recording();
}

void Attached::tell_once(const std::string& entries) {
  const std::string main = live::main_tree_of(xml_);
  if (options_.format == "jsonl") {
    output_.write("{\"tree\": " + text::json_string(main) +
                  ", \"running\": " + replay::json_list(story_->running_names()) + ", \"entries\": " + entries + "}\n");
  } else {
    const std::string running = story_->running();
    std::string text = (name_.empty() ? address_.text : name_) + ": tree " + text::quote(main) +
                       "\nrunning: " + (running.empty() ? "nothing" : running) + '\n';
    for (const live::Entry& entry : live::entries_of(entries, main))
      text += text::visible(entry.name) + " = " + text::visible(entry.value) + '\n';
    output_.write(text);
  }
  is_done_ = true;
}

}  // namespace espalier::cli
