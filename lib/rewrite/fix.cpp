// Applies fixes. See fix.h.
#include "rewrite/fix.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "project/check.h"
#include "project/files.h"
#include "project/parsed_files.h"
#include "project/tree_files.h"
#include "rewrite/edits.h"
#include "text/xml.h"

namespace espalier::rewrite {
namespace {

// A fix can make another one possible, but two that undo each other must not go on forever.
constexpr std::size_t kMaxRounds = 100;

class Fixer {
 public:
  Fixer(const project::LoadOptions& options, rules::FixGrade grade, Fixed& fixed)
      : options_(options), grade_(grade), fixed_(fixed) {}

  bool read_standard_input(project::LoadErrors& errors);
  bool load(project::LoadErrors& errors, project::Progress* progress);
  // Applies what can be applied at once. False: nothing can.
  bool apply(text::Findings findings);
  void finish();

 private:
  using FilesById = std::map<text::FileId, const project::SnapshotFile*>;

  bool is_writable(const project::SnapshotFile& file);
  bool apply_to(const project::SnapshotFile& file, const std::vector<text::Edit>& edits);
  ChosenFixes choose(text::Findings& findings, const FilesById& files);
  void drop_proofs(text::Findings& findings, const FilesById& files) const;

  const project::LoadOptions& options_;
  const rules::FixGrade grade_;
  Fixed& fixed_;
  project::Files files_;
  project::ParsedFiles parsed_;
  std::map<std::string, RewrittenFile> changed_;
  std::set<std::string> left_;
  std::set<std::string> guessed_;  // paths of files of which this run has guessed a part
};

// It can be read only once.
bool Fixer::read_standard_input(project::LoadErrors& errors) {
  const auto& paths = options_.paths;
  if (std::find(paths.begin(), paths.end(), project::kStandardInput) == paths.end()) return true;
  std::string bytes;
  std::string error;
  if (!project::read_bytes(project::kStandardInput, text::kMaxFileBytes, bytes, error)) {
    errors.messages.push_back("cannot read standard input: " + error);
    return false;
  }
  files_.set_text(project::kStandardInput, std::move(bytes));
  return true;
}

bool Fixer::load(project::LoadErrors& errors, project::Progress* progress) {
  fixed_.project = {};
  project::Project& project = fixed_.project;
  if (!take_snapshot(options_, files_, parsed_, project.snapshot, errors, progress)) {
    project.findings = project.snapshot.findings;
    return false;
  }
  project::Checked checked = check(project.snapshot, progress);
  project.ir = std::move(checked.ir);
  project.findings = std::move(checked.findings);
  return true;
}

// Are the bytes of a file those of its text? If not, they cannot be written from it.
bool Fixer::is_writable(const project::SnapshotFile& file) {
  const std::string& path = file.parsed->source->path();
  if (changed_.count(path) != 0) return true;
  if (left_.count(path) != 0) return false;
  std::string bytes;
  std::string error;
  const bool is_so = files_.read(file.open_path, text::kMaxFileBytes, bytes, error) &&
                     encoded(file, file.parsed->source->text()) == bytes;
  if (!is_so) left_.insert(path);
  return is_so;
}

bool Fixer::apply(text::Findings findings) {
  if (fixed_.project.snapshot.configuration.has_errors) return false;
  FilesById files;
  for (const project::SnapshotFile& file : fixed_.project.snapshot.files) {
    if (file.parsed != nullptr) files.emplace(file.id, &file);
  }
  for (text::Finding& finding : findings.all()) {
    std::erase_if(finding.fixes, [&](const text::Fix& fix) {
      return std::any_of(fix.edits.begin(), fix.edits.end(), [&](const text::Edit& edit) {
        const auto file = files.find(edit.span.file);
        return file == files.end() || !is_writable(*file->second);
      });
    });
  }
  const ChosenFixes chosen = choose(findings, files);
  std::map<text::FileId, std::vector<text::Edit>> edits;
  for (const text::Edit& edit : chosen.edits) edits[edit.span.file].push_back(edit);
  bool has_changed = false;
  for (const auto& [file, of_file] : edits) has_changed |= apply_to(*files[file], of_file);
  if (has_changed) fixed_.fix_count += chosen.fix_count;
  return has_changed;
}

// What is guessed at the same time counts: proofs are about the text before it.
ChosenFixes Fixer::choose(text::Findings& findings, const FilesById& files) {
  while (true) {
    drop_proofs(findings, files);
    ChosenFixes chosen = choose_fixes(findings, grade_);
    const std::size_t known = guessed_.size();
    for (const text::Span& guessed : chosen.guessed) guessed_.insert(files.at(guessed.file)->parsed->source->path());
    if (guessed_.size() == known) return chosen;
  }
}

// Nothing is proved about a tree of which this run has guessed a part.
void Fixer::drop_proofs(text::Findings& findings, const FilesById& files) const {
  std::set<text::FileId> guessed;
  for (const auto& [id, file] : files) {
    if (guessed_.count(file->parsed->source->path()) != 0) guessed.insert(id);
  }
  const std::set<text::FileId> unproved = project::files_of_trees_with(guessed, fixed_.project.ir);
  for (text::Finding& finding : findings.all()) {
    std::erase_if(finding.fixes, [&](const text::Fix& fix) {
      return !fix.rests_on.empty() && unproved.count(fix.edits.front().span.file) != 0;
    });
  }
}

// False: nothing changes.
bool Fixer::apply_to(const project::SnapshotFile& file, const std::vector<text::Edit>& edits) {
  const text::Source& source = *file.parsed->source;
  std::optional<RewrittenFile> result = rewritten(file, edited(source.text(), edits));
  if (!result || result->after == result->before) return false;
  files_.set_text(file.open_path, result->bytes);
  const auto known = changed_.find(source.path());
  if (known != changed_.end()) {
    result->before = std::move(known->second.before);
    result->bytes_before = std::move(known->second.bytes_before);
  }
  changed_.insert_or_assign(source.path(), std::move(*result));
  return true;
}

void Fixer::finish() {
  for (const project::SnapshotFile& file : fixed_.project.snapshot.files) {
    if (file.parsed == nullptr || file.open_path != project::kStandardInput) continue;
    const text::Source& source = *file.parsed->source;
    if (changed_.count(source.path()) == 0) {
      if (auto same = rewritten(file, std::string(source.text()))) fixed_.files.push_back(std::move(*same));
    }
  }
  for (auto& [path, file] : changed_) {
    if (file.before != file.after) fixed_.files.push_back(std::move(file));
  }
  fixed_.left.assign(left_.begin(), left_.end());
}

}  // namespace

bool fix(const project::LoadOptions& options, rules::FixGrade grade, const Selection& selection, Fixed& fixed,
         project::LoadErrors& errors, project::Progress* progress) {
  Fixer fixer(options, grade, fixed);
  if (!fixer.read_standard_input(errors)) return false;
  for (std::size_t round = 0;; ++round) {
    if (!fixer.load(errors, progress)) return false;
    if (round == kMaxRounds || !fixer.apply(selection(fixed.project))) break;
  }
  fixer.finish();
  return true;
}

}  // namespace espalier::rewrite
