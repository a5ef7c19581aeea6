// Whether properties hold in all runs. See explore.h.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "explore/allowance.h"
#include "explore/explore.h"
#include "explore/find.h"
#include "explore/known.h"
#include "explore/predicate.h"
#include "explore/select/selecting.h"
#include "explore/shown.h"
#include "replay/places.h"
#include "runtime/asset/view.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

// ---- The step of `after`

// A step as a property writes it, in terms of a world. Lists of several flags or variables are one step each of which
// is compared.
bool is_step(const World& world, const text::JsonValue& written, const Step& step) {
  const auto is_named = [&](const std::vector<std::string>& names, std::string_view name, bool is_exact = true) {
    return step.id < names.size() && (is_exact ? names[step.id] == name : equal_any_case(names[step.id], name));
  };
  const auto string_of = [](const text::JsonValue* value) { return value == nullptr ? std::string() : value->string; };
  const auto* value = [&]() -> const text::JsonValue* {
    constexpr std::pair<StepKind, std::string_view> kKeys[] = {
        {StepKind::signal, "signal"}, {StepKind::set, "set"},           {StepKind::flags, "flags"},
        {StepKind::write, "set"},     {StepKind::stimulus, "stimulus"}, {StepKind::jump, "jump"},
        {StepKind::inject, "inject"}, {StepKind::host, "host"},         {StepKind::tick, "tick"}};
    if (step.kind == StepKind::nothing) return &written;
    for (const auto& [kind, key] : kKeys) {
      if (kind == step.kind) return written.find(key);
    }
    return nullptr;
  }();
  if (value == nullptr) return false;
  switch (step.kind) {
    case StepKind::tick:
    case StepKind::nothing:
      return true;
    case StepKind::signal:
      return is_named(world.signals(), value->string);
    case StepKind::set:
      return value->keys.size() == 1 && is_named(world.variables(), value->keys.front().name, false) &&
             value->values.front().boolean == (step.value != 0);
    case StepKind::write: {
      if (value->keys.size() != 1 || !is_named(world.entries(), value->keys.front().name)) return false;
      const std::optional<EntryValue> wanted = replay::trace_value(value->values.front());
      return wanted && text_of(*wanted) == text_of(world.entry_value(step));
    }
    case StepKind::halt:
      return false;
    case StepKind::flags: {
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < world.variables().size(); ++i) {
        const auto is_same = [&](const text::JsonValue& flag) { return flag.string == world.variables()[i]; };
        if (std::any_of(value->values.begin(), value->values.end(), is_same)) bits |= std::uint64_t{1} << i;
      }
      return bits == step.value;
    }
    case StepKind::stimulus: {
      if (written.find("timeout") != nullptr) return false;
      const text::JsonValue* clear = written.find("clear");
      return is_named(world.stimuli(), value->string) && (clear != nullptr && clear->boolean) == (step.value == 0);
    }
    case StepKind::jump:
      return value->kind == text::JsonKind::null ? step.id == kReset : is_named(world.rules(), value->string);
    case StepKind::inject: {
      const text::JsonValue* tree = value->find("tree");
      const text::JsonValue* immediate = written.find("immediate");
      const std::string name = step.value == kNoValue ? "" : world.trees()[static_cast<std::size_t>(step.value)];
      return is_named(world.slots(), string_of(value->find("slot"))) && string_of(tree) == name &&
             (immediate != nullptr && immediate->boolean) == step.is_immediate;
    }
    case StepKind::host: {
      if (value->keys.size() != 1 || step.id >= world.names().size()) return false;
      const HostName& name = world.names()[step.id];
      return name.name == value->keys.front().name &&
             answer_of(name, value->values.front()) == static_cast<Answer>(step.value);
    }
  }
  return false;
}

std::string_view name_without_place(std::string_view name) {
  const auto placed = replay::read_place(name);
  return placed ? placed->name : name;
}

