// Writes what exploration answers: what can be reached, how two versions differ, which properties hold. Each as text
// for people and in formats for other programs; schemas/cover.schema.json, diff and proofs describe the JSON.
#pragma once
#include <cstdint>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/results.h"

namespace espalier::report {

// ---- Words

// A step of a trace in words: "signal OnNoise", "set Alerted true", "tick", "tick 2.5 s".
std::string step_words(std::string_view line);
// All steps, equal ones in a row together: "signal OnNoise, tick (3 times)".
std::string steps_words(std::span<const std::string> steps);
// "1,204"
std::string grouped(std::uint64_t number);
// "guard.xml:3:9"; without what is not known.
std::string place_text(const explore::SourcePlace& place);

// The lines of a trace file: its header, which may name another tree, what is answered without a line, and the steps.
std::vector<std::string> file_lines(const explore::Trace& trace, std::string_view tree = {});

// ---- cover

enum class CoverFormat : std::uint8_t { human, json, lcov, markdown, html };

struct CoverForm {
  CoverFormat format = CoverFormat::human;
  bool color = false;
  // The names of CoverTrace are those of files that exist: in a folder that was written, or of given traces.
  bool has_files = false;
  bool tells_trees = true;      // human: not if write_cover_tree() has told them
  bool is_interrupted = false;  // json: some trees are undecided for that
  // If the cover is that of given traces: what can be reached at all, with the same items.
  const explore::Cover* possible = nullptr;
};

struct CoverSummary {
  std::size_t items = 0;
  std::size_t reached = 0;
  std::size_t unreachable = 0;  // proved
  std::size_t undecided = 0;

  // Of what can be reached, or may be; 100 if there is nothing.
  double percent() const;
};
CoverSummary summarize(const explore::Cover& cover, const explore::Cover* possible = nullptr);

// Why an item is not reached: "not reachable: explored all 12 states". The last two are of the cover that is possible.
std::string missing_reason(const explore::Item& item, const explore::TreeCover& tree, const explore::Item* possible,
                           const explore::TreeCover* explored);

// One tree, for people, as soon as it is covered. `possible`: what can be reached at all, if it is given traces that
// cover it; null: this is it.
void write_cover_tree(const explore::TreeCover& tree, const explore::TreeCover* possible, bool color,
                      std::ostream& out);
// For html, see color_trees() in pictures/pictures.h.
void write_cover(const explore::Cover& cover, const CoverForm& form, std::ostream& out);

// ---- diff

enum class DiffFormat : std::uint8_t { human, json, markdown, html };

struct DiffReport {
  std::span<const explore::TreeDiff> trees = {};
  std::span<const explore::Change> changes = {};  // of the text; empty: it is not known, as of assets
  std::string findings = {};                      // errors of the trees, as a JSON list; empty: there are none
  std::vector<std::string> errors = {};           // the same in words, with their places
  std::set<std::string> told = {};                // human: trees that were told, a line each
  bool is_interrupted = false;                    // json: some trees are undecided for that
};

// One tree that is not the same, for people, as soon as it is compared: a line.
void write_diff_tree(const explore::TreeDiff& tree, bool color, std::ostream& out);
// The text of a page: what `data-play` numbers is among the played_differences(), `data-change` is an index of changes.
std::string diff_html(const DiffReport& report);
// Of changes first, then of trees. They are valid as long as what is reported.
std::vector<const explore::Difference*> played_differences(const DiffReport& report);
// Trees that are the same are not listed for people: without a difference nothing is written. For html, see
// write_versions_page() in pictures/versions_page.h.
void write_diff(const DiffReport& report, DiffFormat format, bool color, std::ostream& out);

// ---- prove

enum class ProofFormat : std::uint8_t { human, json, junit };

struct ProofForm {
  ProofFormat format = ProofFormat::human;
  bool color = false;
  bool tells_passed = true;                 // human: properties that hold are listed too
  bool allows_undecided = false;            // junit: they are skipped tests, otherwise failures
  bool is_interrupted = false;              // json: some are undecided for that
  std::span<const std::string> files = {};  // of the traces, one for each proof; empty: not written
};

void write_proofs(std::span<const explore::Proof> proofs, const ProofForm& form, std::ostream& out);
// "3 properties hold, 1 fails, 1 is undecided"
std::string proof_summary(std::span<const explore::Proof> proofs);

}  // namespace espalier::report
