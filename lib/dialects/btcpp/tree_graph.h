// All trees of a project, and which of them use which: from the summaries of files, whether or not their trees are
// read.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dialects/btcpp/file_summary.h"
#include "dialects/btcpp/packages.h"
#include "dialects/btcpp/programs.h"
#include "dialects/dialect.h"

namespace espalier::dialects::btcpp {

// Trees and files are numbers, in the order of files and elements.
class TreeGraph {
 public:
  struct Tree {
    std::size_t file = 0;
    const TreeSummary* summary = nullptr;
    std::vector<std::optional<std::size_t>> targets = {};  // of its references; none: the tree is not known
    bool is_main = false;                                  // of a program
  };
  struct Include {
    std::size_t to;      // a file
    std::size_t number;  // in the summary
  };
  // A tree that the library drops, as another one of its name in a file that an include joins to it comes later; or a
  // later one of the same file, for which an earlier one is dropped.
  struct Duplicate {
    std::size_t tree;
    std::size_t other;
  };
  struct Cycle {
    std::size_t tree;
    std::size_t reference;  // of it: through which the target contains itself
  };

  // `summaries`: of the files. All must outlive this. `ignores_misspelt`: trees whose elements are misspelt are none,
  // as for the library; else they are what was meant.
  TreeGraph(std::span<const File> files, const Summaries& summaries, std::span<const OtherFile> others,
            bool ignores_misspelt = false);
  TreeGraph(const TreeGraph&) = delete;

  [[nodiscard]] std::span<const Tree> trees() const { return trees_; }
  [[nodiscard]] const Tree& operator[](std::size_t tree) const { return trees_[tree]; }
  // Of a file: the number of its first tree.
  [[nodiscard]] std::size_t first_of(std::size_t file) const { return firsts_[file]; }
  // If there is only one main tree.
  [[nodiscard]] std::optional<std::size_t> main() const { return main_; }
  [[nodiscard]] Programs& programs() const { return *programs_; }
  [[nodiscard]] const Packages& packages() const { return packages_; }
  [[nodiscard]] std::optional<std::size_t> file_at(std::string_view path) const;
  [[nodiscard]] const std::vector<std::vector<Include>>& includes() const { return includes_; }  // of each file

  // Names of trees, with those that are not dropped.
  using Names = std::map<std::string_view, std::vector<std::size_t>>;
  [[nodiscard]] const Names& names() const { return names_; }
  [[nodiscard]] std::span<const Duplicate> duplicates() const { return duplicates_; }
  // The tree of a name that is meant in a file; none: there is no such tree.
  // `path`: of the instance, if the file has been written by the library.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name, std::size_t from,
                                                const std::optional<std::string>& path = {});
  [[nodiscard]] bool is_ignored(const TreeSummary& tree) const { return tree.is_misspelt && ignores_misspelt_; }
  // Is the tree another instance of one that the file has already?
  [[nodiscard]] bool is_instance(std::size_t tree) const { return is_instance_[tree]; }
  // The main trees of the program that starts at a file: the one that the file names, or its only one, or those that
  // nothing refers to. None: it has not the one that the file names.
  [[nodiscard]] std::vector<std::size_t> mains_of(std::size_t start) const;
  // The tree that is taken instead of a duplicate, or the tree itself.
  [[nodiscard]] std::size_t taken(std::size_t tree) const { return replaced_by_[tree]; }

  // Something refers to it, or means to.
  void use(std::size_t tree) { is_used_[tree] = true; }
  [[nodiscard]] bool is_used(std::size_t tree) const { return is_used_[tree] || is_used_[taken(tree)]; }

  // Of each file: the other files with trees that its trees refer to; sorted.
  [[nodiscard]] std::vector<std::vector<std::size_t>> uses() const;

  // These files, and all that they include or need, themselves or through others.
  [[nodiscard]] std::vector<bool> below(std::vector<std::size_t> files) const;
  // These files, and all that include or need them, themselves or through others.
  [[nodiscard]] std::vector<std::size_t> above(std::vector<std::size_t> files) const;

  // These trees, and all that use one of them, themselves or through others.
  [[nodiscard]] std::vector<std::size_t> users_of(std::vector<std::size_t> trees) const;

  // Depth first from main trees on, then from the others.
  [[nodiscard]] std::vector<Cycle> cycles() const;

 private:
  void add_files(std::span<const File> files, ProgramFiles& loaded);
  [[nodiscard]] bool add_name(std::size_t file, const TreeSummary& tree);
  void find_includes(std::span<const File> files, ProgramFiles& loaded);
  void find_mains();
  void resolve();
  void find_duplicates();
  void follow(std::size_t tree, std::uint32_t depth, std::vector<std::uint8_t>& states,
              std::vector<Cycle>& cycles) const;

  const Summaries& summaries_;
  const bool ignores_misspelt_;
  const Packages packages_;
  std::unique_ptr<Programs> programs_;
  std::vector<Tree> trees_;
  std::vector<std::size_t> firsts_;
  std::vector<std::vector<Include>> includes_;
  std::unordered_map<std::string_view, std::size_t> file_of_path_;
  Names names_;
  std::vector<Duplicate> duplicates_;
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> instances_;  // by file and path
  std::vector<bool> is_instance_;                                              // of each tree
  std::vector<std::size_t> replaced_by_;  // of each tree: the one that is taken, or itself
  std::vector<bool> is_used_;
  std::optional<std::size_t> main_;
};

}  // namespace espalier::dialects::btcpp
