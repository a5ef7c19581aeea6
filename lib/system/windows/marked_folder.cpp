// A folder whose mark is open and locked. See marked_folder.h.
#include "system/marked_folder.h"

#include <vector>

#include "system/windows/windows.h"

namespace espalier::system {
namespace {

constexpr DWORD kFarAway = 1 << 30;  // behind the text: what is locked cannot be read by others

std::wstring path_in(const std::string& folder, const std::string& name) { return wide_path(folder + '/' + name); }

bool lock(HANDLE file) {
  OVERLAPPED place = {};
  place.Offset = kFarAway;
  return LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) != 0;
}

}  // namespace

struct MarkedFolder::Held {
  std::string path;
  std::string mark;
  Handle file;

  Held(std::string path_of_it, const Mark& mark_of_it, DWORD disposition)
      : path(std::move(path_of_it)),
        mark(mark_of_it.name),
        file(CreateFileW(path_in(path, mark).c_str(), GENERIC_READ | GENERIC_WRITE,
                         FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, disposition,
                         FILE_FLAG_OPEN_REPARSE_POINT, nullptr)) {}
};

MarkedFolder::MarkedFolder() = default;
MarkedFolder::~MarkedFolder() = default;
MarkedFolder::MarkedFolder(MarkedFolder&& other) noexcept = default;
MarkedFolder& MarkedFolder::operator=(MarkedFolder&& other) noexcept = default;

std::error_code MarkedFolder::hold(const std::string& path, const Mark& mark) {
  held_ = std::make_unique<Held>(path, mark, CREATE_NEW);
  if (!held_->file) return last_error();
  static_cast<void>(lock(held_->file.get()));
  DWORD written = 0;
  const auto size = static_cast<DWORD>(mark.text.size());
  if (WriteFile(held_->file.get(), mark.text.data(), size, &written, nullptr) == 0) return last_error();
  return {};
}

bool MarkedFolder::take_left_behind(const std::string& path, const Mark& mark) {
  held_ = std::make_unique<Held>(path, mark, OPEN_EXISTING);
  if (!held_->file || !lock(held_->file.get())) return false;
  std::vector<char> text(mark.text.size() + 1);
  DWORD size_bytes = 0;
  return ReadFile(held_->file.get(), text.data(), static_cast<DWORD>(text.size()), &size_bytes, nullptr) != 0 &&
         std::string_view(text.data(), size_bytes) == mark.text;
}

void MarkedFolder::remove_file(const std::string& name) const { DeleteFileW(path_in(held_->path, name).c_str()); }

void MarkedFolder::remove() {
  held_->file.close();
  remove_file(held_->mark);
  RemoveDirectoryW(wide_path(held_->path).c_str());
}

}  // namespace espalier::system
