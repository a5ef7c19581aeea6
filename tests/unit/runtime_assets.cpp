// Assets for tests, unchanged and split into sections. See the header.
#include "runtime_assets.h"
#include "payloads.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "codegen/compile.h"
#include "codegen/dump/disassemble.h"
#include "runtime/asset/hash.h"
#include "runtime/asset/view.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/select.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace espalier::test {
namespace {

ir::ConditionIndex add_condition(DraftTree& tree, std::vector<ir::Term> terms) {
  tree.conditions.push_back({std::move(terms), {}});
  return static_cast<ir::ConditionIndex>(tree.conditions.size() - 1);
}

Draft node(Opcode opcode, std::string name, std::vector<Draft> children = {}) {
  Draft made = node_of(opcode, std::move(name), {}, std::move(children));
  if (opcode == opcode::select_leaf) made.as<ir::Leaf>().behavior = made.name;
  return made;
}

// Priorities, a machine in a machine, a subtree that is used twice, a condition that stores intermediate results, more
// variables than a word has bits, signals: every kind of record in an asset, with as few of each as possible.
DraftTree small_tree_of_everything(std::string name) {
  DraftTree tree;
  tree.name = std::move(name);
  for (int i = 0; i < 34; ++i) tree.variables.push_back({"v" + std::to_string(i), i == 1, {}});
  using enum ir::TermKind;
  const auto v0 = add_condition(tree, {{variable, 0}});
  const auto v33 = add_condition(tree, {{variable, 33}});
  const auto nested = add_condition(tree, {{variable, 0},
                                           {variable, 1},
                                           {exclusive, 0, 1},
                                           {variable, 2},
                                           {variable, 33},
                                           {exclusive, 3, 4},
                                           {disjunction, 2, 5}});
  const auto both = add_condition(tree, {{variable, 1}, {negation, 0}, {variable, 2}, {conjunction, 1, 2}});
  tree.signals.push_back({"s0", {{0, v33, {}}, {33, v0, {}}}, {}});
  tree.signals.push_back({"s1", {{2, nested, {}}}, {}});

  Draft used_twice = node(opcode::select_priority, "Weapons",
                          {node(opcode::select_leaf, "Shoot"), node(opcode::select_leaf, "Reload"),
                           node(opcode::select_leaf, "Aim"), node(opcode::select_leaf, "Wait")});
  set_condition(used_twice.children[0], v0);
  set_condition(used_twice.children[1], both);

  Draft inner = node(opcode::select_machine, "Inner",
                     {node(opcode::select_state, "A", {node(opcode::select_leaf, "InnerA")}),
                      node(opcode::select_state, "B", {used_twice})});
  inner.children[0].as<ir::Transitions>().transitions = {{1, v33, {}}};
  inner.children[1].as<ir::Transitions>().transitions = {{0, both, {}}, {1, v0, {}}};
  Draft outer =
      node(opcode::select_machine, "Outer",
           {node(opcode::select_state, "C", {std::move(inner)}), node(opcode::select_state, "D", {used_twice})});
  outer.children[0].as<ir::Transitions>().transitions = {{1, nested, {}}};
  set_condition(outer, both);
  set_condition(used_twice, nested);
  tree.root = node(opcode::select_priority, "Root",
                   {std::move(outer), std::move(used_twice), node(opcode::select_leaf, "Idle")});
  return tree;
}

}  // namespace

Bytes compiled_bytes(const DraftProject& project, bool strip) {
  test::Compiled compiled;
  test::compile(project, compiled, strip);
  Bytes bytes(compiled.size_bytes);
  std::memcpy(bytes.data(), compiled.words.data(), bytes.size());
  return bytes;
}

Bytes unopened_bytes(const DraftProject& project) {
  text::Sources sources;
  sources.add("trees.xml", "");
  text::Findings findings;
  codegen::CompileOptions options;
  options.strip = true;
  std::size_t size_bytes = 0;
  const std::vector<std::uint64_t> words = codegen::compile(project, sources, options, findings, &size_bytes);
  Bytes bytes(size_bytes);
  std::memcpy(bytes.data(), words.data(), size_bytes);
  return bytes;
}

