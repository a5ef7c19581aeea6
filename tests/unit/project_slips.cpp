// One slip, one finding: each slip of the keyboard in a clean file gives exactly one new finding, where it is, that
// says what was meant. The normal run takes a sample; ESPALIER_SLIPS=all takes every slip, ESPALIER_SLIPS=show also
// prints those that fail.
//
// What the text cannot tell, and fails here:
// - a file with a misspelt root of six letters ('Bloocks'), which may be any other XML;
// - a misspelt attribute where espalier.json turns its rule off (samples/squad);
// - the name of a tree in BehaviorTree.CPP where a program may bring trees from elsewhere (samples/nav2), and that of a
//   node where the host may have one of any name;
// - which of several elements without indentation has no end tag.
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>
#include <set>
#include <tuple>

#include "dialects/dialect.h"
#include "project/check.h"
#include "project_planted.h"
#include "rules/rules.h"
#include "source_folder.h"
#include "text/names.h"
#include "unit.h"

namespace project_slips {

using namespace espalier;
using namespace project_planted;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kSampled = 12;  // slips of a kind in a dialect
constexpr std::uint32_t kBigFile = 40'000;
constexpr double kLeast = 97;         // of 100 slips of a dialect
constexpr double kLeastOfHosts = 90;  // where an element may be a node of the host
constexpr double kLeastOfKind = 90;

struct Planted {
  std::string folder;
  std::string path;
  std::string text;
  Slip slip;
  std::size_t order;  // at random
};

using Key = std::pair<std::string, Kind>;  // of a dialect
// What does not move when a slip is planted.
using Told = std::multiset<std::tuple<std::string, std::uint32_t, rules::Rule>>;

Told told(const project::Checked& checked, const text::Sources& sources) {
  Told all;
  for (const text::Finding& finding : checked.findings.all()) {
    const text::Source& source = sources[finding.span.file];
    all.emplace(source.path(), source.position(finding.span.begin).line, finding.rule);
  }
  return all;
}

bool take(const std::string& folder, const project::Files& files, project::ParsedFiles& parsed,
          project::Snapshot& snapshot) {
  project::LoadErrors errors;
  project::LoadOptions options;
  options.paths = {folder};
  options.thread_count = 1;
  return project::take_snapshot(options, files, parsed, snapshot, errors);
}

std::set<std::string> folders() {
  std::set<std::string> found;
  for (const char* top : {"samples", "tests/conformance", "lib/rules"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_folder() / top)) {
      const fs::path path = entry.path();
      const bool is_tree = path.extension() == ".xml" || path.extension() == ".debt";
      const fs::path folder = path.parent_path();
      const bool is_good = std::string_view(top) != "lib/rules" || folder.filename() == "good";
      if (is_tree && is_good) found.insert(folder.string());
    }
  }
  return found;
}

// Adds the slips of all files of a project that has no errors and no warnings.
void plant(const std::string& folder, std::map<Key, std::vector<Planted>>& all) {
  project::ParsedFiles parsed;
  project::Snapshot snapshot;
  if (!take(folder, {}, parsed, snapshot)) return;
  const project::Checked checked = project::check(snapshot);
  for (const text::Finding& finding : checked.findings.all()) {
    if (finding.severity != rules::Severity::note) return;
  }
  for (const project::SnapshotFile& file : snapshot.files) {
    if (file.parsed == nullptr || !file.parsed->has_document || file.parsed->source->text().size() > kBigFile) continue;
    const text::XmlDocument document(file.parsed, file.id);
    const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
    if (dialect == nullptr || document.has_expansions() || document.encoding() != "UTF-8") continue;
    const std::string shown = fs::relative(file.place.path, source_folder()).string();  // the same on all machines
    for (Slip& slip : slips_of(document)) {
      std::vector<Planted>& slips = all[{std::string(dialect->name), slip.kind}];
      const std::size_t order = std::hash<std::string>()(shown + std::to_string(slips.size()));
      slips.push_back({folder, file.place.path, planted(document.source().text(), slip), std::move(slip), order});
    }
  }
}

bool names(const text::Finding& finding, const std::string& word) {
  std::string all = finding.message + ' ' + finding.hint;
  for (const text::Related& related : finding.related) all += ' ' + related.message;
  return text::lower_case(all).find(text::lower_case(word)) != std::string::npos;
}

