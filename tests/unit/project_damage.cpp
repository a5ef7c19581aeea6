// The findings of a file while it is damaged: cut anywhere, or with something half typed in it.
#include "project/damage.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "dialects/dialect.h"
#include "lint/lint.h"
#include "rules/rules.h"
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

// Findings by place: rule, and the marked text.
using Places = std::vector<std::pair<std::uint32_t, std::string>>;

struct Found {
  std::vector<std::string> of_xml;
  Places others;
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
  lint::find_errors(project, findings);
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
  std::string added = {};  // findings that only the damaged text has
  std::string lost = {};

  void compare(const Places& expected_ones, const Places& sound, const Places& damaged) {
    for (const auto& each : expected_ones) {
      ++expected;
      const bool is_left = std::find(damaged.begin(), damaged.end(), each) != damaged.end();
      left += is_left ? 1 : 0;
      if (!is_left) lost += std::to_string(each.first) + ' ' + each.second + '\n';
    }
    for (const auto& each : damaged) {
      const bool is_new = std::find(sound.begin(), sound.end(), each) == sound.end();
      if (is_new) added += std::to_string(each.first) + ' ' + each.second + '\n';
    }
  }
};

// ---- A cut text ----------------------------------------------------------------------------------------------------

// The start tag or end tag in which the text ends; the size of the text if it does not end in one.
std::size_t last_open_tag(const std::string& text) {
  const std::size_t begin = text.rfind('<');
  return begin != text.npos && text.find('>', begin) == text.npos ? begin : text.size();
}

// A cut text as its author would complete it with the least effort: a tag in which it ends keeps its complete
// attributes, and all elements are closed.
std::string completed(std::string text) {
  const std::size_t tag = last_open_tag(text);
  std::size_t complete = tag;  // the end of the last complete attribute
  char quote = '\0';
  for (std::size_t i = tag; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
      complete = i + 1;
    }
  }
  text.resize(complete);
  if (complete > tag) text += "/>";
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find('>', at);
    if (text[at + 1] == '/') {
      open.pop_back();
    } else if (text[at + 1] != '?' && text[at + 1] != '!' && text[end - 1] != '/') {
      open.push_back(text.substr(at + 1, text.find_first_of(" \n>", at) - at - 1));
    }
  }
  for (; !open.empty(); open.pop_back()) text += "</" + open.back() + ">";
  return text;
}

// Of a name that is not declared: after which text can no later one declare it? Not in this table: there is no such.
struct Declared {
  const char* rule;
  const char* after;
};
constexpr Declared kDeclared[] = {
    {"unknown-variable", "</SelectionTree>"},
    {"unknown-state", "</StateMachine>"},
    {"unknown-stimulus", "</Stimuli>"},
    {"unknown-decider", "</Deciders>"},
};
constexpr const char* kDeclaredAnywhere[] = {"unresolved-reference", "unknown-tree"};

// The findings that hold whatever follows the cut.
Places kept_by_cut(const Found& sound, const std::string& cut) {
  const Places of_completed = findings_of(completed(cut)).others;
  const std::size_t tag = last_open_tag(cut);
  Places result;
  for (const auto& each : sound.others) {
    const std::string rule = each.second.substr(0, each.second.find(' '));
    if (std::find(of_completed.begin(), of_completed.end(), each) == of_completed.end()) continue;
    if (each.first == tag + 1) continue;  // about an element whose tag is cut
    const auto is_rule = [&](const Declared& declared) { return declared.rule == rule; };
    const auto* const declared = std::find_if(std::begin(kDeclared), std::end(kDeclared), is_rule);
    if (declared != std::end(kDeclared) && cut.find(declared->after) == cut.npos) continue;
    if (std::find(std::begin(kDeclaredAnywhere), std::end(kDeclaredAnywhere), rule) != std::end(kDeclaredAnywhere))
      continue;
    result.push_back(each);
  }
  return result;
}

}  // namespace

TEST_CASE("a file that is cut anywhere keeps 95 of 100 findings that hold whatever follows, and gets one of XML") {
  Count all;
  for (const char* name : kSamples) {
    const std::string text = read_sample(name);
    const Found sound = findings_of(text);
    INFO(name);
    REQUIRE(sound.others.size() >= 2);
    REQUIRE(sound.of_xml.empty());
    REQUIRE(findings_of(completed(text)).others == sound.others);
    for (std::size_t size = text.find('>') + 1; size + 20 < text.size(); size += 3) {
      INFO("cut at " << size << ": " << text.substr(size - std::min<std::size_t>(size, 40), 40));
      const std::string cut = text.substr(0, size);
      const Found damaged = findings_of(cut);
      Count here;
      here.compare(kept_by_cut(sound, cut), sound.others, damaged.others);
      INFO("added " << here.added << "lost " << here.lost);
      CHECK(here.added.empty());
      CHECK(damaged.of_xml.size() == 1);
      all.expected += here.expected;
      all.left += here.left;
    }
  }
  CAPTURE(all.expected, all.left);
  CHECK(all.left * 100 >= all.expected * 95);
  CHECK(all.expected > 2000);
}

TEST_CASE("in a file that is cut, a name is unknown only where no lost part can declare it") {
  const auto unknown = [](const std::string& text) {
    std::string marked;
    for (const auto& [place, what] : findings_of(text).others) {
      if (what.rfind("unknown-", 0) == 0) marked += what + '\n';
    }
    return marked;
  };
  const std::string two_trees =
      "<SelectionTrees><SelectionTree name=\"A\"><Priority name=\"P\"><Leaf name=\"a\" condition=\"Lost\"/></Priority>"
      "</SelectionTree><SelectionTree name=\"B\"><Priority name=\"P\"><Leaf name=\"b\" condition=\"Declared\"/>";
  CHECK(unknown(two_trees) == "unknown-variable Lost\n");
  const std::string decider =
      "<DeciderTree name=\"C\"><DecisionFlags><Flag name=\"Dead\"/></DecisionFlags>"
      "<Group name=\"Root\" policy=\"prioritizedList\"><Decider name=\"d\" behavior=\"Later\" flagsAll=\"Alive\"/>";
  CHECK(unknown(decider) == "unknown-flag Alive\n");
}

// ---- Typing --------------------------------------------------------------------------------------------------------

TEST_CASE("while something is typed 93 of 100 findings stay, and one of XML comes") {
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
        Places moved = sound.others;
        for (auto& [before, what] : moved) before += before < place ? 0 : length;
        Count here;
        here.compare(moved, moved, damaged.others);
        INFO(name << ": '" << typed << "' before " << text.substr(place, 50) << "\n" << here.added);
        CHECK(here.added.empty());
        CHECK(damaged.of_xml.size() == 1);
        all.expected += here.expected;
        all.left += here.left;
      }
    }
  }
  CAPTURE(all.expected, all.left);
  CHECK(all.left * 100 >= all.expected * 93);
}

}  // namespace project_damage
