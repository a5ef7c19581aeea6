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

#include "debug/breakpoints.h"
#include "debug/condition.h"
#include "debug/history.h"
#include "debug/live_history.h"
#include "debug/live_program.h"
#include "debug/messages.h"

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
  bool read_conditions(const Json& from, Breakpoint& breakpoint, Json& told) const;

  // ---- The run
  [[nodiscard]] std::size_t end() const { return history_.moments().size(); }
  [[nodiscard]] const Moment& moment_at(std::size_t count) const { return history_.moments()[count - 1]; }
  [[nodiscard]] std::size_t depth_of(const Moment& moment) const;
  // The breakpoints that stop the run where so many moments have happened, the last one just now.
  [[nodiscard]] std::vector<const Breakpoint*> hits_at(std::size_t count, bool tells_logs);
  // Do its conditions hold then, too?
  [[nodiscard]] bool is_right_hit(const Breakpoint& breakpoint, std::size_t count);
  [[nodiscard]] bool holds_then(const Breakpoint& breakpoint, std::size_t count);
  [[nodiscard]] FindValue values_of(const AgentNow& agent) const;
  void move_to(std::size_t count, const std::string& reason, const std::string& description = {},
               const std::vector<const Breakpoint*>& hits = {});
  using IsThere = std::function<bool(std::size_t count)>;
  using Clock = std::chrono::steady_clock;
  // Where it is looked for: forward until `is_there`, or a breakpoint, or the end; back to these or the beginning.
  struct Search {
    bool is_back = false;
    bool is_for_breakpoints = true;
    bool waits = false;  // for what a program tells next
    std::size_t from = 0;
    std::size_t at = 0;  // forward: so many were looked at; back: those from here on
    IsThere is_there = {};
    Clock::time_point begin = {};
    Clock::time_point told = {};  // progress
    std::string progress = {};    // its ID; empty: nothing was told of it yet
    std::int64_t request = 0;
  };
  void run_forward(const IsThere& is_there);
  void run_back(const IsThere& is_there, bool is_for_breakpoints = true);
  bool search_next();
  bool look_forward();
  bool look_back();
  bool stops_at(std::size_t count, bool tells_logs);
  bool count_hits(Clock::time_point until);
  void tell_progress();
  void end_search();

  // ---- Runs beside the recorded one
  Json change(std::uint32_t agent, const std::string& name, const std::string& value);
  std::string show_recorded();
  void show(History history, std::size_t count);
  void compare(const History& other, const std::string& name);
  bool stops_at_difference(std::size_t count);

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
  [[nodiscard]] std::string with_values(const std::string& text, std::size_t count) const;

  // ---- What is shown
  void need_run() const;
  [[nodiscard]] std::uint32_t agent_of(const Json& arguments) const;
  [[nodiscard]] std::vector<std::uint32_t> frames_of(std::uint32_t agent) const;
  [[nodiscard]] Json frame_json(Reference reference, std::uint32_t row) const;
  [[nodiscard]] std::vector<std::uint32_t> listed_agents() const;
  [[nodiscard]] std::string why(const std::string& node, std::uint32_t agent) const;
  [[nodiscard]] std::string command(const std::string& words, std::uint32_t agent);
  [[nodiscard]] const Now& now() const;
  void verify(Breakpoint& breakpoint, Json& told) const;
  void verify_element(Breakpoint& breakpoint, Json& told) const;
  Json set(Breakpoint::Kind kind, const std::string& file, const Json& arguments,
           const std::function<void(const Json& from, Breakpoint& breakpoint)>& read);
  void replace(Breakpoint::Kind kind, const std::string& file, std::vector<Breakpoint> breakpoints);
  void event(const char* name, Json body);
  void respond(const Json& request, bool is_right, const std::string& message, Json body);

  Runs runs_;
  Send send_;
  History history_;
  std::vector<Breakpoint> breakpoints_;
  struct Hits {
    std::size_t looked_at = 0;
    std::vector<std::size_t> counts = {};
  };
  std::map<std::int64_t, Hits> hits_;  // of breakpoints with a hit condition: after which counts
  std::optional<Search> search_;
  std::size_t count_ = 0;                                   // of moments that have happened
  mutable std::optional<std::pair<std::size_t, Now>> now_;  // after so many moments
  std::pair<std::size_t, Now> looked_at_ = {};              // of conditions: the same
  std::function<void()> after_;                             // is done when the present request has its answer
  std::unique_ptr<LiveProgram> program_;                    // null: the run is over
  std::optional<LiveHistory> live_;
  std::size_t held_at_ = 0;    // the count at which the program stands still; 0: it does not
  bool is_held_once_ = false;  // not by a breakpoint
  bool is_caught_ = false;     // it is to be held, or is, since the run has stopped at what holds no node
  bool has_failed_ = false;    // the program: nothing more comes
  std::optional<Clock::time_point> holds_by_;                // the client wants it to be held, and waits until then
  std::optional<std::pair<History, std::size_t>> recorded_;  // the run and where it was, while another one is shown
  std::string what_if_;                                      // what is different in that
  std::optional<Difference> difference_;                     // from another version
  std::string difference_words_;                             // what that does there
  std::vector<std::uint32_t> shown_agents_;                  // as the launch names them; empty: all
  std::string run_;                                          // the path of what is debugged
  Json launch_request_;  // or to attach; it is answered when the configuration is done
  std::int64_t sequence_ = 0;
  std::int64_t last_id_ = 0;
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
