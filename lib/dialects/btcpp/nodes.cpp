// The nodes of the library (4.10) and of Nav2. See nodes.h.
#include "dialects/btcpp/nodes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace espalier::dialects::btcpp {
namespace {

constexpr std::string_view kTags[] = {"Action", "Condition", "Control", "Decorator", "SubTree"};

// What the element table needs of ports.
template <std::size_t N>
constexpr std::array<AttributeRow, N> attributes_of(std::span<const PortRow, N> ports) {
  std::array<AttributeRow, N> rows{};
  for (std::size_t i = 0; i < N; ++i) {
    rows[i].name = ports[i].name;
    rows[i].need = ports[i].missing == Missing::nothing ? Need::optional : Need::required;
    rows[i].doc = ports[i].doc;
    rows[i].otherwise = ports[i].otherwise.value_or("");
  }
  return rows;
}

constexpr Direction kIn = Direction::input;
constexpr Direction kOut = Direction::output;
constexpr Direction kInOut = Direction::inout;
constexpr std::nullopt_t kNoDefault = std::nullopt;

constexpr PortRow kParallel[] = {
    {"success_count", "int", kIn, "-1", Missing::nothing, PortRole::plain,
     "How many children must succeed; negative: counted from all of them"},
    {"failure_count", "int", kIn, "1", Missing::nothing, PortRole::plain, "How many children must fail for failure"},
};
constexpr auto kParallelAttributes = attributes_of(std::span(kParallel));
constexpr PortRow kParallelAll[] = {
    {"max_failures", "int", kIn, "1", Missing::nothing, PortRole::plain,
     "How many children must fail for it to fail; negative: counted from all of them"},
};
constexpr auto kParallelAllAttributes = attributes_of(std::span(kParallelAll));
constexpr PortRow kSwitch[] = {
    {"variable", "string", kIn, kNoDefault, Missing::nothing, PortRole::plain, "What the cases are compared with"},
    {"case_1", "string", kIn, kNoDefault, Missing::nothing, PortRole::plain, "The value for the first child"},
    {"case_2", "string", kIn, kNoDefault, Missing::nothing, PortRole::plain, "The value for the second child"},
    {"case_3", "string", kIn, kNoDefault, Missing::nothing, PortRole::plain, "The value for the third child"},
    {"case_4", "string", kIn, kNoDefault, Missing::nothing, PortRole::plain, "The value for the fourth child"},
    {"case_5", "string", kIn, kNoDefault, Missing::nothing, PortRole::plain, "The value for the fifth child"},
    {"case_6", "string", kIn, kNoDefault, Missing::nothing, PortRole::plain, "The value for the sixth child"},
};
constexpr auto kSwitchAttributes = attributes_of(std::span(kSwitch));
constexpr PortRow kTryCatch[] = {
    {"catch_on_halt", "bool", kIn, "false", Missing::nothing, PortRole::plain,
     "Whether the last child is ticked when the node is halted too"},
};
constexpr auto kTryCatchAttributes = attributes_of(std::span(kTryCatch));
constexpr PortRow kRepeat[] = {
    {"num_cycles", "int", kIn, kNoDefault, Missing::at_a_tick, PortRole::plain,
     "How many times its child must succeed; -1: forever"},
};
constexpr auto kRepeatAttributes = attributes_of(std::span(kRepeat));
constexpr PortRow kRetry[] = {
    {"num_attempts", "int", kIn, kNoDefault, Missing::at_a_tick, PortRole::plain,
     "How many times its child may fail; -1: forever"},
};
constexpr auto kRetryAttributes = attributes_of(std::span(kRetry));
constexpr PortRow kMilliseconds[] = {
    {"msec", "unsigned", kIn, kNoDefault, Missing::at_a_tick, PortRole::plain, "A time in milliseconds"},
};
constexpr auto kMillisecondsAttributes = attributes_of(std::span(kMilliseconds));
constexpr PortRow kDelay[] = {
    {"delay_msec", "unsigned", kIn, kNoDefault, Missing::at_a_tick, PortRole::plain, "A time in milliseconds"},
};
constexpr auto kDelayAttributes = attributes_of(std::span(kDelay));
constexpr PortRow kRunOnce[] = {
    {"then_skip", "bool", kIn, "true", Missing::nothing, PortRole::plain,
     "Whether it is skipped from then on; otherwise it repeats its child's result"},
};
constexpr auto kRunOnceAttributes = attributes_of(std::span(kRunOnce));
constexpr PortRow kPrecondition[] = {
    {"if", "string", kIn, kNoDefault, Missing::refused, PortRole::condition,
     "A script; the child is ticked if it is true"},
    {"else", "NodeStatus", kIn, "FAILURE", Missing::nothing, PortRole::plain, "The result if the script is not true"},
};
constexpr auto kPreconditionAttributes = attributes_of(std::span(kPrecondition));
constexpr std::array<PortRow, 3> loop_over(std::string_view type) {
  return {PortRow{"queue", "AnyTypeAllowed", kInOut, kNoDefault, Missing::refused, PortRole::plain,
                  "The elements, with ';' between them, or an entry that holds a queue"},
          PortRow{"if_empty", "NodeStatus", kIn, "SUCCESS", Missing::nothing, PortRole::plain,
                  "The result of an empty queue"},
          PortRow{"value", type, kOut, kNoDefault, Missing::nothing, PortRole::plain, "Where each element is written"}};
}
constexpr auto kLoopInt = loop_over("int");
constexpr auto kLoopBool = loop_over("bool");
constexpr auto kLoopDouble = loop_over("double");
constexpr auto kLoopString = loop_over("string");
constexpr auto kLoopAttributes = attributes_of(std::span(kLoopInt));
constexpr PortRow kEntry[] = {
    {"entry", "Any", kIn, kNoDefault, Missing::refused, PortRole::watched, "The entry whose writes count"},
};
constexpr auto kEntryAttributes = attributes_of(std::span(kEntry));
constexpr PortRow kScript[] = {
    {"code", "string", kIn, kNoDefault, Missing::refused, PortRole::script, "The script"},
};
constexpr auto kScriptAttributes = attributes_of(std::span(kScript));
constexpr PortRow kScriptCondition[] = {
    {"code", "string", kIn, kNoDefault, Missing::refused, PortRole::condition, "The script"},
};
constexpr auto kScriptConditionAttributes = attributes_of(std::span(kScriptCondition));
constexpr PortRow kSetBlackboard[] = {
    {"value", "AnyTypeAllowed", kIn, kNoDefault, Missing::at_a_tick, PortRole::plain,
     "A text, or an entry whose value is copied"},
    {"output_key", "AnyTypeAllowed", kInOut, kNoDefault, Missing::at_a_tick, PortRole::new_key,
     "The name of the entry that is written"},
};
constexpr auto kSetBlackboardAttributes = attributes_of(std::span(kSetBlackboard));
constexpr PortRow kUnsetBlackboard[] = {
    {"key", "string", kIn, kNoDefault, Missing::at_a_tick, PortRole::old_key, "The entry that is removed"},
};
constexpr auto kUnsetBlackboardAttributes = attributes_of(std::span(kUnsetBlackboard));
constexpr PortRow kRecovery[] = {
    {"number_of_retries", "int", kIn, "1", Missing::nothing, PortRole::plain, "How many times it may recover"},
};
constexpr auto kRecoveryAttributes = attributes_of(std::span(kRecovery));
constexpr PortRow kRoundRobin[] = {
    {"wrap_around", "bool", kIn, "false", Missing::nothing, PortRole::plain,
     "Whether the first child follows the last one"},
};
constexpr auto kRoundRobinAttributes = attributes_of(std::span(kRoundRobin));
constexpr PortRow kPersistent[] = {
    {"current_child_idx", "int", kInOut, kNoDefault, Missing::at_a_tick, PortRole::plain,
     "The entry that holds its place"},
};
constexpr auto kPersistentAttributes = attributes_of(std::span(kPersistent));
constexpr PortRow kRate[] = {
    {"hz", "double", kIn, "10", Missing::nothing, PortRole::plain, "How many times a second its child is ticked"},
};
constexpr auto kRateAttributes = attributes_of(std::span(kRate));

constexpr std::uint32_t kMany = std::numeric_limits<std::uint32_t>::max();

constexpr NodeRow control(std::string_view name, Built built, std::string_view doc, std::span<const PortRow> ports = {},
                          std::span<const AttributeRow> attributes = {}, std::uint32_t least = 0,
                          std::uint32_t most = kMany) {
  return {name, NodeKind::control, built, doc, ports, attributes, least, most};
}
constexpr NodeRow decorator(std::string_view name, Built built, std::string_view doc,
                            std::span<const PortRow> ports = {}, std::span<const AttributeRow> attributes = {}) {
  return {name, NodeKind::decorator, built, doc, ports, attributes};
}
constexpr NodeRow action(std::string_view name, Built built, std::string_view doc, std::span<const PortRow> ports = {},
                         std::span<const AttributeRow> attributes = {}) {
  return {name, NodeKind::action, built, doc, ports, attributes};
}
constexpr NodeRow of_nav2(NodeRow row) {
  row.is_of_nav2 = true;
  return row;
}
// Switch2 has two cases, and so on.
constexpr NodeRow switch_of(std::string_view name, std::uint32_t cases) {
  return control(name, Built::switch_case, "Ticks the child of the case that is equal to 'variable', else the last one",
                 std::span<const PortRow>(kSwitch).first(cases + 1),
                 std::span<const AttributeRow>(kSwitchAttributes).first(cases + 1), cases + 1, cases + 1);
}

constexpr std::string_view kLoopDoc = "Ticks its child once for each element of a queue";

constexpr NodeRow kNodes[] = {
    control("Sequence", Built::sequence, "Ticks its children in order until one fails"),
    control("AsyncSequence", Built::async_sequence, "A Sequence that returns to its parents between two children"),
    control("SequenceWithMemory", Built::sequence_with_memory, "A Sequence that resumes at the child that failed"),
    control("ReactiveSequence", Built::reactive_sequence, "Ticks its children from the first one at every tick"),
    control("Fallback", Built::fallback, "Ticks its children in order until one succeeds"),
    control("AsyncFallback", Built::async_fallback, "A Fallback that returns to its parents between two children"),
    control("ReactiveFallback", Built::reactive_fallback,
            "Ticks its children from the first one at every tick until one succeeds"),
    control("Parallel", Built::parallel, "Ticks all children until enough of them succeeded or failed", kParallel,
            kParallelAttributes),
    control("ParallelAll", Built::parallel_all, "Ticks all children until each of them is done", kParallelAll,
            kParallelAllAttributes),
    control("IfThenElse", Built::if_then_else,
            "Ticks the second child if the first one succeeds, the third one if it fails", {}, {}, 2, 3),
    control("WhileDoElse", Built::while_do_else,
            "Ticks the first child at every tick, then the second one if it succeeds, the third one if it fails", {},
            {}, 2, 3),
    switch_of("Switch2", 2),
    switch_of("Switch3", 3),
    switch_of("Switch4", 4),
    switch_of("Switch5", 5),
    switch_of("Switch6", 6),
    control("TryCatch", Built::try_catch, "A Sequence whose last child is ticked when another one fails", kTryCatch,
            kTryCatchAttributes),
    decorator("Inverter", Built::inverter, "Swaps success and failure of its child"),
    decorator("ForceSuccess", Built::force_success, "Succeeds when its child is done"),
    decorator("ForceFailure", Built::force_failure, "Fails when its child is done"),
    decorator("KeepRunningUntilFailure", Built::keep_running, "Ticks its child again until it fails"),
    decorator("Repeat", Built::repeat, "Ticks its child again while it succeeds", kRepeat, kRepeatAttributes),
    decorator("RetryUntilSuccessful", Built::retry, "Ticks its child again while it fails", kRetry, kRetryAttributes),
    decorator("Timeout", Built::timeout, "Halts its child and fails after a time", kMilliseconds,
              kMillisecondsAttributes),
    decorator("Delay", Built::delay, "Waits before it ticks its child", kDelay, kDelayAttributes),
    decorator("RunOnce", Built::run_once, "Ticks its child until it is done once", kRunOnce, kRunOnceAttributes),
    decorator("Precondition", Built::precondition, "Ticks its child if a script is true", kPrecondition,
              kPreconditionAttributes),
    decorator("LoopInt", Built::loop, kLoopDoc, kLoopInt, kLoopAttributes),
    decorator("LoopBool", Built::loop, kLoopDoc, kLoopBool, kLoopAttributes),
    decorator("LoopDouble", Built::loop, kLoopDoc, kLoopDouble, kLoopAttributes),
    decorator("LoopString", Built::loop, kLoopDoc, kLoopString, kLoopAttributes),
    decorator("SkipUnlessUpdated", Built::skip_unless_updated,
              "Ticks its child if an entry was written since the last time; otherwise it is skipped", kEntry,
              kEntryAttributes),
    decorator("WaitValueUpdate", Built::wait_value_update,
              "Ticks its child if an entry was written since the last time; otherwise it is running", kEntry,
              kEntryAttributes),
    action("AlwaysSuccess", Built::always_success, "Succeeds"),
    action("AlwaysFailure", Built::always_failure, "Fails"),
    action("Script", Built::script, "Runs a script, and succeeds", kScript, kScriptAttributes),
    {"ScriptCondition", NodeKind::condition, Built::script_condition, "Succeeds if a script is true, else fails",
     kScriptCondition, kScriptConditionAttributes},
    action("SetBlackboard", Built::set_blackboard, "Writes an entry", kSetBlackboard, kSetBlackboardAttributes),
    action("UnsetBlackboard", Built::unset_blackboard, "Removes an entry", kUnsetBlackboard,
           kUnsetBlackboardAttributes),
    action("Sleep", Built::sleep, "Runs for a time, and succeeds", kMilliseconds, kMillisecondsAttributes),
    action("WasEntryUpdated", Built::was_entry_updated,
           "Succeeds if an entry was written since the last time, else fails", kEntry, kEntryAttributes),
    of_nav2(control("PipelineSequence", Built::pipeline_sequence,
                    "A Sequence that ticks the children before the running one again")),
    of_nav2(control("RecoveryNode", Built::recovery_node,
                    "Ticks the second child when the first one fails, then the first again", kRecovery,
                    kRecoveryAttributes, 2, 2)),
    of_nav2(control("RoundRobin", Built::round_robin, "Ticks another child each time, until one succeeds", kRoundRobin,
                    kRoundRobinAttributes)),
    of_nav2(
        control("NonblockingSequence", Built::nonblocking_sequence, "Ticks every child at every tick until one fails")),
    of_nav2(control("PersistentSequence", Built::persistent_sequence, "A Sequence that keeps its place in an entry",
                    kPersistent, kPersistentAttributes)),
    of_nav2(decorator("RateController", Built::rate_controller, "Ticks its child at a limited rate", kRate,
                      kRateAttributes)),
    of_nav2(decorator("SingleTrigger", Built::single_trigger,
                      "Ticks its child until it is done once, and fails from then on")),
};

}  // namespace

