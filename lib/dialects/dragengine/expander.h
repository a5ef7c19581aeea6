// From files to trees: the rules of a file are copied to every place where a subtree names it, with the ids that they
// have there. Nothing is expanded before its size is known.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "dialects/dragengine/rule_file.h"

namespace espalier::dialects::dragengine {

class Expander {
 public:
  Expander(const std::vector<RuleFile>& files, text::Findings& findings) : files_(files), findings_(findings) {}

  // The tree of a file that uses no faulty one and is not too large. Nothing: ids are not unique.
  [[nodiscard]] std::optional<ir::Tree> expand(const RuleFile& file);

 private:
  // The rules of a file in one place of the tree.
  struct Occurrence {
    const FileRule* use = nullptr;  // the subtree that brings them in; null: they are of the tree's file
    std::size_t outer = 0;          // that contains the subtree
  };
  struct Placed {
    const FileRule* rule;
    std::size_t occurrence;
  };

  ir::Node place(const FileRule& rule, const std::string& prefix, std::size_t occurrence);
  void place_all(const std::vector<FileRule>& rules, const std::string& prefix, std::size_t occurrence, ir::Node& node);
  ir::Node place_alone(const FileRule& rule, const std::string& prefix, std::size_t occurrence);
  void check_id(const std::string& id, const FileRule& rule, std::size_t occurrence);
  Span place_of_fault(const Placed& earlier, const Placed& later, Span* first) const;

  const std::vector<RuleFile>& files_;
  text::Findings& findings_;
  ir::Tree tree_;
  std::vector<Occurrence> occurrences_;
  std::unordered_map<std::string, Placed> ids_;
  bool has_errors_ = false;
};

}  // namespace espalier::dialects::dragengine
