// Checks a text before pugixml parses it: wrong tags and attributes, and how the text is repaired. See scanner.h.
#include <algorithm>

#include "text/scanner.h"

#include "rules/rules.h"
#include "rules/xml.h"

namespace espalier::text {

Finding& Scanner::fault(Rule rule, Range range, std::string message, std::string hint) {
  const bool is_beyond_limit = result_.faults.size() >= kMaxFaults;
  if (is_beyond_limit) gave_up_ = true;
  Finding& finding = is_beyond_limit ? unsaid_ : result_.faults.emplace_back();
  finding = {rule, rules::info(rule).severity, span(range), std::move(message), std::move(hint)};
  return finding;
}

Finding& Scanner::fault_at_end(Rule rule, Range range, std::string message, std::string hint) {
  ran_out_ = true;
  Finding& finding = fault(rule, range, std::move(message), std::move(hint));
  add_related(finding, {text_.size(), text_.size()}, "the file ends here");
  return finding;
}

void Scanner::unescaped(Range range, std::string message, std::string_view written) {
  Finding& finding =
      fault(rules::XML_unescaped_character, range, std::move(message), "write '" + std::string(written) + "'");
  std::string replacement(written);
  if (written == kLessThan) {  // for each '<' of several in a row
    for (std::size_t i = range.begin + 1; i < range.end; ++i) replacement += written;
  }
  add_fix(finding, range, replacement);
  replace(range, std::move(replacement));
}

// Is the attribute whose value is read a condition?
bool Scanner::is_in_condition() const {
  std::size_t end = quote_;
  while (end > 0 && (is_of(at(end - 1), kSpace) || at(end - 1) == '=')) --end;
  std::size_t begin = end;
  while (begin > tag_.name.end && is_of(at(begin - 1), kName)) --begin;
  const std::string attribute = lower_case(piece({begin, end}));
  const std::string element = lower_case(piece(tag_.name));
  const std::string conditions = lower_case(options_.conditions);
  return !attribute.empty() && (conditions.find(" " + attribute + " ") != std::string::npos ||
                                conditions.find(" " + element + "." + attribute + " ") != std::string::npos);
}

// "&&", or "&" in a condition, where a word is meant. With other operators around it, the order of evaluation decides
// where parentheses are needed: then the fix leaves the words to the reader of the value.
void Scanner::raw_conjunction(Range range) {
  const std::string word(options_.conjunction);
  const std::string_view value = text_.substr(quote_ + 1, find_first_of({&text_[quote_], 1}, range.end) - quote_ - 1);
  const bool has_others = value.find_first_of("|^") != value.npos || value.find("or") != value.npos;
  const std::string before(is_of(at(range.begin - 1), kSpace) ? "" : " ");
  const std::string after(is_of(at(range.end), kSpace) ? "" : " ");
  const bool is_twice = range.end - range.begin == 2;
  const std::string reference = is_twice ? "&amp;&amp;" : "&amp;";
  Finding& finding =
      fault(rules::XML_unescaped_character, range, quoted_piece(range) + " is neither XML nor an operator here",
            "use " + quote(word) + " instead");
  add_fix(finding, range, has_others ? reference : before + word + after);
  finding.fixes.back().guess = Guess{};
  replace(range, reference);
}

// ---- Attributes ----------------------------------------------------------------------------------------------------

// In a start tag, at neither its end nor an attribute after white space. False: the tag ends here.
bool Scanner::unusual(std::size_t spaces_begin) {
  if (at_end() || here() == '<') {
    unclosed_tag();
    return false;
  }
  if (starts_with("//") || starts_with("/*")) {
    comment_in_tag();
    return true;
  }
  if (here() == '/') {
    fault(rules::XML_malformed, {at_, at_ + 1}, "'/' without '>' in the tag of " + quoted_piece(tag_.name),
          "write '/>'");
    ran_out_ = ran_out_ || at_ + 1 == text_.size();
    blank({at_, at_ + 1});
    ++at_;
    is_tag_faulty_ = true;
    tag_.is_doubtful = true;
    return true;
  }
  if (here() == ',') {
    comma_in_tag();
    return true;
  }
  const bool touches = spaces_begin == at_;
  if (touches && attribute_count_ != 0 && attributes_[attribute_count_ - 1].end == at_ && at(at_ - 2) == '=') {
    quote_was_missing();
    return true;
  }
  const Range name{at_, name_end(at_)};
  if (name.begin == name.end) {
    const Range character = this_character();
    fault(rules::XML_malformed, character,
          quoted_piece(character) + " cannot begin an attribute's name in the tag of " + quoted_piece(tag_.name));
    skip_junk();
    return true;
  }
  if (touches) {
    Finding& finding = fault(rules::XML_malformed, name, "no white space before attribute " + quoted_piece(name),
                             "write a space there, or look for a missing quote before it");
    add_fix(finding, {name.begin, name.begin}, " ", FixGrade::unsafe);
    is_tag_faulty_ = true;
    replace({name.begin, name.begin}, " ");
  }
  attribute();
  return true;
}

// A comment of C++ in a start tag. One of a line may have the tag's end as its last characters.
void Scanner::comment_in_tag() {
  const bool is_of_line = at(at_ + 1) == '/';
  const std::size_t begin = at_;
  std::size_t end = is_of_line ? find_first_of("\r\n", at_) : find("*/", at_);
  if (!is_of_line && end != text_.size()) end += 2;
  if (is_of_line) {
    std::size_t last = end;
    while (last > begin && is_space(at(last - 1))) --last;
    if (at(last - 1) == '>') end = last - (at(last - 2) == '/' ? 2 : 1);
  }
  fault(rules::XML_malformed, {begin, begin + 2},
        quoted_piece({begin, begin + 2}) + " in the tag of " + quoted_piece(tag_.name) +
            " does not begin a comment in XML",
        "write the comment as '<!-- ... -->' outside of the tag");
  ran_out_ = ran_out_ || end == text_.size();
  at_ = end;
  blank({begin, end});
}

// As in lists of other languages: <GoTo, goal="1", speed="2"/>
void Scanner::comma_in_tag() {
  const Range comma{at_, at_ + 1};
  Finding& finding = fault(rules::XML_malformed, comma, "',' in the tag of " + quoted_piece(tag_.name),
                           "attributes have only white space between them");
  add_fix(finding, comma, is_of(at(at_ + 1), kSpace) || starts_with(",/>") || starts_with(",>") ? "" : " ");
  ++at_;
  blank(comma);
}

// Skips what is not an attribute, up to white space or the tag's end, including quoted text.
void Scanner::skip_junk() {
  const std::size_t begin = at_;
  while (!at_end() && !is_of(here(), kSpace) && here() != '>' && here() != '<' && !starts_with("/>")) {
    const char c = here();
    ++at_;
    if (c != '"' && c != '\'') continue;
    const std::size_t closing = find_first_of(c == '"' ? "\"<\r\n" : "'<\r\n", at_);
    if (at(closing) == c) at_ = closing + 1;
  }
  is_tag_faulty_ = true;
  blank({begin, at_});
}

// As in name="Idle condition="...": what was read as the closing quote opens the next attribute's value.
void Scanner::quote_was_missing() {
  const ScannedAttribute last = attributes_[--attribute_count_];
  no_closing_quote(last.name());
  std::size_t next = at_ - 2;
  while (next > quote_ && !is_of(at(next), kSpace)) --next;
  is_tag_faulty_ = true;
  if (next == quote_) return skip_junk();
  at_ = next;
  blank({last.name_begin, at_});
}

// In a tag with another fault the name is probably not an attribute.
void Scanner::missing_value(Range name) {
  if (!is_tag_faulty_)
    fault(rules::XML_malformed, name, "attribute " + quoted_piece(name) + " has no value",
          "write " + quote(std::string(piece(name)) + "=\"...\""));
  ran_out_ = ran_out_ || at_end();
}

void Scanner::not_quoted(Range name) {
  if (typographic_quote(text_, at_).length != 0) return typographic_value(name);
  const std::size_t begin = at_;
  while (!at_end() && !is_of(here(), kSpace) && here() != '<' && here() != '>' && here() != '"' && here() != '\'' &&
         !starts_with("/>")) {
    ++at_;
  }
  while (at_ > begin + 1 && at(at_ - 1) == ',') --at_;  // it is between attributes
  const Range value{begin, at_};
  // In a= b="..." the next attribute follows.
  const bool is_next =
      begin < at_ && at(at_ - 1) == '=' && (here() == '"' || here() == '\'') && is_space(at(begin - 1));
  if (value.begin == value.end || is_next) {
    missing_value(name);
    at_ = is_next ? begin - 1 : begin;
    return;
  }
  Finding& finding =
      fault(rules::XML_malformed, value, "the value of attribute " + quoted_piece(name) + " is not quoted",
            "write " + quote("\"" + std::string(piece(value)) + "\""));
  ran_out_ = ran_out_ || at_end();
  if (here() == '"' || here() == '\'') {
    add_fix(finding, {value.begin, value.begin}, std::string(1, here()));
    ++at_;
  } else {
    add_fix(finding, value, "\"" + std::string(piece(value)) + "\"");
  }
}

// As word processors and chat programs write it: name=”Idle”.
void Scanner::typographic_value(Range name) {
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
  ran_out_ = ran_out_ || at_end();
  const Range value{begin, closing.end != 0 ? closing.end : begin + opening.length};
  Finding& finding =
      fault(rules::XML_malformed, value, "the value of attribute " + quoted_piece(name) + " is in typographic quotes",
            "write '\"' in place of " + quoted_piece({begin, begin + opening.length}));
  add_fix(finding, {begin, begin + opening.length}, "\"");
  if (closing.end != 0) add_fix(finding, closing, "\"");
  if (closing.end == 0 && at(at_ - 1) == '/' && here() == '>') --at_;
}

// The opening quote is at quote_. The closing one may be typographic.
Finding& Scanner::no_closing_quote(Range name) {
  Finding& finding = fault(rules::XML_malformed, {quote_, quote_ + 1},
                           "the value of attribute " + quoted_piece(name) + " has no closing quote");
  for (std::size_t place = quote_ + 1; place < std::min(at_, text_.size()); place += character_length(text_, place)) {
    const TypographicQuote quote = typographic_quote(text_, place);
    if (quote.plain != at(quote_)) continue;
    const Range range{place, place + quote.length};
    finding.hint = "write '" + std::string(1, quote.plain) + "' in place of " + quoted_piece(range);
    add_fix(finding, range, std::string(1, quote.plain));
    break;
  }
  return finding;
}

// The tag continues at what looks like its end, otherwise where reading the value stopped.
void Scanner::end_unclosed_value() {
  const std::size_t end = text_.substr(0, at_).find('>', quote_);
  if (end == kNone) return;
  at_ = at(end - 1) == '/' && end - 1 > quote_ ? end - 1 : end;
  tag_.is_doubtful = true;
}

// At a '<' in a value: does a closing quote follow on its line? A quote that looks like an opening one does not count.
bool Scanner::is_closed_on_line(char closing) {
  if (next_quote_ < at_) {
    const char set[] = {closing, '\r', '\n', '\0'};
    next_quote_ = find_first_of(set, at_);
  }
  const char next = at(next_quote_) == closing ? at(next_quote_ + 1) : 'x';
  return at(next_quote_) == closing && at(next_quote_ - 1) != '=' &&
         (is_of(next, kSpace) || next == '/' || next == '>' || next == '?' || next == '\0');
}

void Scanner::grow_attributes() { attributes_.resize(2 * attributes_.size() + 16); }

// Has one of the attributes before it the same name? A linear search among few; among many, distinct() decides.
bool Scanner::is_repeated(const ScannedAttribute& attribute) const {
  constexpr std::size_t kFewAttributes = 24;
  if (attribute_count_ > kFewAttributes) return true;
  const std::uint32_t length = attribute.name_end - attribute.name_begin;
  const char first = at(attribute.name_begin);
  for (const ScannedAttribute* other = attributes_.data(); other != &attribute; ++other) {
    if (other->name_end - other->name_begin == length && at(other->name_begin) == first &&
        piece(other->name()) == piece(attribute.name())) {
      return true;
    }
  }
  return false;
}

// Reports duplicate attributes. Sorts them if there are many: a malicious tag may have a million.
void Scanner::distinct() {
  std::vector<ScannedAttribute> sorted(attributes_.begin(),
                                       attributes_.begin() + static_cast<std::ptrdiff_t>(attribute_count_));
  std::stable_sort(sorted.begin(), sorted.end(), [&](const ScannedAttribute& a, const ScannedAttribute& b) {
    return piece(a.name()) < piece(b.name());
  });
  std::size_t first = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const ScannedAttribute& repeated = sorted[i];
    if (piece(sorted[first].name()) != piece(repeated.name())) {
      first = i;
      continue;
    }
    Finding& finding = fault(rules::XML_duplicate_attribute, repeated.name(),
                             "duplicate attribute " + quoted_piece(repeated.name()), "remove one of them");
    add_related(finding, sorted[first].name(), "first given here");
    const Range whole{repeated.name_begin, repeated.end};
    const bool is_same = piece(whole) == piece({sorted[first].name_begin, sorted[first].end});
    std::size_t begin = repeated.name_begin;
    while (is_space(at(begin - 1))) --begin;
    finding.fixes.push_back({"Remove " + quoted_piece(whole), is_same ? FixGrade::safe : FixGrade::unsafe, {}});
    finding.fixes.back().edits.push_back({span({begin, repeated.end}), {}});
    blank({repeated.name_begin, repeated.end});
  }
}

