// Trees that poll: timers and rates wait; actions, conditions and gates are the host's, which also writes entries.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codegen/dump/listing.h"
#include "explore/engine.h"
#include "explore/engines.h"
#include "explore/poll/branches.h"
#include "explore/poll/inputs.h"
#include "explore/poll/progress_of.h"
#include "explore/poll/slice.h"
#include "explore/poll/texts.h"
#include "explore/poll/uses.h"
#include "explore/run.h"
#include "replay/strategy.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/blackboard.h"
#include "runtime/poll/memory.h"
#include "runtime/poll/nodes.h"
#include "runtime/poll/poll.h"
#include "runtime/poll/walk.h"

namespace espalier::explore {
namespace {

using layout::PollPort;
using layout::PollPortKind;

using PolledAt = const std::uint32_t*;

template <typename Visit>
void visit_polled(const PollTreeView& tree, const Visit& visit) {
  for (std::uint32_t i = 0; i < tree.unit.node_count; ++i) visit(tree.node(i));
}

// ---- The host

void visit_poll_questions(const Tree& tree, const EngineRow::VisitQuestion& visit) {
  const Asset& asset = *tree.asset;
  const PollTreeView view(tree);
  visit_polled(view, [&](PolledAt node) {
    const Opcode opcode = opcode_of(node);
    const std::uint32_t host = view.polled_of(node).host;
    if (opcode == opcode::poll_action || opcode == opcode::poll_sync_action) {
      visit({.name = std::string(behavior_name(asset, host)),
             .is_called = true,
             .is_done_at_once = opcode == opcode::poll_sync_action},
            host, NodeAsks::behavior, view.word_of(node));
    } else if (opcode == opcode::poll_condition || opcode == opcode::poll_gate) {
      visit({.name = std::string(host_condition_name(asset, host)), .is_asked = true}, host, NodeAsks::condition,
            view.word_of(node));
    }
  });
}

espalier_result answer_polled(const Call* call, std::uint32_t name, Answer answer) {
  auto& polled = *static_cast<PolledCall*>(call->memory);
  if (Run::of(call).gives_up()) {
    polled.fault = PollFault::bad_answer;  // any: it ends the walk
    polled.is_given_up = true;
    return ESPALIER_FAILURE;
  }
  const HostName& asked = Run::of(call).world().names()[name];
  const auto number = static_cast<std::uint32_t>(answer);
  if (number >= kFirstWithOutputs && !replay::write_outputs(call, asked.written[number - kFirstWithOutputs].outputs))
    return ESPALIER_FAILURE;
  switch (asked.word_of(answer)) {
    case Answer::success:
      return ESPALIER_SUCCESS;
    case Answer::running:
      return ESPALIER_RUNNING;
    case Answer::skipped:
      return ESPALIER_SKIPPED;
    case Answer::refuse:
      polled.fault = PollFault::bad_answer;
      return ESPALIER_FAILURE;
    default:
      return ESPALIER_FAILURE;
  }
}

espalier_result tick_polled(const Call* call) {
  return answer_polled(call, Run::of(call).side().behavior_names[call->behavior], Run::of(call).ask_behavior(call));
}

espalier_result ask_polled(const Call* call) {
  return answer_polled(call, Run::of(call).side().condition_names[call->behavior], Run::of(call).ask_condition(call));
}

bool was_idle(const Side& side, unsigned char* block, std::uint32_t word) {
  const PollTreeView tree(side.tree);
  return PollAgent(tree, block).status(tree.nodes + word) == PollStatus::idle;
}

void prepare_polling(Side& side, const Facts& facts) {
  side.uses = std::make_shared<const PollUses>(side.tree, facts);
  side.branches = std::make_shared<const PollBranches>(*side.uses);
  side.is_passed_once = side.uses->passes_once();
}

HostValues values_of_polling(const Side& side, const HostFacts& host) { return side.uses->host_values(host); }

// Two ways through an update that ask about the same node in the same round, with the same frames around it.
bool add_rest_of_round(const Call& call, std::string& key) {
  const auto& progress = *static_cast<const PollProgress*>(call.memory);
  if (progress.round == 0) return false;
  add_progress(progress, call.node_word, key);
  return true;
}

Result go_on_polling(const Side& side, unsigned char* block, const std::string& rest, const Host& host,
                     const Watcher& watcher) {
  PollProgress asked;
  const PollTreeView& tree = side.uses->tree();
  const std::uint32_t* const node = tree.nodes + read_progress(rest, asked);
  return PollWalk(side.tree, tree, block, host, &watcher).go_on_from(asked, node);
}

// ---- Times

// The time of 1 / hz as nodes compare it; none: it never ends.
std::optional<std::uint64_t> period_us(double hz) {
  constexpr double kLongest_us = 1e15;
  if (std::isnan(hz) || !(1e6 / hz < kLongest_us)) return std::nullopt;
  if (hz < 0) return 0;
  const auto is_over = [&](std::uint64_t time_us) { return static_cast<double>(time_us) / 1e6 >= 1 / hz; };
  auto time_us = static_cast<std::uint64_t>(1e6 / hz);
  while (time_us > 0 && is_over(time_us - 1)) --time_us;
  while (!is_over(time_us)) ++time_us;
  return time_us;
}

double real_of(std::uint64_t bits) {
  double real = 0;
  std::memcpy(&real, &bits, sizeof real);
  return real;
}

void add_poll_durations(const Side& side, std::vector<std::uint64_t>& durations_us) {
  const PollTreeView tree(side.tree);
  visit_polled(tree, [&](PolledAt node) {
    if (shape_of(opcode_of(node)).has_timer) {
      const PollPort& port = tree.port_of(node, poll_ports::kMilliseconds);
      const bool is_whole = static_cast<PollPortKind>(port.kind) == PollPortKind::whole;
      durations_us.push_back(1000 * (is_whole ? tree.number(port.value) : 1));
    } else if (opcode_of(node) == opcode::poll_rate) {
      const PollPort& port = tree.port_of(node, poll_ports::kHz);
      const bool is_real = static_cast<PollPortKind>(port.kind) == PollPortKind::real;
      if (const auto time_us = is_real ? period_us(real_of(tree.number(port.value))) : 1)
        durations_us.push_back(*time_us);
    }
  });
}

// The child of a RateController waits: from when, and how long.
struct RateWait {
  std::uint64_t begin_us = 0;
  std::uint64_t period_us = 0;
};
std::optional<RateWait> rate_wait(const PollAgent& agent, PolledAt node) {
  if (opcode_of(node) != opcode::poll_rate || agent.status(node) == PollStatus::idle) return std::nullopt;
  const std::optional<std::uint64_t> time_us = period_us(real_of(load_u64(agent.memory(node) + 8)));
  if (!time_us) return std::nullopt;
  return RateWait{agent.time_us(node), *time_us};
}

bool is_timer_set(const PollAgent& agent, PolledAt node) {
  return shape_of(opcode_of(node)).has_timer && (agent.timer_state(node) & kTimerSet) != 0;
}

void find_poll_waits(const Side& side, const unsigned char* block, const unsigned char*,
                     std::vector<std::uint64_t>& waits_us) {
  const PollTreeView& tree = side.uses->tree();
  const PollAgent agent(tree, const_cast<unsigned char*>(block));
  const std::size_t before = waits_us.size();
  for (const PolledAt node : side.uses->timers()) {
    if (is_timer_set(agent, node)) waits_us.push_back(std::max(agent.time_us(node), kNow) - kNow);
  }
  for (const PolledAt node : side.uses->settled()) {
    const auto wait = rate_wait(agent, node);
    if (!wait || agent.memory(node)[16] != 0 || agent.status(first_child(node)) == PollStatus::running) continue;
    if (const std::uint64_t end_us = wait->begin_us + wait->period_us; end_us > kNow) waits_us.push_back(end_us - kNow);
  }
  // What runs may end before a timer does.
  if (waits_us.size() > before) waits_us.push_back(0);
}

// ---- What does not matter any more

// A number that is beyond all that it is compared with stays there.
std::uint64_t within(const KeptValue& kept, ValueKind kind, std::uint64_t bits) {
  if (kind != ValueKind::whole && kind != ValueKind::real) return bits;
  const double number = kind == ValueKind::real ? real_of(bits) : static_cast<double>(static_cast<std::int64_t>(bits));
  if (kept.is_increased ? number <= kept.end : number >= kept.end) return bits;
  if (kind == ValueKind::whole) return static_cast<std::uint64_t>(static_cast<std::int64_t>(kept.end));
  std::uint64_t end = 0;
  std::memcpy(&end, &kept.end, sizeof end);
  return end;
}

// What a state keeps of an entry's value.
std::uint64_t settled_bits(const KeptValue& kept, ValueKind kind, std::uint64_t bits) {
  if (!kept.is_kept || kind == ValueKind::none) return 0;
  return kept.has_end ? within(kept, kind, bits) : bits;
}

class SettledPolling {
 public:
  SettledPolling(const Side& side, unsigned char* block, std::uint64_t passed_us, Settling& settling)
      : uses_(*side.uses),
        granule_us_(side.granule_us),
        tree_(uses_.tree()),
        agent_(tree_, block),
        board_(tree_, agent_),
        has_texts_(end_bits(tree_.part<PartKind::texts>()) <= 8 * std::uint64_t{side.block_bytes}),
        passed_us_(passed_us),
        settling_(settling) {}

