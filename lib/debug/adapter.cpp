// Requests of the Debug Adapter Protocol. See adapter.h.
#include "debug/adapter.h"

#include <algorithm>
#include <charconv>

#include "debug/messages.h"
#include "text/names.h"

namespace espalier::debug {
struct Adapter::Request {
  std::string_view name;
  Json (Adapter::*run)(const Json& arguments);
};

const Adapter::Request* Adapter::find_request(std::string_view name) {
  static constexpr Request kRequests[] = {{"initialize", &Adapter::initialize},
                                          {"launch", &Adapter::launch},
                                          {"attach", &Adapter::attach},
                                          {"setVariable", &Adapter::set_variable},
                                          {"setExpression", &Adapter::set_expression},
                                          {"configurationDone", &Adapter::configuration_done},
                                          {"setBreakpoints", &Adapter::set_breakpoints},
                                          {"setFunctionBreakpoints", &Adapter::set_function_breakpoints},
                                          {"setDataBreakpoints", &Adapter::set_data_breakpoints},
                                          {"setExceptionBreakpoints", &Adapter::set_exception_breakpoints},
                                          {"dataBreakpointInfo", &Adapter::data_breakpoint_info},
                                          {"breakpointLocations", &Adapter::breakpoint_locations},
                                          {"threads", &Adapter::threads},
                                          {"stackTrace", &Adapter::stack_trace},
                                          {"scopes", &Adapter::scopes},
                                          {"variables", &Adapter::variables},
                                          {"evaluate", &Adapter::evaluate},
                                          {"exceptionInfo", &Adapter::exception_info},
                                          {"continue", &Adapter::go_on},
                                          {"reverseContinue", &Adapter::reverse_continue},
                                          {"next", &Adapter::next},
                                          {"stepIn", &Adapter::step_in},
                                          {"stepOut", &Adapter::step_out},
                                          {"stepBack", &Adapter::step_back},
                                          {"restartFrame", &Adapter::restart_frame},
                                          {"gotoTargets", &Adapter::go_to_targets},
                                          {"goto", &Adapter::go_to},
                                          {"pause", &Adapter::pause},
                                          {"cancel", &Adapter::cancel},
                                          {"disconnect", &Adapter::disconnect},
                                          {"terminate", &Adapter::terminate}};
  const auto* const found =
      std::find_if(std::begin(kRequests), std::end(kRequests), [&](const Request& each) { return each.name == name; });
  return found == std::end(kRequests) ? nullptr : found;
}

// ---- Messages

void Adapter::event(const char* name, Json body) {
  Json message = {{"seq", ++sequence_}, {"type", "event"}, {"event", name}};
  if (!body.is_null()) message["body"] = std::move(body);
  send_(message);
}

void Adapter::respond(const Json& request, bool is_right, const std::string& message, Json body) {
  Json answer = {{"seq", ++sequence_},
                 {"type", "response"},
                 {"request_seq", integer_in(request, "seq").value_or(0)},
                 {"success", is_right},
                 {"command", string_in(request, "command")}};
  if (!is_right) {
    answer["message"] = message;
    body = {{"error", {{"id", 1}, {"format", message}, {"showUser", true}}}};
  }
  if (!body.is_null()) answer["body"] = std::move(body);
  send_(answer);
}

void Adapter::handle(const Json& request) {
  if (string_in(request, "type") != "request") return;
  const std::string command = string_in(request, "command");
  const Request* const known = find_request(command);
  if (known == nullptr) return respond(request, false, "unknown request " + text::quote(command), {});
  const bool begins = command == "launch" || command == "attach";
  request_ = integer_in(request, "seq").value_or(0);
  try {
    const Json* const arguments = find(request, "arguments");
    if (begins) launch_request_ = request;
    Json body = (this->*known->run)(arguments != nullptr ? *arguments : Json::object());
    if (!begins) respond(request, true, {}, std::move(body));
  } catch (const Fault& fault) {
    if (begins) launch_request_ = {};
    return respond(request, false, fault.message, {});
  }
  if (after_ == nullptr) return;
  const std::function<void()> after = std::move(after_);
  after_ = nullptr;
  after();
}

void Adapter::be_ready() {
  is_ready_ = true;
  event("initialized", {});
}

// ---- The session

Json Adapter::initialize(const Json& arguments) {
  lines_begin_at_1_ = flag_in(arguments, "linesStartAt1", true);
  columns_begin_at_1_ = flag_in(arguments, "columnsStartAt1", true);
  is_told_what_is_invalid_ = flag_in(arguments, "supportsInvalidatedEvent", false);
  shows_progress_ = flag_in(arguments, "supportsProgressReporting", false);
  is_initialized_ = true;
  Json filters = Json::array();
  for (const FaultName& each : fault_names()) {
    filters.push_back(
        {{"filter", each.name},
         {"label", each.label},
         {"default", each.fault == Breakpoint::Fault::error || each.fault == Breakpoint::Fault::expectation}});
  }
  return {{"supportsConfigurationDoneRequest", true},
          {"supportsFunctionBreakpoints", true},
          {"supportsConditionalBreakpoints", true},
          {"supportsHitConditionalBreakpoints", true},
          {"supportsLogPoints", true},
          {"supportsDataBreakpoints", true},
          {"supportsEvaluateForHovers", true},
          {"supportsStepBack", true},
          {"supportsRestartFrame", true},
          {"supportsGotoTargetsRequest", true},
          {"supportsBreakpointLocationsRequest", true},
          {"supportsExceptionInfoRequest", true},
          {"supportsSteppingGranularity", true},
          {"supportsTerminateRequest", true},
          {"supportsCancelRequest", true},
          {"supportsSetVariable", true},
          {"supportsSetExpression", true},
          {"exceptionBreakpointFilters", std::move(filters)}};
}

Json Adapter::launch(const Json& arguments) {
  if (has_run_ || program_ != nullptr) throw Fault{"a run is being debugged already"};
  Launch launch;
  if (const std::string project = string_in(arguments, "project"); !project.empty()) launch.paths.push_back(project);
  for (const char* key : {"trace", "recording", "log"}) {
    const std::string run = string_in(arguments, key);
    if (run.empty()) continue;
    launch.run = run;
    launch.is_log = std::string_view(key) == "log";
  }
  if (launch.run.empty()) throw Fault{"nothing to debug: 'launch' names a \"trace\", a \"recording\" or a \"log\""};
  launch.against = string_in(arguments, "against");
  History history;
  History without;
  if (const std::string fault = runs_.load(launch, history, without); !fault.empty()) throw Fault{fault};
  history_ = std::move(history);
  for (const Json& agent : list_in(arguments, "agents")) {
    if (agent.is_number_unsigned()) shown_agents_.push_back(agent.get<std::uint32_t>());
  }
  path_ = launch.run;
  has_run_ = true;
  stops_on_entry_ = flag_in(arguments, "stopOnEntry", true);
  if (const Json* const at = find(arguments, "at"); at != nullptr && at->is_number()) {
    constexpr double kLatest_s = 1e9;
    const auto time_us = static_cast<std::uint64_t>(std::clamp(at->get<double>(), 0.0, kLatest_s) * 1e6);
    std::size_t count = 0;
    while (count < end() && history_.moments()[count].time_us < time_us) ++count;
    run_.move_to(count);
  }
  verify_all();
  for (const std::string& fault : history_.faults())
    event("output", {{"category", "important"}, {"output", fault + '\n'}});
  if (!is_ready_) be_ready();
  if (!launch.against.empty()) compare(without, launch.paths.empty() ? launch.run : launch.paths.front());
  if (is_configured_) begin();
  return {};
}

void Adapter::verify_all() {
  for (Breakpoint& breakpoint : run_.breakpoints()) {
    Json told;
    verify(breakpoint, told);
    event("breakpoint", {{"reason", "changed"}, {"breakpoint", told}});
  }
  send_breakpoints();
}

Json Adapter::configuration_done(const Json&) {
  is_configured_ = true;
  if (has_run_) after_ = [this] { begin(); };
  return {};
}

// Launched and configured, in either order.
void Adapter::begin() {
  if (launch_request_.is_null()) return;
  respond(launch_request_, true, {}, {});
  launch_request_ = {};
  if (stops_on_entry_) return move_to(run_.count(), "entry");
  if (program_ != nullptr) run_.move_to(end());  // what began unseen stops nothing
  go({});
}

// The client disconnects when it was told.
Json Adapter::terminate(const Json&) {
  after_ = [this] { event("terminated", Json::object()); };
  return {};
}

Json Adapter::disconnect(const Json&) {
  detach();
  is_over_ = true;
  return {};
}

void Adapter::need_run() const {
  if (!has_run_) throw Fault{"nothing is being debugged yet"};
}

// ---- Breakpoints

// To where a line means. What it tells is where that is.
void Adapter::verify_element(Breakpoint& breakpoint, Json& told) const {
  const std::int64_t from = lines_begin_at_1_ ? 0 : 1;
  told["line"] = breakpoint.asked_line - from;
  if (!has_run_) return;
  Location found;
  if (const std::string fault = place_element(history_, breakpoint, found); !fault.empty()) {
    told["verified"] = false;
    told["message"] = fault;
    return;
  }
  told["line"] = found.line - from;
  if (breakpoint.asked_column != 0) told["column"] = found.column - (columns_begin_at_1_ ? 0 : 1);
}

void Adapter::verify(Breakpoint& breakpoint, Json& told) const {
  told = {{"id", breakpoint.id}, {"verified", has_run_}};
  if (breakpoint.kind == Breakpoint::Kind::element) return verify_element(breakpoint, told);
  if (breakpoint.kind != Breakpoint::Kind::function || !has_run_) return;
  if (has_node(history_, breakpoint.name)) return;
  told["verified"] = false;
  told["message"] = "no node has the name " + text::quote(breakpoint.name);
}

// Those of a request, of one kind and file: `read` reads what is special to it.
Json Adapter::set(Breakpoint::Kind kind, const std::string& file, const Json& arguments,
                  const std::function<void(const Json& from, Breakpoint& breakpoint)>& read) {
  std::vector<Breakpoint> breakpoints;
  Json told = Json::array();
  for (const Json& each : list_in(arguments, "breakpoints")) {
    Breakpoint breakpoint{.kind = kind, .id = run_.next_id(), .asked_file = file};
    read(each, breakpoint);
    Json& answer = told.emplace_back();
    const std::string fault = set_conditions(breakpoint, string_in(each, "condition"), string_in(each, "hitCondition"));
    breakpoint.log = string_in(each, "logMessage");
    if (!fault.empty()) {
      answer = {{"id", breakpoint.id}, {"verified", false}, {"message", fault}};
      continue;
    }
    verify(breakpoint, answer);
    breakpoints.push_back(std::move(breakpoint));
  }
  run_.replace(kind, file, std::move(breakpoints));
  send_breakpoints();
  return {{"breakpoints", std::move(told)}};
}

Json Adapter::set_breakpoints(const Json& arguments) {
  const Json* const source = find(arguments, "source");
  const std::string file = source != nullptr ? string_in(*source, "path") : std::string();
  if (file.empty()) throw Fault{"breakpoints need the path of a file"};
  return set(Breakpoint::Kind::element, file, arguments, [&](const Json& each, Breakpoint& breakpoint) {
    const std::int64_t line = integer_in(each, "line").value_or(1) + (lines_begin_at_1_ ? 0 : 1);
    const std::int64_t column = integer_in(each, "column").value_or(-1) + (columns_begin_at_1_ ? 0 : 1);
    breakpoint.asked_line = static_cast<std::uint32_t>(std::clamp<std::int64_t>(line, 1, UINT32_MAX));
    breakpoint.asked_column = static_cast<std::uint32_t>(std::clamp<std::int64_t>(column, 0, UINT32_MAX));
  });
}

// "NAME", or "NAME:success" and other results.
Json Adapter::set_function_breakpoints(const Json& arguments) {
  return set(Breakpoint::Kind::function, {}, arguments,
             [](const Json& each, Breakpoint& breakpoint) { name_node(breakpoint, string_in(each, "name")); });
}

// What dataBreakpointInfo gives as the ID of data: "AGENT NAME", or " NAME" for any agent.
Json Adapter::data_breakpoint_info(const Json& arguments) {
  const std::string name = string_in(arguments, "name");
  const std::int64_t reference = integer_in(arguments, "variablesReference").value_or(0);
  Json info = {{"dataId", nullptr}, {"description", text::quote(name) + " is no variable or entry"}};
  if (!has_value(history_, name)) return info;
  const std::string agent = reference == 0 ? "" : std::to_string(Reference::of(reference).agent);
  info["dataId"] = agent + ' ' + name;
  info["description"] = text::quote(name) + " is written" + (agent.empty() ? "" : " by agent " + agent);
  info["accessTypes"] = {"write"};
  return info;
}

Json Adapter::set_data_breakpoints(const Json& arguments) {
  return set(Breakpoint::Kind::data, {}, arguments, [](const Json& each, Breakpoint& breakpoint) {
    const std::string id = string_in(each, "dataId");
    const std::size_t blank = id.find(' ');
    breakpoint.name = blank == std::string::npos ? id : id.substr(blank + 1);
    std::uint32_t agent = 0;
    const char* const agent_end = id.data() + (blank == std::string::npos ? 0 : blank);
    if (std::from_chars(id.data(), agent_end, agent).ptr == agent_end && agent_end != id.data())
      breakpoint.agent = agent;
  });
}

Json Adapter::set_exception_breakpoints(const Json& arguments) {
  std::vector<Breakpoint> breakpoints;
  Json told = Json::array();
  for (const Json& filter : list_in(arguments, "filters")) {
    const std::optional<Breakpoint::Fault> fault =
        filter.is_string() ? fault_of(filter.get<std::string>()) : std::nullopt;
    Json& answer = told.emplace_back(Json{{"verified", fault.has_value()}});
    if (!fault) continue;
    breakpoints.push_back({.kind = Breakpoint::Kind::fault, .id = run_.next_id(), .fault = *fault});
    answer["id"] = breakpoints.back().id;
  }
  run_.replace(Breakpoint::Kind::fault, {}, std::move(breakpoints));
  send_breakpoints();
  return {{"breakpoints", std::move(told)}};
}

Json Adapter::breakpoint_locations(const Json& arguments) {
  const Json* const source = find(arguments, "source");
  const std::string file = source != nullptr ? string_in(*source, "path") : std::string();
  const std::int64_t from = lines_begin_at_1_ ? 0 : 1;
  const std::int64_t first = integer_in(arguments, "line").value_or(1) + from;
  const std::int64_t last = integer_in(arguments, "endLine").value_or(first - from) + from;
  Json told = Json::array();
  for (const Location& each : locations_of(history_, file)) {
    if (each.line < first || each.line > last) continue;
    told.push_back({{"line", each.line - from}, {"column", each.column - (columns_begin_at_1_ ? 0 : 1)}});
  }
  return {{"breakpoints", std::move(told)}};
}

}  // namespace espalier::debug