// ---- Tags ----------------------------------------------------------------------------------------------------------

// Called if neither an attribute nor the tag's end follows. If the tag has another fault, that is probably the reason.
void Scanner::unclosed_tag() {
  if (at_end()) {
    if (!is_tag_faulty_) {
      fault_at_end(rules::XML_malformed, tag_.name,
                   "the tag of " + quoted_piece(tag_.name) + " is not closed with '>'");
    }
    ran_out_ = true;
  } else if (!is_tag_faulty_) {
    Finding& finding =
        fault(rules::XML_malformed, tag_.name, "the tag of " + quoted_piece(tag_.name) + " is not closed with '>'");
    add_related(finding, {at_, at_ + 1}, "another tag begins here");
  }
  tag_.is_doubtful = true;
  tag_.edit = replacements_.size();
  replace({at_, at_}, ">");
}

// All content after the root element is one fault.
void Scanner::after_root(Range name) {
  if (after_root_ != kNone) return;
  after_root_ = name.begin - 1;
  Finding& finding = fault(rules::XML_outside_root, name, "element " + quoted_piece(name) + " after the root element",
                           "a file has one root element; put the others into separate files");
  add_related(finding, root_, "the root element");
}

// "</" with no name, or with no '>' after the name: moves at_ after the end tag.
void Scanner::unfinished_end_tag(Range name) {
  const Range written{name.begin - 2, name.end};
  ran_out_ = ran_out_ || at_end();
  if (name.begin == name.end) {
    fault(rules::XML_malformed, written, "'</' without a name");
  } else {
    fault(rules::XML_malformed, written, "end tag " + quoted_piece(written) + " is not closed with '>'");
  }
  const std::size_t stop = find_first_of("<>\r\n", name.end);
  at_ = at(stop) == '>' ? stop + 1 : name.end;
}