// A step whose answer is for one place, by the name that the world has for the same nodes: "LuaGate@12" is
// "LuaGate@Sequence/LuaGate". As it is, if there is none.
text::JsonValue world_step(const World& world, text::JsonValue step) {
  if (step.kind != text::JsonKind::object) return step;
  for (std::size_t i = 0; i < step.keys.size(); ++i) {
    if (step.keys[i].name != "host" || step.values[i].keys.size() != 1) continue;
    std::string& written = step.values[i].keys.front().name;
    const auto wanted = replay::read_place(written);
    if (!wanted) continue;
    const replay::Places places(world.sides().front().tree);
    const auto nodes = [&](const replay::PlacedName& place) {
      std::set<std::pair<std::uint32_t, std::uint32_t>> found;
      for (const auto& node : places.nodes_at(place, false)) found.emplace(node.word, node.number);
      return found;
    };
    const auto wanted_nodes = nodes(*wanted);
    for (const HostName& name : world.names()) {
      const auto placed = replay::read_place(name.name);
      if (!placed || placed->name != wanted->name || wanted_nodes.empty() || nodes(*placed) != wanted_nodes) continue;
      written = name.name;
      break;
    }
  }
  return step;
}

// Is the step about what the world does not have: a signal that its trees do not hear, names that it does not ask for?
bool has_no_effect(const World& world, const text::JsonValue& written) {
  const auto lacks = [](const std::vector<std::string>& names, std::string_view name) {
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string& each) { return equal_any_case(each, name); });
  };
  const auto lacks_keys = [&](const text::JsonValue& object, const std::vector<std::string>& names) {
    return std::all_of(object.keys.begin(), object.keys.end(),
                       [&](const text::JsonValue::Key& key) { return lacks(names, key.name); });
  };
  const EngineRow& engine = *world.sides().front().engine;
  if (const auto* signal = written.find("signal")) return !engine.has_signals || lacks(world.signals(), signal->string);
  const Tree& tree = world.sides().front().tree;
  const auto* entries = written.find("set");
  if (entries != nullptr && engine.host_values != nullptr) {
    std::uint32_t entry = 0;
    return std::none_of(entries->keys.begin(), entries->keys.end(), [&](const text::JsonValue::Key& key) {
      return espalier_find_entry(tree, "", key.name.c_str(), &entry) == Status::ok;
    });
  }
  if (const auto* set = written.find("set")) return !engine.has_variables || lacks_keys(*set, world.variables());
  if (const auto* host = written.find("host")) {
    // Another place of a name that the world has may be of the same nodes.
    std::vector<std::string> names;
    for (const HostName& name : world.names()) names.emplace_back(name_without_place(name.name));
    return std::all_of(host->keys.begin(), host->keys.end(),
                       [&](const text::JsonValue::Key& key) { return lacks(names, name_without_place(key.name)); });
  }
  const auto* inject = written.find("inject");
  const auto* slot = inject != nullptr ? inject->find("slot") : nullptr;
  return slot != nullptr && std::none_of(world.steps().begin(), world.steps().end(), [&](const Step& step) {
           return step.kind == StepKind::inject && world.slots()[step.id] == slot->string;
         });
}

// ---- One property of one tree

// Is a key of this name in an expectation?
bool speaks_of(const text::JsonValue& expectation, std::string_view key) {
  const bool is_here = std::any_of(expectation.keys.begin(), expectation.keys.end(),
                                   [&](const text::JsonValue::Key& each) { return each.name == key; });
  return is_here || std::any_of(expectation.values.begin(), expectation.values.end(),
                                [&](const text::JsonValue& value) { return speaks_of(value, key); });
}

bool has_text(const text::JsonValue& value) {
  return value.kind == text::JsonKind::string || std::any_of(value.values.begin(), value.values.end(), has_text);
}

