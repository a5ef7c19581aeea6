// A strict look at a text before pugixml parses it: the declaration, comments and their like. See scanner.h.
#include <algorithm>
#include <array>

#include "text/scanner.h"

namespace espalier::text {

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

}  // namespace espalier::text