std::string_view tag_of(NodeKind kind) { return kTags[static_cast<std::size_t>(kind)]; }

std::optional<NodeKind> kind_of_tag(std::string_view tag) {
  const auto found = std::find(std::begin(kTags), std::end(kTags), tag);
  if (found == std::end(kTags)) return std::nullopt;
  return static_cast<NodeKind>(found - std::begin(kTags));
}

std::span<const NodeRow> node_rows() { return kNodes; }

const NodeRow* find_node_row(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kNodes), std::end(kNodes), [&](const NodeRow& row) { return row.name == name; });
  return found == std::end(kNodes) ? nullptr : found;
}

const Port* Declaration::find_port(std::string_view port) const {
  const auto found = std::find_if(ports.begin(), ports.end(), [&](const Port& each) { return each.name == port; });
  return found == ports.end() ? nullptr : &*found;
}

void add_new_ports(const std::vector<Port>& from, std::vector<Port>& to) {
  for (const Port& port : from) {
    const bool is_known = std::any_of(to.begin(), to.end(), [&](const Port& each) { return each.name == port.name; });
    if (!is_known) to.push_back(port);
  }
}

Nodes::Nodes() {
  for (const NodeRow& row : kNodes) {
    Declaration node;
    node.name = row.name;
    node.kind = row.kind;
    node.built = row.built;
    node.row = &row;
    for (const PortRow& port : row.ports) {
      node.ports.push_back({std::string(port.name), read_type(port.type), port.direction,
                            port.otherwise ? std::optional<std::string>(*port.otherwise) : std::nullopt, port.missing,
                            port.role});
    }
    by_name_.emplace(row.name, std::move(node));
  }
}

