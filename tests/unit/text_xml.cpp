// Elements, attributes and the exact places of everything in them.
#include "text/xml.h"

#include "rules/xml.h"
#include "unit.h"

namespace text_xml {

using namespace espalier::text;
namespace rules = espalier::rules;
using namespace std::string_literals;

namespace {

// A file that is parsed without a finding.
struct Parsed {
  Sources sources;
  Findings findings;
  std::unique_ptr<XmlDocument> document;

  explicit Parsed(const std::string& bytes) : document(XmlDocument::parse("tree.xml", bytes, sources, findings)) {
    INFO(bytes);
    REQUIRE(document != nullptr);
    CHECK(findings.all().empty());
  }
  std::string_view at(Span span) const { return sources[span.file].text().substr(span.begin, span.end - span.begin); }
};

}  // namespace

TEST_CASE("elements and attributes come in file order, without what stands between them") {
  const Parsed parsed(
      "<?xml version='1.0'?><!DOCTYPE a [<!ELEMENT a (b)> ]><!-- x --><a one='1' two='2'>text<b/><!-- y --><c>"
      "<d/></c><![CDATA[<e/>]]><?go on?><f/></a><!-- z -->");
  const Element root = parsed.document->root();
  CHECK(root.name() == "a");
  std::vector<std::string_view> values;
  for (const Attribute& attribute : root.attributes()) values.push_back(attribute.value());
  CHECK(values == std::vector<std::string_view>{"1", "2"});
  REQUIRE(root.children().size() == 3);
  CHECK(root.children()[1].name() == "c");
  CHECK(root.children()[1].first_child().name() == "d");
  CHECK(root.children()[1].next_sibling().name() == "f");
  CHECK_FALSE(root.children()[2].next_sibling());
  CHECK_FALSE(root.children()[2].first_child());
  CHECK(root.children()[0].parent() == root);
  CHECK_FALSE(root.parent());
  CHECK(parsed.document->root_name() == "a");
  CHECK(parsed.document->root_span() == root.span());
  parsed.document->release_tree();
  CHECK(parsed.document->root().children()[2].name() == "f");
}

TEST_CASE("attributes are found by their exact name or without case, the first one counts") {
  const Parsed parsed("<a Name='1' name='2' NAME='3'/>");
  const Element root = parsed.document->root();
  CHECK(root.attribute("name").value() == "2");
  CHECK_FALSE(root.attribute("nAME"));
  CHECK(root.attribute_any_case("nAME").value() == "1");
  CHECK_FALSE(root.attribute_any_case("names"));
}

TEST_CASE("what is not there has no place, and asking for it is safe") {
  const Parsed parsed("<a/>");
  const Attribute none = parsed.document->root().attribute("none");
  CHECK(none.value_span() == Span{});
  CHECK(none.value_span(1, 2) == Span{});
  CHECK(none.name_span() == Span{});
  CHECK(none.value().empty());
  CHECK(parsed.document->root().first_child().span() == Span{});
  CHECK(parsed.document->root().first_child().attributes().empty());
}

TEST_CASE("elements and attributes know where they are written") {
  const Parsed parsed(
      "\xEF\xBB\xBF<?xml version='1.0'?>\r\n<!DOCTYPE a>\r\n<a>\r\n  <L\xC3\xA9"
      "af\r\n   name = \"Id le\" x=''/>\r\n</a>");
  const Element leaf = parsed.document->root().first_child();
  CHECK(parsed.at(leaf.span()) ==
        "L\xC3\xA9"
        "af");
  CHECK(parsed.sources[0].position(leaf.span().begin).line == 4);
  CHECK(parsed.sources[0].position(leaf.span().begin).column == 4);
  CHECK(parsed.at(leaf.attribute("name").name_span()) == "name");
  CHECK(parsed.sources[0].position(leaf.attribute("name").name_span().begin).line == 5);
  CHECK(parsed.at(leaf.attribute("name").value_span()) == "Id le");
  CHECK(parsed.at(leaf.attribute("x").value_span()) == "");
  CHECK(parsed.at({0, leaf.attribute("x").value_span().begin - 2, leaf.attribute("x").value_span().end + 1}) == "=''");
}

TEST_CASE("line breaks and tabs in a value are spaces, unless they are written as references") {
  const Parsed parsed("<a b='1\n2\r\n3\r4\t5&#10;6&#13;7&#9;8'/>");
  CHECK(parsed.document->root().attribute("b").value() == "1 2 3 4 5\n6\r7\t8");
}

TEST_CASE("a piece of a value is found where it is written") {
  struct {
    const char* written;
    const char* value;
    std::uint32_t begin, end;
    const char* piece;
  } const cases[] = {
      {"plain", "plain", 1, 3, "la"},
      {"plain", "plain", 0, 5, "plain"},
      {"plain", "plain", 5, 5, ""},
      {"", "", 0, 0, ""},
      {"a &amp; b", "a & b", 0, 1, "a"},
      {"a &amp; b", "a & b", 2, 3, "&amp;"},
      {"a &amp; b", "a & b", 1, 3, " &amp;"},
      {"a &amp; b", "a & b", 3, 5, " b"},
      {"a &amp; b", "a & b", 4, 5, "b"},
      {"a &amp; b", "a & b", 2, 2, ""},
      {"&lt;&gt;", "<>", 0, 1, "&lt;"},
      {"&lt;&gt;", "<>", 1, 2, "&gt;"},
      {"&lt;&gt;", "<>", 0, 2, "&lt;&gt;"},
      {"&quot;&apos;x", "\"'x", 1, 3, "&apos;x"},
      {"&#65;&#x42;C", "ABC", 1, 2, "&#x42;"},
      {"&#65;&#x42;C", "ABC", 2, 3, "C"},
      {"x&#xE9;y", "x\xC3\xA9y", 1, 3, "&#xE9;"},
      {"x&#xE9;y", "x\xC3\xA9y", 3, 4, "y"},
      {"x&#xE9;y", "x\xC3\xA9y", 2, 3, "&#xE9;"},  // half of a character is all of it
      {"x&#xE9;y", "x\xC3\xA9y", 1, 2, "&#xE9;"},
      {"x&#x20AC;y&#x1F333;z", "x\xE2\x82\xACy\xF0\x9F\x8C\xB3z", 5, 9, "&#x1F333;"},
      {"x&#x20AC;y&#x1F333;z", "x\xE2\x82\xACy\xF0\x9F\x8C\xB3z", 9, 10, "z"},
      {"\xC3\xA9y", "\xC3\xA9y", 2, 3, "y"},
      {"a\r\nb", "a b", 1, 2, "\r\n"},
      {"a\r\nb", "a b", 2, 3, "b"},
      {"a\n\rb", "a  b", 3, 4, "b"},
      {"&amp;\r\n&amp;x", "& &x", 3, 4, "x"},
  };
  for (const auto& expected : cases) {
    INFO(expected.written << " " << expected.begin << " " << expected.end);
    // The surrounding text, rewritten too, changes nothing.
    const Parsed parsed("<a z='&amp;&#10;'>&amp;\r\n<b y='\r\n' x=\"" + std::string(expected.written) +
                        "\" w='&amp;'/></a>");
    const Attribute attribute = parsed.document->root().first_child().attribute("x");
    CHECK(attribute.value() == expected.value);
    CHECK(parsed.at(attribute.value_span()) == expected.written);
    CHECK(parsed.at(attribute.value_span(expected.begin, expected.end)) == expected.piece);
  }
}

TEST_CASE("a place beyond a value stays within the file") {
  const Parsed parsed("<a b='&amp;c'/>");
  const Span span = parsed.document->root().attribute("b").value_span(100, 4'000'000'000);
  CHECK(span.begin <= span.end);
  CHECK(span.end <= parsed.sources[0].text().size());
}

TEST_CASE("a value of megabytes answers a million questions about its places") {
  std::string value;
  for (int i = 0; i < 1'000'000; ++i) value += "a &amp; ";
  const Parsed parsed("<a b='" + value + "'/>");
  const Attribute attribute = parsed.document->root().attribute("b");
  bool all_right = true;
  for (std::uint32_t i = 0; i < 1'000'000; ++i) {
    const Span span = attribute.value_span(4 * i + 2, 4 * i + 3);
    all_right = all_right && span == Span{0, 6 + 8 * i + 2, 6 + 8 * i + 7};
  }
  CHECK(all_right);
}

TEST_CASE("whatever the encoding, places count bytes of UTF-8") {
  const Parsed parsed("<?xml version='1.0' encoding='ISO-8859-1'?>\n<b\xE4um \xFC='\xDF\xDFx'/>");
  const Element root = parsed.document->root();
  CHECK(root.name() == "b\xC3\xA4um");
  CHECK(parsed.sources[0].position(root.attribute("\xC3\xBC").name_span().begin).column == 8);
  CHECK(root.attribute("\xC3\xBC").value() == "\xC3\x9F\xC3\x9Fx");
  CHECK(parsed.at(root.attribute("\xC3\xBC").value_span(4, 5)) == "x");
}

TEST_CASE("comments are kept, with their places and what they are about") {
  const Parsed parsed(
      "<!-- file --><?go?><a>\n  <!-- of b --><!-- too -->\n  <b>x<!-- of text -->y</b><!-- last --></a><!-- end -->");
  std::vector<std::string> seen;
  for (const Comment& comment : parsed.document->comments()) {
    seen.push_back(std::string(parsed.at(comment.span)) + "|" + std::string(parsed.at(comment.subject)).substr(0, 2) +
                   (comment.is_before_root ? "|before root" : ""));
  }
  CHECK(seen ==
        std::vector<std::string>{" file |<a|before root", " of b |<b", " too |<b", " of text |", " last |", " end |"});
}

TEST_CASE("a DOCTYPE is passed over, whatever it holds") {
  const std::string doctypes[] = {"<!DOCTYPE a>", "<!DOCTYPE a SYSTEM \"x'>y.dtd\">",
                                  "<!DOCTYPE a [ <!ENTITY b \"]>\"> <!-- ' ]> --> <?c ]>?> ]>",
                                  "<!DOCTYPE a PUBLIC '-//x//y' \"file:///etc/passwd\" [ <!ENTITY % p SYSTEM 'p'> ] >"};
  for (const std::string& doctype : doctypes) {
    INFO(doctype);
    const Parsed parsed(doctype + "<a b='1'/>");
    CHECK(parsed.at(parsed.document->root().attribute("b").name_span()) == "b");
  }
}

TEST_CASE("well-formed files of every kind are parsed") {
  const std::string texts[] = {"<a/>",
                               "<a></a >",
                               "<a\n/>",
                               "<a b='>'/>",
                               "<a b='\"' c=\"'\"/>",
                               "<a b='1'\tc='2'\r\n/>",
                               "<a:b c:d='' xmlns:c='x'/>",
                               "<_a.b-c\xC2\xB7/>",
                               "<a>]] > ]></a>",
                               "<a><!----><!-- - - --></a>",
                               "<a><![CDATA[]]]]><![CDATA[>&<]]></a>",
                               "<?xml version='1.1' standalone = \"yes\" ?>\n<a/>\n",
                               "<?xml-stylesheet href='x'?><a/>",
                               "<?go?><a/><?go ?>",
                               "<a>&lt;&#x10FFFF;&#9;</a>",
                               "\xEF\xBB\xBF<a/>",
                               " \n<a/>",
                               "<a b='&#38;#60;'/>",
                               "<\xE6\x97\xA5\xE6\x9C\xAC/>",
                               "<a>\x7F\xC2\x80</a>"};
  for (const std::string& text : texts) Parsed parsed(text);
}

TEST_CASE("the place of an end tag is known, whatever stands around and in it") {
  const Parsed parsed(
      "<?xml version='1.0'?>\n<a1 x='/>'>text<b1/><!-- </b2> --><b2>\n</b2><b3 >&lt;<c1><d1/></c1><c2></c2 "
      "><![CDATA[</c3>]]>\n"
      "</b3  >\n<?go </b4>?><b5><c4><d2 y=''></d2\t></c4><!----></b5></a1>\n<!-- </a2> --><?end </a3>?>\n");
  std::vector<std::string> ends;
  auto visit = [&](const Element& element, auto& self) -> void {
    const Span end = element.end_span();
    const bool has_end_tag = end.begin != end.end;
    CAPTURE(element.name());
    if (has_end_tag) CHECK(parsed.at({end.file, end.begin - 2, end.end}) == "</" + std::string(element.name()));
    ends.push_back(std::string(element.name()) + (has_end_tag ? "" : " has none"));
    for (const Element& child : element.children()) self(child, self);
  };
  visit(parsed.document->root(), visit);
  CHECK(ends == std::vector<std::string>{"a1", "b1 has none", "b2", "b3", "c1", "d1 has none", "c2", "b5", "c4", "d2"});
}

TEST_CASE("the text of an element comes in pieces, with their places, and blank ones between others") {
  const Parsed parsed("<a> <!-- x -->one<b/>\n<c>no</c>&lt;two<![CDATA[ three]]> <?go?><d> </d></a>");
  std::vector<std::string> texts;
  std::vector<std::string> written;
  for (const TextPiece& piece : parsed.document->root().text()) {
    texts.emplace_back(piece.text);
    written.emplace_back(parsed.at(piece.span));
  }
  CHECK(texts == std::vector<std::string>{" ", "one", " ", "<two", " three", " "});
  CHECK(written == std::vector<std::string>{" ", "one", "\n", "&lt;two", " three", " "});
  CHECK(Parsed("<a/>").document->root().text().empty());
  CHECK(Parsed("<a><b/><![CDATA[]]></a>").document->root().text().size() == 1);
}

TEST_CASE("a document tells its encoding, its byte order mark and its internal subset") {
  const Parsed plain("<!DOCTYPE a SYSTEM '['><a/>");
  CHECK(plain.document->encoding() == "UTF-8");
  CHECK_FALSE(plain.document->has_byte_order_mark());
  CHECK(plain.document->internal_subset() == Span());
  CHECK(Parsed("\xEF\xBB\xBF<a/>").document->has_byte_order_mark());
  CHECK(Parsed("<?xml version='1.0' encoding='latin1'?><a/>").document->encoding() == "ISO-8859-1");
  const Parsed declares("<!DOCTYPE a [<!ENTITY b '['>]><a/>");
  CHECK(declares.at(declares.document->internal_subset()) == "[");
  CHECK(declares.document->internal_subset().begin == 12);
}

TEST_CASE("a reference to a declared entity stands for its text, in values and between tags") {
  const std::string doctype =
      "<!DOCTYPE a [<!ENTITY e 'x&f;y'> <!ENTITY f \"'&#38;lt;'\"> <!ENTITY e 'second'>\n"
      "<!ENTITY b '<b c=\"&e;\" d=\"2\"/>&e;'> <!ENTITY none ''> <!ENTITY break 'p&#10;q&#38;#10;r'> ]>\n";
  const Parsed parsed(doctype + "<a v='1&e;2&amp;3' w='&none;' x='&break;'>&b;<z y='4'/>&none;</a>");
  const Element root = parsed.document->root();
  CHECK(root.attribute("v").value() == "1x'<'y2&3");
  CHECK(root.attribute("w").value().empty());
  CHECK(root.attribute("x").value() == "p q\nr");
  const Element inner = root.first_child();
  CHECK(inner.name() == "b");
  CHECK(inner.attribute("c").value() == "x'<'y");
  REQUIRE(root.text().size() == 1);
  CHECK(root.text()[0].text == "x'<'y");

  // Literal text keeps its place; the text of a reference has the place of the reference.
  CHECK(parsed.at(root.attribute("v").value_span()) == "1&e;2&amp;3");
  CHECK(parsed.at(root.attribute("v").value_span(0, 1)) == "1");
  CHECK(parsed.at(root.attribute("v").value_span(1, 3)) == "&e;");
  CHECK(parsed.at(root.attribute("v").value_span(3, 4)) == "&e;");
  CHECK(parsed.at(root.attribute("v").value_span(5, 7)) == "&e;2");
  CHECK(parsed.at(root.attribute("v").value_span(6, 7)) == "2");
  CHECK(parsed.at(root.attribute("v").value_span(7, 8)) == "&amp;");
  CHECK(parsed.at(root.attribute("v").value_span(8, 9)) == "3");
  CHECK(parsed.at(inner.span()) == "&b;");
  CHECK(parsed.at(inner.attribute("d").name_span()) == "&b;");
  CHECK(parsed.at(inner.attribute("d").value_span(0, 1)) == "&b;");
  CHECK(parsed.at(root.text()[0].span) == "&b;");
  const Element last = inner.next_sibling();
  CHECK(parsed.at(last.span()) == "z");
  CHECK(parsed.at(last.attribute("y").value_span()) == "4");
  CHECK(parsed.at(root.end_span()) == "a");
  CHECK(parsed.document->has_expansions());
  CHECK(parsed.document->is_expanded(inner.span()));
  CHECK_FALSE(parsed.document->is_expanded(last.span()));
}

TEST_CASE("what an external or a parameter entity stands for is not read, with a warning where it is used") {
  const std::pair<const char*, const char*> cases[] = {
      {"<!DOCTYPE a [<!ENTITY e SYSTEM 'x'>]><a>&e;<b/></a>", "&e;"},
      {"<!DOCTYPE a [<!ENTITY e PUBLIC 'x' 'y'><!ENTITY f '&e;'>]><a>&f;<b/></a>", "&f;"},
      {"<!DOCTYPE a [<!ENTITY % e SYSTEM 'x'> %e; <!ENTITY f '<'>]><a><b/></a>", "%e;"},
  };
  for (const auto& [text, place] : cases) {
    INFO(text);
    Sources sources;
    Findings findings;
    const auto document = XmlDocument::parse("tree.xml", text, sources, findings);
    REQUIRE(document != nullptr);
    CHECK(document->root().first_child().name() == "b");
    REQUIRE(findings.all().size() == 1);
    CHECK(findings.all()[0].rule == rules::XML_external_entity);
    CHECK(findings.all()[0].severity == Severity::warning);
    const Span span = findings.all()[0].span;
    CHECK(std::string_view(text).substr(span.begin, span.end - span.begin) == place);
  }
}

TEST_CASE("what a reader tolerates is no fault and stands for itself, all else stays one") {
  const auto read = [](const std::string& text, const ScanOptions& options, std::string& value) {
    Sources sources;
    Findings findings;
    const auto document = XmlDocument::parse("tree.xml", text, sources, findings, options);
    if (document != nullptr) value = document->root().attribute("b").value();
    return findings.all().size();
  };
  std::string value;
  CHECK(read("<a b='x && y &c; &amp;'/>", {}, value) == 2);
  CHECK(read("<a b='x < y'/>", {}, value) == 1);
  CHECK(read("<!-- -- --><a b='x'/>", {}, value) == 1);
  CHECK(read(" <?xml version='1.0'?><a b='x'/>", {}, value) == 1);
  const ScanOptions lenient{.is_lenient = true};
  CHECK(read("<a b='x && y & &amp;'/>", lenient, value) == 0);
  CHECK(value == "x && y & &");
  CHECK(read("<a b='x <y and z<3'/>", lenient, value) == 0);
  CHECK(value == "x <y and z<3");
  CHECK(read("<a b='x &foo; &lt;'/>", lenient, value) == 0);
  CHECK(value == "x &foo; <");
  CHECK(read("\n <?xml version='1.0'?><!---- - -- -><---><a b='y'/>", lenient, value) == 0);
  CHECK(value == "y");
  CHECK(read("<a b='x'>&</a>", lenient, value) == 1);
  CHECK(read("<a b='x'>&foo;</a>", lenient, value) == 1);
  CHECK(read("<r><a b='x>\n<c d='y'/></a></r>", lenient, value) == 1);
}

TEST_CASE("crossed tags are one fault, and several forgotten end tags are several") {
  const auto count = [](const std::string& text) {
    Sources sources;
    Findings findings;
    const auto document = XmlDocument::parse("tree.xml", text, sources, findings);
    CHECK(document != nullptr);
    return findings.all().size();
  };
  CHECK(count("<a><b></a></b>") == 1);
  CHECK(count("<r><a><b><c/></a></b><d/></r>") == 1);
  CHECK(count("<r><a><b><c></a></c></b></r>") == 1);
  CHECK(count("<r><a><b><c></a></r>") == 2);
  CHECK(count("<r><a>\n<b></r></b></a></r>") == 1);
  CHECK(count("<r><a></x></a></r>") == 1);
}

TEST_CASE("a document with edits has the places of the source") {
  const Parsed parsed("<root><Star a='x'/><!-- y --><Plus b='1'/></root>");
  const Element star = parsed.document->root().first_child();
  const Span name = star.span();
  const Span value = star.attribute("a").value_span();
  const std::vector<Edit> edits = {{name, "SequenceWithMemory"},
                                   {{value.file, value.begin, value.begin}, "{"},
                                   {{value.file, value.end, value.end}, "}"}};
  const auto edited = parse_edited(*parsed.document->parsed(), edits);
  REQUIRE(edited != nullptr);
  const XmlDocument document(edited, parsed.document->file());
  const Element element = document.root().first_child();
  CHECK(element.name() == "SequenceWithMemory");
  CHECK(parsed.at(element.span()) == "Star");
  CHECK(element.attribute("a").value() == "{x}");
  CHECK(document.is_expanded(element.span()));
  CHECK(parsed.at(element.next_sibling().span()) == "Plus");
  CHECK(parsed.at(element.next_sibling().attribute("b").value_span()) == "1");
  CHECK_FALSE(document.is_expanded(element.next_sibling().span()));
  CHECK(parse_edited(*parsed.document->parsed(), {{name, "<"}}) == nullptr);
}

}  // namespace text_xml
