// Which nodes a file may use: those of the library and of the program, and what models say. Models are hints, which
// editors write: one holds for its file, for those that this includes and for those that include it; for the rest of
// its package it is a weaker hint, and for other packages none.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dialects/btcpp/file_summary.h"
#include "dialects/btcpp/options.h"
#include "dialects/btcpp/packages.h"
#include "dialects/btcpp/tree_graph.h"
#include "text/name_index.h"

namespace espalier::dialects::btcpp {

// Files and packages are numbers.
class KnownNodes {
 public:
  // Puts into `project` what the program declares, and later what files see of models. All must outlive this.
  KnownNodes(const Summaries& summaries, const Packages& packages, const TreeGraph& graph, const BtcppOptions& options,
             const Framework& nav2, WrittenProject& project);

  // Null: nothing is known of it.
  [[nodiscard]] const Declaration* find(std::size_t file, std::string_view name);
  // The model of a tree that is used in `file`, if the files that are loaded have one; else null. `file_of_tree`: none:
  // it is not known.
  [[nodiscard]] const SubtreeModel* find_tree(std::size_t file, std::optional<std::size_t> file_of_tree,
                                              std::string_view name);
  // Does a model hold in the file that has a node?
  [[nodiscard]] bool has_model(std::size_t file) const;
  // Is what is declared all that its program has? Some IDs may be computed.
  [[nodiscard]] bool has_all(std::size_t file) const;
  // Is one of them the file that includes the other, itself or through others?
  [[nodiscard]] bool are_included(std::size_t file, std::size_t other) const;
  // What nodes of the package can be called.
  [[nodiscard]] text::NameIndex& names(std::size_t package);
  // Adds what models of the package say.
  void add_to(std::size_t package, Declarations& nodes) const;

 private:
  // Those of several files, or several of a file, with one name: in order.
  struct Model {
    const Declaration* node;
    std::size_t file;
  };
  using Models = std::vector<Model>;
  struct TreeModel {
    const SubtreeModel* model;
    std::size_t file;
  };

  void find_connected(const TreeGraph& graph);
  void find_models();
  void declare_nodes();
  [[nodiscard]] std::span<const Model> models_of(std::size_t package, std::string_view name) const;
  [[nodiscard]] Declaration merge(std::span<const Model> holding, std::span<const Model> hinting) const;
  const Declaration* make(std::string_view name, std::span<const Model> holding, std::span<const Model> hinting);

  const Summaries& summaries_;
  const Packages& packages_;
  const BtcppOptions& options_;
  const Framework& nav2_;
  WrittenProject& project_;
  bool is_nav2_used_ = false;
  std::vector<std::vector<std::size_t>> connected_;  // of each file: itself, what it includes, what includes it
  std::vector<Models> by_package_;                   // sorted by name
  std::vector<Models> by_file_;                      // the same
  std::vector<std::optional<text::NameIndex>> names_;
  std::map<std::pair<std::size_t, std::string_view>, const Declaration*> hints_;  // by package
  std::unordered_map<std::string_view, std::vector<TreeModel>> tree_models_;      // by tree, in the order of files
  std::unordered_map<const SubtreeModel*, const SubtreeModel*> kept_;             // of those that nothing is added to
  // Of the file that was asked for last.
  std::size_t file_ = 0;
  std::unordered_map<std::string_view, const Declaration*> made_;
};

}  // namespace espalier::dialects::btcpp
