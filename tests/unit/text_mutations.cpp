// Damaged files: whatever the bytes, the result is either a document with correct places or a finding within the file.
// Deterministic, so that failures can be reproduced.
#include <algorithm>
#include <cstdint>
#include <random>

#include "text/xml.h"
#include "unit.h"

namespace text_mutations {

using namespace espalier::text;
using namespace std::string_literals;

namespace {

const std::string kDocuments[] = {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE a [ <!ENTITY b 'c'> ]>\n<a b='1' c=\"x &amp; &#x20AC; "
    "&quot;\">\r\n"
    "  <!-- espalier:ignore SEL001 why -->\n  <b c='d\r\ne'/>text &lt; <![CDATA[ <x> ]]><?go on?>\n  "
    "<c><d/></c>\n</a>\n",
    "<SelectionTree name=\"Guard\" type=\"BehaviorSelectionTree\">\n  <Priority name=\"Root\">\n    <Leaf "
    "name=\"Idle\" "
    "condition=\"a &amp; !b or (c xor d)\"/>\n  </Priority>\n</SelectionTree>\n",
    "\xEF\xBB\xBF<a \xC3\xA9='\xE2\x82\xAC\xF0\x9F\x8C\xB3&#128512;'/>",
    "\xFF\xFE<\0a\0 \0b\0=\0'\0&\0l\0t\0;\0\x3C\xD8\x33\xDF'\0/\0>\0"s,
    "<?xml version='1.0' encoding='windows-1252'?><a b='\x80\xE9&#10;'/>",
};

const std::string kWithEntities =
    "<!DOCTYPE a [ <!ENTITY b 'c&d;'> <!ENTITY d \"&#38;amp;'\"> <!ENTITY e '<f g=\"&b;\">&d;</f>'>\n"
    "<!ENTITY % h 'i'> ]>\n<a b='1&b;2' c=\"&d;&d;\">&e;<e/>&b;&lt;</a>\n";

const std::string kPieces[] = {
    "<", ">", "&",   "\"",   "'",    "/",    "]]>",          "<!--", "-->", "<![CDATA[", "<?", "?>", "&amp;", "&#",
    ";", "=", "\0"s, "\r\n", "\xFF", "\x80", "\xEF\xBF\xBE", "</a>", "<a>", "<!DOCTYPE", "[",  "a",  " ",     "<?xml "};

std::string damaged(std::mt19937& random, std::string text) {
  const unsigned times = 1 + random() % 2;
  for (unsigned i = 0; i < times && !text.empty(); ++i) {
    const std::size_t at = random() % text.size();
    const std::string& piece = kPieces[random() % std::size(kPieces)];
    switch (random() % 6) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.erase(at, 1 + random() % 8);
        break;
      case 2:
        text.insert(at, piece);
        break;
      case 3:
        text[at] = static_cast<char>(random());
        break;
      case 4:
        text.insert(at, text.substr(random() % text.size(), random() % 40));
        break;
      case 5:
        text.replace(at, 1, piece);
        break;
    }
  }
  return text;
}

// Reads a value as it is written, independently of how the parser does.
std::string read_value(std::string_view written) {
  std::string result;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] == '\r' && i + 1 < written.size() && written[i + 1] == '\n') continue;
    if (written[i] != '&') {
      result += written[i] == '\n' || written[i] == '\r' || written[i] == '\t' ? ' ' : written[i];
      continue;
    }
    const std::size_t end = written.find(';', i);
    const std::string name(written.substr(i + 1, end - i - 1));
    if (name[0] != '#') {
      result += name == "amp" ? '&' : name == "lt" ? '<' : name == "gt" ? '>' : name == "quot" ? '"' : '\'';
    } else {
      const unsigned long code = name[1] == 'x' ? std::stoul(name.substr(2), nullptr, 16) : std::stoul(name.substr(1));
      if (code < 0x80) {
        result += static_cast<char>(code);
      } else if (code < 0x800) {
        result += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 63))};
      } else if (code < 0x10000) {
        result += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 63)),
                   static_cast<char>(0x80 | (code & 63))};
      } else {
        result += {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 63)),
                   static_cast<char>(0x80 | (code >> 6 & 63)), static_cast<char>(0x80 | (code & 63))};
      }
    }
    i = end;
  }
  return result;
}

bool lies_in(const Sources& sources, const Span& span) {
  return span.file < sources.size() && span.begin <= span.end && span.end <= sources[span.file].text().size();
}

bool is_whole(const Sources& sources, const Finding& finding) {
  if (finding.message.empty() || !lies_in(sources, finding.span)) return false;
  for (const Related& related : finding.related) {
    if (related.message.empty() || !lies_in(sources, related.span)) return false;
  }
  for (const Fix& fix : finding.fixes) {
    if (fix.title.empty() || fix.edits.empty()) return false;
    for (const Edit& edit : fix.edits) {
      if (!lies_in(sources, edit.span)) return false;
    }
  }
  // pugixml finds no fault that the strict check missed.
  return finding.message.rfind("the file cannot be parsed", 0) != 0;
}

