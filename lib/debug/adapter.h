// A debug adapter: the Debug Adapter Protocol (1.71) on the history of a run, which may still go on.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "debug/history.h"
#include "debug/live_history.h"
#include "debug/live_program.h"
#include "debug/messages.h"
#include "debug/run.h"

namespace espalier::debug {

// What `launch` names.
struct Launch {
  std::vector<std::string> paths;  // of the project; none: a recording or a log may have its trees
  std::string run;                 // a trace, a recording or a log
  std::string against;             // another version, which is run with the same answers; empty: none
  bool is_log = false;
};

// Fills the history, and that of the version without `against`. Returns what is wrong; empty: nothing, or only what
// History::faults() says.
using Load = std::function<std::string(const Launch& launch, History& history, History& without)>;
// Why what happened to an agent at a time did, in words, several lines. Empty: it is not known.
using Explain = std::function<std::string(const History& history, std::size_t count)>;

// A tree as a program that runs has it, with the places of these files where there are some. Null: it cannot be
// debugged, for this reason. It stays valid.
using Compile = std::function<const live::LoggedTree*(const std::vector<std::string>& paths, const std::string& xml,
                                                      std::string* why)>;
// tcp://HOST:PORT.
using ReadAddress = std::function<std::optional<LiveOptions>(const std::string& address)>;

// What can be debugged.
struct Runs {
  Load load;
  Explain explain;
  ReadAddress read_address;
  Compile compile;
};

class Adapter {
 public:
  using Send = std::function<void(const Json& message)>;
  Adapter(Runs runs, Send send) : runs_(std::move(runs)), send_(std::move(send)) {}

  // Answers a request. What it holds can be anything.
  void handle(const Json& request);
  // The client waits for the event `initialized`, although it has not launched yet.
  void be_ready();
  [[nodiscard]] bool waits_to_be_ready() const { return is_initialized_ && !is_ready_; }
  [[nodiscard]] bool is_over() const { return is_over_; }
  // Where no request waits: looks on for where the run stops, for some milliseconds. False: there is nothing to look
  // at.
  bool search();
  // Does a program run? Then it is asked again and again; poll() waits so long for what it says.
  [[nodiscard]] bool is_attached() const { return program_ != nullptr; }
  void poll(std::chrono::milliseconds longest);
  // Leaves it as it would be without a debugger.
  void detach();

 private:
  struct Fault {
    std::string message;
  };
  struct Request;
  static const Request* find_request(std::string_view name);

  // ---- Requests: the body of the answer
  Json initialize(const Json& arguments);
  Json launch(const Json& arguments);
  Json set_variable(const Json& arguments);
  Json set_expression(const Json& arguments);
  Json attach(const Json& arguments);
  Json configuration_done(const Json& arguments);
  Json set_breakpoints(const Json& arguments);
  Json set_function_breakpoints(const Json& arguments);
  Json set_data_breakpoints(const Json& arguments);
  Json set_exception_breakpoints(const Json& arguments);
  Json data_breakpoint_info(const Json& arguments);
  Json breakpoint_locations(const Json& arguments);
  Json threads(const Json& arguments);
  Json stack_trace(const Json& arguments);
  Json scopes(const Json& arguments);
  Json variables(const Json& arguments);
  Json evaluate(const Json& arguments);
  Json exception_info(const Json& arguments);
  Json go_on(const Json& arguments);
  Json reverse_continue(const Json& arguments);
  Json next(const Json& arguments);
  Json step_in(const Json& arguments);
  Json step_out(const Json& arguments);
  Json step_back(const Json& arguments);
  Json restart_frame(const Json& arguments);
  Json go_to_targets(const Json& arguments);
  Json go_to(const Json& arguments);
  Json pause(const Json& arguments);
  Json cancel(const Json& arguments);
  Json terminate(const Json& arguments);
  Json disconnect(const Json& arguments);

  void begin();
  void verify_all();

