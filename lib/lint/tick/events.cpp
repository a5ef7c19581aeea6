// Events that nothing sends, or that nothing can receive when they are sent. See analysis.h.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "lint/tick/analysis.h"

#include "rules/modular.h"
#include "rules/xml.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::lint {
namespace {

bool is_among(const std::vector<std::string>& sorted, const std::string& event) {
  return std::binary_search(sorted.begin(), sorted.end(), event);
}

// Sent by the game, as declared in the tree or the project.
bool is_declared(const TickAnalysis& analysis, const std::string& event) {
  const std::optional<std::vector<std::string>>& own = analysis.ticking().known_events;
  return (own && is_among(*own, event)) || is_among(analysis.outline.facts.events, event);
}

// ---- Events that nothing sends

// For a tree with a section of events the reader reports events that are not in it.
void find_unknown(TickAnalysis& analysis) {
  const Facts& facts = analysis.outline.facts;
  if (analysis.ticking().known_events || facts.events.empty()) return;
  for (const ir::Signal& signal : analysis.tree().signals) {
    if (signal.name.empty() || analysis.events.is_sent(signal.name) || is_among(facts.events, signal.name) ||
        is_among(facts.engine_events, signal.name)) {
      continue;
    }
    report_unsent(signal, {rules::MBT_event_unknown, "event"}, analysis.events, analysis.known_events, facts,
                  analysis.findings);
  }
}

// ---- Events whose names are slips

// Do they differ in a word of one letter, as "OnPhaseA" and "OnPhaseB", or "OnPhase"?
bool have_other_letter(const std::string& a, const std::string& b) {
  const std::string& longer = a.size() < b.size() ? b : a;
  const std::string& other = a.size() < b.size() ? a : b;
  const auto is_upper = [](const std::string& name, std::size_t at) {
    return at >= name.size() || (name[at] >= 'A' && name[at] <= 'Z');
  };
  std::size_t at = 0;
  while (at < other.size() && longer[at] == other[at]) ++at;
  const bool is_alone = at + 1 >= longer.size() || longer[at + 1] < 'a' || longer[at + 1] > 'z';
  return is_alone && is_upper(longer, at) && (longer.size() != other.size() || is_upper(other, at));
}

// One letter is wrong, or the case, in a name that is long enough; numbers are never slips.
bool is_slip(const std::string& name, const std::string& meant) {
  constexpr std::size_t kLeastLetters = 6;
  const auto digits = [](const std::string& text) {
    std::string found;
    for (const char c : text) found += c >= '0' && c <= '9' ? std::string(1, c) : std::string();
    return found;
  };
  const bool is_plural = name + 's' == meant || meant + 's' == name;
  return name.size() >= kLeastLetters && meant.size() >= kLeastLetters && !is_plural && digits(name) == digits(meant) &&
         text::is_near(name, meant, 1) && !have_other_letter(name, meant);
}

// If nothing declares events, any is possible; but the tree itself names one that this was probably meant to be.
void find_slips(TickAnalysis& analysis) {
  if (analysis.ticking().known_events || !analysis.outline.facts.events.empty() || analysis.events.lacks_trees) return;
  const std::vector<ir::Signal>& signals = analysis.tree().signals;
  enum class Named : std::uint8_t { no, by_timestamp, surely };  // surely: it sets a variable, or a node sends it
  std::vector<Named> named(signals.size());
  for (const ir::Timestamp& timestamp : analysis.ticking().timestamps) {
    if (timestamp.signal < signals.size()) named[timestamp.signal] = Named::by_timestamp;
  }
  std::vector<std::string_view> sure;
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const std::string& name = signals[i].name;
    const bool is_sure = !signals[i].assignments.empty() || analysis.events.is_sent(name) ||
                         analysis.events.is_declared(name) || is_among(analysis.outline.facts.engine_events, name);
    if (is_sure) named[i] = Named::surely;
    if (is_sure) sure.push_back(name);
    if (named[i] != Named::no) all.push_back(name);
  }
  text::NameIndex sure_names(std::move(sure));
  text::NameIndex names(std::move(all));
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (named[i] == Named::surely || signals[i].name.empty()) continue;
    const std::string near = (named[i] == Named::no ? names : sure_names).nearest(signals[i].name);
    if (near.empty() || !is_slip(signals[i].name, near)) continue;
    analysis.meant_events.insert(near);
    analysis.findings.add(rules::MBT_nearly_known_event, signals[i].span,
                          "nothing else in the tree names the event " + quote(signals[i].name),
                          "did you mean " + quote(near) + "?");
  }
}

// ---- Events that nothing receives

