// Properties that hold. See proposing.h.
#include "explore/property/proposing.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "explore/allowance.h"
#include "explore/engine.h"
#include "explore/property/proving.h"
#include "replay/names.h"
#include "text/json.h"

namespace espalier::explore {
namespace {

constexpr std::size_t kNearest = 3;     // actions before or behind one that are tried
constexpr std::size_t kMostNames = 30;  // of a tree: there may be very many properties of large ones
constexpr std::uint64_t kProofs = 64;   // parts of the budget of a tree

std::string event_of(const std::string& words) { return "{\"event\": " + text::json_string(words) + '}'; }

class Proposing {
 public:
  Proposing(const Tree& tree, const Options& options, std::vector<Proposed>& found)
      : tree_(tree), engine_(replay::engine_of_tree(tree)), options_(options), left_(options.budget), found_(found) {
    row_of(engine_).questions(tree, [&](const Question& question, std::uint32_t, NodeAsks asks, std::uint32_t word) {
      const bool is_action = asks == NodeAsks::behavior && (question.is_called || question.is_activated);
      if (!is_action || std::find(names_.begin(), names_.end(), question.name) != names_.end()) return;
      names_.push_back(question.name);
      words_.push_back(word);
    });
    for (std::uint32_t i = 0; engine_ == EngineId::select && i < leaf_count(tree); ++i) {
      const std::string name(behavior_name(*tree.asset, leaf_behavior(tree, i)));
      if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
    }
    if (names_.size() > kMostNames) names_.resize(kMostNames);
  }

  void run() {
    if (engine_ == EngineId::select || engine_ == EngineId::decide)
      add("always does something", R"("always": {"behavior": {"not": null}})");
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!is_reachable(event_of("enter " + names_[i]))) continue;
      if (engine_ != EngineId::select && engine_ != EngineId::decide) {
        add_order(i);
        add_answer(i);
        add_inputs(i);
      }
      if (engine_ == EngineId::select) add_variables(i);
    }
  }

 private:
  Truth prove(const std::string& claim) {
    text::Sources sources;
    text::Findings findings;
    std::vector<Property> properties;
    const std::string file = "{\"properties\": [{\"name\": \"p\", " + claim + "}]}";
    read_property_file(sources.add("proposed", file), sources, findings, properties);
    if (properties.size() != 1) return Truth::undecided;
    properties.front().tree = std::string(tree_name(tree_));
    if (trees_of(properties.front(), *tree_.asset).empty()) return Truth::undecided;
    Options own = options_;
    const auto begin = std::chrono::steady_clock::now();
    own.budget = left_.part(kProofs);
    const Proof proof = prove_property(properties.front(), tree_, own);
    left_.use(proof.used_count, begin);
    return proof.result;
  }

  bool is_reachable(const std::string& state) { return prove("\"reachable\": " + state) == Truth::holds; }

  bool add(const std::string& name, const std::string& claim) {
    if (prove(claim) != Truth::holds) return false;
    found_.push_back({std::string(tree_name(tree_)), name, claim});
    return true;
  }

  // After the nearest of the actions before it.
  void add_order(std::size_t i) {
    for (std::size_t k = i; k > 0 && i - k < kNearest; --k) {
      const std::string& other = names_[k - 1];
      const std::string never = "\"never\": " + event_of("enter " + names_[i]) + ", \"until\": ";
      if (add(names_[i] + " only after " + other + " has succeeded", never + event_of("tick " + other + " success")))
        return;
      if (add(names_[i] + " only after " + other + " has failed", never + event_of("tick " + other + " failure")))
        return;
    }
  }

  // The action behind it that answers its failure at once.
  void add_answer(std::size_t i) {
    const std::string failed = event_of("tick " + names_[i] + " failure");
    if (!is_reachable(failed)) return;
    for (std::size_t k = i + 1; k < names_.size() && k - i <= kNearest; ++k) {
      if (add(names_[k] + " as soon as " + names_[i] + " fails",
              "\"after\": " + failed + ", \"expect\": " + event_of("enter " + names_[k])))
        return;
    }
  }

  void add_inputs(std::size_t i) {
    const EngineRow& row = row_of(engine_);
    if (row.input_entry == nullptr) return;
    std::set<std::string> inputs;
    row.input_entry(tree_, words_[i],
                    [&](std::string_view, std::string_view input, std::string_view) { inputs.emplace(input); });
    for (const std::string& input : inputs) {
      add(names_[i] + " always has its " + input,
          "\"never\": " + event_of("read " + names_[i] + ' ' + input + " error"));
    }
  }

  // Of each variable the value under which alone it is selected.
  void add_variables(std::size_t i) {
    constexpr std::uint32_t kMostVariables = 8;
    const std::uint32_t count = std::min(kMostVariables, espalier_count(tree_, ESPALIER_VARIABLES));
    for (std::uint32_t variable = 0; variable < count; ++variable) {
      const std::string name = espalier_name(tree_, ESPALIER_VARIABLES, variable);
      const auto selected_while = [&](const char* value) {
        return "\"never\": {\"behavior\": " + text::json_string(names_[i]) + ", \"variables\": {" +
               text::json_string(name) + ": " + value + "}}";
      };
      if (!add(names_[i] + " only while " + name, selected_while("false")))
        add(names_[i] + " never while " + name, selected_while("true"));
    }
  }

  const Tree tree_;
  const EngineId engine_;
  const Options& options_;
  Allowance left_;
  std::vector<Proposed>& found_;
  std::vector<std::string> names_;    // of actions, in the order of the tree
  std::vector<std::uint32_t> words_;  // of the first node of each
};

}  // namespace

std::vector<Proposed> propose(const Asset& asset, const ChosenTrees& trees, const Options& options) {
  std::vector<Proposed> found;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree = espalier::tree(asset, i);
    if (trees.name.empty() || tree_name(tree) == trees.name) Proposing(tree, options, found).run();
  }
  return found;
}

std::string property_file_of(const std::vector<Proposed>& properties) {
  std::set<std::string> trees;
  for (const Proposed& each : properties) trees.insert(each.tree);
  std::string text = "{\"properties\": [\n";
  for (const Proposed& each : properties) {
    const std::string name = trees.size() > 1 ? each.tree + ": " + each.name : each.name;
    text += "  {\"name\": " + text::json_string(name) + ", \"tree\": " + text::json_string(each.tree) + ", " +
            each.claim + (&each == &properties.back() ? "}\n" : "},\n");
  }
  return text + "]}\n";
}

}  // namespace espalier::explore
