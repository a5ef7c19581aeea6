// Parts of a project. See parts.h.
#include "project/incremental/parts.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "dialects/btcpp/tree_graph.h"
#include "project/incremental/bytes.h"
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

// What is known of a name that connects files.
struct Link {
  std::size_t file;  // one that has it
  bool is_declared = false;
};

class Parting {
 public:
  explicit Parting(const Snapshot& snapshot) : files_(snapshot.files), sets_(files_.size()) {}

  // The number of each file's part is that of one of its files.
  std::vector<std::size_t> run() {
    for (std::size_t i = 0; i < files_.size(); ++i) file_of_path_.emplace(files_[i].place.path, i);
    for (const dialects::Dialect& dialect : dialects::all()) {
      std::vector<std::size_t> own;
      for (std::size_t i = 0; i < files_.size(); ++i) {
        if (is_of_part(files_[i]) && files_[i].facts->owner == dialect.id) own.push_back(i);
      }
      dialect.is_joined ? join_users(own) : join_names(own, dialect);
    }
    std::vector<std::size_t> parts(files_.size());
    for (std::size_t i = 0; i < files_.size(); ++i) parts[i] = sets_.find(i);
    return parts;
  }

 private:
  // Files with one of these names are connected. Where a name is not declared, the nearest one may be meant, and where
  // a slot takes any tree, all are connected.
  void join_names(const std::vector<std::size_t>& own, const dialects::Dialect& dialect) {
    bool are_all_connected = false;
    std::set<const Link*> used;
    for (const std::size_t file : own) {
      for (const SharedName& name : files_[file].facts->names) {
        if (!connects_files(name.kind)) continue;
        if (name.kind == NameKind::slot) are_all_connected = true;
        if (name.is_implied && name.key.starts_with(kAnyTree)) continue;
        Link& link = link_of(name, file);
        sets_.join(file, link.file);
        if (name.use == NameUse::declares) link.is_declared = true;
        used.insert(&link);
        // A path may lead to a file of another kind.
        const auto other = name.kind == NameKind::file ? file_of_path_.find(name.key) : file_of_path_.end();
        if (other != file_of_path_.end()) sets_.join(file, other->second);
      }
    }
    const auto is_declared = [](const Link* link) { return link->is_declared; };
    are_all_connected = are_all_connected || !std::all_of(used.begin(), used.end(), is_declared) ||
                        (dialect.has_parts && has_unused_parts(own));
    if (!are_all_connected) return;
    for (const std::size_t file : own) sets_.join(file, own.front());
  }

  // Trees of all dialects are found by their names, without case.
  Link& link_of(const SharedName& name, std::size_t file) {
    const std::string key = name.kind == NameKind::tree ? text::lower_case(name.key) : name.key;
    return links_.try_emplace({name.kind, key}, Link{file}).first->second;
  }

  bool has_unused_parts(const std::vector<std::size_t>& own) {
    std::map<std::size_t, std::size_t> sizes;
    for (const std::size_t file : own) ++sizes[sets_.find(file)];
    return std::any_of(own.begin(), own.end(), [&](std::size_t file) {
      return files_[file].facts->has_several && sizes[sets_.find(file)] == 1;
    });
  }

  // Files with trees that use one another.
  void join_users(const std::vector<std::size_t>& own) {
    if (own.empty()) return;
    std::vector<dialects::File> files;
    for (const std::size_t file : own) files.push_back(files_[file].place);
    std::vector<dialects::OtherFile> others;
    for (const SnapshotFile& file : files_) {
      if (!file.place.summary.has_value()) others.emplace_back().path = file.place.path;
    }
    const auto summaries = dialects::btcpp::summaries_of(files, nullptr);
    const dialects::btcpp::TreeGraph graph(files, summaries, others, dialects::btcpp::Format3::is_read);
    const auto uses = graph.uses();
    for (std::size_t i = 0; i < uses.size(); ++i) {
      for (const std::size_t used : uses[i]) sets_.join(own[i], own[used]);
      // What is included may be no file of trees.
      for (const dialects::Included& include : files[i].includes) {
        const auto other = file_of_path_.find(include.path);
        if (other != file_of_path_.end() && !files_[other->second].place.summary.has_value())
          sets_.join(own[i], other->second);
      }
    }
  }

  const std::vector<SnapshotFile>& files_;
  Sets sets_;
  std::map<std::pair<NameKind, std::string>, Link> links_;
  std::unordered_map<std::string_view, std::size_t> file_of_path_;
};

void add_place(const SnapshotFile& file, ByteWriter& all) {
  all.write(file.place.name);
  all.write(file.place.path);
  all.write(file.place.folder);
  for (const dialects::Included& include : file.place.includes) {
    all.write(include.path);
    all.write(include.is_left_out);
  }
}

// What files of BehaviorTree.CPP see of one another, but for places.
class JoinedView {
 public:
  explicit JoinedView(const Snapshot& snapshot) {
    std::set<std::string_view> trees;
    for (const SnapshotFile& file : snapshot.files) {
      const auto known = dialects::btcpp::summary_of(file.place);
      if (known == nullptr) continue;
      const dialects::btcpp::FileSummary& summary = *known;
      add_place(file, all_);
      all_.write(summary.declared);
      std::set<std::string_view> names(summary.node_names.begin(), summary.node_names.end());
      for (const dialects::btcpp::TreeSummary& tree : summary.trees) {
        trees.insert(tree.name);
        for (const dialects::btcpp::TreeReference& reference : tree.references) {
          names.insert(reference.name);
          all_.write(reference.name);
          all_.write(reference.path);
        }
        all_.write(std::uint8_t{0});
      }
      for (const std::string_view name : names) ++file_counts_[name];
    }
    // Trees that are used as nodes, in whichever file.
    for (const std::string_view tree : trees) all_.write(file_counts_.count(tree) != 0);
    hash_ = content_hash(all_.bytes);
  }

  // Adds what a file of such trees depends on: of all files, and of each node that it uses, whether others do.
  void add_to(const dialects::btcpp::FileSummary& summary, ByteWriter& all) const {
    all.write(hash_);
    for (const std::string& name : summary.node_names) all.write(file_counts_.at(name) > 1);
  }

 private:
  ByteWriter all_;
  std::unordered_map<std::string_view, std::size_t> file_counts_;  // of names of nodes, and of trees that are used
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
    add_place(file, all);
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
  const std::vector<std::size_t> numbers = Parting(snapshot).run();
  const JoinedView joined(snapshot);
  std::vector<Part> parts;
  std::unordered_map<std::size_t, std::size_t> part_of_number;
  for (std::size_t i = 0; i < snapshot.files.size(); ++i) {
    if (!is_of_part(snapshot.files[i])) continue;
    const auto [part, is_new] = part_of_number.try_emplace(numbers[i], parts.size());
    if (is_new) parts.emplace_back();
    parts[part->second].files.push_back(i);
  }
  for (Part& part : parts) {
    ByteWriter all;
    all.write(common);
    for (const std::size_t i : part.files) {
      const SnapshotFile& file = snapshot.files[i];
      if (const auto summary = dialects::btcpp::summary_of(file.place)) joined.add_to(*summary, all);
      add_place(file, all);
      all.write(snapshot.sources[file.id].path());
      all.write(file.facts->content);
    }
    part.identity = content_hash(all.bytes);
  }
  return parts;
}

}  // namespace espalier::project
