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
  if (is_asked_again_) return;
  const std::uint64_t number = observer_.heard(*this, side_, hearing);
  if (number == kNotKept) return;
  heard_[side_ * world_.agent_count() + agent_].push_back({hearing.kind, hearing.node_word, number});
}

void Run::hear_answer(const Call* call, std::string_view word) {
  if (observer_.hears_answers) hear_call(call, HeardKind::answer, word);
}

void Run::hear_call(const Call* call, HeardKind kind, std::string_view text) {
  hear({.kind = kind, .node_word = call->node_word, .call = call, .text = text});
}

// The functions of an action, each of which is heard.
Behavior Run::heard_action(const Behavior& own) const {
  Behavior all = own;
  if (!is_called(own) && !observer_.hears_answers) return all;
  all.enter = [](const Call* call) {
    of(call).hear_call(call, HeardKind::enter);
    if (action(call).enter != nullptr) action(call).enter(call);
  };
  all.leave = [](const Call* call) {
    of(call).hear_call(call, HeardKind::leave);
    if (action(call).leave != nullptr) action(call).leave(call);
  };
  if (!is_called(own)) return all;
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
    const espalier_result result = action(call).tick(call);
    if (of(call).observer_.hears_answers)
      of(call).hear_call(call, HeardKind::result, replay::result_name(Result(result)));
    return result;
  };
  if (own.allow != nullptr) {
    all.allow = [](const Call* call) {
      of(call).hear_call(call, HeardKind::ask);
      const bool is_open = action(call).allow(call);
      of(call).hear_answer(call, is_open ? "true" : "false");
      return is_open;
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

Behavior Run::heard_condition(const Behavior& own) const {
  Behavior all = own;
  if (own.ask != nullptr) {
    all.ask = [](const Call* call) {
      of(call).hear_call(call, HeardKind::ask);
      const bool is_true = condition(call).ask(call);
      of(call).hear_answer(call, is_true ? "true" : "false");
      return is_true;
    };
  }
  if (own.tick != nullptr) {
    all.tick = [](const Call* call) {
      of(call).hear_call(call, HeardKind::ask);
      const espalier_result result = condition(call).tick(call);
      const Result word = Result(result);
      of(call).hear_answer(call, word == Result::success   ? "true"
                                 : word == Result::running ? "running"
                                 : word == Result::skipped ? "skipped"
                                                           : "false");
      return result;
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
        const bool is_true = of(call).side().engine->host.script(call, script);
        if (of(call).observer_.hears_answers)
          of(call).hear(
              {.kind = HeardKind::script_answer, .node_word = call->node_word, .text = is_true ? "true" : "false"});
        return is_true;
      };
    }
    hosts_[i].log = [](const Call* call, const char* text) {
      of(call).hear({.kind = HeardKind::log, .node_word = call->node_word, .text = text});
    };
  }
}

void Run::listen_to_nodes(Watcher& watcher) const {
  watcher.node = [](void* user, const NodeStep* step) {
    Run& run = *static_cast<Run*>(user);
    if (step->kind == NodeStepKind::send) {
      run.hear({.kind = HeardKind::send, .node_word = step->node_word, .signal = step->value});
    } else if (run.observer_.hears_answers) {
      run.hear({.kind = HeardKind::node, .node_word = step->node_word});
    }
  };
}

}  // namespace espalier::explore
