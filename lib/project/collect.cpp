// Finding the files of a project. See collect.h.
#include "project/collect.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include "project/gitignore.h"
#include "text/names.h"
#include "text/xml.h"

namespace espalier::project {
namespace {

namespace fs = std::filesystem;
using Rules = std::shared_ptr<const IgnoreRules>;

// A file or folder under its three names. `logical` and `canonical` differ below links.
struct Place {
  std::string shown;      // for findings
  std::string logical;    // absolute, as reached; .gitignore patterns are about this one
  std::string canonical;  // without links: what tells whether two places are the same
  std::string below;      // below the folder that was asked for
};

std::string join(const std::string& folder, const std::string& name) {
  if (folder.empty() || folder.back() == '/') return folder + name;
  return folder + '/' + name;
}

bool has_tree_suffix(const std::string& name) {
  const std::string suffix = text::lower_case(fs::path(name).extension().string());
  return suffix == ".xml" || suffix == ".debt";
}

// `folder` with its own .gitignore, if it has one, put before `above`.
Rules rules_of(const std::string& folder, Rules above) {
  std::string text, error;
  if (!read_bytes(join(folder, ".gitignore"), text::kMaxFileBytes, text, error)) return above;
  std::vector<IgnorePattern> patterns = parse_gitignore(text);
  if (patterns.empty()) return above;
  return std::make_shared<IgnoreRules>(IgnoreRules{folder == "/" ? "" : folder, std::move(patterns), std::move(above)});
}

// The .gitignore files above `folder`, up to the top of the repository that it lies in. Without a repository there are
// none.
Rules rules_above(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> above;
  fs::path top = folder;
  while (!fs::exists(top / ".git", ignored)) {
    if (!top.has_relative_path()) return nullptr;
    top = top.parent_path();
    above.push_back(top);
  }
  Rules rules;
  for (auto path = above.rbegin(); path != above.rend(); ++path) rules = rules_of(path->string(), std::move(rules));
  return rules;
}

// An absolute path relative to the current folder; empty for that folder itself.
std::string relative_to_current(const fs::path& path) {
  std::error_code error;
  std::string shown = path.lexically_relative(fs::current_path(error)).generic_string();
  while (shown.size() > 1 && shown.back() == '/') shown.pop_back();
  return shown == "." ? "" : shown;
}

// Collects what lies below folders. Folders behind links wait until all others are done, so that what is found first,
// and so the name under which it is shown, does not depend on where the links are.
class Walk {
 public:
  Walk(bool ignore_files, std::vector<std::string>& errors) : ignore_files_(ignore_files), errors_(errors) {}

  void add_file(Place place) { files_.push_back(std::move(place)); }

  // All files below `root`. A root is read even if a .gitignore excludes it: someone asked for it.
  void add_root(const Place& root) {
    folders_.push_back({root, ignore_files_ ? rules_above(root.logical) : nullptr});
    const std::size_t files_before = files_.size();
    visited_.clear();
    ignored_count_ = 0;
    bool could_read = true;
    while (!folders_.empty() || !linked_.empty()) {
      Folder folder = folders_.empty() ? take_linked() : take(folders_);
      if (!visited_.insert(folder.place.canonical).second) continue;
      could_read &= read(folder);
    }
    if (could_read && files_.size() == files_before) {
      errors_.push_back("there are no .xml or .debt files in '" + (root.shown.empty() ? "." : root.shown) + "'" +
                        (ignored_count_ == 0 ? "" : " but those that .gitignore excludes (--no-ignore reads them)"));
    }
  }

  std::vector<InputFile> take_files() {
    // Of several ways to one file the one without a link is shown, else the first; of folders one in another, the outer
    // counts.
    auto rank = [](const Place& place) {
      return std::make_tuple(place.logical != place.canonical, place.shown, ~place.below.size());
    };
    std::sort(files_.begin(), files_.end(), [&](const Place& a, const Place& b) {
      const int order = a.canonical.compare(b.canonical);
      return order != 0 ? order < 0 : rank(a) < rank(b);
    });
    std::vector<InputFile> result;
    const std::string* last = nullptr;
    for (Place& file : files_) {
      if (last == nullptr || *last != file.canonical) {
        result.push_back({std::move(file.shown), std::move(file.logical), std::move(file.below)});
      }
      last = &file.canonical;
    }
    std::sort(result.begin(), result.end(), [](const InputFile& a, const InputFile& b) { return a.shown < b.shown; });
    return result;
  }

 private:
  struct Folder {
    Place place;
    Rules rules;  // of the folders above
  };

  static Folder take(std::vector<Folder>& folders) {
    Folder folder = std::move(folders.back());
    folders.pop_back();
    return folder;
  }

