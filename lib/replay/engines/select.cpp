// Selection trees in a replay: one behaviour is current, and the host may refuse it. See strategy.h.
#include "codegen/dump/listing.h"
#include "replay/strategy.h"

namespace espalier::replay {

struct SelectEngine {
  static AnswerForms forms(bool) { return {}; }

  // ---- The host

  // The node of the selected leaf: the runtime identifies leaves by number.
  static NodeOf node_of(const Call* call) {
    const auto& words_of_trees = of(call).leaf_words_;
    const auto words = words_of_trees.find({call->tree.asset, call->tree.index});
    if (words == words_of_trees.end() || call->leaf >= words->second.size()) return {};
    return {call->tree.asset, words->second[call->leaf]};
  }

  static void enter(const Call* call) {
    Session& session = of(call);
    bool& is_refused = session.agents_[session.current_agent_]->state.is_refused;
    const std::string_view name = Session::called_name(call);
    is_refused = session.take_answer(call, name, "behaviour", "accepts") == Answer::refuse;
    session.emit_name(is_refused ? EventKind::refuse : EventKind::enter, name, {}, node_of(call));
  }

  static void leave(const Call* call) {
    Session& session = of(call);
    if (session.agents_[session.current_agent_]->state.is_refused) return;
    session.emit_name(EventKind::leave, Session::called_name(call), {}, node_of(call));
  }

  static Session& of(const Call* call) { return Session::of(call); }

  static void names(Session& session, BoundTree& bound) {
    std::vector<std::uint32_t>& words = session.leaf_words_[{bound.tree.asset, bound.tree.index}];
    words.clear();
    if (is_stripped(*bound.tree.asset)) return;
    codegen::visit_tree(bound.tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
      if (codegen::is_leaf(node)) words.push_back(node.word);
    });
  }

  // ---- Agents

  static void signal(Session& session, std::uint32_t signal, const void*) {
    void* block = session.agents_[session.current_agent_]->state.block.data();
    signal_watched(session.tree_, block, signal, session.host(), nullptr, Session::note_variable, &session);
  }

  // The nodes from the root to the current leaf.
  static std::vector<std::uint32_t> path(const Session& session, const Agent& agent) {
    std::vector<std::uint32_t> path;
    std::uint32_t leaves_left = current_leaf(session.tree_, agent.state.block.data());
    if (leaves_left == kNoLeaf) return path;
    bool is_found = false;
    codegen::visit_tree(session.tree_, [&](const codegen::NodeView& node, std::size_t depth, std::uint32_t) {
      if (is_found) return;
      path.resize(depth);
      path.push_back(node.word);
      is_found = codegen::is_leaf(node) && leaves_left-- == 0;
    });
    return path;
  }

  static bool update(Session& session, Agent& agent) {
    session.before_ = agent.state.block;
    void* block = agent.state.block.data();
    Watcher watcher;
    watcher.user = &session;
    watcher.step = [](void* user, const Step* step) { static_cast<Session*>(user)->show_step(*step); };
    const Result status = session.listener_.watches
                              ? espalier::update_watched(session.tree_, block, session.host(), watcher)
                              : espalier::update(session.tree_, block, session.host());
    const bool is_new = agent.state.status != status;
    agent.state.status = status;
    if (is_new) session.emit_name(EventKind::status, result_name(status));
    return !is_new && session.before_ == agent.state.block;
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
    .names = SelectEngine::names,
    .signal = SelectEngine::signal,
    .update = SelectEngine::update,
    .path = SelectEngine::path,
    .current = SelectEngine::current,
};

}  // namespace espalier::replay
