// The layout of states, and the steps of a world. See world.h.
#include "explore/world.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "codegen/dump/disassemble.h"
#include "explore/engine.h"
#include "explore/regions.h"
#include "runtime/asset/view.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

constexpr std::size_t kMaxFlags = 8;       // of which each set is one step
constexpr std::size_t kMaxFlagSets = 512;  // otherwise
constexpr std::size_t kMaxLookedAt = std::size_t{1} << 20;

std::size_t rounded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

// Gives each name of one version its id among those of the world. `renamed`: other names of the old version; may be
// null.
void add_ids(const Tree& of, espalier_kind kind, std::vector<std::string>& names, std::vector<std::uint32_t>& ids,
             bool is_exact = true, const std::map<std::string, std::string>* renamed = nullptr) {
  const auto key_of = [&](std::string_view name) { return is_exact ? std::string(name) : text::lower_case(name); };
  std::unordered_map<std::string, std::uint32_t> known;
  for (const std::string& name : names) known.try_emplace(key_of(name), static_cast<std::uint32_t>(known.size()));
  const std::uint32_t count = espalier_count(of, kind);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string name = espalier_name(of, kind, i);
    if (renamed != nullptr && renamed->contains(name)) name = renamed->at(name);
    const auto [place, is_new] = known.try_emplace(key_of(name), static_cast<std::uint32_t>(names.size()));
    if (is_new) names.emplace_back(name);
    const std::uint32_t id = place->second;
    if (id >= ids.size()) ids.resize(id + 1, kNoValue);
    ids[id] = i;
  }
}

}  // namespace

World::World(const std::vector<Version>& versions, const std::vector<std::string>& signal_only, std::size_t own_bytes,
             Facts facts)
    : facts_(std::move(facts)) {
  for (const Version& version : versions) add_side(version);
  const EngineRow* const engine = sides_.front().engine;
  if (facts_.sees_inputs && sides_.size() == 2 && sides_.back().engine == engine && engine->name_entries != nullptr)
    engine->name_entries(sides_.front(), sides_.back(), facts_.host);
  add_host_values();
  for (Side& side : sides_) {
    for (auto* ids : {&side.signals, &side.variables, &side.stimuli, &side.rules, &side.slots, &side.trees}) {
      const std::size_t count = ids == &side.signals     ? signals_.size()
                                : ids == &side.variables ? variables_.size()
                                : ids == &side.stimuli   ? stimuli_.size()
                                : ids == &side.rules     ? rules_.size()
                                : ids == &side.slots     ? slots_.size()
                                                         : trees_.size();
      ids->resize(count, kNoValue);
    }
  }
  find_granule();
  add_steps(signal_only);
  lay_out(own_bytes);
}