// For each place: does it start only in the update in which its parent starts?
std::vector<bool> begun_at_once(const TickOutline& outline) {
  std::vector<bool> is_at_once(outline.places.size(), true);
  for (PlaceIndex parent = 0; parent < outline.places.size(); ++parent) {
    const Opcode opcode = outline.opcode(parent);
    const bool is_row = opcode == opcode::tick_sequence || opcode == opcode::tick_selector;
    bool is_so = opcode != opcode::tick_priority && opcode != opcode::tick_machine && opcode != opcode::tick_loop &&
                 opcode != opcode::tick_wrapper;
    for (const PlaceIndex child : outline.places[parent].children) {
      is_at_once[child] = is_so;
      if (is_row && outline.outcome(child).can(kRuns)) is_so = false;
    }
  }
  return is_at_once;
}

struct Event {
  std::vector<PlaceIndex> sends;
  std::vector<PlaceIndex> hearers;
};

std::vector<Event> find_events(TickAnalysis& analysis) {
  std::vector<Event> events(analysis.tree().signals.size());
  analysis.each(opcode::tick_send, [&](PlaceIndex place) { events[analysis.signal(place)].sends.push_back(place); });
  analysis.each(opcode::tick_wait_event,
                [&](PlaceIndex place) { events[analysis.signal(place)].hearers.push_back(place); });
  analysis.each(opcode::tick_state, [&](PlaceIndex place) {
    for (const ir::EventTransition& transition : analysis.node(place).as<ir::EventTransitions>().transitions) {
      std::vector<PlaceIndex>& hearers = events[transition.signal].hearers;
      if (hearers.empty() || hearers.back() != place) hearers.push_back(place);
    }
  });
  return events;
}

// Decides for one event at a time whether it can be received when it is sent, by walking from the sender up to the
// root. The cost does not depend on the number of receivers.
class Hearing {
 public:
  explicit Hearing(const TickOutline& outline) : outline_(outline), is_at_once_(begun_at_once(outline)) {}

  // Sets the receivers of the next event, in the order of the file.
  void set_hearers(const std::vector<PlaceIndex>& hearers) {
    states_.clear();
    hearers_.clear();
    for (const PlaceIndex hearer : hearers) {
      const bool is_state = outline_.opcode(hearer) == opcode::tick_state;
      if (is_state) states_.push_back(hearer);
      hearers_.push_back(is_state ? outline_.places[hearer].parent : hearer);
    }
    std::sort(hearers_.begin(), hearers_.end());
  }

  // Can one of them be active when `send` sends? Of the other branches of a parallel, earlier ones are active; later
  // ones are active unless the send is in the update that begins the parallel.
  bool may_hear(PlaceIndex send) {
    bool is_at_once = true;
    for (PlaceIndex child = send; outline_.places[child].parent != kNoPlace; child = outline_.places[child].parent) {
      const PlaceIndex parent = outline_.places[child].parent;
      if (outline_.opcode(parent) == opcode::tick_machine && may_state_hear(child)) return true;
      if (outline_.opcode(parent) == opcode::tick_parallel) {
        if (has_hearer(parent + 1, child)) return true;
        if (!is_at_once && has_hearer(outline_.places[child].end, outline_.places[parent].end)) return true;
      }
      is_at_once = is_at_once && is_at_once_[child];
    }
    return false;
  }

 private:
  bool has_hearer(PlaceIndex begin, PlaceIndex end) const {
    const auto first = std::lower_bound(hearers_.begin(), hearers_.end(), begin);
    return first != hearers_.end() && *first < end;
  }

  // A state receives an event by its transitions, which count while it is the machine's next state. After a send below
  // the state `present`, that state is `present` or one reachable from it.
  bool may_state_hear(PlaceIndex present) {
    const Place& place = outline_.places[present];
    const Place& machine = outline_.places[place.parent];
    auto first = std::lower_bound(states_.begin(), states_.end(), place.parent);
    if (first == states_.end() || *first >= machine.end) return false;
    const auto [entry, is_new] = reached_.try_emplace(present);
    if (is_new) entry->second = reached_states(*machine.node, place.number);
    const auto& reached = entry->second;
    return std::any_of(machine.children.begin(), machine.children.end(), [&](PlaceIndex state) {
      return reached[outline_.places[state].number] && std::binary_search(states_.begin(), states_.end(), state);
    });
  }

  const TickOutline& outline_;
  const std::vector<bool> is_at_once_;
  std::vector<PlaceIndex> states_;   // that receive it, sorted
  std::vector<PlaceIndex> hearers_;  // the machines of those states, and all other receivers; sorted
  std::unordered_map<PlaceIndex, std::vector<bool>> reached_;  // from each state
};

