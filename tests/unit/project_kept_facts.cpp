// What earlier runs have found: a run that uses it reports what a run without it does, and nothing that a run depends
// on goes unnoticed.
#include <atomic>
#include <thread>

#include "project/content_hash.h"
#include "project/incremental/kept_facts.h"
#include "project/project.h"
#include "reported.h"
#include "rules/rules.h"
#include "rules/xml.h"
#include "temporary_folder.h"
#include "unit.h"

namespace project_kept_facts {

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

Run run(project::LoadOptions options, const std::string& cache_folder, const std::string& program = "program") {
  project::KeptFacts kept(cache_folder, program);
  if (!cache_folder.empty()) options.kept = &kept;
  project::Project project;
  project::LoadErrors errors;
  Run result;
  result.is_loaded = project::load_findings(options, {}, project, errors);
  result.is_cached = project.is_cached;
  result.report = reported(project);
  return result;
}

// A project in the current folder, and a cache next to it.
struct Cached {
  TemporaryFolder folder;
  std::string cache = (folder.path() / "cache").string();
  project::LoadOptions options{{"trees"}};

  Run run() const { return project_kept_facts::run(options, cache); }

  // A run of which something is not known, or all, finds what one without cache does; then the same again.
  void check_change(bool is_known = false) const {
    const Run without = project_kept_facts::run(options, {});
    const Run first = run();
    CHECK(first.is_cached == is_known);
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
    const Run without = run(options, {});
    if (!without.is_loaded) continue;
    CAPTURE(rule.code);
    CHECK(run(options, cached.cache).report == without.report);
    const Run again = run(options, cached.cache);
    CHECK(again.is_cached);
    CHECK(again.report == without.report);
    ++run_count;
  }
  CHECK(run_count > 300);
}

TEST_CASE("what findings depend on is noticed when it changes") {
  Cached cached;
  const TemporaryFolder& folder = cached.folder;
  const auto after = [&](const char* change, bool is_known = false) {
    CAPTURE(change);
    cached.check_change(is_known);
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
  after("files are ignored", true);
  cached.options.ignore_files = false;
  after("or not", true);
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
  CHECK_FALSE(run(cached.options, cached.cache, "other program").is_cached);
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

TEST_CASE("sound bytes that are nothing kept are refused") {
  const auto is_refused = [&](const std::string& body) {
    return project::kept_of(text_of(project::content_hash(body)) + body) == nullptr;
  };
  const text::Finding finding{rules::XML_malformed, text::Severity::error, {0, 1, 2}, "message"};
  const auto with = [&](auto change) {
    auto part = std::make_shared<project::KeptPart>();
    part->shown = {{"tree.xml", {}}};
    part->findings = {finding};
    change(part->findings.front());
    project::Kept kept;
    kept.parts.push_back(part);
    return project::kept_of(bytes_of(kept)) == nullptr;
  };
  CHECK_FALSE(with([](text::Finding&) {}));
  CHECK(with([](text::Finding& changed) { changed.rule = rules::kNoRule; }));
  CHECK(with([](text::Finding& changed) { changed.severity = static_cast<text::Severity>(3); }));
  CHECK(with([](text::Finding& changed) { changed.span.file = 1; }));
  CHECK(with([](text::Finding& changed) { changed.span = {0, 2, 1}; }));
  CHECK(with([](text::Finding& changed) { changed.related.push_back({{7, 0, 0}, "here"}); }));
  const std::string nothing = bytes_of(project::Kept()).substr(32);
  CHECK_FALSE(is_refused(nothing));
  CHECK(is_refused(""));
  CHECK(is_refused(nothing + '\0'));
  CHECK(is_refused(nothing.substr(1)));
  CHECK(is_refused("\xff\xff\xff\xff" + nothing));
}

TEST_CASE("without a folder that can be written, everything is checked each time") {
  const Cached cached;
  cached.folder.write("trees/tree.xml", kTree);
  cached.folder.write("cache", "a file");
  const std::string expected = run(cached.options, {}).report;
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
  const auto is_kept = [&](std::size_t i) {
    return project::KeptFacts(cached.cache, "program").find(hash(i)) != nullptr;
  };
  const auto set_age = [&](std::size_t i, std::chrono::minutes age) {
    const std::string name = text_of(project::content_hash("program" + text_of(hash(i)))) + ".facts";
    fs::last_write_time(fs::path(cached.cache) / name, now - age);
  };
  for (std::size_t i = 0; i < project::kMaxKeptProjects; ++i) {
    project::KeptFacts(cached.cache, "program").keep(hash(i), std::make_shared<project::Kept>());
    set_age(i, std::chrono::minutes(1000 - i));
  }
  CHECK(cached.files().size() == project::kMaxKeptProjects);
  project::KeptFacts(cached.cache, "program").touch(hash(0));  // now it is the latest
  cached.folder.write("cache/.unfinished-old", "");
  cached.folder.write("cache/.unfinished-new", "");
  fs::last_write_time("cache/.unfinished-old", now - std::chrono::hours(2));
  project::KeptFacts(cached.cache, "program").keep(hash(1000), std::make_shared<project::Kept>());
  CHECK(is_kept(0));
  CHECK_FALSE(is_kept(1));
  CHECK(is_kept(2));
  CHECK_FALSE(fs::exists("cache/.unfinished-old"));
  CHECK(fs::exists("cache/.unfinished-new"));
}

TEST_CASE("several runs may use one folder at once") {
  const Cached cached;
  const auto kept_of = [](std::size_t i) {
    auto kept = std::make_shared<project::Kept>();
    for (std::size_t part = 0; part < i; ++part) {
      auto one = std::make_shared<project::KeptPart>();
      one->tree_names = {std::to_string(i) + std::string(i * 100, 'x')};
      kept->parts.push_back(one);
    }
    return kept;
  };
  constexpr std::size_t kRuns = 20;
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < 5 * kRuns; ++i) {
        project::KeptFacts kept(cached.cache, "program");
        const auto run = project::content_hash(std::to_string(i % kRuns));
        const auto found = kept.find(run);
        const auto expected = kept_of(i % kRuns);
        if (found != nullptr && bytes_of(*found) != bytes_of(*expected)) ++wrong;
        kept.keep(run, expected);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(cached.files().size() == kRuns);
}

}  // namespace project_kept_facts
