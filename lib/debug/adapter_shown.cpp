// What is shown of the run where it is, and the commands of the console. See adapter.h.
#include <algorithm>
#include <iterator>
#include <set>

#include "debug/adapter.h"
#include "debug/questions.h"
#include "text/names.h"

namespace espalier::debug {

// Of very many agents, those that are wanted: by the launch, by a breakpoint, and where the run is.
std::vector<std::uint32_t> Adapter::listed_agents() const {
  constexpr std::size_t kMost = 200;
  const std::vector<std::uint32_t>& all = history_.agents();
  if (shown_agents_.empty() && all.size() <= kMost) return all;
  std::set<std::uint32_t> wanted(shown_agents_.begin(), shown_agents_.end());
  for (const Breakpoint& each : run_.breakpoints()) {
    if (each.agent) wanted.insert(*each.agent);
  }
  if (run_.count() > 0) wanted.insert(moment_at(run_.count()).agent);
  if (wanted.empty() && !all.empty()) wanted.insert(all.front());
  std::vector<std::uint32_t> listed;
  std::copy_if(all.begin(), all.end(), std::back_inserter(listed),
               [&](std::uint32_t agent) { return wanted.contains(agent); });
  return listed;
}

Json Adapter::threads(const Json&) {
  Json threads = Json::array();
  for (const std::uint32_t agent : listed_agents()) {
    const auto known = now().find(agent);
    std::string name = "agent " + std::to_string(agent);
    if (known != now().end() && known->second.title != kNoRow)
      name += " (" + history_.rows()[known->second.title].name + ')';
    if (held_at_ != 0) name += ", stands still";
    if (!what_if_.empty()) name += ", " + what_if_;
    threads.push_back({{"id", agent + 1}, {"name", std::move(name)}});
  }
  if (threads.empty()) threads.push_back({{"id", 1}, {"name", "agent 0"}});
  return {{"threads", std::move(threads)}};
}

Json Adapter::frame_json(Reference reference, std::uint32_t row) const {
  const auto known = now().find(reference.agent);
  const Place& place = history_.place(known == now().end() ? 0 : known->second.version, row);
  Json frame = {{"id", reference.number()},
                {"name", history_.rows()[row].name},
                {"line", place.line - (lines_begin_at_1_ ? 0 : 1)},
                {"column", place.column - (columns_begin_at_1_ ? 0 : 1)}};
  if (place.line == 0) frame["line"] = frame["column"] = 0;
  if (!place.file.empty() && place.file != path_) {  // XML in a log has no file
    const std::string path = absolute_path(place.file);
    frame["source"] = {{"name", path.substr(path.find_last_of('/') + 1)}, {"path", path}};
  }
  return frame;
}

Json Adapter::stack_trace(const Json& arguments) {
  need_run();
  const std::uint32_t agent = agent_of(arguments);
  const std::vector<std::uint32_t> rows = run_.frames_of(agent);
  Json frames = Json::array();
  for (std::uint32_t i = 0; i < rows.size(); ++i) frames.push_back(frame_json({agent, i}, rows[i]));
  const auto known = now().find(agent);
  const std::uint32_t update = known == now().end() ? 0 : known->second.update_count;
  const std::uint64_t time_us = run_.count() == 0 ? 0 : moment_at(run_.count()).time_us;
  frames.push_back(
      {{"id", Reference{agent, static_cast<std::uint32_t>(rows.size())}.number()},
       {"name", (update == 0 && live_ ? "" : "update " + std::to_string(update) + ", ") + seconds_of(time_us)},
       {"line", 0},
       {"column", 0},
       {"presentationHint", "label"}});
  const auto total = static_cast<std::int64_t>(frames.size());
  const std::int64_t first = std::clamp<std::int64_t>(integer_in(arguments, "startFrame").value_or(0), 0, total);
  const std::int64_t levels = integer_in(arguments, "levels").value_or(0);
  const std::int64_t last = levels <= 0 ? total : std::min(total, first + std::min(levels, total));
  return {{"stackFrames", Json(frames.begin() + first, frames.begin() + last)}, {"totalFrames", total}};
}

Json Adapter::scopes(const Json& arguments) {
  need_run();
  Reference reference = Reference::of(integer_in(arguments, "frameId").value_or(1));
  Json scopes = Json::array();
  constexpr std::pair<Scope, const char*> kScopes[] = {{Scope::node, "Node"},
                                                       {Scope::inputs, "Inputs"},
                                                       {Scope::values, "Variables"},
                                                       {Scope::answers, "Host"},
                                                       {Scope::running, "Also running"}};
  for (const auto& [scope, name] : kScopes) {
    reference.scope = scope;
    scopes.push_back({{"name", name}, {"variablesReference", reference.number()}, {"expensive", false}});
  }
  return {{"scopes", std::move(scopes)}};
}

Json Adapter::variables(const Json& arguments) {
  need_run();
  const Reference reference = Reference::of(integer_in(arguments, "variablesReference").value_or(1));
  Json variables = Json::array();
  const auto tell = [&](std::string_view name, std::string_view value, bool has_name = false) {
    variables.push_back({{"name", name}, {"value", value}, {"variablesReference", 0}});
    if (has_name) variables.back()["evaluateName"] = name;
  };
  const auto known = now().find(reference.agent);
  if (known == now().end()) return {{"variables", std::move(variables)}};
  const AgentNow& agent = known->second;
  const std::vector<std::uint32_t> rows = run_.frames_of(reference.agent);
  if (reference.scope == Scope::node && reference.frame < rows.size()) {
    const std::uint32_t row = rows[reference.frame];
    const bool is_active = std::find(agent.active.begin(), agent.active.end(), row) != agent.active.end();
    const auto result = agent.results.find(row);
    tell("status", is_active ? "running" : result != agent.results.end() ? word_of(result->second) : "idle");
    if (is_active && result != agent.results.end()) tell("last result", word_of(result->second));
  }
  if (reference.scope == Scope::inputs && reference.frame < rows.size()) {
    const std::uint32_t row = rows[reference.frame];
    for (auto input = agent.inputs.lower_bound({row, 0}); input != agent.inputs.end() && input->first.first == row;
         ++input)
      tell(history_.text(input->first.second), history_.text(input->second));
  }
  if (reference.scope == Scope::running) {
    for (const std::uint32_t row : agent.active) {
      if (std::find(rows.begin(), rows.end(), row) == rows.end()) tell(history_.rows()[row].name, "running");
    }
  }
  if (reference.scope == Scope::values) {
    for (const auto& [name, value] : agent.values) tell(history_.text(name), history_.text(value), true);
  }
  if (reference.scope == Scope::answers) {
    for (const auto& [name, value] : agent.answers) tell(history_.text(name), history_.text(value));
  }
  return {{"variables", std::move(variables)}};
}

// What stopped the run, and why it happened.
Json Adapter::exception_info(const Json&) {
  need_run();
  const MomentKind kind = run_.count() == 0 ? MomentKind::log : moment_at(run_.count()).kind;
  constexpr std::pair<MomentKind, const char*> kIds[] = {{MomentKind::error, "error"},
                                                         {MomentKind::failure, "failure"},
                                                         {MomentKind::halted, "halted"},
                                                         {MomentKind::failed, "failed expectation"},
                                                         {MomentKind::unscripted, "unscripted-host"},
                                                         {MomentKind::drift, "drift"}};
  const auto* const id =
      std::find_if(std::begin(kIds), std::end(kIds), [&](const auto& each) { return each.first == kind; });
  Json info = {{"exceptionId", id == std::end(kIds) ? "none" : id->second},
               {"description", told_fault_},
               {"breakMode", "always"}};
  if (const std::string why = run_.count() == 0 || live_ ? std::string() : runs_.explain(history_, run_.count());
      !why.empty())
    info["details"] = {{"message", why}};
  return info;
}

// The last time before now that a node began, or had a result.
std::string Adapter::why(const std::string& node, std::uint32_t agent) const {
  if (live_)
    throw Fault{"a program does not tell why: launch its recording, which 'record' of the attach request writes"};
  if (const std::size_t count = last_of(history_, run_.count(), agent, node); count != 0) {
    const std::string told = runs_.explain(history_, count);
    const Moment& moment = moment_at(count);
    return told.empty() ? words_of(history_, moment) + " at " + seconds_of(moment.time_us) : told;
  }
  throw Fault{node.empty() ? "nothing has happened yet" : text::quote(node) + " has not begun yet"};
}

// The value of a variable or of a condition; in the console also commands.
Json Adapter::evaluate(const Json& arguments) {
  need_run();
  const std::string words = string_in(arguments, "expression");
  const Reference frame = Reference::of(integer_in(arguments, "frameId").value_or(1));
  const ConditionValue value = run_.value_of(words, frame.agent);
  if (value.fault.empty() && !value.text.empty()) return {{"result", value.text}, {"variablesReference", 0}};
  if (words.starts_with("why ")) return {{"result", why(words.substr(4), frame.agent)}, {"variablesReference", 0}};
  if (string_in(arguments, "context") == "repl")
    return {{"result", command(words, frame.agent)}, {"variablesReference", 0}};
  if (!value.fault.empty()) throw Fault{value.fault};
  throw Fault{text::quote(words) + " is no variable or entry that has a value now"};
}

std::string Adapter::command(const std::string& words, std::uint32_t agent) {
  const std::size_t blank = words.find(' ');
  const std::string verb = words.substr(0, blank);
  const std::string rest = blank == std::string::npos ? std::string() : words.substr(blank + 1);
  const Json thread = {{"threadId", agent + 1}};
  if (verb == "back") {
    step_back(thread);
    return "a step back";
  }
  if (verb == "rc") {
    reverse_continue(thread);
    return "back to the last breakpoint";
  }
  if (verb == "goto") {
    const std::optional<double> time_s = seconds_in(rest);
    if (!time_s) throw Fault{text::quote(rest) + " is no time in seconds, such as 12.3"};
    const std::size_t count = last_until(history_, end(), *time_s);
    after_ = [this, count] { move_to(count, "goto"); };
    return "to " + rest + " s";
  }
  if (verb == "recorded") return show_recorded();
  if (verb == "why") return why(rest, agent);
  if (verb == "who" && rest.starts_with("wrote ")) {
    const std::string name = rest.substr(6);
    if (const std::size_t count = last_write(history_, run_.count(), agent, name); count != 0) {
      const Moment& moment = moment_at(count);
      if (!live_) return words_of_write(history_, count);
      return "somebody, before " + seconds_of(moment.time_us) + ": " + words_of(history_, moment);
    }
    return "nobody has written " + text::quote(name) + " yet";
  }
  throw Fault{text::quote(words) +
              " is no variable, and no command: back, rc, goto SECONDS, who wrote NAME, why NODE, recorded"};
}

}  // namespace espalier::debug
