// Classes from which nodes derive. See bases.h.
#include "cpp/bases.h"

#include <algorithm>
#include <iterator>

namespace espalier::cpp {
namespace {

constexpr BasePort kActionName[] = {{"action_name", "std::string"}};
constexpr BasePort kServiceName[] = {{"service_name", "std::string"}};
constexpr BasePort kTopicName[] = {{"topic_name", "std::string"}};
// The outputs are there in Nav2's newer releases only.
constexpr BasePort kServer[] = {{"server_name", "std::string"},
                                {"server_timeout", "std::chrono::milliseconds"},
                                {"error_code_id", "uint16_t", Direction::output},
                                {"error_msg", "std::string", Direction::output}};
constexpr BasePort kCanceledServer[] = {{"server_name", "std::string"},
                                        {"server_timeout", "std::chrono::milliseconds"}};
constexpr BasePort kService[] = {{"service_name", "std::string"}, {"server_timeout", "std::chrono::milliseconds"}};
constexpr BasePort kLoop[] = {
    {"if_empty", "BT::NodeStatus"}, {"queue", "", Direction::inout}, {"value", "", Direction::output}};

// Sorted by name.
constexpr BaseRow kBases[] = {
    {"ActionClientBehaviorBase", Kind::action, {}, true},
    {"ActionNodeBase", Kind::action},
    {"AsyncActionNode", Kind::action},
    {"AsyncBehaviorBase", Kind::action, {}, true},
    {"BtActionNode", Kind::action, kServer},
    {"BtCancelActionNode", Kind::action, kCanceledServer},
    {"BtServiceNode", Kind::action, kService},
    {"ConditionNode", Kind::condition},
    {"ControlNode", Kind::control},
    {"CoroActionNode", Kind::action},
    {"DecoratorNode", Kind::decorator},
    {"FallbackNode", Kind::control},
    {"GetMessageFromTopicBehaviorBase", Kind::action, {}, true},
    {"LoopNode", Kind::decorator, kLoop},
    {"ParallelNode", Kind::control, {}, true},
    {"ReactiveFallback", Kind::control},
    {"ReactiveSequence", Kind::control},
    {"RosActionNode", Kind::action, kActionName},
    {"RosServiceNode", Kind::action, kServiceName},
    {"RosTopicPubNode", Kind::condition, kTopicName},
    {"RosTopicSubNode", Kind::condition, kTopicName},
    {"SequenceNode", Kind::control},
    {"SequenceWithMemory", Kind::control},
    {"ServiceClientBehaviorBase", Kind::action, {}, true},
    {"SimpleActionNode", Kind::sync_action},
    {"SimpleConditionNode", Kind::condition},
    {"SimpleDecoratorNode", Kind::decorator},
    {"StatefulActionNode", Kind::action},
    {"SyncActionNode", Kind::sync_action},
    {"ThreadedAction", Kind::action},
};

}  // namespace

const BaseRow* find_base(std::string_view name) {
  const auto* const found =
      std::lower_bound(std::begin(kBases), std::end(kBases), name,
                       [](const BaseRow& row, std::string_view wanted) { return row.name < wanted; });
  return found != std::end(kBases) && found->name == name ? found : nullptr;
}

}  // namespace espalier::cpp
