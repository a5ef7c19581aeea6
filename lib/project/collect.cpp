// Finds the files of a project. See collect.h.
#include "project/collect.h"

#include <algorithm>
#include <map>
#include <set>

#include "project/configuration.h"
#include "project/gitignore.h"
#include "project/inside.h"
#include "system/filesystem.h"
#include "system/reason.h"
#include "text/names.h"
#include "text/xml.h"

namespace espalier::project {
namespace {

namespace fs = system::filesystem;
using Rules = std::shared_ptr<const IgnoreRules>;

// A file or folder with its names. `logical` and `canonical` differ below links.
struct PathNames {
  std::string shown;      // for findings
  std::string logical;    // absolute, as reached; .gitignore patterns apply to this one
  std::string canonical;  // without links: identifies the file or folder
  std::string below;      // below the given folder
  std::string given;      // based on the given path: "./trees/tree.xml" below "./trees"
};

std::string join(const std::string& folder, const std::string& name) {
  if (folder.empty() || folder.back() == '/') return folder + name;
  return folder + '/' + name;
}

constexpr std::string_view kEditorProject = ".btproj";

bool has_tree_suffix(const std::string& name) {
  const std::string suffix = text::lower_case(fs::path(name).extension().generic_string());
  return suffix == ".xml" || suffix == ".debt" || suffix == kEditorProject;
}

// Puts the .gitignore of `folder`, if it has one, before `above`.
Rules rules_of(const Files& files, const std::string& folder, Rules above) {
  std::string text, error;
  if (!files.read(join(folder, ".gitignore"), text::kMaxFileBytes, text, error)) return above;
  std::vector<IgnorePattern> patterns = parse_gitignore(text);
  if (patterns.empty()) return above;
  const std::string below = folder.ends_with('/') ? folder.substr(0, folder.size() - 1) : folder;
  return std::make_shared<IgnoreRules>(IgnoreRules{below, std::move(patterns), std::move(above)});
}

// The .gitignore files above `folder`, up to the root of the repository that contains it. None without a repository.
Rules rules_above(const Files& files, const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> above;
  fs::path top = folder;
  while (!fs::exists(top / ".git", ignored)) {
    if (!top.has_relative_path()) return nullptr;
    top = top.parent_path();
    above.push_back(top);
  }
  Rules rules;
  for (auto path = above.rbegin(); path != above.rend(); ++path) {
    rules = rules_of(files, path->generic_string(), std::move(rules));
  }
  return rules;
}

// An absolute path relative to the current folder, if they have one root; empty for that folder itself.
std::string relative_to_current(const fs::path& path) {
  std::error_code error;
  std::string shown = path.lexically_relative(fs::current_path(error)).generic_string();
  if (shown.empty()) return path.generic_string();
  while (shown.size() > 1 && shown.back() == '/') shown.pop_back();
  return shown == "." ? "" : shown;
}

// Collects files below folders. Folders behind links are read after all others, so that which file is found first, and
// therefore its shown name, does not depend on where the links are.
class Walk {
 public:
  Walk(const Files& files, const CollectOptions& options, std::vector<std::string>& errors)
      : disk_(files), options_(options), errors_(errors) {
    if (!options.folder.empty()) allow(options.folder);
  }

  // Allows links that lead to this folder or below it.
  void allow(const std::string& canonical) { allowed_.insert(canonical); }

  void add_named(PathNames place, bool is_rest = false) {
    if (options_.exclude != nullptr && is_in(*options_.exclude, place, false)) {
      left_out_.push_back(std::move(place.shown));
    } else {
      files_.push_back({std::move(place), true, is_rest});
    }
  }

