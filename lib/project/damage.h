// Files that are not well-formed are read as far as they are sound. What is found only because a part is missing is no
// finding: the damage has its own.
#pragma once
#include <map>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ir/tree.h"
#include "text/finding.h"
#include "text/xml.h"

namespace espalier::project {

class Damage {
 public:
  // The documents of a project; they outlive it.
  explicit Damage(const std::vector<std::unique_ptr<text::XmlDocument>>& documents);

  // Does a file end too early, so that anything may be missing?
  [[nodiscard]] bool is_cut() const { return is_cut_; }
  // Leaves out what readers found that the damage may be the reason for.
  void leave_out_read(text::Findings& findings) const;
  // The same of analyses, which look at trees as a whole: what they say of a damaged tree is not known.
  void leave_out_analysed(const ir::Project& project, text::Findings& findings) const;

 private:
  const text::XmlDocument* document_of(const text::Finding& finding) const;
  bool names_what_is_damaged(const text::Finding& finding) const;

  std::map<text::FileId, const text::XmlDocument*> documents_;  // all; empty when none is damaged
  std::unordered_set<std::string_view> words_;                  // of what is damaged in any of them
  bool is_cut_ = false;
};

}  // namespace espalier::project
