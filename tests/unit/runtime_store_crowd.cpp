// See the header.
#include "runtime_store_crowd.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "runtime/asset/view.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/store/tree.h"
#include "unit.h"

namespace espalier::test {
namespace {

std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& part : texts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

StoreResult to_store_result(Result result) {
  return result == Result::running   ? StoreResult::running
         : result == Result::success ? StoreResult::success
                                     : StoreResult::failure;
}

// Calls `visit` with each node, in file order.
void visit_nodes(const ModelStoreNode& node, const std::function<void(const ModelStoreNode&)>& visit) {
  visit(node);
  for (const ModelStoreNode& child : node.children) visit_nodes(child, visit);
}

}  // namespace

StoreCrowd::StoreCrowd(ModelStoreProject project)
    : project_(std::move(project)),
      ir_(ir_of(project_)),
      needs_(ir::store_needs(ir_)),
      model_(project_, model_host_, [this](const std::string& own, const std::string& slot, const std::string& tree) {
        const std::optional<std::uint32_t> budget = project_.find_slot(slot)->budget_bytes;
        const std::uint32_t needed = needs_.bytes_below(ir_, needs_.trees.at(own), needs_.trees.at(tree));
        return !budget || needed <= *budget;
      }) {
  compile(ir_, compiled_);
  model_host_.meanwhile = [this](AgentNumber agent, const std::string& name) {
    act(agent, name, busy_in_model_, [this](AgentNumber other, bool stops) {
      if (stops) return stop_model(other);
      (void)update_model(other);
    });
  };
  host_.meanwhile = [this](AgentNumber agent, const std::string& name) {
    act(agent, name, busy_in_runtime_, [this](AgentNumber other, bool stops) {
      if (stops) return stop_runtime(other);
      update_runtime(other);
    });
  };
  Behavior behavior;
  behavior.enter = [](const Call* call) { of(call).crowd->host_.tell(of(call).number, "enter " + name_of(call)); };
  behavior.leave = [](const Call* call) { of(call).crowd->host_.tell(of(call).number, "leave " + name_of(call)); };
  behavior.interrupt = [](const Call* call) {
    of(call).crowd->host_.tell(of(call).number, "interrupt " + name_of(call));
  };
  behavior.reset = [](const Call* call) { of(call).crowd->host_.tell(of(call).number, "reset " + name_of(call)); };
  behavior.tick = [](const Call* call) -> espalier_result {
    const StoreResult result = of(call).crowd->host_.tick(of(call).number, name_of(call));
    return result == StoreResult::running   ? Result::running
           : result == StoreResult::success ? Result::success
                                            : Result::failure;
  };
  behaviors_.assign(behavior_count(compiled_.asset), behavior);
  Behavior condition;
  condition.ask = [](const Call* call) {
    return of(call).crowd->host_.ask(of(call).number,
                                     std::string(host_condition_name(*call->tree.asset, call->behavior)));
  };
  conditions_.assign(host_condition_count(compiled_.asset), condition);
  const Tree first = tree(compiled_.asset, 0);
  shared_.resize(shared_bytes(first) / 8);
  start_shared(first, shared_.data());
  shared_at_first_ = shared_;
}

std::string StoreCrowd::name_of(const Call* call) {
  return std::string(behavior_name(*call->tree.asset, call->behavior));
}

Host StoreCrowd::host_of(Agent& agent) {
  Host host;
  host.behaviors = behaviors_.data();
  host.conditions = conditions_.data();
  host.user = &agent;
  host.clock_us = model_.now_us;
  host.shared = shared_.data();
  host.too_deep = [](const Call* call, std::uint32_t slot) {
    of(call).crowd->host_.tell(of(call).number, "error depth " + std::string(slot_name(*call->tree.asset, slot)));
  };
  return host;
}

StoreCrowd::AgentNumber StoreCrowd::spawn(std::uint32_t tree) {
  const AgentNumber number = model_.spawn(project_.trees[tree].name);
  Agent& agent = agents_[number];
  agent.crowd = this;
  agent.number = number;
  agent.tree = espalier::tree(compiled_.asset, tree);
  agent.block.resize(agent_bytes(agent.tree) / 8, 0xA5A5A5A5A5A5A5A5);
  start(agent.tree, agent.block.data());
  history_.push_back("spawn " + std::to_string(number) + " of " + project_.trees[tree].name);
  return number;
}

void StoreCrowd::answer(AgentNumber agent, const std::string& name, const std::vector<StoreResult>& list) {
  model_host_.answers[{agent, name}] = host_.answers[{agent, name}] = list;
}

void StoreCrowd::meanwhile(AgentNumber agent, const std::string& name_or_event, AgentNumber other, bool stops) {
  meanwhile_[{agent, name_or_event}] = {other, stops};
}

void StoreCrowd::act(AgentNumber agent, const std::string& name_or_event, std::vector<AgentNumber>& busy,
                     const Act& act) {
  const auto found = meanwhile_.find({agent, name_or_event});
  if (found == meanwhile_.end() || agents_.count(found->second.other) == 0) return;
  const auto [other, stops] = found->second;
  if (std::find(busy.begin(), busy.end(), other) == busy.end()) act(other, stops);
}

StoreResult StoreCrowd::update_model(AgentNumber number) {
  busy_in_model_.push_back(number);
  const StoreResult status = model_.update(number);
  busy_in_model_.pop_back();
  return status;
}

void StoreCrowd::update_runtime(AgentNumber number) {
  Agent& agent = agents_.at(number);
  busy_in_runtime_.push_back(number);
  // Watched updates begin at the root; both must leave the same.
  const bool is_watched = ++update_count_ % 3 == 0;
  const bool is_prepared = update_count_ % 3 == 1;
  const Host host = host_of(agent);
  const Result result = is_watched    ? espalier::update_watched(agent.tree, agent.block.data(), host, Watcher())
                        : is_prepared ? espalier::update(prepare(agent.tree), agent.block.data(), host)
                                      : espalier::update(agent.tree, agent.block.data(), host);
  busy_in_runtime_.pop_back();
  REQUIRE((result == Result::running || result == Result::success || result == Result::failure));
  host_.tell(number, "status " + word_of(to_store_result(result)));
}

void StoreCrowd::stop_model(AgentNumber number) {
  busy_in_model_.push_back(number);
  model_.stop(number);
  busy_in_model_.pop_back();
}

void StoreCrowd::stop_runtime(AgentNumber number) {
  Agent& agent = agents_.at(number);
  busy_in_runtime_.push_back(number);
  espalier::stop(agent.tree, agent.block.data(), host_of(agent));
  busy_in_runtime_.pop_back();
}

StoreResult StoreCrowd::update(AgentNumber number) {
  const StoreResult status = update_model(number);
  update_runtime(number);
  compare("update " + std::to_string(number) + " at " + std::to_string(model_.now_us) + " us");
  if (is_completed(status)) check_reset(number);
  return status;
}

void StoreCrowd::inject(AgentNumber number, const std::string& slot, const std::string& tree, bool is_immediate) {
  Agent& agent = agents_.at(number);
  model_.inject(number, slot, tree, is_immediate);
  std::uint32_t slot_number = 0;
  std::uint32_t injected = kNoTree;
  Status status = find_slot(compiled_.asset, slot, &slot_number);
  if (status == Status::ok && !tree.empty()) {
    const auto is_it = [&](const ModelStoreTree& other) { return other.name == tree; };
    const auto found = std::find_if(project_.trees.begin(), project_.trees.end(), is_it);
    injected = static_cast<std::uint32_t>(found - project_.trees.begin());
    if (found == project_.trees.end()) status = Status::not_found;
  }
  if (status == Status::ok) {
    status = espalier::inject(agent.tree, agent.block.data(), slot_number, injected, is_immediate, host_of(agent));
  }
  if (status != Status::ok) host_.tell(number, "error inject " + slot + ' ' + tree);
  compare("inject " + std::to_string(number) + ' ' + slot + ' ' + tree + (is_immediate ? " immediate" : ""));
}

void StoreCrowd::stop(AgentNumber number) {
  stop_model(number);
  stop_runtime(number);
  compare("stop " + std::to_string(number));
  check_reset(number);
}

void StoreCrowd::move(AgentNumber number) {
  Agent& agent = agents_.at(number);
  busy_in_model_.push_back(number);
  model_.move(number);
  busy_in_model_.pop_back();
  std::vector<std::uint64_t> moved(agent.block.size(), 0xA5A5A5A5A5A5A5A5);
  busy_in_runtime_.push_back(number);
  const Host host = host_of(agent);
  move_agent(agent.tree, agent.block.data(), host, agent.tree, moved.data(), host);
  busy_in_runtime_.pop_back();
  agent.block = std::move(moved);
  compare("move " + std::to_string(number));
  check_reset(number);
}

void StoreCrowd::destroy(AgentNumber number) {
  stop_model(number);
  stop_runtime(number);
  model_.destroy(number);
  agents_.erase(number);
  compare("destroy " + std::to_string(number));
}

// What an agent's block counts is 0 when its tree is untouched.
void StoreCrowd::check_reset(AgentNumber number) {
  const auto* block = reinterpret_cast<const unsigned char*>(agents_.at(number).block.data());
  CHECK(std::all_of(block, block + kSlotsOffset, [](unsigned char byte) { return byte == 0; }));
}

void StoreCrowd::destroy_all() {
  for (const AgentNumber agent : living()) destroy(agent);
  check_shared();
}

void StoreCrowd::check_shared() {
  std::vector<std::uint64_t> now = shared_;
  const auto* nodes = array<std::uint32_t>(compiled_.asset, layout::SectionId::nodes);
  for (std::uint32_t i = 0; i < project_.trees.size(); ++i) {
    std::uint32_t number = 0;
    visit_nodes(project_.trees[i].root, [&](const ModelStoreNode& node) {
      const std::uint32_t word = node_word_of(i, number++);
      if (node.kind == StoreKind::cooldown && node.is_global) now[shared_value_of(&nodes[word])] = 0;
    });
  }
  if (now != shared_at_first_) FAIL(text_of(project_) << "the shared block is not as it was\n" << joined(history_));
  CHECK(model_.is_everything_given_back());
}

std::uint32_t StoreCrowd::node_word_of(std::uint32_t tree, std::uint32_t number) const {
  const layout::Tree& record = array<layout::Tree>(compiled_.asset, layout::SectionId::trees)[tree];
  const layout::Unit& unit = records<layout::Unit>(compiled_.asset, layout::SectionId::units)[record.unit];
  const std::uint32_t* node = numbered_node(compiled_.asset, unit, number);
  return static_cast<std::uint32_t>(node - nodes_of(compiled_.asset));
}

void StoreCrowd::compare_inside(std::string* difference) {
  for (std::uint32_t i = 0; i < project_.trees.size(); ++i) {
    std::uint32_t number = 0;
    visit_nodes(project_.trees[i].root, [&](const ModelStoreNode& node) {
      const std::uint32_t word = node_word_of(i, number++);
      if (node.kind != StoreKind::gate && node.kind != StoreKind::group) return;
      const std::uint32_t inside = inside_count(compiled_.asset, shared_.data(), word);
      if (inside == model_.inside(node)) return;
      *difference += "inside " + node.name + " of the runtime " + std::to_string(inside) + ", of the model " +
                     std::to_string(model_.inside(node)) + '\n';
    });
  }
}

void StoreCrowd::compare(const std::string& what) {
  std::string difference;
  if (host_.events != model_host_.events) difference = "the runtime did: " + joined(host_.events) + '\n';
  compare_inside(&difference);
  for (auto& [number, agent] : agents_) {
    std::vector<std::string> names;
    struct Found {
      const Asset& asset;
      std::vector<std::string>& names;
    } found = {compiled_.asset, names};
    visit_active(
        agent.tree, agent.block.data(),
        [](void* user, std::uint32_t word) {
          const auto& [asset, running] = *static_cast<const Found*>(user);
          const std::uint32_t* node = array<std::uint32_t>(asset, layout::SectionId::nodes) + word;
          if (opcode_of(node) != opcode::store_action) return;
          running.emplace_back(behavior_name(asset, operand<OperandKind::behavior, EngineId::store>(node)));
        },
        &found);
    if (check_agent(agent.tree, agent.block.data(), shared_.data()) != Status::ok) {
      difference += "the block of " + std::to_string(number) + " is damaged\n";
    }
    const std::vector<std::string> expected = model_.running(number);
    if (names != expected) {
      difference += "running in " + std::to_string(number) + " of the runtime: " + joined(names) +
                    ", of the model: " + joined(expected) + '\n';
    }
  }
  if (!difference.empty()) {
    FAIL(text_of(project_) << "before: " << joined(history_) << '\n'
                           << what << "\nthe model did: " << joined(model_host_.events) << '\n'
                           << difference);
  }
  history_.push_back(what);
  history_.insert(history_.end(), host_.events.begin(), host_.events.end());
  host_.events.clear();
  model_host_.events.clear();
}

}  // namespace espalier::test
