// Slips and near misses, planted into trees of all dialects: what safe fixes do to them. After them a tree is as it was
// before the slip, or the slip is left alone. ESPALIER_SLIPS: how many of each are planted.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "codegen/compile.h"
#include "project/project.h"
#include "rewrite/fix.h"
#include "slips.h"
#include "source_folder.h"
#include "temporary_folder.h"
#include "unit.h"

namespace rewrite_slips {

using namespace espalier;
namespace fs = std::filesystem;

namespace {

using Texts = std::map<std::string, std::string>;  // by path below the project

#ifdef ESPALIER_TESTS_SANITIZED
constexpr std::uint32_t kUsual = 100;
#else
constexpr std::uint32_t kUsual = 1000;
#endif
constexpr std::size_t kMaxShown = 20;  // exceptions

std::uint32_t count_to_plant() {
  const char* const text = std::getenv("ESPALIER_SLIPS");
  return text == nullptr ? kUsual : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Folders of projects.
std::vector<std::string> all_folders() {
  std::set<std::string> folders;
  for (const char* top : {"samples", "tests/conformance", "lib/rules"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_folder() / top)) {
      const fs::path extension = entry.path().extension();
      const bool is_of_bad = entry.path().string().find("/bad/") != std::string::npos;
      if (!is_of_bad && (extension == ".xml" || extension == ".debt")) {
        folders.insert(fs::relative(entry.path().parent_path(), source_folder()).string());
      }
    }
  }
  return {folders.begin(), folders.end()};
}

// What safe fixes do in the current folder: the texts of the files that change, and the findings that stay.
struct Outcome {
  Texts texts;
  text::Findings findings;
};
// Nothing if the folder cannot be loaded.
std::optional<Outcome> fixed_folder() {
  project::LoadOptions options{{"."}};
  options.thread_count = 1;
  rewrite::Fixed fixed;
  project::LoadErrors errors;
  const auto all = [](const project::Project& project) { return project.findings; };
  if (!rewrite::fix(options, rules::FixGrade::safe, all, fixed, errors)) return std::nullopt;
  Outcome outcome;
  for (const rewrite::RewrittenFile& file : fixed.files) outcome.texts[file.path] = file.after;
  outcome.findings = std::move(fixed.project.findings);
  return outcome;
}

// The asset of the current folder, without places; empty if it has errors.
std::vector<std::uint64_t> asset() {
  project::LoadOptions options{{"."}};
  options.for_compiling = true;
  options.thread_count = 1;
  project::Project project;
  project::LoadErrors errors;
  if (!project::load(options, project, errors) || project.findings.has_errors()) return {};
  text::Findings findings;
  std::size_t size_bytes = 0;
  return codegen::compile(project.ir, project.snapshot.sources, {.strip = true}, findings, &size_bytes);
}

// A project without errors that has no safe fixes left.
struct Base {
  std::string folder;
  Texts files;                                // all of them
  std::map<std::string, slips::Words> words;  // of its trees

  void write(const TemporaryFolder& place) const {
    for (const auto& [path, text] : files) place.write(path, text);
  }
};

std::optional<Base> read_base(const std::string& folder) {
  Base base;
  base.folder = folder;
  const fs::path source = source_folder() / folder;
  for (const fs::directory_entry& entry : fs::directory_iterator(source)) {
    if (entry.is_regular_file()) base.files[entry.path().filename().string()] = read(entry.path());
  }
  const TemporaryFolder place;
  base.write(place);
  const std::optional<Outcome> fixed = fixed_folder();
  if (!fixed) return std::nullopt;
  for (const auto& [path, text] : fixed->texts) base.files[path] = text;
  base.write(place);
  project::LoadOptions options{{"."}};
  project::Project project;
  project::LoadErrors errors;
  if (!project::load(options, project, errors) || project.findings.has_errors()) return std::nullopt;
  for (const auto& [path, text] : base.files) {
    slips::Words words = slips::words_of(path, text);
    if (!words.places.empty()) base.words[path] = std::move(words);
  }
  return base.words.empty() ? std::nullopt : std::optional(std::move(base));
}

struct Score {
  std::uint32_t planted = 0;
  std::uint32_t mended = 0;
  std::uint32_t left = 0;  // as planted
  std::uint32_t same = 0;  // the tree does what it did
};

// Of words of at least six letters whose slip is an error with one neighbour.
struct PlainScore {
  std::uint32_t planted = 0;
  std::uint32_t mended = 0;
};
constexpr std::size_t kPlainLetters = 6;

// Is it an error of which a hint names the word?
bool is_certain(const text::Findings& findings, const std::string& written, const std::string& word) {
  const auto guesses = [&](const text::Fix& fix) {
    return fix.guess && fix.guess->written == written && fix.guess->meant == word;
  };
  return std::any_of(findings.all().begin(), findings.all().end(), [&](const text::Finding& finding) {
    return finding.severity == text::Severity::error &&
           std::any_of(finding.fixes.begin(), finding.fixes.end(), guesses);
  });
}

class Planting {
 public:
  Planting() : folders_(all_folders()) {}