// Is an expectation about the data of stimuli?
bool speaks_of_data(const text::JsonValue& expectation) {
  const text::JsonValue* stimuli = expectation.find("stimuli");
  return (stimuli != nullptr && has_text(*stimuli)) ||
         std::any_of(expectation.values.begin(), expectation.values.end(), speaks_of_data);
}

// What a world does not tell apart: the exact times of timestamps, the data of stimuli, and, where there are many, sets
// of decision flags that no precondition tells apart. A claim about these can be refuted, but not proved.
bool is_blurred(const World& world, const Property& property) {
  const bool names_flags = speaks_of(property.expectation, "flags") || property.step.find("flags") != nullptr;
  return speaks_of(property.expectation, "timestamps") || speaks_of_data(property.expectation) ||
         (world.has_flag_classes() && names_flags);
}

// The entries of blackboards that a property is about.
void add_expected(const text::JsonValue& entries, std::vector<ExpectedEntry>& expected) {
  for (std::size_t i = 0; i < entries.keys.size(); ++i) {
    const std::string& key = entries.keys[i].name;
    const text::JsonValue* value = &entries.values[i];
    while (value->kind == text::JsonKind::object && value->find("not") != nullptr) value = value->find("not");
    const std::size_t slash = key.rfind('/');
    const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
    ExpectedEntry entry = {.path = name == 0 ? "" : key.substr(0, slash), .name = key.substr(name)};
    if (const auto wanted = replay::trace_value(*value)) entry.value = *wanted;
    expected.push_back(std::move(entry));
  }
}

void add_expected_in(const text::JsonValue& expectation, std::vector<ExpectedEntry>& expected) {
  for (std::size_t i = 0; i < expectation.keys.size(); ++i) {
    const text::JsonValue* value = &expectation.values[i];
    if (expectation.keys[i].name != "variables") {
      add_expected_in(*value, expected);
      continue;
    }
    while (value->keys.size() == 1 && value->keys.front().name == "not") value = &value->values.front();
    add_expected(*value, expected);
  }
}

std::vector<ExpectedEntry> expected_of(const Property& property) {
  std::vector<ExpectedEntry> expected;
  add_expected_in(property.expectation, expected);
  if (const text::JsonValue* set = property.step.find("set")) add_expected(*set, expected);
  return expected;
}

// Marks: the state that refutes the property, or that it asks for.
constexpr std::uint64_t kShown = 0;

class Proving {
 public:
  Proving(const Property& property, const Tree& tree, const Options& options)
      : property_(property),
        predicate_(property.expectation, tree),
        keeps_status_(speaks_of(property.expectation, "status")),
        world_({{tree, agents_to_explore(tree), &options.host.results}}, options.signal_only, sizeof(Kept),
               {options.host, expected_of(property)}) {
    if (property.kind == PropertyKind::after) world_.add_host_steps();
    own_step_ = world_step(world_, property.step);
  }

  Proof run(const Options& options) {
    Proof proof{.property = property_.name, .tree = std::string(tree_name(world_.sides().front().tree))};
    if (property_.kind == PropertyKind::after && has_no_effect(world_, property_.step))
      world_.add_line_without_effect(step_line(property_));
    if (property_.kind == PropertyKind::after && !may_come()) {
      proof.hint = "exploration does not try this step";
      return proof;
    }
    if (is_known(proof)) return proof;
    const Side& side = world_.sides().front();
    if (side.engine->uses_formulas != nullptr && side.engine->uses_formulas(side.tree, options.method)) {
      run_by_formulas(options, proof);
      write_own_step(proof);
      return proof;
    }
    Observer observer;
    observer.after = [&](Run& run, const Step& step, unsigned char* state) { return look_at(run, step, state); };
    const bool has_more = side.engine->uses_formulas != nullptr && options.method == Method::by_size;
    Allowance left(options.budget);
    const auto begin = std::chrono::steady_clock::now();
    const Findings found = find_all(world_, observer, 1, left.part(has_more ? 2 : 1));
    proof.state_count = proof.used_count = found.state_count;
    proof.expectation = expect_line(property_);
    const auto mark = found.marks.find(kShown);
    if (mark == found.marks.end() && !found.is_complete && has_more) {
      left.use(found.state_count, begin);
      Options own = options;
      own.budget = left.part();
      run_by_formulas(own, proof);
      write_own_step(proof);
      return proof;
    }
    const bool is_wanted = property_.kind == PropertyKind::reachable;
    if (mark == found.marks.end()) {
      const bool is_decided = found.is_complete && !is_blurred(world_, property_);
      if (!found.is_complete) proof.hint = world_.limit();
      if (found.is_complete && !is_decided) proof.hint = "exploration does not distinguish all values that it expects";
      proof.result = !is_decided ? Truth::undecided : is_wanted ? Truth::fails : Truth::holds;
      return proof;
    }
    proof.result = is_wanted ? Truth::holds : Truth::fails;
    proof.trace = mark->second.trace;
    mark->second.show();
    write_own_step(proof);
    if (!is_wanted) explain(proof);
    return proof;
  }

