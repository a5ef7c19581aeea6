// Waits for changes of files. See changes.h.
#include "system/changes.h"

#include <poll.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string_view>
#include <system_error>

#include "project/collect.h"
#include "text/system_error.h"

namespace espalier::system {
namespace {

namespace fs = std::filesystem;

constexpr int kSettle_ms = 20;   // editors write a file in several steps
constexpr int kMaxSettles = 25;  // something may be written to all the time
constexpr int kLook_ms = 100;    // without a notifier
constexpr std::size_t kMaxFolders = 10'000;

bool is_hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.size() > 1 && name.front() == '.' && name != "..";
}

// May a file of this name be one that is read?
bool is_input_name(const fs::path& path) {
  static constexpr std::string_view kSuffixes[] = {".xml", ".debt", ".json", ".jsonl", ".lua", ".espb", ".btproj"};
  static constexpr std::string_view kNames[] = {".gitignore", "CMakeLists.txt"};
  const std::string suffix = path.extension().string();
  const bool is_known = std::find(std::begin(kSuffixes), std::end(kSuffixes), suffix) != std::end(kSuffixes);
  const bool is_named = std::find(std::begin(kNames), std::end(kNames), path.filename().string()) != std::end(kNames);
  return is_named || (is_known && !is_hidden(path));
}

std::string folder_of_file(const std::string& file) {
  const std::string folder = fs::path(file).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

Changes::Changes(std::vector<std::string> roots) : roots_(std::move(roots)) {
#ifdef __linux__
  notifier_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
#endif
  find_folders();
  last_ = stamps();
}

Changes::~Changes() {
  if (notifier_ != -1) ::close(notifier_);
}

// Asks to be told of changes in a folder.
void Changes::notify_of(const std::string& folder) {
#ifdef __linux__
  if (notifier_ == -1) return;
  constexpr std::uint32_t kEvents =
      IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB;
  std::error_code error;
  if (inotify_add_watch(notifier_, folder.c_str(), kEvents) != -1 || !fs::exists(folder, error)) return;
  ::close(notifier_);  // there are too many folders: the files are looked at
  notifier_ = -1;
#else
  static_cast<void>(folder);
#endif
}

void Changes::find_folders() {
  folders_.clear();
  const auto add = [this](const std::string& folder) {
    if (folders_.size() < kMaxFolders) folders_.insert(folder);
  };
  for (const std::string& root : roots_) {
    std::error_code error;
    if (!fs::is_directory(root, error)) {
      add(folder_of_file(root));
      continue;
    }
    add(root);
    for (auto i = fs::recursive_directory_iterator(root, error); !error && i != fs::end(i); i.increment(error)) {
      std::error_code unknown;
      if (!i->is_directory(unknown)) continue;
      if (is_hidden(i->path())) {
        i.disable_recursion_pending();
      } else {
        add(i->path().string());
      }
    }
  }
  for (const std::string& folder : folders_) notify_of(folder);
  for (const std::string& file : files_) notify_of(folder_of_file(file));
}

void Changes::add_stamp(const fs::path& path, Stamps& stamps) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(path, error);
  if (error || fs::is_directory(path, error)) return;
  const std::uintmax_t size_bytes = fs::file_size(path, error);
  stamps.insert({project::shown_path(path.string()), {time, error ? 0 : size_bytes}});
}

Changes::Stamps Changes::stamps() const {
  Stamps result;
  for (const std::string& folder : folders_) {
    std::error_code error;
    for (auto i = fs::directory_iterator(folder, error); !error && i != fs::end(i); i.increment(error)) {
      if (is_input_name(i->path())) add_stamp(i->path(), result);
    }
  }
  for (const std::string& file : files_) add_stamp(file, result);
  return result;
}

void Changes::follow(const std::set<std::string>& files) {
  for (const std::string& file : files) {
    if (!files_.insert(file).second) continue;
    notify_of(folder_of_file(file));
    add_stamp(file, last_);
  }
}

std::vector<std::string> Changes::take_changes() {
  find_folders();
  Stamps now = stamps();
  std::vector<std::string> changed;
  for (const auto& [path, stamp] : now) {
    const auto before = last_.find(path);
    if (before == last_.end() || !(before->second == stamp)) changed.push_back(path);
  }
  for (const auto& [path, stamp] : last_) {
    if (now.count(path) == 0) changed.push_back(path);
  }
  last_ = std::move(now);
  return changed;
}

bool Changes::sleep(std::string* reason) {
  int wait_ms = notifier_ == -1 ? kLook_ms : -1;
  for (int settles = 0; settles < kMaxSettles;) {
    pollfd waited[] = {{STDOUT_FILENO, 0, 0}, {notifier_, POLLIN, 0}};
    const int count = poll(waited, 2, wait_ms);
    if (count > 0 && (waited[0].revents & (POLLERR | POLLNVAL)) != 0) return false;
    if (count == 0) return true;
    if (count < 0 && errno != EINTR) {
      *reason = text::system_reason(errno);
      return false;
    }
    if (count < 0 || (waited[1].revents & POLLIN) == 0) continue;
    char events[4096];
    while (::read(notifier_, events, sizeof events) > 0) {
    }
    wait_ms = kSettle_ms;
    ++settles;
  }
  return true;
}

std::vector<std::string> Changes::wait(std::string* reason) {
  for (;;) {
    std::vector<std::string> changed = take_changes();
    if (!changed.empty() || !sleep(reason)) return changed;
  }
}

}  // namespace espalier::system