  // What is planted in place of a word; empty: nothing can be.
  using Misspell = std::function<std::string(std::string_view word)>;

  // False: nothing could be planted.
  bool plant(slips::Kind kind, const Misspell& misspell, slips::Random& random) {
    const Base* const base = any_base(random);
    if (base == nullptr) return false;
    auto chosen = base->words.begin();
    std::advance(chosen, slips::one_of(base->words.size(), random));
    const auto& [path, words] = *chosen;
    std::vector<slips::Place> places;
    std::copy_if(words.places.begin(), words.places.end(), std::back_inserter(places),
                 [&](const slips::Place& each) { return each.kind == kind; });
    if (places.empty()) return false;
    const slips::Place& place = places[slips::one_of(places.size(), random)];
    const std::string& text = base->files.at(path);
    const std::string word(slips::word_at(text, place));
    const std::string written = misspell(word);
    if (written.empty() || written == word) return false;
    look(*base, path, slips::planted(text, place, written), {kind, word, written},
         std::string(words.dialect) + ' ' + std::string(slips::name_of(kind)) + " '" + word + "' as '" + written + "'");
    return true;
  }

  // Nothing outside of our trees is changed.
  void plant_file(const std::string& name, const std::string& text, slips::Random& random) {
    const Base* const base = any_base(random);
    if (base == nullptr) return;
    const TemporaryFolder place;
    base->write(place);
    place.write(name, text);
    const std::optional<Outcome> fixed = fixed_folder();
    ++score_.planted;
    if (fixed && fixed->texts.empty()) {
      ++score_.left;
    } else if (fixed) {
      except(base->folder, "a foreign file", fixed->texts.begin()->second);
    }
  }

  [[nodiscard]] const Score& score() const { return score_; }
  [[nodiscard]] const std::map<slips::Kind, PlainScore>& plain() const { return plain_; }
  [[nodiscard]] const std::vector<std::string>& exceptions() const { return exceptions_; }

 private:
  const Base* any_base(slips::Random& random) {
    const std::string& folder = folders_[slips::one_of(folders_.size(), random)];
    const auto [found, is_new] = bases_.try_emplace(folder);
    if (is_new) found->second = read_base(folder);
    return found->second ? &*found->second : nullptr;
  }

  struct Misspelt {
    slips::Kind kind;
    std::string word;
    std::string written;
  };

  void look(const Base& base, const std::string& path, const std::string& planted, const Misspelt& slip,
            const std::string& what) {
    const TemporaryFolder place;
    base.write(place);
    place.write(path, planted);
    const std::optional<Outcome> fixed = fixed_folder();
    if (!fixed) return;
    ++score_.planted;
    Texts now = base.files;
    now[path] = planted;
    for (const auto& [each, text] : fixed->texts) now[each] = text;
    const bool is_mended = now == base.files;
    if (slip.word.size() >= kPlainLetters && (is_mended || is_certain(fixed->findings, slip.written, slip.word))) {
      ++plain_[slip.kind].planted;
      plain_[slip.kind].mended += is_mended ? 1 : 0;
    }
    if (fixed->texts.empty()) {
      ++score_.left;
      return;
    }
    for (const auto& [each, text] : fixed->texts) place.write(each, text);
    const std::optional<Outcome> again = fixed_folder();
    if (!again || !again->texts.empty()) except(base.folder, what + ", fixed twice", now[path]);
    if (is_mended) {
      ++score_.mended;
      return;
    }
    const std::vector<std::uint64_t> after = asset();
    base.write(place);
    const bool is_same = !after.empty() && after == asset();
    place.write(path, planted);
    // Without an error it is another tree, of which nothing is guessed; rewriting.py compares what proofs do to such.
    if (is_same || !asset().empty()) {
      ++score_.same;
    } else {
      except(base.folder, what, now[path]);
    }
  }

