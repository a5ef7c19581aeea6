// Baselines. See baseline.h.
#include "project/baseline.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "project/collect.h"
#include "rules/rules.h"
#include "system/filesystem.h"
#include "text/json.h"

namespace espalier::project {
namespace {

namespace fs = system::filesystem;
using Json = nlohmann::ordered_json;

constexpr double kVersion = 2;
// For longer lines only the text around the finding is compared: a file may be one line of many megabytes.
constexpr std::size_t kMaxLineBytes = 240;
constexpr std::size_t kBytesBefore = 80;

// The values by which findings are compared.
struct Accepted {
  std::string file;  // relative to the baseline's folder
  std::string code;
  std::string text;  // of the line, without surrounding white space
  friend bool operator<(const Accepted& a, const Accepted& b) {
    return std::tie(a.file, a.code, a.text) < std::tie(b.file, b.code, b.text);
  }
};

std::string text_at(const text::Sources& sources, text::Span span) {
  const text::Source& source = sources[span.file];
  if (!source.shows_excerpts()) return {};
  const text::Position place = source.position(span.begin);
  std::string_view line = source.line(place.line);
  if (line.size() > kMaxLineBytes) {
    std::size_t begin = std::min<std::size_t>(place.column - 1, line.size());
    begin -= std::min(begin, kBytesBefore);
    // Do not cut inside a character: continuation bytes are 10xxxxxx.
    const auto is_inside = [&](std::size_t at) { return at < line.size() && (line[at] & 0xC0) == 0x80; };
    while (is_inside(begin)) ++begin;
    std::size_t end = std::min(begin + kMaxLineBytes, line.size());
    while (is_inside(end)) --end;
    line = line.substr(begin, end - begin);
  }
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(line.substr(first, line.find_last_not_of(" \t") + 1 - first));
}

// Returns file names relative to the folder of a baseline. Caches them, since a file may have many findings.
class NamesOfFiles {
 public:
  NamesOfFiles(const text::Sources& sources, const std::string& baseline_path) : sources_(sources) {
    std::error_code error;
    folder_ = fs::weakly_canonical(fs::absolute(baseline_path, error).parent_path(), error);
  }

  const std::string& operator[](text::FileId file) {
    const auto [entry, is_new] = names_.try_emplace(file);
    const std::string& path = sources_[file].path();
    if (is_new && path == kStandardInputName) entry->second = path;
    if (is_new && path != kStandardInputName) {
      std::error_code error;
      const fs::path whole = fs::absolute(path, error).lexically_normal();
      const fs::path relative = whole.lexically_relative(folder_);  // empty: they have other roots
      entry->second = (relative.empty() ? whole : relative).generic_string();
    }
    return entry->second;
  }

 private:
  const text::Sources& sources_;
  fs::path folder_;
  std::map<text::FileId, std::string> names_;
};

// The string member `name` of an entry; empty if it is missing.
std::string member(const text::JsonValue& entry, std::string_view name) {
  const text::JsonValue* const value = entry.find(name);
  return value == nullptr ? std::string() : value->string;
}

std::string at(const std::string& path, const text::Sources& sources, text::Span span, const std::string& message) {
  const text::Position place = sources[span.file].position(span.begin);
  return path + ':' + std::to_string(place.line) + ':' + std::to_string(place.column) + ": " + message;
}

// Reads a baseline's entries. False: `error` describes the fault and its place.
bool read_accepted(const std::string& bytes, const std::string& path, std::map<Accepted, std::size_t>& accepted,
                   std::string& error) {
  text::Sources own;
  const text::FileId file = own.add(path, bytes);
  text::JsonFault fault;
  const std::optional<text::JsonValue> root = text::parse_json(own[file].text(), file, fault);
  if (!root) {
    error = at(path, own, fault.span, fault.message);
    return false;
  }
  const text::JsonValue* version = root->find("version");
  const text::JsonValue* findings = root->find("findings");
  if (version == nullptr || findings == nullptr || findings->kind != text::JsonKind::list) {
    error = path + ": not a baseline: a baseline has \"version\": 2 and a list \"findings\"";
    return false;
  }
  if (version->number != kVersion) {
    error = path + ": written by " + (version->number < kVersion ? "an older" : "another") +
            " version of espalier: write it again with 'espalier lint --write-baseline " + path + "'";
    return false;
  }
  for (const text::JsonValue& entry : findings->values) {
    const text::JsonValue* count = entry.find("count");
    const std::vector<rules::Rule> named = rules::find_all(member(entry, "rule"));
    const bool is_whole = entry.find("file") != nullptr && entry.find("text") != nullptr;
    if (!is_whole || named.empty() || (count != nullptr && count->number < 1)) {
      error = at(path, own, entry.span,
                 "a finding of a baseline has a \"file\", a known \"rule\", a \"text\" and a \"count\"");
      return false;
    }
    for (const rules::Rule rule : named) {
      const std::string code(rules::info(rule).code);
      accepted[{member(entry, "file"), code, member(entry, "text")}] +=
          count == nullptr ? 1 : static_cast<std::size_t>(std::min(count->number, 1e9));
    }
  }
  return true;
}

}  // namespace

std::string baseline_of(const Configuration& configuration) {
  if (configuration.baseline.empty()) return {};
  return (system::filesystem::path(configuration.path).parent_path() / configuration.baseline).generic_string();
}

std::string write_baseline(const text::Findings& findings, const text::Sources& sources,
                           const std::string& baseline_path) {
  NamesOfFiles names(sources, baseline_path);
  std::map<Accepted, std::size_t> counts;
  for (const text::Finding& finding : findings.all()) {
    ++counts[{names[finding.span.file], std::string(rules::info(finding.rule).code), text_at(sources, finding.span)}];
  }
  std::string result = "{\"version\":2,\"findings\":[";
  const char* separator = "\n";
  for (const auto& [accepted, count] : counts) {
    const Json entry = {{"file", accepted.file}, {"rule", accepted.code}, {"text", accepted.text}, {"count", count}};
    result += separator + entry.dump(-1, ' ', false, Json::error_handler_t::replace);
    separator = ",\n";
  }
  return result + (counts.empty() ? "]}\n" : "\n]}\n");
}

bool apply_baseline(const std::string& bytes, const std::string& baseline_path, const text::Sources& sources,
                    const std::set<text::FileId>& rest, text::Findings& findings, BaselineResult& result,
                    std::string& error) {
  std::map<Accepted, std::size_t> accepted;
  if (!read_accepted(bytes, baseline_path, accepted, error)) return false;
  NamesOfFiles names(sources, baseline_path);
  auto is_accepted = [&](const text::Finding& finding) {
    const auto entry = accepted.find(
        {names[finding.span.file], std::string(rules::info(finding.rule).code), text_at(sources, finding.span)});
    if (entry == accepted.end() || entry->second == 0) return false;
    --entry->second;
    ++result.accepted;
    return true;
  };
  std::vector<text::Finding>& all = findings.all();
  all.erase(std::remove_if(all.begin(), all.end(), is_accepted), all.end());
  std::set<std::string> not_looked_at;
  for (const text::FileId file : rest) not_looked_at.insert(names[file]);
  for (const auto& [finding, count] : accepted) {
    if (not_looked_at.count(finding.file) == 0) result.stale += static_cast<std::uint32_t>(count);
  }
  return true;
}

}  // namespace espalier::project
