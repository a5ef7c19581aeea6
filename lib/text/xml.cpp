// A parsed XML file: pugixml's tree, and the places that the scanner recorded. See xml.h.
#include "text/xml.h"

#include <algorithm>
#include <new>
#include <pugixml.hpp>
#include <utility>

#include "rules/xml.h"
#include "text/characters.h"
#include "text/decode.h"
#include "text/names.h"

namespace espalier::text {
namespace {

// Comments contain suppressions. Line breaks and tabs in attribute values become spaces, as XML 1.0 (3.3.3) requires.
constexpr unsigned kParseOptions = pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol |
                                   pugi::parse_wconv_attribute | pugi::parse_comments | pugi::parse_pi;

Rule rule_of(DecodeFault fault) {
  switch (fault) {
    case DecodeFault::unsupported:
      return rules::XML_unsupported_encoding;
    case DecodeFault::contradiction:
      return rules::XML_contradicting_encoding;
    case DecodeFault::bad_bytes:
    case DecodeFault::none:
      break;
  }
  return rules::XML_bad_encoding;
}

bool is_for_schemas(std::string_view attribute) {
  if (attribute.empty() || attribute.front() != 'x') return false;
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

// Records which replaced pieces are damage, and the elements that contain them.
void note_damage(ParsedXml& parsed) {
  for (const Replaced& each : parsed.repaired.replaced) {
    if (each.is_damage) parsed.damage.push_back(each);
  }
  bool is_cut_noted = false;
  for (const Replaced& each : parsed.damage) {
    // Of the missing end tags of a cut file, the innermost one shows where it is cut.
    const bool is_end_tag = each.source_begin == each.source_end && each.source_end == parsed.source->text().size();
    if (is_end_tag && is_cut_noted) continue;
    is_cut_noted = is_cut_noted || is_end_tag;
    const std::uint32_t index = parsed.innermost(each.begin);
    if (index == kNoItem) continue;
    const Item& item = parsed.items[index];
    const bool is_element = item.kind == Item::Kind::element;
    const bool is_in_tag =
        is_element && (each.begin < item.tag_end || (item.end_tag != 0 && each.begin >= item.end_tag));
    if (is_element) parsed.damaged_items.push_back(index);
    if (!is_element || is_in_tag) parsed.damaged_items.push_back(item.parent);
  }
  std::sort(parsed.damaged_items.begin(), parsed.damaged_items.end());
}

const void* first_element(pugi::xml_node node) {
  while (node && node.type() != pugi::node_element) node = node.next_sibling();
  return node.internal_object();
}

}  // namespace

struct XmlDocument::Tree {
  std::vector<char> buffer;  // pugixml parses in place here; offsets equal those of the parsed text
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
  const std::string_view text = document_->parsed_->text;
  const std::uint32_t begin = document_->offset_of(attribute_of(attribute_).value());
  const std::size_t end = std::min(text.find(text[begin - 1], begin), text.size());
  return document_->span(begin, static_cast<std::uint32_t>(end));
}

// `rewritten` is in file order, so a binary search finds the last entry before a place.
Span Attribute::value_span(std::uint32_t begin, std::uint32_t end) const {
  if (attribute_ == nullptr) return {};
  const std::vector<Rewritten>& all = document_->parsed_->rewritten;
  const std::uint32_t value_begin = document_->offset_of(attribute_of(attribute_).value());
  const auto first =
      std::partition_point(all.begin(), all.end(), [&](const Rewritten& r) { return r.begin < value_begin; });
  const std::uint32_t saved_before_value = first == all.end() ? 0 : first->saved_before;
  auto place_of = [&](std::uint32_t offset, bool is_end) {
    // Up to `r`, the value is shorter than in the source by what was saved between the value's beginning and `r`.
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
  const auto size = static_cast<std::uint32_t>(document_->parsed_->text.size());
  const std::uint32_t from = std::min(place_of(begin, false), size);
  return document_->span(from, std::clamp(place_of(std::max(begin, end), true), from, size));
}

// ---- AttributeRange ------------------------------------------------------------------------------------------------

AttributeRange::Iterator::Iterator(const XmlDocument* document, const void* attribute)
    : attribute_(document, attribute) {
  skip_schemas();
}

AttributeRange::Iterator& AttributeRange::Iterator::operator++() {
  attribute_.attribute_ = attribute_of(attribute_.attribute_).next_attribute().internal_object();
  skip_schemas();
  return *this;
}

void AttributeRange::Iterator::skip_schemas() {
  while (attribute_.attribute_ != nullptr && is_for_schemas(attribute_of(attribute_.attribute_).name())) {
    attribute_.attribute_ = attribute_of(attribute_.attribute_).next_attribute().internal_object();
  }
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

AttributeRange Element::attributes() const { return {document_, node_of(node_).first_attribute().internal_object()}; }

std::vector<Element> Element::children() const {
  std::vector<Element> result;
  for (Element child = first_child(); child; child = child.next_sibling()) result.push_back(child);
  return result;
}

std::size_t Element::child_count() const {
  std::size_t count = 0;
  for (Element child = first_child(); child; child = child.next_sibling()) ++count;
  return count;
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

// Items and nodes have the same order. pugixml drops blank text, which is recovered from the space between two items.
std::vector<TextPiece> Element::text() const {
  std::vector<TextPiece> pieces;
  if (!has_text() && !node_of(node_).first_child()) return pieces;
  const std::vector<Item>& items = document_->parsed_->items;
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

XmlDocument::XmlDocument(std::shared_ptr<const ParsedXml> parsed, FileId file)
    : parsed_(std::move(parsed)), file_(file) {}

XmlDocument::~XmlDocument() = default;

// What the scanner lets pass, or has repaired, pugixml accepts.
std::unique_ptr<XmlDocument::Tree> XmlDocument::make_tree(const ParsedXml& parsed) {
  auto tree = std::make_unique<Tree>();
  std::vector<char>& buffer = tree->buffer;
  buffer.assign(parsed.text.begin(), parsed.text.end());
  std::fill(buffer.begin() + parsed.doctype_begin, buffer.begin() + parsed.doctype_end, ' ');
  const pugi::xml_parse_result result =
      tree->document.load_buffer_inplace(buffer.data(), buffer.size(), kParseOptions, pugi::encoding_utf8);
  if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (!result) tree->document.reset();
  return tree;
}

Element XmlDocument::root() const {
  if (tree_ == nullptr) tree_ = make_tree(*parsed_);
  return {this, tree_->document.document_element().internal_object()};
}

void XmlDocument::release_tree() const { tree_.reset(); }

std::string_view XmlDocument::name_at(const Item& item) const {
  const std::size_t begin = item.begin + 1;
  return parsed_->text.substr(begin, end_of_name(parsed_->text, begin) - begin);
}

const Item* XmlDocument::root_item() const {
  const std::vector<Item>& items = parsed_->items;
  const auto found = std::find_if(items.begin(), items.end(), [](const Item& item) {
    return item.kind == Item::Kind::element && item.parent == kNoItem;
  });
  return found == items.end() ? nullptr : &*found;
}

std::string_view XmlDocument::root_name() const {
  const Item* const root = root_item();
  return root == nullptr ? std::string_view() : name_at(*root);
}

Span XmlDocument::root_span() const {
  const Item* const root = root_item();
  if (root == nullptr) return {};
  const std::uint32_t begin = root->begin + 1;
  return span(begin, begin + static_cast<std::uint32_t>(name_at(*root).size()));
}

bool XmlDocument::has_text() const {
  return std::any_of(parsed_->items.begin(), parsed_->items.end(), [](const Item& item) {
    return item.kind == Item::Kind::text || item.kind == Item::Kind::section;
  });
}

// Backwards, so that the element after a sequence of comments is searched for only once.
std::vector<Comment> XmlDocument::comments() const {
  std::vector<Comment> result;
  std::size_t following = parsed_->items.size();
  for (std::size_t i = parsed_->items.size(); i > 0; --i) {
    const Item& item = parsed_->items[i - 1];
    if (item.kind != Item::Kind::comment && item.kind != Item::Kind::instruction) following = i - 1;
    if (item.kind != Item::Kind::comment) continue;
    constexpr std::uint32_t kBegin = 4;  // "<!--"
    constexpr std::uint32_t kEnd = 3;    // "-->"
    Comment& comment = result.emplace_back();
    comment.span = span(item.begin + kBegin, item.end - kEnd);
    comment.subject = {file_, comment.span.begin, comment.span.begin};
    if (following == parsed_->items.size()) continue;
    const Item& subject = parsed_->items[following];
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
  return {file_, from, std::max(from, place_in_source(parsed_->repaired.replaced, end, true))};
}

bool XmlDocument::is_expanded(Span span) const {
  const std::vector<Replaced>& all = parsed_->repaired.replaced;
  auto next =
      std::partition_point(all.begin(), all.end(), [&](const Replaced& each) { return each.source_end <= span.begin; });
  const std::uint32_t end = std::max(span.end, span.begin + 1);
  while (next != all.end() && next->is_damage && next->source_begin < end) ++next;
  return next != all.end() && next->source_begin < end;
}

Span XmlDocument::internal_subset() const {
  const std::uint32_t begin = parsed_->subset_begin;
  return begin == 0 ? Span() : Span{file_, begin, begin + 1};
}

std::unique_ptr<XmlDocument> XmlDocument::parse(std::string path, std::string_view bytes, Sources& sources,
                                                Findings& findings, const ScanOptions& options) {
  std::shared_ptr<const ParsedXml> parsed = parse_xml(std::move(path), bytes, options);
  const FileId file = sources.add(parsed->source);
  findings.add_files(parsed->findings, file);
  return parsed->has_document ? std::make_unique<XmlDocument>(std::move(parsed), file) : nullptr;
}

std::shared_ptr<const ParsedXml> parse_xml(std::string path, std::string_view bytes, const ScanOptions& options) {
  auto parsed = std::make_shared<ParsedXml>();
  Decoded decoded;
  const bool is_readable = bytes.size() <= kMaxFileBytes;
  if (is_readable) decoded = decode(bytes);
  if (!is_readable || decoded.text.size() > kMaxFileBytes) {
    parsed->source = std::make_shared<Source>(std::move(path), std::string());
    parsed->findings.add(rules::XML_too_large, {0, 0, 0},
                         "the file is larger than " + std::to_string(kMaxFileBytes >> 20) + " MiB");
    return parsed;
  }
  parsed->source = std::make_shared<Source>(std::move(path), std::move(decoded.text));
  const std::string_view source = parsed->source->text();
  if (decoded.fault != DecodeFault::none) {
    const Span span{0, static_cast<std::uint32_t>(decoded.error_begin), static_cast<std::uint32_t>(decoded.error_end)};
    Finding& finding =
        parsed->findings.add(rule_of(decoded.fault), span, std::move(decoded.error), std::move(decoded.hint));
    if (!decoded.replacement.empty()) {
      const std::string_view written = source.substr(span.begin, span.end - span.begin);
      finding.fixes.push_back(make_fix(span, written, std::move(decoded.replacement), FixGrade::safe));
    }
    return parsed;
  }
  Scan scanned = scan(source, 0, decoded.has_forbidden, options);
  for (Finding& fault : scanned.faults) parsed->findings.add(std::move(fault));
  if (!scanned.is_readable) return parsed;
  for (Finding& warning : scanned.warnings) parsed->findings.add(std::move(warning));

  parsed->encoding = std::move(decoded.encoding);
  parsed->has_byte_order_mark = decoded.byte_order_mark;
  parsed->is_damaged = !scanned.faults.empty();
  parsed->is_cut = scanned.is_cut;
  parsed->subset_begin = scanned.subset_begin;
  parsed->repaired = std::move(scanned.repaired);
  parsed->text = parsed->repaired.replaced.empty() ? source : parsed->repaired.text;
  parsed->items = std::move(scanned.items);
  parsed->rewritten = std::move(scanned.rewritten);
  parsed->doctype_begin = scanned.doctype_begin;
  parsed->doctype_end = scanned.doctype_end;
  note_damage(*parsed);
  parsed->has_document = true;
  return parsed;
}

std::shared_ptr<const ParsedXml> parse_edited(const ParsedXml& parsed, const std::vector<Edit>& edits,
                                              const ScanOptions& options) {
  if (parsed.is_damaged) return nullptr;
  std::vector<Replacement> replacements;
  replacements.reserve(edits.size() + parsed.repaired.replaced.size());
  for (const Replaced& piece : parsed.repaired.replaced) {
    replacements.push_back({piece.source_begin, piece.source_end,
                            parsed.repaired.text.substr(piece.begin, piece.end - piece.begin), piece.is_damage});
  }
  for (const Edit& edit : edits) replacements.push_back({edit.span.begin, edit.span.end, edit.replacement});
  auto edited = std::make_shared<ParsedXml>();
  edited->source = parsed.source;
  edited->repaired = repair(parsed.source->text(), std::move(replacements));
  edited->text = edited->repaired.text;
  Scan scanned = scan(edited->text, 0, false, options);
  if (!scanned.is_readable || !scanned.faults.empty() || !scanned.repaired.replaced.empty()) return nullptr;
  edited->encoding = parsed.encoding;
  edited->has_byte_order_mark = parsed.has_byte_order_mark;
  edited->subset_begin = parsed.subset_begin;
  edited->items = std::move(scanned.items);
  edited->rewritten = std::move(scanned.rewritten);
  edited->doctype_begin = scanned.doctype_begin;
  edited->doctype_end = scanned.doctype_end;
  edited->has_document = true;
  return edited;
}

}  // namespace espalier::text
