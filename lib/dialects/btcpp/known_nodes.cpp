// Nodes that files may use. See known_nodes.h.
#include "dialects/btcpp/known_nodes.h"

#include <algorithm>
#include <limits>
#include <set>

namespace espalier::dialects::btcpp {
namespace {

constexpr std::string_view kNav2Namespace = "nav2_behavior_tree::";  // of its classes

constexpr std::size_t kNoFile = std::numeric_limits<std::size_t>::max();

struct ByName {
  template <typename Model>
  bool operator()(const Model& a, const Model& b) const {
    return a.node->name < b.node->name;
  }
  template <typename Model>
  bool operator()(const Model& a, std::string_view name) const {
    return a.node->name < name;
  }
  template <typename Model>
  bool operator()(std::string_view name, const Model& a) const {
    return name < a.node->name;
  }
};

template <typename Models>
auto with_name(const Models& models, std::string_view name) {
  const auto [begin, end] = std::equal_range(models.begin(), models.end(), name, ByName());
  return std::span(models).subspan(static_cast<std::size_t>(begin - models.begin()),
                                   static_cast<std::size_t>(end - begin));
}

}  // namespace

KnownNodes::KnownNodes(const Summaries& summaries, const Packages& packages, const TreeGraph& graph,
                       const BtcppOptions& options, const Framework& nav2, WrittenProject& project)
    : summaries_(summaries),
      packages_(packages),
      options_(options),
      nav2_(nav2),
      project_(project),
      connected_(summaries.size()),
      by_package_(packages.count()),
      by_file_(summaries.size()),
      names_(packages.count()),
      file_(kNoFile) {
  find_connected(graph);
  declare_nodes();
  find_models();
}

void KnownNodes::find_connected(const TreeGraph& graph) {
  std::vector<std::vector<std::size_t>> below(summaries_.size());
  std::vector<std::vector<std::size_t>> above(summaries_.size());
  for (std::size_t file = 0; file < graph.includes().size(); ++file) {
    for (const TreeGraph::Include& include : graph.includes()[file]) {
      below[file].push_back(include.to);
      above[include.to].push_back(file);
    }
  }
  for (std::size_t file = 0; file < connected_.size(); ++file) {
    std::vector<std::size_t>& connected = connected_[file];
    connected.push_back(file);
    for (const auto* const next : {&below, &above}) {
      std::set<std::size_t> seen = {file};
      std::vector<std::size_t> open = {file};
      while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        for (const std::size_t to : (*next)[at]) {
          if (seen.insert(to).second) open.push_back(to);
        }
      }
      seen.erase(file);
      connected.insert(connected.end(), seen.begin(), seen.end());
    }
  }
}

void KnownNodes::find_models() {
  for (std::size_t file = 0; file < summaries_.size(); ++file) {
    for (const Declaration& node : summaries_[file]->models.nodes) {
      by_file_[file].push_back({&node, file});
      by_package_[packages_.of(file)].push_back({&node, file});
    }
    for (const auto& [tree, model] : summaries_[file]->models.subtrees) tree_models_[tree].push_back({&model, file});
  }
  for (const EditorModels& project : options_.editor_models) {
    for (const Declaration& node : project.models.nodes)
      by_package_[packages_.of_path(project.path)].push_back({&node, kNoFile});
  }
  for (std::vector<Models>* const all : {&by_file_, &by_package_}) {
    for (Models& models : *all) std::stable_sort(models.begin(), models.end(), ByName());
  }
}

void KnownNodes::declare_nodes() {
  std::set<std::string_view> of_nav2;
  for (const auto& summary : summaries_) of_nav2.insert(summary->of_nav2.begin(), summary->of_nav2.end());
  is_nav2_used_ = Framework::is_used(of_nav2);
  if (is_nav2_used_) project_.nodes.learn(nav2_.nodes());
  for (const Declaration& node : options_.nodes) {
    const bool is_nav2_class = node.class_name.starts_with(kNav2Namespace);
    const Declaration* const known = is_nav2_class ? nav2_.find(node.name) : nullptr;
    if (known == nullptr || known->kind != node.kind) {
      project_.nodes.declare(node);
      continue;
    }
    Declaration own = node;  // of Nav2's sources, or a copy of them
    keep_facts(*known, own);
    own.is_sync = own.is_sync || known->is_sync;
    project_.nodes.declare(std::move(own));
  }
}

bool KnownNodes::has_model(std::size_t file) const {
  return std::any_of(connected_[file].begin(), connected_[file].end(),
                     [&](std::size_t other) { return !by_file_[other].empty(); });
}

bool KnownNodes::has_all(std::size_t file) const {
  const bool has_models = has_model(file) || !by_package_[packages_.of(file)].empty();
  return !options_.has_other_nodes && (project_.nodes.has_declared() || (options_.has_complete_models && has_models));
}

