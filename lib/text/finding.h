// Findings: the fault, its place, and a hint. Findings are values: they are collected here and printed only in
// lib/report.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "rules/rule.h"
#include "text/source.h"

namespace espalier::text {

using rules::FixGrade;
using rules::Rule;
using rules::Severity;

// Another place that helps to understand a finding ("first defined here").
struct Related {
  Span span;
  std::string message;
};

// Replaces one piece of source text. An empty span inserts, an empty replacement removes.
struct Edit {
  Span span;
  std::string replacement;
};

// Pieces of source text. Fixes at one place share their list.
using SharedSpans = std::shared_ptr<const std::vector<Span>>;

// What a fix takes the written text for. Whether such a fix is safe is decided when all files are read: see
// project/safe_fixes.h.
struct Guess {
  enum class Of : std::uint8_t {
    notation,  // of another language, with one meaning here
    word,      // of the dialect or its engine, which is not misspelt itself
    name,      // that somebody has declared, and may have misspelt there
    tag,       // in the start tag that an end tag closes
  };
  Of of = Of::notation;
  std::string written = {};
  std::string meant = {};
  Span declared = {};         // the name that was meant; empty: not known where
  bool is_told_once = false;  // the finding is about all uses of the written name in its file
};

// A way to fix the fault. The edits belong together and do not overlap.
struct Fix {
  std::string title;  // an imperative sentence without full stop: "Replace 'Prioritty' with 'Priority'"
  FixGrade grade = FixGrade::unsafe;
  std::vector<Edit> edits;
  // Of a fix that a proof shows to be safe: the conditions that the proof relies on, its own among them. Fixes that
  // share one are not applied together, as each may be right only while the other is not applied.
  std::vector<SharedSpans> rests_on = {};
  std::optional<Guess> guess = {};  // none: it is certain what was meant
};

// The fix that replaces `written`, the text at `span`. The title names both.
Fix make_fix(Span span, std::string_view written, std::string replacement, FixGrade grade);

// Evidence for a finding about behaviour: a trace that `replay` runs, and that demonstrates it.
struct Witness {
  std::string shows;               // one sentence without full stop: "nothing is selected"
  std::vector<std::string> trace;  // its lines, without the header: {"tick": 0.1}
  std::string tree = {};           // for the header, as the next three
  std::uint32_t agent_count = 1;
  std::uint64_t seed = 1;
  std::vector<std::string> events = {};  // the kinds that `expect` compares; empty: the default
  std::string expect = {};               // the lines after the trace that fail unless it shows what is claimed
};

// What an update does to a node, or leaves it in.
enum class Happens : std::uint8_t {
  begins,
  succeeds,
  fails,
  ends,             // it succeeds or fails
  fails_by_itself,  // no node below it has a result in the same update
  runs,             // the node is active when the update is over
  runs_alone,       // and no node below it is
  accepts_alone,    // a group of deciders accepts, but none of its children does
  runs_away         // the update is stopped as a run-away, wherever that is
};

// What a finding says can happen: all of this in one update. It is for exploration to find the trace that shows it.
struct Claim {
  struct At {
    Happens happens;
    Span node;
  };
  std::string shows;  // of the witness
  std::string tree;
  std::vector<At> nodes;
};

struct Finding {
  Rule rule;
  Severity severity;
  Span span;
  std::string message;    // one sentence, no full stop, names the thing in '...'
  std::string hint = {};  // "did you mean 'Alerted'?"; empty: none
  std::vector<Related> related = {};
  std::vector<Fix> fixes = {};  // alternatives, the best one first
  std::optional<Witness> witness = {};
  std::optional<Claim> claim = {};  // whose trace is not found yet
};

// Adds the fix that replaces what the finding marks, which is `guess.written`, with what was meant. No effect if
// nothing was meant, the finding has a fix, or marks something else, such as a name with references in it.
void propose(Finding& finding, Guess guess, FixGrade grade);

// So many related places of a finding are shown, where many lead to it.
inline constexpr std::size_t kMaxRelated = 8;
// Adds a place before the others, unless there is one at the same span.
void relate_first(Finding& finding, Related related);

// The findings of one run. A fault is one finding: another finding of the same rule at the same place is merged into
// the first, which gets its new related places.
class Findings {
 public:
  // `severity` is that of the rule unless given.
  Finding& add(Rule rule, Span span, std::string message, std::string hint = {});
  Finding& add(Finding finding);
  void merge(Findings&& other);
  // Adds findings of other sources, whose first file is `first_file` here (see Sources::append).
  void add_files(Findings other, FileId first_file);
  // May be changed; what is put there is not merged with others.
  std::vector<Finding>& all() { return findings_; }
  const std::vector<Finding>& all() const { return findings_; }
  bool has_errors() const;
  // By file path, line, column, code.
  void sort(const Sources& sources);

 private:
  using Place = std::tuple<Span, Rule>;
  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };
  void index_all();

  std::vector<Finding> findings_;
  std::unordered_map<Place, std::size_t, PlaceHash> index_;  // of places, but for those that all() has changed
  bool is_indexed_ = true;                                   // false: the findings are in another order since
};

}  // namespace espalier::text
