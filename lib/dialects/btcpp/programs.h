// The programs of a project. A program is what one process loads: the file at which it starts, all that this includes,
// and for each SubTree whose tree these do not have the file that has it, with what that needs in turn. Files that
// nothing joins are never one program: those of a folder are often alternatives, with trees of the same names.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialects/btcpp/load_orders.h"

namespace espalier::dialects::btcpp {

// Files and trees are numbers: files in the order of their paths, trees in that of files and elements.
struct ProgramFiles {
  struct File {
    std::string_view path;
    std::size_t package = 0;
    std::optional<std::string_view> main;  // the tree that it names as the main one
    std::size_t first_tree = 0;
    std::size_t tree_count = 0;
  };
  struct Tree {
    std::size_t file = 0;
    std::string_view name;                     // empty: nothing can refer to it
    std::vector<std::string_view> references;  // names of trees, in the order of its elements
  };
  std::vector<File> files;
  std::vector<std::vector<std::size_t>> includes;  // of each file, in the order of its elements
  std::vector<Tree> trees;
};

class Programs {
 public:
  explicit Programs(ProgramFiles files);
  Programs(const Programs&) = delete;

  using Number = std::size_t;

  // A reference to a tree of a file that is not included.
  struct Taken {
    std::size_t tree;       // that has it
    std::size_t reference;  // its number in the tree
    std::size_t target;
    std::vector<std::size_t> others;  // trees of the same name that could have been meant
  };
  struct LeftOut {
    std::size_t tree;
    std::size_t instead;  // the tree of this name that the program has
  };
  // What is known of a program only if several of its files have trees of names that are not unique.
  struct Program {
    std::vector<std::size_t> files = {};                            // in the order in which they are loaded
    std::unordered_map<std::string_view, std::size_t> shared = {};  // trees by names that several trees have
    std::vector<LeftOut> left_out = {};                             // of files that were taken
    std::vector<Taken> ambiguous = {};
  };

  // The files at which programs start, sorted.
  [[nodiscard]] std::span<const std::size_t> starts() const { return starts_; }
  [[nodiscard]] bool is_start(std::size_t file) const { return is_start_[file]; }
  // The file at which the program starts that decides what a file's references mean: its own, or the first that has
  // it. None: no program has it.
  [[nodiscard]] std::optional<std::size_t> home(std::size_t file) const { return homes_[file]; }

  // The tree that a name means in a file; none: there is no such tree.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name, std::size_t from);
  // The tree of the name that the file or what it includes has; of several the last one.
  [[nodiscard]] std::optional<std::size_t> find_included(std::string_view name, std::size_t from);
  // Has the program that starts at the file a tree of this name?
  [[nodiscard]] std::optional<std::size_t> find_in_program(std::string_view name, std::size_t start);

  // Those with several files that have trees of names that are not unique, by the files at which they start.
  [[nodiscard]] const std::map<std::size_t, Program>& mixed();
  // References to trees of other packages, in the order of trees.
  [[nodiscard]] std::vector<Taken> of_other_packages();
  // Of each file: the files that it includes or whose trees its own refer to.
  [[nodiscard]] std::vector<std::size_t> needs_of(std::size_t file);

  [[nodiscard]] LoadOrders& orders() { return orders_; }
  [[nodiscard]] std::span<const std::size_t> called(std::string_view name) const;

 private:
  void find_needs();
  void find_mixed();
  void find_starts();
  void find_other_starts();
  void find_homes();
  void start_at(std::size_t file) { is_start_[file] = true; }
  // Calls visit(file) with each file of the program that is not yet in `seen`, but for those that its files need that
  // are.
  template <typename Visit>
  void each_file(std::size_t start, std::vector<bool>& seen, const Visit& visit);

  [[nodiscard]] std::size_t nearest(std::string_view name, std::size_t from) const;
  [[nodiscard]] std::vector<std::size_t> candidates(std::string_view name, std::size_t from) const;
  [[nodiscard]] const Program& program_at(std::size_t start);
  [[nodiscard]] bool is_shared(std::string_view name) const { return called(name).size() > 1; }
  template <typename Visit>
  void each_reference(std::size_t file, const Visit& visit) const;

  const ProgramFiles files_;
  LoadOrders orders_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> named_;  // trees
  // Of each file: those whose trees its references mean in each program, and those that it includes.
  std::vector<std::vector<std::size_t>> needs_;
  std::vector<bool> depends_on_program_;  // of each file: what a reference of it means
  std::vector<bool> is_mixed_;            // of each file: would a program that starts there be in mixed()?
  std::vector<bool> is_start_;
  std::vector<std::size_t> starts_;
  std::vector<std::optional<std::size_t>> homes_;
  std::map<std::size_t, Program> programs_;  // those that were asked for
  bool has_all_mixed_ = false;
};

// How many folders lie between two files: steps up and down.
[[nodiscard]] std::size_t folders_between(std::string_view path, std::string_view other);

}  // namespace espalier::dialects::btcpp
