// Traces that show what findings say can happen. See witness.h.
//
// Steps of an update are noted, and compared with the claims when it is over. What claims say of nodes that are active
// then may be spread over several agents: one waits at a barrier, another one at the next.
#include "explore/witness.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "explore/find.h"
#include "runtime/asset/view.h"

namespace espalier::explore {
namespace {

using text::Happens;

constexpr std::uint64_t kLeftOut = ~std::uint64_t{0};  // a mark: the run is one that the host's declarations exclude

// A part of a claim. A node of a shared unit is at one place, however many use it; one that is compiled several times
// has several ranges.
struct WantedStep {
  Happens happens;
  std::vector<WordRange> nodes;
};

// A note of an observer: what happened to the node. Results of nodes are as in Result.
enum class Noted : std::uint8_t { result, begin = 8, breach = 9 };

constexpr std::uint64_t note_of(std::uint64_t what, std::uint32_t word) { return what << 32 | word; }
constexpr std::uint64_t note_of(Noted what, std::uint32_t word) {
  return note_of(static_cast<std::uint64_t>(what), word);
}
std::uint64_t note_of(Result result, std::uint32_t word) {
  return note_of(static_cast<std::uint64_t>(static_cast<espalier_result>(result)), word);
}

// Agents of which several trees may be part are large, and copying them is what takes time: once for each step that may
// come.
Budget budget_for(const World& world, Budget budget) {
  constexpr std::size_t kBytesOfStates = 4 << 20;
  constexpr std::size_t kBytesOfUpdate = 256 << 10;
  constexpr std::size_t kFewSteps = 16;
  constexpr std::size_t kNodesOfUpdates = 256 << 10;  // an update may look at each node of the tree
  const std::size_t state_bytes = world.state_bytes();
  const std::size_t bytes_of_next = state_bytes * (world.steps().size() / kFewSteps + 1);
  const std::size_t node_count = unit_record(world.sides().front().tree).node_count + std::size_t{1};
  budget.states = std::min<std::uint64_t>(budget.states, kBytesOfStates / bytes_of_next + 1);
  budget.states = std::min<std::uint64_t>(budget.states, kNodesOfUpdates / node_count + 1);
  budget.choices = static_cast<std::uint32_t>(std::min<std::size_t>(budget.choices, kBytesOfUpdate / state_bytes + 1));
  return budget;
}

class ClaimSearch {
 public:
  ClaimSearch(const Tree& tree, const NodesByPlace& nodes, std::span<const Claim> claims,
              std::span<const ResultsOfNode> declared, const Options& options)
      : world_({{tree, agents_to_explore(tree)}}, options.signal_only) {
    for (const Claim& claim : claims) {
      std::vector<WantedStep>& wanted = wanted_.emplace_back();
      for (const Claim::At& node : claim.nodes) wanted.push_back({node.happens, nodes.at(node.node)});
    }
    for (const ResultsOfNode& each : declared) {
      for (const WordRange& node : nodes.at(each.node)) declared_[node.word] = each.results;
    }
  }

  std::vector<std::optional<Trace>> run(const Options& options) const {
    Tracker tracker;
    tracker.node = note;
    tracker.decide = [](Moment& moment, const DecideStep& step) {
      if (step.kind == DecideStepKind::breach) moment.notes.push_back(note_of(Noted::breach, step.node_word));
    };
    tracker.updated = [this](Moment& moment) { look_at_update(moment); };
    Observer observer{.tracker = &tracker};
    observer.after = [this](Run& run, const Step& step, unsigned char* state) {
      return look_at_agents(run, step, state);
    };
    const Findings found = find_all(world_, observer, wanted_.size(), budget_for(world_, options.budget));
    std::vector<std::optional<Trace>> traces(wanted_.size());
    for (const auto& [mark, shown] : found.marks) traces[mark] = shown.trace;
    return traces;
  }

 private:
  static void note(Moment& moment, const NodeStep& step) {
    if (step.kind == NodeStepKind::begin) moment.notes.push_back(note_of(Noted::begin, step.node_word));
    if (step.kind == NodeStepKind::complete) moment.notes.push_back(note_of(step.value, step.node_word));
  }

  static std::vector<std::uint32_t> active_words(const Tree& tree, const void* block) {
    std::vector<std::uint32_t> words;
    visit_active(
        tree, block,
        [](void* user, std::uint32_t word) { static_cast<std::vector<std::uint32_t>*>(user)->push_back(word); },
        &words);
    return words;
  }

  // An update of one agent.
  void look_at_update(Moment& moment) const {
    const Tree& tree = moment.tree;
    const std::vector<std::uint32_t> active = active_words(tree, moment.block);
    if (is_left_out(moment.notes, active)) return moment.mark(kLeftOut);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const bool is_shown = std::all_of(wanted_[i].begin(), wanted_[i].end(), [&](const WantedStep& wanted) {
        if (wanted.happens == Happens::runs_away) {
          return engine_id_of(tree) == EngineId::rule && has_run_away(tree, moment.block);
        }
        return std::any_of(wanted.nodes.begin(), wanted.nodes.end(), [&](const WordRange& node) {
          return happened(wanted.happens, node, moment.notes) || is_so(wanted.happens, node, active);
        });
      });
      if (is_shown) moment.mark(i);
    }
  }

