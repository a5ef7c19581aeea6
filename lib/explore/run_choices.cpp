// The answers of the host and the random numbers of a step. See run.h.
#include <algorithm>
#include <iterator>

#include "explore/run.h"

namespace espalier::explore {
namespace {

constexpr std::uint32_t kMaxPlaces = 1u << 12;  // among which one random number chooses

// The first 64 bits of which the first 32, times `count`, over 2^32 are `place`.
std::uint64_t first_bits(std::uint64_t place, std::uint64_t count) { return ((place << 32) + count - 1) / count << 32; }

// Bits that make a wait take this much longer, of `limit` microseconds.
std::uint64_t first_bits_of_time(std::uint64_t time_us, std::uint64_t limit) {
  constexpr double kUnits = 9007199254740992.0;  // 2^53
  const double share = (static_cast<double>(time_us) + 0.5) / static_cast<double>(limit);
  return static_cast<std::uint64_t>(share * kUnits) << 11;
}

}  // namespace

// ---- One of several

std::uint32_t Run::choose(std::uint32_t count) {
  if (below_ != nullptr) return (*below_)(std::max(1u, count));
  if (count < 2 || is_merged_) return 0;
  if (place_ == path_.size()) path_.push_back({0, count});
  return path_[place_++].option;
}

bool Run::next_path() {
  while (!path_.empty() && path_.back().option + 1 == path_.back().count) path_.pop_back();
  if (path_.empty()) return false;
  ++path_.back().option;
  return true;
}

// As a trace that is replayed has it: a list of answers, one for each question, of which the last repeats.
Answer Run::replayed_answer(std::uint32_t name) {
  std::uint32_t left = taken_[turn_of(name)];
  Answer answer = static_cast<Answer>(*world_.answer(state_, agent_, name));
  for (const Given& given : replayed_->given) {
    if (given.agent != agent_ || given.name != name) continue;
    answer = given.answer;
    if (left-- == 0) break;
  }
  return answer;
}

Answer Run::foresee(std::uint32_t name, std::uint32_t node_word, Answer last) {
  if (replayed_ != nullptr) {
    const Answer answer = replayed_answer(name);
    if (answer == last) ++taken_[turn_of(name)];
    return answer;
  }
  const std::size_t given_count = given_.size();
  const std::uint32_t turn = lists_.empty() ? kNoGiven : lists_[turn_of(name)];
  const Answer answer = ask(name, node_word);
  if (!lists_.empty()) {
    if (answer != last) lists_[turn_of(name)] = turn;
  } else if (given_.size() > given_count) {
    given_.back().is_foreseen = answer != last;
  }
  return answer;
}

Answer Run::ask(std::uint32_t name, std::uint32_t node_word) {
  if (replayed_ != nullptr) {
    const Answer answer = replayed_answer(name);
    ++taken_[turn_of(name)];
    return answer;
  }
  ++ask_count_;
  const HostName& asked = world_.names()[name];
  const bool is_plain = choices_ == Choices::plain;
  if (!lists_.empty()) {
    if (const std::optional<Answer> known = answer_in_turn(name, node_word)) {
      is_refused_ = is_refused_ || !is_allowed(asked, node_word, *known);
      return *known;
    }
  }
  const bool is_anew = !is_plain && side().engine->asks_anew;
  for (std::uint32_t i = chain_of(agent_, name).first; i != kNoGiven && lists_.empty(); i = given_[i].next) {
    Given& found = given_[i];
    if (is_plain) {
      is_refused_ = is_refused_ || !is_allowed(asked, node_word, found.answer);
      return found.answer;
    }
    if (found.node_word != node_word || (is_anew && !found.is_foreseen)) continue;
    const Answer again = found.answer;
    if (is_anew) {
      found.is_foreseen = false;
    } else {
      give(name, node_word, again);
    }
    return again;
  }
  const Answer answer = choose_answer(name, node_word);
  if (answer != static_cast<Answer>(*world_.answer(state_, agent_, name)) && is_changed_[name] == 0) {
    is_changed_[name] = 1;
    changed_.push_back(name);
  }
  give(name, node_word, answer);
  if (!lists_.empty()) note_in_turn(name, node_word, answer);
  return answer;
}

// What the node may give.
bool Run::is_within_limits(const HostName& asked, std::uint32_t node_word, Answer answer) {
  const Answer word = asked.word_of(answer);
  if (!side().allows(node_word, word)) return false;
  const bool fails = side().fails_anew.contains(node_word) &&
                     side().engine->was_idle(side(), World::block(side(), state_, agent_), node_word);
  return !fails || word == Answer::failure;
}

// The present answer, if there is one that the node may give, comes first: it needs no line in the trace.
Answer Run::choose_answer(std::uint32_t name, std::uint32_t node_word) {
  const HostName& asked = world_.names()[name];
  const auto present = static_cast<Answer>(*world_.answer(state_, agent_, name));
  const auto place = std::find(asked.answers.begin(), asked.answers.end(), present);
  if (!side().has_limits && place != asked.answers.end()) {
    if (asked.is_fixed || !may_change(name)) return present;
    const std::uint32_t option = choose(static_cast<std::uint32_t>(asked.answers.size()));
    if (option == 0) return present;
    const auto before = static_cast<std::uint32_t>(place - asked.answers.begin());
    return asked.answers[option <= before ? option - 1 : option];
  }
  const auto is_allowed = [&](Answer answer) { return this->is_allowed(asked, node_word, answer); };
  const bool may_stay = present != Answer::none && is_allowed(present);
  is_refused_ = is_refused_ || (asked.is_fixed && !may_stay);
  std::uint32_t count = 0;
  Answer allowed[0x100];
  if (may_stay) allowed[count++] = present;
  for (const Answer other : asked.answers) {
    if (other != present && is_allowed(other)) allowed[count++] = other;
  }
  if (count == 0) return present;
  return allowed[!asked.is_fixed && may_change(name) ? choose(count) : 0];
}

// Two versions have different nodes. They hear the same list of answers for a name, each from its beginning, as two
// replays of a trace do. None: the list ends here.
std::optional<Answer> Run::answer_in_turn(std::uint32_t name, std::uint32_t node_word) {
  std::uint32_t& turn = lists_[turn_of(name)];
  const bool asks_anew = side().engine->asks_anew;
  const std::uint32_t next = turn == kNoGiven ? chain_of(agent_, name).first : given_[turn].next;
  const auto before = std::find_if(answered_.begin(), answered_.end(), [&](const Given& given) {
    return given.agent == agent_ && given.name == name && given.node_word == node_word && given.side == side_;
  });
  const bool is_fixed = before != answered_.end();
  if (next == kNoGiven) {
    if (!is_fixed) return std::nullopt;
    give(name, node_word, before->answer);
    turn = chain_of(agent_, name).last;
    return before->answer;
  }
  turn = next;
  const Answer answer = given_[next].answer;
  if (is_fixed && answer != before->answer) is_refused_ = true;
  if (!asks_anew && !is_fixed) answered_.push_back({agent_, name, node_word, answer, false, side_});
  return answer;
}

void Run::note_in_turn(std::uint32_t name, std::uint32_t node_word, Answer answer) {
  lists_[turn_of(name)] = chain_of(agent_, name).last;
  if (!side().engine->asks_anew) answered_.push_back({agent_, name, node_word, answer, false, side_});
}

void Run::give(std::uint32_t name, std::uint32_t node_word, Answer answer) {
  const auto index = static_cast<std::uint32_t>(given_.size());
  Chain& chain = chain_of(agent_, name);
  (chain.first == kNoGiven ? chain.first : given_[chain.last].next) = index;
  chain.last = index;
  given_.push_back({agent_, name, node_word, answer});
}

// Each name whose answers change costs a line, or several. What costs too much is left to another call of expand().
bool Run::may_change(std::uint32_t name) {
  if (answers_ == Answers::free || changed_.size() + 1 < cost_ || is_changed_[name] != 0) return true;
  has_more_ = true;
  return false;
}

espalier_result Run::tick_action(const Call* call) {
  const Answer answer = of(call).ask_behavior(call);
  return answer == Answer::success ? Result::success : answer == Answer::running ? Result::running : Result::failure;
}

// Which numbers lead to each of the things that one can decide.
void Run::find_numbers(espalier_draw_kind kind, std::uint64_t limit) {
  numbers_.clear();
  if (kind == ESPALIER_DRAW_CHANCE) {
    const std::uint64_t closed = (limit + 1) << 11;
    numbers_ = {{0, closed - 1}, {closed, kLastNumber}};
  } else if (kind == ESPALIER_DRAW_TIME) {
    // A wait is short or long. What is explored is the longest of the times that the seed may give, in tenths of a
    // second where that is possible: times that differ in microseconds would make states that differ in nothing else.
    const std::uint64_t part_us = (limit + 7) / 8;
    for (const bool is_short : {true, false}) {
      std::uint64_t longest_us = is_short ? part_us : limit - 1;
      const std::uint64_t tenths_us = (is_short ? longest_us + kIdle_us - 1 : longest_us) / kIdle_us * kIdle_us;
      if (tenths_us >= part_us && tenths_us < limit) longest_us = tenths_us;
      const std::uint64_t first = longest_us <= part_us ? 0 : first_bits_of_time(longest_us - part_us, limit);
      numbers_.push_back({first, first_bits_of_time(longest_us, limit)});
    }
  } else {
    if (weights_.empty() && limit > kMaxPlaces) has_left_out_ = true;
    if (weights_.empty()) weights_.assign(static_cast<std::size_t>(std::min<std::uint64_t>(limit, kMaxPlaces)), 1);
    std::uint64_t begin = 0;
    for (const std::uint64_t weight : weights_) {
      const std::uint64_t end = begin + weight;
      numbers_.push_back({first_bits(begin, limit), end == limit ? kLastNumber : first_bits(end, limit) - 1});
      begin = end;
    }
  }
}

std::uint64_t Run::draw(espalier_draw_kind kind, std::uint64_t limit, std::uint64_t bits) {
  if (kind == ESPALIER_DRAW_WEIGHT) {
    weights_.push_back(limit);
    return bits;
  }
  if (replayed_ == nullptr) find_numbers(kind, limit);
  weights_.clear();
  if (replayed_ != nullptr) return bits;
  NumbersAhead* ahead = world_.numbers_ahead(state_, agent_);
  const bool is_known = ahead != nullptr && ahead->has_next(side_);
  const Numbers known = is_known ? ahead->take() : Numbers();
  std::erase_if(numbers_, [&](const Numbers& numbers) { return !numbers.meets(known); });
  Numbers drawn = known;
  if (!numbers_.empty()) drawn = numbers_[choose(static_cast<std::uint32_t>(numbers_.size()))].in(known);
  if (ahead != nullptr && !is_known) ahead->add(side_, drawn);
  draws_.push_back({agent_, static_cast<std::uint32_t>(side_), drawn});
  return kind == ESPALIER_DRAW_TIME ? drawn.last : drawn.first;
}

// ---- After the step

// A replay goes on with the list in later updates. What is left there for a version is only the last answer, or else
// the next question of the name needs a line.
void Run::mark_left_lists() {
  for (std::uint32_t i = 0; i < given_.size() && !lists_.empty(); ++i) {
    Given& first = given_[i];
    const Chain& chain = chain_of(first.agent, first.name);
    if (chain.first != i || chain.last == i) continue;
    const Answer last = given_[chain.last].answer;
    std::size_t turn = first.agent * world_.names().size() + first.name;
    for (const Side& in : world_.sides()) {
      std::uint32_t left = lists_[turn] == kNoGiven ? i : given_[lists_[turn]].next;
      while (left != kNoGiven && given_[left].answer == last) left = given_[left].next;
      first.is_left = first.is_left || (left != kNoGiven && in.asked_names.contains(first.name));
      turn += chains_.size();
    }
  }
}

// How many lines of a trace change the host's answers; the last answers stay.
std::uint32_t Run::settle_answers() {
  mark_left_lists();
  if (answers_ == Answers::free || replayed_ != nullptr) return 0;
  if (world_.agent_count() > 1 && choices_ == Choices::plain && replayed_ == nullptr) {
    for (std::uint32_t name = 0; name < world_.names().size() && !given_.empty(); ++name) give_to_all(name);
  }
  auto lines = static_cast<std::uint32_t>(given_to_all_.size());
  for (std::uint32_t i = 0; i < given_.size(); ++i) {
    const Given& first = given_[i];
    if (chain_of(first.agent, first.name).first != i) continue;
    unsigned char* present = world_.answer(state_, first.agent, first.name);
    bool is_changed = false;
    Answer last = first.answer;
    for (std::uint32_t each = i; each != kNoGiven; each = given_[each].next) {
      last = given_[each].answer;
      is_changed = is_changed || static_cast<unsigned char>(last) != *present;
    }
    *present = static_cast<unsigned char>(first.is_left ? Answer::none : last);
    if (is_changed) ++lines;
  }
  return lines;
}

// One line may change the answers of all agents, also of those that are not asked now.
void Run::give_to_all(std::uint32_t name) {
  Answer changed[8];
  std::uint32_t changed_count = 0;
  std::uint32_t asked_count = 0;
  for (const Given& given : given_) {
    if (given.name != name) continue;
    ++asked_count;
    const bool is_changed = static_cast<unsigned char>(given.answer) != *world_.answer(state_, given.agent, name);
    if (!is_changed || std::find(changed, changed + changed_count, given.answer) != changed + changed_count) continue;
    changed[changed_count++] = given.answer;
  }
  if (changed_count == 0) return;
  const auto lines_without = [&](std::optional<Answer> of_all) {
    return std::count_if(given_.begin(), given_.end(), [&](const Given& given) {
      const auto present = static_cast<Answer>(*world_.answer(state_, given.agent, name));
      return given.name == name && given.answer != of_all.value_or(present);
    });
  };
  if (asked_count == world_.agent_count()) {
    const Answer* best = std::min_element(changed, changed + changed_count, [&](Answer left, Answer right) {
      return lines_without(left) < lines_without(right);
    });
    if (1 + lines_without(*best) < lines_without(std::nullopt)) given_to_all_.push_back({name, *best});
  } else if (const std::uint32_t option = choose(1 + changed_count); option > 0) {
    given_to_all_.push_back({name, changed[option - 1]});
  }
  if (given_to_all_.empty() || given_to_all_.back().name != name) return;
  for (std::uint32_t agent = 0; agent < world_.agent_count(); ++agent) {
    *world_.answer(state_, agent, name) = static_cast<unsigned char>(given_to_all_.back().answer);
  }
}

}  // namespace espalier::explore