  // All files below `root`. A root is read even if a .gitignore excludes it, because it was named.
  void add_root(const PathNames& root, bool is_rest) {
    folders_.push_back({root, options_.ignore_files ? rules_above(disk_, root.logical) : nullptr});
    const std::size_t files_before = files_.size();
    const std::size_t links_before = outside_.size() + broken_.size();
    is_rest_ = is_rest;
    visited_.clear();
    ignored_count_ = 0;
    excluded_count_ = 0;
    bool could_read = true;
    while (!folders_.empty() || !linked_.empty()) {
      Folder folder = folders_.empty() ? take_linked() : take(folders_);
      if (!visited_.insert(folder.place.canonical).second) continue;
      could_read &= read(folder);
    }
    if (is_rest || !could_read || files_.size() > files_before || outside_.size() + broken_.size() > links_before)
      return;
    if (!options_.suffixes.empty() || options_.may_be_empty) return;  // only a folder without trees is an error
    std::string but;
    if (ignored_count_ > 0) but = " except those that .gitignore excludes (--no-ignore reads them)";
    if (excluded_count_ > 0) but = " except those that espalier.json excludes";
    errors_.push_back("no .xml or .debt files in " + quoted(root) + but);
    has_empty_folder_ = has_empty_folder_ || but.empty();
  }

  void take(Collection& collection) {
    take_files(collection.files);
    for (auto& [link, shown] : outside_) collection.outside.push_back(std::move(shown));
    std::sort(collection.outside.begin(), collection.outside.end());
    collection.broken.assign(broken_.begin(), broken_.end());
    std::sort(left_out_.begin(), left_out_.end());
    collection.left_out = std::move(left_out_);
    collection.configured = std::move(configured_);
    collection.has_empty_folder = has_empty_folder_;
    collection.editor_projects.assign(editor_projects_.begin(), editor_projects_.end());
  }

 private:
  struct Folder {
    PathNames place;
    Rules rules;  // of the folders above
  };
  struct Found {
    PathNames place;
    bool is_named;
    bool is_rest;
  };

  // If several paths lead to one file, the entry kept is standard input, which replaces the file, else one without a
  // link, else the first one; of nested folders, the outer one.
  void take_files(std::vector<InputFile>& result) {
    auto rank = [](const PathNames& place) {
      return std::make_tuple(place.logical != kStandardInput, place.logical != place.canonical, place.shown,
                             ~place.below.size(), place.given);
    };
    std::sort(files_.begin(), files_.end(), [&](const Found& a, const Found& b) {
      const int order = a.place.canonical.compare(b.place.canonical);
      return order != 0 ? order < 0 : rank(a.place) < rank(b.place);
    });
    for (Found& file : files_) {
      if (result.empty() || result.back().canonical != file.place.canonical) {
        PathNames& place = file.place;
        result.push_back({std::move(place.shown), std::move(place.logical), std::move(place.below),
                          std::move(place.canonical), std::move(place.given), file.is_named, file.is_rest});
      }
      if (result.back().is_rest && !file.is_rest) result.back().given = std::move(file.place.given);
      result.back().is_named |= file.is_named;
      result.back().is_rest &= file.is_rest;
    }
    std::sort(result.begin(), result.end(), [](const InputFile& a, const InputFile& b) { return a.shown < b.shown; });
  }

  static bool comes_later(const Folder& a, const Folder& b) { return a.place.shown > b.place.shown; }

  static Folder take(std::vector<Folder>& folders) {
    Folder folder = std::move(folders.back());
    folders.pop_back();
    return folder;
  }

  Folder take_linked() {
    std::pop_heap(linked_.begin(), linked_.end(), comes_later);
    return take(linked_);
  }

  static std::string quoted(const PathNames& folder) { return text::quote(folder.shown.empty() ? "." : folder.shown); }

  bool read(const Folder& folder) {
    std::error_code error;
    const Rules rules = options_.ignore_files ? rules_of(disk_, folder.place.logical, folder.rules) : nullptr;
    for (fs::directory_iterator entry(folder.place.logical, error), end; !error && entry != end;
         entry.increment(error)) {
      add_entry(folder, rules, *entry);
    }
    for (const std::string& name : disk_.unsaved_in(folder.place.canonical)) {
      std::error_code missing;
      if (fs::exists(join(folder.place.logical, name), missing) || !is_wanted(name, false)) continue;
      add_place(folder, rules, name, false, false);
    }
    if (error) errors_.push_back("cannot read folder " + quoted(folder.place) + ": " + system::reason_of(error));
    return !error;
  }

