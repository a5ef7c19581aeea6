// The findings of one run. See finding.h.
#include "text/finding.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

#include "rules/rules.h"
#include "text/characters.h"
#include "text/names.h"

namespace espalier::text {
namespace {

// A file of a few megabytes can have a million faults of one kind: so many are kept of each rule in a file, and the
// last.
constexpr std::size_t kMostOfARule = 10'000;

// So many are looked through faster than a table of them.
constexpr std::size_t kFew = 8;

}  // namespace

Fix make_fix(Span span, std::string_view written, std::string replacement, FixGrade grade) {
  std::string title;
  if (written.empty()) {
    title = "Insert " + quote(replacement);
  } else if (replacement.empty()) {
    title = "Remove " + quote(written);
  } else {
    title = "Replace " + quote(written) + " with " + quote(replacement);
  }
  return {std::move(title), grade, {{span, std::move(replacement)}}};
}

void propose(Finding& finding, Guess guess, FixGrade grade) {
  const bool is_marked = finding.span.end - finding.span.begin == guess.written.size();
  if (guess.meant.empty() || !is_marked || !finding.fixes.empty()) return;
  finding.fixes.push_back(make_fix(finding.span, guess.written, escaped(guess.meant), grade));
  finding.fixes.back().guess = std::move(guess);
}

void relate_first(Finding& finding, Related related) {
  const auto is_same = [&](const Related& each) { return each.span == related.span; };
  if (std::any_of(finding.related.begin(), finding.related.end(), is_same)) return;
  finding.related.insert(finding.related.begin(), std::move(related));
  if (finding.related.size() > kMaxRelated) finding.related.resize(kMaxRelated);
}

Finding& Findings::add(Rule rule, Span span, std::string message, std::string hint) {
  return add(Finding{rule, rules::info(rule).severity, span, std::move(message), std::move(hint)});
}

namespace {

std::uint32_t hash_of(Rule rule, Span span) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;  // spreads numbers that are near one another
  std::uint64_t hash = (std::uint64_t{span.file} << 32 | span.begin) * kFactor;
  hash = (hash ^ hash >> 32 ^ (std::uint64_t{span.end} << 16 | rules::index_of(rule))) * kFactor;
  return static_cast<std::uint32_t>(hash >> 32);
}

bool is_at(const Finding& finding, Rule rule, Span span) { return finding.span == span && finding.rule == rule; }

}  // namespace

void Findings::enter(std::uint32_t hash, std::size_t number) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].number != UINT32_MAX) at = (at + 1) & mask;
  slots_[at] = {hash, static_cast<std::uint32_t>(number)};
}

void Findings::index_all() {
  slots_.clear();
  indexed_count_ = findings_.size();
  if (findings_.size() >= kFew) {
    slots_.resize(std::bit_ceil(2 * findings_.size() + 1));
    for (std::size_t i = 0; i < findings_.size(); ++i) enter(hash_of(findings_[i].rule, findings_[i].span), i);
  }
  is_indexed_ = true;
}

// Callers can remove findings through all(); then a slot refers to another finding or past the end.
Finding* Findings::find(Rule rule, Span span, std::uint32_t hash) {
  if (slots_.empty()) {
    const auto found =
        std::find_if(findings_.begin(), findings_.end(), [&](const Finding& each) { return is_at(each, rule, span); });
    return found == findings_.end() ? nullptr : &*found;
  }
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at].number != UINT32_MAX; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.hash == hash && slot.number < findings_.size() && is_at(findings_[slot.number], rule, span))
      return &findings_[slot.number];
  }
  return nullptr;
}

bool Findings::has(Rule rule, Span span) {
  if (!is_indexed_) index_all();
  return find(rule, span, hash_of(rule, span)) != nullptr;
}

// Fewer findings than the limit of a rule need not be counted.
void Findings::count_all() {
  for (const Finding& finding : findings_) ++of_rules_[{finding.span.file, finding.rule}].count;
}