std::uint32_t World::add_question(const Question& question) {
  const auto [found, is_new] = numbers_of_names_.try_emplace(question.name, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(HostName{question.name, {}});
  HostName& name = names_[found->second];
  name.is_called |= question.is_called;
  name.is_activated |= question.is_activated;
  name.is_asked |= question.is_asked;
  name.is_decided |= question.is_decided;
  const auto allow = [&](Answer answer) {
    const auto place = std::lower_bound(name.answers.begin(), name.answers.end(), answer);
    if (place == name.answers.end() || *place != answer) name.answers.insert(place, answer);
  };
  const auto is_declared = [&](Result result) { return (question.results >> static_cast<unsigned>(result) & 1) != 0; };
  const bool may_run = question.is_called && !question.is_activated && !question.is_done_at_once;
  if (is_declared(Result::success)) allow(Answer::success);
  if (may_run && is_declared(Result::running)) allow(Answer::running);
  if (is_declared(Result::failure)) allow(Answer::failure);
  if (question.is_activated) allow(Answer::refuse);
  if (question.is_scored) allow(Answer::two);
  if (const auto known = facts_.host.answers.find(question.name); known != facts_.host.answers.end()) {
    constexpr std::pair<Answer, std::string_view> kWords[] = {{Answer::success, "success"},
                                                              {Answer::running, "running"},
                                                              {Answer::failure, "failure"},
                                                              {Answer::skipped, "skipped"}};
    name.answers.clear();
    for (const auto& [answer, word] : kWords) {
      if (answer == Answer::running && question.is_done_at_once) continue;
      if (std::find(known->second.begin(), known->second.end(), word) != known->second.end()) allow(answer);
    }
  }
  if (facts_.host.ends_updates.contains(question.name)) allow(Answer::refuse);
  return found->second;
}

void World::add_declared(const Version& version, std::uint32_t word, Side& side, Question& question) const {
  if (version.results == nullptr || version.results->empty() || !question.is_called) return;
  const codegen::NodeDebug place = codegen::node_debug(*version.tree.asset, word);
  const auto found = version.results->find({std::string(place.file), place.line, place.column});
  if (found == version.results->end()) return;
  question.results = found->second;
  side.declared[word] = found->second;
}

void World::add_side(const Version& version) {
  Side side;
  const Asset& asset = *version.tree.asset;
  side.tree = version.tree;
  side.engine = &row_of(engine_id_of(version.tree));
  side.agent_count = version.agent_count;
  side.block_bytes = static_cast<std::uint32_t>(rounded(agent_bytes(version.tree)));
  side.shared_size = rounded(shared_bytes(version.tree));
  side.behaviors.assign(behavior_count(asset), side.engine->behavior);
  side.conditions.assign(host_condition_count(asset), side.engine->condition);
  side.behavior_names.resize(side.behaviors.size(), kNoValue);
  side.condition_names.resize(side.conditions.size(), kNoValue);
  const auto agents = side.engine->agents;
  if (agents != nullptr && !version.are_all_agents)
    leaves_out_steps_ |= agents(version.tree).needed > version.agent_count;
  std::vector<std::uint32_t> node_counts;  // by name
  side.engine->questions(version.tree, [&](Question question, std::uint32_t id, NodeAsks asks, std::uint32_t word) {
    add_declared(version, word, side, question);
    const std::uint32_t name = add_question(question);
    side.asked_names.insert(name);
    node_counts.resize(names_.size(), 0);
    ++node_counts[name];
    if (side.engine->was_idle != nullptr && facts_.host.fails_anew.contains(question.name))
      side.fails_anew.insert(word);
    if (asks == NodeAsks::behavior) side.behavior_names[id] = name;
    if (asks == NodeAsks::condition) side.condition_names[id] = name;
    if (asks != NodeAsks::script) return;
    side.script_names[word] = name;
    names_[name].is_script = true;
  });
  side.has_limits = !side.declared.is_empty() || !side.fails_anew.empty();
  if (side.engine->prepare != nullptr) side.engine->prepare(side, facts_);
  for (const std::uint32_t count : node_counts) side.is_asked_once.push_back(side.is_passed_once && count == 1);
  add_ids(version.tree, ESPALIER_SIGNALS, signals_, side.signals);
  add_ids(version.tree, ESPALIER_VARIABLES, variables_, side.variables, side.engine->has_flags);
  add_ids(version.tree, ESPALIER_STIMULI, stimuli_, side.stimuli);
  if (side.engine->has_jumps) add_ids(version.tree, ESPALIER_RULES, rules_, side.rules);
  if (side.engine->may_inject != nullptr) {
    add_ids({&asset, 0}, ESPALIER_SLOTS, slots_, side.slots);
    add_ids({&asset, 0}, ESPALIER_TREES, trees_, side.trees, true, facts_.renamed_trees);
  }
  if (side.engine->host.queue != nullptr) side.group_size = rounded(group_bytes(asset));
  sides_.push_back(std::move(side));
}

// All versions get the same values.
void World::add_host_values() {
  HostValues all;
  for (const Side& side : sides_) {
    if (side.engine->host_values == nullptr) continue;
    const HostValues values = side.engine->host_values(side, facts_.host);
    for (const auto& [name, literals] : values.entries) all.entries[name].add(literals);
    for (const auto& [output, literals] : values.outputs) all.outputs[output].add(literals);
    if (!values.limit.empty()) limit_ = values.limit;
  }
  for (const auto& [name, literals] : all.entries) {
    entries_.push_back(name);
    entry_values_.push_back(representatives(literals));
  }
  for (Side& side : sides_) {
    for (const std::string& name : entries_) {
      std::uint32_t entry = kNoValue;
      static_cast<void>(espalier_find_entry(side.tree, "", name.c_str(), &entry));
      side.entries.push_back(entry);
    }
  }
  for (HostName& name : names_) add_answers_with_outputs(name, all);
  leaves_out_steps_ = leaves_out_steps_ || !limit_.empty();
}

// One for each word and each choice of a value, or none, for each output.
void World::add_answers_with_outputs(HostName& name, const HostValues& values) {
  std::vector<replay::TraceOutputs> choices = {{}};
  for (const auto& [output, literals] : values.outputs) {
    if (output.first != name.name) continue;
    std::vector<replay::TraceOutputs> more = choices;
    for (const EntryValue& value : representatives(literals)) {
      for (replay::TraceOutputs outputs : choices) {
        outputs.push_back({output.second, value});
        more.push_back(std::move(outputs));
      }
    }
    choices = std::move(more);
    if (choices.size() <= kMostWithOutputs / 4) continue;
    choices.resize(kMostWithOutputs / 4);
    limit_ = "not all outputs of '" + name.name + "' were tried together";
  }
  const std::vector<Answer> words = name.answers;
  for (std::size_t i = 1; i < choices.size(); ++i) {
    for (const Answer word : words) {
      name.answers.push_back(static_cast<Answer>(kFirstWithOutputs + name.written.size()));
      name.written.push_back({word, choices[i]});
    }
  }
}

void World::add_steps(const std::vector<std::string>& signal_only) {
  const std::string tree(tree_name(sides_.back().tree));
  const auto is_signal_only = [&](const std::string& variable) {
    return std::any_of(signal_only.begin(), signal_only.end(), [&](const std::string& name) {
      return equal_any_case(name, variable) || equal_any_case(name, tree + '/' + variable);
    });
  };
  const auto has = [&](auto EngineRow::*member) {
    return std::any_of(sides_.begin(), sides_.end(),
                       [&](const Side& side) { return static_cast<bool>(side.engine->*member); });
  };
  const bool has_several = agent_count() > 1;
  const auto add = [&](Step step) {
    for (std::uint32_t agent = 0; agent < agent_count(); ++agent) {
      step.agent = static_cast<std::uint8_t>(agent);
      steps_.push_back(step);
    }
    step.agent = kAllAgents;
    if (has_several) steps_.push_back(step);
  };
  const auto count = [](const auto& names) { return static_cast<std::uint32_t>(names.size()); };
  for (std::uint32_t i = 0; i < count(signals_) && has(&EngineRow::has_signals); ++i)
    add({.kind = StepKind::signal, .id = i});
  for (std::uint32_t i = 0; i < count(variables_) && has(&EngineRow::has_variables); ++i) {
    if (is_signal_only(variables_[i]) || facts_.host.unset_variables.contains(variables_[i])) continue;
    for (const std::uint64_t value : {1, 0}) add({.kind = StepKind::set, .id = i, .value = value});
  }
  for (std::uint32_t i = 0; i < count(entries_); ++i) {
    for (std::uint64_t value = 0; value < entry_values_[i].size(); ++value) {
      add({.kind = StepKind::write, .id = i, .value = value});
    }
  }
  if (has(&EngineRow::halt)) add({.kind = StepKind::halt});
  for (const std::uint64_t bits : flag_sets()) add({.kind = StepKind::flags, .value = bits});
  for (std::uint32_t i = 0; i < count(stimuli_); ++i) {
    for (const std::uint64_t value : {1, 0}) add({.kind = StepKind::stimulus, .id = i, .value = value});
  }
  for (std::uint32_t i = 0; i < count(rules_); ++i) {
    if (!rules_[i].empty()) add({.kind = StepKind::jump, .id = i});
  }
  if (has(&EngineRow::has_jumps)) add({.kind = StepKind::jump, .id = kReset});
  for (std::uint32_t slot = 0; slot < count(slots_); ++slot) {
    for (std::uint32_t tree_id = 0; tree_id <= count(trees_); ++tree_id) {
      if (!may_inject(slot, tree_id)) continue;
      const std::uint64_t value = tree_id == count(trees_) ? kNoValue : tree_id;
      for (const bool is_immediate : {false, true}) {
        add({.kind = StepKind::inject, .is_immediate = is_immediate, .id = slot, .value = value});
      }
    }
  }
}

// Sets of decision flags, each of them one step: all of few flags. Of many flags, one for each way in which tests of
// preconditions come out together: sets that differ in nothing else have the same effect. The smaller sets come first.
std::vector<std::uint64_t> World::flag_sets() {
  const auto has_flags = [](const Side& side) { return side.engine->has_flags; };
  if (std::none_of(sides_.begin(), sides_.end(), has_flags) || variables_.empty()) return {};
  std::vector<std::uint64_t> sets;
  if (variables_.size() <= kMaxFlags) {
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << variables_.size(); ++bits) sets.push_back(bits);
    return sets;
  }
  const std::vector<FlagTest> tests = flag_tests();
  std::uint64_t tested = 0;
  for (const FlagTest& test : tests) tested |= test.mask;
  has_flag_classes_ = true;
  const auto outcomes_of = [&](std::uint64_t bits) {
    std::vector<bool> outcomes;
    for (const FlagTest& test : tests) {
      const std::uint64_t equal = ~(bits ^ test.value) & test.mask;
      outcomes.push_back(test.is_any ? equal != 0 : equal == test.mask);
    }
    return outcomes;
  };
  // Each set of tested flags is one that was found before with one flag more, or less. One with new outcomes may come
  // from one without, so all are looked at, as long as they are not too many.
  std::unordered_set<std::vector<bool>> known = {outcomes_of(0)};
  std::unordered_set<std::uint64_t> seen = {0};
  sets = {0};
  std::vector<std::uint64_t> looked_at = {0};
  constexpr std::size_t kMaxTested = 20'000'000;  // tests of sets
  const std::size_t limit = std::min(kMaxLookedAt, kMaxTested / (variables_.size() * (tests.size() + 1)) + 1);
  for (std::size_t i = 0; i < looked_at.size(); ++i) {
    const std::uint64_t from = looked_at[i];
    for (std::uint64_t left = tested; left != 0; left &= left - 1) {
      const std::uint64_t flag = left & (~left + 1);
      const std::uint64_t bits = from | flag;
      if (bits == from || flag < from || !seen.insert(bits).second) continue;  // flags are added in their order
      if (looked_at.size() < limit) {
        looked_at.push_back(bits);
      } else {
        leaves_out_steps_ = true;
      }
      if (!known.insert(outcomes_of(bits)).second) continue;
      if (sets.size() < kMaxFlagSets) {
        sets.push_back(bits);
      } else {
        leaves_out_steps_ = true;
      }
    }
  }
  return sets;
}