// Determines which tag has the fault. If an outer element has this name, the elements inside it have no end tags;
// otherwise the end tag is misspelt or superfluous.
void Scanner::wrong_end_tag(Range tag, Range name) {
  std::size_t waiting = open_.size();
  while (waiting > bottom_ && piece(open_[waiting - 1].name) != piece(name)) --waiting;
  if (is_start_misspelt(tag, name, waiting)) return misspelt_start_tag(tag, name);
  if (waiting > bottom_ && !closes_too_early(waiting - 1)) return miss_ends(waiting - 1, tag, name);
  if (is_missed_end(tag, name)) return;
  stray_end_tag(tag, name);
}

// Is it an end tag of the root element, followed by another one?
bool Scanner::closes_too_early(std::size_t waiting) const {
  if (waiting != 0 || depth_ != 0 || after_root_ != kNone) return false;
  return text_.find("</" + std::string(piece(root_)), at_) != kNone;
}

void Scanner::miss_ends(std::size_t waiting, Range tag, Range name) {
  bool is_reported = false;
  std::size_t end = 0;
  for (std::size_t i = open_.size() - 1; i > waiting; --i) {
    const OpenElement& element = open_[i];
    end = close_without_end_tag(i, tag.begin, end);
    if (element.is_doubtful) continue;
    const std::string inner(piece(element.name));
    missed_.push_back({piece(element.name), waiting, result_.faults.size(), name, false});
    Finding& finding = fault(rules::XML_unclosed_element, element.name, "element " + quote(inner) + " is never closed",
                             element.is_empty ? "end its tag with '/>'" : "add " + quote("</" + inner + ">"));
    if (element.is_empty) add_fix(finding, {element.tag_end - 1, element.tag_end - 1}, "/", FixGrade::unsafe);
    add_related(finding, name, "this would close " + quoted_piece(name) + " around it");
    is_reported = true;
  }
  if (is_reported) missed_.push_back({piece(name), waiting, kNone, name, true});
  open_.resize(waiting + 1);
  close(tag.begin);
  last_closed_ = name;
}