  // All agents, after one step.
  bool look_at_agents(Run& run, const Step& step, unsigned char* state) const {
    std::vector<std::uint64_t>& marks = run.marks();
    if (std::find(marks.begin(), marks.end(), kLeftOut) != marks.end()) {
      marks.clear();
      return false;
    }
    if (world_.agent_count() == 1 || step.kind != StepKind::tick) return true;
    const Side& side = world_.sides().front();
    std::vector<std::uint32_t> active;
    for (std::uint32_t agent = 0; agent < world_.agent_count(); ++agent) {
      const std::vector<std::uint32_t> own = active_words(side.tree, World::block(side, state, agent));
      active.insert(active.end(), own.begin(), own.end());
    }
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const bool is_shown = std::all_of(wanted_[i].begin(), wanted_[i].end(), [&](const WantedStep& wanted) {
        return std::any_of(wanted.nodes.begin(), wanted.nodes.end(),
                           [&](const WordRange& node) { return is_so(wanted.happens, node, active); });
      });
      if (is_shown) run.mark(i);
    }
    return true;
  }

  static bool happened(Happens happens, const WordRange& node, const std::vector<std::uint64_t>& notes) {
    const auto has = [&](std::uint64_t note) { return std::find(notes.begin(), notes.end(), note) != notes.end(); };
    const auto has_result = [&](Result result) { return has(note_of(result, node.word)); };
    switch (happens) {
      case Happens::begins:
        return has(note_of(Noted::begin, node.word));
      case Happens::succeeds:
        return has_result(Result::success);
      case Happens::fails:
        return has_result(Result::failure);
      case Happens::ends:
        return has_result(Result::success) || has_result(Result::failure);
      case Happens::fails_by_itself:
        return has_result(Result::failure) && std::none_of(notes.begin(), notes.end(), [&](std::uint64_t note) {
                 const auto word = static_cast<std::uint32_t>(note);
                 return note >> 32 < static_cast<std::uint64_t>(Noted::begin) && word > node.word && word < node.end;
               });
      case Happens::accepts_alone:
        return has(note_of(Noted::breach, node.word));
      default:
        return false;
    }
  }

  static bool is_so(Happens happens, const WordRange& node, const std::vector<std::uint32_t>& active) {
    if (happens != Happens::runs && happens != Happens::runs_alone) return false;
    if (std::find(active.begin(), active.end(), node.word) == active.end()) return false;
    return happens == Happens::runs || std::none_of(active.begin(), active.end(), [&](std::uint32_t word) {
             return word > node.word && word < node.end;
           });
  }

  bool is_left_out(const std::vector<std::uint64_t>& notes, const std::vector<std::uint32_t>& active) const {
    const auto is_undeclared = [&](std::uint32_t word, std::uint32_t result) {
      const auto found = declared_.find(word);
      return found != declared_.end() && (found->second >> result & 1) == 0;
    };
    return std::any_of(notes.begin(), notes.end(),
                       [&](std::uint64_t note) {
                         const auto what = static_cast<std::uint32_t>(note >> 32);
                         return what < static_cast<std::uint32_t>(Noted::begin) &&
                                is_undeclared(static_cast<std::uint32_t>(note), what);
                       }) ||
           std::any_of(active.begin(), active.end(), [&](std::uint32_t word) {
             return is_undeclared(word, static_cast<std::uint32_t>(static_cast<espalier_result>(Result::running)));
           });
  }

  const World world_;
  std::vector<std::vector<WantedStep>> wanted_;     // by claim
  std::map<std::uint32_t, std::uint8_t> declared_;  // by node
};

}  // namespace

NodesByPlace::NodesByPlace(const Asset& asset) {
  for (std::uint32_t unit = 0; unit < record_count(asset, layout::SectionId::units); ++unit) {
    codegen::visit_unit(asset, unit, [&](const codegen::NodeView& node, std::size_t) {
      const codegen::NodeDebug debug = codegen::node_debug(asset, node.word);
      words_[{std::string(debug.file), debug.line, debug.column}].push_back({node.word, node.word + node.extent});
    });
  }
}

std::vector<WordRange> NodesByPlace::at(const SourcePlace& place) const {
  const auto found = words_.find({place.file, place.line, place.column});
  return found == words_.end() ? std::vector<WordRange>() : found->second;
}

std::vector<std::optional<Trace>> show_claims(const Tree& tree, const NodesByPlace& nodes,
                                              std::span<const Claim> claims, std::span<const ResultsOfNode> declared,
                                              const Options& options) {
  return ClaimSearch(tree, nodes, claims, declared, options).run(options);
}

}  // namespace espalier::explore
