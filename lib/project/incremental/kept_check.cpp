// A check with what is kept. See kept_check.h.
#include "project/incremental/kept_check.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "project/check.h"
#include "project/incremental/bytes.h"
#include "project/incremental/facts_bytes.h"
#include "project/incremental/parts.h"
#include "project/incremental/shown_files.h"
#include "project/other_kinds.h"
#include "project/parsed_files.h"
#include "text/decode.h"

namespace espalier::project {
namespace {

using PartNumber = std::size_t;
constexpr PartNumber kNoPart = SIZE_MAX;

// Runs that may pass without a use of a part: an edit that is undone finds it again.
constexpr std::uint8_t kMostAge = 4;

void add_trees(const TreesElsewhere& trees, TreesElsewhere& all) {
  all.lacks_some = all.lacks_some || trees.lacks_some;
  all.ticking_count += trees.ticking_count;
  all.sent.by_hosts.insert(trees.sent.by_hosts.begin(), trees.sent.by_hosts.end());
  all.sent.sent.insert(trees.sent.sent.begin(), trees.sent.sent.end());
  all.sent.queued.insert(trees.sent.queued.begin(), trees.sent.queued.end());
}

bool is_error(const text::Finding& finding) { return finding.severity == text::Severity::error; }

// Does deciding whether a fix is safe take the names in all files?
bool is_about_names(const text::Finding& finding) {
  return std::any_of(finding.fixes.begin(), finding.fixes.end(), [](const text::Fix& fix) {
    return fix.guess && (fix.guess->of == text::Guess::Of::name || fix.guess->of == text::Guess::Of::tag);
  });
}

class KeptCheck {
 public:
  KeptCheck(const Files& files, KeptFacts& store, Project& project, Progress* progress)
      : files_(files), store_(store), project_(project), snapshot_(project.snapshot), progress_(progress) {}

  bool run(const std::function<void(Project& project)>& complete) {
    find_parts();
    find_known();
    // What new parts do may be noticed in others, but not the opposite: a second time is enough.
    for (int round = 0; round < 2; ++round) {
      std::vector<PartNumber> wanted = unknown_parts();
      if (wanted.empty()) break;
      if (!examine_parts(wanted)) return false;
    }
    collect_findings();
    if (!read_texts()) return false;
    settle(snapshot_, prefixes_of_files(), suppressions(), project_.findings);
    if (complete && !show_witnesses(complete)) return false;
    project_.is_cached = !has_examined_;
    keep();
    return true;
  }

 private:
  // ---- Parts and what is known of them. The last one is what belongs to no file of a tree, such as a file of Lua.

  struct State {
    std::vector<std::shared_ptr<const KeptPart>> known = {};  // in several circumstances
    std::shared_ptr<const KeptPart> now = {};                 // in these
  };

  void find_parts() {
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
  }

  PartNumber others() const { return parts_.size() - 1; }
  PartNumber part_of(text::FileId file) const {
    return part_of_file_[file] == kNoPart ? others() : part_of_file_[file];
  }

  void find_known() {
    if (snapshot_.kept == nullptr) return;
    std::map<ContentHash, PartNumber> numbers;
    for (PartNumber part = 0; part < parts_.size(); ++part) numbers.emplace(parts_[part].identity, part);
    for (const std::shared_ptr<const KeptPart>& part : snapshot_.kept->parts) {
      const auto found = numbers.find(part->identity);
      if (found != numbers.end() && shown_.are_same(*part)) states_[found->second].known.push_back(part);
    }
    // What belongs to no tree is found only with all trees.
    if (states_[others()].known.empty()) states_.assign(parts_.size(), {});
  }

  // What most parts can notice of all trees, their own among them.
  static ContentHash circumstances_in(const TreesElsewhere& all) {
    ByteWriter seen;
    seen.write(all.lacks_some);
    seen.write(std::bit_ceil(all.ticking_count));
    for (const std::set<std::string>* const some : {&all.sent.by_hosts, &all.sent.sent, &all.sent.queued})
      seen.write(*some);
    return content_hash(seen.bytes);
  }

