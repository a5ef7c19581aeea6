// Updating agents of trees that poll. Floors: the tree as nested && and ||, its leaves called through a table of
// function pointers as a host's are; a tree of objects with virtual functions, as such trees are usually made; for
// running actions, the calls of the conditions before them and of the action. Where BehaviorTree.CPP is installed, it
// ticks the same trees.
#include <espalier/polling.h>
#include <cstdio>
#include <memory>
#include <pugixml.hpp>

#include "bench.h"
#include "peer.h"
#include "runtime/asset/view.h"

namespace bench {
namespace {

using espalier::Call;
using espalier::Result;

unsigned char leaf_bytes[8] = {1, 1, 1, 1, 0, 0, 0, 0};

template <int leaf>
espalier_result answer(const Call* call) {
  return *static_cast<const unsigned char*>(call->user) != 0 ? Result::success : Result::failure;
}
template <int leaf>
bool answer_floor(const unsigned char* byte) {
  return *byte != 0;
}
constexpr decltype(espalier::Behavior::tick) kAnswers[] = {answer<0>, answer<1>, answer<2>, answer<3>,
                                                           answer<4>, answer<5>, answer<6>, answer<7>};
using FloorLeaf = bool (*)(const unsigned char*);
constexpr FloorLeaf kFloorAnswers[] = {answer_floor<0>, answer_floor<1>, answer_floor<2>, answer_floor<3>,
                                       answer_floor<4>, answer_floor<5>, answer_floor<6>, answer_floor<7>};

espalier_result keep_running(const Call* call) {
  return *static_cast<const unsigned char*>(call->user) != 0 ? Result::running : Result::failure;
}

// Reads its port 0, and writes that and 1 to port 1.
espalier_result count_up(const Call* call) {
  espalier_value value;
  char buffer[ESPALIER_NUMBER_TEXT];
  if (!espalier_read_port(call, 0, &value, buffer)) return Result::failure;
  value.kind = ESPALIER_VALUE_WHOLE;
  ++value.whole;
  return espalier_write_port(call, 1, &value) ? Result::success : Result::failure;
}

// ---- A tree of objects

enum class ObjectStatus : std::uint8_t { idle, running, success, failure };

class Object {
 public:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;
  virtual ObjectStatus tick() = 0;
  virtual void halt() {}

  ObjectStatus execute() {
    status = tick();
    return status;
  }
  void reset() {
    if (status == ObjectStatus::running) halt();
    status = ObjectStatus::idle;
  }
  ObjectStatus status = ObjectStatus::idle;
};

class ObjectLeaf : public Object {
 public:
  explicit ObjectLeaf(int leaf) : leaf_(leaf) {}
  ObjectStatus tick() override {
    return kFloorAnswers[leaf_](&leaf_bytes[leaf_]) ? ObjectStatus::success : ObjectStatus::failure;
  }

 private:
  int leaf_;
};

class ObjectList : public Object {
 public:
  explicit ObjectList(bool is_sequence)
      : goes_on_(is_sequence ? ObjectStatus::success : ObjectStatus::failure),
        ends_(is_sequence ? ObjectStatus::failure : ObjectStatus::success) {}
  void add(std::unique_ptr<Object> child) { children_.push_back(std::move(child)); }
  ObjectStatus tick() override {
    status = ObjectStatus::running;
    while (at_ < children_.size()) {
      const ObjectStatus result = children_[at_]->execute();
      if (result == ObjectStatus::running) return result;
      if (result == ends_) {
        halt();
        return ends_;
      }
      ++at_;
    }
    halt();
    return goes_on_;
  }
  void halt() override {
    for (const std::unique_ptr<Object>& child : children_) child->reset();
    at_ = 0;
  }

