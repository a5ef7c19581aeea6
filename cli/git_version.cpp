// A revision of a git checkout. See git_version.h.
#include "cli/git_version.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>

#include "project/collect.h"
#include "project/configuration.h"
#include "project/files.h"
#include "text/json.h"
#include "text/names.h"
#include "text/system_error.h"
#include "text/visible.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): no header of POSIX declares it

namespace espalier::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxOutputBytes = std::size_t{1} << 30;

struct GitResult {
  int status = 0;
  std::string output;
  std::string errors;  // all of it: git's words often name the remedy in a later line
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Runs git with files in `folder` for what it reads and writes. Nothing: it cannot be run, and the reason is on
// standard error.
std::optional<GitResult> run_git(const std::string& folder, std::vector<std::string> words,
                                 const std::string& input = {}) {
  const std::string in = folder + "/in";
  const std::string out = folder + "/out";
  const std::string errors = folder + "/errors";
  std::string reason;
  if (!write_file(in, input, {}, &reason)) {
    static_cast<void>(fail(reason));
    return std::nullopt;
  }
  words.insert(words.begin(), {"git", "--no-optional-locks", "-c", "core.fsmonitor=false"});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::vector<std::string> variables = {"GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"};
  std::vector<char*> environment;
  environment.reserve(variables.size());
  for (std::string& variable : variables) environment.push_back(variable.data());
  for (char** variable = environ; *variable != nullptr; ++variable) environment.push_back(*variable);
  environment.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t process = 0;
  const int error = posix_spawnp(&process, "git", &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    static_cast<void>(error == ENOENT ? fail("--git needs git, which is not installed", "compare two folders instead")
                                      : fail("cannot run git: " + text::system_reason(error)));
    return std::nullopt;
  }
  int status = 0;
  while (waitpid(process, &status, 0) == -1 && errno == EINTR) {
  }
  GitResult result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (!project::read_bytes(out, kMaxOutputBytes, result.output, reason) ||
      !project::read_bytes(errors, kMaxOutputBytes, result.errors, reason)) {
    static_cast<void>(fail("cannot read what git writes: " + reason));
    return std::nullopt;
  }
  return result;
}

// With git's own words below, a line each.
int fail_with(const std::string& message, const GitResult& git) {
  const int status = fail(message);
  std::istringstream lines(git.errors);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) std::cerr << "  git: " << text::visible(line) << '\n';
  }
  return status;
}

std::string without_links(const std::string& path) {
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(path, error), error).string();
}

bool is_in(const std::string& path, const std::string& folder) {
  return path == folder || !project::path_below(folder, path).empty();
}

using Entry = GitVersion::Entry;

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
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor == -1) return false;
  const bool is_written = project::write_all(descriptor, bytes);
  ::close(descriptor);
  return is_written;
}

}  // namespace

GitVersion::~GitVersion() {
  std::error_code error;
  if (!folder_.empty()) fs::remove_all(folder_, error);
}

GitVersion::Visit::Visit(const GitVersion& version) : before_(version.current_) {
  std::error_code error;
  fs::current_path(version.inside(version.current_), error);
}

GitVersion::Visit::~Visit() {
  std::error_code error;
  fs::current_path(before_, error);
}

