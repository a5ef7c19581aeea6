// Steps of updates as lines of text. See debug_lines.h.
#include "report/debug_lines.h"

#include <utility>
#include <variant>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "codegen/dump/written_conditions.h"
#include "replay/names.h"
#include "report/line_view.h"
#include "report/skip_reason.h"
#include "report/store_words.h"
#include "runtime/format/by_engine.h"
#include "runtime/format/opcode_words.h"

namespace espalier::report {
namespace {

using replay::Event;
using replay::EventKind;

// ---- Levels and words of events

// 0: it has no line.
unsigned level_of(const Event& event) {
  switch (event.kind) {
    case EventKind::enter:
      return 1;
    case EventKind::leave:
    case EventKind::interrupt:
    case EventKind::reset:
    case EventKind::refuse:
    case EventKind::error:
      return 2;
    case EventKind::tick:
      return event.value == "failure" ? 2 : 3;
    case EventKind::signal:
    case EventKind::send:
    case EventKind::set:
    case EventKind::log:
    case EventKind::status:
    case EventKind::begin:
      return 3;
    case EventKind::ask:
      return 5;
    default:
      return 0;
  }
}

std::string dt_text(std::uint64_t passed_us) { return "dt " + replay::seconds_text(passed_us) + " s"; }

std::string words_of(const Event& event) {
  if (event.kind == EventKind::status) return std::string("end of update: ").append(event.subject);
  std::string words(name_of(event.kind));
  words.append(" ").append(event.subject).append(visible(replay::parameters_text(replay::parameters_of(event.call))));
  if (!event.value.empty()) words.append(": ").append(event.value);
  for (const std::string& detail : event.details) words += ", " + detail;
  return words;
}

// ---- Nodes, by engine

std::string tick_node_name(const Asset& asset, std::uint32_t word) {
  const codegen::NodeView node = codegen::node_at(asset, word);
  std::string name(codegen::node_debug(asset, word).name);
  if (name.empty()) name = opcode_name(node.opcode);
  const std::uint32_t* behavior = codegen::operand(node, OperandKind::behavior);
  if (behavior == nullptr) return name;
  const std::string_view called = behavior_name(asset, *behavior);
  return called == name ? name : name + ' ' + std::string(called);
}

std::string place_of(const Asset& asset, std::uint32_t word) {
  const codegen::NodeDebug debug = codegen::node_debug(asset, word);
  return debug.line == 0 ? "" : "  (" + std::string(debug.file) + ':' + std::to_string(debug.line) + ')';
}

struct EngineRow {
  bool has_events;  // its events have lines, in addition to its steps
  bool has_rules;   // its steps are those of rules
  std::string (*node_name)(const Asset& asset, std::uint32_t word);
};

constexpr ByEngine<EngineRow> kRows = {
    .select = EngineRow{true, false, tick_node_name},
    .tick = EngineRow{true, false, tick_node_name},
    .rule = EngineRow{true, true, replay::rule_name},
    .decide = EngineRow{false, false, tick_node_name},
    .store = EngineRow{true, false, store_node_name},
    .poll = EngineRow{true, false, tick_node_name},
};

const EngineRow& row_of(const Tree& tree) { return kRows[replay::engine_of_tree(tree)]; }

}  // namespace

// ---- Lines

void DebugLines::event(const Event& event, const Write& write) {
  if (event.kind == EventKind::step) {
    if (const auto* decide = std::get_if<DecideStep>(event.step)) return decide_step(event, *decide, write);
    if (const auto* node = std::get_if<NodeStep>(event.step)) return node_step(event, *node, write);
    return condition_step(event, std::get<Step>(*event.step), write);
  }
  if (event.kind == EventKind::begin) {
    passed_us_ = event.time_us - std::exchange(last_us_[event.agent], event.time_us);
  }
  const unsigned level = level_of(event);
  if (level == 0 || level > level_) return;
  const bool is_outside = event.kind == EventKind::signal || event.kind == EventKind::set;
  if (!is_outside && !row_of(event.state->tree).has_events) return;
  std::size_t depth = 0;
  if (event.node.asset != nullptr) {
    const Tree tree = event.state->tree;
    depth = row_of(tree).has_rules ? rule_depth(tree) : depth_of(*event.node.asset, event.node.word);
  }
  line(event, level, depth, event.kind == EventKind::begin ? "update, " + dt_text(passed_us_) : words_of(event), write);
}

void DebugLines::decide_step(const Event& event, const DecideStep& step, const Write& write) const {
  if (step_level(step.kind) > level_) return;
  const replay::AgentView& agent = *event.state;
  std::string text;
  const auto add = [](void* user, const char* piece, std::size_t size_bytes) {
    static_cast<std::string*>(user)->append(piece, size_bytes);
  };
  print_step(agent.tree, agent.block, step, event.time_us, event.agent, add, &text);
  if (step.kind == DecideStepKind::begin) text += "; " + dt_text(passed_us_);
  write(text);
}

void DebugLines::node_step(const Event& event, const NodeStep& step, const Write& write) {
  const Tree tree = event.state->tree;
  if (row_of(tree).has_rules) return rule_step(event, step, write);
  const Asset& asset = *tree.asset;
  unsigned level = 4;
  std::string words;
  switch (step.kind) {
    case NodeStepKind::begin:
      words = "begins ";
      break;
    case NodeStepKind::complete:
      words = std::string(replay::result_name(static_cast<Result>(step.value))) + " of ";
      break;
    case NodeStepKind::interrupt:
      words = "interrupts ";
      break;
    case NodeStepKind::restart:
      words = "the tree restarts because of ";
      break;
    case NodeStepKind::skip:
      level = 5;
      words = "skips (" +
              std::string(replay::engine_of_tree(tree) == EngineId::poll
                              ? skip_cause(step)
                              : replay::result_name(static_cast<Result>(step.value))) +
              ") ";
      break;
    case NodeStepKind::reset:
      level = 5;
      words = "resets ";
      break;
    default:
      return;  // what is sent is an event
  }
  if (level > level_) return;
  words += row_of(tree).node_name(asset, step.node_word) + place_of(asset, step.node_word);
  line(event, level, depth_of(asset, step.node_word), words, write);
}

// A rule is indented by its depth in the tree rather than in its file: subtrees are rules too.
void DebugLines::rule_step(const Event& event, const NodeStep& step, const Write& write) {
  if (step.kind == NodeStepKind::begin) rule_ = step.value;
  if (level_ < 4) return;
  const Tree tree = event.state->tree;
  const bool is_begin = step.kind == NodeStepKind::begin;
  if (!is_begin) {
    const std::string result(replay::result_name(static_cast<Result>(step.value)));
    return line(event, 4, rule_depth(tree), result + " of " + replay::rule_text(tree, rule_), write);
  }
  Call call = {};
  call.tree = tree;
  call.node_word = step.node_word;
  const std::string parameters = visible(replay::parameters_text(replay::parameters_of(&call)));
  line(event, 4, rule_depth(tree), "runs " + replay::rule_text(tree, rule_) + parameters, write);
}

std::size_t DebugLines::rule_depth(const Tree& tree) const {
  std::size_t depth = 0;
  for (std::uint32_t rule = rule_; rule != kNoRule; rule = rule_parent(tree, rule)) ++depth;
  return depth == 0 ? 0 : depth - 1;
}

void DebugLines::condition_step(const Event& event, const Step& step, const Write& write) {
  if (level_ < 5 || step.condition == 0) return;
  const Tree tree = event.state->tree;
  line(event, 5, depth_of(*tree.asset, step.node_word), condition_step_text(tree, step), write);
}

void DebugLines::line(const Event& event, unsigned level, std::size_t depth, std::string_view words,
                      const Write& write) const {
  std::string text = std::to_string(level) + " agent " + std::to_string(event.agent) + ' ' +
                     replay::seconds_text(event.time_us) + " s: " + std::string(2 * depth, ' ');
  text += words;
  write(text);
}

std::size_t DebugLines::depth_of(const Asset& asset, std::uint32_t node_word) {
  const auto [entry, is_new] = depths_.try_emplace(&asset);
  std::vector<std::uint16_t>& depths = entry->second;
  if (is_new) {
    depths.resize(record_count(asset, layout::SectionId::nodes));
    for (std::uint32_t unit = 0; unit < record_count(asset, layout::SectionId::units); ++unit) {
      codegen::visit_unit(asset, unit, [&](const codegen::NodeView& node, std::size_t depth) {
        depths[node.word] = static_cast<std::uint16_t>(depth);
      });
    }
  }
  return depths[node_word];
}

std::string condition_step_text(const Tree& tree, const Step& step, codegen::WrittenConditions* written) {
  constexpr std::size_t kMaxConditionBytes = 120;
  const codegen::NodeDebug debug = codegen::node_debug(*tree.asset, step.node_word);
  std::string text = visible(debug.name);
  if (step.transition >= 0) {
    text += (text.empty() ? "transition " : ", transition ") + std::to_string(step.transition + 1);
  }
  std::string condition = written == nullptr ? std::string() : written->of(debug, step.transition);
  if (condition.empty()) condition = codegen::condition_text(tree, step.condition);
  if (condition.size() > kMaxConditionBytes) condition = condition.substr(0, kMaxConditionBytes) + "... ";
  text += (text.empty() ? "" : ": ") + condition + (step.holds ? " is true" : " is false");
  return text + place_of(*tree.asset, step.node_word);
}

}  // namespace espalier::report
