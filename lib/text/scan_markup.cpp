// A strict look at a text before pugixml parses it: the declaration, DOCTYPE, comments and their like, and references.
// See scanner.h.
#include <algorithm>
#include <array>

#include "text/scanner.h"

namespace espalier::text {
namespace {

struct Entity {
  std::string_view name;
  std::string_view reference;
};

constexpr std::array<std::string_view, 5> kEntities = {"amp", "lt", "gt", "quot", "apos"};

// Those of HTML that are met most.
constexpr std::array<Entity, 14> kHtmlEntities = {{{"nbsp", "&#160;"},
                                                   {"copy", "&#169;"},
                                                   {"reg", "&#174;"},
                                                   {"deg", "&#176;"},
                                                   {"times", "&#215;"},
                                                   {"euro", "&#8364;"},
                                                   {"trade", "&#8482;"},
                                                   {"ndash", "&#8211;"},
                                                   {"mdash", "&#8212;"},
                                                   {"hellip", "&#8230;"},
                                                   {"lsquo", "&#8216;"},
                                                   {"rsquo", "&#8217;"},
                                                   {"ldquo", "&#8220;"},
                                                   {"rdquo", "&#8221;"}}};

}  // namespace

// ---- What stands before the root, comments and their like ----------------------------------------------------------

// <?xml version="1.0" encoding="..." standalone="..."?>: these three, in this order, and only the first must be there.
bool Scanner::declaration() {
  const Range word{at_, at_ + 5};
  at_ += 5;
  constexpr std::array<std::string_view, 3> known = {"version", "encoding", "standalone"};
  std::size_t next = 0;
  while (true) {
    const std::size_t begin = at_;
    skip_spaces();
    if (starts_with("?>")) break;
    if (at_end()) {
      fault_at_end(Rule::XML_malformed, word, "the XML declaration is not closed with '?>'");
      return false;
    }
    const Range name{at_, end_of_name(text_, at_)};
    const auto* const found = std::find(known.begin() + next, known.end(), piece(name));
    if (begin == at_ || found == known.end() || (next == 0 && found != known.begin())) {
      const Range range = name.begin == name.end ? this_character() : name;
      const bool has_version = next != 0 || found == known.end();
      fault(Rule::XML_malformed, range,
            has_version ? quoted_piece(range) + " cannot stand here in the XML declaration"
                        : "the XML declaration does not begin with its version",
            "write '<?xml version=\"1.0\" encoding=\"UTF-8\"?>'");
      ran_out_ = range.end == text_.size();
      return false;
    }
    next = static_cast<std::size_t>(found - known.begin()) + 1;
    at_ = name.end;
    if (!attribute_equals(name) || !attribute_value(name)) return false;
  }
  if (next == 0) {
    fault(Rule::XML_malformed, word, "the XML declaration has no version", "write '<?xml version=\"1.0\"?>'");
    return false;
  }
  at_ += 2;
  return true;
}

// Skipped: no entity of it is ever expanded, nor any file read.
bool Scanner::doctype() {
  const Range word{at_, at_ + std::string_view("<!DOCTYPE").size()};
  if (root_.end != 0 || result_.doctype_end != 0) {
    fault(Rule::XML_malformed, word,
          root_.end != 0 ? "DOCTYPE stands behind the root element's begin" : "a second DOCTYPE",
          "a file may have one, before the root element");
    return false;
  }
  at_ = word.end;
  skip_spaces();
  if (at_ == word.end || end_of_name(text_, at_) == at_) {
    ran_out_ = at_end();
    fault(Rule::XML_malformed, word, "DOCTYPE names no element");
    return false;
  }
  bool in_subset = false;
  while (at_ != kNone && !at_end()) {
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      at_ = text_.find(c, at_ + 1);
    } else if (starts_with("<!--")) {
      at_ = text_.find("-->", at_ + 4);
    } else if (starts_with("<?")) {
      at_ = text_.find("?>", at_ + 2);
    } else if (c == '[' || c == ']') {
      if (c == '[' && result_.subset_begin == 0) result_.subset_begin = static_cast<std::uint32_t>(at_);
      in_subset = c == '[';
      declares_entities_ = true;
    } else if (c == '>' && !in_subset) {
      ++at_;
      result_.doctype_begin = static_cast<std::uint32_t>(word.begin);
      result_.doctype_end = static_cast<std::uint32_t>(at_);
      return true;
    }
    if (at_ != kNone) ++at_;
  }
  fault_at_end(Rule::XML_malformed, word, "DOCTYPE is not closed with '>'");
  return false;
}

bool Scanner::comment() {
  const Range begin{at_, at_ + 4};
  const std::size_t dashes = text_.find("--", begin.end);
  if (dashes == kNone) {
    fault_at_end(Rule::XML_malformed, begin, "the comment is not closed with '-->'");
    return false;
  }
  at_ = dashes + 2;
  if (here() == '>') {
    ++at_;
    return true;
  }
  ran_out_ = at_end();
  fault(Rule::XML_malformed, {dashes, at_}, "'--' stands within a comment",
        "a comment ends with '-->'; write other lines, such as '=='");
  add_related(begin, "the comment begins here");
  return false;
}

