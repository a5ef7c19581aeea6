// What is wrong with a file that is not well-formed XML: one finding each, at the exact place.
#include <cstdlib>
#include <memory>

#include "rules/rules.h"
#include "rules/xml.h"
#include "text/entities.h"
#include "text/xml.h"
#include "unit.h"

namespace text_faults {

using namespace espalier::text;
namespace rules = espalier::rules;
using namespace std::string_literals;

namespace {

struct Fault {
  Rule rule;
  std::string text;
  std::string place;   // LINE:COLUMN of the finding
  std::string marked;  // the text under it
  std::string hint = {};
};

std::string place_of(const Source& source, const Span& span) {
  const Position position = source.position(span.begin);
  return std::to_string(position.line) + ":" + std::to_string(position.column);
}

std::string_view marked_by(const Source& source, const Span& span) {
  return source.text().substr(span.begin, span.end - span.begin);
}

bool is_sound(const std::unique_ptr<XmlDocument>& document) { return document != nullptr && !document->is_damaged(); }

void check(const Fault& fault) {
  INFO(fault.text);
  Sources sources;
  Findings findings;
  CHECK_FALSE(is_sound(XmlDocument::parse("tree.xml", fault.text, sources, findings)));
  REQUIRE(findings.all().size() == 1);
  const Finding& finding = findings.all()[0];
  INFO(finding.message);
  CHECK(espalier::rules::info(finding.rule).name == espalier::rules::info(fault.rule).name);
  CHECK(finding.severity == Severity::error);
  CHECK(place_of(sources[finding.span.file], finding.span) == fault.place);
  CHECK(marked_by(sources[finding.span.file], finding.span) == fault.marked);
  CHECK(finding.hint.find(fault.hint) != std::string::npos);
}

std::string nested(std::size_t depth) {
  std::string begin;
  std::string end;
  for (std::size_t i = 0; i < depth; ++i) {
    begin += "<a>";
    end += "</a>";
  }
  return begin + end;
}

// The text after the finding's fixes.
std::string mended(const std::string& text) {
  Sources sources;
  Findings findings;
  CHECK_FALSE(is_sound(XmlDocument::parse("tree.xml", text, sources, findings)));
  std::string result = text;
  for (const Finding& finding : findings.all()) {
    if (finding.fixes.empty()) continue;
    const std::vector<Edit>& edits = finding.fixes[0].edits;
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
      result.replace(edit->span.begin, edit->span.end - edit->span.begin, edit->replacement);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("tags that do not nest are found at the tag that is wrong") {
  const Fault faults[] = {
      {rules::XML_mismatched_tag, "<a>\n <Leaf></Laef>\n</a>", "2:10", "Laef", "did you mean 'Leaf'?"},
      {rules::XML_mismatched_tag, "<a>\n <Leaf></leaf>\n</a>", "2:10", "leaf", "did you mean 'Leaf'?"},
      {rules::XML_mismatched_tag, "<a>\n <Leaf></Priority>\n</a>", "2:10", "Priority", "'</Leaf>' must come first"},
      {rules::XML_mismatched_tag, "<a>\n <b></b></b>\n</a>", "2:11", "b", "remove it"},
      {rules::XML_mismatched_tag, "<a>\n <b/></b>\n</a>", "2:8", "b", "remove it"},
      {rules::XML_mismatched_tag, "<a/></a>", "1:7", "a", "remove it"},
      {rules::XML_mismatched_tag, "<a/></b>", "1:7", "b"},
      {rules::XML_mismatched_tag, "</a>", "1:3", "a"},
      {rules::XML_unclosed_element, "<a>\n <b>\n</a>", "2:3", "b", "'/>'"},
      {rules::XML_unclosed_element, "<a>\n <b>\n <c/></a>", "2:3", "b", "add '</b>'"},
      {rules::XML_unclosed_element, "<a>\n <b>", "2:3", "b", "add '</b>'"},
      {rules::XML_unclosed_element, "<a>\n <b/>\n", "2:6", "\n", "add '</a>'"},
      {rules::XML_malformed, "<a>\n <b\n <c/>\n</a>", "2:3", "b"},
      {rules::XML_malformed, "<a>\n </b\n</a>", "2:2", "</b"},
      {rules::XML_malformed, "<a></ a>", "1:4", "</"},
      {rules::XML_malformed, "<a", "1:2", "a"},
      {rules::XML_malformed, "<a x='1' ", "1:2", "a"},
      {rules::XML_malformed, "<a></a", "1:4", "</a"},
      {rules::XML_malformed, "<", "1:1", "<"},
      {rules::XML_malformed, "<a / >", "1:4", "/", "'/>'"},
      {rules::XML_malformed, "<a><!b></a>", "1:4", "<!"},
  };
  for (const Fault& fault : faults) check(fault);
}

TEST_CASE("the tags that belong to a fault are related places") {
  struct {
    const char* text;
    const char* place;
  } const cases[] = {
      {"<a>\n <Leaf></Laef>\n</a>", "2:3"},  // the start tag
      {"<a>\n <b></b></b>\n</a>", "2:7"},    // the end tag before
      {"<a>\n <b>\n</a>", "3:3"},            // the end tag that came instead
      {"<a>\n <b>\n", "3:1"},                // the end
      {"<a b='1'\n b='2'/>", "1:4"},         // the first one
      {"<a/>\n<b/>", "1:2"},                 // the root
  };
  for (const auto& expected : cases) {
    INFO(expected.text);
    Sources sources;
    Findings findings;
    CHECK_FALSE(is_sound(XmlDocument::parse("tree.xml", expected.text, sources, findings)));
    REQUIRE(findings.all().size() == 1);
    REQUIRE(findings.all()[0].related.size() == 1);
    CHECK(place_of(sources[0], findings.all()[0].related[0].span) == expected.place);
  }
}

TEST_CASE("attributes are named, quoted, apart and different") {
  const Fault faults[] = {
      {rules::XML_malformed, "<a b=1/>", "1:6", "1", "write '\"1\"'"},
      {rules::XML_malformed, "<a b=1\"/>", "1:6", "1"},
      {rules::XML_malformed, "<a b/>", "1:4", "b", "write 'b=\"...\"'"},
      {rules::XML_malformed, "<a b= />", "1:4", "b", "write 'b=\"...\"'"},
      {rules::XML_malformed, "<a b='1'c='2'/>", "1:9", "c"},
      {rules::XML_malformed, "<a b='1\n'c='2'/>", "2:2", "c"},
      {rules::XML_malformed, "<a 1b='1'/>", "1:4", "1"},
      {rules::XML_malformed, "<a \xC3\x97='1'/>", "1:4", "\xC3\x97"},  // a multiplication sign is not a letter
      {rules::XML_malformed, "<a 'b'/>", "1:4", "'"},
      {rules::XML_malformed, "<r><a b='1/>\n<c d='2'/></r>", "1:9", "'"},
      {rules::XML_malformed, "<a b='1>\n</a>", "1:6", "'"},
      {rules::XML_malformed, "<a b='1'><c d='2></a>", "1:15", "'"},
      {rules::XML_malformed, "<a b=\"1", "1:6", "\""},
      {rules::XML_malformed, "<a b=\"1 c=\"2\"/>", "1:6", "\""},
      {rules::XML_duplicate_attribute, "<a b='1' c='2' b='3'/>", "1:16", "b"},
      {rules::XML_duplicate_attribute, "<a b='1' c='2' b='3' d='4'/>", "1:16", "b"},
  };
  for (const Fault& fault : faults) check(fault);

  std::string many = "<a";
  for (int i = 0; i < 100; ++i) many += "\nn" + std::to_string(i) + "='x'";
  check({rules::XML_duplicate_attribute, many + "\nn7=''/>", "102:1", "n7"});
}

TEST_CASE("characters that XML gives a meaning are written as references") {
  const Fault faults[] = {
      {rules::XML_unescaped_character, "<a b='x & y'/>", "1:9", "&", "write '&amp;'"},
      {rules::XML_unescaped_character, "<a b='x && y'/>", "1:9", "&&", "write '&amp;&amp;'"},
      {rules::XML_unescaped_character, "<a b='x&y'/>", "1:8", "&", "write '&amp;'"},
      {rules::XML_unescaped_character, "<a>Hide & Seek</a>", "1:9", "&", "write '&amp;'"},
      {rules::XML_unescaped_character, "<a b='x < y'/>", "1:9", "<", "write '&lt;'"},
      {rules::XML_unescaped_character, "<a b='x<y'/>", "1:8", "<", "write '&lt;'"},
      {rules::XML_unescaped_character, "<a>1 < 2</a>", "1:6", "<", "write '&lt;'"},
      {rules::XML_unescaped_character, "<a>]]></a>", "1:4", "]]>", "write ']]&gt;'"},
      {rules::XML_malformed, "<a b='&amp x'/>", "1:7", "&amp"},
      {rules::XML_malformed, "<a b='&#;'/>", "1:7", "&#"},
      {rules::XML_malformed, "<a b='&#x;'/>", "1:7", "&#x"},
      {rules::XML_malformed, "<a b='&#1F;'/>", "1:7", "&#1F"},
      {rules::XML_malformed, "<a b='&#65 '/>", "1:7", "&#65"},
      {rules::XML_malformed, "<a b='&#-1;'/>", "1:7", "&#"},
      {rules::XML_undefined_entity, "<a b='&foo;'/>", "1:7", "&foo;"},
      {rules::XML_undefined_entity, "<a>\n&nbsp;</a>", "2:1", "&nbsp;", "write '&#160;'"},
      {rules::XML_undefined_entity, "<a b='&AMP;'/>", "1:7", "&AMP;", "did you mean 'amp'?"},
      {rules::XML_undefined_entity, "<!DOCTYPE a SYSTEM 'x'><a b='&foo;'/>", "1:30", "&foo;", "DOCTYPE"},
      {rules::XML_undefined_entity, "<!DOCTYPE a [<!ENTITY food 'x'>]><a b='&foo;'/>", "1:40", "&foo;", "'food'?"},
  };
  for (const Fault& fault : faults) check(fault);
}

TEST_CASE("an entity that cannot be expanded is a fault where it is used") {
  const auto with = [](const std::string& declared, const std::string& body) {
    return "<!DOCTYPE a [" + declared + "]>\n" + body;
  };
  const Fault faults[] = {
      {rules::XML_unclosed_element, with("<!ENTITY e '<b>'>", "<a>&e;</a>"), "2:4", "&e;"},
      {rules::XML_mismatched_tag, with("<!ENTITY e '</a>'>", "<a>&e;</a>"), "2:4", "&e;"},
      {rules::XML_malformed, with("<!ENTITY e '&#38;e;'>", "<a b='&e;'/>"), "2:7", "&e;"},
      {rules::XML_malformed, with("<!ENTITY e '&f;'><!ENTITY f 'x&e;'>", "<a>&e;</a>"), "2:4", "&e;"},
      {rules::XML_undefined_entity, with("<!ENTITY e '&f;'>", "<a b='&e;'/>"), "2:7", "&e;"},
      {rules::XML_unescaped_character, with("<!ENTITY e '<b/>'>", "<a b='&e;'/>"), "2:7", "&e;", "write '&lt;'"},
      {rules::XML_unescaped_character, with("<!ENTITY e '&#38; x'>", "<a b='&e;'/>"), "2:7", "&e;"},
      {rules::XML_unescaped_character, with("<!ENTITY e 'a & b'>", "<a/>"), "1:28", "&"},
      {rules::XML_malformed, with("<!ENTITY e '5%'>", "<a/>"), "1:27", "%", "&#37;"},
      {rules::XML_malformed, with("<!ENTITY e SYSTEM 'x'>", "<a b='&e;'/>"), "2:7", "&e;"},
      {rules::XML_malformed, with("<!ENTITY e SYSTEM 'x' NDATA y>", "<a>&e;</a>"), "2:4", "&e;"},
      {rules::XML_malformed, with("<!ENTITY e>", "<a/>"), "1:14", "<!ENTITY e", "<!ENTITY name \"text\">"},
      {rules::XML_malformed, with("<!ENTITY e 'x' y>", "<a/>"), "1:14", "<!ENTITY e"},
      {rules::XML_malformed, "<!DOCTYPE a [<!ENTITY e 'x", "1:25", "'"},
  };
  for (const Fault& fault : faults) check(fault);
}

TEST_CASE("what entities stand for is limited, and counted before it is made") {
  const auto laughing = [](const std::string& first, int levels, const std::string& body) {
    std::string text = "<!DOCTYPE a [<!ENTITY e0 '" + first + "'>";
    for (int i = 1; i <= levels; ++i) {
      text += "<!ENTITY e" + std::to_string(i) + " '";
      for (int k = 0; k < 10; ++k) text += "&e" + std::to_string(i - 1) + ";";
      text += "'>";
    }
    return text + "]>\n" + body;
  };
  check({rules::XML_too_large, laughing("ha", 20, "<a b='&e20;'/>"), "2:7", "&e20;"});
  check({rules::XML_too_large, laughing("", 20, "<a>&e20;</a>"), "2:4", "&e20;"});  // empty, but very often
  std::string many = "<!DOCTYPE a [<!ENTITY e '" + std::string(1 << 20, 'x') + "'>]>\n<a b='";
  for (int i = 0; i < 8; ++i) many += "&e;";
  check({rules::XML_too_large, many + "'/>", "2:28", "&e;"});

  const auto nested_in = [](std::uint32_t depth) {
    std::string text = "<!DOCTYPE a [<!ENTITY e1 'x'>";
    for (std::uint32_t i = 2; i <= depth; ++i) {
      text += "<!ENTITY e" + std::to_string(i) + " '&e" + std::to_string(i - 1) + ";'>";
    }
    std::string body = "\n<a b='";
    for (std::uint32_t i = 16; i < depth; i += 16) body += "&e" + std::to_string(i) + ";";  // known before
    return text + "]>" + body + "&e" + std::to_string(depth) + ";'/>";
  };
  Sources sources;
  Findings findings;
  CHECK(XmlDocument::parse("tree.xml", nested_in(kMaxEntityDepth), sources, findings) != nullptr);
  CHECK(findings.all().empty());
  check({rules::XML_too_large, nested_in(kMaxEntityDepth + 1), "2:27", "&e65;"});
}

TEST_CASE("typographic quotes and the marks of a merge are told as what they are") {
  const std::string open = "\xE2\x80\x9C";
  const std::string close = "\xE2\x80\x9D";
  const Fault faults[] = {
      {rules::XML_malformed, "<a b=" + close + "1 2" + close + " c='3'/>", "1:6", close + "1 2" + close,
       "write '\"' in place of '" + close},
      {rules::XML_malformed, "<a b=" + open + "1\"/>", "1:6", open + "1\"", "write '\"'"},
      {rules::XML_malformed, "<a b=\xC2\xAB" + std::string("1/>"), "1:6", "\xC2\xAB", "write '\"'"},
      {rules::XML_malformed, "<a b=\"1" + close + " c=\"2\"/>", "1:6", "\"", "write '\"' in place of '" + close},
      {rules::XML_malformed, "<r><a b='1\xE2\x80\x99/>\n<c d='2'/></r>", "1:9", "'", "in place of '\xE2\x80\x99'"},
      {rules::XML_malformed, "<a>\n<<<<<<< HEAD\n<b/>\n=======\n<c/>\n>>>>>>> x\n</a>", "2:1", "<<<<<<< HEAD",
       "a merge is unfinished"},
      {rules::XML_malformed, "<<<<<<< HEAD\n<a/>\n=======\n<b/>\n>>>>>>> x\n", "1:1", "<<<<<<< HEAD", "a merge"},
      {rules::XML_malformed, "<a>\n<b>\n=======\n<c>\n>>>>>>> x\n</b></a>", "5:1", ">>>>>>> x", "a merge"},
      {rules::XML_malformed, "<a x='1'\n<<<<<<< HEAD\ny='1'\n=======\n>>>>>>> x\n/>", "2:1", "<<<<<<< HEAD", "a merge"},
      {rules::XML_unescaped_character, "<a>\n<<<<<< HEAD\n</a>", "2:1", "<<<<<<", "write '&lt;'"},
  };
  for (const Fault& fault : faults) check(fault);
}

TEST_CASE("characters that XML forbids are found, written and by number") {
  const Fault faults[] = {
      {rules::XML_bad_character, "<a b='\x07'/>", "1:7", "\x07"},
      {rules::XML_bad_character, "<a>\n\x1B[0m</a>", "2:1", "\x1B"},
      {rules::XML_bad_character, "<!-- \x01 --><a/>", "1:6", "\x01"},
      {rules::XML_bad_character, "<a/>\n\x1A", "2:1", "\x1A"},  // the end mark of old editors
      {rules::XML_bad_character, "<a>\xEF\xBF\xBE</a>", "1:4", "\xEF\xBF\xBE"},
      {rules::XML_bad_character, "<a><![CDATA[\xEF\xBF\xBF]]></a>", "1:13", "\xEF\xBF\xBF"},
      {rules::XML_bad_character, "<\x01/>", "1:2", "\x01"},
      {rules::XML_bad_character, "<a b\x01='1'/>", "1:5", "\x01"},
      {rules::XML_bad_character, "<a b='&am\x01p;'/>", "1:10", "\x01"},
      {rules::XML_bad_character, "<a b='&#7;'/>", "1:7", "&#7;"},
      {rules::XML_bad_character, "<a>&#x0;</a>", "1:4", "&#x0;"},
      {rules::XML_bad_character, "<a>&#xD800;</a>", "1:4", "&#xD800;"},
      {rules::XML_bad_character, "<a>&#xFFFF;</a>", "1:4", "&#xFFFF;"},
      {rules::XML_bad_character, "<a>&#x110000;</a>", "1:4", "&#x110000;"},
      {rules::XML_bad_character, "<a>&#99999999999999999999;</a>", "1:4", "&#99999999999999999999;"},
  };
  for (const Fault& fault : faults) check(fault);
}

TEST_CASE("a file has one root element and no text beside it") {
  const Fault faults[] = {
      {rules::XML_empty_file, "", "1:1", ""},
      {rules::XML_empty_file, " \n\t\n", "1:1", ""},
      {rules::XML_empty_file, "\xEF\xBB\xBF", "1:1", ""},
      {rules::XML_empty_file, "<?xml version='1.0'?>\n<!-- soon -->\n", "1:1", ""},
      {rules::XML_outside_root, "hello\n<a/>", "1:1", "hello"},
      {rules::XML_outside_root, "{\"a\": 1}", "1:1", "{\"a\": 1}"},
      {rules::XML_outside_root, "<a/>\nrest", "2:1", "rest"},
      {rules::XML_outside_root, "<a/>&amp;", "1:5", "&amp;"},
      {rules::XML_outside_root, "<a/>\n<b/>", "2:2", "b"},
      {rules::XML_outside_root, "<a></a><![CDATA[x]]>", "1:8", "<![CDATA["},
  };
  for (const Fault& fault : faults) check(fault);
}

TEST_CASE("declarations, comments and their like are closed and in place") {
  const Fault faults[] = {
      {rules::XML_malformed, "\n<?xml version='1.0'?>\n<a/>", "2:1", "<?xml", "remove the white space"},
      {rules::XML_malformed, "<!-- x --><?xml version='1.0'?><a/>", "1:11", "<?xml", "move it"},
      {rules::XML_malformed, "<?XML version='1.0'?><a/>", "1:1", "<?XML"},
      {rules::XML_malformed, "<?xml?><a/>", "1:1", "<?xml"},
      {rules::XML_malformed, "<?xml encoding='UTF-8'?><a/>", "1:7", "encoding"},
      {rules::XML_malformed, "<?xml version='1.0' standalone='no' encoding='UTF-8'?><a/>", "1:37", "encoding"},
      {rules::XML_malformed, "<?xml version='1.0' lang='en'?><a/>", "1:21", "lang"},
      {rules::XML_malformed, "<?xml version=1.0?><a/>", "1:15", "1.0?"},
      {rules::XML_malformed, "<?xml version='1.0'", "1:1", "<?xml"},
      {rules::XML_malformed, "<a><!-- x -- y --></a>", "1:11", "--"},
      {rules::XML_malformed, "<a><!-- x ---></a>", "1:11", "--"},
      {rules::XML_malformed, "<a>\n<!-- x</a>", "2:1", "<!--"},
      {rules::XML_malformed, "<a><![CDATA[ x</a>", "1:4", "<![CDATA["},
      {rules::XML_malformed, "<a><?go x</a>", "1:4", "<?go"},
      {rules::XML_malformed, "<a><? go?></a>", "1:4", "<?"},
      {rules::XML_malformed, "<!DOCTYPE a [ <a/>", "1:1", "<!DOCTYPE"},
      {rules::XML_malformed, "<!DOCTYPE><a/>", "1:1", "<!DOCTYPE"},
      {rules::XML_malformed, "<!DOCTYPE a><!DOCTYPE a><a/>", "1:13", "<!DOCTYPE"},
      {rules::XML_malformed, "<a/><!DOCTYPE a>", "1:5", "<!DOCTYPE"},
  };
  for (const Fault& fault : faults) check(fault);
}

TEST_CASE("a file that cannot be decoded is shown with the line where it fails") {
  const Fault faults[] = {
      {rules::XML_bad_encoding, "<a>\n<b c='\xFC'/>\n</a>", "2:7", "\xEF\xBF\xBD", "UTF-8"},
      {rules::XML_bad_encoding, "<a/>\0"s, "1:5", "\xEF\xBF\xBD"},
      {rules::XML_unsupported_encoding, "<?xml version='1.0' encoding='EBCDIC'?><a/>", "1:31", "EBCDIC", "UTF-16"},
      {rules::XML_contradicting_encoding, "<?xml version='1.0' encoding='utf-16'?><a/>", "1:31", "utf-16", "UTF-8"},
  };
  for (const Fault& fault : faults) check(fault);
}

TEST_CASE("elements are nested as deep as the limit, and no deeper") {
  Sources sources;
  Findings findings;
  CHECK(XmlDocument::parse("tree.xml", nested(kMaxNesting + 1), sources, findings) != nullptr);
  CHECK(findings.all().empty());
  check({rules::XML_too_deeply_nested, nested(kMaxNesting + 2), "1:3005", "a"});
  check({rules::XML_too_deeply_nested, nested(100'000), "1:3005", "a"});
}

TEST_CASE("a file beyond the limit is refused unread") {
  const std::size_t size = kMaxFileBytes + 1;
  const std::unique_ptr<char, decltype(&std::free)> bytes(static_cast<char*>(std::calloc(size, 1)), &std::free);
  REQUIRE(bytes != nullptr);
  Sources sources;
  Findings findings;
  CHECK_FALSE(is_sound(XmlDocument::parse("tree.xml", {bytes.get(), size}, sources, findings)));
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].rule == rules::XML_too_large);
  CHECK(sources[0].path() == "tree.xml");
}

TEST_CASE("names of any length leave messages short") {
  const std::string name(1'000'000, 'n');
  const std::string texts[] = {"<" + name + "></a>", "<" + name + ">",
                               "<a " + name + "/>",  "<a b=" + name + "/>",
                               "<a>&" + name + ";",  "<a/>" + name,
                               "<a></" + name + ">", "<?xml version='1.0' encoding='" + name + "'?><a/>"};
  for (const std::string& text : texts) {
    INFO(text.substr(0, 40));
    Sources sources;
    Findings findings;
    CHECK_FALSE(is_sound(XmlDocument::parse("tree.xml", text, sources, findings)));
    REQUIRE_FALSE(findings.all().empty());
    for (const Finding& finding : findings.all()) {
      CHECK(finding.message.size() < 300);
      CHECK(finding.hint.size() < 300);
      for (const Related& related : finding.related) CHECK(related.message.size() < 300);
    }
  }
}

TEST_CASE("a fix mends the fault") {
  struct {
    std::string text;
    std::string mended;
  } const cases[] = {
      {"<a b='x && y'/>", "<a b='x &amp;&amp; y'/>"},
      {"<a b='x < y'/>", "<a b='x &lt; y'/>"},
      {"<a b='&nbsp;'/>", "<a b='&#160;'/>"},
      {"<a b='&amp x'/>", "<a b='&amp; x'/>"},
      {"<a b=1/>", "<a b=\"1\"/>"},
      {"<a b=\xE2\x80\x9Dx y\xE2\x80\x9D/>", "<a b=\"x y\"/>"},
      {"<a b=\"x\xE2\x80\x9D c=\"y\"/>", "<a b=\"x\" c=\"y\"/>"},
      {"<a b=1'/>", "<a b='1'/>"},
      {"<a><Leaf></leaf></a>", "<a><Leaf></Leaf></a>"},
      {"<a><b/></b></a>", "<a><b/></a>"},
      {"<a><b></a>", "<a><b/></a>"},
      {"<a b='\x07'/>", "<a b=''/>"},
      {"\n<?xml version='1.0'?><a/>", "<?xml version='1.0'?><a/>"},
      {"<?Xml version='1.0'?><a/>", "<?xml version='1.0'?><a/>"},
      {"<a b='1'c='2'/>", "<a b='1' c='2'/>"},
      {"<?xml version='1.0' encoding='UTF-16'?><a/>", "<?xml version='1.0' encoding='UTF-8'?><a/>"},
  };
  for (const auto& expected : cases) {
    const std::string text = mended(expected.text);
    CHECK(text == expected.mended);
    INFO(text);
    Sources sources;
    Findings findings;
    CHECK(XmlDocument::parse("tree.xml", text, sources, findings) != nullptr);
  }
}

}  // namespace text_faults
