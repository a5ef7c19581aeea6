// A revision of a git checkout. See git_revision.h.
#include "project/git_revision.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <span>

#include "project/collect.h"
#include "project/configuration.h"
#include "project/files.h"
#include "system/file.h"
#include "system/filesystem.h"
#include "system/run_program.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::project {
namespace {

namespace fs = system::filesystem;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string resolved_path(const std::string& path) {
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(path, error), error).generic_string();
}

bool is_in(const std::string& path, const std::string& folder) {
  return path == folder || !path_below(folder, path).empty();
}

using Entry = GitRevision::Entry;

// What trees may be made of, wherever it is.
bool is_needed(const Entry& entry, const std::vector<std::string>& named) {
  constexpr std::string_view kSuffixes[] = {".xml", ".debt", ".json", ".lua", ".espb", ".gitignore"};
  const std::string path = text::lower_case(entry.path);
  const auto is_suffix = [&](std::string_view suffix) { return path.ends_with(suffix); };
  return entry.is_link || std::any_of(std::begin(kSuffixes), std::end(kSuffixes), is_suffix) ||
         std::find(named.begin(), named.end(), entry.path) != named.end();
}

// The paths that strings in a configuration may name.
void add_named(const text::JsonValue& value, const fs::path& folder, std::set<std::string>& named) {
  if (value.kind == text::JsonKind::string) named.insert((folder / value.string).lexically_normal().generic_string());
  for (const text::JsonValue& below : value.values) add_named(below, folder, named);
}

// Of `git ls-tree -r -z`: "MODE TYPE OBJECT\tPATH" with a zero byte after each.
std::vector<Entry> entries_of(std::string_view list) {
  std::vector<Entry> entries;
  while (!list.empty()) {
    const std::string_view line = list.substr(0, list.find('\0'));
    list.remove_prefix(std::min(line.size() + 1, list.size()));
    const std::size_t tab = line.find('\t');
    const std::size_t object = line.rfind(' ', tab);
    if (tab == std::string_view::npos || object == std::string_view::npos) continue;
    const std::string path(line.substr(tab + 1));
    const fs::path parts(path);
    const bool is_plain = parts.is_relative() && std::none_of(parts.begin(), parts.end(), [](const fs::path& part) {
                            return part.empty() || part == "." || part == "..";
                          });
    const bool is_file = line.substr(0, object).ends_with(" blob");
    if (!is_plain || !is_file) continue;
    entries.push_back({std::string(line.substr(object + 1, tab - object - 1)), path, line.starts_with("120000")});
  }
  return entries;
}

// Is a folder between `folder` and `path` a link? A revision may have a name twice, as a link and as a folder, and what
// is written through the link ends up where it leads.
bool is_below_link(const std::string& path, const std::string& folder) {
  std::error_code error;
  for (fs::path above = fs::path(path).parent_path(); above.native().size() > folder.size();
       above = above.parent_path()) {
    if (fs::is_symlink(above, error)) return true;
  }
  return false;
}

bool write_entry(const std::string& path, const Entry& entry, std::string_view bytes) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) return false;
  if (entry.is_link) {
    fs::create_symlink(std::string(bytes), path, error);
    return true;  // what cannot be a link here is found to be missing
  }
  return !system::write_new(path, bytes, system::Access::own);
}

}  // namespace

GitRevision::~GitRevision() {
  std::error_code error;
  if (!folder_.empty()) fs::remove_all(folder_, error);
}

GitRevision::Visit::Visit(const GitRevision& version) : before_(version.current_) {
  std::error_code error;
  fs::current_path(version.inside(version.current_), error);
}

GitRevision::Visit::~Visit() {
  std::error_code error;
  fs::current_path(before_, error);
}

// Drives become folders.
std::string GitRevision::inside(const std::string& absolute_path) const {
  const bool has_drive = !absolute_path.starts_with('/') && absolute_path.find(':') == 1;
  return has_drive ? folder_ + '/' + absolute_path.front() + absolute_path.substr(2) : folder_ + absolute_path;
}

bool GitRevision::fail(std::string message, std::string hint, std::string of_git) {
  fault_ = {std::move(message), std::move(hint), std::move(of_git)};
  return false;
}

// Nothing: git cannot be run.
std::optional<system::ProgramResult> GitRevision::run_git(std::vector<std::string> words, const std::string& input) {
  words.insert(words.begin(), {"git", "--no-optional-locks", "-c", "core.fsmonitor=false"});
  std::string reason;
  auto result =
      system::run_program(words, {"GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"}, input, folder_, &reason);
  if (!result && reason.empty()) fail("--git needs git, which is not installed", "compare two folders instead");
  if (!result && !reason.empty()) fail(std::move(reason));
  return result;
}