bool Scanner::cdata() {
  const Range begin{at_, at_ + std::string_view("<![CDATA[").size()};
  if (open_.empty()) {
    fault(Rule::XML_outside_root, begin, "a CDATA section stands outside the root element");
    return false;
  }
  open_.back().is_empty = false;
  const std::size_t end = text_.find("]]>", begin.end);
  if (end == kNone) {
    fault_at_end(Rule::XML_malformed, begin, "the CDATA section is not closed with ']]>'");
    return false;
  }
  at_ = end + 3;
  return true;
}

bool Scanner::processing_instruction() {
  const Range target{at_ + 2, end_of_name(text_, at_ + 2)};
  const std::size_t end = text_.find("?>", target.end);
  if (equal_any_case(piece(target), "xml")) {
    fault(Rule::XML_malformed, {at_, target.end},
          "the XML declaration does not stand at the very beginning of the file");
    if (std::all_of(text_.begin(), text_.begin() + at_, is_space) && at_ > 0) {
      result_.fault->hint = "remove the white space before it";
      add_fix({0, at_}, {});
    } else if (at_ > 0) {
      result_.fault->hint = "move it there, or remove it";
    } else {
      result_.fault->message = quoted_piece(target) + " must be written 'xml'";
      add_fix(target, "xml");
    }
    return false;
  }
  if (end == kNone) {
    fault_at_end(Rule::XML_malformed, {at_, target.end}, "the processing instruction is not closed with '?>'");
    return false;
  }
  if (target.begin == target.end || (target.end != end && !is_space(text_[target.end]))) {
    fault(Rule::XML_malformed, {at_, target.end}, "the processing instruction does not begin with a name");
    return false;
  }
  at_ = end + 2;
  return true;
}

// ---- References ----------------------------------------------------------------------------------------------------

void Scanner::rewritten(std::size_t begin, std::size_t end, std::size_t length) {
  const auto saved = static_cast<std::uint32_t>(end - begin - length);
  result_.rewritten.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), saved_, saved});
  saved_ += saved;
}

// At '&'.
bool Scanner::reference(bool in_attribute) {
  const std::size_t begin = at_;
  const bool is_number = begin + 1 < text_.size() && text_[begin + 1] == '#';
  if (is_number) {
    const std::size_t end = std::min(text_.find_first_not_of("0123456789abcdefABCDEFx", begin + 2), text_.size());
    return character_reference(end, in_attribute);
  }
  const Range name{begin + 1, end_of_name(text_, begin + 1)};
  const bool is_known = std::find(kEntities.begin(), kEntities.end(), piece(name)) != kEntities.end();
  at_ = name.end;
  if (here() != ';' || name.begin == name.end) {
    ran_out_ = at_end();
    if (is_known) {
      fault(Rule::XML_malformed, {begin, name.end}, "reference " + quoted_piece({begin, name.end}) + " lacks its ';'");
      add_fix({name.end, name.end}, ";");
      return false;
    }
    const bool is_twice = begin + 1 < text_.size() && text_[begin + 1] == '&';
    return unescaped({begin, begin + (is_twice ? 2 : 1)}, "'&' begins a reference, but none follows",
                     is_twice ? "&amp;&amp;" : "&amp;");
  }
  ++at_;
  if (is_known) {
    if (in_attribute) rewritten(begin, at_, 1);
    return true;
  }
  fault(Rule::XML_undefined_entity, {begin, at_}, "entity " + quoted_piece(name) + " is not defined",
        did_you_mean(piece(name), {kEntities.begin(), kEntities.end()}));
  for (const Entity& entity : kHtmlEntities) {
    if (entity.name != piece(name)) continue;
    result_.fault->hint = "write '" + std::string(entity.reference) + "'";
    add_fix({begin, at_}, std::string(entity.reference));
  }
  if (declares_entities_) result_.fault->hint = "what a DOCTYPE declares is not expanded; write the text itself";
  return false;
}

// "&#123;" or "&#x7B;"; `end` is behind the last digit.
bool Scanner::character_reference(std::size_t end, bool in_attribute) {
  const std::size_t begin = at_;
  at_ = end;
  const bool is_hexadecimal = begin + 2 < text_.size() && text_[begin + 2] == 'x';
  const char32_t base = is_hexadecimal ? 16 : 10;
  const std::string_view digits = piece({begin + (is_hexadecimal ? 3u : 2u), end});
  char32_t code = 0;
  bool is_valid = !digits.empty();
  for (const char c : digits) {
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    is_valid = is_valid && digit < static_cast<int>(base);
    if (code <= 0x10FFFF) code = code * base + static_cast<char32_t>(digit);
  }
  if (here() != ';' || !is_valid) {
    ran_out_ = at_end();
    fault(Rule::XML_malformed, {begin, end}, quoted_piece({begin, end}) + " is no reference to a character",
          "such a reference is written '&#65;' or '&#x41;'");
    return false;
  }
  ++at_;
  if (!is_xml_character(code)) {
    fault(Rule::XML_bad_character, {begin, at_},
          "reference " + quoted_piece({begin, at_}) + " names a character that may not stand in XML", "remove it");
    add_fix({begin, at_}, {});
    return false;
  }
  if (in_attribute) rewritten(begin, at_, code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
  return true;
}

}  // namespace espalier::text
