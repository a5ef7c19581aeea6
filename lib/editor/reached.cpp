// Explores trees for an editor. See reached.h.
#include "editor/reached.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "editor/positions.h"
#include "explore/explore.h"
#include "explore/tracker.h"
#include "report/explored.h"

namespace espalier::editor {
namespace {

// Of a tree.
constexpr explore::Budget kBudget{.states = 20'000, .cost_a_state = 320, .milliseconds = 200, .threads = 1};
constexpr std::chrono::milliseconds kOfAllTrees{500};

bool is_shorter(const explore::Item& item, const std::optional<explore::Trace>& trace) {
  return item.shortest && (!trace || item.shortest->steps.size() < trace->steps.size());
}

// Of all trees, and all places of a shared node: what any run reaches is reached.
void add(ReachedElement& element, const explore::Item& item, bool is_first) {
  using explore::Reached;
  if (is_first) {
    element.name = item.name;
    element.reached = item.reached;
  } else if (element.reached != Reached::yes && item.reached != Reached::no) {
    element.reached = item.reached;
  }
  if (is_shorter(item, element.shortest)) element.shortest = item.shortest;
}

// "Fire success" of the node "Fire".
std::string result_of(const explore::Item& item) { return item.name.substr(item.name.rfind(' ') + 1); }

// The results of one element: whether runs reach each.
using Results = std::map<std::string, explore::Reached>;

// What a node of its kind always gives is nothing to tell.
std::string only_result(const Results& results) {
  if (results.size() < 2) return {};
  std::string only;
  for (const auto& [result, reached] : results) {
    if (reached == explore::Reached::no) continue;
    if (reached == explore::Reached::undecided || !only.empty()) return {};
    only = result;
  }
  return only;
}

bool begins_in(const Tree& tree, const explore::HostFacts& host, std::string_view path) {
  const std::vector<explore::Item> items = explore::tracker_of(tree, host).items;
  return !items.empty() && items.front().place.file == path;
}

std::string steps_of(const explore::Trace& trace) {
  const std::size_t count = trace.steps.size();
  return std::to_string(count) + (count == 1 ? " step" : " steps");
}

}  // namespace

bool are_current(const ReachedElements& known, const LiveProject& project, const CompiledTrees& trees) {
  return known.words == trees.words && known.host == trees.host &&
         known.signal_only == project.snapshot().configuration.dialects.signal_only;
}

ReachedElements find_reached(const LiveProject& project, FileId file, CompiledTrees trees) {
  ReachedElements found;
  explore::Options options;
  options.budget = kBudget;
  options.host = trees.host;
  options.signal_only = project.snapshot().configuration.dialects.signal_only;
  const text::Source& source = project.snapshot().sources[file];
  const Lines lines(source.text());
  std::map<std::uint32_t, ReachedElement> elements;
  std::map<std::uint32_t, Results> results;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint32_t i = 0; trees.is_open && i < tree_count(trees.asset); ++i) {
    if (std::chrono::steady_clock::now() - begin > kOfAllTrees) break;
    if (!begins_in(tree(trees.asset, i), trees.host, source.path())) continue;
    for (const explore::TreeCover& cover : explore::cover(trees.asset, {{}, i, i + 1}, options).trees) {
      for (const explore::Item& item : cover.items) {
        if (item.place.file != source.path() || item.place.line == 0) continue;
        const std::uint32_t offset = lines.offset({item.place.line - 1, item.place.column - 1}, Encoding::utf8);
        if (item.kind == explore::ItemKind::result) {
          explore::Reached& reached = results[offset].try_emplace(result_of(item), item.reached).first->second;
          if (reached == explore::Reached::no || item.reached == explore::Reached::yes) reached = item.reached;
        } else {
          const auto [element, is_first] = elements.try_emplace(offset, ReachedElement{.offset = offset});
          add(element->second, item, is_first);
        }
      }
    }
  }
  for (auto& [offset, element] : elements) {
    if (const auto own = results.find(offset); own != results.end()) element.only_result = only_result(own->second);
    found.elements.push_back(std::move(element));
  }
  found.words = std::move(trees.words);
  found.host = std::move(trees.host);
  found.signal_only = std::move(options.signal_only);
  return found;
}

const ReachedElement* reached_at(const ReachedElements& known, std::uint32_t offset) {
  const auto found = std::lower_bound(known.elements.begin(), known.elements.end(), offset,
                                      [](const ReachedElement& each, std::uint32_t at) { return each.offset < at; });
  return found == known.elements.end() || found->offset != offset ? nullptr : &*found;
}

std::string words_of(const ReachedElement& element) {
  std::string text;
  if (element.shortest) {
    text = "Reached in " + steps_of(*element.shortest) + ": " + report::steps_words(element.shortest->steps);
  } else {
    text = element.reached == explore::Reached::no
               ? "**Never reached**: no run leads here"
               : "Not known whether a run leads here: `espalier cover` looks longer";
  }
  if (!element.only_result.empty())
    text += "\n\n**Always " + element.only_result + "** here: no run gives another result";
  return text;
}

std::string title_of(const ReachedElement& element) {
  if (element.shortest) return "reach it in " + steps_of(*element.shortest);
  return element.reached == explore::Reached::no ? "never reached" : std::string();
}

}  // namespace espalier::editor
