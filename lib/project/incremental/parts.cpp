// Parts of a project. See parts.h.
#include "project/incremental/parts.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "dialects/btcpp/file_summary.h"
#include "dialects/btcpp/node_uses.h"
#include "dialects/btcpp/options.h"
#include "project/incremental/bytes.h"
#include "project/incremental/connections.h"
#include "project/incremental/facts_bytes.h"
#include "project/incremental/file_facts.h"
#include "text/names.h"

namespace espalier::project {
namespace {

// Which of some things are the same.
class Sets {
 public:
  explicit Sets(std::size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), std::size_t{0}); }
  std::size_t find(std::size_t thing) {
    while (parents_[thing] != thing) thing = parents_[thing] = parents_[parents_[thing]];
    return thing;
  }
  void join(std::size_t a, std::size_t b) { parents_[find(a)] = find(b); }

 private:
  std::vector<std::size_t> parents_;
};

class Parting {
 public:
  Parting(const Snapshot& snapshot, const Connections& connections)
      : snapshot_(snapshot), connections_(connections), sets_(snapshot.sources.size()) {}

  // The number of each file's part, by file.
  std::vector<std::size_t> run() {
    for (const SnapshotFile& file : snapshot_.files) {
      if (!is_of_part(file)) continue;
      // Where a name is not declared, the nearest one may be meant.
      connections_.each_used(
          file.id, *file.facts, [&](FileId used) { sets_.join(file.id, used); },
          [&](const SharedName&) { wholly_connected_.insert(*file.facts->owner); });
    }
    join_declarations();
    for (const dialects::Dialect& dialect : dialects::all()) join_dialect(dialect);
    std::vector<std::size_t> parts(snapshot_.sources.size());
    for (FileId file = 0; file < parts.size(); ++file) parts[file] = sets_.find(file);
    return parts;
  }

 private:
  // Files that declare one name are connected. Trees of all dialects are found by their names, without case.
  void join_declarations() {
    std::map<std::pair<NameKind, std::string>, FileId> first_declaring;
    for (const auto& [name, files] : connections_.names()) {
      const auto& [kind, key] = name;
      if (!connects_files(kind)) continue;
      for (const FileId file : files.all) {
        // A slot that takes any tree connects all.
        if (kind == NameKind::slot) wholly_connected_.insert(*connections_.facts_of(file).owner);
        if (files.declaring.count(file) == 0 || connections_.is_joined(file) || key.starts_with(kAnyTree)) continue;
        const std::string compared = kind == NameKind::tree ? text::lower_case(key) : key;
        sets_.join(file, first_declaring.try_emplace({kind, compared}, file).first->second);
      }
    }
  }

  void join_dialect(const dialects::Dialect& dialect) {
    std::vector<FileId> own;
    for (const SnapshotFile& file : snapshot_.files) {
      if (is_of_part(file) && file.facts->owner == dialect.id) own.push_back(file.id);
    }
    if (wholly_connected_.count(dialect.id) == 0 && !(dialect.has_parts && has_unused_parts(own))) return;
    for (const FileId file : own) sets_.join(file, own.front());
  }

  bool has_unused_parts(const std::vector<FileId>& own) {
    std::map<std::size_t, std::size_t> sizes;
    for (const FileId file : own) ++sizes[sets_.find(file)];
    return std::any_of(own.begin(), own.end(), [&](FileId file) {
      return connections_.facts_of(file).has_several && sizes[sets_.find(file)] == 1;
    });
  }

  const Snapshot& snapshot_;
  const Connections& connections_;
  Sets sets_;
  std::set<layout::Dialect> wholly_connected_;
};

void add_place(const dialects::File& place, ByteWriter& all) {
  all.write(place.name);
  all.write(place.path);
  all.write(place.folder);
  for (const dialects::Included& include : place.includes) {
    all.write(include.path);
    all.write(include.is_left_out);
    all.write(include.is_elsewhere);
  }
}