Bytes small_asset(bool strip) {
  DraftProject project;
  project.trees.push_back(small_tree_of_everything("T"));
  return compiled_bytes(project, strip);
}

std::uint64_t mend_hash(Bytes& bytes) {
  if (bytes.size() < sizeof(layout::Header)) return 0;
  const std::uint64_t hash = asset_hash(bytes.data(), bytes.size());
  std::memcpy(bytes.data() + offsetof(layout::Header, hash), &hash, sizeof hash);
  return hash;
}

namespace {

// Reads a name to its end, so that a sanitizer notices one without an end.
std::size_t touch(std::string_view name) { return std::strlen(name.data()) + name.size(); }

void touch_names(const Tree& tree) {
  std::size_t total = touch(tree_name(tree));
  for (std::uint32_t i = 0; i < variable_count(tree); ++i) total += touch(variable_name(tree, i));
  for (std::uint32_t i = 0; i < signal_count(tree); ++i) total += touch(signal_name(tree, i));
  for (std::uint32_t i = 0; i < leaf_count(tree); ++i)
    total += touch(behavior_name(*tree.asset, leaf_behavior(tree, i)));
  for (std::uint32_t i = 0; i < rule_count(tree); ++i) total += touch(rule_id(tree, i));
  std::uint32_t id = 0;
  total += find_variable(tree, "v1", &id) == Status::ok ? 1 : 0;
  total += find_signal(tree, "s1", &id) == Status::ok ? 1 : 0;
  const bool may_be_empty = rule_count(tree) > 0 || engine_id_of(tree) == EngineId::store ||
                            engine_id_of(tree) == EngineId::poll;  // no variable or signal
  if (total == 0 && !may_be_empty) FAIL("a name is not even a NUL");
}

// The environment of an agent: blocks of exactly their sizes, and a host that answers by dice.
class Run {
 public:
  Run(const Tree& tree, std::uint64_t seed)
      : tree_(tree),
        random_{seed},
        block_(new unsigned char[agent_bytes(tree)]),
        shared_(new unsigned char[shared_bytes(tree)]),
        group_(new unsigned char[group_bytes(*tree.asset)]),
        scratch_(new unsigned char[scratch_bytes(tree)]),
        table_(behavior_count(*tree.asset)),
        conditions_(host_condition_count(*tree.asset)) {
    for (Behavior& behavior : table_) {
      behavior = {on_call, on_call, on_update, on_call, on_call, on_call, on_gate, on_gate, on_activate, on_call};
    }
    for (Behavior& condition : conditions_) {
      condition.ask = on_condition;
      condition.decide = on_decide;
    }
    host_.behaviors = table_.data();
    host_.conditions = conditions_.data();
    host_.user = this;
    host_.shared = shared_.get();
    host_.group = group_.get();
    host_.scratch = scratch_.get();
    host_.script = on_script;
    host_.log = on_log;
    host_.queue = on_queue;
    host_.too_deep = on_too_deep;
    history_.entries = completed_;
    history_.capacity = 4;
    start_shared(tree, shared_.get());
    start_group(*tree.asset, group_.get());
    start(tree, block_.get());
    espalier::seed(tree, block_.get(), seed);
  }

  void run() {
    const auto saved = std::make_unique<unsigned char[]>(agent_bytes(tree_));
    std::memcpy(saved.get(), block_.get(), agent_bytes(tree_));
    for (int step = 0; step < 12; ++step) {
      host_.clock_us += 60;
      if (variable_count(tree_) > 0) set(tree_, block_.get(), random_.below(variable_count(tree_)), random_.chance(50));
      if (signal_count(tree_) > 0) signal(tree_, block_.get(), random_.below(signal_count(tree_)), host_);
      check(step % 3 == 0
                ? update_watched(tree_, block_.get(), host_, {on_step, this, on_node, nullptr, on_decide_step})
                : update(tree_, block_.get(), host_));
      look();
      if (step == 5) std::memcpy(saved.get(), block_.get(), agent_bytes(tree_));
      if (step == 8) restore(tree_, block_.get(), saved.get(), host_);
      if (rule_count(tree_) > 0 && step % 4 == 1) jump_about();
      if (stimulus_count(tree_) > 0) change_stimuli();
      const std::uint32_t slots = engine_id_of(tree_) == EngineId::store ? slot_count(*tree_.asset) : 0;
      for (std::uint32_t i = 0; i < slots; ++i) put_into(i);
    }
    for (std::uint32_t i = 0; i < variable_count(tree_); ++i) set(tree_, block_.get(), i, true);
    check(update(tree_, block_.get(), host_));
  }