  void settle() const {
    for (const PolledAt node : uses_.timers()) settle_timer(node);
    for (const PolledAt node : uses_.settled()) settle_node(node);
    if (!uses_.timers().empty()) order_timers();
    settle_counts();
    for (std::uint32_t i = 0; i < tree_.fixed_entry_count(); ++i) settle_entry(i);
    settle_names();
  }

  void settle_entry(std::uint32_t number) const {
    const std::uint64_t bits = agent_.bits(number);
    const std::uint64_t settled = settled_bits(uses_.kept_of(number), agent_.kind(number), bits);
    if (settled != bits) agent_.set_bits(number, settled);
    clear_text(number);
  }

 private:
  void settle_node(PolledAt node) const {
    switch (opcode_of(node)) {
      case opcode::poll_repeat:
      case opcode::poll_retry:
        if (is_endless(node)) store_u32(agent_.memory(node), 0);
        return;
      case opcode::poll_rate:
        return settle_rate(node);
      case opcode::poll_loop:
        return settle_loop(node);
      default:
        return;
    }
  }

  // What an endless loop has counted.
  bool is_endless(PolledAt node) const {
    const PollPort& port = tree_.port_of(node, poll_ports::kCycles);
    return static_cast<PollPortKind>(port.kind) == PollPortKind::whole &&
           static_cast<std::int64_t>(tree_.number(port.value)) == -1;
  }

