// Calls to the host. The arguments of the host's functions, and the meaning of null functions, are defined only here:
// engines call through this.
#pragma once
#include "asset/view.h"

namespace espalier {

// The functions of one behaviour, or of one of the host's conditions, as one agent calls them. Where the meaning of a
// null function depends on the engine, the caller passes it.
class BoundBehavior {
 public:
  BoundBehavior(const Behavior& functions, const Call& call) : functions_(&functions), call_(&call) {}

  bool has_tick() const { return functions_->tick != nullptr; }

  void enter() const { tell(functions_->enter); }
  void leave() const { tell(functions_->leave); }
  void deactivate() const { tell(functions_->deactivate); }
  void reset() const { tell(functions_->reset); }
  void interrupt() const { tell(functions_->interrupt); }
  void interrupt_or_leave() const {
    tell(functions_->interrupt != nullptr ? functions_->interrupt : functions_->leave);
  }
  void event(std::uint32_t signal, const void* data) const {
    if (functions_->event == nullptr) return;
    Call call = *call_;
    call.signal = signal;
    call.data = data;
    functions_->event(&call);
  }
  Result tick(Result when_null) const {
    return functions_->tick == nullptr ? when_null : Result(functions_->tick(call_));
  }
  // Of a behaviour that has it.
  Result ticked() const { return Result(functions_->tick(call_)); }
  bool allow() const { return answer(functions_->allow, true); }
  bool is_bound() const { return answer(functions_->is_bound, true); }
  bool activate() const { return answer(functions_->activate, true); }
  bool ask() const { return answer(functions_->ask, false); }
  double decide() const { return functions_->decide == nullptr ? 0 : functions_->decide(call_); }

 private:
  void tell(void (*function)(const Call* call)) const {
    if (function != nullptr) function(call_);
  }
  bool answer(bool (*function)(const Call* call), bool when_null) const {
    return function == nullptr ? when_null : function(call_);
  }

  const Behavior* functions_;
  const Call* call_;
};

// What a node's behaviour has in the agent's block: its memory, and times (see espalier_call).
struct Memory {
  void* bytes = nullptr;
  std::uint32_t size_bytes = 0;
  std::uint64_t active_us = kNoTime;
  std::uint64_t passed_us = kNoTime;
};

// All calls of one agent. Arguments that are the same in all of them are stored.
class HostCaller {
 public:
  // `leaf`: for trees that select.
  HostCaller(const Tree& tree, void* agent, const Host& host, std::uint32_t leaf = kNoLeaf)
      : host_(host), call_{tree,    agent,   &host,   nullptr, host.first_agent, kNoBehavior, leaf,   0, 0,
                           nullptr, nullptr, nullptr, 0,       host.clock_us,    kNoTime,     kNoTime} {}

  // Continues the calls of an update, after this one.
  explicit HostCaller(const Call& last) : host_(*last.host), call_(last) {}

  const Host& host() const { return host_; }
  // The argument of the last call, or of the next one.
  const Call& call() const { return call_; }
  // Later calls are for another agent of the same tree.
  void look_at(void* agent, std::uint32_t agent_number) {
    call_.agent = agent;
    call_.agent_number = agent_number;
  }

  // Later calls see this host, which differs from the caller's in its clock.
  void look_at_host(const Host& host) {
    call_.host = &host;
    call_.clock_us = host.clock_us;
  }
  // For later calls.
  void set_activation(const Activation* activation) { call_.activation = activation; }

  // By number, called for the node at this word. Valid until the next call of a function of this class. All functions
  // are null if the host has no table.
  BoundBehavior behavior(std::uint32_t behavior, std::uint32_t node_word, const Memory& memory = {}) {
    return bound(host_.behaviors, behavior, node_word, memory);
  }
  // The same by its row of the host's table, with the memory and the times of the call before, or of remember().
  BoundBehavior plain_behavior(const Behavior& functions, std::uint32_t behavior, std::uint32_t node_word) {
    call_.behavior = behavior;
    call_.user = functions.user;
    call_.node_word = node_word;
    return {functions, call_};
  }
  // Later calls of plain_behavior() have this memory.
  void remember(const Memory& memory) {
    call_.memory = memory.bytes;
    call_.memory_bytes = memory.size_bytes;
    call_.active_us = memory.active_us;
    call_.passed_us = memory.passed_us;
  }
  // Parts of it.
  void set_active_us(std::uint64_t active_us) { call_.active_us = active_us; }
  void set_memory(void* memory, std::uint32_t size_bytes) {
    call_.memory = memory;
    call_.memory_bytes = size_bytes;
  }
  // Later calls of plain_behavior() have no memory and no times.
  void forget_memory() { remember({}); }
  BoundBehavior condition(std::uint32_t condition, std::uint32_t node_word, const Memory& memory = {}) {
    return bound(host_.conditions, condition, node_word, memory);
  }

  // The host's own functions.
  bool script(std::uint32_t node_word, std::uint32_t script) {
    return host_.script != nullptr && host_.script(call_of(node_word), script);
  }
  void log(std::uint32_t node_word, const char* text) {
    if (host_.log != nullptr) host_.log(call_of(node_word), text);
  }
  void queue(std::uint32_t node_word, std::uint32_t signal, Receivers receivers) {
    if (host_.queue != nullptr) host_.queue(call_of(node_word), signal, receivers);
  }
  void too_deep(std::uint32_t node_word, std::uint32_t slot) {
    if (host_.too_deep != nullptr) host_.too_deep(call_of(node_word), slot);
  }

 private:
  static constexpr Behavior kUnbound = {};

  BoundBehavior bound(const Behavior* table, std::uint32_t number, std::uint32_t node_word, const Memory& memory) {
    const Behavior& functions = table == nullptr ? kUnbound : table[number];
    call_.behavior = number;
    call_.user = functions.user;
    call_.node_word = node_word;
    remember(memory);
    return {functions, call_};
  }
  // For a node without a behaviour.
  const Call* call_of(std::uint32_t node_word) {
    call_.behavior = kNoBehavior;
    call_.user = nullptr;
    call_.node_word = node_word;
    forget_memory();
    return &call_;
  }

  const Host& host_;
  Call call_;
};

}  // namespace espalier
