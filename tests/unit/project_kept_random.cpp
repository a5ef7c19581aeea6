// Random sequences of edits: after each, a check with what is kept reports what a check of everything does.
#include <cstdlib>
#include <map>
#include <random>

#include "project/incremental/kept_facts.h"
#include "project/project.h"
#include "random_edits.h"
#include "reported.h"
#include "rules/rules.h"
#include "source_folder.h"
#include "temporary_folder.h"
#include "unit.h"

namespace project_kept_random {

using namespace espalier;
namespace fs = std::filesystem;

namespace {

using Texts = std::map<std::string, std::string>;  // by path

Texts files_of_sample(const std::string& name) {
  Texts texts;
  const fs::path root = source_folder() / "samples" / name;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string suffix = entry.path().extension().string();
    if (suffix != ".xml" && suffix != ".debt" && entry.path().filename() != "espalier.json") continue;
    std::stringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    texts[fs::relative(entry.path(), root).generic_string()] = bytes.str();
  }
  return texts;
}

// The examples of all rules with one of these prefixes as one project: nearly everything that a dialect has.
Texts files_of_rules(const std::vector<std::string_view>& prefixes, bool are_good) {
  Texts texts;
  for (const rules::RuleInfo& rule : rules::all()) {
    if (std::find(prefixes.begin(), prefixes.end(), rule.code.substr(0, 3)) == prefixes.end()) continue;
    for (const rules::ExampleFile& file : are_good ? rule.good : rule.bad) {
      const std::string path(file.path);
      if (path.ends_with(".xml") || path.ends_with(".debt")) texts[std::string(rule.code) + '/' + path] = file.text;
    }
  }
  return texts;
}

struct Case {
  std::string name;
  Texts texts;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* const sample : {"squad", "modular", "dragengine", "deciders", "synchronized", "btcpp", "broken"})
    all.push_back({sample, files_of_sample(sample)});
  for (const bool are_good : {true, false}) {
    const std::string which = are_good ? ", good" : ", bad";
    for (const std::string_view prefix : {"SEL", "MBT", "DRA", "DEC", "SYN", "BTC"})
      all.push_back({std::string(prefix) + which, files_of_rules({prefix}, are_good)});
    all.push_back({"all" + which, files_of_rules({"XML", "SEL", "MBT", "DRA", "DEC", "SYN", "BTC"}, are_good)});
  }
  return all;
}

std::string checked(project::KeptFacts* kept) {
  project::LoadOptions options{{"."}};
  options.kept = kept;
  options.thread_count = 1;
  project::Project project;
  project::LoadErrors errors;
  if (!project::load_findings(options, {}, project, errors)) return "nothing";
  return reported(project);
}

// The lines in which two texts differ, for messages.
std::string difference(const std::string& a, const std::string& b) {
  const auto lines = [](const std::string& text) {
    std::multiset<std::string> all;
    std::stringstream stream(text);
    for (std::string line; std::getline(stream, line);) all.insert(line);
    return all;
  };
  std::string result;
  const std::multiset<std::string> in_a = lines(a);
  const std::multiset<std::string> in_b = lines(b);
  for (const std::string& line : in_a) result += in_b.count(line) < in_a.count(line) ? "- " + line + '\n' : "";
  for (const std::string& line : in_b) result += in_a.count(line) < in_b.count(line) ? "+ " + line + '\n' : "";
  return result.empty() ? "the order" : result;
}

class Editing {
 public:
  Editing(const Case& of, unsigned seed) : before_(of.texts), texts_(of.texts), random_(seed) {
    for (const auto& [name, text] : texts_) {
      folder_.write("trees/" + name, text);
      names_.push_back(name);
      contents_.push_back(text);
    }
    fs::current_path(folder_.path() / "trees");
  }

  // One edit. Returns what it is.
  std::string edit() {
    const std::string name = names_[random_() % names_.size()];
    const auto known = texts_.find(name);
    if (known == texts_.end()) return write(name, before_.at(name), "comes back");
    if (name.ends_with(".json")) return write(name, random_() % 2 == 0 ? before_.at(name) : configuration(), "changes");
    const std::string text = known->second;
    switch (random_() % 12) {
      case 0:
        texts_.erase(name);
        fs::remove(name);
        return name + " is removed";
      case 1: {
        const std::string copy = "copy" + std::to_string(random_() % 3) + '-' + fs::path(name).filename().string();
        if (before_.emplace(copy, text).second) names_.push_back(copy);
        return write(copy, text, "is a copy of " + name);
      }
      case 2:
        return write(name, suppressing(text), "has a suppression");
      case 3:
      case 4:
      case 5:
        return write(name, with_other_value(text, contents_, random_), "has another value");
      case 6:
      case 7:
      case 8:
        return write(name, before_.at(name), "is as it was");
      default:
        return write(name, edited(text, contents_, random_), "is edited");
    }
  }

  const std::string& text_of(const std::string& name) { return texts_[name]; }

 private:
  std::string write(const std::string& name, const std::string& text, const std::string& what) {
    texts_[name] = text;
    fs::create_directories(fs::path(name).parent_path().empty() ? "." : fs::path(name).parent_path());
    std::ofstream(name, std::ios::binary) << text;
    return name + ' ' + what + ":\n" + text + '\n';
  }

  std::string suppressing(const std::string& text) {
    const auto all = rules::all();
    const std::size_t at = text.find('<', random_() % (text.size() + 1));
    if (at == std::string::npos) return text;
    const std::string rule(all[random_() % all.size()].code);
    return text.substr(0, at) + "<!-- espalier:ignore " + rule + " for a reason -->" + text.substr(at);
  }

  std::string configuration() {
    constexpr const char* kAll[] = {"{}", R"({"rules": {"mixed-operators": "off"}})",
                                    R"({"events": ["OnSeen", "OnHeard"], "behaviors": ["Walk"]})"};
    return kAll[random_() % std::size(kAll)];
  }

  TemporaryFolder folder_;
  Texts before_, texts_;
  std::vector<std::string> names_, contents_;
  std::mt19937 random_;
};

// How many edits of each project; ESPALIER_EDITS has them for a longer run, and ESPALIER_SEED where it begins.
unsigned number_from(const char* variable, unsigned otherwise) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(value, nullptr, 10));
}

}  // namespace

TEST_CASE("after any edits a check with what is kept finds what a whole check does", "[edits]") {
  const unsigned edit_count = number_from("ESPALIER_EDITS", 4);
  const unsigned seed = number_from("ESPALIER_SEED", 1);
  for (const Case& each : cases()) {
    const TemporaryFolder cache;
    const std::string cache_folder = (cache.path() / "cache").string();
    Editing editing(each, seed);
    std::string edits;
    for (unsigned i = 0; i < edit_count; ++i) {
      INFO(each.name << ", seed " << seed << ", edit " << i << ": " << edits);
      project::KeptFacts kept(cache_folder, "program");
      const std::string with = checked(&kept);
      const std::string without = checked(nullptr);
      if (with != without) FAIL(difference(with, without));
      edits = editing.edit();
    }
  }
}

}  // namespace project_kept_random
