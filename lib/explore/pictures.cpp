// What tells two versions apart. See pictures.h.
#include "explore/pictures.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "explore/shown.h"
#include "replay/names.h"
#include "runtime/format/opcodes/tick.h"
#include "text/json.h"

namespace espalier::explore {
namespace {

constexpr std::uint32_t kEndOfAgent = 0xFFFFFFFF;
constexpr unsigned kNameShift = 4;
constexpr unsigned kInputShift = 32;

std::uint32_t name_of(const Heard& heard) {
  return static_cast<std::uint32_t>(heard.number & 0xFFFFFFFF) >> kNameShift;
}
std::uint32_t inputs_of(const Heard& heard) { return static_cast<std::uint32_t>(heard.number >> kInputShift); }

// That a condition is asked is no difference, only what it is given.
bool is_question(const Heard& heard) { return heard.kind == HeardKind::ask; }
// Does it say what agents do? All else the program may hear, too, but it follows from this or from what is shown.
bool is_deed(const Heard& heard) {
  return heard.kind == HeardKind::enter || heard.kind == HeardKind::send || heard.kind == HeardKind::log;
}

const Heard* next_call(const std::vector<Heard>& heard, bool deeds_only, std::size_t& place) {
  while (place < heard.size() && (is_question(heard[place]) || (deeds_only && !is_deed(heard[place])))) ++place;
  return place < heard.size() ? &heard[place++] : nullptr;
}

SourcePlace place_of(const Side& side, std::uint32_t word) {
  const codegen::NodeDebug debug = codegen::node_debug(*side.tree.asset, word);
  return {std::string(debug.file), debug.line, debug.column};
}

}  // namespace

// What the agents of a version show, with names that both versions share.
struct Pictures::Shown {
  std::vector<std::uint32_t> names;     // those of each agent, and kEndOfAgent
  std::vector<std::uint32_t> statuses;  // of each agent: see explore::Shown
};

Pictures::Pictures(const World& world) : world_(world), inputs_(world) {
  for (const Side& side : world.sides()) {
    const Asset& asset = *side.tree.asset;
    has_order_ = has_order_ && has_order_of_shown(side.tree);
    const auto numbers_of = [&](std::uint32_t count, const auto& text_of) {
      std::vector<std::uint32_t> numbers;
      for (std::uint32_t i = 0; i < count; ++i) numbers.push_back(number_of(std::string(text_of(i))));
      return numbers;
    };
    behaviors_.push_back(numbers_of(behavior_count(asset), [&](auto i) { return behavior_name(asset, i); }));
    conditions_.push_back(
        numbers_of(host_condition_count(asset), [&](auto i) { return host_condition_name(asset, i); }));
    auto& scripts = scripts_.emplace_back();
    for (const auto& [word, script] : side.script_names)
      scripts[word] = {number_of(world.names()[script].name), number_of(script_at(asset, word))};
    signals_.push_back(numbers_of(espalier_count(side.tree, ESPALIER_SIGNALS),
                                  [&](auto i) { return espalier_name(side.tree, ESPALIER_SIGNALS, i); }));
  }
}

std::uint32_t Pictures::number_of(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(name);
  return known->second;
}

std::string Pictures::name(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return names_[number];
}

std::uint64_t Pictures::number(std::size_t side, const Hearing& hearing) {
  const Side& in = world_.sides()[side];
  std::uint32_t name = 0;
  std::uint32_t inputs = 0;
  if (hearing.call != nullptr) {
    const codegen::NodeView node = codegen::node_at(*in.tree.asset, hearing.node_word);
    const bool is_condition =
        hearing.kind == HeardKind::ask && codegen::operand(node, OperandKind::behavior) == nullptr;
    name = (is_condition ? conditions_ : behaviors_)[side][hearing.call->behavior];
    inputs = inputs_.number(side, *hearing.call);
  } else if (hearing.kind == HeardKind::send) {
    name = signals_[side][hearing.signal];
    const codegen::NodeView node = codegen::node_at(*in.tree.asset, hearing.node_word);
    const std::uint32_t receivers = node.opcode == opcode::tick_queue ? node.flags >> kReceiversShift : 0;
    if (receivers != 0) name = number_of(this->name(name) + (receivers == 1 ? " to its group" : " to the others"));
  } else if (hearing.kind == HeardKind::script) {
    std::tie(name, inputs) = scripts_[side].at(hearing.node_word);
  } else {
    name = number_of(text::json_string(hearing.text));
  }
  return static_cast<std::uint64_t>(hearing.kind) | std::uint64_t{name} << kNameShift |
         std::uint64_t{inputs} << kInputShift;
}

// ---- What agents show

Pictures::Shown Pictures::shown(Run& run, std::size_t side, unsigned char* state) const {
  Shown all;
  explore::Shown shown;
  for (std::uint32_t agent = 0; agent < world_.agent_count(); ++agent) {
    look(run.seen(side, agent, state), &shown);
    const std::size_t begin = all.names.size();
    for (const std::uint32_t behavior : shown.behaviors) all.names.push_back(behaviors_[side][behavior]);
    // Their order in the tree means nothing.
    if (!has_order_) std::sort(all.names.begin() + static_cast<std::ptrdiff_t>(begin), all.names.end());
    all.names.push_back(kEndOfAgent);
    all.statuses.push_back(shown.status);
  }
  return all;
}

// "Aim, Fire", or with agents "agent 1: Aim, Fire"; with the statuses that are told.
std::string Pictures::words(const Shown& shown, bool with_agents, bool with_statuses) const {
  std::string text;
  auto name = shown.names.begin();
  for (std::size_t agent = 0; agent < shown.statuses.size(); ++agent, ++name) {
    const std::string prefix = with_agents ? "agent " + std::to_string(agent) + ": " : "";
    std::string own;
    const auto add = [&](const std::string& word) { own += (own.empty() ? prefix : ", ") + word; };
    for (; *name != kEndOfAgent; ++name) add(this->name(*name));
    const std::uint32_t status = shown.statuses[agent];
    if (with_statuses && status != 0)
      add("status " + std::string(replay::result_name(static_cast<Result>(status - 1))));
    if (!own.empty()) text += (text.empty() ? "" : ", ") + own;
  }
  return text;
}

// Names are told without statuses. If they are the same, statuses are, of the agents whose statuses differ.
Pictures::Contrast Pictures::contrast_of(const Shown& before, const Shown& after) const {
  const auto in_words = [](std::string text) { return text.empty() ? std::nullopt : std::optional(std::move(text)); };
  if (before.names == after.names) {
    Shown own = before;
    Shown other = after;
    for (std::size_t agent = 0; agent < own.statuses.size(); ++agent) {
      if (own.statuses[agent] == other.statuses[agent]) own.statuses[agent] = other.statuses[agent] = 0;
    }
    const bool are_several = own.statuses.size() > 1;
    return {in_words(words(own, are_several, true)), in_words(words(other, are_several, true))};
  }
  const bool with_agents = words(before, false, false) == words(after, false, false);
  return {in_words(words(before, with_agents, false)), in_words(words(after, with_agents, false))};
}

// ---- What the host hears

// With the inputs that differ from those of the other one, if that is the same call.
std::string Pictures::words(const Heard& heard, const Heard* other) const {
  static constexpr std::string_view kBegins[] = {
      "",        "",         "the end of ", "the interruption of ", "the reset of ", "the refusal of ", "",
      "signal ", "message ", "script "};
  std::string text = std::string(kBegins[static_cast<std::size_t>(heard.kind)]) + name(name_of(heard));
  if (heard.kind == HeardKind::update) text += " again";
  const bool is_same_call = other != nullptr && name_of(heard) == name_of(*other) && heard.kind == other->kind;
  if (!is_same_call || heard.kind == HeardKind::script) return text;
  const std::vector<Input> others = inputs_.at(inputs_of(*other));
  std::string inputs;
  for (const Input& input : inputs_.at(inputs_of(heard))) {
    const auto same = std::find_if(others.begin(), others.end(), [&](const Input& each) {
      return each.name == input.name && each.meaning == input.meaning;
    });
    if (same == others.end()) inputs += (inputs.empty() ? "" : ", ") + input.name + ' ' + input.value;
  }
  return inputs.empty() ? text : text + " (" + inputs + ')';
}

std::optional<Pictures::Contrast> Pictures::contrast_heard(const Run& run, std::uint32_t agent, bool deeds_only,
                                                           Place& place) {
  const std::vector<Heard>& before = run.heard(0, agent);
  const std::vector<Heard>& after = run.heard(1, agent);
  for (std::size_t i = 0, k = 0;;) {
    const Heard* const own = next_call(before, deeds_only, i);
    const Heard* const other = next_call(after, deeds_only, k);
    if (own == nullptr && other == nullptr) return std::nullopt;
    if (own != nullptr && other != nullptr && own->number == other->number) continue;
    place = place_heard(run, own, other);
    Contrast contrast;
    if (own != nullptr) contrast.before = words(*own, other);
    if (other != nullptr) contrast.after = words(*other, own);
    if (contrast.before == contrast.after)
      *contrast.after += own->kind == HeardKind::script ? ", with another text" : ", with another value";
    return contrast;
  }
}

// Conditions that both versions ask, and give other inputs.
std::optional<Pictures::Contrast> Pictures::contrast_asked(const Run& run, std::uint32_t agent, Place& place) {
  const auto count = [&](std::size_t side) {
    return std::count_if(run.heard(side, agent).begin(), run.heard(side, agent).end(), is_question);
  };
  if (count(0) != count(1)) asks_unlike_ = true;
  const auto first_unlike = [&](std::size_t side) -> std::pair<const Heard*, const Heard*> {
    const std::vector<Heard>& others = run.heard(1 - side, agent);
    for (const Heard& heard : run.heard(side, agent)) {
      if (!is_question(heard)) continue;
      const Heard* same_name = nullptr;
      const bool is_same = std::any_of(others.begin(), others.end(), [&](const Heard& other) {
        if (!is_question(other) || name_of(other) != name_of(heard)) return false;
        if (same_name == nullptr) same_name = &other;
        return other.number == heard.number;
      });
      if (!is_same && same_name != nullptr) return {&heard, same_name};
    }
    return {nullptr, nullptr};
  };
  auto [own, other] = first_unlike(0);
  if (own == nullptr) std::tie(other, own) = first_unlike(1);
  if (own == nullptr) return std::nullopt;
  place = place_heard(run, own, other);
  return Contrast{words(*own, other), words(*other, own)};
}

Pictures::Place Pictures::place_heard(const Run& run, const Heard* before, const Heard* after) const {
  if (!run.is_telling()) return {};
  if (after != nullptr) return {place_of(world_.sides()[1], after->node_word), false};
  return {place_of(world_.sides()[0], before->node_word), true};
}

// ---- Comparing

Pictures::Place Pictures::place_shown(Run& run, unsigned char* state) {
  if (!run.is_telling()) return {};
  const SourcePlace place = place_of_shown(run.seen(1, 0, state));
  if (place.line != 0) return {place, false};
  return {place_of_shown(run.seen(0, 0, state)), true};
}

std::uint64_t Pictures::mark_of(Contrast contrast) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = marks_.try_emplace(std::move(contrast), contrasts_.size());
  if (is_new) contrasts_.push_back(known->first);
  return known->second;
}