// What files of BehaviorTree.CPP see of one another, but for places.
class JoinedView {
 public:
  explicit JoinedView(const Snapshot& snapshot) {
    for (const SnapshotFile& file : snapshot.files) {
      if (const auto summary = dialects::btcpp::summary_of(file.place)) {
        numbers_.emplace(file.id, files_.size());
        files_.push_back(file.place);
        summaries_.push_back(summary);
      } else {
        others_.emplace_back().path = file.place.path;
      }
    }
    if (files_.empty()) return;
    packages_.emplace(files_, others_);
    uses_.emplace(*packages_, summaries_);
    const auto& options = snapshot.configuration.dialects.of<dialects::BtcppOptions>();
    for (const auto& node : options.nodes) declared_.insert(node.name);
    for (const auto& [folder, version] : options.told_versions) {
      all_.write(folder);
      all_.write(version);
    }
    for (const auto& project : options.editor_models) {
      all_.write(project.path);
      all_.write(project.text);
      for (const auto& node : project.models.nodes) {
        std::set<std::string_view>& ports = modelled_[{packages_->of_path(project.path), node.name}];
        for (const auto& port : node.ports) ports.insert(port.name);
      }
    }
    std::set<std::string_view> trees;
    std::set<std::string_view> used;
    for (std::size_t i = 0; i < files_.size(); ++i) add(i, trees, used);
    find_fork(options.is_fork);
    // Trees that are used as nodes, in whichever file.
    for (const std::string_view tree : trees) all_.write(used.count(tree) != 0);
    hash_ = content_hash(all_.bytes);
  }

  // Adds what a file of such trees depends on: of all files, and of what nobody declares, how often others use it and
  // whether one before does.
  void add_to(text::FileId file, ByteWriter& all) const {
    const auto number = numbers_.find(file);
    if (number == numbers_.end()) return;
    all.write(hash_);
    const std::size_t package = packages_->of(number->second);
    if (const auto uses = of_fork_.find(package); uses != of_fork_.end()) all.write(uses->second.bytes);
    const auto write = [&](const dialects::btcpp::NodeUses::Uses& uses) {
      all.write(uses.count);
      all.write(uses.first == number->second);
    };
    for (const dialects::btcpp::NodeUse& use : summaries_[number->second]->nodes) {
      if (declared_.count(use.name) != 0) continue;
      const auto modelled = modelled_.find({package, use.name});
      if (modelled == modelled_.end()) write(uses_->of(package, use.name));
      for (const dialects::btcpp::PortUse& port : use.ports) {
        const bool is_beyond = modelled != modelled_.end() && modelled->second.count(port.name) == 0;
        if (is_beyond) write(uses_->of(package, use.name, port.name));
      }
    }
  }

 private:
  void add(std::size_t number, std::set<std::string_view>& trees, std::set<std::string_view>& used) {
    const dialects::btcpp::FileSummary& summary = *summaries_[number];
    add_place(files_[number], all_);
    all_.write(summary.declared);
    for (const dialects::btcpp::NodeUse& use : summary.nodes) used.insert(use.name);
    for (const dialects::btcpp::TreeSummary& tree : summary.trees) {
      trees.insert(tree.name);
      for (const dialects::btcpp::TreeReference& reference : tree.references) {
        used.insert(reference.name);
        all_.write(reference.name);
        all_.write(reference.path);
      }
      all_.write(std::uint8_t{0});
    }
    for (const dialects::btcpp::Declaration& node : summary.models.nodes) {
      std::set<std::string_view>& ports = modelled_[{packages_->of(number), node.name}];
      for (const dialects::btcpp::Port& port : node.ports) ports.insert(port.name);
    }
  }

  // In MoveIt Pro, one note says how many nodes of a package nothing declares.
  void find_fork(bool is_fork) {
    for (const auto& summary : summaries_) is_fork = is_fork || summary->is_of_fork;
    for (std::size_t i = 0; is_fork && i < files_.size(); ++i) {
      ByteWriter& all = of_fork_[packages_->of(i)];
      for (const dialects::btcpp::NodeUse& use : summaries_[i]->nodes) {
        all.write(use.name);
        all.write(use.count);
      }
      all.write(std::uint8_t{0});
    }
  }