  // Continues in another tree of the asset, until its end, and afterwards from here.
  void move(const Tree& tree) {
    const std::array<Bytes, 3> before = {copy(block_, agent_bytes(tree_)), copy(shared_, shared_bytes(tree_)),
                                         copy(group_, group_bytes(*tree_.asset))};
    Run to(tree, 1);
    to.host_.group = group_.get();
    to.host_.clock_us = host_.clock_us;
    move_agent(tree_, block_.get(), host_, tree, to.block_.get(), to.host_);
    to.look();
    to.check(update(tree, to.block_.get(), to.host_));
    to.end();
    end_of_shared();
    std::copy(before[0].begin(), before[0].end(), block_.get());
    std::copy(before[1].begin(), before[1].end(), shared_.get());
    std::copy(before[2].begin(), before[2].end(), group_.get());
  }

  void end() {
    stop(tree_, block_.get(), host_);
    end_of_shared();
    end_of_places(static_cast<unsigned char*>(host_.group), group_bytes(*tree_.asset));
  }

 private:
  static Bytes copy(const std::unique_ptr<unsigned char[]>& block, std::size_t size_bytes) {
    return {block.get(), block.get() + size_bytes};
  }
  static Run& of(const Call* call) { return *static_cast<Run*>(call->host->user); }
  static void on_call(const Call* call) {
    fill_memory(call);
    for (std::uint32_t i = 0; i < parameter_count(call); ++i) {
      const Parameter found = parameter(call, i);
      of(call).touched_ += touch(found.name) + touch(found.text);
    }
  }
  static espalier_result on_update(const Call* call) {
    fill_memory(call);
    return static_cast<Result>(of(call).random_.below(4));
  }
  static bool on_gate(const Call* call) { return of(call).random_.chance(80); }
  static bool on_condition(const Call* call) {
    on_call(call);
    of(call).touched_ += touch(host_condition_name(*call->tree.asset, call->behavior));
    return on_gate(call);
  }
  // Nodes that call these have no parameters, whatever their operands are.
  static void have_no_parameters(const Call* call) {
    if (parameter_count(call) != 0) FAIL("a node without parameters has some");
  }
  static bool on_script(const Call* call, std::uint32_t script) {
    have_no_parameters(call);
    of(call).touched_ += touch(script_text(*call->tree.asset, script));
    return of(call).random_.chance(80);
  }
  static void on_log(const Call* call, const char* text) {
    have_no_parameters(call);
    of(call).touched_ += touch(text);
  }
  static void on_queue(const Call* call, std::uint32_t signal, espalier_receivers) {
    have_no_parameters(call);
    of(call).touched_ += touch(signal_name(call->tree, signal));
  }
  static void on_step(void* user, const Step*) { ++static_cast<Run*>(user)->touched_; }
  static void on_node(void* user, const NodeStep* step) {
    Run& run = *static_cast<Run*>(user);
    record(run.history_, *step, run.host_.clock_us);
    Result result = Result::running;
    run.touched_ += node_result(run.tree_, run.block_.get(), step->node_word, &result) ? 1 : 0;
    run.touched_ += touch(node_name(*run.tree_.asset, step->node_word));
    run.touched_ += touch(node_place(*run.tree_.asset, step->node_word).file);
  }
  static void on_decide_step(void* user, const DecideStep* step) {
    Run& run = *static_cast<Run*>(user);
    print_step(run.tree_, run.block_.get(), *step, run.host_.clock_us, 0, on_piece, user);
  }
  static void on_piece(void* user, const char*, std::size_t size_bytes) {
    static_cast<Run*>(user)->touched_ += size_bytes;
  }
  // A Decide fills its block, a behaviour its memory: both are in valid places.
  static double on_decide(const Call* call) {
    Run& run = of(call);
    if (call->activation->block_bytes > 0) std::memset(call->activation->block, 0xAB, call->activation->block_bytes);
    run.touched_ += touch(host_condition_name(*call->tree.asset, call->behavior));
    return static_cast<double>(run.random_.below(4)) - 1;
  }
  static bool on_activate(const Call* call) {
    fill_memory(call);
    return on_gate(call);
  }
  static void fill_memory(const Call* call) {
    if (call->memory_bytes > 0) std::memset(call->memory, 0xCD, call->memory_bytes);
    if (call->activation != nullptr && call->activation->memory != call->memory) FAIL("a behaviour has two memories");
  }
  static void on_active(void* user, std::uint32_t node_word) {
    Run& run = *static_cast<Run*>(user);
    run.touched_ += present_state(run.tree_, run.block_.get(), node_word);
    run.touched_ += wait_end_us(run.tree_, run.block_.get(), node_word);
  }

