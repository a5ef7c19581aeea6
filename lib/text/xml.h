// XML with exact positions: a tree over decoded text, in which every element, attribute and character of an attribute's
// value has its place in the source. Well-formedness is checked strictly (scan.h), every fault is reported, and the
// sound parts of a damaged file are still read. References to entities that the file's DOCTYPE declares are replaced;
// their content has the place of the reference.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/finding.h"
#include "text/scan.h"
#include "text/source.h"

namespace espalier::text {

// Limits on input; each is reported by its own finding.
inline constexpr std::uint32_t kMaxNesting = 1000;                      // elements within elements
inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 30;  // of one file, decoded

class XmlDocument;

// An attribute of an element. Cheap to copy; valid while its document lives.
class Attribute {
 public:
  Attribute() = default;
  explicit operator bool() const { return attribute_ != nullptr; }
  std::string_view name() const;
  std::string_view value() const;  // entities resolved
  Span name_span() const;
  Span value_span() const;  // between the quotes
  // The place in the source of bytes [begin, end) of value(), where references have their written length. Logarithmic,
  // so that many findings in one long value are cheap; begin and end must not exceed the size of value().
  Span value_span(std::uint32_t begin, std::uint32_t end) const;

 private:
  friend class AttributeRange;
  friend class Element;
  Attribute(const XmlDocument* document, const void* attribute) : document_(document), attribute_(attribute) {}

  const XmlDocument* document_ = nullptr;
  const void* attribute_ = nullptr;
};

// The attributes of an element, in file order, without those of namespaces and schemas. For loops.
class AttributeRange {
 public:
  class Iterator {
   public:
    Iterator(const XmlDocument* document, const void* attribute);
    const Attribute& operator*() const { return attribute_; }
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return attribute_.attribute_ != other.attribute_.attribute_; }

   private:
    void skip_schemas();
    Attribute attribute_;
  };
  AttributeRange(const XmlDocument* document, const void* first) : document_(document), first_(first) {}
  Iterator begin() const { return {document_, first_}; }
  Iterator end() const { return {document_, nullptr}; }
  bool empty() const { return !(begin() != end()); }

 private:
  const XmlDocument* document_;
  const void* first_;
};

// Character data or a CDATA section, between other content of an element.
struct TextPiece {
  std::string_view text;  // references resolved; a blank piece may be shorter than in the source
  Span span;              // in the source
};

// An element. Cheap to copy; valid while its document lives.
class Element {
 public:
  Element() = default;
  explicit operator bool() const { return node_ != nullptr; }
  std::string_view name() const;
  Span span() const;      // the name in the start tag
  Span end_span() const;  // the name in the end tag; empty if there is no end tag
  // In file order. Attributes of namespaces and schemas ("xmlns", "xmlns:*", "xsi:*") are left out: no dialect reads
  // them.
  AttributeRange attributes() const;
  std::vector<Element> children() const;  // child elements in file order
  std::size_t child_count() const;
  Element first_child() const;   // first child element
  Element next_sibling() const;  // next sibling element
  Element parent() const;
  bool has_text() const;                // other than white space
  std::vector<TextPiece> text() const;  // in file order, including blank pieces between two others
  // The attribute of exactly this name; one that converts to false if there is none.
  Attribute attribute(std::string_view name) const;
  // The first attribute of this name ignoring case (ASCII); one that converts to false if there is none.
  Attribute attribute_any_case(std::string_view name) const;
  // Is a part of the element, in its tags or between them, damaged? Then attributes or children may be missing.
  bool is_damaged() const;
  const XmlDocument& document() const { return *document_; }
  std::size_t id() const { return reinterpret_cast<std::size_t>(node_); }  // unique among all elements
  friend bool operator==(const Element& a, const Element& b) { return a.node_ == b.node_; }

 private:
  friend class XmlDocument;
  Element(const XmlDocument* document, const void* node) : document_(document), node_(node) {}

  const XmlDocument* document_ = nullptr;
  const void* node_ = nullptr;
};

// A comment, and the element that it applies to.
struct Comment {
  Span span;     // between "<!--" and "-->"
  Span subject;  // the element that follows with only comments between, all of it; empty: something else follows
  bool is_before_root = false;
};

// The result of parsing a file: an immutable value that depends only on its path and bytes. Several documents in
// several threads may be views of one result.
struct ParsedXml {
  ParsedXml() = default;
  ParsedXml(const ParsedXml&) = delete;
  ParsedXml& operator=(const ParsedXml&) = delete;
  std::uint32_t innermost(std::uint32_t offset) const;  // item at this place; kNoItem if there is none