  std::vector<dialects::File> files_;
  std::vector<dialects::OtherFile> others_;
  dialects::btcpp::Summaries summaries_;
  std::unordered_map<text::FileId, std::size_t> numbers_;
  std::optional<dialects::btcpp::Packages> packages_;
  std::optional<dialects::btcpp::NodeUses> uses_;
  std::set<std::string_view> declared_;                                                      // nodes of the program
  std::map<std::pair<std::size_t, std::string_view>, std::set<std::string_view>> modelled_;  // ports, by package
  std::map<std::size_t, ByteWriter> of_fork_;  // what nodes are used, by package; empty: they are the library's
  ByteWriter all_;
  ContentHash hash_;
};

}  // namespace

bool is_of_part(const SnapshotFile& file) { return file.facts != nullptr && file.place.is_tree; }

std::vector<std::size_t> damaged_files(const Snapshot& snapshot) {
  std::vector<std::size_t> damaged;
  for (std::size_t i = 0; i < snapshot.files.size(); ++i) {
    const SnapshotFile& file = snapshot.files[i];
    if (is_of_part(file) && file.facts->has_document && file.facts->is_damaged) damaged.push_back(i);
  }
  return damaged;
}

ContentHash common_of(const Snapshot& snapshot) {
  ByteWriter all;
  std::set<std::string_view> prefixes;
  std::map<layout::Dialect, std::size_t> counts;
  bool has_comments = false;
  for (const SnapshotFile& file : snapshot.files) {
    if (!is_of_part(file)) {
      all.write(file.place.path);
      all.write(file.place.is_tree);
      continue;
    }
    const FileFacts& facts = *file.facts;
    has_comments = has_comments || facts.has_comments;
    if (facts.owner) ++counts[*facts.owner];
    const dialects::Dialect* const dialect = dialects::find_owner(facts.root_name);
    if (dialect != nullptr) prefixes.insert(dialect->prefix);
    if (facts.owner && !facts.is_damaged) continue;
    add_place(file.place, all);
    all.write(facts.has_document);
    all.write(facts.root_name);
    if (facts.is_damaged) all.write(facts.content);
  }
  for (const std::string_view prefix : prefixes) all.bytes += prefix;
  for (const auto& [dialect, count] : counts) {
    all.write(dialect);
    all.write(std::bit_ceil(count));
  }
  all.write(has_comments);
  return content_hash(all.bytes);
}

std::vector<Part> parts_of(const Snapshot& snapshot, const ContentHash& common) {
  Connections connections(snapshot);
  for (const SnapshotFile& file : snapshot.files) {
    if (is_of_part(file)) connections.set(file);
  }
  static_cast<void>(connections.link(0));
  const std::vector<std::size_t> numbers = Parting(snapshot, connections).run();
  const JoinedView joined(snapshot);
  std::vector<Part> parts;
  std::unordered_map<std::size_t, std::size_t> part_of_number;
  for (std::size_t i = 0; i < snapshot.files.size(); ++i) {
    if (!is_of_part(snapshot.files[i])) continue;
    const auto [part, is_new] = part_of_number.try_emplace(numbers[snapshot.files[i].id], parts.size());
    if (is_new) parts.emplace_back();
    parts[part->second].files.push_back(i);
  }
  for (Part& part : parts) {
    ByteWriter all;
    all.write(common);
    for (const std::size_t i : part.files) {
      const SnapshotFile& file = snapshot.files[i];
      joined.add_to(file.id, all);
      add_place(file.place, all);
      all.write(snapshot.sources[file.id].path());
      all.write(file.facts->content);
    }
    part.identity = content_hash(all.bytes);
  }
  return parts;
}

}  // namespace espalier::project
