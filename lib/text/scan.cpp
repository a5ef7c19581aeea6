// A strict look at a text before pugixml parses it: the document and its tags. See scan.h and scanner.h.
#include "text/scan.h"

#include <algorithm>
#include <cstdio>

#include "text/scanner.h"
#include "text/xml.h"

namespace espalier::text {

bool Scanner::unescaped(Range range, std::string message, std::string written) {
  fault(Rule::XML_unescaped_character, range, std::move(message), "write '" + written + "'");
  add_fix(range, std::move(written));
  return false;
}

void Scanner::forbidden_character() {
  const std::size_t at = text_.size();
  const auto byte = static_cast<unsigned char>(whole_[at]);
  // Beside control characters only U+FFFE and U+FFFF, EF BF BE and EF BF BF, are forbidden.
  const unsigned code = byte < 0x20 ? byte : 0xFF00u + static_cast<unsigned char>(whole_[at + 2]) + 0x40u;
  char number[16];
  std::snprintf(number, sizeof number, "U+%04X", code);
  const Range range{at, at + character_length(whole_, at)};
  fault(Rule::XML_bad_character, range, std::string("character '") + number + "' may not stand in XML", "remove it");
  add_fix(range, {});
}

// Of a file that is not well-formed: what version control leaves where two sides of a merge do not agree is the fault,
// whatever comes of it.
bool Scanner::unfinished_merge() {
  std::vector<Range> sides;
  for (std::size_t at = 0; at < text_.size() && depth_ == 0;) {
    const std::string_view marker = conflict_marker(text_, at);
    const bool begins = !marker.empty() && (marker[0] == '<' || marker[0] == '>');
    if (begins || (!marker.empty() && !sides.empty())) sides.push_back({at, at + marker.size()});
    if (!sides.empty() && begins && marker[0] == '>') break;
    const std::size_t line_end = text_.find_first_of("\r\n", at);
    at = line_end == kNone ? kNone : line_end + 1;
  }
  if (sides.empty()) return false;
  fault(Rule::XML_malformed, sides[0], quoted_piece(sides[0]) + " marks one side of a merge conflict",
        "a merge is unfinished: keep what is wanted of both sides, and remove the lines that mark them");
  for (std::size_t i = 1; i < sides.size(); ++i) {
    const char mark = text_[sides[i].begin];
    add_related(sides[i], mark == '>'   ? "the conflict ends here"
                          : mark == '|' ? "what both sides come from"
                                        : "the other side begins here");
  }
  return true;
}

bool Scanner::document() {
  if (starts_with("<?xml") && end_of_name(text_, at_ + 2) == at_ + 5 && !declaration()) return false;
  while (!at_end()) {
    if (!(open_.empty() ? outside_root() : character_data())) return false;
    if (!at_end() && !markup()) return false;
  }
  if (!open_.empty()) return never_closed();
  if (root_.end == 0) {
    const bool is_blank = std::all_of(text_.begin(), text_.end(), is_space);
    fault(Rule::XML_empty_file, {0, 0}, is_blank ? "the file is empty" : "the file has no element");
    ran_out_ = true;
    return false;
  }
  return true;
}

bool Scanner::never_closed() {
  const OpenElement& element = open_.back();
  const std::string name(name_of(element));
  fault_at_end(Rule::XML_unclosed_element, {element.name_begin, element.name_end},
               "element " + quote(name) + " is never closed", "add " + quote("</" + name + ">"));
  return false;
}

bool Scanner::outside_root() {
  skip_spaces();
  if (at_end() || here() == '<') return true;
  const std::size_t end = std::min(text_.find_first_of("<\r\n", at_), text_.size());
  const Range range{at_, end};
  if (root_.end == 0) {
    fault(Rule::XML_outside_root, range, "text " + quoted_piece(range) + " stands before the root element");
  } else {
    fault(Rule::XML_outside_root, range,
          "text " + quoted_piece(range) + " stands after the root element " + quoted_piece(root_));
  }
  return false;
}

// Up to the next '<' or the end.
bool Scanner::character_data() {
  while (!at_end()) {
    const char c = text_[at_];
    if (c == '<') return true;
    if (!is_space(c)) open_.back().is_empty = false;
    if (c == '&') {
      if (!reference(false)) return false;
    } else if (c == ']' && starts_with("]]>")) {
      return unescaped({at_, at_ + 3}, "']]>' ends a CDATA section, but none is open", "]]&gt;");
    } else {
      ++at_;
    }
  }
  return true;
}

bool Scanner::markup() {
  if (starts_with("<!--")) return comment();
  if (starts_with("<![CDATA[")) return cdata();
  if (starts_with("<!DOCTYPE")) return doctype();
  if (starts_with("<?")) return processing_instruction();
  if (starts_with("</")) return end_tag();
  if (end_of_name(text_, at_ + 1) > at_ + 1) return start_tag();
  return not_a_tag();
}

bool Scanner::not_a_tag() {
  if (at_ + 1 >= text_.size()) {
    fault_at_end(Rule::XML_malformed, {at_, at_ + 1}, "the file ends within a tag");
    return false;
  }
  if (starts_with("<!")) {
    fault(Rule::XML_malformed, {at_, at_ + 2}, "'<!' begins nothing that XML has here",
          "a comment is written '<!-- ... -->'");
    // The text may just be too short to tell.
    ran_out_ = text_.size() - at_ < std::string_view("<![CDATA[").size();
    return false;
  }
  return unescaped({at_, at_ + 1}, "'<' does not begin a tag here", "&lt;");
}

// ---- Tags ----------------------------------------------------------------------------------------------------------

bool Scanner::start_tag() {
  OpenElement element;
  element.name_begin = at_ + 1;
  element.name_end = end_of_name(text_, at_ + 1);
  const Range name{element.name_begin, element.name_end};
  if (open_.empty() && root_.end != 0) {
    fault(Rule::XML_outside_root, name, "element " + quoted_piece(name) + " stands after the root element",
          "a file has one root element; put the others into files of their own");
    add_related(root_, "the root element");
    return false;
  }
  if (open_.size() > kMaxNesting) {
    fault(Rule::XML_too_deeply_nested, name,
          "element " + quoted_piece(name) + " is nested more than " + std::to_string(kMaxNesting) + " deep");
    return false;
  }
  if (open_.empty()) root_ = name;
  if (!open_.empty()) open_.back().is_empty = false;
  at_ = name.end;
  attribute_names_.clear();
  while (here() != '>' && !starts_with("/>")) {
    if (!attribute(element, attribute_names_)) return false;
  }
  if (!distinct(attribute_names_)) return false;
  if (here() == '/') {
    at_ += 2;
    last_closed_ = name;
  } else {
    element.tag_end = ++at_;
    open_.push_back(element);
  }
  return true;
}

// White space with an attribute or the tag's end behind it.
bool Scanner::attribute(const OpenElement& element, std::vector<Range>& names) {
  const std::size_t begin = at_;
  skip_spaces();
  if (here() == '>' || starts_with("/>")) return true;
  const Range tag{element.name_begin, element.name_end};
  if (at_end()) {
    fault_at_end(Rule::XML_malformed, tag, "the tag of " + quoted_piece(tag) + " is not closed with '>'");
    return false;
  }
  if (here() == '<') {
    fault(Rule::XML_malformed, tag, "the tag of " + quoted_piece(tag) + " is not closed with '>'");
    add_related({at_, at_ + 1}, "another tag begins here");
    return false;
  }
  if (here() == '/') {
    ran_out_ = at_ + 1 == text_.size();
    fault(Rule::XML_malformed, {at_, at_ + 1}, "'/' without '>' in the tag of " + quoted_piece(tag), "write '/>'");
    return false;
  }
  if (begin == at_ && !names.empty() && text_[at_ - 2] == '=') {
    // As in name="Idle condition="...": what was taken for the closing quote opens the next value.
    return no_closing_quote(names.back());
  }
  const Range name{at_, end_of_name(text_, at_)};
  if (name.begin == name.end) {
    fault(Rule::XML_malformed, this_character(),
          quoted_piece(this_character()) + " cannot begin an attribute's name in the tag of " + quoted_piece(tag));
    return false;
  }
  if (begin == at_) {
    fault(Rule::XML_malformed, name, "no white space before attribute " + quoted_piece(name),
          "write a space there, or look for a missing quote before it");
    add_fix({name.begin, name.begin}, " ", FixGrade::unsafe);
    ran_out_ = name.end == text_.size();
    return false;
  }
  names.push_back(name);
  at_ = name.end;
  return attribute_equals(name) && attribute_value(name);
}

bool Scanner::attribute_equals(Range name) {
  skip_spaces();
  if (here() != '=') {
    ran_out_ = at_end();
    fault(Rule::XML_malformed, name, "attribute " + quoted_piece(name) + " has no value",
          "write " + quote(std::string(piece(name)) + "=\"...\""));
    return false;
  }
  ++at_;
  skip_spaces();
  if (here() == '"' || here() == '\'') return true;
  if (typographic_quote(text_, at_).length != 0) return typographic_value(name);
  ran_out_ = at_end();
  const Range value{at_, std::min(text_.find_first_of(" \t\r\n<>/\"'", at_), text_.size())};
  if (value.begin == value.end) {
    fault(Rule::XML_malformed, name, "attribute " + quoted_piece(name) + " has no value",
          "write " + quote(std::string(piece(name)) + "=\"...\""));
    return false;
  }
  ran_out_ = value.end == text_.size();
  fault(Rule::XML_malformed, value, "the value of attribute " + quoted_piece(name) + " does not stand in quotes",
        "write " + quote("\"" + std::string(piece(value)) + "\""));
  const bool has_end_quote = value.end < text_.size() && (text_[value.end] == '"' || text_[value.end] == '\'');
  if (has_end_quote) {
    add_fix({value.begin, value.begin}, std::string(1, text_[value.end]));
  } else {
    add_fix(value, "\"" + std::string(piece(value)) + "\"");
  }
  return false;
}

// As a word processor or a chat writes it: name=”Idle”.
bool Scanner::typographic_value(Range name) {
  const TypographicQuote opening = typographic_quote(text_, at_);
  const std::size_t begin = at_;
  Range closing;
  for (at_ += opening.length; !at_end() && closing.end == 0; at_ += character_length(text_, at_)) {
    const char c = here();
    if (c == '<' || c == '>' || c == '\r' || c == '\n') break;
    const TypographicQuote quote = typographic_quote(text_, at_);
    if (c == opening.plain) closing = {at_, at_ + 1};
    if (quote.plain == opening.plain) closing = {at_, at_ + quote.length};
  }
  ran_out_ = at_end();
  const Range value{begin, closing.end != 0 ? closing.end : begin + opening.length};
  fault(Rule::XML_malformed, value, "the value of attribute " + quoted_piece(name) + " stands in typographic quotes",
        "write '\"' in place of " + quoted_piece({begin, begin + opening.length}));
  add_fix({begin, begin + opening.length}, "\"");
  if (closing.end != 0) add_fix(closing, "\"");
  return false;
}

// The quote at quote_. Perhaps the other one is no plain quote.
bool Scanner::no_closing_quote(Range name) {
  fault(Rule::XML_malformed, {quote_, quote_ + 1},
        "the value of attribute " + quoted_piece(name) + " has no closing quote");
  for (std::size_t at = quote_ + 1; at < std::min(at_, text_.size()); at += character_length(text_, at)) {
    const TypographicQuote quote = typographic_quote(text_, at);
    if (quote.plain != text_[quote_]) continue;
    result_.fault->hint =
        "write '" + std::string(1, quote.plain) + "' in place of " + quoted_piece({at, at + quote.length});
    add_fix({at, at + quote.length}, std::string(1, quote.plain));
    break;
  }
  return false;
}

bool Scanner::attribute_value(Range name) {
  quote_ = at_;
  const char end = text_[at_++];
  while (!at_end()) {
    const char c = text_[at_];
    if (c == end) {
      ++at_;
      return true;
    }
    if (c == '<') return unclosed_value(name);
    if (c == '&') {
      if (!reference(true)) return false;
    } else if (c == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
      rewritten(at_, at_ + 2, 1);
      at_ += 2;
    } else {
      ++at_;
    }
  }
  no_closing_quote(name);
  ran_out_ = true;
  add_related({text_.size(), text_.size()}, "the file ends here");
  return false;
}

// At a '<' in a value: it was meant, or the quote before the tag's end was forgotten, and this is the next tag.
bool Scanner::unclosed_value(Range name) {
  std::size_t before = at_;
  while (before > quote_ + 1 && is_space(text_[before - 1])) --before;
  const bool behind_a_tag = text_[before - 1] == '>';
  const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  const bool begins_a_tag = next == '/' || next == '!' || end_of_name(text_, at_ + 1) > at_ + 1;
  if (!behind_a_tag || !begins_a_tag) {
    return unescaped({at_, at_ + 1}, "'<' stands in the value of attribute " + quoted_piece(name), "&lt;");
  }
  no_closing_quote(name);
  add_related({at_, at_ + 1}, "the next tag begins here");
  return false;
}

// No attribute twice. Sorted when there are many: a hostile tag may have a million.
bool Scanner::distinct(const std::vector<Range>& names) {
  constexpr std::size_t kFew = 16;
  Range first;
  Range second{kNone, kNone};
  auto meet = [&](Range a, Range b) {
    if (b.begin < second.begin && piece(a) == piece(b)) {
      first = a;
      second = b;
    }
  };
  if (names.size() <= kFew) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) meet(names[k], names[i]);
    }
  } else {
    std::vector<Range> sorted = names;
    std::stable_sort(sorted.begin(), sorted.end(), [&](Range a, Range b) { return piece(a) < piece(b); });
    for (std::size_t i = 1; i < sorted.size(); ++i) meet(sorted[i - 1], sorted[i]);
  }
  if (second.begin == kNone) return true;
  fault(Rule::XML_duplicate_attribute, second, "attribute " + quoted_piece(second) + " is given twice");
  add_related(first, "first given here");
  return false;
}