// Removes entries of elements that have ended.
void Scanner::forget_missed() {
  std::erase_if(missed_, [&](const MissedEnd& each) { return each.depth > open_.size(); });
}

// An end tag that was expected before another one: the two cross, which is one fault, at the first of them.
bool Scanner::is_missed_end(Range tag, Range name) {
  const auto found = std::find_if(missed_.rbegin(), missed_.rend(), [&](const MissedEnd& missed) {
    return missed.depth <= open_.size() && missed.name == piece(name);
  });
  if (found == missed_.rend()) return false;
  blank(tag);
  if (!found->is_outer && found->fault < result_.faults.size()) {
    Finding& finding = result_.faults[found->fault];
    const Span start = finding.span;
    const std::string inner = quoted_piece(name);
    const std::string outer = quoted_piece(found->end_tag);
    finding = {rules::XML_mismatched_tag, rules::info(rules::XML_mismatched_tag).severity, span(found->end_tag),
               "end tag " + outer + " comes before the end tag of " + inner, inner + " must be closed first"};
    finding.related.push_back({start, "the start tag of " + inner});
    add_related(finding, name, inner + " is closed here");
  }
  missed_.erase(std::next(found).base());
  return true;
}

void Scanner::stray_end_tag(Range tag, Range name) {
  const bool is_outside = open_.size() == bottom_;
  const bool is_closed_already =
      last_closed_.end != 0 && piece(last_closed_) == piece(name) && (is_outside || !is_meant_for(open_.back(), name));
  if (is_outside && after_root_ != kNone) return;
  if (doubts_tags_) return blank(tag);
  if (is_outside || is_closed_already) {
    Finding& finding = fault(rules::XML_mismatched_tag, name, "end tag " + quoted_piece(name) + " has no start tag");
    if (is_closed_already) {
      finding.hint = "remove it";
      add_fix(finding, tag, {}, FixGrade::unsafe);
      add_related(finding, last_closed_, quoted_piece(name) + " is closed already");
    }
    if (is_outside && root_.end != 0 && depth_ == 0) after_root_ = tag.begin;
    return blank(tag);
  }
  OpenElement& element = open_.back();
  const std::string expected(piece(element.name));
  const std::string hint = did_you_mean(piece(name), {expected});
  Finding& finding = fault(rules::XML_mismatched_tag, name,
                           "end tag " + quoted_piece(name) + " does not match start tag " + quote(expected),
                           hint.empty() ? quote("</" + expected + ">") + " must come first" : hint);
  add_related(finding, element.name, "the start tag");
  if (!hint.empty()) {
    add_fix(finding, name, expected);
    finding.fixes.back().guess = Guess{Guess::Of::tag, std::string(piece(name)), expected};
  }
  const std::size_t indentation = indentation_of(tag.begin);
  const bool is_under_it = indentation != kNone && indentation == indentation_of(element.name.begin - 1);
  if (hint.empty() && !is_under_it) {
    element.is_doubtful = true;
    return blank(tag);
  }
  replace(tag, "</" + expected + ">");
  close(tag.begin);
}