// Of all versions, with the world's flags.
std::vector<FlagTest> World::flag_tests() const {
  std::vector<FlagTest> tests;
  for (const Side& side : sides_) {
    if (side.engine->flag_tests == nullptr) continue;
    const auto in_world = [&](std::uint64_t bits) {
      std::uint64_t result = 0;
      for (std::size_t i = 0; i < side.variables.size(); ++i) {
        if (side.variables[i] != kNoValue && (bits >> side.variables[i] & 1) != 0) result |= std::uint64_t{1} << i;
      }
      return result;
    };
    side.engine->flag_tests(side.tree, [&](const FlagTest& test) {
      const FlagTest added = {in_world(test.mask), in_world(test.value), test.is_any};
      if (std::find(tests.begin(), tests.end(), added) == tests.end()) tests.push_back(added);
    });
  }
  return tests;
}

bool World::may_inject(std::uint32_t slot, std::uint32_t tree) const {
  return std::any_of(sides_.begin(), sides_.end(), [&](const Side& side) {
    if (side.slots[slot] == kNoValue || side.engine->may_inject == nullptr) return false;
    const bool is_emptied = tree == trees_.size();
    if (!is_emptied && side.trees[tree] == kNoValue) return false;
    return side.engine->may_inject(side.tree, side.slots[slot], is_emptied ? kNoTree : side.trees[tree]);
  });
}

