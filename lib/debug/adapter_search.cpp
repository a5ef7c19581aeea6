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

void Adapter::go(Run::Move move) {
  if (!move.is_back) {
    if (is_at_end_) {
      event("terminated", Json::object());
      return;
    }
    if (!move.is_there) hold_no_more();
  }
  search_ = Search{.run = run_.begin(std::move(move), is_at_end_), .begin = Clock::now(), .request = request_};
}

bool Adapter::search() {
  if (!search_) return false;
  if (program_ != nullptr && !search_->run.move.is_back && search_->run.at == end()) {
    search_->waits = true;
    wait_at_end();
    return false;
  }
  const Clock::time_point until = Clock::now() + kSlice;
  if (!run_.count_hits(search_->run, [&] { return Clock::now() >= until; })) return true;
  for (unsigned looks = 1; search_next(); ++looks) {
    if (looks % kBetweenLooks != 0 || Clock::now() < until) continue;
    tell_progress();
    return true;
  }
  return true;
}

// False: it is there, or there is no more.
bool Adapter::search_next() {
  Run::Stop there;
  switch (run_.look(search_->run, there)) {
    case Run::Looked::goes_on:
      return true;
    case Run::Looked::is_at_end:
      if (program_ == nullptr) stop({Run::Reason::end, end()});
      return false;
    case Run::Looked::stops:
      break;
  }
  const bool is_present = search_->waits && there.reason != Run::Reason::step;
  stop(there);
  if (is_present) hold_soon();
  return false;
}

void Adapter::stop(const Run::Stop& stop) {
  const auto told = [&](std::size_t count) {
    return words_of(history_, moment_at(count)) + " at " + seconds_of(moment_at(count).time_us);
  };
  switch (stop.reason) {
    case Run::Reason::step:
      return move_to(stop.count, "step");
    case Run::Reason::breakpoint:
      return move_to(stop.count, reason_of(stop.hits), {}, stop.hits);
    case Run::Reason::difference:
      return move_to(stop.count, "difference", "the versions differ: " + told(stop.count) + "; " + difference_words_);
    case Run::Reason::beginning:
      return move_to(0, "entry", "the beginning of the run");
    case Run::Reason::end:
      const std::uint64_t time_us = end() == 0 ? 0 : history_.moments().back().time_us;
      return move_to(end(), "end", "the end of the run, at " + seconds_of(time_us));
  }
}

// ---- Progress

void Adapter::tell_progress() {
  const Clock::time_point now = Clock::now();
  if (!shows_progress_ || now - search_->begin < kUntilProgress || now - search_->told < kUntilProgress) return;
  search_->told = now;
  const auto& [move, from, at] = search_->run;
  const std::size_t all = move.is_back ? from : end() - from;
  const std::size_t done = move.is_back ? from - std::min(from, at) : at - from;
  Json body = {{"percentage", all == 0 ? 100 : done * 100 / all}};
  const char* name = "progressUpdate";
  if (search_->progress.empty()) {
    search_->progress = "search " + std::to_string(search_->request);
    name = "progressStart";
    body["title"] = move.is_back ? "looking back through the run" : "looking on through the run";
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
  if (is_meant) after_ = [this] { move_to(run_.count(), "pause", "the search was cancelled"); };
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