// Is it the misspelt end tag of the open element? Then no other end tag of that follows before its next start tag.
bool Scanner::is_meant_for(const OpenElement& element, Range name) const {
  const std::string expected(piece(element.name));
  if (did_you_mean(piece(name), {expected}).empty()) return false;
  const auto find_tag = [&](const std::string& tag) {
    std::size_t found = text_.find(tag, at_);
    while (found != kNone && name_end(found + tag.size() - expected.size()) != found + tag.size()) {
      found = text_.find(tag, found + 1);
    }
    return found;
  };
  const std::size_t end = find_tag("</" + expected);
  return end == kNone || find_tag("<" + expected) < end;
}

// How often a name stands in the text, as a whole. Counting ends at `most`.
std::size_t Scanner::count_names(std::string_view name, std::size_t most) const {
  const auto is_part = [&](std::size_t place) { return place < text_.size() && is_of(at(place), kName); };
  std::size_t count = 0;
  for (std::size_t at = text_.find(name); at != kNone && count < most; at = text_.find(name, at + name.size())) {
    if (!is_part(at - 1) && !is_part(at + name.size())) ++count;
  }
  return count;
}

// Is the end tag that of the innermost element, whose start tag is misspelt? The format knows only the name in the end
// tag, or only that stands elsewhere in the file. `waiting`: elements down to the one of this name, which may be closed
// instead.
bool Scanner::is_start_misspelt(Range tag, Range name, std::size_t waiting) const {
  if (open_.size() == bottom_ || depth_ != 0 || doubts_tags_ || !is_meant_for(open_.back(), name)) return false;
  const std::string_view start = piece(open_.back().name);
  const std::string_view end = piece(name);
  if (is_element(start)) return false;
  if (waiting == bottom_) return is_element(end) || (count_names(start, 2) == 1 && count_names(end, 2) == 2);
  const std::size_t indentation = indentation_of(tag.begin);
  const bool is_of_outer = indentation != kNone && indentation == indentation_of(open_[waiting - 1].name.begin - 1);
  return is_element(end) && !is_of_outer;
}