 private:
  const ObjectStatus goes_on_;
  const ObjectStatus ends_;
  std::vector<std::unique_ptr<Object>> children_;
  std::size_t at_ = 0;
};

std::unique_ptr<Object> object_of(const pugi::xml_node& xml) {
  const std::string_view name = xml.name();
  if (name.substr(0, 3) == "Act") return std::make_unique<ObjectLeaf>(name.back() - '0');
  auto list = std::make_unique<ObjectList>(name == "Sequence");
  for (const pugi::xml_node& child : xml) list->add(object_of(child));
  return list;
}

// ---- Agents

struct Flock {
  Compiled compiled;
  espalier::Tree tree;
  std::size_t block_words = 0;
  std::vector<std::uint64_t> blocks;
  std::size_t agent_count = 0;
  std::vector<espalier::Behavior> behaviors;
  std::vector<espalier::Behavior> conditions;
  espalier::Host host;
  std::shared_ptr<Peer> peer;  // the same tree; null: there is no peer
  std::unique_ptr<Object> object;
  int update_count = 0;     // in one measurement
  int condition_count = 0;  // asked by an update before the running action
  Result result = Result::error;
};

void bind(std::string_view name, espalier::Behavior& behavior) {
  const bool is_numbered = name != "Run" && name != "Count";
  const int leaf = is_numbered ? name.back() - '0' : 0;
  behavior.tick = is_numbered ? kAnswers[leaf] : name == "Run" ? keep_running : count_up;
  behavior.user = &leaf_bytes[leaf];
}

// A tree in the XML that peers read, in the library's own. The leaves Act0 to Act7 are `kind`.
std::string translated(const std::string& root, const std::string& kind) {
  std::string text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\">" + root + "</BehaviorTree><TreeNodesModel>";
  for (int leaf = 0; leaf < 8; ++leaf) text += "<" + kind + " ID=\"Act" + std::to_string(leaf) + "\"/>";
  text += "<Action ID=\"Run\"/><Action ID=\"Count\"><input_port name=\"from\" type=\"int\"/>";
  text += "<output_port name=\"to\" type=\"int\"/></Action></TreeNodesModel></root>";
  constexpr std::string_view kSelector = "Selector>";
  for (std::size_t at = text.find(kSelector); at != std::string::npos; at = text.find(kSelector)) {
    text.replace(at, kSelector.size(), "Fallback>");
  }
  return text;
}

// What scripts and ports of the trees use; peers have them too.
void set_entry(const espalier::Tree& tree, void* block, const char* name) {
  espalier_value one;
  one.kind = ESPALIER_VALUE_WHOLE;
  one.whole = 1;
  std::uint32_t entry = 0;
  if (espalier_find_entry(tree, "", name, &entry) == espalier::Status::ok) espalier_set_entry(tree, block, entry, &one);
}

void make_flock(const std::string& root, const std::string& kind, std::size_t agents, int updates, Flock& flock) {
  compile(translated(root, kind), flock.compiled);
  flock.tree = espalier::tree(flock.compiled.asset, 0);
  flock.block_words = espalier::agent_bytes(flock.tree) / 8;
  flock.agent_count = agents;
  flock.blocks.resize(agents * flock.block_words);
  flock.behaviors.resize(espalier::behavior_count(flock.compiled.asset));
  flock.conditions.resize(espalier::host_condition_count(flock.compiled.asset));
  for (std::uint32_t i = 0; i < flock.behaviors.size(); ++i) {
    bind(espalier::behavior_name(flock.compiled.asset, i), flock.behaviors[i]);
  }
  for (std::uint32_t i = 0; i < flock.conditions.size(); ++i) {
    bind(espalier::host_condition_name(flock.compiled.asset, i), flock.conditions[i]);
  }
  flock.host.behaviors = flock.behaviors.data();
  flock.host.conditions = flock.conditions.data();
  flock.update_count = updates;
  for (std::size_t i = 0; i < agents; ++i) {
    espalier::start(flock.tree, &flock.blocks[i * flock.block_words]);
    for (const char* const name : kEntries) set_entry(flock.tree, &flock.blocks[i * flock.block_words], name);
    flock.result = espalier::update(flock.tree, &flock.blocks[i * flock.block_words], flock.host);
  }
}

// ---- What is measured

double update_one(void* data) {
  Flock& flock = *static_cast<Flock*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < flock.update_count; ++i) {
    benchmark::DoNotOptimize(espalier::update(flock.tree, flock.blocks.data(), flock.host));
  }
  return seconds_since(begin);
}

double update_prepared(void* data) {
  Flock& flock = *static_cast<Flock*>(data);
  const espalier::Prepared prepared = espalier::prepare(flock.tree);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < flock.update_count; ++i) {
    benchmark::DoNotOptimize(espalier::update(prepared, flock.blocks.data(), flock.host));
  }
  return seconds_since(begin);
}