 private:
  // Is it decided without exploring? What needs a trace is not.
  bool is_known(Proof& proof) const {
    const std::optional<bool> value = known_value(predicate_.check(), *world_.sides().front().tree.asset);
    const bool never_holds =
        value == false && (property_.kind == PropertyKind::never || property_.kind == PropertyKind::reachable);
    const bool always_holds =
        value == true && (property_.kind == PropertyKind::always || property_.kind == PropertyKind::after);
    if (!never_holds && !always_holds) return false;
    proof.result = property_.kind == PropertyKind::reachable ? Truth::fails : Truth::holds;
    return true;
  }

  bool is_own_step(const Step& step) const { return is_step(world_, own_step_, step); }

  // Is the step one that is explored? Of others nothing is known: a line that sets several variables, lists of answers,
  // numbers that a Decide function does not give, timeouts; and data that the expectation is about.
  bool may_come() const {
    if (property_.step.find("data") != nullptr && speaks_of_data(property_.expectation)) return false;
    return property_.step.find("tick") != nullptr || std::any_of(world_.steps().begin(), world_.steps().end(),
                                                                 [&](const Step& step) { return is_own_step(step); });
  }

  // A trace has the step as the property has it: with data, or another number that means the same.
  void write_own_step(Proof& proof) const {
    if (property_.kind != PropertyKind::after || !proof.trace || world_.agent_count() > 1) return;
    if (property_.step.find("tick") != nullptr) return;
    for (const Step& step : world_.steps()) {
      if (is_own_step(step)) {
        std::replace(proof.trace->steps.begin(), proof.trace->steps.end(), world_.text(step), step_line(property_));
      }
    }
  }

  void run_by_formulas(const Options& options, Proof& proof) {
    const auto is_trigger = [&](const Step& step) { return is_own_step(step); };
    SelectingProof found = prove_selecting(world_, {property_.kind, predicate_, is_trigger, property_.within}, options);
    proof.result = found.result;
    proof.trace = std::move(found.trace);
    proof.state_count = std::max(proof.state_count, found.state_count);
    if (proof.result == Truth::undecided) proof.used_count += options.budget.states;
    proof.expectation = expect_line(property_);
    place_ = found.place;
    reason_ = std::move(found.reason);
    if (proof.result == Truth::fails && proof.trace) explain(proof);
  }

  // What a state holds beside the world.
  struct Kept {
    std::uint32_t left = 0;    // after: updates in which the expectation must hold at least once. 0: it need not
    std::uint32_t status = 0;  // 1 + that of the last update, if later ones may have none
  };

