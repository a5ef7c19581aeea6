// The parts of a project in one run, and what is known of each: found in an earlier run, or in this one.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "ir/tree.h"
#include "project/incremental/kept_facts.h"
#include "project/incremental/parts.h"
#include "project/incremental/shown_files.h"
#include "project/snapshot.h"
#include "text/finding.h"
#include "text/source.h"

namespace espalier::project {

using PartNumber = std::size_t;

// The last part is what belongs to no file of a tree, such as a file of Lua.
class KnownParts {
 public:
  // The snapshot's files have facts; it must outlive this.
  explicit KnownParts(const Snapshot& snapshot);

  // The parts that have to be examined: those of which nothing is known; if there are none, those of which nothing is
  // known in these circumstances.
  [[nodiscard]] std::vector<PartNumber> unknown();
  // What has been found by examining these parts together: their trees, and findings. Files in spans are the
  // snapshot's.
  void set(const std::set<PartNumber>& examined, const ir::Project& trees, text::Findings findings);

  [[nodiscard]] std::size_t size() const { return parts_.size(); }
  [[nodiscard]] const Part& operator[](PartNumber part) const { return parts_[part]; }
  // Of the configuration and of links.
  [[nodiscard]] const text::Findings& common_findings() const { return common_findings_; }
  [[nodiscard]] TreesElsewhere trees_outside(const std::set<PartNumber>& inside) const;
  // What is known of a part in these circumstances. Call the following when none is unknown.
  [[nodiscard]] const std::shared_ptr<const KeptPart>& now(PartNumber part) const { return states_[part].now; }
  // Of all parts, with the snapshot's files.
  [[nodiscard]] text::Findings findings() const;

 private:
  struct State {
    std::vector<std::shared_ptr<const KeptPart>> known = {};  // in several circumstances
    std::shared_ptr<const KeptPart> now = {};                 // in these
  };
  using Found = std::map<PartNumber, std::shared_ptr<KeptPart>>;

  [[nodiscard]] PartNumber part_of(text::FileId file) const;
  void find_known();
  [[nodiscard]] bool may_notice(PartNumber part) const;
  void note_trees(const ir::Project& trees, const Found& found) const;
  void note_findings(text::Findings findings, const Found& found) const;

  const Snapshot& snapshot_;
  std::vector<Part> parts_;
  std::vector<State> states_;
  std::vector<PartNumber> part_of_file_;  // by file; none: not a tree's
  text::Findings common_findings_;
  ShownFiles shown_;
};

}  // namespace espalier::project
