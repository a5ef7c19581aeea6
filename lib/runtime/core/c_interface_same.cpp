// What espalier.h and espalier.hpp must agree on, so that one can stand for the other: sizes, and the order of
// enumerators. Nothing here is ever run.
#include <espalier/espalier.h>

#include <cstddef>
#include <espalier/espalier.hpp>
#include <type_traits>

namespace {

using espalier::Asset;
using espalier::Behavior;
using espalier::DecideStepKind;
using espalier::NodeStepKind;
using espalier::ParameterType;
using espalier::Receivers;
using espalier::Result;
using espalier::Status;
using espalier::StimulusData;

static_assert(sizeof(Asset) <= sizeof(espalier_asset));
static_assert(alignof(Asset) <= alignof(espalier_asset));
static_assert(std::is_trivially_copyable_v<Asset>);
static_assert(sizeof(espalier_bound) == sizeof(Behavior) + sizeof(espalier_behavior));
static_assert(alignof(espalier_bound) >= alignof(Behavior) && alignof(espalier_bound) >= alignof(espalier_behavior));

// ORDER: the enumerators of espalier.h stand in the order of espalier.hpp.
static_assert(ESPALIER_MISALIGNED == int(Status::misaligned) && ESPALIER_NOT_AN_ASSET == int(Status::not_an_asset));
static_assert(ESPALIER_UNSUPPORTED_VERSION == int(Status::unsupported_version));
static_assert(ESPALIER_WRONG_SIZE == int(Status::wrong_size) && ESPALIER_WRONG_HASH == int(Status::wrong_hash));
static_assert(ESPALIER_MALFORMED == int(Status::malformed) && ESPALIER_NOT_FOUND == int(Status::not_found));
static_assert(ESPALIER_MISSING_BINDING == int(Status::missing_binding) && ESPALIER_OK == int(Status::ok));
static_assert(ESPALIER_NO_ID == int(Status::no_id) && ESPALIER_NO_RULE == espalier::kNoRule);
static_assert(ESPALIER_NOT_ACCEPTED == int(Status::not_accepted) && ESPALIER_TOO_LARGE == int(Status::too_large) &&
              ESPALIER_NO_TREE == espalier::kNoTree);
static_assert(ESPALIER_WRONG_BYTE_ORDER == int(Status::wrong_byte_order) &&
              ESPALIER_DAMAGED_AGENT == int(Status::damaged_agent) &&
              ESPALIER_MISSING_ENGINE == int(Status::missing_engine));
static_assert(ESPALIER_RUNNING == int(Result::running) && ESPALIER_FAILURE == int(Result::failure));
static_assert(ESPALIER_SUCCESS == int(Result::success) && ESPALIER_STOPPED == int(Result::stopped) &&
              ESPALIER_ERROR == int(Result::error));
static_assert(ESPALIER_PARAMETER_TEXT == int(ParameterType::text) &&
              ESPALIER_PARAMETER_WHOLE == int(ParameterType::whole) &&
              ESPALIER_PARAMETER_NUMBER == int(ParameterType::number) &&
              ESPALIER_PARAMETER_BOOLEAN == int(ParameterType::boolean) &&
              ESPALIER_PARAMETER_CHOICE == int(ParameterType::choice) &&
              ESPALIER_PARAMETER_VECTOR == int(ParameterType::vector) &&
              ESPALIER_PARAMETER_EVENT == int(ParameterType::event) &&
              ESPALIER_PARAMETER_SCRIPT == int(ParameterType::script));
static_assert(ESPALIER_SENDER == int(Receivers::sender) && ESPALIER_GROUP == int(Receivers::group) &&
              ESPALIER_OTHERS == int(Receivers::others));
static_assert(ESPALIER_NODE_BEGIN == int(NodeStepKind::begin) && ESPALIER_NODE_COMPLETE == int(NodeStepKind::complete));
static_assert(ESPALIER_NODE_INTERRUPT == int(NodeStepKind::interrupt) && ESPALIER_NODE_SEND == int(NodeStepKind::send));
static_assert(ESPALIER_NODE_RESTART == int(NodeStepKind::restart));
static_assert(ESPALIER_DECIDE_ACTIVATED == int(DecideStepKind::activated) &&
              ESPALIER_DECIDE_REFUSED == int(DecideStepKind::refused) &&
              ESPALIER_DECIDE_DECIDES_AGAIN == int(DecideStepKind::decides_again) &&
              ESPALIER_DECIDE_BEGIN == int(DecideStepKind::begin) &&
              ESPALIER_DECIDE_VISITED == int(DecideStepKind::visited) &&
              ESPALIER_DECIDE_MASKED == int(DecideStepKind::masked) &&
              ESPALIER_DECIDE_STIMULI_ANY_FAILED == int(DecideStepKind::stimuli_any_failed) &&
              ESPALIER_DECIDE_REFUSED_ALL == int(DecideStepKind::refused_all));
// Both are the same bytes, so that a game's data need not be copied.
static_assert(sizeof(espalier_stimulus_data) == sizeof(StimulusData) &&
              offsetof(espalier_stimulus_data, size_bytes) == offsetof(StimulusData, size_bytes));
static_assert(sizeof(espalier_activation) == sizeof(espalier::Activation) &&
              offsetof(espalier_activation, block_bytes) == offsetof(espalier::Activation, block_bytes));
static_assert(ESPALIER_MAX_STACK_BYTES == espalier::kMaxStackBytes);
static_assert(ESPALIER_AGENT_ALIGNMENT == espalier::kAgentAlignment && ESPALIER_NO_LEAF == espalier::kNoLeaf &&
              ESPALIER_NO_BEHAVIOR == espalier::kNoBehavior);

}  // namespace