// Several agents may be updated one after the other, with a state after each: what was heard of those before is kept in
// the state, and is told at the end.
bool Pictures::compare(Run& run, const Step& step, unsigned char* state) {
  if (world_.agent_count() > 1) return compare_several(run, step, state);
  const bool is_tick = step.kind == StepKind::tick;
  const Shown before = is_tick ? shown(run, 0, state) : Shown();
  const Shown after = is_tick ? shown(run, 1, state) : Shown();
  if (before.names != after.names) return end(run, contrast_of(before, after), place_shown(run, state));
  if (run.heard(0, 0).empty() && run.heard(1, 0).empty() && before.statuses == after.statuses) return true;
  Place place;
  std::optional<Contrast> contrast = contrast_heard(run, 0, true, place);
  if (!contrast) contrast = contrast_asked(run, 0, place);
  if (!contrast && before.statuses != after.statuses) {
    contrast = contrast_of(before, after);
    place = place_shown(run, state);
  }
  if (!contrast) contrast = contrast_heard(run, 0, false, place);
  return !contrast || end(run, std::move(*contrast), place);
}

bool Pictures::compare_several(Run& run, const Step& step, unsigned char* state) {
  std::uint64_t kept = 0;  // 1 + mark
  std::memcpy(&kept, world_.own(state), sizeof kept);
  for (std::uint32_t agent = 0; agent < world_.agent_count() && kept == 0; ++agent) {
    Place place;
    std::optional<Contrast> contrast = contrast_heard(run, agent, true, place);
    if (!contrast) contrast = contrast_asked(run, agent, place);
    if (!contrast) contrast = contrast_heard(run, agent, false, place);
    if (contrast) kept = 1 + mark_of(std::move(*contrast));
  }
  if (run.is_unfinished()) {
    std::memcpy(world_.own(state), &kept, sizeof kept);
    return true;
  }
  std::memset(world_.own(state), 0, sizeof kept);
  if (kept == 0 && step.kind == StepKind::tick) {
    const Shown before = shown(run, 0, state);
    const Shown after = shown(run, 1, state);
    if (before.names != after.names || before.statuses != after.statuses)
      kept = 1 + mark_of(contrast_of(before, after));
  }
  if (kept == 0) return true;
  if (run.is_telling()) told_ = place_shown(run, state);
  run.mark(kept - 1);
  return false;
}

bool Pictures::end(Run& run, Contrast contrast, const Place& place) {
  if (run.is_telling()) told_ = place;
  run.mark(mark_of(std::move(contrast)));
  return false;
}

}  // namespace espalier::explore