  void except(const std::string& folder, const std::string& what, const std::string& text) {
    exceptions_.push_back(folder + ": " + what + (exceptions_.size() < 3 ? '\n' + text : ""));
  }

  std::vector<std::string> folders_;
  std::map<std::string, std::optional<Base>> bases_;
  Score score_;
  std::map<slips::Kind, PlainScore> plain_;
  std::vector<std::string> exceptions_;
};

void show(const char* what, const Planting& planting) {
  const Score& score = planting.score();
  std::cout << what << ": " << score.planted << " planted, " << score.mended << " mended, " << score.left << " left, "
            << score.same << " otherwise the same, " << planting.exceptions().size() << " exceptions\n";
  for (std::size_t i = 0; i < std::min(planting.exceptions().size(), kMaxShown); ++i) {
    std::cout << "  " << planting.exceptions()[i] << '\n';
  }
}

// What others have in a folder beside trees.
std::string foreign_file(slips::Random& random) {
  constexpr std::string_view kRoots[] = {
      "Root",  "ROOT",          "BehaviorTrees", "DeciderTrees", "SelectionTrees",
      "Roots", "BehaviourTree", "BehaviorTree",  "root",         "SynchronizedTrees"};
  constexpr std::string_view kParts[] = {"Team", "Item", "Level", "Levels", "Nodes", "Asset", "Value", "Variety"};
  const std::string root(kRoots[slips::one_of(std::size(kRoots), random)]);
  std::string text = '<' + root + ">\n";
  for (std::size_t i = 1 + slips::one_of(4, random); i > 0; --i) {
    const std::string part(kParts[slips::one_of(std::size(kParts), random)]);
    text +=
        "  <" + part + " name=\"a & b\"" + (slips::one_of(2, random) == 0 ? " naem=\"x\"/>\n" : "></" + part + ">\n");
  }
  return text + "</" + root + ">\n";
}

}  // namespace

TEST_CASE("after safe fixes a slip is mended, or as it was", "[slips]") {
  Planting planting;
  slips::Random random(20261127);
  const std::uint32_t count = count_to_plant();
  for (std::uint32_t tries = 0; planting.score().planted < count && tries < 40 * count; ++tries) {
    const slips::Kind kind = slips::kKinds[tries % std::size(slips::kKinds)];
    const slips::Slip slip = slips::kSlips[tries / std::size(slips::kKinds) % std::size(slips::kSlips)];
    planting.plant(
        kind, [&](std::string_view word) { return slips::slipped(word, slip, random); }, random);
  }
  show("slips", planting);
  PlainScore all;
  for (const auto& [kind, score] : planting.plain()) {
    std::cout << "  plain slips, " << slips::name_of(kind) << ": " << score.mended << " of " << score.planted
              << " mended\n";
    all.planted += score.planted;
    all.mended += score.mended;
  }
  std::cout << "  plain slips: " << all.mended << " of " << all.planted << " mended\n";
  CHECK(planting.score().planted == count);
  CHECK(planting.exceptions().empty());
  CHECK(2 * all.mended >= all.planted);
}

TEST_CASE("safe fixes leave alone what looks like a slip and may be meant", "[slips]") {
  Planting planting;
  slips::Random random(20261127);
  const std::uint32_t count = count_to_plant();
  constexpr std::size_t kWays = std::size(slips::kNearMisses) + 1;
  for (std::uint32_t tries = 0; planting.score().planted < count && tries < 40 * count; ++tries) {
    const std::size_t way = tries % kWays;
    const slips::Kind kind = slips::kKinds[tries / kWays % std::size(slips::kKinds)];
    if (way == std::size(slips::kNearMisses)) {
      planting.plant_file("zz_foreign.xml", foreign_file(random), random);
    } else {
      planting.plant(
          kind, [&](std::string_view word) { return slips::missed(word, slips::kNearMisses[way], random); }, random);
    }
  }
  show("near misses", planting);
  CHECK(planting.score().planted == count);
  CHECK(planting.exceptions().empty());
}

}  // namespace rewrite_slips
