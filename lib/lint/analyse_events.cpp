// Events that nothing sends, or that nothing can hear when they are sent. See analysis.h.
#include <algorithm>
#include <set>

#include "lint/analysis.h"

namespace espalier::lint {
namespace {

using Names = std::set<std::string_view>;

void add_names(const std::vector<std::string>& names, Names& to) { to.insert(names.begin(), names.end()); }

// The events that nodes of all trees send by `opcode`.
void add_sent(const ir::Project& project, Opcode opcode, Names& to) {
  for (const ir::Tree& tree : project.trees) {
    std::vector<const ir::Node*> open = {&tree.root};
    while (!open.empty()) {
      const ir::Node& node = *open.back();
      open.pop_back();
      if (node.opcode == opcode) to.insert(tree.signals[tree.details[node.details].signal].name);
      for (const ir::Node& child : node.children) open.push_back(&child);
    }
  }
}

// What the host is said to send.
Names sent_by_host(const Analysis& analysis) {
  Names names;
  if (analysis.tree().known_events) add_names(*analysis.tree().known_events, names);
  for (const ir::Tree& tree : analysis.project.trees) {
    for (const ir::Details& details : tree.details) {
      if (details.sends) add_names(*details.sends, names);
    }
  }
  return names;
}

void find_unknown(Analysis& analysis) {
  if (!analysis.tree().known_events || analysis.tree().known_events->empty()) return;
  Names known = sent_by_host(analysis);
  add_sent(analysis.project, Opcode::tick_send, known);
  add_sent(analysis.project, Opcode::tick_queue, known);
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  for (const ir::Signal& signal : analysis.tree().signals) {
    if (signal.name.empty() || known.count(signal.name) != 0) continue;
    analysis.findings.add(Rule::MBT_event_unknown, signal.span,
                          "nothing sends the event " + quoted(signal.name) + ", and it is not declared",
                          text::did_you_mean(signal.name, candidates));
  }
}

// Whether `place` below `branch` is only ever begun in the update that begins the branch.
bool begins_with(const Outline& outline, PlaceIndex place, PlaceIndex branch) {
  for (; place != branch; place = outline.places[place].parent) {
    const Place& parent = outline.places[outline.places[place].parent];
    switch (parent.node->opcode) {
      case Opcode::tick_sequence:
      case Opcode::tick_selector:
        for (std::uint32_t i = 0; i < outline.places[place].number; ++i) {
          if (outline.outcome(parent.children[i]).can(kRuns)) return false;
        }
        break;
      case Opcode::tick_priority:
      case Opcode::tick_machine:
      case Opcode::tick_loop:
      case Opcode::tick_wrapper:
        return false;
      default:
        break;
    }
  }
  return true;
}

// The child of `above` that `place` is below, or itself.
PlaceIndex child_towards(const Outline& outline, PlaceIndex above, PlaceIndex place) {
  while (outline.places[place].parent != above) place = outline.places[place].parent;
  return place;
}

// Can `hearer` not be active when `send` sends? A state stands for its transitions, which count while the machine notes
// it as the one to go to.
bool is_surely_idle(const Outline& outline, PlaceIndex send, PlaceIndex hearer) {
  if (outline.opcode(hearer) == Opcode::tick_state) {
    const PlaceIndex machine = outline.places[hearer].parent;
    if (outline.is_below(send, machine)) {
      const std::uint32_t present = outline.places[child_towards(outline, machine, send)].number;
      return !reached_states(outline.tree, outline.node(machine), present)[outline.places[hearer].number];
    }
    hearer = machine;
  }
  const PlaceIndex common = outline.common(hearer, send);
  if (outline.opcode(common) != Opcode::tick_parallel) return true;
  const PlaceIndex sending = child_towards(outline, common, send);
  return sending < hearer && begins_with(outline, send, sending);
}

struct Event {
  std::vector<PlaceIndex> sends;
  std::vector<PlaceIndex> hearers;
};

std::vector<Event> find_events(Analysis& analysis) {
  std::vector<Event> events(analysis.tree().signals.size());
  analysis.each(Opcode::tick_send,
                [&](PlaceIndex place) { events[analysis.details(place).signal].sends.push_back(place); });
  analysis.each(Opcode::tick_wait_event,
                [&](PlaceIndex place) { events[analysis.details(place).signal].hearers.push_back(place); });
  analysis.each(Opcode::tick_state, [&](PlaceIndex place) {
    for (const ir::EventTransition& transition : analysis.details(place).transitions) {
      std::vector<PlaceIndex>& hearers = events[transition.signal].hearers;
      if (hearers.empty() || hearers.back() != place) hearers.push_back(place);
    }
  });
  return events;
}

void find_lost(Analysis& analysis) {
  Names others = sent_by_host(analysis);
  add_sent(analysis.project, Opcode::tick_queue, others);
  const std::vector<Event> events = find_events(analysis);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::vector<PlaceIndex>& sends = events[i].sends;
    const std::vector<PlaceIndex>& hearers = events[i].hearers;
    const std::string& name = analysis.tree().signals[i].name;
    if (sends.empty() || hearers.empty() || others.count(name) != 0) continue;
    const bool is_lost = std::all_of(sends.begin(), sends.end(), [&](PlaceIndex send) {
      return std::all_of(hearers.begin(), hearers.end(),
                         [&](PlaceIndex hearer) { return is_surely_idle(analysis.outline, send, hearer); });
    });
    if (!is_lost) continue;
    Finding& finding = analysis.report(Rule::MBT_event_lost, sends[0],
                                       "the event " + quoted(name) +
                                           " is lost: nothing that waits for it is active when "
                                           "it is sent");
    for (const PlaceIndex hearer : hearers) {
      finding.related.push_back({analysis.span(hearer), "this waits for it, and is idle then"});
    }
    for (std::size_t other = 1; other < sends.size(); ++other) {
      finding.related.push_back({analysis.span(sends[other]), "it is sent here too, with as little effect"});
    }
  }
}

}  // namespace

void analyse_events(Analysis& analysis) {
  find_unknown(analysis);
  find_lost(analysis);
}

}  // namespace espalier::lint