void World::add_host_steps() {
  const auto add = [&](std::uint8_t agent) {
    for (std::uint32_t name = 0; name < names_.size(); ++name) {
      for (const Answer answer : names_[name].answers) {
        steps_.push_back(
            {.kind = StepKind::host, .agent = agent, .id = name, .value = static_cast<std::uint64_t>(answer)});
      }
    }
  };
  for (std::uint32_t agent = 0; agent < agent_count(); ++agent) add(static_cast<std::uint8_t>(agent));
  if (agent_count() > 1) add(kAllAgents);
}

// A tick of an agent that waits for nothing is a duration, too.
void World::find_granule() {
  std::vector<std::uint64_t> durations_us = {kIdle_us};
  if (facts_.watched_us != 0) durations_us.push_back(facts_.watched_us);
  for (const Side& side : sides_) {
    if (side.engine->durations != nullptr) side.engine->durations(side, durations_us);
  }
  for (Side& side : sides_) side.granule_us = granule_of(durations_us);
}

bool World::may_have_free_times() const {
  const Side& side = sides_.front();
  if (facts_.has_free_times || side.engine->has_ends_alone == nullptr || !side.engine->has_ends_alone(side))
    return false;
  std::vector<std::uint64_t> durations_us;
  side.engine->durations(side, durations_us);
  // The clock of explored states must be later than any of them.
  const auto is_long = [](std::uint64_t duration_us) { return duration_us >= kNow; };
  return !durations_us.empty() && std::none_of(durations_us.begin(), durations_us.end(), is_long);
}

