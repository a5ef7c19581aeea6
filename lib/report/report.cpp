// Selects the findings to list, and the format. See findings.h.
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "report/listing.h"
#include "report/output_form.h"

namespace espalier::report {
namespace {

constexpr std::size_t kShownRepeats = 5;  // findings with the same message

// One for each Format.
struct FormatRow {
  std::string_view name;
  void (*write)(const Listing& listing, std::string& out);
  OutputForm form;
  bool shows_witnesses;
};
constexpr FormatRow kFormats[] = {
#define FORMAT(name, form, shows_witnesses, what) {#name, write_##name, OutputForm::form, shows_witnesses},
#include "report/formats.def"
};

using Words = std::tuple<text::Rule, std::string_view>;

std::vector<ListedFinding> all_of(const text::Findings& findings) {
  std::vector<ListedFinding> listed;
  listed.reserve(findings.all().size());
  for (const text::Finding& finding : findings.all()) listed.push_back({&finding});
  return listed;
}

// Lists the first few with the same message; the last of them counts the rest.
std::vector<ListedFinding> without_repeated(const text::Findings& findings) {
  struct Group {
    std::size_t count = 0;
    std::size_t last = 0;  // index of the last listed one
    std::set<text::FileId> files_of_rest;
  };
  std::map<Words, Group> groups;
  std::vector<ListedFinding> listed;
  for (const text::Finding& finding : findings.all()) {
    Group& group = groups[{finding.rule, finding.message}];
    if (++group.count > kShownRepeats) {
      group.files_of_rest.insert(finding.span.file);
      continue;
    }
    group.last = listed.size();
    listed.push_back({&finding});
  }
  for (const auto& [words, group] : groups) {
    if (group.count > kShownRepeats) {
      listed[group.last].not_listed = {group.count - kShownRepeats, group.files_of_rest.size()};
    }
  }
  return listed;
}

// Keeps the `limit` most severe ones, in order. Returns the number of omitted findings, including those counted by
// omitted ones.
std::size_t keep_most_severe(std::vector<ListedFinding>& listed, std::uint64_t limit) {
  if (listed.size() <= limit) return 0;
  std::array<std::uint64_t, 3> room{};  // by severity, most severe first
  for (const ListedFinding& one : listed) ++room[static_cast<std::size_t>(one.finding->severity)];
  std::uint64_t left = limit;
  for (std::uint64_t& count : room) left -= count = std::min(count, left);
  std::size_t left_out = 0;
  std::erase_if(listed, [&](const ListedFinding& one) {
    std::uint64_t& count = room[static_cast<std::size_t>(one.finding->severity)];
    if (count > 0) {
      --count;
      return false;
    }
    left_out += 1 + one.not_listed.findings;
    return true;
  });
  return left_out;
}

std::vector<RuleCount> statistics_of(const text::Findings& findings) {
  std::map<text::Rule, std::size_t> counts;
  for (const text::Finding& finding : findings.all()) ++counts[finding.rule];
  std::vector<RuleCount> result;
  result.reserve(counts.size());
  for (const auto& [rule, count] : counts) result.push_back({rule, count});
  std::stable_sort(result.begin(), result.end(),
                   [](const RuleCount& a, const RuleCount& b) { return a.count > b.count; });
  return result;
}

}  // namespace

Summary summarize(const text::Findings& findings, std::uint32_t file_count) {
  std::array<std::uint32_t, 3> counts{};
  Summary summary;
  for (const text::Finding& finding : findings.all()) {
    ++counts[static_cast<std::size_t>(finding.severity)];
    const bool is_safe = std::any_of(finding.fixes.begin(), finding.fixes.end(),
                                     [](const text::Fix& fix) { return fix.grade == text::FixGrade::safe; });
    if (!finding.fixes.empty()) ++(is_safe ? summary.fixable : summary.unsafely_fixable);
  }
  summary.files = file_count;
  summary.errors = counts[0];
  summary.warnings = counts[1];
  summary.notes = counts[2];
  return summary;
}

std::string counted(std::size_t count, std::string_view what) {
  return std::to_string(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
}

std::string summary_line(const Summary& summary) {
  std::string line;
  auto append = [&](std::uint32_t count, std::string_view what) {
    if (count != 0) line += (line.empty() ? "" : ", ") + counted(count, what);
  };
  append(summary.errors, "error");
  append(summary.warnings, "warning");
  append(summary.notes, "note");
  line = (line.empty() ? "no findings" : line) + " in " + counted(summary.files, "file");
  std::string more;
  auto add = [&](const std::string& part) { more += (more.empty() ? " (" : ", ") + part; };
  if (summary.skipped != 0) add(counted(summary.skipped, "other file") + " skipped");
  if (summary.accepted != 0) add(counted(summary.accepted, "finding") + " accepted by the baseline");
  if (summary.stale != 0)
    add(counted(summary.stale, "finding") + " of the baseline no longer " + (summary.stale == 1 ? "exists" : "exist"));
  return line + more + (more.empty() ? "" : ")");
}

std::string fixable_line(const Summary& summary) {
  const std::string unsafe = std::to_string(summary.unsafely_fixable);
  if (summary.fixable == 0) {
    return summary.unsafely_fixable == 0 ? "" : unsafe + " can be fixed with --fix --unsafe";
  }
  const std::string more = summary.unsafely_fixable == 0 ? "" : ", " + unsafe + " more with --fix --unsafe";
  return std::to_string(summary.fixable) + " can be fixed with --fix" + more;
}

std::string message_with_hint(const text::Finding& finding) {
  return finding.hint.empty() ? finding.message : finding.message + " (" + finding.hint + ")";
}

std::string format_names() {
  std::string names;
  for (const FormatRow& row : kFormats) names += (names.empty() ? "" : "|") + std::string(row.name);
  return names;
}

Format format_of(std::string_view name) {
  const auto row =
      std::find_if(std::begin(kFormats), std::end(kFormats), [&](const FormatRow& one) { return one.name == name; });
  return row == std::end(kFormats) ? Format::human : static_cast<Format>(row - std::begin(kFormats));
}

bool shows_witnesses(Format format) { return kFormats[static_cast<std::size_t>(format)].shows_witnesses; }

std::size_t write_report(const text::Findings& findings, const text::Sources& sources, const Summary& summary,
                         const Options& options, std::ostream& out) {
  const bool shows_all = options.format != Format::human || options.shows_repeated;
  Listing listing{sources, summary, options, shows_all ? all_of(findings) : without_repeated(findings)};
  if (options.max_findings) listing.omitted_count = keep_most_severe(listing.findings, *options.max_findings);
  if (options.has_statistics) listing.statistics = statistics_of(findings);
  const FormatRow& format = kFormats[static_cast<std::size_t>(options.format)];
  std::string text;
  format.write(listing, text);
  const FormScope form(out, options.color && options.format == Format::human ? OutputForm::colored : format.form);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  return listing.omitted_count;
}

}  // namespace espalier::report
