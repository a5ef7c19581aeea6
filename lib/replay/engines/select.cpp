// Selection trees in a replay: one behaviour is current, and the host may refuse it. See strategy.h.
#include "codegen/dump/listing.h"
#include "replay/strategy.h"

namespace espalier::replay {

struct SelectEngine {
  static AnswerForms forms(bool) { return {}; }

  // ---- The host

  // The node of the selected leaf: the runtime identifies leaves by number.
  static NodeOf node_of(const Call* call) {
    if (is_stripped(*call->tree.asset)) return {};
    const auto [words, is_new] = of(call).notes.leaf_words.try_emplace({call->tree.asset, call->tree.index});
    if (is_new) add_leaves(call->tree, words->second);
    return call->leaf < words->second.size() ? NodeOf{call->tree.asset, words->second[call->leaf]} : NodeOf();
  }

  static void add_leaves(const Tree& tree, std::vector<std::uint32_t>& words) {
    codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
      if (codegen::is_leaf(node)) words.push_back(node.word);
    });
  }

  static void enter(const Call* call) {
    Updates& updates = of(call);
    bool& is_refused = updates.agents.self().state.is_refused;
    const std::string_view name = Updates::called_name(call);
    is_refused = updates.take_answer(call, name, "behaviour", "accepts") == Answer::refuse;
    updates.reporter.emit_name(is_refused ? EventKind::refuse : EventKind::enter, name, {}, node_of(call));
  }

  static void leave(const Call* call) {
    Updates& updates = of(call);
    if (updates.agents.self().state.is_refused) return;
    updates.reporter.emit_name(EventKind::leave, Updates::called_name(call), {}, node_of(call));
  }

  static Updates& of(const Call* call) { return Updates::of(call); }

  // ---- Agents

  static void signal(Updates& updates, std::uint32_t signal, const void*) {
    void* block = updates.agents.self().block();
    signal_watched(updates.agents.tree(), block, signal, updates.host(), nullptr, Updates::note_variable, &updates);
  }

  // The nodes from the root to the current leaf.
  static std::vector<std::uint32_t> path(const Updates& updates, const Agent& agent) {
    std::vector<std::uint32_t> path;
    std::uint32_t leaves_left = current_leaf(updates.agents.tree(), agent.block());
    if (leaves_left == kNoLeaf) return path;
    bool is_found = false;
    codegen::visit_tree(updates.agents.tree(), [&](const codegen::NodeView& node, std::size_t depth, std::uint32_t) {
      if (is_found) return;
      path.resize(depth);
      path.push_back(node.word);
      is_found = codegen::is_leaf(node) && leaves_left-- == 0;
    });
    return path;
  }

  static bool update(Updates& updates, Agent& agent) {
    updates.notes.before = agent.state.block;
    void* block = agent.block();
    Watcher watcher;
    watcher.user = &updates;
    watcher.step = [](void* user, const Step* step) { static_cast<Updates*>(user)->reporter.show_step(*step); };
    const Result status = updates.reporter.watches()
                              ? espalier::update_watched(updates.agents.tree(), block, updates.host(), watcher)
                              : espalier::update(updates.agents.tree(), block, updates.host());
    const bool is_new = agent.state.status != status;
    agent.state.status = status;
    if (is_new) updates.reporter.emit_name(EventKind::status, result_name(status));
    return !is_new && updates.notes.before == agent.state.block;
  }

  static std::uint32_t current(const AgentView& agent) { return current_behavior(agent.tree, agent.block); }
};

constinit const Strategy kSelectStrategy = {
    .kind = "selection",
    .hosted = "behaviour",
    .variable = "variable",
    .statuses = "\"running\", \"success\" or \"failure\"",
    .may_settle = true,
    .accepts = {LineKind::set, LineKind::save, LineKind::restore},
    .forms = SelectEngine::forms,
    .behavior = {.enter = SelectEngine::enter, .leave = SelectEngine::leave},
    .node = SelectEngine::node_of,
    .signal = SelectEngine::signal,
    .update = SelectEngine::update,
    .path = SelectEngine::path,
    .current = SelectEngine::current,
};

}  // namespace espalier::replay