  void settle_timer(PolledAt node) const {
    if (!is_timer_set(agent_, node)) {
      agent_.set_time_us(node, 0);
      agent_.set_timer_state(node, agent_.timer_state(node) & kTimerFlags);
      return;
    }
    agent_.set_time_us(node, std::max(agent_.time_us(node) - passed_us_, kNow));
    settling_.times.push_back({agent_.memory(node)});
  }

  // The order of timers matters among those that are due at the same time.
  void order_timers() const {
    std::vector<Settling::Node>& timers = settling_.nodes;
    timers.clear();
    for (const PolledAt node : uses_.timers()) {
      if (!is_timer_set(agent_, node)) continue;
      timers.push_back({node, agent_.timer_state(node) >> kTimerOrder, agent_.time_us(node)});
    }
    for (const Settling::Node& timer : timers) {
      const auto before = std::count_if(timers.begin(), timers.end(), [&](const Settling::Node& other) {
        return other.time_us == timer.time_us && other.number < timer.number;
      });
      const std::uint32_t flags = agent_.timer_state(timer.node) & (kTimerFlags | kTimerSet);
      agent_.set_timer_state(timer.node, flags | static_cast<std::uint32_t>(before) << kTimerOrder);
    }
  }

  void settle_rate(PolledAt node) const {
    const auto wait = rate_wait(agent_, node);
    if (!wait) {  // it begins anew, or never again
      agent_.set_time_us(node, 0);
      if (agent_.status(node) == PollStatus::idle)
        std::memset(agent_.memory(node), 0, memory_bytes(node, tree_.polled_of(node)));
      return;
    }
    const std::uint64_t longest_us = (wait->period_us / granule_us_ + 1) * granule_us_;
    agent_.set_time_us(node, std::max(wait->begin_us - passed_us_, kNow - longest_us));
    settling_.times.push_back({agent_.memory(node)});
  }

  void settle_loop(PolledAt node) const {
    if (agent_.status(node) == PollStatus::idle) store_u64(agent_.memory(node), 0);
    const std::uint64_t state = load_u64(agent_.memory(node));
    char* const room = agent_.text(tree_.entry_count() + tree_.polled_of(node).host);
    const LoopRest rest = rest_of(state);
    const bool has_rest = (state & kLoopHasQueue) != 0 && rest.begin < rest.end && rest.end <= tree_.record.text_bytes;
    std::fill(room, room + (has_rest ? rest.begin : 0), '\0');
    std::fill(room + (has_rest ? rest.end : 0), room + tree_.record.text_bytes, '\0');
  }

  // Has an entry been written since a node looked at it last? How often makes no difference.
  void settle_counts() const {
    if (tree_.part<PartKind::write_counts>().count == 0) return;
    std::vector<Settling::Node>& watches = settling_.nodes;  // with the number of an entry
    watches.clear();
    for (const PolledAt node : uses_.settled()) {
      if (!shape_of(opcode_of(node)).looks_for_writes) continue;
      const PollPort& port = tree_.port_of(node, poll_ports::kEntry);
      if (is_key(port)) watches.push_back({node, board_.find(port.value).entry});
    }
    if (!watches.empty() && uses_.may_remove()) return;  // counts of entries that were removed begin again
    constexpr std::uint32_t kSeen = 2;
    for (std::uint32_t i = 0; i < tree_.entry_count() - tree_.record.named_count; ++i) {
      StoredEntry entry = agent_.entry(i);
      const auto is_own = [&](const Settling::Node& watch) { return watch.number == i; };
      if (entry.count == 0) continue;
      const bool is_watched = std::any_of(watches.begin(), watches.end(), is_own);
      for (const Settling::Node& watch : watches) {
        if (!is_own(watch)) continue;
        unsigned char* const seen = agent_.memory(watch.node) + (opcode_of(watch.node) == opcode::poll_updated ? 1 : 0);
        store_u32(seen, load_u32(seen) == entry.count ? kSeen : 0);
      }
      entry.count = is_watched ? kSeen : 0;
      agent_.set_entry(i, entry);
    }
  }

