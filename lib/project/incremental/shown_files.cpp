// Files that findings show. See shown_files.h.
#include "project/incremental/shown_files.h"

#include <algorithm>
#include <utility>

#include "project/incremental/file_facts.h"

namespace espalier::project {

ShownFiles::ShownFiles(const Snapshot& snapshot) : snapshot_(snapshot), facts_(snapshot.sources.size()) {
  for (text::FileId file = 0; file < snapshot.sources.size(); ++file)
    by_path_.emplace(snapshot.sources[file].path(), file);
  for (const SnapshotFile& file : snapshot.files) {
    if (file.facts != nullptr && file.place.is_tree) facts_[file.id] = file.facts.get();
  }
}

bool ShownFiles::are_same(const KeptPart& part) const {
  return std::all_of(part.shown.begin(), part.shown.end(), [&](const auto& shown) {
    const auto found = by_path_.find(shown.first);
    if (found == by_path_.end()) return false;
    const FileFacts* const facts = facts_[found->second];
    return shown.second == ContentHash() || (facts != nullptr && facts->content == shown.second);
  });
}

void ShownFiles::number(KeptPart& part, const std::function<bool(text::FileId)>& is_own) const {
  std::unordered_map<text::FileId, text::FileId> numbers;
  for (text::Finding& finding : part.findings) {
    each_span(finding, [&](text::Span& span) {
      const auto [number, is_new] = numbers.try_emplace(span.file, static_cast<text::FileId>(part.shown.size()));
      if (is_new) {
        const FileFacts* const facts = facts_[span.file];
        const bool may_change = facts != nullptr && !is_own(span.file);
        part.shown.emplace_back(snapshot_.sources[span.file].path(), may_change ? facts->content : ContentHash());
      }
      span.file = number->second;
    });
  }
}

std::vector<text::Finding> ShownFiles::findings_of(const KeptPart& part) const {
  std::vector<text::FileId> files;
  for (const auto& [path, content] : part.shown) files.push_back(by_path_.at(path));
  std::vector<text::Finding> findings = part.findings;
  for (text::Finding& finding : findings) {
    each_span(finding, [&](text::Span& span) { span.file = files[span.file]; });
  }
  return findings;
}

}  // namespace espalier::project
