// Programs that run: their past, and where they are held. See adapter.h.
#include <algorithm>
#include <set>
#include <utility>

#include "debug/adapter.h"
#include "live/tree_xml.h"
#include "text/names.h"

namespace espalier::debug {
namespace {

constexpr std::chrono::milliseconds kUntilHeld{1000};
constexpr std::size_t kMostMoments = 20'000'000;

}  // namespace

// It is answered when the program has told its tree.
Json Adapter::attach(const Json& arguments) {
  if (has_run_ || program_ != nullptr) throw Fault{"a run is being debugged already"};
  const std::string address = string_in(arguments, "address");
  if (address.empty()) throw Fault{"nothing to debug: 'attach' names an \"address\", such as tcp://localhost:1667"};
  const std::string breakpoints = string_in(arguments, "breakpoints");
  if (!breakpoints.empty() && breakpoints != "pause" && breakpoints != "observe")
    throw Fault{"\"breakpoints\" is \"observe\" or \"pause\", not " + text::quote(breakpoints)};
  std::optional<LiveOptions> options = runs_.read_address(address);
  if (!options) throw Fault{text::quote(address) + " is no address; one is tcp://localhost:1667"};
  options->holds = breakpoints == "pause";
  options->record = string_in(arguments, "record");
  if (!options->record.empty() && !options->record.ends_with(".btlog"))
    throw Fault{"the file of \"record\" must end in .btlog: Groot2 and 'espalier import' read it"};
  std::vector<std::string> paths;
  if (const std::string project = string_in(arguments, "project"); !project.empty()) paths.push_back(project);
  stops_on_entry_ = flag_in(arguments, "stopOnEntry", false);
  path_ = kProgramXml;
  live_.emplace(history_);
  program_ = std::make_unique<LiveProgram>(std::move(*options), live_events(paths));
  return {};
}

LiveEvents Adapter::live_events(const std::vector<std::string>& paths) {
  LiveEvents events;
  const auto note = [this](const std::string& text) {
    event("output", {{"category", "important"}, {"output", text + '\n'}});
  };
  events.tree = [this, paths](const std::string& xml) { return take_tree(paths, xml); };
  events.begin = [this](std::int64_t now_us) { live_->set_clock(now_us); };
  events.changes = [this](const std::vector<live::Change>& changes) { live_->add(changes); };
  events.found = [this](const std::vector<live::Change>& changes) {
    live_->add(changes);
    if (search_ && !search_->run.move.is_back) search_->run.at = end();  // what began unseen stops nothing
  };
  events.entries = [this](const std::string& json) { live_->add_entries(json); };
  events.held = [this, note](std::uint16_t uid, bool is_once) {
    live_->hold(uid);
    held_at_ = end();
    is_held_once_ = is_once;
    holds_by_.reset();
    if (!search_) note("the program stands still: " + words_of(history_, moment_at(held_at_)));
  };
  events.released = [this] {
    held_at_ = 0;
    is_caught_ = false;
  };
  events.note = note;
  events.failed = [this](const std::string& why) { fail_program(why); };
  return events;
}

bool Adapter::take_tree(const std::vector<std::string>& paths, const std::string& xml) {
  std::string why;
  const live::LoggedTree* const tree = runs_.compile(paths, xml, &why);
  if (tree == nullptr) {
    fail_program(why);
    return false;
  }
  live_->begin_tree(*tree, live::main_tree_of(xml));
  const bool is_first = !std::exchange(has_run_, true);
  verify_all();
  if (!is_first) return true;
  if (!is_ready_) be_ready();
  if (is_configured_) begin();
  return true;
}

void Adapter::fail_program(const std::string& why) {
  if (!launch_request_.is_null()) {
    respond(launch_request_, false, why, {});
    launch_request_ = {};
  } else {
    event("output", {{"category", "important"}, {"output", why + '\n'}});
  }
  has_failed_ = true;
}

void Adapter::detach() {
  if (program_ == nullptr) return;
  program_->detach();
  program_.reset();
  if (!has_run_) live_.reset();
  held_at_ = 0;
}

void Adapter::poll(std::chrono::milliseconds longest) {
  if (program_ == nullptr) return;
  program_->poll(longest);
  if (end() > kMostMoments) fail_program("the past is full: attach again");
  if (std::exchange(has_failed_, false)) return detach();  // what is known of it stays
  if (!holds_by_ || Clock::now() < *holds_by_) return;
  holds_by_.reset();
  program_->hold_at({});
  move_to(end(), "pause", "nothing begins: the program is not held");
}

// The program is held where nodes begin; what else is asked for stops only what is shown.
void Adapter::send_breakpoints() {
  if (program_ == nullptr || !has_run_) return;
  std::set<std::uint16_t> uids;
  for (std::size_t i = 0; i < live_->rows().size(); ++i) {
    const Moment begins{.row = live_->rows()[i], .kind = MomentKind::begin};
    const auto is_here = [&](const Breakpoint& each) { return meets(history_, begins, each); };
    if (begins.row != kNoRow && std::any_of(run_.breakpoints().begin(), run_.breakpoints().end(), is_here))
      uids.insert(static_cast<std::uint16_t>(i + 1));
  }
  program_->set_breakpoints(std::move(uids));
  program_->read_entries_often(std::any_of(run_.breakpoints().begin(), run_.breakpoints().end(),
                                           [](const Breakpoint& each) { return each.kind == Breakpoint::Kind::data; }));
}

bool Adapter::is_below(std::uint32_t row, std::uint32_t above) const {
  for (; row != kNoRow; row = history_.rows()[row].parent) {
    const std::uint32_t parent = history_.rows()[row].parent;
    if (parent == above) return above != kNoRow;
  }
  return false;
}

void Adapter::hold_anywhere() {
  std::set<std::uint16_t> uids;
  for (std::size_t i = 1; i <= live_->rows().size(); ++i) uids.insert(static_cast<std::uint16_t>(i));
  program_->hold_at(std::move(uids));
}

// What stops the run at a result, a value or a fault holds no node: the program is held before the one that it ticks
// next. That is some milliseconds later, as its publisher is asked what has happened.
void Adapter::hold_soon() {
  if (program_ == nullptr || !program_->holds() || held_at_ != 0) return;
  hold_anywhere();
  is_caught_ = true;
}

// The run goes on before the program was held so.
void Adapter::hold_no_more() {
  if (program_ == nullptr || held_at_ != 0 || !std::exchange(is_caught_, false)) return;
  program_->hold_at({});
}

// From where the program stands still: to the next of these nodes that it ticks. False: it does not stand here.
bool Adapter::hold_next(const std::function<bool(std::uint32_t row)>& is_candidate) {
  if (held_at_ == 0 || run_.count() != held_at_) return false;
  std::set<std::uint16_t> uids;
  for (std::size_t i = 0; i < live_->rows().size(); ++i) {
    if (live_->rows()[i] != kNoRow && is_candidate(live_->rows()[i])) uids.insert(static_cast<std::uint16_t>(i + 1));
  }
  is_caught_ = false;
  program_->hold_at(std::move(uids));
  after_ = [this] { go({}); };
  return true;
}

// All is known that the program has told.
void Adapter::wait_at_end() {
  if (held_at_ == 0) return;
  if (is_held_once_ && !is_caught_ && search_->run.from < held_at_) return move_to(held_at_, "step");
  held_at_ = 0;
  is_caught_ = false;
  program_->release();
}

// At rest nothing goes on by itself; a program that runs is held where it ticks a node next.
Json Adapter::pause(const Json&) {
  need_run();
  if (program_ == nullptr || !program_->holds() || held_at_ != 0) {
    after_ = [this] {
      if (live_) live_->end_update();
      move_to(program_ != nullptr ? end() : run_.count(), "pause");
    };
    return {};
  }
  hold_anywhere();
  holds_by_ = Clock::now() + kUntilHeld;
  after_ = [this] { run_.move_to(end()), go({}); };
  return {};
}

}  // namespace espalier::debug
