// Mutants of trees. See mutants.h.
#include "mutants/mutants.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "codegen/alone.h"
#include "codegen/compile.h"
#include "codegen/meaning.h"
#include "compiled/one_tree.h"
#include "dialects/dialect.h"
#include "mutants/changes.h"
#include "project/check.h"
#include "text/parallel.h"

namespace espalier::mutants {
namespace {

// An asset of one tree, and what of it decides what the tree does.
struct Compiled {
  std::vector<std::uint64_t> words;
  std::size_t size_bytes = 0;
  Asset asset;
  std::string meaning;
};

// None: it has errors, or no tree of this name.
std::unique_ptr<Compiled> compile(const project::Snapshot& snapshot, std::string_view tree) {
  project::Checked checked = project::check(snapshot);
  if (checked.findings.has_errors() || compiled::leave_tree(tree, checked.ir) != 1) return nullptr;
  auto result = std::make_unique<Compiled>();
  text::Findings findings;
  result->words = codegen::compile(checked.ir, snapshot.sources, {}, findings, &result->size_bytes);
  if (result->words.empty() || open(result->words.data(), result->size_bytes, &result->asset) != Status::ok)
    return nullptr;
  result->meaning = codegen::meaning_of(result->asset);
  return result;
}

// Those of the store engine are left out: they are put into each other, and declare nothing for other files.
Meanings meanings_of(const ir::Project& project, const text::Sources& sources) {
  Meanings meanings;
  for (const auto& [name, words] : codegen::compiled_alone(project, sources)) {
    const std::string_view bytes(reinterpret_cast<const char*>(words.data()), words.size() * sizeof words.front());
    meanings.emplace(name, std::hash<std::string_view>()(bytes));
  }
  for (const ir::Tree& tree : project.trees) {
    if (tree.engine() == EngineId::store) meanings.erase(tree.name);
  }
  return meanings;
}

Meanings meanings_of(project::Snapshot snapshot) {
  snapshot.shown = lint::Shown::nothing;
  return meanings_of(project::check(snapshot).ir, snapshot.sources);
}

// Does the tree do in this part what it does in all files? What declares its nodes can be in others.
bool is_enough(const project::Snapshot& part, std::string_view tree, const Origin& origin) {
  const auto whole = origin.meanings.find(tree);
  if (whole == origin.meanings.end()) return true;
  project::Checked checked = project::check(part);
  if (compiled::leave_tree(tree, checked.ir) != 1) return false;
  const Meanings own = meanings_of(checked.ir, part.sources);
  return std::any_of(own.begin(), own.end(), [&](const auto& each) { return each.second == whole->second; });
}

// Of the files: those that the tree's nodes are in, also those that have nodes of no tree, and all. The first that are
// enough are taken, since they are checked again for each mutant.
enum class Part : std::uint8_t { own, with_declarations, whole };

project::Snapshot part_for(const Origin& origin, const FileLines& lines, Part files) {
  project::Snapshot part = origin.snapshot;
  part.for_compiling = true;
  part.shown = lint::Shown::nothing;
  part.configuration.dialects.is_partial = false;
  part.thread_count = 1;
  // It is copied for each mutant.
  part.read_paths.clear();
  part.asked_paths.clear();
  part.skipped.clear();
  part.configured.clear();
  std::erase_if(part.files, [&](const project::SnapshotFile& file) {
    if (file.parsed == nullptr || files == Part::whole) return file.parsed == nullptr;
    const std::string& path = part.sources[file.id].path();
    const bool is_declaration = files == Part::with_declarations && !origin.lines.have(path);
    return lines.find(path) == lines.end() && !is_declaration;
  });
  part.file_count = static_cast<std::uint32_t>(part.files.size());
  return part;
}

struct Candidate {
  std::size_t file = 0;  // of the snapshot
  Change change;
  text::Position position = {};
};

std::vector<Candidate> candidates_of(const project::Snapshot& snapshot, const FileLines& lines) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < snapshot.files.size(); ++i) {
    const project::SnapshotFile& file = snapshot.files[i];
    const auto own = file.parsed == nullptr ? lines.end() : lines.find(snapshot.sources[file.id].path());
    if (own == lines.end()) continue;
    const text::XmlDocument document(file.parsed, file.id);
    const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
    if (dialect == nullptr) continue;
    for (Change& change : changes_of(document, *dialect)) {
      const text::Position position = snapshot.sources[file.id].position(change.span.begin);
      if (position.line <= own->second.last) candidates.push_back({i, std::move(change), position});
    }
  }
  return candidates;
}

