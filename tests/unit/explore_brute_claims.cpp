// Diffs and proofs compared with brute force. See explore_brute_force.h.
#include <algorithm>
#include <sstream>

#include "explore/properties.h"
#include "explore/property/proving.h"
#include "explore/ruled_out.h"
#include "explore/shown.h"
#include "explore/tracker.h"
#include "explore_brute_force.h"
#include "replay/names.h"
#include "replay/replay.h"
#include "runtime/asset/view.h"
#include "unit.h"

namespace espalier::test {
namespace {

constexpr std::size_t kMaxClaimStates = 1000;

explore::Options claim_options() {
  explore::Options options;
  options.budget.threads = 1;
  options.budget.states = 100'000;
  return options;
}

// ---- Diffs

// What the agents show, in the order of agents; statuses only if they are all that differs. And of replays, what the
// program heard since the last tick.
struct Picture {
  std::vector<std::vector<std::string>> names;
  std::vector<std::string> statuses;
  std::vector<std::string> heard = {};
  auto operator<=>(const Picture&) const = default;
};

Picture picture_of(const ModelAgents& agents) {
  Picture picture;
  for (std::size_t agent = 0; agent < agents.agent_count; ++agent) {
    const ModelView view = agents.view(agent);
    picture.names.push_back(view.shown);
    picture.statuses.push_back(agents.is_decider ? "" : view.status);
  }
  return picture;
}

bool have_same_names(const Picture& one, const Picture& other, bool has_order) {
  const auto sorted = [&](std::vector<std::vector<std::string>> names) {
    for (std::vector<std::string>& own : names) {
      if (!has_order) std::sort(own.begin(), own.end());
    }
    return names;
  };
  return sorted(one.names) == sorted(other.names);
}

std::vector<std::string> names_of(const Asset& asset, const explore::Seen& seen) {
  explore::Shown shown;
  if (seen.agent.block != nullptr) look(seen, &shown);
  std::vector<std::string> names;
  for (const std::uint32_t behavior : shown.behaviors) names.emplace_back(behavior_name(asset, behavior));
  return names;
}

// What is shown after each line of a replay: also of agents that this tick does not update, as a line before it may
// have stopped their behaviours.
std::vector<Picture> replayed_pictures(const Asset& asset, const explore::Trace& trace, bool* is_sound) {
  std::vector<Picture> pictures;
  Picture now;
  now.names.resize(trace.agent_count);
  now.statuses.resize(trace.agent_count);
  std::vector<explore::Seen> agents(trace.agent_count);
  replay::Observer observer;
  observer.watches = true;
  observer.line = [&](std::string_view) {
    pictures.push_back(now);
    now.heard.clear();
  };
  observer.event = [&](const replay::Event& event) {
    using enum replay::EventKind;
    const bool is_heard = event.kind == enter || event.kind == tick || event.kind == leave || event.kind == interrupt ||
                          event.kind == reset || event.kind == send || event.kind == refuse;
    if (is_heard)
      now.heard.push_back(event_text(event, true) + replay::parameters_text(replay::parameters_of(event.call)));
    const bool has_status = event.state == nullptr || engine_id_of(event.state->tree) != EngineId::decide;
    if (event.kind == replay::EventKind::status && has_status) now.statuses.at(event.agent) = event.subject;
    if (event.kind != replay::EventKind::end || event.state == nullptr) return;
    explore::Seen& seen = agents.at(event.agent);
    seen.agent.tree = event.state->tree;
    seen.agent.block = event.state->block;
    for (std::size_t i = 0; i < agents.size(); ++i) now.names[i] = names_of(asset, agents[i]);
  };
  std::istringstream lines(explore::text_of(trace));
  text::Sources sources;
  const replay::TraceResult result = replay::replay(asset, lines, "t", {}, sources, observer);
  *is_sound = !result.is_broken && result.failed_count == 0;
  pictures.push_back(now);
  return pictures;
}

// Agents of two versions that hear the same lines. What is reached: numbers of differences.
struct PairOfAgents : ModelAgents {
  std::shared_ptr<ModelAgents> before, after;

