// Kept findings: JSON as CBOR, after the hash of its bytes. See findings_cache.h.
#include "project/findings_cache.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "project/files.h"
#include "rules/rules.h"

namespace espalier::project {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kEnding = ".findings";
constexpr const char* kUnfinished = ".unfinished-";
constexpr std::size_t kHashDigits = 32;

// ---- Findings as JSON: lists, in the order of the members ----------------------------------------------------------

Json json_of(text::Span span) { return {span.file, span.begin, span.end}; }

Json json_of(const text::Fix& fix) {
  Json edits = Json::array();
  for (const text::Edit& edit : fix.edits) edits.push_back({json_of(edit.span), edit.replacement});
  return {fix.title, static_cast<unsigned>(fix.grade), std::move(edits)};
}

Json json_of(const text::Witness& witness) {
  return {witness.shows, witness.trace,  witness.tree,  witness.agent_count,
          witness.seed,  witness.events, witness.expect};
}

Json json_of(const text::Finding& finding) {
  Json related = Json::array();
  for (const text::Related& each : finding.related) related.push_back({json_of(each.span), each.message});
  Json fixes = Json::array();
  for (const text::Fix& fix : finding.fixes) fixes.push_back(json_of(fix));
  return {static_cast<unsigned>(finding.rule),
          static_cast<unsigned>(finding.severity),
          json_of(finding.span),
          finding.message,
          finding.hint,
          std::move(related),
          std::move(fixes),
          finding.witness ? json_of(*finding.witness) : Json()};
}

// Throws what nlohmann/json throws when the value has another shape.
struct FindingReader {
  std::uint32_t file_count;
  bool is_sound = true;

  text::Span span(const Json& json) {
    const text::Span span{json.at(0), json.at(1), json.at(2)};
    is_sound = is_sound && span.file < file_count && span.begin <= span.end;
    return span;
  }

  template <typename Enumeration>
  Enumeration word(const Json& json, Enumeration last) {
    const unsigned value = json;
    is_sound = is_sound && value <= static_cast<unsigned>(last);
    return static_cast<Enumeration>(value);
  }

  text::Fix fix(const Json& json) {
    text::Fix fix{json.at(0), word(json.at(1), text::FixGrade::unsafe), {}};
    for (const Json& edit : json.at(2)) fix.edits.push_back({span(edit.at(0)), edit.at(1)});
    return fix;
  }

  static text::Witness witness(const Json& json) {
    using Texts = std::vector<std::string>;
    return {json.at(0), json.at(1).get<Texts>(), json.at(2), json.at(3),
            json.at(4), json.at(5).get<Texts>(), json.at(6)};
  }

  text::Finding finding(const Json& json) {
    const auto rule = json.at(0).get<std::uint32_t>();
    is_sound = is_sound && rules::is_rule(rule);
    text::Finding finding{static_cast<text::Rule>(rule), word(json.at(1), text::Severity::note), span(json.at(2)),
                          json.at(3), json.at(4)};
    for (const Json& each : json.at(5)) finding.related.push_back({span(each.at(0)), each.at(1)});
    for (const Json& each : json.at(6)) finding.fixes.push_back(fix(each));
    if (!json.at(7).is_null()) finding.witness = witness(json.at(7));
    return finding;
  }
};

std::string bytes_of(const std::vector<text::Finding>& findings) {
  Json all = Json::array();
  for (const text::Finding& finding : findings) all.push_back(json_of(finding));
  std::string bytes;
  Json::to_cbor(all, bytes);
  return text_of(content_hash(bytes)) + bytes;
}

std::optional<std::vector<text::Finding>> findings_of(std::string_view bytes, std::uint32_t file_count) {
  if (bytes.size() < kHashDigits) return {};
  const std::string_view json = bytes.substr(kHashDigits);
  if (text_of(content_hash(json)) != bytes.substr(0, kHashDigits)) return {};
  std::vector<text::Finding> findings;
  FindingReader reader{file_count};
  try {
    for (const Json& each : Json::from_cbor(json)) findings.push_back(reader.finding(each));
  } catch (const Json::exception&) {
    return {};
  }
  if (!reader.is_sound) return {};
  return findings;
}

// ---- Files ---------------------------------------------------------------------------------------------------------

struct CachedFile {
  fs::path path;
  fs::file_time_type used;
  std::uintmax_t size_bytes = 0;
};

// The files of finished runs. Removes what killed runs have left.
std::vector<CachedFile> files_in(const fs::path& folder) {
  constexpr auto kLongestWrite = std::chrono::hours(1);
  std::vector<CachedFile> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;  // another run may have removed it
    const CachedFile file{it->path(), it->last_write_time(gone), it->file_size(gone)};
    if (gone) continue;
    if (file.path.extension() == kEnding) files.push_back(file);
    const bool is_unfinished = file.path.filename().string().rfind(kUnfinished, 0) == 0;
    if (is_unfinished && fs::file_time_type::clock::now() - file.used > kLongestWrite) fs::remove(file.path, gone);
  }
  return files;
}

void remove_least_used(const fs::path& folder) {
  std::vector<CachedFile> files = files_in(folder);
  std::sort(files.begin(), files.end(), [](const CachedFile& a, const CachedFile& b) { return a.used > b.used; });
  std::uintmax_t size_bytes = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    size_bytes += files[i].size_bytes;
    std::error_code error;
    if (i >= kMaxCachedRuns || size_bytes > kMaxCachedBytes) fs::remove(files[i].path, error);
  }
}

std::string path_of(const std::string& folder, const ContentHash& run) {
  return (fs::path(folder) / (text_of(run) + kEnding)).string();
}

}  // namespace

std::optional<std::vector<text::Finding>> FindingsCache::find(const ContentHash& run, std::uint32_t file_count) const {
  const std::string path = path_of(folder_, run);
  std::string bytes;
  std::string reason;
  if (!read_bytes(path, kMaxCachedBytes, bytes, reason)) return {};
  std::optional<std::vector<text::Finding>> findings = findings_of(bytes, file_count);
  std::error_code error;
  if (findings) fs::last_write_time(path, fs::file_time_type::clock::now(), error);
  return findings;
}

void FindingsCache::keep(const ContentHash& run, const std::vector<text::Finding>& findings) const {
  const std::string bytes = bytes_of(findings);
  if (bytes.size() > kMaxCachedBytes) return;
  std::error_code error;
  if (fs::create_directories(folder_, error)) fs::permissions(folder_, fs::perms::owner_all, error);
  std::string unfinished = (fs::path(folder_) / (std::string(kUnfinished) + "XXXXXX")).string();
  const int descriptor = ::mkstemp(unfinished.data());
  if (descriptor < 0) return;
  const bool is_written = write_all(descriptor, bytes);
  const bool is_closed = ::close(descriptor) == 0;
  if (is_written && is_closed) fs::rename(unfinished, path_of(folder_, run), error);
  if (!is_written || !is_closed || error) fs::remove(unfinished, error);
  remove_least_used(folder_);
}

}  // namespace espalier::project
