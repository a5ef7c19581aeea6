// Where the run stops next: it is looked for in slices of time, so that requests are answered meanwhile. See adapter.h.
#include <algorithm>
#include <thread>

#include "debug/adapter.h"
#include "text/shallow_json.h"

namespace espalier::debug {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSlice{5};
constexpr unsigned kBetweenLooks = 64;  // moments, at the clock
constexpr milliseconds kUntilProgress{300};

const char* reason_of(const std::vector<const Breakpoint*>& hits) {
  switch (hits.front()->kind) {
    case Breakpoint::Kind::element:
      return "breakpoint";
    case Breakpoint::Kind::function:
      return "function breakpoint";
    case Breakpoint::Kind::data:
      return "data breakpoint";
    case Breakpoint::Kind::fault:
      break;
  }
  return "exception";
}

}  // namespace

void Adapter::run_forward(const IsThere& is_there) {
  if (is_at_end_) {
    event("terminated", Json::object());
    return;
  }
  if (!is_there) hold_no_more();
  search_ = Search{.from = count_, .at = count_, .is_there = is_there, .begin = Clock::now(), .request = request_};
}

// The end is behind the last thing that happened.
void Adapter::run_back(const IsThere& is_there, bool is_for_breakpoints) {
  search_ = Search{.is_back = true,
                   .is_for_breakpoints = is_for_breakpoints,
                   .from = count_,
                   .at = count_ + (is_at_end_ ? 1 : 0),
                   .is_there = is_there,
                   .begin = Clock::now(),
                   .request = request_};
}

bool Adapter::search() {
  if (!search_) return false;
  if (program_ != nullptr && !search_->is_back && search_->at == end()) {
    search_->waits = true;
    wait_at_end();
    return false;
  }
  const Clock::time_point until = Clock::now() + kSlice;
  if (!count_hits(until)) return true;
  for (unsigned looks = 1; search_next(); ++looks) {
    if (looks % kBetweenLooks != 0 || Clock::now() < until) continue;
    tell_progress();
    return true;
  }
  return true;
}

// Those before where it is looked. False: not all yet.
bool Adapter::count_hits(Clock::time_point until) {
  for (const Breakpoint& breakpoint : breakpoints_) {
    if (!breakpoint.hit || !search_->is_for_breakpoints) continue;
    for (std::size_t& counted = hits_[breakpoint.id].looked_at; counted < search_->at;) {
      static_cast<void>(is_right_hit(breakpoint, std::min(search_->at, counted + kBetweenLooks)));
      if (Clock::now() >= until) return false;
    }
  }
  return true;
}

// False: it is there, or there is no more.
bool Adapter::search_next() { return search_->is_back ? look_back() : look_forward(); }

bool Adapter::look_forward() {
  if (search_->at < end()) {
    const std::size_t count = ++search_->at;
    const bool is_present = search_->waits;
    if (stops_at(count, true) || stops_at_difference(count)) {
      if (is_present) hold_soon();
      return false;
    }
    if (!search_->is_there || !search_->is_there(count)) return true;
    move_to(count, "step");
    return false;
  }
  if (program_ != nullptr) return false;
  const std::string when = end() == 0 ? std::string("0 s") : seconds_of(history_.moments().back().time_us);
  move_to(end(), "end", "the end of the run, at " + when);
  return false;
}

bool Adapter::look_back() {
  if (search_->at <= 1) {
    move_to(0, "entry", "the beginning of the run");
    return false;
  }
  const std::size_t count = --search_->at;
  if (search_->is_for_breakpoints && (stops_at(count, false) || stops_at_difference(count))) return false;
  if (count >= search_->from || !search_->is_there || !search_->is_there(count)) return true;
  move_to(count, "step");
  return false;
}

bool Adapter::stops_at(std::size_t count, bool tells_logs) {
  const std::vector<const Breakpoint*> hits = hits_at(count, tells_logs);
  if (hits.empty()) return false;
  move_to(count, reason_of(hits), {}, hits);
  return true;
}

// ---- Progress

void Adapter::tell_progress() {
  const Clock::time_point now = Clock::now();
  if (!shows_progress_ || now - search_->begin < kUntilProgress || now - search_->told < kUntilProgress) return;
  search_->told = now;
  const std::size_t all = search_->is_back ? search_->from : end() - search_->from;
  const std::size_t done =
      search_->is_back ? search_->from - std::min(search_->from, search_->at) : search_->at - search_->from;
  Json body = {{"percentage", all == 0 ? 100 : done * 100 / all}};
  const char* name = "progressUpdate";
  if (search_->progress.empty()) {
    search_->progress = "search " + std::to_string(search_->request);
    name = "progressStart";
    body["title"] = search_->is_back ? "looking back through the run" : "looking on through the run";
    body["cancellable"] = true;
    body["requestId"] = search_->request;
  }
  body["progressId"] = search_->progress;
  event(name, std::move(body));
}

void Adapter::end_search() {
  if (search_ && !search_->progress.empty()) event("progressEnd", {{"progressId", search_->progress}});
  search_.reset();
}

Json Adapter::cancel(const Json& arguments) {
  if (!search_) return {};
  const std::string progress = string_in(arguments, "progressId");
  const bool is_meant =
      (!progress.empty() && progress == search_->progress) || integer_in(arguments, "requestId") == search_->request;
  if (is_meant) after_ = [this] { move_to(count_, "pause", "the search was cancelled"); };
  return {};
}

// ---- Serving

int serve(const Runs& runs, std::istream& input, const std::function<void(const std::string&)>& write) {
  constexpr std::size_t kMaxMessageDepth = 64;
  constexpr milliseconds kUntilReady{200};  // for the launch, before the client is asked for breakpoints
  editor::MessageQueue queue;
  Adapter adapter(runs, [&](const Json& message) { write(editor::framed(message)); });
  std::thread reader([&] {
    while (const std::optional<std::string> content = editor::read_message(input)) {
      Json message = text::parse_shallow_json<Json>(*content, kMaxMessageDepth);
      const std::string command = string_in(message, "command");
      queue.push(std::move(message));
      if (command == "disconnect") break;
    }
    queue.close();
  });
  while (!adapter.is_over()) {
    while (queue.stays_empty(milliseconds(0))) {
      const bool is_searching = adapter.search();
      if (!is_searching && !adapter.is_attached()) break;
      adapter.poll(is_searching ? milliseconds(0) : kSlice);
    }
    if (adapter.waits_to_be_ready() && queue.stays_empty(kUntilReady)) adapter.be_ready();
    const std::optional<Json> message = queue.pop();
    if (!message) break;
    adapter.handle(*message);
  }
  adapter.detach();
  reader.join();
  return adapter.is_over() ? 0 : 1;
}

}  // namespace espalier::debug