  // Stopped agents, and those that are not updated now, have the status of their last update.
  Seen seen_of_first(const Run& run, unsigned char* state, Kept& kept) const {
    Seen seen = run.seen(0, 0, state);
    if (!keeps_status_) return seen;
    if (!seen.status && kept.status != 0) seen.status = static_cast<Result>(kept.status - 1);
    const bool may_have_none = world_.agent_count() > 1 || is_stopped(seen.agent.tree, seen.agent.block);
    kept.status = may_have_none && seen.status ? 1 + static_cast<std::uint32_t>(*seen.status) : 0;
    return seen;
  }

  bool look_at(Run& run, const Step& step, unsigned char* state) {
    Kept kept;
    std::memcpy(&kept, world_.own(state), sizeof kept);
    const bool goes_on =
        property_.kind == PropertyKind::after ? follow(run, step, state, kept) : look_at_moment(run, step, state, kept);
    std::memcpy(world_.own(state), &kept, sizeof kept);
    if (goes_on) return true;
    run.mark(kShown);
    if (run.is_telling()) seen_at(run, state);
    return false;
  }

  // never, always, reachable: the moments after an update. False: what is sought holds.
  bool look_at_moment(const Run& run, const Step& step, unsigned char* state, Kept& kept) const {
    const bool is_sought = property_.kind != PropertyKind::always;
    return step.kind != StepKind::tick || predicate_.holds(seen_of_first(run, state, kept)) != is_sought;
  }

  // after: false when the step has come, and the expectation did not hold in time.
  bool follow(const Run& run, const Step& step, unsigned char* state, Kept& kept) const {
    if (step.kind == StepKind::tick) {
      const bool holds = predicate_.holds(seen_of_first(run, state, kept));
      const bool is_update = step.agent == kAllAgents || step.agent == 0;
      if (is_update && kept.left == 1 && !holds) return false;
      if (is_update && kept.left > 0) kept.left = holds ? 0 : kept.left - 1;
    }
    if (kept.left == 0 && is_own_step(step)) kept.left = property_.within;
    return true;
  }

  void seen_at(const Run& run, unsigned char* state) {
    const Seen seen = run.seen(0, 0, state);
    place_ = place_of_shown(seen);
    reason_ = reason_of_shown(seen);
  }

  void explain(Proof& proof) const {
    proof.hint_place = place_;
    proof.hint = reason_;
  }

  const Property& property_;
  text::JsonValue own_step_;  // as the world names it
  const Predicate predicate_;
  const bool keeps_status_;
  World world_;
  SourcePlace place_;  // what is shown when the claim is refuted
  std::string reason_;
};

}  // namespace

std::vector<Proof> prove(const Asset& asset, std::span<const Property> properties, const Options& options,
                         const std::function<void(const Proof& proof)>& done) {
  struct OfTree {
    Allowance left;
    std::uint64_t property_count = 0;  // that are still to be proved
  };
  std::map<std::uint32_t, OfTree> trees;  // by index
  for (const Property& property : properties) {
    for (const Tree& tree : trees_of(property, asset)) {
      ++trees.try_emplace(tree.index, OfTree{Allowance(options.budget)}).first->second.property_count;
    }
  }
  Allowance left(options.total);
  std::vector<Proof> proofs;
  for (const Property& property : properties) {
    for (const Tree& tree : trees_of(property, asset)) {
      if (options.budget.is_interrupted()) {
        proofs.push_back(
            {.property = property.name, .tree = std::string(tree_name(tree)), .hint = std::string(kInterrupted)});
        continue;
      }
      const auto begin = std::chrono::steady_clock::now();
      OfTree& own = trees.at(tree.index);
      Options of_property = options;
      of_property.budget = least(own.left.part(own.property_count--), left.part());
      proofs.push_back(Proving(property, tree, of_property).run(of_property));
      own.left.use(proofs.back().used_count, begin);
      left.use(proofs.back().used_count, begin);
      if (options.budget.is_interrupted() && proofs.back().result == Truth::undecided)
        proofs.back().hint = kInterrupted;
      if (done) done(proofs.back());
    }
  }
  return proofs;
}

}  // namespace espalier::explore
