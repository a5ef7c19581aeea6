// Kept facts as bytes, after the hash of these. See kept_facts.h.
#include "project/incremental/kept_facts.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

#include "project/files.h"
#include "project/incremental/bytes.h"
#include "project/incremental/facts_bytes.h"
#include "rules/rules.h"
#include "system/file.h"
#include "system/filesystem.h"

namespace espalier::project {

template <typename Io>
void fields(Io& io, lint::SentEvents& events) {
  io(events.by_hosts, events.sent, events.queued);
}

template <typename Io>
void fields(Io& io, TreesElsewhere& trees) {
  io(trees.lacks_some, trees.ticking_count, trees.sent);
}

template <typename Io>
void fields(Io& io, KeptPart& part) {
  io(part.identity, part.circumstances, part.age, part.trees, part.tree_names, part.shown, part.findings);
}

template <typename Io>
void fields(Io& io, KeptWitnesses& kept) {
  io(kept.identity, kept.age, kept.witnesses);
}

namespace {

namespace fs = system::filesystem;

constexpr const char* kEnding = ".facts";
constexpr const char* kOldEnding = ".findings";  // of versions that kept whole runs
constexpr const char* kUnfinished = ".unfinished-";
constexpr std::size_t kHashDigits = 32;

// ---- What bytes must not say, whoever has written them --------------------------------------------------------------

struct FindingsCheck {
  std::size_t file_count;
  bool is_sound = true;

  void span(text::Span span) { is_sound = is_sound && span.file < file_count && span.begin <= span.end; }

  template <typename Enumeration>
  void word(Enumeration value, Enumeration last) {
    is_sound = is_sound && value <= last;
  }

  void finding(const text::Finding& finding) {
    is_sound = is_sound && rules::is_rule(static_cast<std::uint32_t>(finding.rule));
    word(finding.severity, text::Severity::note);
    span(finding.span);
    for (const text::Related& related : finding.related) span(related.span);
    for (const text::Fix& fix : finding.fixes) {
      word(fix.grade, text::FixGrade::unsafe);
      for (const text::Edit& edit : fix.edits) span(edit.span);
      if (!fix.guess) continue;
      word(fix.guess->of, text::Guess::Of::tag);
      if (fix.guess->declared != text::Span()) span(fix.guess->declared);
    }
    if (!finding.claim) return;
    for (const text::Claim::At& at : finding.claim->nodes) {
      word(at.happens, text::Happens::runs_away);
      span(at.node);
    }
  }
};

bool is_sound(const KeptPart& part) {
  FindingsCheck check{part.shown.size()};
  for (const text::Finding& finding : part.findings) check.finding(finding);
  return check.is_sound;
}

// ---- Files ---------------------------------------------------------------------------------------------------------

struct KeptFile {
  fs::path path;
  fs::file_time_type used;
  std::uintmax_t size_bytes = 0;
};

// Removes what killed runs have left.
std::vector<KeptFile> files_in(const fs::path& folder) {
  constexpr auto kLongestWrite = std::chrono::hours(1);
  std::vector<KeptFile> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;  // another run may have removed it
    const KeptFile file{it->path(), it->last_write_time(gone), it->file_size(gone)};
    if (gone) continue;
    const fs::path ending = file.path.extension();
    if (ending == kEnding || ending == kOldEnding) files.push_back(file);
    const bool is_unfinished = file.path.filename().generic_string().rfind(kUnfinished, 0) == 0;
    if (is_unfinished && fs::file_time_type::clock::now() - file.used > kLongestWrite) fs::remove(file.path, gone);
  }
  return files;
}

void remove_least_used(const fs::path& folder) {
  std::vector<KeptFile> files = files_in(folder);
  std::sort(files.begin(), files.end(), [](const KeptFile& a, const KeptFile& b) { return a.used > b.used; });
  std::uintmax_t size_bytes = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    size_bytes += files[i].size_bytes;
    std::error_code error;
    if (i >= kMaxKeptProjects || size_bytes > kMaxKeptBytes) fs::remove(files[i].path, error);
  }
}

}  // namespace

std::string bytes_of(const Kept& kept) {
  std::vector<std::shared_ptr<const FileFacts>> files;
  for (const auto& [path, facts] : kept.files) files.push_back(facts);
  ByteWriter body;
  body.write(files);
  body.write(kept.parts);
  body.write(kept.witnesses);
  return text_of(content_hash(body.bytes)) + body.bytes;
}

std::shared_ptr<const Kept> kept_of(std::string_view bytes) {
  if (bytes.size() < kHashDigits) return nullptr;
  const std::string_view body = bytes.substr(kHashDigits);
  if (text_of(content_hash(body)) != bytes.substr(0, kHashDigits)) return nullptr;
  std::vector<std::shared_ptr<const FileFacts>> files;
  auto kept = std::make_shared<Kept>();
  ByteReader reader(body);
  reader(files, kept->parts, kept->witnesses);
  if (!reader.is_sound() || !reader.is_at_end()) return nullptr;
  for (std::shared_ptr<const FileFacts>& facts : files) {
    if (facts == nullptr) return nullptr;
    const std::string_view path = facts->path;
    kept->files.emplace(path, std::move(facts));
  }
  const auto is_bad = [](const auto& part) { return part == nullptr || !is_sound(*part); };
  return std::any_of(kept->parts.begin(), kept->parts.end(), is_bad) ? nullptr : kept;
}

std::string KeptFacts::path_of(const ContentHash& key) const {
  return (fs::path(folder_) / (text_of(content_hash(program_ + text_of(key))) + kEnding)).generic_string();
}

std::shared_ptr<const Kept> KeptFacts::find(const ContentHash& key) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = in_memory_.find(key); found != in_memory_.end()) return found->second;
  }
  if (folder_.empty()) return nullptr;
  std::string bytes;
  std::string reason;
  if (!read_bytes(path_of(key), kMaxKeptBytes, bytes, reason)) return nullptr;
  return kept_of(bytes);
}

void KeptFacts::touch(const ContentHash& key) const {
  std::error_code error;
  if (!folder_.empty()) fs::last_write_time(path_of(key), fs::file_time_type::clock::now(), error);
}

void KeptFacts::keep(const ContentHash& key, std::shared_ptr<const Kept> kept) {
  {
    constexpr std::size_t kMostInMemory = 8;
    const std::lock_guard lock(mutex_);
    if (in_memory_.size() >= kMostInMemory) in_memory_.clear();
    in_memory_[key] = kept;
  }
  if (folder_.empty()) return;
  const std::string bytes = bytes_of(*kept);
  if (bytes.size() > kMaxKeptBytes) return;
  std::error_code error;
  if (fs::create_directories(folder_, error)) fs::permissions(folder_, fs::perms::owner_all, error);
  static_cast<void>(system::replace_whole(path_of(key), bytes, (fs::path(folder_) / kUnfinished).generic_string()));
  remove_least_used(folder_);
}

}  // namespace espalier::project