  void check(Result result) const {
    const std::uint32_t leaf = current_leaf(tree_, block_.get());
    if (engine_id_of(tree_) == EngineId::select && (result == Result::running) != (leaf < leaf_count(tree_))) {
      FAIL("a leaf that is none");
    }
    if ((current_behavior(tree_, block_.get()) == kNoBehavior) != (leaf == kNoLeaf)) FAIL("a behaviour of no leaf");
    if (is_stopped(tree_, block_.get()) && result == Result::running) FAIL("a tree runs that has stopped");
  }

  static void on_too_deep(const Call* call, std::uint32_t slot) {
    have_no_parameters(call);
    of(call).touched_ += touch(slot_name(*call->tree.asset, slot));
  }

  // Trees that store: any tree of the asset, or none, into a slot.
  void put_into(std::uint32_t slot) {
    const std::uint32_t choice = random_.below(tree_count(*tree_.asset) + 1);
    const std::uint32_t injected = choice == 0 ? kNoTree : choice - 1;
    const std::uint32_t before = injected_tree(tree_, block_.get(), slot);
    const Status status = inject(tree_, block_.get(), slot, injected, random_.chance(30), host_);
    const std::uint32_t after = injected_tree(tree_, block_.get(), slot);
    const auto trees = records<layout::StoreTree>(*tree_.asset, layout::SectionId::store_trees);
    const bool keeps_slots = trees[tree_record(tree_).record].child_count > 0;
    if (after != (status == Status::ok && keeps_slots ? injected : before)) FAIL("a slot holds another tree");
  }

  // Deciders: their stimuli, and which of them are active.
  void change_stimuli() {
    const std::uint32_t stimulus_number = random_.below(stimulus_count(tree_));
    StimulusData data;
    data.size_bytes = random_.below(17);
    set_stimulus(tree_, block_.get(), stimulus_number, host_.clock_us, &data);
    StimulusData found;
    if (!stimulus(tree_, block_.get(), stimulus_number, &found) || found.size_bytes != data.size_bytes) {
      FAIL("a stimulus is lost");
    }
    if (random_.chance(50)) clear_stimulus(tree_, block_.get(), stimulus_number);
    set_flags(tree_, block_.get(), random_.below(4));
    touched_ += touch(stimulus_name(tree_, stimulus_number));
    for (std::uint32_t i = 0; i < behavior_flag_count(tree_); ++i) touched_ += touch(behavior_flag_name(tree_, i));
    for (std::uint32_t i = 0; i < active_count(tree_, block_.get()); ++i) {
      const ActiveDecider active = active_decider(tree_, block_.get(), i);
      if (active.activation.memory_bytes > 0) std::memset(active.activation.memory, 1, active.activation.memory_bytes);
      touched_ += decider_name(tree_, active.node_word).size();
    }
  }