bool Scanner::end_tag() {
  const std::size_t begin = at_;
  const Range name{at_ + 2, end_of_name(text_, at_ + 2)};
  at_ = name.end;
  skip_spaces();
  if (here() != '>' || name.begin == name.end) {
    ran_out_ = at_end();
    const std::string what = name.begin == name.end ? "'</' without a name" : quote("</" + std::string(piece(name)));
    fault(Rule::XML_malformed, {begin, name.end},
          name.begin == name.end ? what + " is no end tag" : "end tag " + what + " is not closed with '>'");
    return false;
  }
  ++at_;
  if (open_.size() == bottom_ || name_of(open_.back()) != piece(name)) return wrong_end_tag({begin, at_}, name);
  open_.pop_back();
  last_closed_ = name;
  return true;
}

// Which of the tags is at fault? When an element further out waits for this end tag, the innermost one has none;
// else this one is misspelt or too many.
bool Scanner::wrong_end_tag(Range tag, Range name) {
  auto waits = [&](const OpenElement& element) { return name_of(element) == piece(name); };
  if (std::any_of(open_.begin(), open_.end(), waits)) {
    const OpenElement& element = open_.back();
    const std::string inner(name_of(element));
    fault(Rule::XML_unclosed_element, {element.name_begin, element.name_end},
          "element " + quote(inner) + " is never closed",
          element.is_empty ? "end its tag with '/>'" : "add " + quote("</" + inner + ">"));
    if (element.is_empty) add_fix({element.tag_end - 1, element.tag_end - 1}, "/", FixGrade::unsafe);
    add_related(name, "this would close " + quoted_piece(name) + " around it");
    return false;
  }
  const bool is_closed_already = last_closed_.end != 0 && piece(last_closed_) == piece(name);
  if (open_.size() == bottom_ || is_closed_already) {
    fault(Rule::XML_mismatched_tag, name, "end tag " + quoted_piece(name) + " has no start tag");
    if (is_closed_already) {
      result_.fault->hint = "remove it";
      add_fix(tag, {}, FixGrade::unsafe);
      add_related(last_closed_, quoted_piece(name) + " is closed already");
    }
    return false;
  }
  const OpenElement& element = open_.back();
  const std::string expected(name_of(element));
  const std::string hint = did_you_mean(piece(name), {expected});
  fault(Rule::XML_mismatched_tag, name,
        "end tag " + quoted_piece(name) + " does not match start tag " + quote(expected),
        hint.empty() ? quote("</" + expected + ">") + " must come first" : hint);
  if (!hint.empty()) add_fix(name, expected);
  add_related({element.name_begin, element.name_end}, "the start tag");
  return false;
}

// Where references are replaced the text is scanned once more, since values of attributes have other places then.
Scan scan(std::string_view text, FileId file) {
  Entities entities;
  Scan result = Scanner(text, file, entities).run();
  if (result.fault || result.references.empty()) return result;
  result.expanded = expand(text, result.references, result.expansions);
  result.references.clear();
  Entities same;
  Scan again = Scanner(result.expanded, file, same).run();
  result.rewritten = std::move(again.rewritten);
  result.fault = std::move(again.fault);
  if (!result.fault) return result;
  const auto put_in_source = [&](Span& place) {
    place.begin = place_in_source(result.expansions, place.begin, false);
    place.end = std::max(place.begin, place_in_source(result.expansions, place.end, true));
  };
  put_in_source(result.fault->span);
  for (Related& related : result.fault->related) put_in_source(related.span);
  result.fault->fixes.clear();
  return result;
}

}  // namespace espalier::text
