// See the header.
#include "runtime_deciders_agent.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "unit.h"

namespace espalier::test {
namespace {

std::string joined(const std::vector<std::string>& texts, const char* separator) {
  std::string text;
  for (const std::string& part : texts) text += (text.empty() ? "" : separator) + part;
  return text;
}

std::span<unsigned char> bytes(void* data, std::uint32_t size) { return {static_cast<unsigned char*>(data), size}; }

StimulusData stimulus_data(const std::string& text) {
  StimulusData data;
  data.size_bytes = static_cast<std::uint32_t>(text.size());
  std::memcpy(data.bytes, text.data(), text.size());
  return data;
}

// A line of look() for a level of the path.
std::string text_of_level(std::string_view decider, std::uint64_t since_us, std::span<const unsigned char> memory) {
  std::string text = std::string(decider) + " since " + std::to_string(since_us) + " memory";
  for (const unsigned char byte : memory) text += ' ' + std::to_string(byte);
  return text + '\n';
}

std::string text_of_stimulus(const std::string& name, const std::string& data) { return name + "=" + data + "\n"; }

std::string look_at(const DeciderModel& model, const ModelDeciderTree& tree) {
  std::string text;
  for (const DeciderModel::Active& active : model.state.path) {
    text += text_of_level(tree.deciders[active.decider].name, active.since_us, active.memory);
  }
  for (const auto& [stimulus, present] : model.state.stimuli) {
    text += text_of_stimulus(tree.stimuli[stimulus].name, present.data);
  }
  for (const bool flag : model.state.flags) text += flag ? '1' : '0';
  return text;
}

}  // namespace

// ---- The agent of the runtime

DeciderAgent::DeciderAgent(const ModelDeciderTree& source, std::uint64_t seed) : source_(source) {
  compile(ir_of(source), compiled_);
  tree_ = espalier::tree(compiled_.asset, 0);
  Behavior behavior;
  behavior.activate = on_activate;
  behavior.tick = on_tick;
  behavior.deactivate = on_deactivate;
  behaviors_.assign(behavior_count(compiled_.asset), behavior);
  Behavior condition;
  condition.decide = on_decide;
  decides_.assign(host_condition_count(compiled_.asset), condition);
  block_.resize(agent_bytes(tree_) / 8);
  scratch_.assign(scratch_bytes(tree_) / 8, 0xA5A5A5A5A5A5A5A5);
  start(tree_, block_.data());
  espalier::seed(tree_, block_.data(), seed);
}

double DeciderAgent::on_decide(const Call* call) {
  const Activation& activation = *call->activation;
  return of(call).host.decide(std::string(decider_name(call->tree, call->node_word)),
                              std::string(host_condition_name(*call->tree.asset, call->behavior)),
                              bytes(activation.block, activation.block_bytes));
}

bool DeciderAgent::on_activate(const Call* call) {
  const Activation& activation = *call->activation;
  return of(call).host.activate(std::string(behavior_name(*call->tree.asset, call->behavior)),
                                activation.behavior_flags, bytes(activation.memory, activation.memory_bytes),
                                bytes(activation.block, activation.block_bytes));
}

espalier_result DeciderAgent::on_tick(const Call* call) {
  const Activation& activation = *call->activation;
  const bool goes_on = of(call).host.tick(std::string(behavior_name(*call->tree.asset, call->behavior)),
                                          activation.behavior_flags, bytes(activation.memory, activation.memory_bytes),
                                          bytes(activation.block, activation.block_bytes));
  return goes_on ? Result::running : Result::failure;
}

void DeciderAgent::on_deactivate(const Call* call) {
  const Activation& activation = *call->activation;
  of(call).host.deactivate(std::string(behavior_name(*call->tree.asset, call->behavior)), activation.behavior_flags,
                           bytes(activation.memory, activation.memory_bytes),
                           bytes(activation.block, activation.block_bytes));
}

Host DeciderAgent::present_host() {
  Host present;
  present.behaviors = behaviors_.data();
  present.conditions = decides_.data();
  present.user = this;
  present.clock_us = clock_us;
  present.scratch = scratch_.empty() ? nullptr : scratch_.data();
  return present;
}

ModelStatus DeciderAgent::tick(How how) {
  Result result = Result::stopped;
  if (how == How::as_many) {
    update_all(tree_, block_.data(), block_.size() * 8, 1, present_host());
    const bool is_active = active_count(tree_, block_.data()) > 0;
    return is_active ? ModelStatus::running : ModelStatus::failure;
  }
  if (how == How::watched) {
    told.emplace();
    Watcher watcher;
    watcher.user = this;
    watcher.decide = [](void* user, const DecideStep* step) { static_cast<DeciderAgent*>(user)->hear(*step); };
    result = update_watched(tree_, block_.data(), present_host(), watcher);
  } else {
    is_prepared_ = !is_prepared_;
    const Host now = present_host();
    result = is_prepared_ ? update(prepare(tree_), block_.data(), now) : update(tree_, block_.data(), now);
  }
  REQUIRE((result == Result::running || result == Result::failure || result == Result::error));
  if (result == Result::error) return ModelStatus::error;
  return result == Result::running ? ModelStatus::running : ModelStatus::failure;
}

void DeciderAgent::hear(const DecideStep& step) {
  const std::string decider(decider_name(tree_, step.node_word));
  const auto behavior = [&] {
    const auto is_it = [&](const ModelDecider& other) { return other.name == decider; };
    return source_.behaviors[*std::find_if(source_.deciders.begin(), source_.deciders.end(), is_it)->behavior].name;
  };
  switch (step.kind) {
    case DecideStepKind::activated:
      told->push_back("enter " + behavior());
      break;
    case DecideStepKind::refused:
      told->push_back("refuse " + behavior());
      break;
    case DecideStepKind::ticked:
      told->push_back("tick " + behavior() + (step.value > 0 ? " running" : " failure"));
      break;
    case DecideStepKind::deactivated:
      told->push_back("leave " + behavior());
      break;
    case DecideStepKind::decided:
      told->push_back("decide " + decider + ' ' + decimal(step.value));
      break;
    case DecideStepKind::overrun:
      told->emplace_back("error redecides");
      break;
    default:
      break;
  }
}

void DeciderAgent::stop() { espalier::stop(tree_, block_.data(), present_host()); }

void DeciderAgent::signal(const std::string& name, const std::string& data) {
  std::uint32_t signal = 0;
  if (find_signal(tree_, name, &signal) != Status::ok) return;
  const StimulusData given = stimulus_data(data);
  espalier::signal(tree_, block_.data(), signal, present_host(), data.empty() ? nullptr : &given);
}

void DeciderAgent::set_stimulus(std::size_t stimulus, const std::string& data) {
  const StimulusData given = stimulus_data(data);
  espalier::set_stimulus(tree_, block_.data(), static_cast<std::uint32_t>(stimulus), clock_us,
                         data.empty() ? nullptr : &given);
}

void DeciderAgent::clear_stimulus(std::size_t stimulus) {
  espalier::clear_stimulus(tree_, block_.data(), static_cast<std::uint32_t>(stimulus));
}

void DeciderAgent::set_flags(const std::vector<bool>& flags) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) bits |= std::uint64_t{flags[i]} << i;
  espalier::set_flags(tree_, block_.data(), bits);
}

