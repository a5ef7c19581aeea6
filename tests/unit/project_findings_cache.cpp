// Findings of earlier runs: a run that takes them from the cache reports what a run without it does, and nothing that a
// run depends on goes unnoticed.
#include <atomic>
#include <thread>

#include "project/project.h"
#include "rules/rules.h"
#include "rules/xml.h"
#include "temporary_folder.h"
#include "unit.h"

namespace project_findings_cache {

using namespace espalier;
namespace fs = std::filesystem;

namespace {

constexpr const char* kTree =
    "<SelectionTree name=\"T\" type=\"BehaviorSelectionTree\">\n<Leaf name=\"L\" condition=\"true\"/>\n"
    "</SelectionTree>";
constexpr const char* kSoundTree =
    "<SelectionTree name=\"U\" type=\"BehaviorSelectionTree\">\n<Leaf name=\"L\"/>\n</SelectionTree>";

struct Run {
  bool is_loaded = false;
  bool is_cached = false;
  std::string report;  // everything that reports show
};

void add_place(text::Span span, const text::Sources& sources, std::string& report) {
  const text::Source& source = sources[span.file];
  const text::Position place = source.position(span.begin);
  report += source.path() + ':' + std::to_string(place.line) + ':' + std::to_string(place.column) + '-' +
            std::to_string(span.end - span.begin) + ' ' + std::string(source.line(place.line)) + '\n';
}

std::string report_of(const project::Project& project) {
  const text::Sources& sources = project.snapshot.sources;
  std::string report = std::to_string(project.snapshot.file_count) + " files\n";
  for (const text::Finding& finding : project.findings.all()) {
    report += std::string(rules::info(finding.rule).code) + ' ' + std::string(severity_name(finding.severity)) + ": " +
              finding.message + " (" + finding.hint + ")\n";
    add_place(finding.span, sources, report);
    for (const text::Related& each : finding.related) {
      report += each.message + '\n';
      add_place(each.span, sources, report);
    }
    for (const text::Fix& fix : finding.fixes) {
      report += std::string(fix_grade_name(fix.grade)) + ' ' + fix.title + '\n';
      for (const text::Edit& edit : fix.edits) {
        report += "-> " + edit.replacement + '\n';
        add_place(edit.span, sources, report);
      }
    }
    if (finding.witness)
      report += finding.witness->shows + finding.witness->trace.back() + finding.witness->expect + '\n';
  }
  return report;
}

Run run(const project::LoadOptions& options, const project::FindingsCache* cache) {
  project::Project project;
  project::LoadErrors errors;
  Run result;
  result.is_loaded = project::load_findings(options, cache, {}, project, errors);
  result.is_cached = project.is_cached;
  result.report = report_of(project);
  return result;
}

// A project in the current folder, and a cache next to it.
struct Cached {
  TemporaryFolder folder;
  project::FindingsCache cache{(folder.path() / "cache").string(), "program"};
  project::LoadOptions options{{"trees"}};

  Run run() const { return project_findings_cache::run(options, &cache); }

  // A run that the cache does not know, which finds what one without cache does; then the same again.
  void check_change() const {
    const Run without = project_findings_cache::run(options, nullptr);
    const Run first = run();
    CHECK_FALSE(first.is_cached);
    CHECK(first.report == without.report);
    const Run second = run();
    CHECK(second.is_cached);
    CHECK(second.report == without.report);
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.path() / "cache")) {
      files.push_back(entry.path());
    }
    return files;
  }
};

}  // namespace

TEST_CASE("findings of every rule are the same from the cache", "[examples]") {
  const Cached cached;
  std::size_t number = 0;
  std::size_t run_count = 0;
  for (const rules::RuleInfo& rule : rules::all()) {
    const std::string project = "trees/" + std::to_string(number++);
    for (const rules::ExampleFile& file : rule.bad) {
      cached.folder.write(project + '/' + std::string(file.path), file.text);
    }
    const project::LoadOptions options{{project}};
    const Run without = run(options, nullptr);
    if (!without.is_loaded) continue;
    CAPTURE(rule.code);
    CHECK(run(options, &cached.cache).report == without.report);
    const Run again = run(options, &cached.cache);
    CHECK(again.is_cached);
    CHECK(again.report == without.report);
    ++run_count;
  }
  CHECK(run_count > 300);
}

TEST_CASE("what findings depend on is noticed when it changes") {
  Cached cached;
  const TemporaryFolder& folder = cached.folder;
  const auto after = [&](const char* change) {
    CAPTURE(change);
    cached.check_change();
  };
  folder.write("trees/tree.xml", kTree);
  after("nothing was kept");
  folder.write("trees/tree.xml", std::string(kTree) + "\n");
  after("a file has another content");
  folder.write("trees/sound.xml", kSoundTree);
  after("there is one file more");
  fs::remove(folder.path() / "trees/tree.xml");
  after("there is one file less");
  folder.write("trees/other.xml", "<Something/>");
  after("a file that is no tree");
  folder.write("trees/other.xml", kTree);
  after("which becomes one");
  folder.write("trees/.gitignore", "other.xml\n");
  after("files are ignored");
  cached.options.ignore_files = false;
  after("or not");
  folder.write("espalier.json", "{\"rules\": {\"SEL010\": \"off\"}}");
  after("there is a configuration");
  folder.write("espalier.json", "{\"hostFiles\": [\"hosts.json\"]}");
  after("which has another content");
  folder.write("hosts.json", "{\"hosts\": {}}");
  after("and names a file that is there now");
  folder.write("hosts.json", "{\"hosts\": {\"Walk\": {}}}");
  after("and has another content");
  cached.options.paths = {"trees/sound.xml"};
  after("other paths are given");
  cached.options.is_isolated = true;
  after("a file is checked without its project");
}

