// The files that findings show: numbered for keeping, and found again in another run.
#pragma once
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "project/incremental/kept_facts.h"
#include "project/snapshot.h"
#include "text/finding.h"

namespace espalier::project {

// Visits all places that a finding has.
template <typename Visit>
void each_span(text::Finding& finding, const Visit& visit) {
  visit(finding.span);
  for (text::Related& related : finding.related) visit(related.span);
  for (text::Fix& fix : finding.fixes) {
    for (text::Edit& edit : fix.edits) visit(edit.span);
    if (fix.guess && fix.guess->declared != text::Span()) visit(fix.guess->declared);
  }
  if (!finding.claim) return;
  for (text::Claim::At& at : finding.claim->nodes) visit(at.node);
}

class ShownFiles {
 public:
  // The snapshot's files have facts; it must outlive this.
  explicit ShownFiles(const Snapshot& snapshot);
  // Has this run the same files, and are those that are not of the part the same?
  [[nodiscard]] bool are_same(const KeptPart& part) const;
  // Lists the files of the findings, which become numbers in the list. `is_own`: is a file one of the part?
  void number(KeptPart& part, const std::function<bool(text::FileId)>& is_own) const;
  // The findings, with files of this run.
  [[nodiscard]] std::vector<text::Finding> findings_of(const KeptPart& part) const;

 private:
  const Snapshot& snapshot_;
  std::unordered_map<std::string, text::FileId> by_path_;
  std::vector<const FileFacts*> facts_;  // by file; null: not a tree
};

}  // namespace espalier::project