HostWrites World::host_writes() const {
  const auto is_text = [](const EntryValue& value) { return value.kind == EntryValue::Kind::text; };
  HostWrites writes = entries_.empty() ? HostWrites::nothing : HostWrites::numbers;
  for (const std::vector<EntryValue>& values : entry_values_) {
    if (std::any_of(values.begin(), values.end(), is_text)) return HostWrites::texts;
  }
  for (const HostName& name : names_) {
    for (const WrittenAnswer& answer : name.written) {
      for (const replay::TraceOutput& output : answer.outputs) {
        if (is_text(output.value)) return HostWrites::texts;
        writes = HostWrites::numbers;
      }
    }
  }
  return writes;
}

void World::lay_out(std::size_t own_bytes) {
  std::size_t offset = 0;
  for (Side& side : sides_) {
    if (side.engine->used_bytes != nullptr)
      side.block_bytes = static_cast<std::uint32_t>(rounded(side.engine->used_bytes(side, host_writes())));
    side.blocks_offset = offset;
    offset += std::size_t{side.block_bytes} * side.agent_count;
    side.shared_offset = offset;
    offset += side.shared_size;
    side.group_offset = offset;
    offset += side.group_size;
    side.queue_offset = offset;
    if (side.has_queue) offset += rounded(std::size_t{2} * (kMaxQueue + 1) * side.agent_count);
  }
  const auto draws = [](const Side& side) {
    const layout::Part* generator = find_part(side.tree, PartKind::generator);
    return generator != nullptr && generator->count > 0;
  };
  has_numbers_ahead_ = sides_.size() > 1 && std::all_of(sides_.begin(), sides_.end(), draws);
  numbers_offset_ = offset;
  if (has_numbers_ahead_) offset += sizeof(NumbersAhead) * agent_count();
  own_offset_ = offset;
  turn_offset_ = own_offset_ + own_bytes;
  answers_offset_ = turn_offset_ + (agent_count() > 1 ? 1 + sides_.size() * agent_count() : 0);
  state_bytes_ = rounded(answers_offset_ + names_.size() * agent_count());
}

std::size_t World::bytes_without_answers() const {
  const bool has_fixed = std::any_of(names_.begin(), names_.end(), [](const HostName& name) { return name.is_fixed; });
  return has_fixed ? state_bytes_ : std::min(state_bytes_, rounded(answers_offset_));
}

void World::start(unsigned char* state) const {
  std::memset(state, 0, state_bytes_);
  Settling settling;
  for (const Side& side : sides_) {
    if (side.shared_size > 0) start_shared(side.tree, state + side.shared_offset);
    for (std::uint32_t agent = 0; agent < side.agent_count; ++agent) {
      unsigned char* begun = block(side, state, agent);
      std::vector<std::uint64_t> whole((agent_bytes(side.tree) + 7) / 8);
      espalier::start(side.tree, whole.data());
      std::memcpy(begun, whole.data(), side.block_bytes);
      side.engine->settle(side, begun, state + side.shared_offset, 0, settling);
    }
    if (side.group_size > 0) start_group(*side.tree.asset, state + side.group_offset);
  }
  for (std::uint32_t name = 0; name < names_.size(); ++name) {
    for (std::uint32_t agent = 0; agent < agent_count() && names_[name].begins_unanswered(); ++agent) {
      *answer(state, agent, name) = static_cast<unsigned char>(Answer::none);
    }
  }
}

// What an agent has are some rows of bytes: its block, the events that wait for it, the host's answers.
void World::sort_agents(unsigned char* state, std::uint32_t first) const {
  const Side& side = sides_.front();
  const std::size_t queue_bytes = side.has_queue ? std::size_t{2} * (kMaxQueue + 1) : 0;
  const std::pair<unsigned char*, std::size_t> rows[] = {{state + side.blocks_offset, side.block_bytes},
                                                         {state + side.queue_offset, queue_bytes},
                                                         {state + answers_offset_, names_.size()}};
  const auto order = [&](std::uint32_t left, std::uint32_t right) {
    for (const auto& [bytes, size] : rows) {
      const int found = std::memcmp(bytes + left * size, bytes + right * size, size);
      if (found != 0) return found;
    }
    return 0;
  };
  for (std::uint32_t end = first + 1; end < agent_count(); ++end) {
    for (std::uint32_t agent = end; agent > first && order(agent - 1, agent) > 0; --agent) {
      for (const auto& [bytes, size] : rows)
        std::swap_ranges(bytes + (agent - 1) * size, bytes + agent * size, bytes + agent * size);
    }
  }
}

std::uint32_t agents_to_explore(const Tree& tree) {
  const EngineRow& row = row_of(engine_id_of(tree));
  return row.agents != nullptr ? row.agents(tree).explored : 1;
}

}  // namespace espalier::explore