int GitVersion::take(const CommonOptions& options, const std::string& revision) {
  std::error_code error;
  current_ = fs::current_path(error).string();
  std::string name = (fs::temp_directory_path(error) / "espalier-XXXXXX").string();
  if (error || mkdtemp(name.data()) == nullptr) return fail("cannot create a temporary folder");
  folder_ = without_links(name);

  const std::string first = options.paths.empty() ? current_ : without_links(options.paths.front());
  const std::string from = fs::is_directory(first, error) ? first : fs::path(first).parent_path().string();
  const auto top = run_git(folder_, {"-C", from, "rev-parse", "--show-toplevel"});
  if (!top) return kFailed;
  if (top->status != 0) {
    const bool is_none = top->errors.find("not a git repository") != std::string::npos;
    const std::string shown = options.paths.empty() ? "the current folder" : text::quote(options.paths.front());
    return is_none ? fail(shown + " is not in a git checkout",
                          "--git compares files of a checkout; compare two folders instead")
                   : fail_with("git cannot find the checkout", *top);
  }
  checkout_ = without_links(first_line(top->output));
  const auto commit = run_git(
      folder_, {"-C", checkout_, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (!commit) return kFailed;
  if (commit->status != 0) {
    return fail("unknown revision " + text::quote(revision), "a branch, a tag or a commit of this checkout");
  }
  std::vector<std::string> named;
  if (!options.configuration.empty()) {
    named.push_back(project::path_below(checkout_, without_links(options.configuration)));
  }
  for (const std::string& path : options.paths) {
    if (path == "-") return fail("standard input has no revisions", "name files or folders");
    const std::string absolute = without_links(path);
    if (!is_in(absolute, checkout_)) {
      return fail(text::quote(path) + " is not in the git checkout " + text::quote(project::shown_path(checkout_)));
    }
    named.push_back(project::path_below(checkout_, absolute));
  }
  if (const int status = write_files(first_line(commit->output), named); status != kOk) return status;
  return name_paths(options, revision);
}

int GitVersion::write_files(const std::string& revision, const std::vector<std::string>& named) {
  const auto list = run_git(folder_, {"-C", checkout_, "ls-tree", "-r", "-z", "--full-tree", revision});
  if (!list) return kFailed;
  if (list->status != 0) return fail_with("git cannot list the files", *list);
  std::error_code error;
  fs::create_directories(inside(checkout_ + "/.git"), error);  // .gitignore files above a path count in a checkout
  fs::create_directories(inside(current_), error);
  std::vector<Entry> entries = entries_of(list->output);
  const auto others = std::stable_partition(entries.begin(), entries.end(),
                                            [&](const Entry& entry) { return is_needed(entry, named); });
  const auto named_count = static_cast<std::size_t>(others - entries.begin());
  if (const int status = write_entries(std::span(entries).first(named_count)); status != kOk) return status;
  std::set<std::string> configured;
  for (auto entry = entries.begin(); entry != others; ++entry) add_configured(*entry, named, configured);
  const auto rest = std::stable_partition(others, entries.end(),
                                          [&](const Entry& entry) { return configured.count(entry.path) != 0; });
  return write_entries(std::span(entries).subspan(named_count, static_cast<std::size_t>(rest - others)));
}

// What a configuration names may have any suffix.
void GitVersion::add_configured(const Entry& entry, const std::vector<std::string>& named,
                                std::set<std::string>& configured) const {
  const fs::path path(entry.path);
  const bool is_named = std::find(named.begin(), named.end(), entry.path) != named.end();
  if (path.filename() != project::kConfigurationName && !is_named) return;
  std::string bytes;
  std::string error;
  text::JsonFault fault;
  if (!project::read_bytes(inside(checkout_ + '/' + entry.path), kMaxOutputBytes, bytes, error)) return;
  const std::optional<text::JsonValue> value = text::parse_json(bytes, {}, fault);
  if (value) add_named(*value, path.parent_path(), configured);
}

int GitVersion::write_entries(std::span<const Entry> entries) {
  std::string objects;
  for (const Entry& entry : entries) objects += entry.object + '\n';
  const auto contents = run_git(folder_, {"-C", checkout_, "cat-file", "--batch"}, objects);
  if (!contents) return kFailed;
  if (contents->status != 0) return fail_with("git cannot read the files", *contents);
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
  return kOk;
}

// Relative paths stay as they are; absolute ones, and a configuration that is outside of the checkout, do not.
int GitVersion::name_paths(const CommonOptions& options, const std::string& revision) {
  options_ = options;
  std::error_code error;
  for (std::string& path : options_.paths) {
    const std::string old = inside(without_links(path));
    if (!fs::exists(old, error)) return fail(text::quote(path) + " does not exist at " + text::quote(revision));
    if (fs::path(path).is_absolute()) path = old;
  }
  const std::string first = options.paths.empty() ? current_ : options.paths.front();
  std::string configuration = options.configuration;
  if (configuration.empty()) configuration = project::nearest_configuration(first);
  if (configuration.empty()) return kOk;
  const std::string absolute = without_links(configuration);
  if (!is_in(absolute, checkout_)) options_.configuration = absolute;
  if (is_in(absolute, checkout_) && fs::path(options_.configuration).is_absolute()) {
    options_.configuration = inside(absolute);
  }
  return kOk;
}

}  // namespace espalier::cli