void find_lost(TickAnalysis& analysis) {
  const std::vector<Event> events = find_events(analysis);
  Hearing hearing(analysis.outline);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::vector<PlaceIndex>& sends = events[i].sends;
    const std::vector<PlaceIndex>& hearers = events[i].hearers;
    const std::string& name = analysis.tree().signals[i].name;
    if (sends.empty() || hearers.empty()) continue;
    if (analysis.events.by_hosts.contains(name) || analysis.events.queued.contains(name)) continue;
    if (is_declared(analysis, name)) continue;
    hearing.set_hearers(hearers);
    if (std::any_of(sends.begin(), sends.end(), [&](PlaceIndex send) { return hearing.may_hear(send); })) continue;
    Finding& finding = analysis.report(rules::MBT_event_lost, sends[0],
                                       "the event " + quote(name) +
                                           " is lost: no node that waits for it is active when "
                                           "it is sent");
    finding.claim = analysis.claim("the event " + quote(name) + " is sent, and nothing waits for it",
                                   {{Happens::begins, analysis.span(sends[0])}});
    for (const PlaceIndex hearer : hearers) {
      finding.related.push_back({analysis.span(hearer), "this node waits for it, but is not active then"});
    }
    for (std::size_t other = 1; other < sends.size(); ++other) {
      finding.related.push_back({analysis.span(sends[other]), "it is also sent here without effect"});
    }
  }
}

}  // namespace

void report_unsent(const ir::Signal& signal, const UnsentWords& words, const ProjectEvents& events,
                   text::NameIndex& known, const Facts& facts, text::Findings& findings) {
  const std::string near = known.nearest(signal.name);
  if (near.empty() && events.lacks_trees) return;
  const std::string hint = near.empty() ? std::string() : "did you mean " + quote(near) + "?";
  const std::string said =
      "sends the " + std::string(words.thing) + ' ' + quote(signal.name) + ", and it is not declared";
  if (facts.is_partial) {
    findings.add(rules::XML_unchecked_reference, signal.span,
                 "nothing in the files given " + said + ": the rest of the project was not given", hint);
    return;
  }
  using Of = text::Guess::Of;
  text::Finding& finding = findings.add(words.rule, signal.span, "nothing " + said, hint);
  text::Guess guess{events.is_declared(near) ? Of::name : Of::word, signal.name, near};
  guess.is_told_once = true;
  text::propose(finding, std::move(guess), text::FixGrade::unsafe);
}

namespace {

// `Events`: ProjectEvents or SentEvents.
template <typename Events>
void collect_sent(const ir::Tree& tree, Events& events) {
  if (tree.engine() != EngineId::tick) return;
  std::set<const std::vector<std::string>*> seen;
  for (const ir::Node& node : ir::nodes_from(tree.root())) {
    const bool is_queued = node.opcode == opcode::tick_queue;
    if (is_queued || node.opcode == opcode::tick_send) {
      (is_queued ? events.queued : events.sent).insert(tree.signals[node.as<ir::Event>().signal].name);
    }
    const ir::Behavior* const behavior = node.as_if<ir::Behavior>();
    if (behavior != nullptr && behavior->sends && seen.insert(&*behavior->sends).second) {
      events.by_hosts.insert(behavior->sends->begin(), behavior->sends->end());
    }
  }
}

}  // namespace

void add_sent(const ir::Tree& tree, SentEvents& events) { collect_sent(tree, events); }

ProjectEvents::ProjectEvents(const ir::Project& project, const Facts& facts) : lacks_trees(project.lacks_trees) {
  for (const ir::Tree& tree : project.trees) collect_sent(tree, *this);
  if (facts.sent_elsewhere != nullptr) {
    by_hosts.insert(facts.sent_elsewhere->by_hosts.begin(), facts.sent_elsewhere->by_hosts.end());
    sent.insert(facts.sent_elsewhere->sent.begin(), facts.sent_elsewhere->sent.end());
    queued.insert(facts.sent_elsewhere->queued.begin(), facts.sent_elsewhere->queued.end());
  }
  for (const auto* const some : {&facts.events, &facts.engine_events, &project.events}) {
    declared.insert(some->begin(), some->end());
  }
  std::vector<std::string_view> names;
  for (const auto* const some : {&declared, &by_hosts, &sent, &queued})
    names.insert(names.end(), some->begin(), some->end());
  std::sort(names.begin(), names.end());
  known = text::NameIndex(std::move(names));
}

bool ProjectEvents::is_sent(std::string_view event) const {
  return by_hosts.contains(event) || sent.contains(event) || queued.contains(event);
}

void analyse_events(TickAnalysis& analysis) {
  find_unknown(analysis);
  find_slips(analysis);
  find_lost(analysis);
}

}  // namespace espalier::lint