double update_all(void* data) {
  Flock& flock = *static_cast<Flock*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < flock.update_count; ++i) {
    espalier::update_all(flock.tree, flock.blocks.data(), flock.block_words * 8, flock.agent_count, flock.host);
  }
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

double tick_by_calls(void* data) {
  const Flock& flock = *static_cast<Flock*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < flock.update_count; ++i) {
    benchmark::DoNotOptimize(kTickingFloor.tick_by_calls(kFloorAnswers, leaf_bytes));
  }
  return seconds_since(begin);
}

double tick_object(void* data) {
  const Flock& flock = *static_cast<Flock*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < flock.update_count; ++i) {
    benchmark::DoNotOptimize(flock.object->execute());
    flock.object->reset();
  }
  return seconds_since(begin);
}

double tick_peer(void* data) {
  const Flock& flock = *static_cast<Flock*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < flock.update_count; ++i) benchmark::DoNotOptimize(tick(*flock.peer));
  return seconds_since(begin);
}

// For each agent the conditions that come before its running action, and the action.
double call_leaves(void* data) {
  const Flock& flock = *static_cast<Flock*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < flock.update_count; ++i) {
    for (std::size_t agent = 0; agent < flock.agent_count; ++agent) {
      for (int leaf = 0; leaf <= flock.condition_count; ++leaf) {
        FloorLeaf called = kFloorAnswers[leaf % 4];
        benchmark::DoNotOptimize(called);
        benchmark::DoNotOptimize(called(leaf_bytes + leaf % 4));
      }
    }
  }
  return seconds_since(begin);
}

// ---- Inputs

std::string nested(const std::string& kind, int depth, const std::string& guard) {
  std::string xml = "<Run/>";
  for (int i = 0; i < depth; ++i) xml = "<" + kind + ">" + guard + xml + "</" + kind + ">";
  return xml;
}

std::string body_of_floor() {
  const std::string_view xml = kTickingFloor.xml;
  constexpr std::string_view kBegin = "<Root>";
  const std::size_t begin = xml.find(kBegin) + kBegin.size();
  return std::string(xml.substr(begin, xml.rfind("</Root>") - begin));
}

// A sequence of ten such nodes.
std::string ten(const std::string& node) {
  std::string xml;
  for (int i = 0; i < 10; ++i) xml += node;
  return "<Sequence>" + xml + "</Sequence>";
}

std::string peer_xml(const std::string& root) { return "<BehaviorTree><Root>" + root + "</Root></BehaviorTree>"; }

// The rows of trees that a peer ticks too, with its results as they must be. False: they are others.
bool add_peer(Flock& flock, const std::string& what, const std::string& unit, std::size_t count,
              const std::string& root, PeerResult expected) {
  flock.peer = make_peer(peer_xml(root), leaf_bytes);
  if (flock.peer == nullptr) return true;
  add_row(what + ", against BehaviorTree.CPP", unit, count, update_one, tick_peer, &flock);
  return tick(*flock.peer) == expected && tick(*flock.peer) == expected;
}

}  // namespace

