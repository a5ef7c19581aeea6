// Files that are not well-formed are read as far as they are sound. Findings whose only reason is a missing part are
// removed: the damage has its own finding.
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
  // The documents of a project, which must outlive this object.
  explicit Damage(const std::vector<std::unique_ptr<text::XmlDocument>>& documents);

  // Is any file damaged? If none is, the documents are not used any more.
  [[nodiscard]] bool is_any() const { return !documents_.empty(); }
  // Does a file end too early, so that anything may be missing?
  [[nodiscard]] bool is_cut() const { return is_cut_; }
  // Removes findings of readers that the damage may explain.
  void leave_out_read(text::Findings& findings) const;
  // Removes findings of analyses that the damage may explain. Analyses do not see damaged trees, and names that occur
  // in them may be used there.
  void leave_out_analysed(text::Findings& findings) const;

 private:
  bool may_be_declared(const text::Finding& finding, const text::XmlDocument& document) const;
  const text::XmlDocument* document_of(const text::Finding& finding) const;

  std::map<text::FileId, const text::XmlDocument*> documents_;  // all; empty when none is damaged
  Words words_;                                                 // of the damaged parts of all files
  Words words_of_files_;                                        // of all text in damaged files
  bool is_cut_ = false;
};

}  // namespace espalier::project
