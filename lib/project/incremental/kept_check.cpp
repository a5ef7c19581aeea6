// A check with what is kept. See kept_check.h.
#include "project/incremental/kept_check.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "project/check.h"
#include "project/incremental/bytes.h"
#include "project/incremental/facts_bytes.h"
#include "project/incremental/known_parts.h"
#include "project/incremental/parts.h"
#include "project/incremental/shown_files.h"
#include "project/other_kinds.h"
#include "project/parsed_files.h"
#include "text/decode.h"

namespace espalier::project {
namespace {

// Runs that may pass without a use of a part: an edit that is undone finds it again.
constexpr std::uint8_t kMostAge = 4;

// Does deciding whether a fix is safe take the names in all files?
bool is_about_names(const text::Finding& finding) {
  return std::any_of(finding.fixes.begin(), finding.fixes.end(), [](const text::Fix& fix) {
    return fix.guess && (fix.guess->of == text::Guess::Of::name || fix.guess->of == text::Guess::Of::tag);
  });
}

class KeptCheck {
 public:
  KeptCheck(const Files& files, KeptFacts& store, Project& project, Progress* progress)
      : files_(files),
        store_(store),
        project_(project),
        snapshot_(project.snapshot),
        progress_(progress),
        parts_(project.snapshot) {}

  bool run(const std::function<void(Project& project)>& complete) {
    // What new parts do may be noticed in others, but not the opposite: a second time is enough.
    for (int round = 0; round < 2; ++round) {
      std::vector<PartNumber> wanted = parts_.unknown();
      if (wanted.empty()) break;
      if (!examine_parts(wanted)) return false;
    }
    project_.findings = parts_.findings();
    if (!read_texts()) return false;
    settle(snapshot_, prefixes_of_files(), suppressions(), project_.findings);
    if (complete && !show_witnesses(complete)) return false;
    project_.is_cached = !has_examined_;
    keep();
    return true;
  }

 private:
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
    part.findings = parts_.common_findings();
    part.elsewhere = parts_.trees_outside(wanted);
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
    parts_.set(examined_parts_, examined.checked.ir, std::move(examined.checked.findings));
    examined_ir_ = std::move(examined.checked.ir);
    return true;
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
      const KeptPart& now = *parts_.now(part);
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
    for (PartNumber part = 0; part < parts_.size(); ++part) {
      used.insert(parts_.now(part).get());
      kept->parts.push_back(parts_.now(part));
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
  KnownParts parts_;
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
