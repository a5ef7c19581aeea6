// A parsed XML file: pugixml's tree, and the places that the scanner noted. See xml.h.
#include "text/xml.h"

#include <algorithm>
#include <pugixml.hpp>
#include <utility>

#include "text/characters.h"
#include "text/decode.h"
#include "text/names.h"

namespace espalier::text {
namespace {

// Comments hold suppressions. Line breaks and tabs in attribute values become spaces, as XML 1.0 (3.3.3) says.
constexpr unsigned kParseOptions = pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol |
                                   pugi::parse_wconv_attribute | pugi::parse_comments | pugi::parse_pi;

Rule rule_of(DecodeFault fault) {
  switch (fault) {
    case DecodeFault::unsupported:
      return Rule::XML_unsupported_encoding;
    case DecodeFault::contradiction:
      return Rule::XML_contradicting_encoding;
    case DecodeFault::bad_bytes:
    case DecodeFault::none:
      break;
  }
  return Rule::XML_bad_encoding;
}

bool is_for_schemas(std::string_view attribute) {
  const auto begins_with = [&](std::string_view begin) { return attribute.substr(0, begin.size()) == begin; };
  return attribute == "xmlns" || begins_with("xmlns:") || begins_with("xsi:");
}

pugi::xml_node node_of(const void* node) {
  return pugi::xml_node(const_cast<pugi::xml_node_struct*>(static_cast<const pugi::xml_node_struct*>(node)));
}

pugi::xml_attribute attribute_of(const void* attribute) {
  return pugi::xml_attribute(
      const_cast<pugi::xml_attribute_struct*>(static_cast<const pugi::xml_attribute_struct*>(attribute)));
}

const void* first_element(pugi::xml_node node) {
  while (node && node.type() != pugi::node_element) node = node.next_sibling();
  return node.internal_object();
}

}  // namespace

struct XmlDocument::Tree {
  std::vector<char> buffer;  // pugixml parses in place here; offsets equal those of text_
  pugi::xml_document document;
};

// ---- Attribute -----------------------------------------------------------------------------------------------------

std::string_view Attribute::name() const { return attribute_of(attribute_).name(); }

std::string_view Attribute::value() const { return attribute_of(attribute_).value(); }

Span Attribute::name_span() const {
  if (attribute_ == nullptr) return {};
  const std::uint32_t begin = document_->offset_of(attribute_of(attribute_).name());
  return document_->span(begin, begin + static_cast<std::uint32_t>(name().size()));
}

Span Attribute::value_span() const {
  if (attribute_ == nullptr) return {};
  const std::string_view text = document_->text_;
  const std::uint32_t begin = document_->offset_of(attribute_of(attribute_).value());
  const std::size_t end = std::min(text.find(text[begin - 1], begin), text.size());
  return document_->span(begin, static_cast<std::uint32_t>(end));
}

// What is rewritten stands in file order, so that a binary search finds the part of it before a place.
Span Attribute::value_span(std::uint32_t begin, std::uint32_t end) const {
  if (attribute_ == nullptr) return {};
  const std::vector<Rewritten>& all = document_->rewritten_;
  const std::uint32_t value_begin = document_->offset_of(attribute_of(attribute_).value());
  const auto first =
      std::partition_point(all.begin(), all.end(), [&](const Rewritten& r) { return r.begin < value_begin; });
  const std::uint32_t saved_before_value = first == all.end() ? 0 : first->saved_before;
  auto place_of = [&](std::uint32_t offset, bool is_end) {
    // Up to `r`, the value is shorter than it is written by what was saved between the value's begin and `r`.
    auto value_offset = [&](const Rewritten& r) {
      return r.begin - value_begin - (r.saved_before - saved_before_value);
    };
    auto next = std::partition_point(first, all.end(), [&](const Rewritten& r) {
      return r.begin < value_begin + offset + (r.saved_before - saved_before_value);
    });
    if (next == first) return value_begin + offset;
    const Rewritten& last = *(next - 1);  // begins before `offset`
    const std::uint32_t length = last.end - last.begin - last.saved;
    const std::uint32_t into = offset - value_offset(last);
    if (into < length) return is_end ? last.end : last.begin;
    return last.end + (into - length);
  };
  const auto size = static_cast<std::uint32_t>(document_->text_.size());
  const std::uint32_t from = std::min(place_of(begin, false), size);
  return document_->span(from, std::clamp(place_of(std::max(begin, end), true), from, size));
}

// ---- Element -------------------------------------------------------------------------------------------------------

std::string_view Element::name() const { return node_of(node_).name(); }

Span Element::span() const {
  if (node_ == nullptr) return {};
  const std::uint32_t begin = document_->offset_of(node_of(node_).name());
  return document_->span(begin, begin + static_cast<std::uint32_t>(name().size()));
}

Span Element::end_span() const {
  const Item& item = document_->item_of(node_of(node_).name());
  if (item.end_tag == 0) {
    const Span begin = span();
    return {begin.file, begin.end, begin.end};
  }
  const std::uint32_t begin = item.end_tag + 2;
  return document_->span(begin, begin + static_cast<std::uint32_t>(name().size()));
}

std::vector<Attribute> Element::attributes() const {
  std::vector<Attribute> result;
  for (const pugi::xml_attribute attribute : node_of(node_).attributes()) {
    if (!is_for_schemas(attribute.name())) result.push_back(Attribute(document_, attribute.internal_object()));
  }
  return result;
}

std::vector<Element> Element::children() const {
  std::vector<Element> result;
  for (Element child = first_child(); child; child = child.next_sibling()) result.push_back(child);
  return result;
}

Element Element::first_child() const { return {document_, first_element(node_of(node_).first_child())}; }

Element Element::next_sibling() const { return {document_, first_element(node_of(node_).next_sibling())}; }

Element Element::parent() const {
  const pugi::xml_node node = node_of(node_).parent();
  return {document_, node.type() == pugi::node_element ? node.internal_object() : nullptr};
}

bool Element::has_text() const {
  const pugi::xml_node node = node_of(node_);
  return std::any_of(node.begin(), node.end(), [](const pugi::xml_node& child) {
    return child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata;
  });
}

// Items and nodes come in the same order. pugixml drops text that is all blank; it shows between two items.
std::vector<TextPiece> Element::text() const {
  std::vector<TextPiece> pieces;
  if (!has_text() && !node_of(node_).first_child()) return pieces;
  const std::vector<Item>& items = document_->items_;
  const Item& own = document_->item_of(node_of(node_).name());
  std::size_t index = static_cast<std::size_t>(&own - items.data()) + 1;
  std::uint32_t end = own.tag_end;
  for (const pugi::xml_node& node : node_of(node_)) {
    const Item& item = items[index];
    if (item.begin > end) pieces.push_back({" ", document_->span(item.begin - 1, item.begin)});
    if (item.kind == Item::Kind::text) pieces.push_back({node.value(), document_->span(item.begin, item.end)});
    if (item.kind == Item::Kind::section) {
      constexpr std::uint32_t kBegin = 9;  // "<![CDATA["
      constexpr std::uint32_t kEnd = 3;    // "]]>"
      pieces.push_back({node.value(), document_->span(item.begin + kBegin, item.end - kEnd)});
    }
    end = item.end;
    index = item.next;
  }
  return pieces;
}

Attribute Element::attribute(std::string_view name) const {
  for (const pugi::xml_attribute attribute : node_of(node_).attributes()) {
    if (name == attribute.name()) return {document_, attribute.internal_object()};
  }
  return {};
}

Attribute Element::attribute_any_case(std::string_view name) const {
  for (const pugi::xml_attribute attribute : node_of(node_).attributes()) {
    if (equal_any_case(name, attribute.name())) return {document_, attribute.internal_object()};
  }
  return {};
}

bool Element::is_damaged() const {
  if (node_ == nullptr || !document_->is_damaged()) return false;
  const Item& item = document_->item_of(node_of(node_).name());
  return document_->holds_damage(item.begin, item.end);
}

// ---- XmlDocument ---------------------------------------------------------------------------------------------------

XmlDocument::XmlDocument() : tree_(std::make_unique<Tree>()) {}

XmlDocument::~XmlDocument() = default;

Element XmlDocument::root() const { return {this, tree_->document.document_element().internal_object()}; }

// From the last one on, so that what follows a row of comments is looked for once.
std::vector<Comment> XmlDocument::comments() const {
  std::vector<Comment> result;
  std::size_t following = items_.size();
  for (std::size_t i = items_.size(); i > 0; --i) {
    const Item& item = items_[i - 1];
    if (item.kind != Item::Kind::comment && item.kind != Item::Kind::instruction) following = i - 1;
    if (item.kind != Item::Kind::comment) continue;
    constexpr std::uint32_t kBegin = 4;  // "<!--"
    constexpr std::uint32_t kEnd = 3;    // "-->"
    Comment& comment = result.emplace_back();
    comment.span = span(item.begin + kBegin, item.end - kEnd);
    comment.subject = {file_, comment.span.begin, comment.span.begin};
    if (following == items_.size()) continue;
    const Item& subject = items_[following];
    if (subject.kind != Item::Kind::element || subject.parent != item.parent) continue;
    comment.subject = span(subject.begin, subject.end);
    comment.is_before_root = item.parent == kNoItem;
  }
  std::reverse(result.begin(), result.end());
  return result;
}

std::uint32_t XmlDocument::offset_of(const char* place) const {
  return static_cast<std::uint32_t>(place - tree_->buffer.data());
}

Span XmlDocument::span(std::uint32_t begin, std::uint32_t end) const {
  const std::uint32_t from = place(begin);
  return {file_, from, std::max(from, place_in_source(replaced_, end, true))};
}

bool XmlDocument::is_expanded(Span span) const {
  const auto next = std::partition_point(replaced_.begin(), replaced_.end(),
                                         [&](const Replaced& each) { return each.source_end <= span.begin; });
  return next != replaced_.end() && next->source_begin < std::max(span.end, span.begin + 1);
}

std::unique_ptr<XmlDocument> XmlDocument::parse(std::string path, std::string_view bytes, Sources& sources,
                                                Findings& findings, const ScanOptions& options) {
  Decoded decoded;
  const bool is_readable = bytes.size() <= kMaxFileBytes;
  if (is_readable) decoded = decode(bytes);
  if (!is_readable || decoded.text.size() > kMaxFileBytes) {
    const FileId file = sources.add(std::move(path), {});
    findings.add(Rule::XML_too_large, {file, 0, 0},
                 "the file is larger than " + std::to_string(kMaxFileBytes >> 20) + " MiB");
    return nullptr;
  }
  const FileId file = sources.add(std::move(path), std::move(decoded.text));
  const Source& source = sources[file];
  if (decoded.fault != DecodeFault::none) {
    const Span span{file, static_cast<std::uint32_t>(decoded.error_begin),
                    static_cast<std::uint32_t>(decoded.error_end)};
    Finding& finding = findings.add(rule_of(decoded.fault), span, std::move(decoded.error), std::move(decoded.hint));
    if (!decoded.replacement.empty()) {
      const std::string_view written = source.text().substr(span.begin, span.end - span.begin);
      finding.fixes.push_back(make_fix(span, written, std::move(decoded.replacement), FixGrade::safe));
    }
    return nullptr;
  }
  Scan scanned = scan(source.text(), file, decoded.has_forbidden, options);
  for (Finding& fault : scanned.faults) findings.add(std::move(fault));
  if (!scanned.is_readable) return nullptr;
  for (Finding& warning : scanned.warnings) findings.add(std::move(warning));

  std::unique_ptr<XmlDocument> document(new XmlDocument);
  document->file_ = file;
  document->source_ = &source;
  document->encoding_ = std::move(decoded.encoding);
  document->has_byte_order_mark_ = decoded.byte_order_mark;
  document->is_damaged_ = !scanned.faults.empty();
  document->is_cut_ = scanned.is_cut;
  if (scanned.subset_begin != 0) document->internal_subset_ = {file, scanned.subset_begin, scanned.subset_begin + 1};
  document->repaired_ = std::move(scanned.repaired.text);
  document->replaced_ = std::move(scanned.repaired.replaced);
  document->text_ = document->replaced_.empty() ? source.text() : document->repaired_;
  document->items_ = std::move(scanned.items);
  document->rewritten_ = std::move(scanned.rewritten);
  document->note_damage();
  std::vector<char>& buffer = document->tree_->buffer;
  buffer.assign(document->text_.begin(), document->text_.end());
  std::fill(buffer.begin() + scanned.doctype_begin, buffer.begin() + scanned.doctype_end, ' ');
  const pugi::xml_parse_result result =
      document->tree_->document.load_buffer_inplace(buffer.data(), buffer.size(), kParseOptions, pugi::encoding_utf8);
  if (!result) {
    const auto size = static_cast<std::ptrdiff_t>(document->text_.size());
    const std::uint32_t at =
        document->place(static_cast<std::uint32_t>(std::clamp<std::ptrdiff_t>(result.offset, 0, size)));
    const Rule rule = result.status == pugi::status_out_of_memory ? Rule::XML_too_large : Rule::XML_malformed;
    findings.add(rule, {file, at, at}, std::string("the file cannot be parsed: ") + result.description());
    return nullptr;
  }
  return document;
}

}  // namespace espalier::text
