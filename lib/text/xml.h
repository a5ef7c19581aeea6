// XML with exact positions: a pugixml document over decoded text, where every element, attribute and character of an
// attribute's value knows its place in the source. Well-formedness is checked strictly; what pugixml lets through is
// found here. References to entities that the file's DOCTYPE declares are replaced; what stands in them has the place
// of the reference.
#pragma once
#include <cstdint>
#include <memory>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/finding.h"
#include "text/scan.h"
#include "text/source.h"

namespace espalier::text {

// Limits on what comes from outside; each has a finding of its own.
inline constexpr std::uint32_t kMaxNesting = 1000;                      // elements within elements
inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 30;  // of one file, decoded

class XmlDocument;

// An attribute of an element. Cheap to copy; valid while its document lives.
class Attribute {
 public:
  Attribute() = default;
  Attribute(const XmlDocument* document, pugi::xml_attribute attribute) : document_(document), attribute_(attribute) {}
  explicit operator bool() const { return bool(attribute_); }
  std::string_view name() const { return attribute_.name(); }
  std::string_view value() const { return attribute_.value(); }  // entities resolved
  Span name_span() const;
  Span value_span() const;  // between the quotes
  // The place of bytes [begin, end) of value() in the source, entities counted as they are written. Logarithmic, so
  // that many findings in one long value stay cheap; begin and end are not beyond value().
  Span value_span(std::uint32_t begin, std::uint32_t end) const;

 private:
  const XmlDocument* document_ = nullptr;
  pugi::xml_attribute attribute_;
};

// Character data or a CDATA section, between whatever else stands in an element.
struct TextPiece {
  std::string text;  // references resolved; a blank one may be shorter than it is written
  Span span;         // as it is written
};

// An element. Cheap to copy; valid while its document lives.
class Element {
 public:
  Element() = default;
  Element(const XmlDocument* document, pugi::xml_node node) : document_(document), node_(node) {}
  explicit operator bool() const { return bool(node_); }
  std::string_view name() const { return node_.name(); }
  Span span() const;      // the name in the start tag
  Span end_span() const;  // the name in the end tag; empty where the start tag is all
  // In file order. Those of namespaces and schemas ("xmlns", "xmlns:*", "xsi:*") are left out: no dialect reads them.
  std::vector<Attribute> attributes() const;
  std::vector<Element> children() const;  // child elements in file order
  Element first_child() const;            // first child element
  Element next_sibling() const;           // next sibling element
  Element parent() const;
  bool has_text() const;                // more than blanks
  std::vector<TextPiece> text() const;  // in file order, blank pieces between two others included
  // The attribute of exactly this name; none: a false one.
  Attribute attribute(std::string_view name) const;
  // The first attribute of this name without regard to case (ASCII); none: a false one.
  Attribute attribute_any_case(std::string_view name) const;
  const XmlDocument& document() const { return *document_; }
  pugi::xml_node node() const { return node_; }
  friend bool operator==(const Element& a, const Element& b) { return a.node_ == b.node_; }

 private:
  const XmlDocument* document_ = nullptr;
  pugi::xml_node node_;
};

// What parsing a file gave: a value of its path and bytes alone, which never changes. Several documents in several
// threads may be views of one.
struct ParsedXml {
  ParsedXml() = default;
  ParsedXml(const ParsedXml&) = delete;
  ParsedXml& operator=(const ParsedXml&) = delete;

  std::shared_ptr<const Source> source;
  Findings findings;          // as if the file had id 0; one fault at most: what follows a fault is not believed
  bool has_document = false;  // false: the file has a fault, and what follows is empty
  std::string encoding;
  bool has_byte_order_mark = false;
  std::uint32_t subset_begin = 0;  // of the DOCTYPE's internal subset; 0: there is none
  std::string expanded;            // the text with references to entities replaced; empty: there are none
  std::vector<Expansion> expansions;
  std::string_view text;  // that, or the source's
  std::vector<Rewritten> rewritten;
  std::vector<char> buffer;  // pugixml parses in place here; offsets equal those of `text`
  pugi::xml_document tree;
};

// Decodes `bytes` (decode.h), parses them and checks that they are well-formed and within the limits.
[[nodiscard]] std::shared_ptr<const ParsedXml> parse_xml(std::string path, std::string_view bytes);

// A parsed file as one of the files of a run. Not copyable; elements point into it.
class XmlDocument {
 public:
  // `parsed` has a document, and its source is the file `file`.
  XmlDocument(std::shared_ptr<const ParsedXml> parsed, FileId file) : parsed_(std::move(parsed)), file_(file) {}
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  // Parses a file and adds its text to `sources`. Null: `findings` has the fault.
  static std::unique_ptr<XmlDocument> parse(std::string path, std::string_view bytes, Sources& sources,
                                            Findings& findings);

  Element root() const;
  FileId file() const { return file_; }
  const Source& source() const { return *parsed_->source; }
  std::string_view encoding() const { return parsed_->encoding; }  // as found: see decode.h
  bool has_byte_order_mark() const { return parsed_->has_byte_order_mark; }
  Span internal_subset() const;  // of the DOCTYPE; empty: there is none
  // Where a node's name, or what it holds, begins in the source; of one out of an entity, where the reference stands.
  std::uint32_t place_of(pugi::xml_node node) const { return place(static_cast<std::uint32_t>(node.offset_debug())); }
  bool has_expansions() const { return !parsed_->expansions.empty(); }
  // Does it touch a reference to an entity that the file declares? What stands there is written elsewhere.
  bool is_expanded(Span span) const;

 private:
  friend class Element;
  friend class Attribute;
  // Places in the parsed text, as pugixml has them, and in the source.
  std::uint32_t offset_of(const char* place) const;
  std::uint32_t place(std::uint32_t offset) const { return place_in_source(parsed_->expansions, offset, false); }
  Span span(std::uint32_t begin, std::uint32_t end) const;
  std::shared_ptr<const ParsedXml> parsed_;
  FileId file_;
};

}  // namespace espalier::text