bool KnownNodes::are_included(std::size_t file, std::size_t other) const {
  return std::find(connected_[file].begin(), connected_[file].end(), other) != connected_[file].end();
}

text::NameIndex& KnownNodes::names(std::size_t package) {
  std::optional<text::NameIndex>& index = names_[package];
  if (!index) {
    std::vector<std::string_view> names = project_.nodes.names();
    for (const Model& model : by_package_[package]) names.push_back(model.node->name);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    index.emplace(std::move(names));
  }
  return *index;
}

void KnownNodes::add_to(std::size_t package, Declarations& nodes) const {
  for (const Model& model : by_package_[package]) nodes.add(*model.node);
}

// ---- Nodes

std::span<const KnownNodes::Model> KnownNodes::models_of(std::size_t package, std::string_view name) const {
  return with_name(by_package_[package], name);
}

Declaration KnownNodes::merge(std::span<const Model> holding, std::span<const Model> hinting) const {
  Declaration merged = *(holding.empty() ? hinting : holding).front().node;
  merged.by = options_.has_complete_models ? DeclaredBy::program
              : holding.empty()            ? DeclaredBy::hint
                                           : DeclaredBy::model;
  for (const Model& model : holding) add_new_ports(model.node->ports, merged.ports);
  const auto is_own = [&](const Model& model) {
    return std::any_of(holding.begin(), holding.end(), [&](const Model& own) { return own.node == model.node; });
  };
  // Another program's node of this name may have other types.
  const std::size_t sure_count = holding.empty() && !options_.has_complete_models ? 0 : merged.ports.size();
  for (const Model& model : hinting) {
    if (!is_own(model)) add_new_ports(model.node->ports, merged.ports);
  }
  if (!options_.has_complete_models) {
    for (std::size_t i = sure_count; i < merged.ports.size(); ++i) {
      merged.ports[i].type = {};
      merged.ports[i].has_type = false;
    }
  }
  if (is_nav2_used_) {
    if (const Declaration* const known = nav2_.find(merged.name)) complete_model(*known, merged);
  }
  return merged;
}

const Declaration* KnownNodes::make(std::string_view name, std::span<const Model> holding,
                                    std::span<const Model> hinting) {
  Declaration merged = merge(holding, hinting);
  if (const Declaration* const declared = project_.nodes.find(name)) {
    Declaration own = *declared;
    fill_from_model(merged, own);
    merged = std::move(own);
  }
  merged.order = {};
  return &project_.modelled.emplace_back(std::move(merged));
}

const Declaration* KnownNodes::find(std::size_t file, std::string_view name) {
  if (file != file_) {
    made_.clear();
    file_ = file;
  }
  if (const auto made = made_.find(name); made != made_.end()) return made->second;
  const Declaration* const declared = project_.nodes.find(name);
  if (declared != nullptr && declared->is_of_library) return declared;
  Models holding;
  for (const std::size_t other : connected_[file]) {
    const auto own = with_name(by_file_[other], name);
    holding.insert(holding.end(), own.begin(), own.end());
  }
  const std::size_t package = packages_.of(file);
  const std::span<const Model> hinting = models_of(package, name);
  if (holding.empty() && hinting.empty()) return declared;
  const std::string_view kept = (holding.empty() ? hinting : std::span<const Model>(holding)).front().node->name;
  if (!holding.empty()) return made_.emplace(kept, make(kept, holding, hinting)).first->second;
  const auto [hint, is_new] = hints_.try_emplace({package, kept});
  if (is_new) hint->second = make(kept, {}, hinting);
  return hint->second;
}

// ---- Trees

// The library has those of all files that it loads.
const SubtreeModel* KnownNodes::find_tree(std::size_t file, std::optional<std::size_t> file_of_tree,
                                          std::string_view name) {
  const auto models = tree_models_.find(name);
  if (models == tree_models_.end()) return nullptr;
  std::vector<const SubtreeModel*> loaded;
  for (const TreeModel& each : models->second) {
    const bool is_loaded = are_included(file, each.file) || (file_of_tree && are_included(*file_of_tree, each.file));
    if (is_loaded) loaded.push_back(each.model);
  }
  if (loaded.empty()) return nullptr;
  const auto keep = [&](SubtreeModel model) { return &project_.tree_models.emplace_back(std::move(model)); };
  if (loaded.size() == 1) {
    const auto [kept, is_new] = kept_.try_emplace(loaded.front());
    if (is_new) kept->second = keep(*loaded.front());
    return kept->second;
  }
  SubtreeModel merged;
  for (const SubtreeModel* const model : loaded) {
    merged.span = model->span;
    add_new_ports(model->ports, merged.ports);
  }
  return keep(std::move(merged));
}

}  // namespace espalier::dialects::btcpp