namespace {

void fill_port(const Port& model, Port& port) {
  if (!port.gives_direction) port.direction = model.direction;
  if (!port.gives_type) {
    port.type = model.type;
    port.has_type = model.has_type;
  }
  if (!port.otherwise) port.otherwise = model.otherwise;
  if (port.doc.empty()) port.doc = model.doc;
}

}  // namespace

void Nodes::declare(Declaration declaration) {
  has_declared_ = true;
  const auto [place, is_new] = by_name_.try_emplace(declaration.name);
  if (!is_new && place->second.is_of_host()) {
    const Declaration& model = place->second;
    if (!declaration.gives_kind) {
      declaration.kind = model.kind;
      declaration.built = model.built;
    }
    for (Port& port : declaration.ports) {
      if (const Port* const other = model.find_port(port.name); other != nullptr) fill_port(*other, port);
    }
    add_new_ports(model.ports, declaration.ports);
    if (declaration.doc.empty()) declaration.doc = model.doc;
  }
  place->second = std::move(declaration);
}

void Nodes::add(const Declaration& declaration) {
  has_declared_ = true;
  const auto [place, is_new] = by_name_.try_emplace(declaration.name, declaration);
  if (!is_new) add_new_ports(declaration.ports, place->second.ports);
}

const Declaration* Nodes::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second;
}

