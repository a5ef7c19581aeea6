// The story of trees of deciders: what starts, fails and ends, and who takes over, with the deciders that were asked
// before and their answers. Answers after which nothing changes are not shown, and neither is a behaviour that
// continues. See tellers.h.
#include <algorithm>

#include "codegen/dump/listing.h"
#include "report/line_view.h"
#include "report/tellers.h"

namespace espalier::report {
namespace {

using replay::decider_text;

const layout::Decider& record_of(const Tree& tree, std::uint32_t node_word) {
  const codegen::NodeView node = codegen::node_at(*tree.asset, node_word);
  return array<layout::Decider>(*tree.asset,
                                layout::SectionId::deciders)[*codegen::operand(node, OperandKind::decider)];
}

std::uint32_t max_redecides(const Tree& tree) {
  return records<layout::DeciderTree>(*tree.asset, layout::SectionId::decider_trees)[tree_record(tree).record]
      .max_redecides;
}

bool is_precondition(DecideStepKind kind) {
  return kind >= DecideStepKind::every_failed && kind <= DecideStepKind::stimuli_any_failed;
}

// "Carnivore, !Dead": the words of a precondition whose bits are in `shown`.
std::string words_of(const Tree& tree, const layout::MaskTest& test, std::uint64_t shown,
                     std::string_view (*name_of)(const Tree&, std::uint32_t)) {
  std::string words;
  for (std::uint32_t i = 0; shown >> i != 0; ++i) {
    if ((shown >> i & 1) == 0) continue;
    words += words.empty() ? "" : ", ";
    words += (test.value >> i & 1) != 0 ? "" : "!";
    words += name_of(tree, i);
    if (i + 1 == layout::kMaxFlags) break;
  }
  return words;
}

// "wants the flag !Dead", "wants one of the stimuli Hit, Noise".
std::string wish(const Tree& tree, const void* block, const DecideStep& step) {
  const bool is_of_flags =
      step.kind == DecideStepKind::flags_all_failed || step.kind == DecideStepKind::flags_any_failed;
  const bool is_any = step.kind == DecideStepKind::flags_any_failed || step.kind == DecideStepKind::stimuli_any_failed;
  const std::uint32_t number = record_of(tree, step.node_word).precondition;
  const layout::Precondition& wanted =
      array<layout::Precondition>(*tree.asset, layout::SectionId::preconditions)[number - 1];
  const layout::MaskTest& test =
      is_of_flags ? (is_any ? wanted.flags_any : wanted.flags_all) : (is_any ? wanted.stimuli_any : wanted.stimuli_all);
  std::uint64_t bits = is_of_flags ? flags(tree, block) : 0;
  for (std::uint32_t i = 0; !is_of_flags && i < stimulus_count(tree); ++i) {
    if (stimulus(tree, block, i)) bits |= std::uint64_t{1} << i;
  }
  const std::uint64_t failing = (bits ^ test.value) & test.mask;
  const std::string words = words_of(tree, test, failing, is_of_flags ? variable_name : stimulus_name);
  const bool is_one = (failing & (failing - 1)) == 0;
  const char* kind = is_of_flags ? (is_one ? "the flag " : "the flags ") : (is_one ? "the stimulus " : "the stimuli ");
  return std::string("wants ") + (is_any && !is_one ? "one of " : "") + kind + words;
}

// "sets Hit, Noise"; empty: nothing.
std::string effect(const Tree& tree, std::string_view signal) {
  std::uint32_t id = 0;
  if (find_signal(tree, signal, &id) != Status::ok) return {};
  const Asset& asset = *tree.asset;
  const layout::Signal& record =
      records<layout::Signal>(asset, layout::SectionId::signals)[tree_record(tree).first_signal + id];
  std::string text;
  for (std::uint32_t i = 0; i < record.assignment_count; ++i) {
    const layout::Assignment& assignment =
        array<layout::Assignment>(asset, layout::SectionId::assignments)[record.first_assignment + i];
    text += (i == 0 ? "sets " : ", ") + std::string(stimulus_name(tree, assignment.variable));
  }
  return text;
}

}  // namespace

// ---- Events

void DecideTeller::event(const Event& event) {
  if (event.kind == EventKind::step) {
    step(event, std::get<DecideStep>(*event.step));
  } else if (event.kind == EventKind::end) {
    if (!views_.are_shown()) return;
    const AgentView& agent = telling_.agent();
    if (!views_.is_unchanged(agent, event.agent)) views_.update(agent, event.agent, decider_lines(agent));
  } else if (telling_.kinds.has(event.kind)) {
    tell(event);
  }
}

void DecideTeller::tell(const Event& event) {
  Page& page = telling_.page;
  if (telling_.is_filtered) {
    page.open(event.time_us, event.agent);
    return tell_words(event);
  }
  if (event.kind == EventKind::status) {
    statuses_[event.agent] = event.subject;
    return;
  }
  if (event.kind == EventKind::decide || event.value == "running") return;
  const bool is_failure = event.kind == EventKind::tick || event.kind == EventKind::refuse;
  if (is_failure) is_failure_told_ = true;
  const bool is_just_entered = page.last_kind(event) == EventKind::enter && page.last_name() == event.subject;
  if (event.kind == EventKind::tick && is_just_entered) {
    page.say(", ");
    return page.say("fails", Style::bad);
  }
  open_with_reasons(event.time_us, event.agent);
  tell_words(event);
  page.note(event);
}

void DecideTeller::tell_words(const Event& event) {
  Page& page = telling_.page;
  switch (event.kind) {
    case EventKind::tick:
      page.say({event.subject, " "});
      return event.value == "running" ? page.say("goes on") : page.say("fails", Style::bad);
    case EventKind::signal:
      return say_plainly(page, event, effect(telling_.agent().tree, event.subject));
    case EventKind::error:
      return page.say(
          "groups decide again more than " + std::to_string(max_redecides(telling_.agent().tree)) + " times",
          Style::bad);
    default:
      return say_plainly(page, event);
  }
}

// ---- Steps

void DecideTeller::step(const Event& event, const DecideStep& step) {
  const std::uint32_t agent = event.agent;
  if (telling_.is_filtered) return;
  const DecideStepKind last = std::exchange(last_step_, step.kind);
  switch (step.kind) {
    case DecideStepKind::begin:
      reasons_.clear();
      told_.clear();
      visited_.reset();
      is_failure_told_ = false;
      is_told_ = false;
      return;
    case DecideStepKind::visited:
      visited_ = step;
      return;
    case DecideStepKind::goes_on:
      return reasons_.clear();
    case DecideStepKind::switches:
      return tell_takeover(agent, step);
    case DecideStepKind::failed:
      return note_failure(agent, step);
    case DecideStepKind::decides_again:
      visited_.reset();
      if (telling_.page.is_open()) {
        telling_.page.add_detail({decider_text(telling_.agent().tree, step.node_word), " decides again"});
      }
      return;
    case DecideStepKind::decided:
      if (last == DecideStepKind::decides_again) reasons_.add(step);  // otherwise its answer follows
      return;
    case DecideStepKind::asked: {
      const bool is_known = is_precondition(last) && !reasons_.empty() && reasons_.back().node_word == step.node_word;
      if (!is_known) reasons_.add(step);
      return;
    }
    default:
      if (is_precondition(step.kind)) reasons_.add(step);
      return;
  }
}

void DecideTeller::tell_takeover(std::uint32_t agent, const DecideStep& step) {
  const std::optional<DecideStep> visited = std::exchange(visited_, std::nullopt);
  if (!visited || visited->node_word != step.node_word) return;
  open_with_reasons(telling_.agent().time_us, agent);
  const Tree& tree = telling_.agent().tree;
  telling_.page.say(decider_text(tree, step.other), Style::enter);
  telling_.page.say({" takes over from ", decider_text(tree, visited->other)});
}

// If an event has reported that a decider's behaviour failed, its step is skipped. A tree that fails in every update is
// reported once.
void DecideTeller::note_failure(std::uint32_t agent, const DecideStep& step) {
  const bool is_tree = step.depth == 0;
  if (std::exchange(is_failure_told_, false) && !is_tree) return;
  if (is_tree && !is_told_ && statuses_[agent] == "failure") return;
  open_with_reasons(telling_.agent().time_us, agent);
  if (is_tree) return telling_.page.say("the tree fails", Style::bad);
  telling_.page.say({decider_text(telling_.agent().tree, step.node_word), " "});
  telling_.page.say("fails", Style::bad);
}

void DecideTeller::open_with_reasons(std::uint64_t time_us, std::uint32_t agent) {
  Page& page = telling_.page;
  page.open(time_us, agent);
  is_told_ = true;
  const auto tell_one = [&](const DecideStep& step) {
    std::string text = reason(step);
    if (const auto [told, is_new] = told_.insert(std::move(text)); is_new) page.add_detail(*told);
  };
  reasons_.visit(tell_one, [&](std::size_t count) { page.add_detail("... " + std::to_string(count) + " more ..."); });
  reasons_.clear();
}

// "Flee: ShouldFlee is 0.5", "Idle accepts", "Guard wants the flag !Dead".
std::string DecideTeller::reason(const DecideStep& step) const {
  const Tree& tree = telling_.agent().tree;
  const layout::Decider& decider = record_of(tree, step.node_word);
  const std::string name = decider_text(tree, step.node_word);
  if (step.kind == DecideStepKind::every_failed)
    return name + ": its " + replay::seconds_text(decider.every_us) + " s are not over";
  if (is_precondition(step.kind)) return name + ' ' + wish(tree, telling_.agent().block, step);
  if (decider.decide != 0) {
    return name + ": " + std::string(host_condition_name(*tree.asset, decider.decide - 1)) + " is " +
           replay::number_text(step.value);
  }
  if (!(step.value > 0)) return name + " refuses";
  return name + " accepts" + (step.value == 1 ? "" : " with " + replay::number_text(step.value));
}

}  // namespace espalier::report
