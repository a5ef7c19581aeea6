// A project that is edited: what is found after each change is what a check of everything finds, and only what depends
// on the change is checked.
#include <random>

#include "editor/live_project.h"
#include "project/project.h"
#include "source_folder.h"
#include "temporary_folder.h"
#include "unit.h"

namespace editor_live_project {

using namespace espalier;
using editor::LiveProject;

namespace {

std::string shown(const text::Sources& sources, const text::Finding& finding) {
  const text::Source& source = sources[finding.span.file];
  std::string result = source.path() + ':' + std::to_string(finding.span.begin) + '-' +
                       std::to_string(finding.span.end) + ' ' + std::string(rules::info(finding.rule).code) + ' ' +
                       std::string(rules::severity_name(finding.severity)) + ": " + finding.message + " (" +
                       finding.hint + ')';
  for (const text::Fix& fix : finding.fixes) result += " [" + fix.title + ']';
  return result;
}

std::vector<std::string> live_findings(const LiveProject& project) {
  std::vector<std::string> result;
  const text::Sources& sources = project.snapshot().sources;
  for (text::FileId file = 0; file < sources.size(); ++file) {
    for (const text::Finding& finding : project.findings_of(file)) result.push_back(shown(sources, finding));
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> all_findings(const std::map<std::string, std::string>& texts) {
  project::Files files;
  for (const auto& [path, text] : texts) files.set_text(path, text);
  project::ParsedFiles parsed;
  project::Snapshot snapshot;
  project::LoadErrors errors;
  REQUIRE(project::take_snapshot({{"."}}, files, parsed, snapshot, errors));
  std::vector<std::string> result;
  const project::Checked checked = project::check(snapshot);
  for (const text::Finding& finding : checked.findings.all()) result.push_back(shown(snapshot.sources, finding));
  std::sort(result.begin(), result.end());
  return result;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Trees of a folder of the sources, with their names below it.
std::map<std::string, std::string> trees_of(const std::string& folder) {
  std::map<std::string, std::string> texts;
  const std::filesystem::path root = source_folder() / folder;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string suffix = entry.path().extension().string();
    if (suffix != ".xml" && suffix != ".debt" && entry.path().filename() != "espalier.json") continue;
    texts[std::filesystem::relative(entry.path(), root).generic_string()] = read(entry.path());
  }
  return texts;
}

// A random edit such as people make: a piece is removed, doubled, or replaced by one of another place.
std::string edited(const std::string& text, const std::vector<std::string>& others, std::mt19937& random) {
  const auto below = [&](std::size_t count) { return count == 0 ? 0 : random() % count; };
  const std::size_t at = below(text.size() + 1);
  const std::size_t length = below(std::min<std::size_t>(text.size() - at, 12) + 1);
  const std::string& other = others[below(others.size())];
  const std::size_t from = below(other.size());
  constexpr std::string_view kPieces[] = {"\"", "<", ">", "/", "Ref", "OnSeen", " and ", "x", "<Leaf name=\"New\"/>"};
  switch (random() % 4) {
    case 0:
      return text.substr(0, at) + text.substr(at + length);
    case 1:
      return text.substr(0, at) + std::string(kPieces[below(std::size(kPieces))]) + text.substr(at);
    case 2:  // a letter of a name, often one that other files refer to
      if (const std::size_t quote = text.find("name=\"", at); quote != std::string::npos) {
        return text.substr(0, quote + 6) + static_cast<char>('a' + below(26)) + text.substr(quote + 6);
      }
      return text;
    default:
      return text.substr(0, at) + other.substr(from, below(30)) + text.substr(at + length);
  }
}

void compare(std::map<std::string, std::string> texts, unsigned seed, int count) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : texts) folder.write(name, text);
  const std::map<std::string, std::string> before = texts;
  std::vector<std::string> names;
  std::vector<std::string> contents;
  for (const auto& [name, text] : texts) {
    if (name.ends_with(".json")) continue;
    names.push_back(name);
    contents.push_back(text);
  }
  texts.clear();
  std::mt19937 random(seed);
  LiveProject project({{"."}});
  project.update();
  for (int i = 0; i < count; ++i) {
    const std::string& name = names[random() % names.size()];
    const auto open = texts.find(name);
    std::string text = open == texts.end() ? before.at(name) : open->second;
    // Most edits are undone soon, so that files are sound again.
    text = random() % 3 == 0 ? before.at(name) : edited(text, contents, random);
    texts[name] = text;
    project.set_text((folder.path() / name).string(), text);
    project.update();
    INFO("edit " << i << " of " << name << ", seed " << seed << ":\n" << text);
    REQUIRE(live_findings(project) == all_findings(texts));
  }
}

}  // namespace

TEST_CASE("findings after edits are those of a whole check") {
  const std::string folder = GENERATE(as<std::string>(), "samples/squad", "samples/modular", "samples/dragengine",
                                      "samples/deciders", "samples/synchronized", "samples/broken");
  compare(trees_of(folder), 1, 60);
}

}  // namespace editor_live_project