  // Rules: their positions, and jumps.
  void jump_about() {
    const std::uint32_t rule = random_.below(rule_count(tree_));
    jump(tree_, block_.get(), rule, host_);
    if (current_rule(tree_, block_.get()) != rule) FAIL("a jump that misses");
    Position position;
    const Status saved = save_position(tree_, block_.get(), &position);
    if ((saved == Status::ok) != !rule_id(tree_, rule).empty()) FAIL("a position without an id");
    if (saved == Status::ok && restore_position(tree_, block_.get(), position) != Status::ok)
      FAIL("an id that is lost");
    touched_ += touch(rule_id(tree_, rule)) + rule_node(tree_, rule);
    for (std::uint32_t around = rule; around != kNoRule; around = rule_parent(tree_, around)) ++touched_;
  }

  void look() {
    visit_active(tree_, block_.get(), on_active, this);
    for (std::uint32_t i = 0; i < timestamp_count(tree_); ++i) {
      std::uint64_t time_us = 0;
      touched_ += touch(timestamp_name(tree_, i)) + (timestamp(tree_, block_.get(), i, &time_us) ? 1 : 0);
    }
    PrintOptions options;
    options.active_only = ++look_count_ % 2 == 0;
    if (options.active_only) {
      options.host = &host_;
      options.history = &history_;
    }
    print(tree_, block_.get(), options, on_piece, this);
  }

  // No gate or group is occupied. In trees that store, times of cooldowns remain.
  void end_of_shared() const {
    if (engine_id_of(tree_) != EngineId::store) return end_of_places(shared_.get(), shared_bytes(tree_));
    const Asset& asset = *tree_.asset;
    const auto* nodes = array<std::uint32_t>(asset, layout::SectionId::nodes);
    const std::uint32_t word_count = record_count(asset, layout::SectionId::nodes);
    for (std::uint32_t word = 0; word < word_count;) {
      const auto opcode = static_cast<Opcode>(nodes[word] & 0xFF);
      const bool is_held = opcode_info(opcode).engine == EngineId::store && shared_bytes(tree_) > 0 &&
                           inside_count(asset, shared_.get(), word) != 0;
      if (is_held) FAIL("a place is held by nobody");
      word += own_words(opcode);
    }
  }
  static void end_of_places(const unsigned char* block, std::size_t size_bytes) {
    for (std::size_t i = 0; i < size_bytes; ++i) {
      if (block[i] != 0) FAIL("a place is held by nobody");
    }
  }

  Tree tree_;
  test::Random random_;
  std::unique_ptr<unsigned char[]> block_;
  std::unique_ptr<unsigned char[]> shared_;
  std::unique_ptr<unsigned char[]> group_;
  std::unique_ptr<unsigned char[]> scratch_;
  std::vector<Behavior> table_;
  std::vector<Behavior> conditions_;
  Completed completed_[4] = {};
  History history_;
  Host host_;
  std::size_t touched_ = 0;
  std::uint32_t look_count_ = 0;
};

// A tree that selects gives the same by tables.
void run_by_tables(const Tree& tree, test::Random random) {
  if (engine_id_of(tree) != EngineId::select) return;
  Prepared prepared = prepare(tree);
  const std::size_t tables_size = tables_bytes(tree);
  if (tables_size == 0 || tables_size > 1000000) return;
  std::vector<std::uint64_t> tables(tables_size / sizeof(std::uint64_t));
  make_tables(&prepared, tables.data());
  std::vector<std::uint64_t> blocks[2];
  const Host host;
  for (auto& block : blocks) {
    block.resize((agent_bytes(tree) + 7) / 8);
    start(tree, block.data());
  }
  for (int round = 0; round < 8; ++round) {
    for (std::uint32_t i = 0; i < variable_count(tree); ++i) {
      const bool value = random.chance(50);
      for (auto& block : blocks) set(tree, block.data(), i, value);
    }
    const Result by_nodes = update(tree, blocks[0].data(), host);
    if (update(prepared, blocks[1].data(), host) != by_nodes || blocks[0] != blocks[1])
      FAIL("tables select another leaf");
  }
}

}  // namespace

