// The entries that a program has to write. See lint.h.
#include <set>
#include <string>
#include <vector>

#include "lint/lint.h"
#include "lint/poll/entry_facts.h"

namespace espalier::lint {
namespace {

bool needs_writing(const Entry& entry) {
  if (entry.written || entry.is_perhaps_used) return false;
  return entry.read || entry.is_perhaps_read || (entry.assigned && !entry.is_made);
}

void add_entries(const PollAnalysis& analysis, const WrittenTree& tree, std::set<std::string>& names) {
  EntryFacts facts(analysis);
  if (!facts.find(tree)) return;
  const Board& board = facts.boards.front();
  if (board.has_unknown_writes || board.has_unknown_ports) return;
  const Misspelt misspelt = check_spelling(board, analysis);
  for (const auto& [key, entry] : board.entries) {
    const bool is_told = misspelt.count(key) != 0 || looks_like_enum(key) || analysis.project.is_written_by_nav2(key);
    if (!is_told && needs_writing(entry)) names.insert(key);
  }
}

}  // namespace

std::vector<std::string> entries_of_program(const ir::Project& project) {
  if (project.written == nullptr) return {};
  text::Findings unused;
  const PollAnalysis analysis{*project.written, unused};
  std::set<std::string> names;
  for (const std::size_t root : project.written->roots) {
    const WrittenTree& tree = project.written->trees[root];
    if (tree.is_main) add_entries(analysis, tree, names);
  }
  return {names.begin(), names.end()};
}

}  // namespace espalier::lint
