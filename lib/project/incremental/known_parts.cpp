// What is known of a project's parts. See known_parts.h.
#include "project/incremental/known_parts.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "project/incremental/bytes.h"
#include "project/incremental/facts_bytes.h"

namespace espalier::project {
namespace {

constexpr PartNumber kNoPart = SIZE_MAX;

void add_trees(const TreesElsewhere& trees, TreesElsewhere& all) {
  all.lacks_some = all.lacks_some || trees.lacks_some;
  all.ticking_count += trees.ticking_count;
  all.sent.by_hosts.insert(trees.sent.by_hosts.begin(), trees.sent.by_hosts.end());
  all.sent.sent.insert(trees.sent.sent.begin(), trees.sent.sent.end());
  all.sent.queued.insert(trees.sent.queued.begin(), trees.sent.queued.end());
}

bool is_error(const text::Finding& finding) { return finding.severity == text::Severity::error; }

// What most parts can notice of all trees, their own among them.
ContentHash circumstances_in(const TreesElsewhere& all) {
  ByteWriter seen;
  seen.write(all.lacks_some);
  seen.write(std::bit_ceil(all.ticking_count));
  for (const std::set<std::string>* const some : {&all.sent.by_hosts, &all.sent.sent, &all.sent.queued})
    seen.write(*some);
  return content_hash(seen.bytes);
}

}  // namespace

KnownParts::KnownParts(const Snapshot& snapshot) : snapshot_(snapshot), shown_(snapshot) {
  const ContentHash common = common_of(snapshot_);
  parts_ = parts_of(snapshot_, common);
  Part& others = parts_.emplace_back();
  others.identity = content_hash("others" + text_of(common));
  part_of_file_.assign(snapshot_.sources.size(), kNoPart);
  for (PartNumber part = 0; part < parts_.size(); ++part) {
    for (const std::size_t file : parts_[part].files) part_of_file_[snapshot_.files[file].id] = part;
  }
  for (const text::Finding& finding : snapshot_.findings.all()) {
    if (part_of_file_[finding.span.file] == kNoPart) common_findings_.add(finding);
  }
  states_.resize(parts_.size());
  find_known();
}

PartNumber KnownParts::part_of(text::FileId file) const {
  return part_of_file_[file] == kNoPart ? parts_.size() - 1 : part_of_file_[file];
}

void KnownParts::find_known() {
  if (snapshot_.kept == nullptr) return;
  std::map<ContentHash, PartNumber> numbers;
  for (PartNumber part = 0; part < parts_.size(); ++part) numbers.emplace(parts_[part].identity, part);
  for (const std::shared_ptr<const KeptPart>& part : snapshot_.kept->parts) {
    const auto found = numbers.find(part->identity);
    if (found != numbers.end() && shown_.are_same(*part)) states_[found->second].known.push_back(part);
  }
  // What belongs to no tree is found only with all trees.
  if (states_.back().known.empty()) states_.assign(parts_.size(), {});
}

// Do analyses of these trees ask what trees do that no name connects with them? Those of trees that poll never do,
// and those that select or decide do only for events that the project declares, or where a tree has blocks of another
// file. What belongs to no tree asks nothing.
bool KnownParts::may_notice(PartNumber part) const {
  const std::vector<std::size_t>& files = parts_[part].files;
  const bool has_events = !snapshot_.configuration.dialects.events.empty();
  return std::any_of(files.begin(), files.end(), [&](std::size_t file) {
    const std::optional<layout::Dialect> owner = snapshot_.files[file].facts->owner;
    if (!owner || owner == layout::Dialect::btcpp) return false;
    const bool asks_for_events =
        owner == layout::Dialect::decider || (owner == layout::Dialect::selection && files.size() == 1);
    return !asks_for_events || has_events;
  });
}

TreesElsewhere KnownParts::trees_outside(const std::set<PartNumber>& inside) const {
  TreesElsewhere all;
  all.lacks_some = common_findings_.has_errors();
  for (PartNumber part = 0; part < parts_.size(); ++part) {
    if (inside.count(part) == 0 && !states_[part].known.empty()) add_trees(states_[part].known.front()->trees, all);
  }
  return all;
}

std::vector<PartNumber> KnownParts::unknown() {
  std::vector<PartNumber> unknown;
  for (PartNumber part = 0; part < parts_.size(); ++part) {
    if (states_[part].known.empty()) unknown.push_back(part);
  }
  if (!unknown.empty()) return unknown;
  const ContentHash now_in_all = circumstances_in(trees_outside({}));
  for (PartNumber part = 0; part < parts_.size(); ++part) {
    State& state = states_[part];
    const ContentHash circumstances = may_notice(part) ? now_in_all : ContentHash();
    const auto now = std::find_if(state.known.begin(), state.known.end(),
                                  [&](const auto& each) { return each->circumstances == circumstances; });
    if (now == state.known.end()) {
      unknown.push_back(part);
    } else {
      state.now = *now;
    }
  }
  return unknown;
}

void KnownParts::set(const std::set<PartNumber>& examined, const ir::Project& trees, text::Findings findings) {
  Found found;
  for (const PartNumber number : examined) {
    found[number] = std::make_shared<KeptPart>();
    found[number]->identity = parts_[number].identity;
  }
  note_trees(trees, found);
  note_findings(std::move(findings), found);
  for (auto& [number, kept] : found) states_[number] = {{kept}, kept};
  const ContentHash now_in_all = circumstances_in(trees_outside({}));
  for (auto& [number, kept] : found) {
    if (may_notice(number)) kept->circumstances = now_in_all;
  }
}

void KnownParts::note_trees(const ir::Project& trees, const Found& found) const {
  for (const ir::Tree& tree : trees.trees) {
    const auto part = found.find(part_of(tree.span.file));
    if (part == found.end()) continue;
    TreesElsewhere& elsewhere = part->second->trees;
    part->second->tree_names.push_back(tree.name);
    elsewhere.lacks_some = elsewhere.lacks_some || tree.is_doubtful;
    if (tree.engine() == EngineId::tick && !tree.is_doubtful) ++elsewhere.ticking_count;
    lint::add_sent(tree, elsewhere.sent);
  }
}

void KnownParts::note_findings(text::Findings findings, const Found& found) const {
  std::set<std::tuple<text::Span, rules::Rule>> common;
  for (const text::Finding& finding : common_findings_.all()) common.emplace(finding.span, finding.rule);
  for (text::Finding& finding : findings.all()) {
    const auto part = found.find(part_of(finding.span.file));
    if (part == found.end() || common.count({finding.span, finding.rule}) != 0) continue;
    part->second->trees.lacks_some = part->second->trees.lacks_some || is_error(finding);
    part->second->findings.push_back(std::move(finding));
  }
  for (const auto& [part, kept] : found)
    shown_.number(*kept, [&, number = part](text::FileId file) { return part_of(file) == number; });
}

text::Findings KnownParts::findings() const {
  text::Findings findings = common_findings_;
  for (const State& state : states_) {
    std::vector<text::Finding> own = shown_.findings_of(*state.now);
    std::move(own.begin(), own.end(), std::back_inserter(findings.all()));
  }
  return findings;
}

}  // namespace espalier::project