  // Do analyses of these trees ask what trees do that no name connects with them? Those of trees that poll never do,
  // and those that select or decide do only for events that the project declares, or where a tree has blocks of another
  // file. What belongs to no tree asks nothing.
  bool may_notice(PartNumber part) const {
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

  TreesElsewhere trees_outside(const std::set<PartNumber>& inside) const {
    TreesElsewhere all;
    all.lacks_some = common_findings_.has_errors();
    for (PartNumber part = 0; part < parts_.size(); ++part) {
      if (inside.count(part) == 0 && !states_[part].known.empty()) add_trees(states_[part].known.front()->trees, all);
    }
    return all;
  }

  // Those of which nothing is known; if there are none, those of which nothing is known in these circumstances.
  std::vector<PartNumber> unknown_parts() {
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

  // ---- Examining

  // The same snapshot with only the files of these parts, and damaged ones.
  bool take_part(const std::set<PartNumber>& wanted, Snapshot& part) {
    std::set<std::size_t> needed;
    for (const PartNumber number : wanted) needed.insert(parts_[number].files.begin(), parts_[number].files.end());
    for (const std::size_t file : damaged_files(snapshot_)) needed.insert(file);
    for (const std::size_t file : needed) {
      if (snapshot_.files[file].parsed == nullptr && !parse(snapshot_.files[file])) return false;
    }
    part = snapshot_;
    part.findings = common_findings_;
    part.elsewhere = trees_outside(wanted);
    for (std::size_t i = 0; i < part.files.size(); ++i) {
      SnapshotFile& file = part.files[i];
      if (needed.count(i) != 0) {
        part.findings.add_files(file.parsed->findings, file.id);
      } else {
        file.parsed = nullptr;
      }
      snapshot_.files[i].parsed = nullptr;  // it is released when it has been read
    }
    return true;
  }

  bool examine_parts(const std::vector<PartNumber>& wanted) {
    has_examined_ = true;
    examined_parts_ = {wanted.begin(), wanted.end()};
    Snapshot part;
    if (!take_part(examined_parts_, part)) return false;
    Examined examined = examine_once(part, progress_);
    Found found;
    for (const PartNumber number : wanted) {
      found[number] = std::make_shared<KeptPart>();
      found[number]->identity = parts_[number].identity;
    }
    note_trees(examined.checked, found);
    note_findings(std::move(examined.checked.findings), found);
    examined_ir_ = std::move(examined.checked.ir);
    for (auto& [number, kept] : found) states_[number] = {{kept}, kept};
    const ContentHash now_in_all = circumstances_in(trees_outside({}));
    for (auto& [number, kept] : found) {
      if (may_notice(number)) kept->circumstances = now_in_all;
    }
    return true;
  }

  using Found = std::unordered_map<PartNumber, std::shared_ptr<KeptPart>>;

  void note_trees(const Checked& checked, const Found& found) const {
    for (const ir::Tree& tree : checked.ir.trees) {
      const auto part = found.find(part_of(tree.span.file));
      if (part == found.end()) continue;
      TreesElsewhere& trees = part->second->trees;
      part->second->tree_names.push_back(tree.name);
      trees.lacks_some = trees.lacks_some || tree.is_doubtful;
      if (tree.engine() == EngineId::tick && !tree.is_doubtful) ++trees.ticking_count;
      lint::add_sent(tree, trees.sent);
    }
  }

  void note_findings(text::Findings findings, const Found& found) const {
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

  // Reads a file again. False: it is not what it was.
  bool read(const SnapshotFile& file, std::string& bytes) const {
    std::string error;
    const bool is_whole = files_.read(file.open_path, text::kMaxFileBytes, bytes, error);
    return is_whole && content_hash(bytes) == file.facts->content;
  }

  bool parse(SnapshotFile& file) {
    std::string bytes;
    if (!read(file, bytes)) return false;
    const std::string path = snapshot_.sources[file.id].path();
    if (!file.facts->has_document) file.parsed = not_xml(path, bytes);
    if (file.parsed == nullptr) file.parsed = ParsedFiles(0).parse(path, std::move(bytes));
    snapshot_.sources.replace(file.id, file.parsed->source);
    return true;
  }

  // ---- The result

  void collect_findings() {
    project_.findings = common_findings_;
    for (const State& state : states_) {
      std::vector<text::Finding> own = shown_.findings_of(*state.now);
      std::move(own.begin(), own.end(), std::back_inserter(project_.findings.all()));
    }
  }

  // Of files that findings show, or that have suppressions, and of all if names are counted.
  bool read_texts() {
    const std::vector<text::Finding>& findings = project_.findings.all();
    const bool needs_all = std::any_of(findings.begin(), findings.end(), is_about_names);
    std::vector<bool> is_needed(snapshot_.sources.size(), needs_all);
    for (text::Finding& finding : project_.findings.all()) {
      each_span(finding, [&](const text::Span& span) { is_needed[span.file] = true; });
    }
    for (SnapshotFile& file : snapshot_.files) {
      if (!is_of_part(file) || !snapshot_.sources[file.id].text().empty()) continue;
      if (!is_needed[file.id] && file.facts->suppressions.empty()) continue;
      if (!file.facts->has_document) {  // what is no XML may not be shown
        if (!parse(file)) return false;
        continue;
      }
      std::string bytes;
      if (!read(file, bytes)) return false;
      const std::string& path = snapshot_.sources[file.id].path();
      snapshot_.sources.replace(file.id, std::make_shared<text::Source>(path, text::decode(bytes).text));
    }
    return true;
  }

  std::set<std::string_view> prefixes_of_files() const {
    std::set<std::string_view> prefixes = {"XML"};
    for (const SnapshotFile& file : snapshot_.files) {
      if (!is_of_part(file) || !file.facts->has_document) continue;
      const dialects::Dialect* const dialect = dialects::find_owner(file.facts->root_name);
      if (dialect != nullptr) prefixes.insert(dialect->prefix);
    }
    return prefixes;
  }

  std::vector<FileComments> suppressions() const {
    std::vector<FileComments> all;
    for (const SnapshotFile& file : snapshot_.files) {
      if (!is_of_part(file) || file.facts->suppressions.empty()) continue;
      FileComments& own = all.emplace_back();
      own.file = file.id;
      for (text::Comment comment : file.facts->suppressions) {
        comment.span.file = comment.subject.file = file.id;
        own.comments.push_back(comment);
      }
    }
    return all;
  }

  // ---- Traces that show findings: all are looked for together, since they share what time there is.

  bool show_witnesses(const std::function<void(Project& project)>& complete) {
    std::vector<text::Finding*> claiming;
    std::set<std::string> names;
    for (text::Finding& finding : project_.findings.all()) {
      if (!finding.claim) continue;
      claiming.push_back(&finding);
      names.insert(finding.claim->tree);
    }
    if (claiming.empty()) return true;
    const auto is_claimed = [&](const std::string& name) { return names.count(name) != 0; };
    ByteWriter all;
    std::vector<PartNumber> parts;
    for (PartNumber part = 0; part < parts_.size(); ++part) {
      const KeptPart& now = *states_[part].now;
      if (std::none_of(now.tree_names.begin(), now.tree_names.end(), is_claimed)) continue;
      parts.push_back(part);
      all.write(now.identity);
    }
    for (const text::Finding* const finding : claiming) {
      all.write(finding->span);
      all.write(*finding->claim);
    }
    all.write(project_.findings.has_errors());
    witnesses_.identity = content_hash(all.bytes);
    if (snapshot_.kept != nullptr) {
      for (const KeptWitnesses& kept : snapshot_.kept->witnesses) {
        if (kept.identity != witnesses_.identity) continue;
        for (const auto& [number, witness] : kept.witnesses) {
          if (number < claiming.size()) claiming[number]->witness = witness;
        }
        witnesses_ = kept;
        witnesses_.age = 0;
        return true;
      }
    }
    const bool are_examined = has_examined_ && std::all_of(parts.begin(), parts.end(), [&](PartNumber part) {
                                return examined_parts_.count(part) != 0;
                              });
    if (!are_examined && !examine_parts(parts)) return false;
    project_.ir = std::move(examined_ir_);
    complete(project_);
    project_.ir = {};
    has_new_witnesses_ = true;
    for (std::uint32_t i = 0; i < claiming.size(); ++i) {
      if (claiming[i]->witness) witnesses_.witnesses.emplace_back(i, *claiming[i]->witness);
    }
    return true;
  }

  // ---- Keeping

  void keep() {
    auto kept = std::make_shared<Kept>();
    for (const SnapshotFile& file : snapshot_.files) {
      if (file.facts != nullptr) kept->files.emplace(file.facts->path, file.facts);
    }
    std::set<const KeptPart*> used;
    for (const State& state : states_) {
      used.insert(state.now.get());
      kept->parts.push_back(state.now);
    }
    if (witnesses_.identity != ContentHash()) kept->witnesses.push_back(witnesses_);
    if (snapshot_.kept != nullptr) {
      const Kept& before = *snapshot_.kept;
      const bool are_same_files = before.files.size() == kept->files.size() &&
                                  std::all_of(kept->files.begin(), kept->files.end(), [&](const auto& file) {
                                    const auto found = before.files.find(file.first);
                                    return found != before.files.end() && found->second == file.second;
                                  });
      if (!has_examined_ && are_same_files && !has_new_witnesses_) return store_.touch(snapshot_.kept_key);
      add_older(before, used, *kept);
    }
    store_.keep(snapshot_.kept_key, std::move(kept));
  }

  // What this run has not used, but a later one may.
  void add_older(const Kept& before, const std::set<const KeptPart*>& used, Kept& kept) const {
    for (const std::shared_ptr<const KeptPart>& part : before.parts) {
      if (used.count(part.get()) != 0 || part->age >= kMostAge || kept.parts.size() >= 2 * parts_.size() + kMostAge)
        continue;
      auto older = std::make_shared<KeptPart>(*part);
      ++older->age;
      kept.parts.push_back(std::move(older));
    }
    for (KeptWitnesses each : before.witnesses) {
      if (each.identity != witnesses_.identity && each.age++ < kMostAge) kept.witnesses.push_back(std::move(each));
    }
  }

  const Files& files_;
  KeptFacts& store_;
  Project& project_;
  Snapshot& snapshot_;
  Progress* progress_;
  std::vector<Part> parts_;
  std::vector<State> states_;
  std::vector<PartNumber> part_of_file_;  // by file; none: not a tree's
  text::Findings common_findings_;        // of the configuration and of links
  ShownFiles shown_{snapshot_};
  std::set<PartNumber> examined_parts_;  // the last time
  ir::Project examined_ir_;              // of them
  bool has_examined_ = false;
  KeptWitnesses witnesses_;  // of this run; without an identity: there are no claims
  bool has_new_witnesses_ = false;
};

}  // namespace

bool check_with_kept(const Files& files, KeptFacts& kept, const std::function<void(Project& project)>& complete,
                     Project& project, Progress* progress) {
  return KeptCheck(files, kept, project, progress).run(complete);
}

}  // namespace espalier::project
