// The entries that a program has to write. See lint.h.
#include <cstddef>
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

// False: not all of the tree is known.
bool add_entries(const PollAnalysis& analysis, const WrittenTree& tree, std::set<std::string>& names) {
  EntryFacts facts(analysis);
  if (!facts.find(tree)) return false;
  const Board& board = facts.boards.front();
  if (board.has_unknown_writes || board.has_unknown_ports) return false;
  Misspelt misspelt = check_spelling(board, analysis);
  misspelt.merge(check_slips(board, misspelt, analysis));
  for (const auto& [key, entry] : board.entries) {
    const bool is_told = misspelt.count(key) != 0 || looks_like_enum(key) || analysis.project.is_written_by_nav2(key);
    if (!is_told && needs_writing(entry)) names.insert(key);
  }
  return true;
}

}  // namespace

ProgramEntries entries_of_program(const ir::Project& project) {
  ProgramEntries entries;
  if (project.written == nullptr) return entries;
  text::Findings unused;
  const PollAnalysis analysis{*project.written, unused};
  std::set<std::string> names;
  std::size_t count = 0;
  std::size_t known_count = 0;
  for (const std::size_t root : project.written->roots) {
    const WrittenTree& tree = project.written->trees[root];
    if (!tree.is_main) continue;
    ++count;
    known_count += add_entries(analysis, tree, names) ? 1 : 0;
  }
  entries.names.assign(names.begin(), names.end());
  entries.are_all = count > 0 && known_count == count;
  return entries;
}

}  // namespace espalier::lint
