// Trees of deciders in a replay: decision flags, stimuli, updates, and what the host answers. See session.h.
#include <algorithm>
#include <charconv>

#include "codegen/dump/listing.h"
#include "replay/session.h"
#include "runtime/decide/layout.h"
#include "text/names.h"

namespace espalier::replay {

using rules::Rule;
using text::JsonValue;

// ---- Lines

Session::Faults Session::run_flags(const Line& line) {
  std::uint64_t bits = 0;
  std::string names;
  for (const JsonValue& name : line.value->values) {
    std::uint32_t flag = 0;
    if (auto fault = find(name.string, name.span, &flag)) return fault;
    bits |= std::uint64_t{1} << flag;
    names += (names.empty() ? "" : ", ") + name.string;
  }
  return for_each_target(line, [&](std::uint32_t index) -> Faults {
    set_flags(tree_, agents_[index]->state.block.data(), bits);
    remark(index, names.empty() ? "has no flags" : "has the flags " + names);
    return std::nullopt;
  });
}

Session::Faults Session::run_stimulus(const Line& line) {
  const std::string& name = line.value->string;
  const JsonValue* clear = line.find("clear");
  const bool is_cleared = clear != nullptr && clear->boolean;
  const std::optional<StimulusData> data = data_of(line);
  if (is_cleared && data) {
    return LineFault{Rule::TRC_wrong_value, line.find("data")->span, "a stimulus that is cleared has no data"};
  }
  std::uint32_t id = 0;
  if (auto fault = find_stimulus(name, line.value->span, &id)) return fault;
  return for_each_target(line, [&](std::uint32_t index) -> Faults {
    void* block = agents_[index]->state.block.data();
    if (is_cleared) {
      clear_stimulus(tree_, block, id);
    } else {
      set_stimulus(tree_, block, id, time_us_, data ? &*data : nullptr);
    }
    remark(index, (is_cleared ? "loses the stimulus " : "has the stimulus ") + name +
                      (data ? " with " + json_string(line.find("data")->string) : ""));
    return std::nullopt;
  });
}

Session::Faults Session::find_stimulus(const std::string& name, text::Span span, std::uint32_t* id) const {
  if (espalier::find_stimulus(tree_, name, id) == Status::ok) return std::nullopt;
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < stimulus_count(tree_); ++i) names.push_back(stimulus_name(tree_, i));
  return LineFault{Rule::TRC_unknown_name, span,
                   "tree " + text::quote(tree_name(tree_)) + " has no stimulus " + text::quote(name),
                   text::did_you_mean(name, names)};
}

std::optional<StimulusData> data_of(const Line& line) {
  const JsonValue* value = line.find("data");
  if (value == nullptr) return std::nullopt;
  StimulusData data;
  data.size_bytes = static_cast<std::uint32_t>(value->string.size());
  std::copy(value->string.begin(), value->string.end(), data.bytes);
  return data;
}

// ---- Updates

void Session::update_deciders(std::uint32_t index) {
  Watcher watcher;
  watcher.user = this;
  watcher.decide = note_decision;
  update_telling(index, watcher);
}

void Session::note_decision(void* session, const DecideStep* step) {
  const Session& self = *static_cast<const Session*>(session);
  if (step->kind == DecideStepKind::overrun) self.emit(EventKind::error, "redecides");
  if (self.listener_.step) self.listener_.step(self.current_agent_, *step);
}

std::vector<ActiveDecider> Session::active_path(std::uint32_t index) const {
  void* block = agents_[index]->state.block.data();
  std::vector<ActiveDecider> path;
  const std::uint32_t count = active_count(tree_, block);
  path.reserve(count);
  for (std::uint32_t level = 0; level < count; ++level) path.push_back(active_decider(tree_, block, level));
  return path;
}

// ---- The host

// An answer that is no refusal is left for the tick that follows.
bool Session::activate(const Call* call) {
  Session& session = of(call);
  const std::string_view name = behavior_name(*call->tree.asset, call->behavior);
  Answers* answers = session.find_answers(call, name);
  const bool is_refused = answers != nullptr && answers->next() == Answer::refuse;
  if (is_refused) static_cast<void>(answers->take());
  session.emit(is_refused ? EventKind::refuse : EventKind::enter, name);
  return !is_refused;
}

espalier_result Session::tick_behavior(const Call* call) {
  Session& session = of(call);
  const std::string_view name = behavior_name(*call->tree.asset, call->behavior);
  const Answer answer = session.take_answer(call, name, "behaviour", "accepts and goes on").value_or(Answer::running);
  const Result result = answer == Answer::running ? Result::running : Result::failure;
  session.emit(EventKind::tick, name, result_name(result));
  return result;
}

double Session::decide(const Call* call) {
  Session& session = of(call);
  const std::string_view name = host_condition_name(*call->tree.asset, call->behavior);
  double value = 1;
  if (Answers* answers = session.find_answers(call, name)) {
    value = answers->take_number();
  } else {
    session.note_unscripted({"Decide function", name, "gives 1"});
  }
  session.emit(EventKind::decide, decider_text(call->tree, call->node_word), number_text(value));
  return value;
}

// ---- Texts

std::string number_text(double number) {
  constexpr std::size_t kMaxBytes = 512;  // the smallest numbers have more than 300 digits
  char text[kMaxBytes];
  const double shown = number == 0 ? 0 : number;  // without the sign of -0
  const std::to_chars_result result = std::to_chars(text, text + kMaxBytes, shown, std::chars_format::fixed);
  return {text, result.ptr};
}

std::string decider_text(const Tree& tree, std::uint32_t node_word) {
  const std::string_view name = decider_name(tree, node_word);
  if (!name.empty()) return std::string(name);
  const layout::DeciderTree& record =
      records<layout::DeciderTree>(*tree.asset, layout::SectionId::decider_trees)[tree_record(tree).record];
  const std::uint32_t first_word = unit_record(*tree.asset, record.first_unit).first_word;
  return '#' + std::to_string((node_word - first_word) / kDeciderWords);
}

}  // namespace espalier::replay