// Some from all parts.
void leave(std::size_t most, std::vector<Candidate>& candidates) {
  if (candidates.size() <= most) return;
  std::vector<Candidate> left;
  for (std::size_t i = 0; i < most; ++i) left.push_back(std::move(candidates[i * candidates.size() / most]));
  candidates = std::move(left);
}

std::unique_ptr<Compiled> compile(const project::Snapshot& snapshot, const Candidate& candidate,
                                  std::string_view tree) {
  const std::shared_ptr<const text::ParsedXml>& parsed = snapshot.files[candidate.file].parsed;
  const text::XmlDocument document(parsed, snapshot.files[candidate.file].id);
  const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
  auto edited = text::parse_edited(*parsed, candidate.change.edits, dialect->scan);
  if (edited == nullptr) return nullptr;
  project::Snapshot changed = snapshot;
  changed.files[candidate.file].parsed = std::move(edited);
  return compile(changed, tree);
}

}  // namespace

Origin::Origin(const Asset& origin, const project::Snapshot& compiled)
    : asset(origin), snapshot(compiled), lines(origin), meanings(meanings_of(compiled)) {}

Mutants mutants_of(const Origin& origin, const Tree& tree, const MutantLimits& limits) {
  const FileLines lines = origin.lines.of(tree);
  const std::string name(tree_name(tree));
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin;
  project::Snapshot part;
  std::unique_ptr<Compiled> own;
  for (const Part files : {Part::own, Part::with_declarations, Part::whole}) {
    part = part_for(origin, lines, files);
    begin = Clock::now();
    own = compile(part, name);
    if (own != nullptr && (files == Part::whole || is_enough(part, name, origin))) break;
  }
  if (own == nullptr) return {};
  const Clock::duration one = std::max(Clock::now() - begin, Clock::duration(1));
  Mutants mutants;
  std::vector<Candidate> candidates = candidates_of(part, lines);
  leave(limits.time ? std::min(limits.changes, static_cast<std::size_t>(*limits.time / one)) : limits.changes,
        candidates);
  mutants.tried_count = candidates.size();
  std::vector<std::unique_ptr<Compiled>> made(candidates.size());
  text::run_parallel(candidates.size(), limits.thread_count, 4, [&]() -> text::Worker {
    return [&](std::size_t i) {
      if (limits.interruption != nullptr && *limits.interruption) return;
      if (limits.time && Clock::now() > begin + *limits.time) return;
      made[i] = compile(part, candidates[i], name);
    };
  });
  std::set<std::string> known = {own->meaning};
  mutants.original.words = std::move(own->words);
  mutants.original.size_bytes = own->size_bytes;
  mutants.original.asset = own->asset;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (made[i] == nullptr || !known.insert(std::move(made[i]->meaning)).second) continue;
    const text::Position position = candidates[i].position;
    mutants.all.push_back({.file = std::string(part.sources[part.files[candidates[i].file].id].path()),
                           .line = position.line,
                           .column = position.column,
                           .what = std::move(candidates[i].change.what),
                           .words = std::move(made[i]->words),
                           .size_bytes = made[i]->size_bytes,
                           .asset = made[i]->asset});
  }
  return mutants;
}

}  // namespace espalier::mutants