  Folder take_linked() {
    std::sort(linked_.begin(), linked_.end(),
              [](const Folder& a, const Folder& b) { return a.place.shown > b.place.shown; });
    return take(linked_);
  }

  bool read(const Folder& folder) {
    std::error_code error;
    const Rules rules = ignore_files_ ? rules_of(folder.place.logical, folder.rules) : nullptr;
    for (fs::directory_iterator entry(folder.place.logical, error), end; !error && entry != end;
         entry.increment(error)) {
      add_entry(folder, rules, *entry);
    }
    if (error) errors_.push_back("cannot read folder '" + folder.place.shown + "': " + error.message());
    return !error;
  }

  void add_entry(const Folder& folder, const Rules& rules, const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    // Hidden: .git, what editors and archivers leave behind ("._tree.xml").
    if (name[0] == '.') return;
    std::error_code error;
    const bool is_link = entry.is_symlink(error);
    const bool is_folder = entry.is_directory(error);
    if (!is_folder && !has_tree_suffix(name)) return;
    // A pipe or device among the files would block for ever; a link to nowhere is reported when it is opened.
    if (!is_folder && !entry.is_regular_file(error) && !(is_link && !entry.exists(error))) return;
    Place place{join(folder.place.shown, name), join(folder.place.logical, name), join(folder.place.canonical, name),
                join(folder.place.below, name)};
    if (is_ignored(rules.get(), place.logical, is_folder && !is_link)) {
      ++ignored_count_;
      return;
    }
    if (is_link) {
      const fs::path target = fs::canonical(place.logical, error);
      if (!error) place.canonical = target.string();
    }
    if (!is_folder) {
      // Below "..", the current folder may be met again: "../here/tree.xml" is "tree.xml".
      if (place.shown.compare(0, 3, "../") == 0) {
        place.shown = relative_to_current(fs::absolute(place.shown, error).lexically_normal());
      }
      add_file(std::move(place));
    } else {
      (is_link ? linked_ : folders_).push_back({std::move(place), rules});
    }
  }

  bool ignore_files_;
  std::vector<std::string>& errors_;
  std::vector<Place> files_;
  std::vector<Folder> folders_;
  std::vector<Folder> linked_;
  // Of the root at hand:
  std::set<std::string> visited_;  // canonical folders
  std::size_t ignored_count_ = 0;  // files and folders
};

// `path` made absolute and short. A path whose ".." leads out of a link is no longer the same when it is shortened;
// then the path without links is given.
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

bool read_bytes(const std::string& path, std::size_t limit_bytes, std::string& bytes, std::string& error) {
  const bool is_standard_input = path == kStandardInput;
  std::FILE* file = is_standard_input ? stdin : std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    error = std::strerror(errno);
    return false;
  }
  // One byte more than the file is said to have, so that its end is met without growing.
  std::error_code unknown_size;
  const std::uintmax_t size_bytes = is_standard_input ? 0 : fs::file_size(path, unknown_size);
  std::size_t room = unknown_size ? 0 : static_cast<std::size_t>(std::min<std::uintmax_t>(size_bytes, limit_bytes));
  std::size_t used = 0;
  do {
    room = std::min(std::max(room + 1, used * 2), limit_bytes + 1);
    bytes.resize(room);
    used += std::fread(bytes.data() + used, 1, room - used, file);
  } while (used == room && used <= limit_bytes);
  bytes.resize(used);
  const bool has_failed = std::ferror(file) != 0;
  if (has_failed) error = std::strerror(errno);
  if (!is_standard_input) std::fclose(file);
  return !has_failed;
}

std::vector<InputFile> collect(const std::vector<std::string>& paths, bool ignore_files,
                               std::vector<std::string>& errors) {
  Walk walk(ignore_files, errors);
  for (const std::string& path : paths) {
    if (path == kStandardInput) {
      walk.add_file({kStandardInputName, kStandardInput, kStandardInput, kStandardInput});
      continue;
    }
    std::error_code error;
    fs::path canonical = fs::canonical(path, error);
    // What a shell gives for "<(command)" has no place in the file system, and yet can be read.
    std::error_code missing;
    if (error && fs::exists(path, missing)) canonical = fs::absolute(path, error);
    if (error) {
      errors.push_back("cannot read '" + path + "': " + error.message());
      continue;
    }
    const fs::path place = shortened(path, canonical);
    if (fs::is_directory(canonical, error)) {
      walk.add_root({relative_to_current(place), canonical.string(), canonical.string(), ""});
    } else {
      walk.add_file({relative_to_current(place), place.string(), canonical.string(), place.filename().string()});
    }
  }
  std::sort(errors.begin(), errors.end());
  errors.erase(std::unique(errors.begin(), errors.end()), errors.end());
  return walk.take_files();
}

}  // namespace espalier::project
