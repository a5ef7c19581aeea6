// A debug adapter: the Debug Adapter Protocol (1.71) on the history of a run.
#pragma once
#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "debug/breakpoints.h"
#include "debug/condition.h"
#include "debug/history.h"
#include "debug/messages.h"

namespace espalier::debug {

// What `launch` names.
struct Launch {
  std::vector<std::string> paths;  // of the project; none: a recording or a log may have its trees
  std::string run;                 // a trace, a recording or a log
  bool is_log = false;
};

// Fills the history. Returns what is wrong; empty: nothing, or only what History::faults() says.
using Load = std::function<std::string(const Launch& launch, History& history)>;

class Adapter {
 public:
  using Send = std::function<void(const Json& message)>;
  Adapter(Load load, Send send) : load_(std::move(load)), send_(std::move(send)) {}

  // Answers a request. What it holds can be anything.
  void handle(const Json& request);
  // The client waits for the event `initialized`, although it has not launched yet.
  void be_ready();
  [[nodiscard]] bool waits_to_be_ready() const { return is_initialized_ && !is_ready_; }
  [[nodiscard]] bool is_over() const { return is_over_; }

 private:
  struct Fault {
    std::string message;
  };
  struct Request;
  static const Request* find_request(std::string_view name);

  // ---- Requests: the body of the answer
  Json initialize(const Json& arguments);
  Json launch(const Json& arguments);
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
  Json terminate(const Json& arguments);
  Json disconnect(const Json& arguments);

  void begin();
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
  // Goes on until `is_there`, or a breakpoint, or the end; back to a breakpoint or the beginning.
  void run_forward(const IsThere& is_there);
  void run_back(const IsThere& is_there);
  [[nodiscard]] std::string with_values(const std::string& text, std::size_t count) const;

  // ---- What is shown
  void need_run() const;
  [[nodiscard]] std::uint32_t agent_of(const Json& arguments) const;
  [[nodiscard]] std::vector<std::uint32_t> frames_of(std::uint32_t agent) const;
  [[nodiscard]] Json frame_json(Reference reference, std::uint32_t row) const;
  [[nodiscard]] std::string command(const std::string& words, std::uint32_t agent);
  [[nodiscard]] std::string words_of(const Moment& moment) const;
  [[nodiscard]] const Now& now() const;
  void verify(Breakpoint& breakpoint, Json& told) const;
  Json set(Breakpoint::Kind kind, const std::string& file, const Json& arguments,
           const std::function<void(const Json& from, Breakpoint& breakpoint)>& read);
  void replace(Breakpoint::Kind kind, const std::string& file, std::vector<Breakpoint> breakpoints);
  void event(const char* name, Json body);
  void respond(const Json& request, bool is_right, const std::string& message, Json body);

  Load load_;
  Send send_;
  History history_;
  std::vector<Breakpoint> breakpoints_;
  std::map<std::int64_t, std::vector<std::size_t>> hits_;   // of breakpoints with a hit condition: after which counts
  std::size_t count_ = 0;                                   // of moments that have happened
  mutable std::optional<std::pair<std::size_t, Now>> now_;  // after so many moments
  std::pair<std::size_t, Now> looked_at_ = {};              // of conditions: the same
  std::function<void()> after_;                             // is done when the present request has its answer
  std::string run_;                                         // the path of what is debugged
  Json launch_request_;                                     // which is answered when the configuration is done
  std::int64_t sequence_ = 0;
  std::int64_t last_id_ = 0;
  std::string told_fault_;  // of the last stop, for exceptionInfo
  bool stops_on_entry_ = true;
  bool lines_begin_at_1_ = true;
  bool columns_begin_at_1_ = true;
  bool is_initialized_ = false;
  bool is_ready_ = false;
  bool is_configured_ = false;
  bool has_run_ = false;
  bool is_at_end_ = false;  // and the client was told so
  bool is_over_ = false;
};

// Serves until the client disconnects, or the input ends. `write` gets whole frames. Returns the exit status.
int serve(const Load& load, std::istream& input, const std::function<void(const std::string&)>& write);

}  // namespace espalier::debug