void Nodes::learn(const std::vector<Declaration>& known) {
  for (const Declaration& each : known) {
    known_.emplace(each.name, &each);
    const auto found = by_name_.find(each.name);
    if (found == by_name_.end() || !found->second.is_of_host() || found->second.kind != each.kind) continue;
    Declaration& own = found->second;
    own.fails_from_idle = each.fails_from_idle;
    own.results = each.results != 0 ? each.results : each.is_sync ? kSuccess | kFailure : own.results;
    for (Port& port : own.ports) {
      const Port* const other = each.find_port(port.name);
      if (other != nullptr && (other->otherwise || other->missing == Missing::allowed)) port.missing = Missing::allowed;
    }
    for (const Port& port : each.ports) {
      if (own.find_port(port.name) != nullptr) continue;
      Port& added = own.ports.emplace_back(port);
      added.otherwise.reset();
      added.missing = Missing::allowed;
    }
  }
}

const Declaration* Nodes::find_known(std::string_view name) const {
  const auto found = known_.find(name);
  return found == known_.end() ? nullptr : found->second;
}

std::vector<std::string_view> Nodes::names() const {
  std::vector<std::string_view> names;
  names.reserve(by_name_.size());
  for (const auto& [name, node] : by_name_) names.push_back(name);
  return names;
}

}  // namespace espalier::dialects::btcpp
