// Findings: the fault, its place, and a hint. Findings are values: they are collected here and printed only in
// lib/report.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
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
  // The place in a file that is not read, from which what stands at the span was made; relative to the span's file:
  // "src/go_to.hpp:31". The message ends with it. People are shown it in place of the span.
  std::string origin = {};
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

// A value that few things have: those that have none take no room for it. Used like std::optional.
template <typename Value>
class Rare {
 public:
  Rare() = default;
  Rare(Value value)  // NOLINT(google-explicit-constructor)
      : value_(std::make_unique<Value>(std::move(value))) {}
  Rare(const Rare& other) : value_(other ? std::make_unique<Value>(*other) : nullptr) {}
  Rare(Rare&&) = default;
  Rare& operator=(Rare other) {
    value_.swap(other.value_);
    return *this;
  }

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  Value& operator*() { return *value_; }
  const Value& operator*() const { return *value_; }
  Value* operator->() { return value_.get(); }
  const Value* operator->() const { return value_.get(); }
  Value& emplace() { return *(value_ = std::make_unique<Value>()); }
  void reset() { value_.reset(); }

 private:
  std::unique_ptr<Value> value_;
};

// A way to fix the fault. The edits belong together and do not overlap.
struct Fix {
  std::string title;  // an imperative sentence without full stop: "Replace 'Prioritty' with 'Priority'"
  FixGrade grade = FixGrade::unsafe;
  std::vector<Edit> edits;
  // Of a fix that a proof shows to be safe: the conditions that the proof relies on, its own among them. Fixes that
  // share one are not applied together, as each may be right only while the other is not applied.
  std::vector<SharedSpans> rests_on = {};
  Rare<Guess> guess = {};  // none: it is certain what was meant
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
  Rare<Witness> witness = {};
  Rare<Claim> claim = {};  // whose trace is not found yet
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
  // Is there one of this rule at this place?
  bool has(Rule rule, Span span);
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
  // Where a finding is, by a hash of its rule and place.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = UINT32_MAX;  // none
  };
  // Of one rule in one file.
  struct OfRule {
    std::size_t count = 0;
    std::size_t last = SIZE_MAX;  // its number; past the end: not known
  };

  Finding* find(Rule rule, Span span, std::uint32_t hash);
  void index_all();
  void enter(std::uint32_t hash, std::size_t number);
  void count_all();

  std::vector<Finding> findings_;
  // As many as a power of two, at most half of them used. None while there are few findings, which are looked through.
  // Of all findings but those that all() has changed, which are in the place of others then.
  std::vector<Slot> slots_;
  std::size_t indexed_count_ = 0;
  std::map<std::pair<FileId, Rule>, OfRule> of_rules_;  // empty while there are too few for a limit to be reached
  bool is_indexed_ = true;                              // false: the findings are in another order since
};

}  // namespace espalier::text