Finding& Findings::add(Finding finding) {
  if (!is_indexed_) {
    index_all();
    of_rules_.clear();
  }
  const std::uint32_t hash = hash_of(finding.rule, finding.span);
  if (Finding* const first = find(finding.rule, finding.span, hash)) {
    for (Related& related : finding.related) {
      const bool known = std::any_of(first->related.begin(), first->related.end(), [&](const Related& other) {
        return other.span == related.span && other.message == related.message;
      });
      if (!known) first->related.push_back(std::move(related));
    }
    return *first;
  }
  if (of_rules_.empty() && findings_.size() + 1 >= kMostOfARule) count_all();
  if (findings_.size() + 1 >= kMostOfARule) {
    OfRule& of_rule = of_rules_[{finding.span.file, finding.rule}];
    if (++of_rule.count > kMostOfARule + 1 && of_rule.last < findings_.size()) {
      // Without a slot of its own: the next one may take its place.
      Finding& kept = findings_[of_rule.last];
      if (kept.rule == finding.rule && kept.span.file == finding.span.file) return kept = std::move(finding);
    }
    of_rule.last = findings_.size();
    if (of_rule.count == kMostOfARule) {
      finding.related.push_back({finding.span,
                                 "there are more findings of this rule in this file: after this one, only "
                                 "the last is listed"});
    }
  }
  findings_.push_back(std::move(finding));
  if (2 * ++indexed_count_ > slots_.size() && findings_.size() >= kFew) {
    index_all();
  } else if (!slots_.empty()) {
    enter(hash, findings_.size() - 1);
  }
  return findings_.back();
}

void Findings::merge(Findings&& other) {
  if (findings_.empty()) {
    std::swap(*this, other);
  } else {
    for (Finding& finding : other.findings_) add(std::move(finding));
  }
  other = Findings();
}

void Findings::add_files(Findings other, FileId first_file) {
  for (Finding& finding : other.findings_) {
    finding.span.file += first_file;
    for (Related& related : finding.related) related.span.file += first_file;
    for (Fix& fix : finding.fixes) {
      for (Edit& edit : fix.edits) edit.span.file += first_file;
    }
  }
  if (first_file != 0) other.is_indexed_ = false;
  merge(std::move(other));
}

bool Findings::has_errors() const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [](const Finding& finding) { return finding.severity == Severity::error; });
}

void Findings::sort(const Sources& sources) {
  // Of each file, how many paths come before its own.
  std::vector<FileId> by_path(sources.size());
  for (FileId file = 0; file < sources.size(); ++file) by_path[file] = file;
  const auto path = [&](FileId file) { return std::string_view(sources[file].path()); };
  std::sort(by_path.begin(), by_path.end(), [&](FileId a, FileId b) { return path(a) < path(b); });
  std::vector<std::size_t> ranks(sources.size());
  for (std::size_t i = 0; i < by_path.size(); ++i) {
    const bool is_same = i > 0 && path(by_path[i]) == path(by_path[i - 1]);
    ranks[by_path[i]] = is_same ? ranks[by_path[i - 1]] : i + 1;
  }
  const auto rank = [&](const Finding& finding) {
    return finding.span.file < ranks.size() ? ranks[finding.span.file] : 0;
  };
  // Within a file, the order of byte offsets is that of lines and columns.
  // Findings are large: their numbers are sorted, and each is moved once.
  std::vector<std::size_t> order(findings_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t first, std::size_t second) {
    const Finding& a = findings_[first];
    const Finding& b = findings_[second];
    const std::size_t in_a = rank(a);
    const std::size_t in_b = rank(b);
    if (in_a != in_b) return in_a < in_b;
    if (a.span.begin != b.span.begin) return a.span.begin < b.span.begin;
    return std::make_tuple(rules::info(a.rule).code, a.span.end, std::string_view(a.message)) <
           std::make_tuple(rules::info(b.rule).code, b.span.end, std::string_view(b.message));
  });
  std::vector<Finding> sorted;
  sorted.reserve(findings_.size());
  for (const std::size_t i : order) sorted.push_back(std::move(findings_[i]));
  findings_.swap(sorted);
  is_indexed_ = false;
}

}  // namespace espalier::text
