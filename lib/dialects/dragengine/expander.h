// From files to trees: the rules of a file are copied to every place where a subtree names it, with the ids for that
// place. The size of a tree is computed before it is expanded.
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

  // Returns the tree of a file that uses no faulty file and is not too large; nothing if ids are not unique.
  [[nodiscard]] std::optional<ir::Tree> expand(const RuleFile& file);

 private:
  // The rules of a file at one place of the tree.
  struct Occurrence {
    const FileRule* use = nullptr;  // the subtree that includes them; null: they are in the tree's own file
    std::size_t outer = 0;          // the occurrence that contains the subtree
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
