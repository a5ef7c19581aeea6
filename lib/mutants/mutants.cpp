// Mutants of trees. See mutants.h.
#include "mutants/mutants.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

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

// Only the files that the tree's nodes are in, where these are enough.
project::Snapshot part_for(const project::Snapshot& snapshot, const FileLines& lines) {
  project::Snapshot part = snapshot;
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
    return file.parsed == nullptr || lines.find(part.sources[file.id].path()) == lines.end();
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
    : asset(origin), snapshot(compiled), lines(origin) {}

Mutants mutants_of(const Origin& origin, const Tree& tree, const MutantLimits& limits) {
  const project::Snapshot& snapshot = origin.snapshot;
  const FileLines lines = origin.lines.of(tree);
  const std::string name(tree_name(tree));
  project::Snapshot part = part_for(snapshot, lines);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  std::unique_ptr<Compiled> own = compile(part, name);
  if (own == nullptr) {
    part = snapshot;
    part.thread_count = 1;
    own = compile(part, name);
  }
  const Clock::duration one = std::max(Clock::now() - begin, Clock::duration(1));
  if (own == nullptr) return {};
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