void DeciderAgent::restore(const Block& saved) {
  espalier::restore(tree_, block_.data(), saved.data(), present_host());
}

void DeciderAgent::move() {
  Block block(block_.size());
  move_agent(tree_, block_.data(), present_host(), tree_, block.data(), present_host());
  block_ = std::move(block);
}

std::vector<std::string> DeciderAgent::path() {
  std::vector<std::string> names;
  for (std::uint32_t level = 0; level < active_count(tree_, block_.data()); ++level) {
    names.emplace_back(decider_name(tree_, active_decider(tree_, block_.data(), level).node_word));
  }
  return names;
}

std::string DeciderAgent::look() {
  std::string text;
  for (std::uint32_t level = 0; level < active_count(tree_, block_.data()); ++level) {
    const ActiveDecider active = active_decider(tree_, block_.data(), level);
    text += text_of_level(decider_name(tree_, active.node_word), active.since_us,
                          bytes(active.activation.memory, active.activation.memory_bytes));
  }
  for (std::uint32_t i = 0; i < stimulus_count(tree_); ++i) {
    StimulusData data;
    if (!stimulus(tree_, block_.data(), i, &data)) continue;
    const std::string content(reinterpret_cast<const char*>(data.bytes), data.size_bytes);
    text += text_of_stimulus(std::string(stimulus_name(tree_, i)), content);
  }
  for (std::uint32_t i = 0; i < variable_count(tree_); ++i) text += variable(tree_, block_.data(), i) ? '1' : '0';
  return text;
}

// ---- The two side by side

