// Updates of agents that mostly call an action that goes on, and do nothing else, as the engines that call actions have
// them.
#pragma once
#include "core/engine.h"
#include "core/host_call.h"

namespace espalier {

// What an update has done that tries to go on without a walk through the tree.
enum class Resumed : std::uint8_t {
  nothing,  // the tree is to be walked through
  goes_on,  // it has called an action that was running and still is, and is over
  ended,    // the same, but the action has a result, or something else has changed: the walk goes on from there
};

// Updates the agents of a batch, with this caller, which has none yet. Returns the result of the last one.
//   Resumed resume(unsigned char* agent, const Behavior* behaviors, HostCaller& caller, Result* result)
//     tries to go on without a walk, with the functions of the host. `caller` has the agent, and its calls have no
//     memory and no times.
//   Result walk(unsigned char* agent, HostCaller& caller, Resumed resumed, Result result)
//     does the update, or what is left of it after `ended`, with the result of the action.
template <typename Resume, typename Walk>
Result update_each(const Batch& agents, const Watcher* watcher, HostCaller& caller, const Resume& resume,
                   const Walk& walk) {
  Host* const host = agents.own_host();
  const Behavior* const behaviors = agents.host().behaviors;
  Result result = Result::running;
  if (host == nullptr || watcher != nullptr || behaviors == nullptr) {
    for (std::size_t i = 0; i < agents.count(); ++i) {
      caller.look_at(agents.block(i), agents.host(i).first_agent);
      result = walk(agents.block(i), caller, Resumed::nothing, result);
    }
    return result;
  }
  const std::size_t stride_bytes = agents.stride_bytes();
  void* const* group = host->groups;
  unsigned char* agent = agents.block(0);
  std::uint32_t number = host->first_agent;
  for (std::size_t left = agents.count(); left > 0; --left, agent += stride_bytes, ++number) {
    if (group != nullptr) host->group = *group++;
    host->first_agent = number;
    caller.look_at(agent, number);
    const Resumed resumed = resume(agent, behaviors, caller, &result);
    if (resumed == Resumed::goes_on) continue;
    result = walk(agent, caller, resumed, result);
    caller.forget_memory();
  }
  return result;
}

}  // namespace espalier
