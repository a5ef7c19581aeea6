// Keeps what the host hears in a step, by functions around those that answer for it. See heard.h.
#include "explore/run.h"

namespace espalier::explore {
namespace {

// Not of hosts that are asked for nothing, as those of trees that select.
bool is_called(const Behavior& own) { return own.tick != nullptr || own.activate != nullptr; }

// What answers beneath.
const Behavior& action(const Call* call) { return Run::of(call).side().engine->behavior; }
const Behavior& condition(const Call* call) { return Run::of(call).side().engine->condition; }

}  // namespace

void Run::hear(const Hearing& hearing) {
  heard_[side_ * world_.agent_count() + agent_].push_back(
      {hearing.kind, hearing.node_word, observer_.heard(*this, side_, hearing)});
}

void Run::hear_call(const Call* call, HeardKind kind) {
  hear({.kind = kind, .node_word = call->node_word, .call = call});
}

// The functions of an action, each of which is heard.
Behavior Run::heard_action(const Behavior& own) {
  Behavior all = own;
  if (!is_called(own)) return all;
  all.enter = [](const Call* call) {
    of(call).hear_call(call, HeardKind::enter);
    if (action(call).enter != nullptr) action(call).enter(call);
  };
  all.leave = [](const Call* call) {
    of(call).hear_call(call, HeardKind::leave);
    if (action(call).leave != nullptr) action(call).leave(call);
  };
  all.interrupt = [](const Call* call) {
    of(call).hear_call(call, HeardKind::interrupt);
    if (action(call).interrupt != nullptr) action(call).interrupt(call);
  };
  all.reset = [](const Call* call) {
    of(call).hear_call(call, HeardKind::reset);
    if (action(call).reset != nullptr) action(call).reset(call);
  };
  all.tick = [](const Call* call) {
    of(call).hear_call(call, HeardKind::update);
    return action(call).tick(call);
  };
  if (own.allow != nullptr) {
    all.allow = [](const Call* call) {
      of(call).hear_call(call, HeardKind::ask);
      return action(call).allow(call);
    };
  }
  if (own.activate != nullptr) {
    all.activate = [](const Call* call) {
      const bool accepts = action(call).activate(call);
      of(call).hear_call(call, accepts ? HeardKind::enter : HeardKind::refuse);
      return accepts;
    };
    all.deactivate = [](const Call* call) {
      of(call).hear_call(call, HeardKind::leave);
      if (action(call).deactivate != nullptr) action(call).deactivate(call);
    };
  }
  return all;
}

Behavior Run::heard_condition(const Behavior& own) {
  Behavior all = own;
  if (own.ask != nullptr) {
    all.ask = [](const Call* call) {
      of(call).hear_call(call, HeardKind::ask);
      return condition(call).ask(call);
    };
  }
  if (own.tick != nullptr) {
    all.tick = [](const Call* call) {
      of(call).hear_call(call, HeardKind::ask);
      return condition(call).tick(call);
    };
  }
  return all;
}

void Run::listen() {
  heard_.resize(statuses_.size());
  for (std::size_t i = 0; i < world_.sides().size(); ++i) {
    const Side& in = world_.sides()[i];
    listening_.emplace_back(in.behaviors.size(), heard_action(in.engine->behavior));
    hosts_[i].behaviors = listening_.back().data();
    listening_.emplace_back(in.conditions.size(), heard_condition(in.engine->condition));
    hosts_[i].conditions = listening_.back().data();
    if (in.engine->host.script != nullptr) {
      hosts_[i].script = [](const Call* call, std::uint32_t script) {
        of(call).hear({.kind = HeardKind::script, .node_word = call->node_word});
        return of(call).side().engine->host.script(call, script);
      };
    }
    hosts_[i].log = [](const Call* call, const char* text) {
      of(call).hear({.kind = HeardKind::log, .node_word = call->node_word, .text = text});
    };
  }
}

void Run::listen_to_signals(Watcher& watcher) {
  watcher.node = [](void* user, const NodeStep* step) {
    if (step->kind != NodeStepKind::send) return;
    static_cast<Run*>(user)->hear({.kind = HeardKind::send, .node_word = step->node_word, .signal = step->value});
  };
}

}  // namespace espalier::explore