  // Entries whose names stand in other entries, and these names: those that are not there are free.
  void settle_names() const {
    const std::uint32_t count = tree_.record.named_count;
    for (std::uint32_t i = tree_.fixed_entry_count(); i < tree_.fixed_entry_count() + count; ++i) {
      if (!board_.is_there(i)) agent_.set_entry(i + count, {});
      clear_text(i);
      clear_text(i + count);
    }
  }

  // Beyond the text that is there.
  void clear_text(std::uint32_t number) const {
    if (!has_texts_) return;
    char* const text = agent_.text(number);
    const bool is_text = agent_.kind(number) == ValueKind::text;
    const std::uint32_t size = is_text ? static_cast<std::uint32_t>(agent_.bits(number)) : 0;
    std::fill(text + size, text + tree_.record.text_bytes, '\0');
  }

  const PollUses& uses_;
  const std::uint64_t granule_us_;
  const PollTreeView& tree_;
  const PollAgent agent_;
  const Blackboard board_;
  const bool has_texts_;  // there is room for them: see used_bytes_of_polling()
  const std::uint64_t passed_us_;
  Settling& settling_;
};

// Where nothing else has to be settled.
void settle_entries(const PollUses& uses, unsigned char* block) {
  const PollAgent agent(uses.tree(), block);
  for (std::uint32_t entry = 0; entry < uses.tree().entry_count(); ++entry) {
    const std::uint64_t bits = agent.bits(entry);
    const std::uint64_t settled = settled_bits(uses.kept_of(entry), agent.kind(entry), bits);
    if (settled != bits) agent.set_bits(entry, settled);
  }
}

void settle_polling(const Side& side, unsigned char* block, const unsigned char*, std::uint64_t passed_us,
                    Settling& settling) {
  if (has_plain_entries(side) && side.uses->settled().empty() && side.uses->timers().empty()) {
    settle_entries(*side.uses, block);
  } else {
    SettledPolling(side, block, passed_us, settling).settle();
  }
}

bool settle_polled_entry(const Side& side, unsigned char* block, std::uint32_t entry) {
  const PollTreeView& tree = side.uses->tree();
  if (tree.part<PartKind::write_counts>().count != 0 || tree.record.named_count != 0) return false;
  Settling settling;
  SettledPolling(side, block, 0, settling).settle_entry(entry);
  return true;
}

Hash take_polled_value(const Side& side, unsigned char* block, std::uint32_t entry) {
  const PollTreeView& tree = side.uses->tree();
  const PollAgent agent(tree, block);
  const std::uint64_t bits = agent.bits(entry);
  Hash hash = mixed({bits, entry});
  if (agent.kind(entry) == ValueKind::text) {
    char* const text = agent.text(entry);
    const Hash of_text = hash_of(text, tree.record.text_bytes);
    hash = mixed({hash.low + of_text.low, hash.high + of_text.high});
    std::memset(text, 0, tree.record.text_bytes);
  }
  agent.set_bits(entry, 0);
  return hash;
}

bool halt_polled_quietly(const Side& side, unsigned char* block) {
  if (!side.uses->halts_quietly()) return false;
  halt_polled_nodes(side, block);
  return true;
}

}  // namespace

constinit const EngineRow kPollExploring = {
    .behavior = {.tick = tick_polled},
    .condition = {.tick = ask_polled},
    .questions = visit_poll_questions,
    .was_idle = was_idle,
    .halt = stop_polling_watched,
    .halt_quietly = halt_polled_quietly,
    .asks_anew = true,
    .rest_of_update = add_rest_of_round,
    .meets_often = true,
    .go_on = go_on_polling,
    .gives_up = true,
    .branches = &kPollBranches,
    .slice = slice_polling,
    .prepare = prepare_polling,
    .inputs = read_ports,
    .input_state = add_port_state,
    .input_entry = visit_port_entries,
    .name_entries = name_entries,
    .host_values = values_of_polling,
    .used_bytes = used_bytes_of_polling,
    .waits = find_poll_waits,
    .durations = add_poll_durations,
    .settle = settle_polling,
    .settle_entry = settle_polled_entry,
    .take_value = take_polled_value,
    .entry_places = places_of_polled_entry,
};

}  // namespace espalier::explore
