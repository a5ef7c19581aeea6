// The findings of a file while it is damaged: cut anywhere, or with something half typed in it.
#include "project/damage.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "dialects/dialect.h"
#include "source_folder.h"
#include "unit.h"

namespace project_damage {

using namespace espalier;

namespace {

// One of each dialect, with findings of its reader in many places. (Trees with errors are not analysed, damaged or
// not.)
constexpr const char* kSamples[] = {
    "twelve-faults-in-one-file-are-twelve-findings",
    "findings-speak-of-the-engine-that-is-configured",
    "dragengine/one-fault-in-each-place",
    "decider/a-first-file-gets-hints",
    "synchronized/one-fault-in-each-place",
};

std::string read_sample(const std::string& name) {
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() / "tests/golden/lint" / name)) {
    if (entry.path().extension() != ".xml" && entry.path().extension() != ".debt") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  return {};
}

struct Found {
  std::vector<std::string> of_xml;
  std::vector<std::pair<std::uint32_t, std::string>> others;  // by place: rule, and the marked text
};

Found findings_of(const std::string& text) {
  text::Sources sources;
  text::Findings findings;
  std::vector<std::unique_ptr<text::XmlDocument>> documents;
  documents.push_back(text::XmlDocument::parse("tree.xml", text, sources, findings));
  if (documents[0] == nullptr) documents.clear();
  const project::Damage damage(documents);
  ir::Project project;
  for (const auto& document : documents) {
    const dialects::File file{document.get(), "tree"};
    for (const dialects::Dialect& dialect : dialects::all()) {
      if (dialect.owns(document->root().name())) dialect.read({&file, 1}, {}, project, findings);
    }
  }
  damage.leave_out_read(findings);
  Found found;
  for (const text::Finding& finding : findings.all()) {
    const rules::RuleInfo& rule = rules::info(finding.rule);
    const std::string marked = text.substr(finding.span.begin, finding.span.end - finding.span.begin);
    if (rule.code.substr(0, 3) == "XML") {
      found.of_xml.emplace_back(rule.name);
    } else {
      found.others.emplace_back(finding.span.begin, std::string(rule.name) + ' ' + marked);
    }
  }
  return found;
}

// How many findings of an intact text are left in a damaged one?
struct Count {
  std::size_t expected = 0;
  std::size_t left = 0;
  std::string added = {};  // the inserted text

  // A finding at `place` of the intact text is at place_of(place) in the damaged one.
  template <typename PlaceOf>
  void compare(const Found& sound, const Found& damaged, const PlaceOf& place_of) {
    auto rest = damaged.others;
    for (const auto& [place, what] : sound.others) {
      const std::pair<std::uint32_t, std::string> moved{place_of(place), what};
      if (moved.first == ~0U) continue;
      ++expected;
      const auto same = std::find(rest.begin(), rest.end(), moved);
      if (same == rest.end()) continue;
      ++left;
      rest.erase(same);
    }
    for (const auto& [place, what] : rest) added += std::to_string(place) + ' ' + what + '\n';
  }
};

}  // namespace

TEST_CASE("a file that is cut anywhere keeps 50 of 100 findings before the cut, and gets one of XML alone") {
  Count all;
  for (const char* name : kSamples) {
    const std::string text = read_sample(name);
    const Found sound = findings_of(text);
    INFO(name);
    REQUIRE(sound.others.size() >= 2);
    REQUIRE(sound.of_xml.empty());
    for (std::size_t size = text.find('>') + 1; size + 20 < text.size(); size += 7) {
      INFO("cut at " << size << ": " << text.substr(size - std::min<std::size_t>(size, 40), 40));
      const Found damaged = findings_of(text.substr(0, size));
      Count here;
      here.compare(sound, damaged, [&](std::uint32_t place) { return place < size ? place : ~0U; });
      INFO(here.added);
      CHECK(here.added.empty());
      CHECK(damaged.of_xml.size() == 1);
      all.expected += here.expected;
      all.left += here.left;
    }
  }
  CAPTURE(all.expected, all.left);
  CHECK(all.left * 100 >= all.expected * 50);
}

TEST_CASE("while something is typed 85 of 100 findings stay, and one of XML alone comes") {
  constexpr const char* kTyped[] = {"<",
                                    "<Le",
                                    "<Leaf",
                                    "<Leaf ",
                                    "<Leaf na",
                                    "<Leaf name",
                                    "<Leaf name=",
                                    "<Leaf name=\"",
                                    "<Leaf name=\"Id",
                                    "<Leaf name=\"Id\"",
                                    "<Leaf name=\"Id\" /",
                                    "</",
                                    "</Le",
                                    "&",
                                    "&am",
                                    "<!--",
                                    "<!-- x",
                                    "<!-- x --"};
  Count all;
  for (const char* name : kSamples) {
    const std::string text = read_sample(name);
    const Found sound = findings_of(text);
    // On a separate line, after each line that ends with a tag.
    for (std::size_t at = text.find(">\n"); at + 2 < text.rfind('<'); at = text.find(">\n", at + 1)) {
      for (const std::string typed : kTyped) {
        const auto place = static_cast<std::uint32_t>(at + 2);
        const auto length = static_cast<std::uint32_t>(typed.size() + 1);
        const Found damaged = findings_of(text.substr(0, place) + typed + '\n' + text.substr(place));
        Count here;
        here.compare(sound, damaged, [&](std::uint32_t before) { return before < place ? before : before + length; });
        INFO(name << ": '" << typed << "' before " << text.substr(place, 50) << "\n" << here.added);
        CHECK(here.added.empty());
        CHECK(damaged.of_xml.size() == 1);
        all.expected += here.expected;
        all.left += here.left;
      }
    }
  }
  CAPTURE(all.expected, all.left);
  CHECK(all.left * 100 >= all.expected * 85);
}

}  // namespace project_damage
