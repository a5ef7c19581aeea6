// What if a value were another one, and what another version does: runs beside the recorded one. See adapter.h.
#include "debug/adapter.h"
#include "text/names.h"

namespace espalier::debug {
namespace {

// As JSON, if it is a number, true or false; otherwise a text.
Json value_of(const std::string& text) {
  Json value = Json::parse(text, nullptr, false);
  if (value.is_number() || value.is_boolean() || value.is_string()) return value;
  return text;
}

}  // namespace

Json Adapter::set_variable(const Json& arguments) {
  need_run();
  const Reference reference = Reference::of(integer_in(arguments, "variablesReference").value_or(1));
  if (reference.scope != Scope::values) throw Fault{"only variables and entries can be changed"};
  return change(reference.agent, string_in(arguments, "name"), string_in(arguments, "value"));
}

Json Adapter::set_expression(const Json& arguments) {
  need_run();
  const Reference frame = Reference::of(integer_in(arguments, "frameId").value_or(1));
  return change(frame.agent, string_in(arguments, "expression"), string_in(arguments, "value"));
}

// The run goes on from here with another value; the recorded one is kept.
Json Adapter::change(std::uint32_t agent, const std::string& name, const std::string& value) {
  if (live_) throw Fault{"values of a program cannot be changed: its publisher only tells them"};
  const Json json = value_of(value);
  Json line = {{"set", {{name, json}}}};
  if (history_.agents().size() > 1) line["agent"] = agent;
  std::size_t at = 0;
  History other = history_.forked(run_.count(), line.dump(), &at);
  // A value that it has already is not written again.
  const bool is_set = at < other.moments().size() && other.moments()[at].kind == MomentKind::set &&
                      other.text(other.moments()[at].name) == name;
  const auto known = now().find(agent);
  const bool has_it = known != now().end() && run_.values_of(known->second)(name) == value;
  if (!is_set && !has_it) {
    const auto& faults = other.faults();
    throw Fault{faults.size() > history_.faults().size() ? faults.back() : text::quote(name) + " cannot be changed"};
  }
  const std::uint64_t time_us = at == 0 ? 0 : other.moments()[at - 1].time_us;
  if (!recorded_) recorded_.emplace(history_, run_.count());
  what_if_ = "what if " + name + " = " + value;
  show(std::move(other), at + (is_set ? 1 : 0));
  event("output",
        {{"category", "important"},
         {"output", what_if_ + " from " + seconds_of(time_us) +
                        " on: this run was not recorded; 'recorded' in the console shows the recorded one\n"}});
  return {{"value", value}, {"variablesReference", 0}};
}

std::string Adapter::show_recorded() {
  if (!recorded_) throw Fault{"this is the recorded run"};
  auto [history, count] = std::move(*recorded_);
  recorded_.reset();
  what_if_.clear();
  show(std::move(history), count);
  after_ = [this] { move_to(run_.count(), "goto"); };
  return "the recorded run";
}

void Adapter::show(History history, std::size_t count) {
  end_search();
  run_.show(std::move(history), count);
  is_at_end_ = false;
  if (is_told_what_is_invalid_) event("invalidated", {{"areas", {"all"}}});
}

// ---- Another version

void Adapter::compare(const History& other, const std::string& name) {
  const std::optional<Difference> difference = first_difference(history_, other);
  run_.differ(difference);
  if (!difference) {
    event("output", {{"category", "important"}, {"output", "in this run both versions do the same\n"}});
    return;
  }
  const std::size_t there = difference->other_count;
  const Moment* const moment = there == 0 ? nullptr : &other.moments()[there - 1];
  const bool is_over = difference->other_is_over || moment == nullptr;
  difference_words_ =
      text::quote(name) + ": " +
      (is_over ? "nothing more happens" : words_of(other, *moment) + " at " + seconds_of(moment->time_us));
}

}  // namespace espalier::debug