DeciderPair::DeciderPair(ModelDeciderTree tree, std::uint64_t seed, bool looks_at_bytes)
    : tree_(std::move(tree)), model_(tree_, host_, seed), agent_(tree_, seed) {
  host_.looks_at_bytes = agent_.host.looks_at_bytes = looks_at_bytes;
}

void DeciderPair::answer(const std::string& name, const std::vector<DeciderAnswer>& list) {
  host_.answers[name] = agent_.host.answers[name] = list;
}

void DeciderPair::set_flags(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < tree_.flags.size(); ++i) {
    model_.state.flags[i] = std::find(names.begin(), names.end(), tree_.flags[i]) != names.end();
  }
  agent_.set_flags(model_.state.flags);
}

void DeciderPair::signal(const std::string& name, const std::string& data) {
  model_.signal(name, data);
  agent_.signal(name, data);
}

void DeciderPair::set_stimulus(const std::string& name, const std::string& data) {
  model_.set_stimulus(stimulus_of(tree_, name), data);
  agent_.set_stimulus(stimulus_of(tree_, name), data);
}

void DeciderPair::clear_stimulus(const std::string& name) {
  model_.clear_stimulus(stimulus_of(tree_, name));
  agent_.clear_stimulus(stimulus_of(tree_, name));
}

void DeciderPair::meddle(std::uint64_t seed, std::uint32_t percent) {
  if (tree_.stimuli.empty()) return;
  const auto meddling = [this, seed, percent](auto& agent) {
    return [this, &agent, percent, random = Random{seed}]() mutable {
      if (!random.chance(percent)) return;
      const std::size_t stimulus = random.below(static_cast<std::uint32_t>(tree_.stimuli.size()));
      if (random.chance(70)) {
        agent.set_stimulus(stimulus, std::string(random.below(17), 'm'));
      } else {
        agent.clear_stimulus(stimulus);
      }
    };
  };
  host_.meddle = meddling(model_);
  agent_.host.meddle = meddling(agent_);
}

std::string DeciderPair::tick(double seconds, DeciderAgent::How how) {
  model_.now_us += static_cast<std::uint64_t>(std::llround(seconds * 1e6));
  agent_.clock_us = model_.now_us;
  status = model_.tick();
  const ModelStatus agent_status = agent_.tick(how);
  // update_all() does not distinguish errors of single agents from other results.
  const bool is_same = how == DeciderAgent::How::as_many
                           ? (status == ModelStatus::running) == (agent_status == ModelStatus::running)
                           : status == agent_status;
  host_.events.pop_back();  // the status
  return compare(is_same ? "" : "the runtime's status is " + std::to_string(static_cast<int>(agent_status)));
}

std::string DeciderPair::stop() {
  model_.stop();
  agent_.stop();
  return compare("");
}

void DeciderPair::move() {
  agent_.move();
  compare("");
}

void DeciderPair::restore(const Saved& saved) {
  model_.state = saved.model;
  agent_.restore(saved.agent);
  compare("");
}

std::string DeciderPair::path() const { return joined(model_.path(), "/"); }

// Returns the events since the last call.
std::string DeciderPair::compare(const std::string& what) {
  const std::vector<std::string> events = std::move(host_.events);
  // Overruns are reported only to watchers.
  std::vector<std::string> calls;
  for (const std::string& event : events) {
    if (event != "error redecides") calls.push_back(event);
  }
  std::string difference = what;
  if (agent_.host.events != calls) difference += "the runtime did: " + joined(agent_.host.events, "; ") + '\n';
  std::vector<std::string> words;
  for (const std::string& event : events) {
    const bool is_of_bytes = event.find(" flags ") != std::string::npos;
    if (!is_of_bytes) words.push_back(event);
  }
  if (agent_.told && *agent_.told != words) {
    difference += "the watcher heard: " + joined(*agent_.told, "; ") + '\n';
  }
  const std::string expected = look_at(model_, tree_);
  const std::string seen = agent_.look();
  if (seen != expected) difference += "the runtime's agent:\n" + seen + "\nthe model's:\n" + expected + '\n';
  if (!difference.empty()) {
    FAIL(text_of(tree_) << "\nstatus " << static_cast<int>(status) << " at " << model_.now_us
                        << " us\nthe model did: " << joined(events, "; ") << '\n'
                        << difference);
  }
  host_.events.clear();
  agent_.host.events.clear();
  agent_.told.reset();
  return joined(events, "; ");
}

}  // namespace espalier::test
