// Names and programs. See same_names.h.
#include "editor/same_names.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "dialects/btcpp/tree_graph.h"

namespace espalier::editor {
namespace {

namespace btcpp = dialects::btcpp;

// Which files have the trees that a name may mean.
class MeantTrees {
 public:
  explicit MeantTrees(const LiveProject& project) {
    for (const project::SnapshotFile& file : project.snapshot().files) {
      auto summary = btcpp::summary_of(file.place);
      if (summary == nullptr) {
        others_.emplace_back().path = file.place.path;
        continue;
      }
      numbers_[file.id] = files_.size();
      files_.push_back(file.place);
      summaries_.push_back(std::move(summary));
      ids_.push_back(file.id);
    }
    graph_ = std::make_unique<btcpp::TreeGraph>(files_, summaries_, others_);
  }

  // Several, if programs that load the file have different trees of the name.
  std::set<FileId> files_of(std::string_view name, FileId from) {
    std::set<FileId> found;
    const auto number = numbers_.find(from);
    if (number == numbers_.end()) return found;
    const auto add = [&](std::size_t tree) { found.insert(ids_[(*graph_)[tree].file]); };
    if (const std::optional<std::size_t> tree = graph_->find(name, number->second)) add(*tree);
    for (const auto& [start, program] : graph_->programs().mixed()) {
      const bool loads_it =
          std::find(program.files.begin(), program.files.end(), number->second) != program.files.end();
      const auto shared = program.shared.find(name);
      if (loads_it && shared != program.shared.end()) add(shared->second);
    }
    return found;
  }

 private:
  std::vector<dialects::File> files_;
  std::vector<dialects::OtherFile> others_;
  btcpp::Summaries summaries_;
  std::vector<FileId> ids_;                  // by number in the graph
  std::map<FileId, std::size_t> numbers_;    // in the graph
  std::unique_ptr<btcpp::TreeGraph> graph_;  // refers to the rest
};

bool shares_one(const std::set<FileId>& a, const std::set<FileId>& b) {
  return std::any_of(a.begin(), a.end(), [&](FileId each) { return b.count(each) != 0; });
}

}  // namespace

std::vector<FileOccurrence> same_names(const LiveProject& project, FileId file, const Occurrence& occurrence) {
  std::vector<FileOccurrence> all = project.index().same(file, occurrence);
  if (occurrence.kind != NameKind::tree || !project.connections().is_joined(file)) return all;
  std::set<FileId> declaring;
  for (const FileOccurrence& each : all) {
    if (each.occurrence->use == NameUse::declares) declaring.insert(each.file);
  }
  if (declaring.size() < 2) return all;
  MeantTrees meant(project);
  std::map<FileId, std::set<FileId>> targets;  // by the file of an occurrence
  for (const FileOccurrence& each : all) {
    if (targets.count(each.file) == 0) targets[each.file] = meant.files_of(occurrence.key, each.file);
  }
  std::set<FileId> ours = targets[file];
  if (ours.empty()) return all;
  for (std::size_t count = 0; count != ours.size();) {
    count = ours.size();
    for (const auto& [from, to] : targets) {
      if (shares_one(to, ours)) ours.insert(to.begin(), to.end());
    }
  }
  std::erase_if(all, [&](const FileOccurrence& each) { return !shares_one(targets[each.file], ours); });
  return all;
}

}  // namespace espalier::editor