bool GitRevision::take(const NamedPaths& named_paths, const std::string& revision) {
  std::error_code error;
  current_ = fs::current_path(error).generic_string();
  const std::string prefix = (fs::temp_directory_path(error) / "espalier-").generic_string();
  std::string name;
  if (error || system::make_own_folder(prefix, &name)) return fail("cannot create a temporary folder");
  folder_ = resolved_path(name);

  const std::string first = named_paths.paths.empty() ? current_ : resolved_path(named_paths.paths.front());
  fs::path from = first;
  while (!fs::is_directory(from, error) && from.has_relative_path()) from = from.parent_path();
  const auto top = run_git({"-C", from.generic_string(), "rev-parse", "--show-toplevel"});
  if (!top) return false;
  if (top->status != 0) {
    const bool is_none = top->errors.find("not a git repository") != std::string::npos;
    const std::string shown = named_paths.paths.empty() ? "the current folder" : text::quote(named_paths.paths.front());
    return is_none ? fail(shown + " is not in a git checkout",
                          "--git compares files of a checkout; compare two folders instead")
                   : fail("git cannot find the checkout", {}, top->errors);
  }
  checkout_ = resolved_path(first_line(top->output));
  const auto commit =
      run_git({"-C", checkout_, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (!commit) return false;
  if (commit->status != 0) {
    return fail("unknown revision " + text::quote(revision), "a branch, a tag or a commit of this checkout");
  }
  std::vector<std::string> named;
  if (!named_paths.configuration.empty()) {
    named.push_back(path_below(checkout_, resolved_path(named_paths.configuration)));
  }
  for (const std::string& path : named_paths.paths) {
    if (path == "-") return fail("standard input has no revisions", "name files or folders");
    const std::string absolute = resolved_path(path);
    if (!is_in(absolute, checkout_)) {
      return fail(text::quote(path) + " is not in the git checkout " + text::quote(shown_path(checkout_)));
    }
    named.push_back(path_below(checkout_, absolute));
  }
  return write_files(first_line(commit->output), named) && name_paths(named_paths, revision);
}

bool GitRevision::write_files(const std::string& revision, const std::vector<std::string>& named) {
  const auto list = run_git({"-C", checkout_, "ls-tree", "-r", "-z", "--full-tree", revision});
  if (!list) return false;
  if (list->status != 0) return fail("git cannot list the files", {}, list->errors);
  std::error_code error;
  fs::create_directories(inside(checkout_ + "/.git"), error);  // .gitignore files above a path count in a checkout
  fs::create_directories(inside(current_), error);
  std::vector<Entry> entries = entries_of(list->output);
  const auto others = std::stable_partition(entries.begin(), entries.end(),
                                            [&](const Entry& entry) { return is_needed(entry, named); });
  const auto named_count = static_cast<std::size_t>(others - entries.begin());
  if (!write_entries(std::span(entries).first(named_count))) return false;
  std::set<std::string> configured;
  for (auto entry = entries.begin(); entry != others; ++entry) add_configured(*entry, named, configured);
  const auto rest = std::stable_partition(others, entries.end(),
                                          [&](const Entry& entry) { return configured.count(entry.path) != 0; });
  return write_entries(std::span(entries).subspan(named_count, static_cast<std::size_t>(rest - others)));
}

// What a configuration names may have any suffix.
void GitRevision::add_configured(const Entry& entry, const std::vector<std::string>& named,
                                 std::set<std::string>& configured) const {
  const fs::path path(entry.path);
  const bool is_named = std::find(named.begin(), named.end(), entry.path) != named.end();
  if (path.filename() != kConfigurationName && !is_named) return;
  std::string bytes;
  std::string error;
  text::JsonFault fault;
  if (!read_bytes(inside(checkout_ + '/' + entry.path), system::kMaxOutputBytes, bytes, error)) return;
  const std::optional<text::JsonValue> value = text::parse_json(bytes, {}, fault);
  if (value) add_named(*value, path.parent_path(), configured);
}

bool GitRevision::write_entries(std::span<const Entry> entries) {
  std::string objects;
  for (const Entry& entry : entries) objects += entry.object + '\n';
  const auto contents = run_git({"-C", checkout_, "cat-file", "--batch"}, objects);
  if (!contents) return false;
  if (contents->status != 0) return fail("git cannot read the files", {}, contents->errors);
  // "OBJECT blob SIZE\n", the bytes, and "\n"; the last "\n" may be missing.
  std::string_view rest = contents->output;
  for (const Entry& entry : entries) {
    const std::string_view head = rest.substr(0, rest.find('\n'));
    const std::size_t size_bytes =
        static_cast<std::size_t>(std::strtoull(std::string(head.substr(head.rfind(' ') + 1)).c_str(), nullptr, 10));
    if (head.find(" blob ") == std::string_view::npos || rest.size() < head.size() + 1 + size_bytes) {
      return fail("git has no content of " + text::quote(entry.path) + " at this revision",
                  "it may have to be fetched first");
    }
    const std::string_view bytes = rest.substr(head.size() + 1, size_bytes);
    rest.remove_prefix(std::min(rest.size(), head.size() + 1 + size_bytes + 1));
    const std::string path = inside(checkout_ + '/' + entry.path);
    if (is_below_link(path, folder_)) {
      return fail("the revision has a link and a folder of one name, above " + text::quote(entry.path));
    }
    if (!write_entry(path, entry, bytes)) {
      return fail("cannot write " + text::quote(entry.path) + " to a temporary folder");
    }
  }
  return true;
}

// Relative paths stay as they are; absolute ones, and a configuration that is outside of the checkout, do not.
bool GitRevision::name_paths(const NamedPaths& named_paths, const std::string& revision) {
  paths_ = named_paths;
  std::error_code error;
  for (std::string& path : paths_.paths) {
    const std::string old = inside(resolved_path(path));
    if (!fs::exists(old, error) && !fs::exists(path, error))
      return fail(text::quote(path) + " does not exist, nor did it at " + text::quote(revision));
    if (fs::path(path).is_absolute()) path = old;
  }
  const std::string first = named_paths.paths.empty() ? current_ : named_paths.paths.front();
  std::string configuration = named_paths.configuration;
  if (configuration.empty()) configuration = nearest_configuration(first);
  if (configuration.empty()) return true;
  const std::string absolute = resolved_path(configuration);
  if (!is_in(absolute, checkout_)) paths_.configuration = absolute;
  if (is_in(absolute, checkout_) && fs::path(paths_.configuration).is_absolute()) {
    paths_.configuration = inside(absolute);
  }
  return true;
}

}  // namespace espalier::project