void Scanner::misspelt_start_tag(Range tag, Range name) {
  const Range start = open_.back().name;
  Finding& finding = fault(rules::XML_mismatched_tag, start,
                           "start tag " + quoted_piece(start) + " does not match end tag " + quoted_piece(name),
                           did_you_mean(piece(start), {piece(name)}));
  add_related(finding, name, "the end tag");
  const bool is_root = open_.size() == 1 && depth_ == 0;
  add_fix(finding, start, std::string(piece(name)), is_root ? FixGrade::unsafe : FixGrade::safe);
  finding.fixes.back().guess = Guess{Guess::Of::tag, std::string(piece(start)), std::string(piece(name))};
  replace(start, std::string(piece(name)));
  open_.back().name = name;
  close(tag.begin);
  last_closed_ = name;
  forget_missed();
}

// The white space before a tag that begins its line; kNone if other text precedes it.
std::size_t Scanner::indentation_of(std::size_t tag) const {
  std::size_t begin = tag;
  while (begin > 0 && (at(begin - 1) == ' ' || at(begin - 1) == '\t')) --begin;
  const bool begins_line = begin == 0 || at(begin - 1) == '\n' || at(begin - 1) == '\r';
  return begins_line ? tag - begin : kNone;
}

// For an element without an end tag: are the elements after it its children? Decided by indentation, if possible.
bool Scanner::has_children(const OpenElement& element) const {
  std::size_t child = element.item + 1;
  while (child < result_.items.size() && result_.items[child].kind != Item::Kind::element) ++child;
  if (child >= result_.items.size()) return false;
  const std::size_t outer = indentation_of(element.name.begin - 1);
  const std::size_t inner = indentation_of(result_.items[child].begin);
  return outer == kNone || inner == kNone || inner > outer;
}