  // ---- The run
  [[nodiscard]] std::size_t end() const { return run_.end(); }
  [[nodiscard]] const Moment& moment_at(std::size_t count) const { return run_.moment_at(count); }
  [[nodiscard]] const Now& now() const { return run_.now(); }
  void move_to(std::size_t count, const std::string& reason, const std::string& description = {},
               const std::vector<const Breakpoint*>& hits = {});
  void stop(const Run::Stop& stop);
  using Clock = std::chrono::steady_clock;
  // Where a move leads to is looked for.
  struct Search {
    Run::Search run;
    bool waits = false;  // for what a program tells next
    Clock::time_point begin = {};
    Clock::time_point told = {};  // progress
    std::string progress = {};    // its ID; empty: nothing was told of it yet
    std::int64_t request = 0;
  };
  void go(Run::Move move);
  bool search_next();
  void tell_progress();
  void end_search();

  // ---- Runs beside the recorded one
  Json change(std::uint32_t agent, const std::string& name, const std::string& value);
  std::string show_recorded();
  void show(History history, std::size_t count);
  void compare(const History& other, const std::string& name);

  // ---- A program that runs
  LiveEvents live_events(const std::vector<std::string>& paths);
  bool take_tree(const std::vector<std::string>& paths, const std::string& xml);
  void fail_program(const std::string& why);
  void send_breakpoints();
  bool hold_next(const std::function<bool(std::uint32_t row)>& is_candidate);
  void hold_anywhere();
  void hold_soon();
  void hold_no_more();
  void wait_at_end();
  [[nodiscard]] bool is_below(std::uint32_t row, std::uint32_t above) const;

  // ---- What is shown
  void need_run() const;
  [[nodiscard]] std::uint32_t agent_of(const Json& arguments) const;
  [[nodiscard]] Json frame_json(Reference reference, std::uint32_t row) const;
  [[nodiscard]] std::vector<std::uint32_t> listed_agents() const;
  [[nodiscard]] std::string why(const std::string& node, std::uint32_t agent) const;
  [[nodiscard]] std::string command(const std::string& words, std::uint32_t agent);
  void verify(Breakpoint& breakpoint, Json& told) const;
  void verify_element(Breakpoint& breakpoint, Json& told) const;
  Json set(Breakpoint::Kind kind, const std::string& file, const Json& arguments,
           const std::function<void(const Json& from, Breakpoint& breakpoint)>& read);
  void event(const char* name, Json body);
  void respond(const Json& request, bool is_right, const std::string& message, Json body);

  Runs runs_;
  Send send_;
  Run run_{[this](const std::string& text) { event("output", {{"category", "console"}, {"output", text + '\n'}}); }};
  History& history_ = run_.history();
  std::optional<Search> search_;
  std::function<void()> after_;           // is done when the present request has its answer
  std::unique_ptr<LiveProgram> program_;  // null: the run is over
  std::optional<LiveHistory> live_;
  std::size_t held_at_ = 0;    // the count at which the program stands still; 0: it does not
  bool is_held_once_ = false;  // not by a breakpoint
  bool is_caught_ = false;     // it is to be held, or is, since the run has stopped at what holds no node
  bool has_failed_ = false;    // the program: nothing more comes
  std::optional<Clock::time_point> holds_by_;                // the client wants it to be held, and waits until then
  std::optional<std::pair<History, std::size_t>> recorded_;  // the run and where it was, while another one is shown
  std::string what_if_;                                      // what is different in that
  std::string difference_words_;                             // what another version does where it differs
  std::vector<std::uint32_t> shown_agents_;                  // as the launch names them; empty: all
  std::string path_;                                         // the path of what is debugged
  Json launch_request_;  // or to attach; it is answered when the configuration is done
  std::int64_t sequence_ = 0;
  std::int64_t request_ = 0;  // the number of the present one
  std::string told_fault_;    // of the last stop, for exceptionInfo
  bool stops_on_entry_ = true;
  bool lines_begin_at_1_ = true;
  bool columns_begin_at_1_ = true;
  bool shows_progress_ = false;
  bool is_told_what_is_invalid_ = false;
  bool is_initialized_ = false;
  bool is_ready_ = false;
  bool is_configured_ = false;
  bool has_run_ = false;
  bool is_at_end_ = false;  // and the client was told so
  bool is_over_ = false;
};

// Serves until the client disconnects, or the input ends. `write` gets whole frames. Returns the exit status.
int serve(const Runs& runs, std::istream& input, const std::function<void(const std::string&)>& write);

}  // namespace espalier::debug
