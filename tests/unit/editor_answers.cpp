// What an editor is told about a place: each case is a text with '|' at the cursor, and what is expected there.
#include "editor/answers.h"
#include "editor/completion.h"
#include "editor/context.h"
#include "editor/json_completion.h"
#include "editor/positions.h"
#include "temporary_folder.h"
#include "unit.h"

namespace editor_answers {

using namespace espalier;
using editor::Context;
using editor::LiveProject;

namespace {

struct Marked {
  std::string text;
  std::uint32_t offset;
};
Marked marked(std::string text) {
  const std::size_t at = text.find('|');
  REQUIRE(at != std::string::npos);
  return {text.erase(at, 1), static_cast<std::uint32_t>(at)};
}

// "kind around/element attribute [word]"
std::string shown(const std::string& text) {
  const Marked at = marked(text);
  const Context context = editor::context_at(at.text, at.offset);
  constexpr std::string_view kKinds[] = {"nothing", "comment", "text", "element", "end", "attribute", "value"};
  std::string result(kKinds[static_cast<unsigned>(context.kind)]);
  result += ' ';
  for (const std::string_view each : context.around) result += std::string(each) + '/';
  result += std::string(context.element) + ' ' + std::string(context.attribute);
  return result + '[' + at.text.substr(context.word.begin, context.word.end - context.word.begin) + ']';
}

// A project of one file, and the labels that complete its place.
std::string completed(const std::string& name, const std::string& text) {
  const Marked at = marked(text);
  const TemporaryFolder folder;
  folder.write(name, at.text);
  LiveProject project({{"."}});
  project.update();
  std::string labels;
  const std::string path = (folder.path() / name).string();
  const auto items = name.ends_with(".xml") || name.ends_with(".debt")
                         ? editor::complete(project, path, at.text, at.offset)
                         : editor::complete_json(project, path, at.text, at.offset);
  for (const editor::Completion& each : items) labels += (labels.empty() ? "" : " ") + each.label;
  return labels;
}

// The text with the name at the cursor renamed to "New".
std::string renamed(const std::string& text) {
  const Marked at = marked(text);
  const TemporaryFolder folder;
  folder.write("tree.xml", at.text);
  LiveProject project({{"."}});
  project.update();
  const auto file = project.file_at((folder.path() / "tree.xml").string());
  REQUIRE(file);
  const auto found = editor::renaming(project, *file, at.offset);
  if (!found) return "no name";
  if (!found->fault.empty()) return found->fault;
  std::string result = at.text;
  for (auto place = found->places.rbegin(); place != found->places.rend(); ++place) {
    result.replace(place->range.begin, place->range.end - place->range.begin, "New");
  }
  return result;
}

}  // namespace

TEST_CASE("the context of a place in a text that may be malformed") {
  CHECK(shown("<A><B/><|") == "element A/ []");
  CHECK(shown("<A><B></B><C|") == "element A/ [C]");
  CHECK(shown("<A><B></|") == "end A/B/ []");
  CHECK(shown("<A b='1' |") == "attribute A []");
  CHECK(shown("<A b='1' c|d='2'/>") == "attribute A [cd]");
  CHECK(shown("<A b=\"x and y|") == "value A b[y]");
  CHECK(shown("<A b=\"|\" c=\"2\">") == "value A b[]");
  CHECK(shown("<A><B c=\"x|\n<D/></A>") == "value A/B c[x]");
  CHECK(shown("<A><B c=\"x\n<D e=\"!|") == "value A/B/D e[]");
  CHECK(shown("<A><!-- <B> |") == "comment A/ []");
  CHECK(shown("<A><!-- espalier:ignore SEL012,SE|") == "comment A/ [SE]");
  CHECK(shown("<A><![CDATA[<B>|]]>") == "nothing A/ []");
  CHECK(shown("<A><![CDATA[<B>]]>|") == "text A/ []");
  CHECK(shown("</X><A></B><C/>|") == "text A/ []");
  CHECK(shown("|") == "text  []");
  CHECK(shown("<|") == "element  []");
}

TEST_CASE("what can be typed at a place") {
  const std::string head = "<SelectionTree name=\"T\" type=\"B\"><Variables><Variable name=\"Seen\"/></Variables>";
  CHECK(completed("t.xml", head + "<|") ==
        "Blocks Variables SignalVariables LeafTranslations Priority "
        "StateMachine Leaf Ref /SelectionTree>");
  CHECK(completed("t.xml", head + "<Priority name='P'><Leaf name='L' condition='!|'/></Priority></SelectionTree>") ==
        "true false and or xor Seen");
  CHECK(completed("t.xml", head + "<Leaf n|") == "name condition");
  CHECK(completed("t.xml", head + "<StateMachine name='M'><State name='A'><Transition state='|' condition='true'/>"
                                  "<Leaf name='L'/></State><State name='Other'/></StateMachine></SelectionTree>") ==
        "A Other");
  CHECK(completed("t.xml", "<SynchronizedTree name='S'><Parallel success='|'/></SynchronizedTree>") == "all any");
  const std::string models =
      "<TreeNodesModel><Action ID='Move'><input_port name='goal'/></Action><Decorator ID='Gate'/>"
      "<SubTree ID='Go'><input_port name='to'/></SubTree></TreeNodesModel>";
  const std::string root = "<root BTCPP_format='4'>" + models + "<BehaviorTree ID='Go'>";
  const std::string common = "name _failureIf _successIf _skipIf _while _onSuccess _onFailure _onHalted _post";
  CHECK(completed("t.xml", root + "<Inverter><Ga|").find(" Gate Move /Inverter>") != std::string::npos);
  CHECK(completed("t.xml", root + "<Move |/></BehaviorTree></root>") == "goal " + common);
  CHECK(completed("t.xml", root + "<Action ID='Move' |/></BehaviorTree></root>") == common + " goal");
  CHECK(completed("t.xml", root + "<Action ID='|'/></BehaviorTree></root>") == "Gate Move");
  CHECK(completed("t.xml", root + "<SubTree ID='Go' |/></BehaviorTree></root>") == "_autoremap " + common + " to");
  CHECK(completed("t.xml", root + "<SubTree ID='|'/></BehaviorTree></root>") == "Go");
  CHECK(completed("t.trace.jsonl", "{\"trace\": 1}\n{\"tick\": 0.1, \"|\"}") == "times agent comment");
  CHECK(completed("espalier.json", "{\"modular\": {\"engine\": \"|\"}}") == "cryengine-5.6 cryengine-5.3 lumberyard-1");
}

TEST_CASE("renaming changes the name wherever it means the same") {
  CHECK(renamed("<SelectionTree name='T' type='B'><Variables><Variable name='See|n'/></Variables><Priority name='Seen'>"
                "<Leaf name='L' condition='seen and !Seen'/></Priority></SelectionTree>") ==
        "<SelectionTree name='T' type='B'><Variables><Variable name='New'/></Variables><Priority name='Seen'>"
        "<Leaf name='L' condition='New and !New'/></Priority></SelectionTree>");
  // States of two machines are two names.
  const std::string state = "<State name='A'><Transition state='A' condition='true'/><Leaf name='L'/></State>";
  CHECK(renamed("<SelectionTree name='T' type='B'><Priority name='P'><StateMachine name='M'>" + state +
                "</StateMachine><StateMachine name='N'><State name='A'><Transition state='|A' condition='true'/>"
                "<Leaf name='L'/></State></StateMachine></Priority></SelectionTree>") ==
        "<SelectionTree name='T' type='B'><Priority name='P'><StateMachine name='M'>" + state +
            "</StateMachine><StateMachine name='N'><State name='New'><Transition state='New' condition='true'/>"
            "<Leaf name='L'/></State></StateMachine></Priority></SelectionTree>");
  // What a block of another tree is called does not matter: it is that tree's own.
  const std::string tree =
      "<SelectionTree name='O' type='B'><Blocks><Block name='B'><Leaf name='L'/></Block></Blocks><Ref name='B'/>"
      "</SelectionTree>";
  CHECK(renamed("<SelectionTrees>" + tree +
                "<SelectionTree name='T' type='B'><Blocks><Block name='B'><Leaf name='L'/></Block></Blocks>"
                "<Ref name='B|'/></SelectionTree></SelectionTrees>") ==
        "<SelectionTrees>" + tree +
            "<SelectionTree name='T' type='B'><Blocks><Block name='New'><Leaf name='L'/></Block></Blocks>"
            "<Ref name='New'/></SelectionTree></SelectionTrees>");
  CHECK(renamed("<DeciderTree name='D'><DecisionFlags><Flag name='Night'/></DecisionFlags><Group name='G' "
                "policy='random'><Decider name='A' behavior='X' flagsAll='!Ni|ght'/></Group></DeciderTree>") ==
        "<DeciderTree name='D'><DecisionFlags><Flag name='New'/></DecisionFlags><Group name='G' "
        "policy='random'><Decider name='A' behavior='X' flagsAll='!New'/></Group></DeciderTree>");
  CHECK(renamed("<Beh|aviorTree><Root/></BehaviorTree>") == "no name");
  CHECK(renamed("<root><BehaviorTree ID='A'><Gate><SubTree ID='|B'/></Gate></BehaviorTree><BehaviorTree ID='B'>"
                "<B/></BehaviorTree><TreeNodesModel><SubTree ID='B'/></TreeNodesModel></root>") ==
        "<root><BehaviorTree ID='A'><Gate><SubTree ID='New'/></Gate></BehaviorTree><BehaviorTree ID='New'>"
        "<B/></BehaviorTree><TreeNodesModel><SubTree ID='New'/></TreeNodesModel></root>");
  CHECK(renamed("<root><BehaviorTree ID='A'><Gate><Action ID='Move'/><Ga|te></Gate></Gate></BehaviorTree>"
                "<TreeNodesModel><Decorator ID='Gate'/></TreeNodesModel></root>") ==
        "<root><BehaviorTree ID='A'><New><Action ID='Move'/><New></New></New></BehaviorTree>"
        "<TreeNodesModel><Decorator ID='New'/></TreeNodesModel></root>");
}

TEST_CASE("positions are counted in the units that the client asks for") {
  const std::string text = "aé𝄞b\r\nsecond\rthird";
  const editor::Lines lines(text);
  using editor::Encoding;
  using editor::LinePosition;
  const auto of_line = static_cast<std::uint32_t>(text.find('b'));
  CHECK(lines.position(of_line, Encoding::utf8) == LinePosition{0, 7});
  CHECK(lines.position(of_line, Encoding::utf16) == LinePosition{0, 4});
  CHECK(lines.position(1000, Encoding::utf16) == LinePosition{2, 5});
  for (std::uint32_t offset = 0; offset <= text.size(); ++offset) {
    const bool is_within = offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80;
    const bool is_in_break = offset > 0 && text.compare(offset - 1, 2, "\r\n") == 0;
    if (is_within || is_in_break) continue;
    for (const Encoding encoding : {Encoding::utf8, Encoding::utf16})
      CHECK(lines.offset(lines.position(offset, encoding), encoding) == offset);
  }
  CHECK(lines.offset({0, 3}, Encoding::utf16) == 3);  // within a character: its beginning
  CHECK(lines.offset({0, 999}, Encoding::utf16) == text.find('\r'));
  CHECK(lines.offset({999, 0}, Encoding::utf8) == text.size());
}

}  // namespace editor_answers