TEST_CASE("a run of another program, or in another folder, is another run") {
  const Cached cached;
  cached.folder.write("trees/tree.xml", kTree);
  cached.folder.write("copy/trees/tree.xml", kTree);
  cached.check_change();
  const project::FindingsCache other((cached.folder.path() / "cache").string(), "other program");
  CHECK_FALSE(run(cached.options, &other).is_cached);
  fs::current_path(cached.folder.path() / "copy");
  CHECK_FALSE(cached.run().is_cached);
  CHECK(cached.run().is_cached);
}

TEST_CASE("a damaged file of the cache is as good as none") {
  const Cached cached;
  cached.folder.write("trees/tree.xml", kTree);
  const std::string expected = cached.run().report;
  REQUIRE(cached.files().size() == 1);
  const std::string file = "cache/" + cached.files()[0].filename().string();
  std::stringstream kept;
  kept << std::ifstream(file, std::ios::binary).rdbuf();
  const std::string bytes = kept.str();
  const auto check_damaged = [&](const std::string& damaged) {
    cached.folder.write(file, damaged);
    const Run again = cached.run();
    CHECK_FALSE(again.is_cached);
    CHECK(again.report == expected);
    CHECK(cached.run().is_cached);  // it is written again
  };
  check_damaged("");
  for (std::size_t i = 0; i < bytes.size(); i += 7) {
    CAPTURE(i);
    check_damaged(bytes.substr(0, i));
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    check_damaged(changed);
  }
}

TEST_CASE("sound bytes that are no findings of the run are refused") {
  const Cached cached;
  const auto is_refused = [&](const std::string& cbor) {
    cached.folder.write("cache/" + text_of(project::content_hash("run")) + ".findings",
                        text_of(project::content_hash(cbor)) + cbor);
    return !cached.cache.find(project::content_hash("run"), 1).has_value();
  };
  const text::Finding finding{rules::XML_malformed, text::Severity::error, {0, 1, 2}, "message"};
  const auto with = [&](auto change) {
    text::Finding changed = finding;
    change(changed);
    cached.cache.keep(project::content_hash("run"), {changed});
    return !cached.cache.find(project::content_hash("run"), 1).has_value();
  };
  CHECK_FALSE(with([](text::Finding&) {}));
  CHECK(with([](text::Finding& changed) { changed.rule = rules::kNoRule; }));
  CHECK(with([](text::Finding& changed) { changed.severity = static_cast<text::Severity>(3); }));
  CHECK(with([](text::Finding& changed) { changed.span.file = 1; }));
  CHECK(with([](text::Finding& changed) { changed.span = {0, 2, 1}; }));
  CHECK(with([](text::Finding& changed) { changed.related.push_back({{7, 0, 0}, "here"}); }));
  CHECK(is_refused(""));
  CHECK(is_refused("\x81\x80"));          // [[]]
  CHECK(is_refused("\xa1\x61\x61\x01"));  // {"a": 1}
  CHECK_FALSE(is_refused("\x80"));        // []
}

TEST_CASE("without a folder that can be written, everything is checked each time") {
  const Cached cached;
  cached.folder.write("trees/tree.xml", kTree);
  cached.folder.write("cache", "a file");
  const std::string expected = run(cached.options, nullptr).report;
  for (int i = 0; i < 2; ++i) {
    const Run again = cached.run();
    CHECK_FALSE(again.is_cached);
    CHECK(again.report == expected);
  }
}

TEST_CASE("what was used least recently is removed") {
  const Cached cached;
  const auto hash = [](std::size_t i) { return project::content_hash(std::to_string(i)); };
  const auto now = fs::file_time_type::clock::now();
  const auto set_age = [&](std::size_t i, std::chrono::minutes age) {
    fs::last_write_time(cached.folder.path() / "cache" / (text_of(hash(i)) + ".findings"), now - age);
  };
  for (std::size_t i = 0; i < project::kMaxCachedRuns; ++i) {
    cached.cache.keep(hash(i), {});
    set_age(i, std::chrono::minutes(1000 - i));
  }
  CHECK(cached.files().size() == project::kMaxCachedRuns);
  REQUIRE(cached.cache.find(hash(0), 0).has_value());  // now it is the latest
  cached.folder.write("cache/.unfinished-old", "");
  cached.folder.write("cache/.unfinished-new", "");
  fs::last_write_time("cache/.unfinished-old", now - std::chrono::hours(2));
  cached.cache.keep(project::content_hash("one more"), {});
  CHECK(cached.cache.find(hash(0), 0).has_value());
  CHECK_FALSE(cached.cache.find(hash(1), 0).has_value());
  CHECK(cached.cache.find(hash(2), 0).has_value());
  CHECK_FALSE(fs::exists("cache/.unfinished-old"));
  CHECK(fs::exists("cache/.unfinished-new"));
}

TEST_CASE("several runs may use one folder at once") {
  const Cached cached;
  const auto findings_of = [](std::size_t i) {
    return std::vector<text::Finding>(
        i, {rules::XML_malformed, text::Severity::error, {0, 0, 0}, std::to_string(i) + std::string(i * 100, 'x')});
  };
  constexpr std::size_t kRuns = 20;
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < 5 * kRuns; ++i) {
        const auto run = project::content_hash(std::to_string(i % kRuns));
        const auto found = cached.cache.find(run, 1);
        const auto expected = findings_of(i % kRuns);
        if (found && (found->size() != expected.size() ||
                      (!expected.empty() && found->back().message != expected.back().message))) {
          ++wrong;
        }
        cached.cache.keep(run, expected);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(cached.files().size() == kRuns);
}

}  // namespace project_findings_cache