bool has_right_places(const Sources& sources, const Element& element) {
  const std::string_view text = sources[0].text();
  auto at = [&](Span span) { return text.substr(span.begin, span.end - span.begin); };
  if (at(element.span()) != element.name() || text[element.span().begin - 1] != '<') return false;
  for (const Attribute& attribute : element.attributes()) {
    const std::string_view value = attribute.value();
    const Span whole = attribute.value_span();
    if (at(attribute.name_span()) != attribute.name() || read_value(at(whole)) != value) return false;
    const auto size = static_cast<std::uint32_t>(value.size());
    if (attribute.value_span(0, size) != whole) return false;
    // Each piece up to each place is what is written up to there.
    for (std::uint32_t i = 0; i <= size; ++i) {
      const bool splits_character = i < size && (static_cast<unsigned char>(value[i]) & 0xC0) == 0x80;
      if (!splits_character && read_value(at(attribute.value_span(0, i))) != value.substr(0, i)) return false;
      if (!splits_character && read_value(at(attribute.value_span(i, size))) != value.substr(i)) return false;
    }
  }
  for (const Element& child : element.children()) {
    if (!has_right_places(sources, child)) return false;
  }
  return true;
}

// All places in a damaged document are within the file.
bool lies_right(const Sources& sources, const XmlDocument* document) {
  if (document == nullptr) return true;
  auto visit = [&](const Element& element, auto& self) -> bool {
    bool is_right = lies_in(sources, element.span()) && lies_in(sources, element.end_span());
    for (const TextPiece& piece : element.text()) is_right = is_right && lies_in(sources, piece.span);
    for (const Attribute& attribute : element.attributes()) {
      const auto size = static_cast<std::uint32_t>(attribute.value().size());
      is_right = is_right && lies_in(sources, attribute.name_span()) && lies_in(sources, attribute.value_span());
      for (std::uint32_t i = 0; i <= size; ++i) is_right = is_right && lies_in(sources, attribute.value_span(i, size));
    }
    for (const Element& child : element.children()) is_right = self(child, self) && is_right;
    return is_right;
  };
  for (const Comment& comment : document->comments()) {
    if (!lies_in(sources, comment.span) || !lies_in(sources, comment.subject)) return false;
  }
  return document->root() && visit(document->root(), visit);
}

// Is the result for `bytes` correct? `parsed` counts the files that were parsed without a fault.
bool is_sound(const std::string& bytes, int& parsed) {
  Sources sources;
  Findings findings;
  const auto document = XmlDocument::parse("tree.xml", bytes, sources, findings);
  for (const Finding& finding : findings.all()) {
    if (!is_whole(sources, finding)) return false;
  }
  if (document == nullptr || document->is_damaged())
    return findings.has_errors() && lies_right(sources, document.get());
  ++parsed;
  return findings.all().empty() && has_right_places(sources, document->root());
}

}  // namespace

TEST_CASE("every cut of a file is parsed or has findings") {
  for (const std::string& document : kDocuments) {
    for (std::size_t size = 0; size <= document.size(); ++size) {
      int parsed = 0;
      INFO(document.substr(0, size));
      REQUIRE(is_sound(document.substr(0, size), parsed));
    }
  }
}

TEST_CASE("every damaged file is parsed or has findings") {
  std::mt19937 random(7);
  int parsed = 0;
  constexpr int kTimes = 10'000;
  for (int i = 0; i < kTimes; ++i) {
    const std::string bytes = damaged(random, kDocuments[random() % std::size(kDocuments)]);
    INFO(bytes);
    REQUIRE(is_sound(bytes, parsed));
  }
  // Otherwise the test would prove little.
  CHECK(parsed > kTimes / 20);
  CHECK(parsed < kTimes / 2);
}

TEST_CASE("fixes come to an end: applied one after the other, the file is parsed or what is left has none") {
  std::mt19937 random(11);
  int fixed = 0;
  for (int i = 0; i < 3'000; ++i) {
    std::string text = damaged(random, kDocuments[1]);
    INFO(text);
    for (int step = 0;; ++step) {
      REQUIRE(step < 100);
      Sources sources;
      Findings findings;
      const auto document = XmlDocument::parse("tree.xml", text, sources, findings);
      if (document != nullptr && !document->is_damaged()) break;
      const auto fixable = std::find_if(findings.all().begin(), findings.all().end(),
                                        [](const Finding& finding) { return !finding.fixes.empty(); });
      if (fixable == findings.all().end()) break;
      const Edit& edit = fixable->fixes[0].edits[0];
      text = sources[0].text();
      text.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.replacement);
      ++fixed;
    }
  }
  CHECK(fixed > 300);
}

TEST_CASE("every damaged file with entities is parsed or has faults, and places lie in the file") {
  std::mt19937 random(13);
  int parsed = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::string bytes = damaged(random, kWithEntities);
    INFO(bytes);
    Sources sources;
    Findings findings;
    const auto document = XmlDocument::parse("tree.xml", bytes, sources, findings);
    std::size_t error_count = 0;
    for (const Finding& finding : findings.all()) {
      REQUIRE(is_whole(sources, finding));
      error_count += finding.severity == Severity::error ? 1 : 0;
    }
    const bool is_sound = document != nullptr && !document->is_damaged();
    REQUIRE((error_count == 0) == is_sound);
    parsed += is_sound ? 1 : 0;
    REQUIRE(lies_right(sources, document.get()));
  }
  CHECK(parsed > 500);
}

}  // namespace text_mutations