  std::shared_ptr<const Source> source;
  Findings findings;          // as if the file had id 0
  bool has_document = false;  // false: the file cannot be read, and the members below are empty
  bool is_damaged = false;    // the text was not well-formed and is repaired
  bool is_cut = false;
  std::string encoding;
  bool has_byte_order_mark = false;
  std::uint32_t doctype_begin = 0;  // the DOCTYPE in `text`; empty if there is none
  std::uint32_t doctype_end = 0;
  std::uint32_t subset_begin = 0;            // of the DOCTYPE's internal subset; 0 if there is none
  Repaired repaired;                         // the text with pieces replaced, if there are any
  std::vector<Replaced> damage;              // the replaced pieces that are damage
  std::vector<std::uint32_t> damaged_items;  // elements whose tags, or what is between them, are damaged, and the
                                             // parents of the former; sorted
  std::string_view text;                     // the repaired text or that of the source
  std::vector<Item> items;
  std::vector<Rewritten> rewritten;
};

// Decodes `bytes` (decode.h), parses them and checks that they are well-formed and within the limits.
[[nodiscard]] std::shared_ptr<const ParsedXml> parse_xml(std::string path, std::string_view bytes,
                                                         const ScanOptions& options = {});

// The file as it would be with the edits, which replace pieces of its source: what they insert has the places of what
// they replace. Null if it is damaged, or not well-formed then.
[[nodiscard]] std::shared_ptr<const ParsedXml> parse_edited(const ParsedXml& parsed, const std::vector<Edit>& edits,
                                                            const ScanOptions& options = {});

// A parsed file as one of the files of a run. Not copyable; elements point into its tree, which exists from the first
// call of root() on, and takes several times the memory of the text. A document is used by one thread at a time.
class XmlDocument {
 public:
  // `parsed` must have a document, and its source must be the file `file`.
  XmlDocument(std::shared_ptr<const ParsedXml> parsed, FileId file);
  ~XmlDocument();
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  // Parses a file and adds its text to `sources`; `findings` gets each fault. Null if the file cannot be read. A
  // document with is_damaged() has only the sound parts, and must be used only to report findings.
  static std::unique_ptr<XmlDocument> parse(std::string path, std::string_view bytes, Sources& sources,
                                            Findings& findings, const ScanOptions& options = {});

  Element root() const;  // false if pugixml finds a fault that the strict check missed
  // Frees the tree; root() makes another one. Elements, attributes, their names and values become invalid.
  void release_tree() const;

  // ---- Known without the tree
  std::string_view root_name() const;
  Span root_span() const;                 // of the name in the start tag
  std::vector<Comment> comments() const;  // in file order
  bool has_text() const;                  // between elements, other than white space
  FileId file() const { return file_; }
  // For another document of the same file, which another thread may use.
  const std::shared_ptr<const ParsedXml>& parsed() const { return parsed_; }
  const Source& source() const { return *parsed_->source; }
  std::string_view encoding() const { return parsed_->encoding; }  // as detected: see decode.h
  bool has_byte_order_mark() const { return parsed_->has_byte_order_mark; }
  Span internal_subset() const;  // of the DOCTYPE; empty if there is none
  bool has_expansions() const { return !parsed_->repaired.replaced.empty(); }
  // Does the span touch a reference to an entity that the file declares? The text of the entity is elsewhere.
  bool is_expanded(Span span) const;

  // ---- Damage: parts that were not well-formed, and are blank or repaired in the tree ----
  bool is_damaged() const { return parsed_->is_damaged; }
  bool is_cut() const { return parsed_->is_cut; }  // the file ends too early; the rest is unknown
  // What a finding is about: the start tag of the element in which it marks a place, all of the element, or what it
  // marks, which is all of the element if that is the element's name.
  enum class Cause : std::uint8_t { marked, start_tag, content };
  // May damage be the reason for a finding at this place? True if there is damage in what the finding is about, before
  // the place in its tag, or before the element in its parent.
  bool may_come_of_damage(Span place, Cause cause) const;
  // Is the place in an element of this name without damage?
  bool is_within_sound(std::string_view name, Span place) const;
  // Has the root a child of this name without damage?
  bool has_sound_section(std::string_view name) const;
  // Is this place in an attribute of a start tag?
  bool is_in_attribute(Span place) const;
  // The damaged parts as written in the source; for a damaged tag, the whole tag. Their words may be missing elsewhere.
  std::vector<std::string_view> damaged_text() const;

 private:
  friend class Element;
  friend class Attribute;
  // Places in the parsed text, which the tree refers to, and their places in the source.
  std::uint32_t offset_of(const char* place) const;
  std::uint32_t place(std::uint32_t offset) const { return place_in_source(parsed_->repaired.replaced, offset, false); }
  Span span(std::uint32_t begin, std::uint32_t end) const;
  const Item& item_of(const char* name) const;  // of the element with this name
  bool holds_damage(std::uint32_t begin, std::uint32_t end) const;
  bool is_after_damage(const Item& item) const;
  bool is_sound(const Item& item, std::string_view name) const;
  std::string_view name_at(const Item& item) const;  // of an element
  const Item* root_item() const;

  struct Tree;
  static std::unique_ptr<Tree> make_tree(const ParsedXml& parsed);

  std::shared_ptr<const ParsedXml> parsed_;
  FileId file_;
  mutable std::unique_ptr<Tree> tree_;  // null: not made
};

}  // namespace espalier::text