  // Do globs of espalier.json include a place? They apply only below its folder.
  bool is_in(const Globs& globs, const PathNames& place, bool is_folder) const {
    if (globs.empty() || options_.folder.empty()) return false;
    std::string path = path_below(options_.folder, place.logical);
    if (path.empty()) path = path_below(options_.folder, place.canonical);
    return !path.empty() && globs.contain(path, is_folder);
  }

  // Does espalier.json exclude a file or folder? Folders are entered unless everything in them is excluded.
  bool is_left_out(const PathNames& place, bool is_folder) const {
    const Globs* const exclude = options_.exclude;
    const bool is_final = !is_folder || (exclude != nullptr && exclude->contain_whole_folders());
    if (exclude != nullptr && is_final && is_in(*exclude, place, is_folder)) return true;
    const bool is_chosen = options_.include != nullptr && !options_.include->empty() && !is_folder &&
                           is_below(place.canonical, options_.folder);
    return is_chosen && !is_in(*options_.include, place, false);
  }

  bool is_allowed(std::string canonical) const {
    while (allowed_.count(canonical) == 0) {
      if (canonical.empty()) return false;
      // "/a/b", "/a", "/", "".
      const std::size_t slash = canonical.rfind('/');
      canonical.resize(slash == 0 && canonical.size() > 1 ? 1 : slash == std::string::npos ? 0 : slash);
    }
    return true;
  }

  // Skips hidden files: .git, and files that editors and archivers create ("._tree.xml").
  bool is_wanted(const std::string& name, bool is_folder) const {
    return name[0] != '.' && (is_folder || has_wanted_suffix(name));
  }
  bool has_wanted_suffix(const std::string& name) const {
    if (options_.suffixes.empty()) return has_tree_suffix(name);
    return std::any_of(options_.suffixes.begin(), options_.suffixes.end(),
                       [&](std::string_view suffix) { return name.ends_with(suffix); });
  }

  void add_entry(const Folder& folder, const Rules& rules, const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().generic_string();
    std::error_code error;
    const bool is_link = entry.is_symlink(error);
    const bool is_folder = entry.is_directory(error);
    if (name == kConfigurationName && !is_rest_ && folder.place.canonical != options_.folder)
      configured_.push_back({folder.place.shown, folder.place.canonical});
    if (!is_wanted(name, is_folder)) return;
    // Reading a pipe or device would block forever; a broken link is reported.
    if (!is_folder && !entry.is_regular_file(error) && !(is_link && !entry.exists(error))) return;
    add_place(folder, rules, name, is_link, is_folder);
  }

  void add_place(const Folder& folder, const Rules& rules, const std::string& name, bool is_link, bool is_folder) {
    std::error_code error;
    PathNames place{join(folder.place.shown, name), join(folder.place.logical, name),
                    join(folder.place.canonical, name), join(folder.place.below, name), join(folder.place.given, name)};
    if (is_ignored(rules.get(), place.logical, is_folder && !is_link)) {
      ++ignored_count_;
      return;
    }
    if (is_left_out(place, is_folder)) {
      ++excluded_count_;
      return;
    }
    if (is_link) {
      const std::string link = place.canonical;
      const fs::path target = fs::canonical(place.logical, error);
      if (error && !is_rest_) {
        broken_.insert(place.shown);
        return;
      }
      if (!error) place.canonical = target.generic_string();
      if (!is_allowed(place.canonical)) {
        if (is_rest_) return;  // not one of the given paths
        // The same folder found through another link counts once.
        std::string& shown = outside_.try_emplace(link, place.shown).first->second;
        shown = std::min(shown, place.shown);
        return;
      }
    }
    if (!is_folder) {
      // Below "..", the current folder may be found again: "../here/tree.xml" is "tree.xml".
      if (place.shown.compare(0, 3, "../") == 0) {
        place.shown = relative_to_current(fs::absolute(place.shown, error).lexically_normal());
      }
      if (options_.suffixes.empty() && text::lower_case(name).ends_with(kEditorProject)) {
        editor_projects_.insert(place.canonical);
        return;
      }
      files_.push_back({std::move(place), false, is_rest_});
    } else {
      (is_link ? linked_ : folders_).push_back({std::move(place), rules});
      if (is_link) std::push_heap(linked_.begin(), linked_.end(), comes_later);
    }
  }

