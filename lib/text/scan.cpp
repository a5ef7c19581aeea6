// Checks a text before pugixml parses it: the document and its tags. See scan.h and scanner.h.
#include "text/scan.h"

#include <algorithm>
#include <cstring>

#include "rules/xml.h"
#include "text/raw_string.h"
#include "text/scanner.h"
#include "text/xml.h"

namespace espalier::text {

// ---- The document --------------------------------------------------------------------------------------------------

void Scanner::document() {
  const std::size_t first = text_.find_first_not_of(" \t\r\n");
  if (options_.is_lenient && first != kNone) at_ = first;
  cpp_code();
  if (starts_with("<?xml") && name_end(at_ + 2) == at_ + 5) declaration();
  result_.items.reserve(text_.size() / 64);
  markup_and_text();
  if (gave_up_) return;
  if (!open_.empty()) never_closed();
  // If the text is changed at all, the DOCTYPE's entities are expanded too.
  for (const Reference& reference : references_) {
    replacements_.push_back({reference.begin, reference.end, expansion(reference), false});
  }
  if (after_root_ != kNone) {
    std::erase_if(replacements_, [&](const Replacement& edit) { return edit.begin >= after_root_; });
    blank({after_root_, text_.size()});
  }
  if (result_.doctype_end != 0 && !replacements_.empty()) {
    replacements_.push_back({result_.doctype_begin, result_.doctype_end, {}, false});
  }
  if (root_.end != 0) {
    result_.is_readable = true;
  } else if (result_.faults.empty() && text_.data() == source_.data()) {
    const bool is_blank = std::all_of(text_.begin(), text_.end(), is_space);
    fault(rules::XML_empty_file, {0, 0}, is_blank ? "the file is empty" : "the file has no element");
  }
}

// A file of C++ code: its XML is read, and the code around it is one fault.
void Scanner::cpp_code() {
  const RawString string = raw_string_of_xml(text_);
  if (string.begin == kNone) return;
  const std::size_t line = text_.find_last_of("\r\n", string.begin) + 1;
  const Range range{text_.find_first_not_of(" \t", line), text_.find('(', string.begin) + 1};
  fault(rules::XML_outside_root, range, "text " + quoted_piece(range) + " before the root element",
        "this is C++ code with XML in a raw string: write only the XML to the file");
  after_root_ = 0;  // what ends the string, and the code after it, are not said again
  at_ = string.xml;
  blank({0, at_});
}

void Scanner::outside_root() {
  skip_spaces();
  if (after_root_ == 0 && root_.end != 0) at_ = text_.size();
  if (at_end() || here() == '<') return;
  const Range range{at_, find_first_of("<\r\n", at_)};
  if (root_.end == 0) {
    fault(rules::XML_outside_root, range, "text " + quoted_piece(range) + " before the root element");
    at_ = find("<", at_);
    blank({range.begin, at_});
    return;
  }
  if (after_root_ == kNone) {
    after_root_ = at_;
    fault(rules::XML_outside_root, range,
          "text " + quoted_piece(range) + " after the root element " + quoted_piece(root_));
  }
  at_ = find("<", at_);
}

// From text that is not blank to the next '<' or the end.
void Scanner::character_data(std::size_t begin) {
  open_.back().is_empty = false;
  while (true) {
    skip(kPlainText);
    const char c = here();
    if (c == '&') {
      reference(false);
    } else if (c == ']') {
      if (starts_with("]]>")) unescaped({at_, at_ + 3}, "']]>' ends a CDATA section, but none is open", "]]&gt;");
      at_ += starts_with("]]>") ? 3 : 1;
    } else {
      break;
    }
  }
  add_item(Item::Kind::text, begin);
}

// Markup that is not a tag.
void Scanner::other_markup() {
  if (starts_with("<!--")) return comment();
  if (starts_with("<![CDATA[")) return cdata();
  if (starts_with("<!DOCTYPE")) return doctype();
  if (starts_with("<?")) return processing_instruction();
  not_a_tag();
}

void Scanner::not_a_tag() {
  const std::size_t begin = at_;
  if (at_ + 1 >= text_.size()) {
    ++at_;
    fault_at_end(rules::XML_malformed, {begin, at_}, "the file ends within a tag");
    return blank({begin, at_});
  }
  if (starts_with("<!")) {
    fault(rules::XML_malformed, {at_, at_ + 2}, "'<!' does not begin a comment, a CDATA section or a DOCTYPE",
          "a comment is written '<!-- ... -->'");
    ran_out_ = ran_out_ || text_.size() - at_ < std::string_view("<![CDATA[").size();  // it may only be truncated
    at_ = find_first_of("<>\r\n", at_ + 2);
    if (here() == '>') ++at_;
    return blank({begin, at_});
  }
  ++at_;
  // It may be malformed only because of a forbidden character, which has its own finding.
  if (was_replaced(at_)) {
    at_ = find_first_of("<>\r\n", at_);
    if (here() == '>') ++at_;
    return blank({begin, at_});
  }
  while (here() == '<' && !begins_markup()) ++at_;
  unescaped({begin, at_}, "'<' does not begin a tag here", kLessThan);
}

// ---- Tags ----------------------------------------------------------------------------------------------------------

inline void Scanner::note_attribute(std::size_t name_begin, std::size_t name_end, std::size_t end) {
  if (attribute_count_ == attributes_.size()) grow_attributes();
  ScannedAttribute& attribute = attributes_[attribute_count_];
  attribute.name_begin = static_cast<std::uint32_t>(name_begin);
  attribute.name_end = static_cast<std::uint32_t>(name_end);
  attribute.end = static_cast<std::uint32_t>(end);
  const std::size_t hash = (name_end - name_begin) * 5 + std::size_t{3} * static_cast<unsigned char>(at(name_begin)) +
                           static_cast<unsigned char>(at(name_end - 1));
  const std::uint64_t bit = std::uint64_t{1} << (hash & 63);
  if ((attribute_bits_ & bit) != 0) may_repeat_ = may_repeat_ || is_repeated(attribute);
  attribute_bits_ |= bit;
  ++attribute_count_;
}

// Fast path for most attributes: white space and name="value" with an ASCII name and a value that is written literally.
// Stops before the first that is different.
inline void Scanner::plain_attributes() {
  const char* const begin = text_.data();
  const char* place = begin + at_;
  while (is_of(*place, kSpace)) {
    const char* const name = skip(place + 1, kSpace);
    if (!is_of(*name, kNameStart)) break;
    const char* const name_end = skip(name + 1, kName);
    const char quote = name_end[0] == '=' ? name_end[1] : '\0';
    if (quote != '"' && quote != '\'') break;
    const char* const value_end = skip(name_end + 2, kPlain);
    if (*value_end != quote) break;
    quote_ = static_cast<std::size_t>(name_end - begin) + 1;
    place = value_end + 1;
    note_attribute(static_cast<std::size_t>(name - begin), quote_ - 1, static_cast<std::size_t>(place - begin));
  }
  at_ = static_cast<std::size_t>(place - begin);
}

// Requires at_ at its name.
void Scanner::attribute() {
  const Range name{at_, name_end(at_)};
  at_ = name.end;
  if (!attribute_equals(name) || !attribute_value(name)) {
    is_tag_faulty_ = true;
    return blank({name.begin, at_});
  }
  note_attribute(name.begin, name.end, at_);
}

// From an attribute's name to its value's opening quote. False: there is none, and at_ is after the faulty text.
bool Scanner::attribute_equals(Range name) {
  if (here() != '=') skip_spaces();
  if (here() != '=') {
    missing_value(name);
    at_ = name.end;
    return false;
  }
  ++at_;
  if (here() == '"' || here() == '\'') return true;
  skip_spaces();
  if (here() == '"' || here() == '\'') return true;
  not_quoted(name);
  return false;
}

// Reads from the opening quote on. False: there is no closing one, and at_ is where the tag continues.
bool Scanner::attribute_value(Range name) {
  quote_ = at_;
  next_quote_ = 0;
  const char closing = here();
  ++at_;
  while (true) {
    skip(kPlain);
    const char* const place = text_.data() + at_;
    if (*place == closing) {
      ++at_;
      return true;
    }
    if (*place == '&') {
      reference(true);
    } else if (*place == '\r' && place[1] == '\n') {
      rewritten(at_, at_ + 2, 1);
      at_ += 2;
    } else if (*place == '<') {
      if (!less_than(name, closing)) return false;
    } else if (at_end()) {
      Finding& finding = no_closing_quote(name);
      ran_out_ = true;
      add_related(finding, {text_.size(), text_.size()}, "the file ends here");
      end_unclosed_value();
      return false;
    } else {
      ++at_;
    }
  }
}

// At a '<' in a value: either it is literal, or the closing quote is missing and this begins the next tag.
bool Scanner::less_than(Range name, char closing) {
  if (begins_markup() && !is_closed_on_line(closing)) {
    Finding& finding = no_closing_quote(name);
    add_related(finding, {at_, at_ + 1}, "the next tag begins here");
    end_unclosed_value();
    return false;
  }
  if (!options_.is_lenient) {
    unescaped({at_, at_ + 1}, "'<' in the value of attribute " + quoted_piece(name), kLessThan);
  }
  ++at_;
  return true;
}

// Closes the innermost open element at the end tag that was read.
void Scanner::close(std::size_t tag_begin) {
  if (is_unfinished_) replace({tag_begin, at_}, "</" + std::string(piece(open_.back().name)) + ">");
  Item& item = result_.items[open_.back().item];
  item.end_tag = static_cast<std::uint32_t>(tag_begin);
  item.end = static_cast<std::uint32_t>(at_);
  item.next = static_cast<std::uint32_t>(result_.items.size());
  open_.pop_back();
}

void Scanner::grow_and_add_item(Item::Kind kind, std::size_t begin) {
  result_.items.reserve(2 * result_.items.size() + 16);
  add_item(kind, begin);
}

inline void Scanner::start_tag() {
  const std::size_t begin = at_;
  tag_.name = {begin + 1, name_end(begin + 1)};
  if (open_.empty()) {
    if (root_.end != 0) after_root(tag_.name);
    if (root_.end == 0) root_ = tag_.name;
  } else if (open_.size() > kMaxNesting) {
    return give_up(
        rules::XML_too_deeply_nested, tag_.name,
        "element " + quoted_piece(tag_.name) + " is nested more than " + std::to_string(kMaxNesting) + " deep");
  } else {
    open_.back().is_empty = false;
  }
  at_ = tag_.name.end;
  tag_.is_doubtful = false;
  tag_.edit = kNone;
  is_tag_faulty_ = false;
  attribute_count_ = 0;
  attribute_bits_ = 0;
  may_repeat_ = false;
  while (true) {
    plain_attributes();
    const std::size_t spaces_begin = at_;
    skip_spaces();
    if (is_of(here(), kNameStart) && at_ != spaces_begin) {
      attribute();
    } else if (here() == '>' || (here() == '/' && at(at_ + 1) == '>') || !unusual(spaces_begin)) {
      break;
    }
  }
  if (may_repeat_) distinct();
  const bool is_empty = here() == '/';
  at_ += is_empty ? 2 : here() == '>' ? 1 : 0;
  tag_.item = static_cast<std::uint32_t>(result_.items.size());
  add_item(Item::Kind::element, begin);
  if (is_empty) {
    last_closed_ = tag_.name;
  } else {
    tag_.tag_end = at_;
    open_.push_back(tag_);
  }
}

inline void Scanner::end_tag() {
  const std::size_t begin = at_;
  // Fast path: mostly it is the expected end tag.
  if (open_.size() > bottom_) {
    const Range open = open_.back().name;
    const std::size_t end = begin + 2 + (open.end - open.begin);
    if (end < text_.size() && at(end) == '>' &&
        std::memcmp(text_.data() + begin + 2, text_.data() + open.begin, open.end - open.begin) == 0) {
      at_ = end + 1;
      is_unfinished_ = false;
      close(begin);
      last_closed_ = {begin + 2, end};
      if (!missed_.empty()) forget_missed();
      return;
    }
  }
  const Range name{at_ + 2, name_end(at_ + 2)};
  at_ = name.end;
  if (here() != '>') skip_spaces();
  is_unfinished_ = here() != '>' || name.begin == name.end;
  if (is_unfinished_) {
    // Where the text ends in it, it is the end tag that is expected.
    const bool is_cut = at_end() && open_.size() > bottom_ && piece(open_.back().name).starts_with(piece(name));
    unfinished_end_tag(name);
    if (is_cut) {
      at_ = text_.size();
      return close(begin);
    }
    // It may have been any end tag: the rest of its name is unknown.
    if (open_.size() == bottom_ || name.begin == name.end || piece(open_.back().name) != piece(name)) {
      if (open_.size() > bottom_) open_.back().is_doubtful = true;
      return blank({begin, at_});
    }
  } else {
    ++at_;
  }
  if (open_.size() == bottom_ || piece(open_.back().name) != piece(name)) return wrong_end_tag({begin, at_}, name);
  close(begin);
  last_closed_ = name;
  forget_missed();
}

// To the end of the text; in an entity's text only to the first fault.
void Scanner::markup_and_text() {
  while (!at_end() && !gave_up_ && (depth_ == 0 || result_.faults.empty())) {
    if (open_.empty()) {
      outside_root();
    } else {
      const std::size_t begin = at_;
      skip_spaces();
      if (here() != '<' && !at_end()) character_data(begin);
    }
    if (at_end()) return;
    const char next = at(at_ + 1);
    if (next == '/') {
      end_tag();
    } else if (is_name_start(at_ + 1)) {
      start_tag();
    } else {
      other_markup();
    }
  }
}

}  // namespace espalier::text
