// Checks a text before pugixml parses it: the XML declaration, comments and similar markup. See scanner.h.
#include <algorithm>
#include <array>

#include "text/scanner.h"

#include "rules/xml.h"

namespace espalier::text {

// <?xml version="1.0" encoding="..." standalone="..."?>. It is not needed after this: a faulty one is removed.
void Scanner::declaration() {
  const std::size_t begin = at_;
  const std::size_t fault_count = result_.faults.size();
  at_ += 5;
  std::size_t next = 0;
  while (declaration_part(next)) {
  }
  if (fault_count == result_.faults.size()) return;
  const std::size_t end = find_first_of("<>", begin + 1);
  at_ = std::max(at_, end + (at(end) == '>' ? 1 : 0));
  blank({begin, std::min(at_, text_.size())});
}

// These three in this order; only the first is required. `next` is the next one that is allowed.
bool Scanner::declaration_part(std::size_t& next) {
  constexpr std::array<std::string_view, 3> known = {"version", "encoding", "standalone"};
  const Range word{0, 5};
  const std::size_t begin = at_;
  skip_spaces();
  if (starts_with("?>")) {
    at_ += 2;
    if (next == 0) {
      fault(rules::XML_malformed, word, "the XML declaration has no version", "write '<?xml version=\"1.0\"?>'");
    }
    return false;
  }
  if (at_end()) {
    fault_at_end(rules::XML_malformed, word, "the XML declaration is not closed with '?>'");
    return false;
  }
  const Range name{at_, name_end(at_)};
  const auto* const found = std::find(known.begin() + next, known.end(), piece(name));
  if (begin == at_ || found == known.end() || (next == 0 && found != known.begin())) {
    const Range range = name.begin == name.end ? this_character() : name;
    const bool has_version = next != 0 || found == known.end();
    fault(rules::XML_malformed, range,
          has_version ? "unexpected " + quoted_piece(range) + " in the XML declaration"
                      : "the XML declaration does not begin with its version",
          "write '<?xml version=\"1.0\" encoding=\"UTF-8\"?>'");
    return false;
  }
  next = static_cast<std::size_t>(found - known.begin()) + 1;
  at_ = name.end;
  return attribute_equals(name) && attribute_value(name);
}

// The place of `end`; kNone if it is not found. No part of a text is searched twice.
std::size_t Scanner::end_of_markup(std::string_view end, std::size_t& found, std::size_t from) {
  if (found < from) found = text_.find(end, from);
  return found;
}

// Only its line is removed: the rest was probably not meant to be in it. But if no end tag follows, the file is cut.
void Scanner::unclosed_markup(Range begin, std::string message) {
  if (last_end_tag_ == kNone) {
    const std::size_t last = text_.rfind("</");
    last_end_tag_ = last == kNone ? 0 : last;
  }
  Finding& finding = fault(rules::XML_malformed, begin, std::move(message));
  add_related(finding, {text_.size(), text_.size()}, "the file ends here");
  at_ = find_first_of("\r\n", begin.end);
  if (last_end_tag_ <= begin.begin) at_ = text_.size();
  ran_out_ = ran_out_ || at_end();
  blank({begin.begin, at_});
}

void Scanner::comment() {
  const Range begin{at_, at_ + 4};
  const std::size_t end = end_of_markup("-->", comment_end_, begin.end);
  const std::size_t dashes = text_.find("--", begin.end);
  if (end == kNone) return unclosed_markup(begin, "the comment is not closed with '-->'");
  if (dashes < end && !options_.is_lenient) {
    // Another comment on a later line: this one was meant to end before it.
    const std::size_t line_end = find_first_of("\r\n", begin.end);
    const bool begins_another = dashes > line_end && at(dashes - 1) == '!' && at(dashes - 2) == '<';
    if (begins_another) {
      Finding& finding = fault(rules::XML_malformed, begin, "the comment is not closed with '-->'");
      add_related(finding, {dashes - 2, dashes + 2}, "another comment begins here");
      at_ = line_end;
      return blank({begin.begin, at_});
    }
    Finding& finding = fault(rules::XML_malformed, {dashes, dashes + 2}, "'--' inside a comment",
                             "a comment ends with '-->'; write other lines, such as '=='");
    add_related(finding, begin, "the comment begins here");
    std::string content(piece({begin.end, end}));
    for (std::size_t i = 0; i < content.size(); ++i) {
      if (content[i] == '-' && at(begin.end + i + 1) == '-') content[i] = ' ';
    }
    replace({begin.end, end}, std::move(content));
  }
  at_ = end + 3;
  add_item(Item::Kind::comment, begin.begin);
}

void Scanner::cdata() {
  const Range begin{at_, at_ + std::string_view("<![CDATA[").size()};
  const std::size_t end = end_of_markup("]]>", section_end_, begin.end);
  if (end == kNone) return unclosed_markup(begin, "the CDATA section is not closed with ']]>'");
  at_ = end + 3;
  if (!open_.empty()) {
    open_.back().is_empty = false;
    return add_item(Item::Kind::section, begin.begin);
  }
  if (after_root_ == kNone) fault(rules::XML_outside_root, begin, "CDATA section outside the root element");
  blank({begin.begin, at_});
}

void Scanner::processing_instruction() {
  const Range target{at_ + 2, name_end(at_ + 2)};
  const Range begin{at_, target.end};
  const std::size_t end = end_of_markup("?>", instruction_end_, target.end);
  const bool is_declaration = equal_any_case(piece(target), "xml");
  if (is_declaration) {
    Finding& finding =
        fault(rules::XML_malformed, begin, "the XML declaration is not at the very beginning of the file");
    if (begin.begin == 0) {
      finding.message = quoted_piece(target) + " must be written 'xml'";
      add_fix(finding, target, "xml");
    } else if (std::all_of(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(begin.begin), is_space)) {
      finding.hint = "remove the white space before it";
      add_fix(finding, {0, begin.begin}, {});
    } else {
      finding.hint = "move it there, or remove it";
    }
  } else if (end == kNone) {
    return unclosed_markup(begin, "the processing instruction is not closed with '?>'");
  } else if (target.begin == target.end || (target.end != end && !is_space(at(target.end)))) {
    fault(rules::XML_malformed, begin, "the processing instruction does not begin with a name");
  } else {
    at_ = end + 2;
    return add_item(Item::Kind::instruction, begin.begin);
  }
  at_ = end == kNone ? find_first_of(">\r\n", begin.end) : end + 2;
  if (here() == '>') ++at_;
  blank({begin.begin, at_});
}

}  // namespace espalier::text
