// A parsed XML file. See xml.h.
#include "text/xml.h"

#include <algorithm>
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

Element element_from(const XmlDocument* document, pugi::xml_node node) {
  while (node && node.type() != pugi::node_element) node = node.next_sibling();
  return {document, node};
}

}  // namespace

// ---- Attribute -----------------------------------------------------------------------------------------------------

Span Attribute::name_span() const {
  if (!attribute_) return {};
  const std::uint32_t begin = document_->offset_of(attribute_.name());
  return document_->span(begin, begin + static_cast<std::uint32_t>(name().size()));
}

Span Attribute::value_span() const {
  if (!attribute_) return {};
  const std::string_view text = document_->text_;
  const std::uint32_t begin = document_->offset_of(attribute_.value());
  const std::size_t end = std::min(text.find(text[begin - 1], begin), text.size());
  return document_->span(begin, static_cast<std::uint32_t>(end));
}

// What is rewritten stands in file order, so that a binary search finds the part of it before a place.
Span Attribute::value_span(std::uint32_t begin, std::uint32_t end) const {
  if (!attribute_) return {};
  const std::vector<Rewritten>& all = document_->rewritten_;
  const std::uint32_t value_begin = document_->offset_of(attribute_.value());
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

Span Element::span() const {
  if (!node_) return {};
  const std::uint32_t begin = document_->offset_of(node_.name());
  return document_->span(begin, begin + static_cast<std::uint32_t>(name().size()));
}

// pugixml does not keep where elements end. But every node knows where it begins, and between an element's end tag and
// the next node's begin, or its parent's end tag, nothing but blanks stands.
Span Element::end_span() const {
  const std::string_view text = document_->text_;
  std::vector<pugi::xml_node> ends_together;  // each the last in the one before it
  pugi::xml_node node = node_;
  for (; node.type() == pugi::node_element; node = node.parent()) {
    ends_together.push_back(node);
    if (node.next_sibling()) break;
  }
  const pugi::xml_node next = node.next_sibling();
  const bool has_name = next.type() == pugi::node_element || next.type() == pugi::node_pi;
  std::size_t end = next ? document_->offset_of(has_name ? next.name() : next.value()) : text.size();
  for (auto outer = ends_together.rbegin(); outer != ends_together.rend(); ++outer) {
    const std::size_t begin = document_->offset_of(outer->name());
    const std::size_t tag = text.substr(begin, end - begin).rfind("</");
    if (tag == std::string_view::npos) break;  // the last one, as the others have something in them
    end = begin + tag;
    if (*outer != node_) continue;
    const auto name_begin = static_cast<std::uint32_t>(end + 2);
    return document_->span(name_begin, name_begin + static_cast<std::uint32_t>(name().size()));
  }
  const Span begin = span();
  return {begin.file, begin.end, begin.end};
}

std::vector<Attribute> Element::attributes() const {
  std::vector<Attribute> result;
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    if (!is_for_schemas(attribute.name())) result.emplace_back(document_, attribute);
  }
  return result;
}

std::vector<Element> Element::children() const {
  std::vector<Element> result;
  for (Element child = first_child(); child; child = child.next_sibling()) result.push_back(child);
  return result;
}

Element Element::first_child() const { return element_from(document_, node_.first_child()); }

Element Element::next_sibling() const { return element_from(document_, node_.next_sibling()); }

Element Element::parent() const {
  const pugi::xml_node node = node_.parent();
  return node.type() == pugi::node_element ? Element(document_, node) : Element(document_, {});
}

bool Element::has_text() const {
  const auto is_text = [](pugi::xml_node node) {
    return node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata;
  };
  return std::any_of(node_.begin(), node_.end(), is_text);
}

// pugixml drops text that is all blank. Such a piece shows in the blank before what follows it, whose place is known.
std::vector<TextPiece> Element::text() const {
  const std::string_view text = document_->text_;
  std::vector<TextPiece> pieces;
  for (pugi::xml_node node = node_.first_child(); node; node = node.next_sibling()) {
    const bool is_data = node.type() == pugi::node_pcdata;
    const bool is_section = node.type() == pugi::node_cdata;
    const bool has_name = node.type() == pugi::node_element || node.type() == pugi::node_pi;
    const std::uint32_t begin = document_->offset_of(has_name ? node.name() : node.value());
    const std::size_t markup = is_data ? begin : text.rfind('<', begin - 1);
    if (!is_data && is_space(text[markup - 1]) && node.previous_sibling().type() != pugi::node_pcdata) {
      const auto blank_end = static_cast<std::uint32_t>(markup);
      pieces.push_back({" ", document_->span(blank_end - 1, blank_end)});
    }
    if (!is_data && !is_section) continue;
    const std::size_t end = text.find(is_data ? "<" : "]]>", begin);
    pieces.push_back({node.value(), document_->span(begin, static_cast<std::uint32_t>(end))});
  }
  return pieces;
}

Attribute Element::attribute(std::string_view name) const {
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    if (name == attribute.name()) return {document_, attribute};
  }
  return {};
}

Attribute Element::attribute_any_case(std::string_view name) const {
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    if (equal_any_case(name, attribute.name())) return {document_, attribute};
  }
  return {};
}

// ---- XmlDocument ---------------------------------------------------------------------------------------------------

XmlDocument::~XmlDocument() = default;

Element XmlDocument::root() const { return {this, document_.document_element()}; }

std::uint32_t XmlDocument::offset_of(const char* place) const {
  return static_cast<std::uint32_t>(place - buffer_.data());
}

Span XmlDocument::span(std::uint32_t begin, std::uint32_t end) const {
  const std::uint32_t from = place(begin);
  return {file_, from, std::max(from, place_in_source(expansions_, end, true))};
}

bool XmlDocument::is_expanded(Span span) const {
  const auto next = std::partition_point(expansions_.begin(), expansions_.end(),
                                         [&](const Expansion& each) { return each.source_end <= span.begin; });
  return next != expansions_.end() && next->source_begin < std::max(span.end, span.begin + 1);
}

std::unique_ptr<XmlDocument> XmlDocument::parse(std::string path, std::string_view bytes, Sources& sources,
                                                Findings& findings) {
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
  Scan scanned = scan(source.text(), file);
  if (scanned.fault) {
    findings.add(std::move(*scanned.fault));
    return nullptr;
  }
  for (Finding& warning : scanned.warnings) findings.add(std::move(warning));

  std::unique_ptr<XmlDocument> document(new XmlDocument);
  document->file_ = file;
  document->source_ = &source;
  document->encoding_ = std::move(decoded.encoding);
  document->has_byte_order_mark_ = decoded.byte_order_mark;
  if (scanned.subset_begin != 0) document->internal_subset_ = {file, scanned.subset_begin, scanned.subset_begin + 1};
  document->expanded_ = std::move(scanned.expanded);
  document->expansions_ = std::move(scanned.expansions);
  document->text_ = document->expansions_.empty() ? source.text() : document->expanded_;
  document->rewritten_ = std::move(scanned.rewritten);
  std::vector<char>& buffer = document->buffer_;
  buffer.assign(document->text_.begin(), document->text_.end());
  std::fill(buffer.begin() + scanned.doctype_begin, buffer.begin() + scanned.doctype_end, ' ');
  const pugi::xml_parse_result result =
      document->document_.load_buffer_inplace(buffer.data(), buffer.size(), kParseOptions, pugi::encoding_utf8);
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