  PairOfAgents(std::shared_ptr<ModelAgents> old_agents, std::shared_ptr<ModelAgents> new_agents,
               std::vector<std::pair<Picture, Picture>>& differences)
      : before(std::move(old_agents)), after(std::move(new_agents)) {
    agent_count = before->agent_count;
    numbers = before->numbers = after->numbers = std::make_shared<SharedNumbers>();
    after->side = 1;
    lines = [this] { return before->lines(); };
    waits = [this] {
      std::set<std::uint64_t> both = before->waits();
      both.merge(after->waits());
      return both;
    };
    state = [this] {
      std::string statuses;
      for (std::size_t agent = 0; agent < agent_count; ++agent)
        statuses += before->view(agent).status + ' ' + after->view(agent).status + ' ';
      return statuses + before->state() + " | " + after->state() + " | " + numbers->state();
    };
    run = [this, &differences](const ModelLine& line, ModelDraws& draws) {
      before->run(line, draws);
      after->run(line, draws);
      reached.clear();
      ends = before->ends || after->ends;
      if (line.kind != ModelLine::tick || ends) return;
      std::pair pair(picture_of(*before), picture_of(*after));
      const bool is_same = have_same_names(pair.first, pair.second, before->is_decider);
      if (is_same && pair.first.statuses == pair.second.statuses) return;
      ends = true;
      for (std::size_t agent = 0; agent < agent_count; ++agent) {
        const bool matters = is_same && pair.first.statuses[agent] != pair.second.statuses[agent];
        if (!matters) pair.first.statuses[agent] = pair.second.statuses[agent] = "";
      }
      const auto known = std::find(differences.begin(), differences.end(), pair);
      reached.insert(static_cast<std::size_t>(known - differences.begin()));
      if (known == differences.end()) differences.push_back(pair);
    };
  }
};

std::string fault_of_difference(const Asset& before, const Asset& after, const explore::Difference& difference,
                                bool has_order) {
  const auto are_same = [&](const Picture& one, const Picture& other) {
    return have_same_names(one, other, has_order) && one.statuses == other.statuses && one.heard == other.heard;
  };
  bool is_old_sound = false;
  bool is_new_sound = false;
  const std::vector<Picture> old_pictures = replayed_pictures(before, difference.trace, &is_old_sound);
  const std::vector<Picture> new_pictures = replayed_pictures(after, difference.trace, &is_new_sound);
  if (!is_old_sound || !is_new_sound) return "the trace does not replay";
  if (old_pictures.size() != new_pictures.size() || old_pictures.empty()) return "the replays differ in length";
  if (!std::equal(old_pictures.begin(), old_pictures.end() - 1, new_pictures.begin(), are_same))
    return "they differ before";
  if (are_same(old_pictures.back(), new_pictures.back())) return "they do not differ";
  return {};
}

std::string words_of(const explore::Difference& difference) {
  return difference.before.value_or("nothing") + " -> " + difference.after.value_or("nothing");
}

}  // namespace

void compare_diff(const Asset& before, const Asset& after, const std::string& tree, const MakeAgents& make_before,
                  const MakeAgents& make_after, const std::function<std::string()>& text, Compared& compared) {
  const std::vector<explore::TreeDiff> diffs = explore::diff(before, after, tree, claim_options());
  REQUIRE(diffs.size() == 1);
  const explore::TreeDiff& diff = diffs.front();
  std::vector<std::pair<Picture, Picture>> pairs;
  const BruteForce found = find_by_brute_force(
      [&] { return std::make_shared<PairOfAgents>(make_before(), make_after(), pairs); }, kMaxClaimStates);
  compared.incomplete += found.is_complete ? 0 : 1;
  std::ostringstream faults;
  const bool has_order = make_before()->is_decider;
  // What brute force does not see: which actions end within an update, in which order, and what they are given. So
  // there may be more differences than it finds, and shorter ones, but never fewer.
  std::optional<std::uint32_t> shortest;
  for (const auto& [pair, steps] : found.steps) shortest = std::min(shortest.value_or(steps), steps);
  std::optional<std::size_t> first;
  for (const explore::Difference& difference : diff.differences) {
    const std::string words = words_of(difference);
    const std::string fault = fault_of_difference(before, after, difference, has_order);
    if (!fault.empty()) faults << words << ": " << fault << " at the end of\n" << explore::text_of(difference.trace);
    ++(has_wide_choices(difference.trace, *make_before()) ? compared.by_wide_choices : compared.reached);
    const std::size_t steps = difference.trace.steps.size();
    first = std::min(first.value_or(steps), steps);
  }
  if (shortest && diff.is_complete && (!first || *first > *shortest))
    faults << "there is a difference after " << *shortest << " steps\n";
  ++(diff.result == explore::Compared::same ? compared.unreachable : compared.undecided);
  if (diff.result != explore::Compared::same && diff.is_complete) --compared.undecided;
  if (!faults.str().empty()) FAIL_CHECK(text() << '\n' << faults.str());
}

// ---- Proofs

namespace {

// An expectation, as it is written and what it means.
struct Expectation {
  std::string text;
  std::function<bool(const ModelView&)> holds;
};

template <typename Names>
const std::string& any_of(Random& random, const Names& names) {
  return names[random.below(static_cast<std::uint32_t>(names.size()))];
}

Expectation negated(const std::string& key, const std::string& value, const std::function<bool(const ModelView&)>& is,
                    bool is_negated) {
  return {'"' + key + "\": " + (is_negated ? "{\"not\": " + value + '}' : value),
          [is, is_negated](const ModelView& view) { return is(view) != is_negated; }};
}

// One key and its value.
Expectation random_key(Random& random, const ModelAgents& agents, const ModelView& view) {
  const bool is_negated = random.chance(30);
  for (;;) {
    switch (random.below(7)) {
      case 0: {
        constexpr const char* kWords[] = {"running", "failure", "success"};
        constexpr const char* kDeciderWords[] = {"running", "failure", "error"};
        const std::string word = (agents.is_decider ? kDeciderWords : kWords)[random.below(3)];
        return negated(
            "status", '"' + word + '"', [word](const ModelView& seen) { return seen.status == word; }, is_negated);
      }
      case 1: {
        std::vector<std::string> names;
        if (!agents.behaviors.empty() && random.chance(70)) names.push_back(any_of(random, agents.behaviors));
        return negated(
            "running", names.empty() ? "[]" : "[\"" + names[0] + "\"]",
            [names](const ModelView& seen) {
              return std::set(seen.running.begin(), seen.running.end()) == std::set(names.begin(), names.end());
            },
            is_negated);
      }
      case 2: {
        if (agents.behaviors.empty()) break;
        const std::string name = any_of(random, agents.behaviors);
        return negated(
            "runs", "[\"" + name + "\"]",
            [name](const ModelView& seen) {
              return std::find(seen.running.begin(), seen.running.end(), name) != seen.running.end();
            },
            is_negated);
      }
      case 3: {
        if (agents.rules.empty()) break;
        const std::string rule = any_of(random, agents.rules);
        return negated(
            "rule", '"' + rule + '"', [rule](const ModelView& seen) { return seen.rule == rule; }, is_negated);
      }
      case 4: {
        if (!agents.is_decider) break;
        const std::string name = any_of(random, agents.behaviors);
        return negated(
            "behavior", '"' + name + '"', [name](const ModelView& seen) { return seen.behavior == name; }, is_negated);
      }
      default: {
        using Values = std::map<std::string, bool> ModelView::*;
        constexpr std::pair<const char*, Values> kValues[] = {
            {"variables", &ModelView::variables}, {"flags", &ModelView::flags}, {"stimuli", &ModelView::stimuli}};
        const auto& [key, values] = kValues[random.below(3)];
        if ((view.*values).empty()) break;
        auto named = (view.*values).begin();
        std::advance(named, random.below(static_cast<std::uint32_t>((view.*values).size())));
        const std::string name = named->first;
        const Values of = values;
        return negated(
            key, "{\"" + name + "\": true}", [name, of](const ModelView& seen) { return (seen.*of).at(name); },
            is_negated);
      }
    }
  }
}

Expectation random_expectation(Random& random, const ModelAgents& agents) {
  const ModelView view = agents.view(0);
  const Expectation first = random_key(random, agents, view);
  const Expectation second = random_key(random, agents, view);
  const bool is_same_key = first.text.substr(0, first.text.find(':')) == second.text.substr(0, second.text.find(':'));
  if (is_same_key || random.chance(50)) return {'{' + first.text + '}', first.holds};
  return {'{' + first.text + ", " + second.text + '}',
          [first, second](const ModelView& seen) { return first.holds(seen) && second.holds(seen); }};
}

// What begins or ends the scope of a claim: a step or a state.
struct Limit {
  bool is_step = false;
  ModelLine step = {};
  Expectation state = {};
  std::string text = {};
};

struct Claim {
  explore::PropertyKind kind = explore::PropertyKind::never;
  Expectation expectation;
  std::optional<Limit> after = {}, until = {};
  std::uint32_t within = 1;
  std::uint32_t more_than = 0;
  std::uint64_t for_us = 0;
  std::string text = {};
};

Limit random_limit(Random& random, const ModelAgents& agents, std::uint32_t steps_percent) {
  Limit limit;
  limit.is_step = random.chance(steps_percent);
  if (!limit.is_step) {
    limit.state = random_expectation(random, agents);
    limit.text = limit.state.text;
    return limit;
  }
  const std::vector<ModelLine> lines = agents.lines();
  if (!lines.empty() && !random.chance(10)) limit.step = lines[random.below(static_cast<std::uint32_t>(lines.size()))];
  if (limit.step.kind == ModelLine::halt) limit.step = {};  // which a property cannot name
  limit.text = agents.text(limit.step);
  return limit;
}

Claim random_claim(Random& random, const ModelAgents& agents) {
  using explore::PropertyKind;
  Claim claim;
  claim.expectation = random_expectation(random, agents);
  claim.kind = static_cast<PropertyKind>(random.below(4));
  constexpr const char* kKeys[] = {"never", "always", "reachable", "expect"};
  claim.text = "{\"properties\": [{\"name\": \"p\", \"" + std::string(kKeys[static_cast<std::size_t>(claim.kind)]) +
               "\": " + claim.expectation.text;
  const auto add = [&](const std::string& key, const std::string& value) {
    claim.text += ", \"" + key + "\": " + value;
  };
  const bool is_expected = claim.kind == PropertyKind::expect;
  if (is_expected || random.chance(40)) claim.after = random_limit(random, agents, is_expected ? 80 : 60);
  if (random.chance(is_expected ? 25 : 40)) claim.until = random_limit(random, agents, 50);
  // The model has no lines that repeat an answer.
  const auto is_answer = [](const std::optional<Limit>& limit) {
    return limit && limit->is_step && limit->step.kind == ModelLine::host;
  };
  if (is_answer(claim.after) && is_answer(claim.until)) claim.until = random_limit(random, agents, 0);
  if (claim.after && claim.until && (is_expected || random.chance(30))) {
    add("between", '[' + claim.after->text + ", " + claim.until->text + ']');
  } else {
    if (claim.after) add("after", claim.after->text);
    if (claim.until) add("until", claim.until->text);
  }
  if (is_expected && !claim.until) {
    claim.within = 1 + random.below(3);
    add("within", std::to_string(claim.within));
  }
  if (claim.kind == PropertyKind::never && random.chance(30)) {
    claim.more_than = 1 + random.below(2);
    add("moreThan", std::to_string(claim.more_than));
  } else if (!is_expected && claim.after && random.chance(30)) {
    claim.for_us = 100'000 * (1 + random.below(3));
    add("forSeconds", "0." + std::to_string(claim.for_us / 100'000));
  }
  claim.text += "}]}";
  return claim;
}

bool is_same_step(const ModelLine& left, const ModelLine& right) {
  return left.kind == right.kind &&
         (left.kind == ModelLine::tick ||
          (left.id == right.id && left.value == right.value && left.is_immediate == right.is_immediate));
}

// Agents that are watched for a claim. Reaches item 0 where it is refuted; `reachable`: where it is shown. Each time
// that the scope begins is looked at by itself.
struct WatchedAgents : ModelAgents {
  // A scope that is open.
  struct Open {
    std::uint32_t count = 0;    // how often the claim came true in it; of `expect` the updates that are over
    std::uint64_t time_us = 0;  // since it began, if that matters
    bool was_true = false;
    auto operator<=>(const Open&) const = default;
  };

  std::shared_ptr<ModelAgents> agents;
  std::set<Open> open;

  WatchedAgents(std::shared_ptr<ModelAgents> of, const Claim& claim) : agents(std::move(of)) {
    agent_count = agents->agent_count;
    if (!claim.after) open.insert(Open());
    lines = [this] { return agents->lines(); };
    waits = [this, &claim] {
      std::set<std::uint64_t> times = agents->waits();
      if (claim.for_us != 0 && times.empty()) times.insert(100'000);
      for (const Open& each : open) {
        if (claim.for_us != 0) times.insert(claim.for_us - each.time_us);
      }
      return times;
    };
    state = [this] {
      std::string known = agents->state() + ' ' + agents->view(0).status;
      for (const Open& each : open) {
        known +=
            " open " + std::to_string(each.count) + ' ' + std::to_string(each.time_us) + (each.was_true ? "!" : "");
      }
      return known;
    };
    run = [this, &claim](const ModelLine& line, ModelDraws& draws) {
      agents->run(line, draws);
      ends = agents->ends;
      if (ends) return;
      const bool is_tick = line.kind == ModelLine::tick;
      if (claim.for_us != 0 && is_tick) pass(claim, line.time_us);
      if (is_tick) look(claim, false, line);
      look(claim, true, line);
    };
  }

  void pass(const Claim& claim, std::uint64_t time_us) {
    std::set<Open> left;
    for (Open each : open) {
      each.time_us += time_us;
      if (each.time_us < claim.for_us) left.insert(each);
    }
    open = left;
  }

  // After an update, or, if `is_step`, at a line.
  void look(const Claim& claim, bool is_step, const ModelLine& line) {
    if (ends) return;
    const bool is_update = !is_step && (line.agent == kAll || line.agent == 0);
    const auto is_at = [&](const std::optional<Limit>& limit) {
      if (!limit || limit->is_step != is_step) return false;
      return is_step ? is_same_step(line, limit->step) : limit->state.holds(agents->view(0));
    };
    const bool is_true =
        !is_step && claim.expectation.holds(agents->view(0)) != (claim.kind == explore::PropertyKind::always);
    const bool is_expected = claim.kind == explore::PropertyKind::expect;
    std::set<Open> left;
    for (Open each : open) {
      if (claim.until && is_at(claim.until)) {
        ends = ends || is_expected;
      } else if (is_step) {
        left.insert(each);
      } else if (is_expected && is_true && (is_update || claim.until)) {
        continue;
      } else if (is_expected && !claim.until) {
        if (is_update) ++each.count;
        ends = ends || each.count == claim.within;
        left.insert(each);
      } else if (!is_expected) {
        if (is_true && !each.was_true) ++each.count;
        each.was_true = is_true && claim.more_than != 0;
        ends = ends || each.count > claim.more_than;
        left.insert(each);
      } else {
        left.insert(each);
      }
    }
    open = left;
    if (ends) reached.insert(0);
    if (claim.after && is_at(claim.after)) open.insert(Open());
  }
};

explore::Property property_of(const Claim& claim, const std::string& tree) {
  text::Sources sources;
  text::Findings findings;
  std::vector<explore::Property> properties;
  explore::read_property_file(sources.add("p", claim.text), sources, findings, properties);
  if (properties.size() != 1) FAIL("no property: " << claim.text << findings.all().front().message);
  properties[0].tree = tree;
  return properties[0];
}

void compare_proof(const Claim& claim, const explore::Options& options, const BruteForce& found,
                   const std::vector<explore::Property>& properties, const Asset& asset, const ModelAgents& agents,
                   const std::function<std::string()>& text, Compared& compared) {
  const std::vector<explore::Proof> proofs = explore::prove(asset, properties, options);
  if (proofs.empty()) return;  // a behaviour that only an unused shared decider has
  const explore::Proof& proof = proofs.front();
  const bool is_wanted = claim.kind == explore::PropertyKind::reachable;
  std::string fault;
  if (proof.result == explore::Truth::undecided) {
    ++compared.undecided;
  } else if (!proof.trace) {
    ++compared.unreachable;
    if (!found.steps.empty()) fault = "there is a trace of " + std::to_string(found.steps.at(0)) + " steps";
    if (proof.result != (is_wanted ? explore::Truth::fails : explore::Truth::holds)) fault = "the wrong result";
  } else {
    // Times just before those that agents wait for come for such claims, too: the model has none.
    const bool is_wide = has_wide_choices(*proof.trace, agents) || claim.for_us != 0;
    ++(is_wide ? compared.by_wide_choices : compared.reached);
    if (proof.result != (is_wanted ? explore::Truth::holds : explore::Truth::fails)) fault = "the wrong result";
    if (found.steps.empty() && found.is_complete && !is_wide) fault = "the model does not do that";
    const std::size_t steps = proof.trace->steps.size();
    if (!found.steps.empty() && (claim.for_us != 0 ? found.steps.at(0) < steps : found.steps.at(0) != steps))
      fault = "there is a trace of " + std::to_string(found.steps.at(0)) + " steps";
    std::istringstream lines(explore::text_of(proof));
    text::Sources trace_sources;
    const replay::TraceResult result = replay::replay(asset, lines, "t", {}, trace_sources, {});
    if (result.is_broken || result.failed_count != (is_wanted ? 0 : 1)) fault += "; the trace does not show it";
    if (!fault.empty()) fault += '\n' + explore::text_of(proof);
  }
  if (!fault.empty()) FAIL_CHECK(text() << '\n' << claim.text << '\n' << fault);
}

}  // namespace

void compare_proofs(Random& random, const Asset& asset, const std::string& tree, const MakeAgents& make,
                    const std::function<std::string()>& text, Compared& compared) {
  for (std::uint32_t i = 0; i < 4; ++i) {
    const Claim claim = random_claim(random, *make());
    const std::vector<explore::Property> properties = {property_of(claim, tree)};
    const BruteForce found =
        find_by_brute_force([&] { return std::make_shared<WatchedAgents>(make(), claim); }, kMaxClaimStates);
    compared.incomplete += found.is_complete ? 0 : 1;
    explore::Options options = claim_options();
    compare_proof(claim, options, found, properties, asset, *make(), text, compared);
    options.budget.few_choices = 0;  // ways through an update that meet are looked for everywhere
    Compared again;
    compare_proof(claim, options, found, properties, asset, *make(), text, again);
  }
}

void compare_slices(Random& random, const Asset& asset, const Tree& tree, const MakeAgents& make,
                    const std::function<std::string()>& text, Compared& compared) {
  constexpr std::size_t kFewStates = 300;  // what slices wrongly leave out is seen soon
  explore::Options options = claim_options();
  options.budget.states = 10'000;
  const explore::Tracker tracker = explore::tracker_of(tree, {});
  std::vector<explore::Item> items = tracker.items;
  explore::rule_out(tree, tracker, options, options.budget, items);
  const BruteForce reached = find_by_brute_force(make, kFewStates);
  for (std::size_t item = 0; item < items.size(); ++item) {
    if (items[item].reached != explore::Reached::no) continue;
    ++compared.unreachable;
    if (reached.steps.contains(item)) FAIL_CHECK(text() << items[item].name << ": a trace reaches what slices do not");
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    const Claim claim = random_claim(random, *make());
    const explore::Property property = property_of(claim, std::string(tree_name(tree)));
    if (explore::trees_of(property, asset).empty()) continue;
    const std::optional<bool> is_never =
        explore::is_never_shown_by_slice(property, tree, options, random.chance(50), random.chance(50));
    if (!is_never) continue;
    ++(*is_never ? compared.unreachable : compared.undecided);
    if (!*is_never) continue;
    const BruteForce found =
        find_by_brute_force([&] { return std::make_shared<WatchedAgents>(make(), claim); }, kFewStates);
    if (!found.steps.empty())
      FAIL_CHECK(text() << claim.text << "\nthere is a trace of " << found.steps.at(0) << " steps");
  }
}

void expect_compared(const Compared& compared, const RandomTest& test) {
  CAPTURE(static_cast<int>(test.claims), compared.reached, compared.unreachable, compared.by_wide_choices);
  CAPTURE(compared.undecided, compared.incomplete);
  CHECK(compared.reached > test.reached);
  CHECK(compared.unreachable > test.unreachable);
  CHECK((test.claims != Claims::covers || compared.incomplete < compared.reached));
}

}  // namespace espalier::test