Status open_and_run(const Bytes& bytes) {
  const auto exact = std::make_unique<unsigned char[]>(bytes.size());
  if (!bytes.empty()) std::memcpy(exact.get(), bytes.data(), bytes.size());
  Asset asset;
  const Status status = open(exact.get(), bytes.size(), &asset);
  if (status != Status::ok) {
    if (first_byte(asset) != nullptr) FAIL("a refused asset has changed the view");
    return status;
  }
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    touch_names(tree(asset, i));
    Run run(tree(asset, i), i + 1);
    run.run();
    run.move(tree(asset, tree_count(asset) - 1 - i));
    run.end();
    run_by_tables(tree(asset, i), {i + 1});
  }
  // Both forms are written from the same rows, which are most of the work.
  static bool as_json = false;
  as_json = !as_json;
  const std::string text = as_json ? codegen::disassemble_json(asset) : codegen::disassemble(asset);
  if (text.empty()) FAIL("an accepted asset has no text");
  return status;
}

Parts take_apart(const Bytes& bytes) {
  Parts parts;
  layout::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::uint64_t end = sizeof header + header.section_count * sizeof(layout::Section);
  for (std::uint32_t i = 0; i < header.section_count; ++i) {
    layout::Section section;
    std::memcpy(&section, bytes.data() + sizeof header + i * sizeof section, sizeof section);
    const std::uint64_t begin = layout::section_begin(end, section.record_bytes);
    end = begin + section.size_bytes;
    const unsigned char* data = bytes.data() + begin;
    parts[static_cast<layout::SectionId>(section.id)] = Bytes(data, data + section.size_bytes);
  }
  return parts;
}

Bytes assemble(const Parts& parts, std::size_t growth_bytes) {
  const auto is_written = [](const auto& part) {
    return !part.second.empty() || layout::may_be_empty(section_info(part.first).presence);
  };
  const auto count = static_cast<std::uint32_t>(std::count_if(parts.begin(), parts.end(), is_written));
  Bytes bytes(sizeof(layout::Header) + count * sizeof(layout::Section));
  std::size_t place = sizeof(layout::Header);
  for (const auto& part : parts) {
    if (!is_written(part)) continue;
    const auto& [id, data] = part;
    const layout::SectionInfo& info = section_info(id);
    const bool is_optional = layout::is_optional(info.presence);
    const std::size_t growth = info.growth == layout::Growth::grows ? growth_bytes : 0;
    const auto record_bytes = static_cast<std::uint16_t>(info.record_bytes + growth);
    bytes.resize(layout::section_begin(bytes.size(), record_bytes));
    const std::size_t begin = bytes.size();
    for (std::size_t at = 0; at < data.size(); at += info.record_bytes) {
      const std::size_t end = std::min(at + info.record_bytes, data.size());  // tests truncate records
      bytes.insert(bytes.end(), data.begin() + static_cast<std::ptrdiff_t>(at),
                   data.begin() + static_cast<std::ptrdiff_t>(end));
      bytes.insert(bytes.end(), growth, 0xA5);
    }
    const layout::Section section = {static_cast<std::uint8_t>(id),
                                     is_optional ? layout::kSectionOptional : std::uint8_t{0}, record_bytes,
                                     static_cast<std::uint32_t>(bytes.size() - begin)};
    std::memcpy(bytes.data() + place, &section, sizeof section);
    place += sizeof section;
  }
  bytes.resize((bytes.size() + layout::kAlignment - 1) / layout::kAlignment * layout::kAlignment);
  const layout::Header header = {
      layout::kMagic, layout::kMajorVersion, layout::kMinorVersion, bytes.size(), 0, count, 0};
  std::memcpy(bytes.data(), &header, sizeof header);
  mend_hash(bytes);
  return bytes;
}

}  // namespace espalier::test