// Where an element without an end tag probably ends: before the next element that is not indented more; kNone if there
// is none.
std::size_t Scanner::end_by_indentation(const OpenElement& element) const {
  const std::size_t outer = indentation_of(element.name.begin - 1);
  if (outer == kNone || result_.faults.size() >= kMaxFaults) return kNone;
  for (std::size_t i = element.item + 1; i < result_.items.size(); i = result_.items[i].next) {
    const Item& item = result_.items[i];
    if (item.kind != Item::Kind::element) continue;
    const std::size_t inner = indentation_of(item.begin);
    if (inner != kNone && inner <= outer) return item.begin;
  }
  return kNone;
}

// Ends the element at `place` or before it, but not before `inner_end`, or makes its start tag an empty-element tag.
// Returns where it ends.
std::size_t Scanner::close_without_end_tag(std::size_t index, std::size_t place, std::size_t inner_end) {
  const OpenElement& element = open_[index];
  const bool is_root = index == 0 && depth_ == 0;
  if (is_root || (!element.is_doubtful && (place == text_.size() || has_children(element)))) {
    const std::size_t end = is_root ? kNone : end_by_indentation(element);
    if (end != kNone && end >= inner_end) place = end;
    replace({place, place}, "</" + std::string(piece(element.name)) + ">");
    return place;
  }
  if (element.edit < replacements_.size()) {
    replacements_[element.edit].text = "/>";
  } else {
    replace({element.tag_end - 1, element.tag_end - 1}, "/");
  }
  return inner_end;
}

// A file that ends inside elements is one fault, of the innermost one. Elements with damaged tags have their own
// faults.
void Scanner::never_closed() {
  std::size_t innermost = open_.size();
  while (innermost > bottom_ && open_[innermost - 1].is_doubtful) --innermost;
  if (innermost > bottom_) {
    result_.is_cut = true;
    const OpenElement& element = open_[innermost - 1];
    const std::string name(piece(element.name));
    if (!ran_out_ && innermost == 1) {
      // Where its end tag belongs is certain.
      Finding& finding = fault(rules::XML_unclosed_element, {text_.size() - 1, text_.size()},
                               "the file ends before the root element " + quote(name) + " is closed",
                               "add " + quote("</" + name + ">"));
      add_related(finding, element.name, "it is opened here");
      ran_out_ = true;
    } else if (!ran_out_) {
      fault_at_end(rules::XML_unclosed_element, element.name, "element " + quote(name) + " is never closed",
                   "add " + quote("</" + name + ">"));
    }
  }
  std::size_t end = 0;
  for (std::size_t i = open_.size(); i > bottom_; --i) end = close_without_end_tag(i - 1, text_.size(), end);
}

}  // namespace espalier::text