// Why a slip is not told as it should be; empty if it is.
std::string fault_of(const Planted& planted, project::Files& files, project::ParsedFiles& parsed, const Told& before) {
  files.set_text(planted.path, planted.text);
  project::Snapshot snapshot;
  const bool is_taken = take(planted.folder, files, parsed, snapshot);
  files.drop_text(planted.path);
  if (!is_taken && snapshot.findings.all().empty()) return "not read";
  project::Checked checked = is_taken ? project::check(snapshot) : project::Checked{{}, snapshot.findings};
  Told old = before;
  std::vector<const text::Finding*> fresh;
  for (const text::Finding& finding : checked.findings.all()) {
    const text::Source& source = snapshot.sources[finding.span.file];
    const auto same = old.find({source.path(), source.position(finding.span.begin).line, finding.rule});
    if (same == old.end()) {
      fresh.push_back(&finding);
    } else {
      old.erase(same);
    }
  }
  if (fresh.size() != 1) {
    std::string text = std::to_string(fresh.size()) + " findings";
    for (const text::Finding* finding : fresh) {
      text += "\n      " + std::to_string(snapshot.sources[finding->span.file].position(finding->span.begin).line) +
              ": " + std::string(rules::info(finding->rule).code) + ' ' + finding->message + " (" + finding->hint + ')';
    }
    return text;
  }
  const text::Finding& finding = *fresh.front();
  const std::uint32_t line = snapshot.sources[finding.span.file].position(finding.span.begin).line;
  const std::string shown =
      std::string(rules::info(finding.rule).code) + ' ' + finding.message + " (" + finding.hint + ')';
  const std::vector<std::uint32_t>& lines = planted.slip.lines;
  if (std::find(lines.begin(), lines.end(), line) == lines.end())
    return "at line " + std::to_string(line) + ": " + shown;
  return names(finding, planted.slip.word) ? "" : "without the word: " + shown;
}

struct Score {
  std::size_t good = 0;
  std::size_t all = 0;
  double percent() const { return all == 0 ? 100 : 100.0 * static_cast<double>(good) / static_cast<double>(all); }
};

}  // namespace

TEST_CASE("a slip in a clean file is one finding, where it is, that says what was meant", "[slips]") {
  const char* const wish = std::getenv("ESPALIER_SLIPS");
  const bool is_shown = wish != nullptr && std::string_view(wish) == "show";
  std::map<Key, std::vector<Planted>> all;
  for (const std::string& folder : folders()) plant(folder, all);
  std::map<std::string, std::vector<std::pair<const Key*, const Planted*>>> by_folder;
  for (auto& [key, slips] : all) {
    std::sort(slips.begin(), slips.end(), [](const Planted& a, const Planted& b) { return a.order < b.order; });
    const std::size_t count = wish != nullptr && !is_shown ? slips.size() : std::min(slips.size(), kSampled);
    for (std::size_t i = 0; i < count; ++i) by_folder[slips[i].folder].emplace_back(&key, &slips[i]);
  }
  std::map<std::string, Score> of_dialect;
  std::map<Kind, Score> of_kind;
  std::map<Key, Score> of_both;
  for (const auto& [folder, slips] : by_folder) {
    project::Files files;
    project::ParsedFiles parsed;
    project::Snapshot snapshot;
    REQUIRE(take(folder, files, parsed, snapshot));
    const Told before = told(project::check(snapshot), snapshot.sources);
    for (const auto& [key, planted] : slips) {
      const std::string fault = fault_of(*planted, files, parsed, before);
      for (Score* score : {&of_dialect[key->first], &of_kind[key->second], &of_both[*key]}) {
        ++score->all;
        score->good += fault.empty() ? 1 : 0;
      }
      if (!is_shown || fault.empty()) continue;
      const text::Edit& edit = planted->slip.edits.front();
      std::cout << "  " << key->first << ' ' << name_of(key->second) << ' '
                << fs::relative(planted->path, source_folder()).string() << ':' << planted->slip.lines[0] << " '"
                << planted->slip.word << "' as '" << edit.replacement << "': " << fault << '\n';
    }
  }
  std::cout << std::fixed << std::setprecision(1);
  for (const auto& [kind, score] : of_kind) {
    std::cout << std::setw(10) << name_of(kind) << std::setw(7) << score.percent() << " % of " << score.all << ':';
    for (const auto& [dialect, unused] : of_dialect) {
      if (const auto both = of_both.find({dialect, kind}); both != of_both.end()) {
        std::cout << "  " << dialect << ' ' << both->second.percent();
      }
    }
    std::cout << '\n';
    CHECK(score.percent() >= kLeastOfKind);
  }
  for (const auto& [dialect, score] : of_dialect) {
    std::cout << std::setw(14) << dialect << std::setw(7) << score.percent() << " % of " << score.all << '\n';
    CHECK(score.percent() >= (dialect == "btcpp" ? kLeastOfHosts : kLeast));
  }
}

}  // namespace project_slips
