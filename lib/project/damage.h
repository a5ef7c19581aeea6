// Files that are not well-formed are read as far as they are sound. What is found only because a part is missing is no
// finding: the damage has its own.
#pragma once
#include <map>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "text/finding.h"
#include "text/xml.h"

namespace espalier::project {

class Damage {
 public:
  using Words = std::unordered_set<std::string_view>;
  // The documents of a project; they outlive it.
  explicit Damage(const std::vector<std::unique_ptr<text::XmlDocument>>& documents);

  // Does a file end too early, so that anything may be missing?
  [[nodiscard]] bool is_cut() const { return is_cut_; }
  // Leaves out what readers found that the damage may be the reason for.
  void leave_out_read(text::Findings& findings) const;
  // The same of analyses. They have not seen damaged trees, and names that are in them may be used there.
  void leave_out_analysed(text::Findings& findings) const;

 private:
  const text::XmlDocument* document_of(const text::Finding& finding) const;

  std::map<text::FileId, const text::XmlDocument*> documents_;  // all; empty when none is damaged
  Words words_;                                                 // of what is damaged in any of them
  Words words_of_files_;                                        // of all that is in damaged files
  bool is_cut_ = false;
};

}  // namespace espalier::project