  const Files& disk_;
  const CollectOptions& options_;
  std::vector<std::string>& errors_;
  bool has_empty_folder_ = false;
  std::set<std::string> allowed_;  // canonical
  std::vector<Found> files_;
  std::set<std::string> editor_projects_;       // canonical
  std::map<std::string, std::string> outside_;  // links by their place, as shown
  std::set<std::string> broken_;
  std::vector<std::string> left_out_;
  std::vector<InputFolder> configured_;
  std::vector<Folder> folders_;
  std::vector<Folder> linked_;  // a heap: the first by name is taken first
  // Of the current root:
  bool is_rest_ = false;
  std::set<std::string> visited_;   // canonical folders
  std::size_t ignored_count_ = 0;   // files and folders
  std::size_t excluded_count_ = 0;  // the same
};

// Makes `path` absolute and removes "." and "..". If a ".." follows a link, this would change the meaning; then returns
// the path without links.
fs::path shortened(const fs::path& path, const fs::path& canonical) {
  std::error_code error;
  fs::path result = fs::absolute(path, error).lexically_normal();
  return fs::weakly_canonical(result, error) == canonical ? result : canonical;
}

}  // namespace

std::string shown_path(const std::string& path) {
  std::error_code error;
  return relative_to_current(shortened(path, fs::weakly_canonical(path, error)));
}

std::string path_below(const std::string& folder, const std::string& path) {
  if (path.size() <= folder.size() || !is_below(path, folder)) return {};
  return path.substr(folder.ends_with('/') ? folder.size() : folder.size() + 1);
}

Collection collect(const std::vector<std::string>& paths, const std::vector<std::string>& rest,
                   const CollectOptions& options, std::vector<std::string>& errors) {
  const Files disk;
  const Files& files = options.files == nullptr ? disk : *options.files;
  Walk walk(files, options, errors);
  Collection collection;
  std::vector<PathNames> folders;
  const auto add = [&](const std::string& path, bool is_rest) {
    const bool is_standard_input = path == kStandardInput;
    if (is_standard_input && options.stdin_filename.empty()) {
      walk.add_named({kStandardInputName, kStandardInput, kStandardInput, kStandardInput, kStandardInputName});
      return;
    }
    const std::string& name = is_standard_input ? options.stdin_filename : path;
    std::error_code error;
    // An unsaved file need not exist on disk.
    const bool may_be_missing = is_standard_input || files.is_file(name);
    fs::path canonical =
        may_be_missing ? fs::weakly_canonical(fs::absolute(name, error), error) : fs::canonical(name, error);
    // What a shell passes for "<(command)" has no place in the file system, but can be read.
    std::error_code missing;
    if (error && fs::exists(name, missing)) canonical = fs::absolute(name, error);
    if (error) {
      errors.push_back("cannot read '" + name + "': " + system::reason_of(error));
      return;
    }
    walk.allow(canonical.generic_string());
    const fs::path place = shortened(name, canonical);
    if (!is_standard_input && fs::is_directory(canonical, error)) {
      folders.push_back({relative_to_current(place), canonical.generic_string(), canonical.generic_string(), "",
                         path == "." ? "" : path});
      if (!is_rest) collection.folders.push_back({folders.back().shown, canonical.generic_string()});
    } else {
      walk.add_named({relative_to_current(place), is_standard_input ? kStandardInput : place.generic_string(),
                      canonical.generic_string(), place.filename().generic_string(), name},
                     is_rest);
    }
  };
  for (const std::string& path : paths) add(path, false);
  const std::size_t given_count = folders.size();
  for (const std::string& path : rest) add(path, true);
  for (std::size_t i = 0; i < folders.size(); ++i) walk.add_root(folders[i], i >= given_count);
  std::sort(errors.begin(), errors.end());
  errors.erase(std::unique(errors.begin(), errors.end()), errors.end());
  walk.take(collection);
  return collection;
}

}  // namespace espalier::project
