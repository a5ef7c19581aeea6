// The rules of decider trees, sentence by sentence. The text in quotes is the rule that the following lines model.
#include "runtime_deciders_model.h"

#include <utility>

namespace espalier::test {
namespace {

template <class IsThere>
bool words_hold(const std::vector<ModelWord>& all, const std::vector<ModelWord>& any, IsThere is_there) {
  // "All: every one as asked"
  for (const ModelWord& word : all) {
    if (is_there(word.index) != word.is_wanted) return false;
  }
  // "Any: at least one as asked." No list at all asks for nothing.
  if (any.empty()) return true;
  for (const ModelWord& word : any) {
    if (is_there(word.index) == word.is_wanted) return true;
  }
  return false;
}

}  // namespace

DeciderModel::DeciderModel(const ModelDeciderTree& tree, DeciderHost& host, std::uint64_t seed)
    : tree_(tree), host_(host) {
  state.flags.resize(tree.flags.size());
  state.generator = seed;
}

const ModelDecider& DeciderModel::child(const ModelDecider& group, std::size_t place) const {
  return decider(group.children[place].decider);
}

std::vector<std::string> DeciderModel::path() const {
  std::vector<std::string> names;
  for (const Active& active : state.path) names.push_back(decider(active.decider).name);
  return names;
}

std::vector<std::string> DeciderModel::running() const {
  std::vector<std::string> names;
  for (const Active& active : state.path) {
    if (active.behavior_is_active) names.push_back(tree_.behaviors[*decider(active.decider).behavior].name);
  }
  return names;
}

std::optional<std::string> DeciderModel::behavior() const {
  if (state.path.empty()) return std::nullopt;
  const std::optional<std::size_t> last = decider(state.path.back().decider).behavior;
  return last ? std::optional(tree_.behaviors[*last].name) : std::nullopt;
}

// ---- Random numbers

std::uint64_t DeciderModel::next_random() {
  std::uint64_t z = (state.generator += 0x9E3779B97F4A7C15U);
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

// "below(n) ... ((next() >> 32) * n) >> 32; for n = 1 it draws too."
std::uint64_t DeciderModel::random_below(std::uint64_t count) {
  return draw ? draw(count) : ((next_random() >> 32U) * count) >> 32U;
}

// ---- Stimuli

// "setting it again restarts its timeout and replaces its data, by nothing where none is given"
void DeciderModel::set_stimulus(std::size_t stimulus, const std::string& data) {
  state.stimuli[stimulus] = {now_us, data};
}

// "several entries of one signal run in file order; the signal's data becomes the stimulus's" and "A signal the tree
// does not list changes nothing."
void DeciderModel::signal(const std::string& name, const std::string& data) {
  for (const ModelSignal& entry : tree_.signals) {
    if (entry.name == name) set_stimulus(entry.stimulus, data);
  }
}

// ---- Query

// "Preconditions (checked before Decide; all must hold)"
bool DeciderModel::preconditions_hold(std::size_t index) const {
  const ModelDecider& asked = decider(index);
  // "now - last >= every. The first time it may be called at once."
  const auto last = state.last_asked_us.find(index);
  if (asked.every_us && last != state.last_asked_us.end() && now_us - last->second < *asked.every_us) return false;
  // "over decision flags passed by the host at each tick"
  if (!words_hold(asked.flags_all, asked.flags_any, [this](std::size_t flag) { return state.flags[flag]; })) {
    return false;
  }
  // "the same over the agent's present stimuli"
  return words_hold(asked.stimuli_all, asked.stimuli_any,
                    [this](std::size_t stimulus) { return state.stimuli.count(stimulus) != 0; });
}

// "A Decide that is called restarts the timer whatever it answers" and "A decider without decide counts as called"; it
// "always returns 1". "block bytes, ... zeroed before each call".
double DeciderModel::call_decide(std::size_t index, Bytes& block) {
  const ModelDecider& asked = decider(index);
  state.last_asked_us[index] = now_us;
  block.assign(asked.block_bytes, 0);
  return asked.decide.empty() ? 1 : host_.decide(asked.name, asked.decide, block);
}

// "Query a decider is: preconditions, then Decide." "When a precondition fails, Decide is not called (its every timer
// does not restart) and the decider refuses."
DeciderModel::Answer DeciderModel::ask(std::size_t index) {
  Answer answer;
  if (!preconditions_hold(index)) return answer;
  answer.value = call_decide(index, answer.block);
  if (!decider(index).delegates) return answer;
  // "delegate ... makes its Decide ask its children: it chooses as its policy says, as if nothing were active, refuses
  // when none accepts, and else its value is the chosen child's." "a delegate group [counts] when its children are
  // asked": its timer has been restarted above.
  answer.value = 0;
  if (std::optional<Choice> choice = choose(index)) {
    answer.value = choice->answer.value;
    answer.choice = std::make_shared<Choice>(std::move(*choice));
  }
  return answer;
}

// "masked children are never asked"
DeciderModel::Answer DeciderModel::ask_child(std::size_t group, std::size_t place) {
  if (is_masked(group, place)) return {};
  return ask(decider(group).children[place].decider);
}

bool DeciderModel::is_masked(std::size_t group, std::size_t place) const {
  const auto mask = masks_.find(group);
  return mask != masks_.end() && mask->second.count(place) != 0;
}

// "the active one in its place, by its Decide alone, without its preconditions" and "An active delegate group's value
// is that of its active child, got in the same way; a decider without decide is worth 1". "A Decide called on a decider
// that is already active fills a block that is thrown away."
double DeciderModel::value_of_active(std::size_t level) {
  const std::size_t index = state.path[level].decider;
  Bytes thrown_away;
  const double value = call_decide(index, thrown_away);
  if (!decider(index).delegates) return value;
  return level + 1 < state.path.size() ? value_of_active(level + 1) : 0;
}

// ---- Policies

std::optional<DeciderModel::Choice> DeciderModel::choose(std::size_t group) {
  switch (*decider(group).policy) {
    case ModelPolicy::prioritized_list:
      // "the first that accepts, in file order"
      return choose_first(group, 0, decider(group).children.size());
    case ModelPolicy::sequential:
      return choose_next(group);
    case ModelPolicy::random:
      return choose_random(group);
    case ModelPolicy::shuffle:
      return choose_shuffled(group);
    case ModelPolicy::scored:
      return choose_highest(group);
  }
  return std::nullopt;
}

std::optional<DeciderModel::Choice> DeciderModel::choose_first(std::size_t group, std::size_t begin, std::size_t end) {
  for (std::size_t place = begin; place < end; ++place) {
    Answer answer = ask_child(group, place);
    if (answer.accepts()) return Choice{place, std::move(answer)};
  }
  return std::nullopt;
}

// "the first that accepts, starting after the one that ran last (at first: with the first), wrapping round once, so
// that one itself is asked last"
std::optional<DeciderModel::Choice> DeciderModel::choose_next(std::size_t group) {
  const std::size_t count = decider(group).children.size();
  const auto last = state.ran_last.find(group);
  const std::size_t begin = last == state.ran_last.end() ? 0 : last->second + 1;
  if (std::optional<Choice> choice = choose_first(group, begin, count)) return choice;
  return choose_first(group, 0, begin);
}

// "all are asked, in file order; then a random one among those that accept, by weight ... None accepts: nothing is
// drawn"
std::optional<DeciderModel::Choice> DeciderModel::choose_random(std::size_t group) {
  const std::vector<ModelChild>& children = decider(group).children;
  std::vector<Choice> accepting;
  std::uint64_t weights = 0;
  for (std::size_t place = 0; place < children.size(); ++place) {
    Answer answer = ask_child(group, place);
    if (!answer.accepts()) continue;
    weights += children[place].weight;
    accepting.push_back({place, std::move(answer)});
  }
  if (accepting.empty()) return std::nullopt;
  // "r = below(w1 + ... + wk); the first i with r < w1 + ... + wi"
  const std::uint64_t drawn = random_below(weights);
  std::uint64_t sum = 0;
  for (const Choice& choice : accepting) {
    sum += children[choice.place].weight;
    if (drawn < sum) return choice;
  }
  return std::nullopt;
}

// "the children stand in a random order and are asked in it from the present position; one that refuses is passed over
// and loses its turn. Where the order ends without one that accepts, a new order of all children is drawn (once in a
// choice; the first choice begins so) and asked from its start, those that have already refused in this choice keeping
// their answer"
std::optional<DeciderModel::Choice> DeciderModel::choose_shuffled(std::size_t group) {
  std::set<std::size_t> refused;
  const auto ask_from_position = [&]() -> std::optional<Choice> {
    const Order order = state.orders[group];
    for (std::size_t i = order.position; i < order.places.size(); ++i) {
      const std::size_t place = order.places[i];
      if (refused.count(place) != 0) continue;
      Answer answer = ask_child(group, place);
      if (answer.accepts()) return Choice{place, std::move(answer)};
      refused.insert(place);
    }
    return std::nullopt;
  };
  if (state.orders.count(group) != 0) {
    if (std::optional<Choice> choice = ask_from_position()) return choice;
  }
  // "from the list 0..n-1, for i = n-1 down to 1: j = below(i + 1), swap places i and j"
  Order drawn;
  const std::size_t count = decider(group).children.size();
  for (std::size_t place = 0; place < count; ++place) drawn.places.push_back(place);
  for (std::size_t i = count - 1; i >= 1; --i) std::swap(drawn.places[i], drawn.places[random_below(i + 1)]);
  state.orders[group] = drawn;
  return ask_from_position();
}

// "all are asked, in file order; the one with the highest value; a tie goes to the earlier in the file"
std::optional<DeciderModel::Choice> DeciderModel::choose_highest(std::size_t group) {
  std::optional<Choice> best;
  for (std::size_t place = 0; place < decider(group).children.size(); ++place) {
    Answer answer = ask_child(group, place);
    if (answer.accepts() && (!best || answer.value > best->answer.value)) best = Choice{place, std::move(answer)};
  }
  return best;
}

// "Interruption by siblings" of the active child of the group at this level.
std::optional<DeciderModel::Choice> DeciderModel::take_over(std::size_t level) {
  const std::size_t group = state.path[level].decider;
  const std::size_t active_place = state.path[level + 1].place;
  switch (*decider(group).policy) {
    case ModelPolicy::prioritized_list:
      // "children above the active one are asked, in file order, at every tick and the first that accepts takes over"
      return choose_first(group, 0, active_place);
    case ModelPolicy::scored: {
      // "all are asked in file order at every tick, the active one in its place ...; the highest other that accepts
      // takes over only when its value is strictly higher than the active one's"
      std::optional<Choice> best;
      double active_value = 0;
      for (std::size_t place = 0; place < decider(group).children.size(); ++place) {
        if (place == active_place) {
          active_value = value_of_active(level + 1);
          if (active_value != active_value) active_value = 0;  // "not a number" is "a refusal"
          continue;
        }
        Answer answer = ask_child(group, place);
        if (answer.accepts() && (!best || answer.value > best->answer.value)) best = Choice{place, std::move(answer)};
      }
      return best && best->answer.value > active_value ? std::move(best) : std::nullopt;
    }
    default:
      // "In the other policies the active child is never interrupted by siblings."
      return std::nullopt;
  }
}

// ---- One tick

ModelStatus DeciderModel::tick() {
  // "Masks ... last for this tick." "maxRedecides bounds redecides in one tick".
  masks_.clear();
  redecides_ = 0;
  // "1. Stimuli age": "a stimulus set at clock t is gone, before anything is decided, in the first tick whose clock is
  // t + timeout or later"; "0, the default, lasts until it is cleared".
  for (auto stimulus = state.stimuli.begin(); stimulus != state.stimuli.end();) {
    const std::uint64_t timeout_us = tree_.stimuli[stimulus->first].timeout_us;
    const bool is_gone = timeout_us != 0 && now_us >= stimulus->second.set_us + timeout_us;
    stimulus = is_gone ? state.stimuli.erase(stimulus) : std::next(stimulus);
  }
  // "2. The walk starts at the root. When nothing is active, the root is activated first."
  const bool was_active = !state.path.empty();
  const Bytes no_block(decider(tree_.root).block_bytes);
  Outcome outcome = Outcome::failed;
  if (was_active || activate(tree_.root, 0, no_block)) outcome = visit(0, nullptr, was_active);
  ModelStatus status = ModelStatus::running;
  if (outcome == Outcome::failed) {
    // "If the root fails, everything is deactivated, deepest first, and nothing is active after the tick"
    status = ModelStatus::failure;
    deactivate_below(0);
  } else if (outcome == Outcome::too_many_redecides) {
    // "the tick ends with an error that the host sees, and everything is deactivated, deepest first"
    status = ModelStatus::error;
    host_.events.emplace_back("error redecides");
    deactivate_below(0);
  }
  const char* const words[] = {"running", "failure", "error"};
  host_.events.push_back(std::string("status ") + words[static_cast<std::size_t>(status)]);
  return status;
}

// "3. Visiting an active decider"
DeciderModel::Outcome DeciderModel::visit(std::size_t level, const Choice* chosen_before, bool was_active) {
  const std::size_t index = state.path[level].decider;
  const ModelDecider& visited = decider(index);
  // "its behaviour, if it has one, is ticked, once in a tick, also when it has just been activated"
  if (visited.behavior) {
    Active& active = state.path[level];
    const ModelBehavior& behavior = tree_.behaviors[*visited.behavior];
    // "a decider fails when its behaviour's ... Tick returns false"
    if (!host_.tick(behavior.name, visited.behavior_flags, active.memory, active.block)) return Outcome::failed;
  }
  // "a behaviour decider ends the walk there"
  if (!visited.policy) return Outcome::goes_on;

  Outcome outcome = Outcome::goes_on;
  // "A group then looks at its children. Was it active before, they are asked as 'interruption by siblings' says; if
  // none takes over, the active child is visited: its own Decide is NOT called and its preconditions are not checked"
  if (was_active && level + 1 < state.path.size()) {
    const std::optional<Choice> taking_over = take_over(level);
    outcome = taking_over ? switch_to(level, *taking_over) : visit(level + 1, nullptr, true);
  } else {
    // "Was it just activated, it chooses by its policy with nothing active." "When the group is switched to because of
    // [a delegate's] answer, that choice is used, so each child's Decide is called once".
    const std::optional<Choice> choice = chosen_before != nullptr ? *chosen_before : choose(index);
    // "a decider fails ... when it is a group just activated that finds no child that accepts"
    if (!choice) return Outcome::failed;
    outcome = switch_to(level, *choice);
  }

  // "5. Failure ... The failing child is masked in its group, and the group decides again among the others, in this
  // tick, with nothing active (masked redecide)."
  while (outcome == Outcome::failed) {
    masks_[index].insert(state.path[level + 1].place);
    // "maxRedecides bounds redecides in one tick; each group that decides again counts one, also when nobody is left to
    // ask. In place of the first one past it the tick ends with an error"
    if (redecides_ == tree_.max_redecides) return Outcome::too_many_redecides;
    ++redecides_;
    // "With decideOnRedecide the group's own decide is called first, without preconditions; a refusal fails the group."
    if (visited.decides_on_redecide) {
      Bytes thrown_away;
      const double value = call_decide(index, thrown_away);
      if (!(value > 0)) return Outcome::failed;
    }
    // "If none accepts the group itself fails, and its parent does the same with it masked, and so on up."
    const std::optional<Choice> choice = choose(index);
    if (!choice) return Outcome::failed;
    outcome = switch_to(level, *choice);
  }
  return outcome;
}

// "4. Switching to a chosen child: the old path below this group, if there is one, is deactivated, deepest first ...;
// then the child is activated ..., and visited."
DeciderModel::Outcome DeciderModel::switch_to(std::size_t level, const Choice& choice) {
  const std::size_t group = state.path[level].decider;
  // "The child 'that ran last' and the position in the shuffled order (the place after the child) are set when a child
  // is about to be activated, even if its behaviour then refuses; they outlive the group's activations."
  state.ran_last[group] = choice.place;
  const auto order = state.orders.find(group);
  if (order != state.orders.end()) {
    std::size_t after = 0;
    while (order->second.places[after++] != choice.place) {
    }
    order->second.position = after;
  }
  deactivate_below(level + 1);
  const std::size_t index = decider(group).children[choice.place].decider;
  // "a decider fails when its behaviour's Activate ... returns false"
  if (!activate(index, choice.place, choice.answer.block)) return Outcome::failed;
  return visit(level + 1, choice.answer.choice.get(), false);
}

// "memory is the number of bytes it owns while active, zeroed before Activate"
bool DeciderModel::activate(std::size_t index, std::size_t place, const Bytes& block) {
  const ModelDecider& chosen = decider(index);
  Active& active = state.path.emplace_back();
  active.decider = index;
  active.place = place;
  active.since_us = now_us;
  active.block = block;
  if (chosen.behavior) {
    const ModelBehavior& behavior = tree_.behaviors[*chosen.behavior];
    active.memory.assign(behavior.memory_bytes, 0);
    active.behavior_is_active = host_.activate(behavior.name, chosen.behavior_flags, active.memory, active.block);
    if (!active.behavior_is_active) return false;
  }
  if (activated) activated();
  return true;
}

// "deepest first (a group's own behaviour after its children's)". "a behaviour whose Activate returned false was never
// active and gets no Deactivate"
void DeciderModel::deactivate_below(std::size_t level) {
  while (state.path.size() > level) {
    Active& active = state.path.back();
    const ModelDecider& deactivated = decider(active.decider);
    if (active.behavior_is_active) {
      const ModelBehavior& behavior = tree_.behaviors[*deactivated.behavior];
      host_.deactivate(behavior.name, deactivated.behavior_flags, active.memory, active.block);
    }
    state.path.pop_back();
  }
}

}  // namespace espalier::test