bool add_polling(bool quick) {
  static Flock asked, acting, in_sequences, in_reactive, behind, many, with_hooks, scripts, with_ports;
  const int updates = quick ? 20 : 2000;
  const std::size_t agents = quick ? 100 : 10000;
  constexpr int kDepth = 10;
  constexpr int kDone = 200;
  const std::string body = body_of_floor();
  std::string done;
  for (int i = 0; i < kDone; ++i) done += "<Act0/>";
  const std::string reactive = nested("ReactiveSequence", kDepth, "<Act0/>");
  make_flock(body, "Condition", 1, updates, asked);
  make_flock(body, "Action", 1, updates, acting);
  make_flock(nested("Sequence", kDepth, ""), "Condition", 1, updates, in_sequences);
  make_flock(reactive, "Condition", 1, updates, in_reactive);
  make_flock("<Sequence>" + done + "<Run/></Sequence>", "Action", 1, updates, behind);
  make_flock(reactive, "Condition", agents, quick ? 1 : 10, many);
  // They refer to the same two entries, whose values change.
  const std::string hooks = ten("<Act0 _skipIf=\"x == 2\" _onSuccess=\"y := 2\"/>");
  const std::string assignments = ten("<Script code=\"x := x + 1; y := 2\"/>");
  const std::string ports = ten("<Count from=\"{x}\" to=\"{y}\"/>");
  make_flock(hooks, "Action", 1, updates, with_hooks);
  make_flock(assignments, "Action", 1, updates, scripts);
  make_flock(ports, "Action", 1, updates, with_ports);
  in_reactive.condition_count = many.condition_count = kDepth;
  pugi::xml_document document;
  document.load_string(body.c_str());
  asked.object = object_of(document.first_child());

  const std::uint32_t nodes = kTickingFloor.node_count;
  std::printf("%-32s %3zu bytes an agent of %u nodes; %zu with the other sections of its asset\n", "polling tree",
              espalier::agent_bytes(asked.tree), nodes, asked.compiled.size_bytes);
  std::printf("%-32s %3zu bytes an agent of %d nodes\n", "sequence of 200 actions", espalier::agent_bytes(behind.tree),
              kDone + 2);

  const auto count = static_cast<std::size_t>(updates);
  const std::string tree = "polling: " + std::to_string(nodes) + " nodes, all visited";
  const std::string deep = "polling: running action in " + std::to_string(kDepth);
  add_row(tree + ", against calls", "node", count * nodes, update_one, tick_by_calls, &asked);
  add_row(tree + ", against objects", "node", count * nodes, update_one, tick_object, &asked);
  add_row(tree + ", of actions", "node", count * nodes, update_one, tick_by_calls, &acting);
  add_row(deep + " sequences, prepared", "update", count, update_prepared, call_leaves, &in_sequences);
  add_row(deep + " reactive sequences, prepared", "update", count, update_prepared, call_leaves, &in_reactive);
  add_row("polling: running action behind 200 done, prepared", "update", count, update_prepared, call_leaves, &behind);
  add_row("polling: " + std::to_string(agents) + " agents: running action in 10 reactive sequences", "agent",
          agents * static_cast<std::size_t>(many.update_count), update_all, call_leaves, &many);

  const std::string hooks_row = "polling: an action with _skipIf and _onSuccess";
  const std::string scripts_row = "polling: a script of two assignments";
  const std::string ports_row = "polling: an action that reads a port and writes one";
  add_row(hooks_row, "node", count * 10, update_prepared, call_leaves, &with_hooks);
  add_row(scripts_row, "node", count * 10, update_prepared, call_leaves, &scripts);
  add_row(ports_row, "node", count * 10, update_prepared, call_leaves, &with_ports);

  const bool is_peer_same =
      add_peer(asked, tree, "node", count * nodes, body, PeerResult::success) &&
      add_peer(in_sequences, deep + " sequences", "update", count, nested("Sequence", kDepth, ""),
               PeerResult::running) &&
      add_peer(in_reactive, deep + " reactive sequences", "update", count, reactive, PeerResult::running) &&
      add_peer(with_hooks, hooks_row, "node", count * 10, hooks, PeerResult::success) &&
      add_peer(scripts, scripts_row, "node", count * 10, assignments, PeerResult::success) &&
      add_peer(with_ports, ports_row, "node", count * 10, ports, PeerResult::success);
  const bool same = is_peer_same && asked.result == Result::success && acting.result == Result::success &&
                    asked.object->execute() == ObjectStatus::success && in_sequences.result == Result::running &&
                    in_reactive.result == Result::running && behind.result == Result::running &&
                    with_hooks.result == Result::success && scripts.result == Result::success &&
                    with_ports.result == Result::success && many.result == Result::running;
  asked.object->reset();
  if (!same) std::printf("THE TWO SIDES OF TREES THAT POLL DIFFER\n");
  return same;
}

}  // namespace bench
