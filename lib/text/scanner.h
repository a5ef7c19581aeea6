// The scanner behind scan.h: one function for each construct of XML 1.0. Each scans from at_ on and returns false when
// it met a fault, which then stands in result_. The document and its tags are in scan.cpp, comments and their like in
// scan_markup.cpp, the DOCTYPE and references in scan_entities.cpp.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/characters.h"
#include "text/names.h"
#include "text/scan.h"

namespace espalier::text {

inline constexpr std::size_t kNone = std::string_view::npos;

// A start tag whose end tag has not come yet.
struct OpenElement {
  std::size_t name_begin = 0;
  std::size_t name_end = 0;
  std::size_t tag_end = 0;  // behind its '>'
  bool is_empty = true;     // nothing but white space and comments so far
};

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Scanner {
 public:
  // `depth`: 0 for a file, else for the text of an entity, and how deep it is within others. `entities` gets those that
  // are declared.
  Scanner(std::string_view text, FileId file, Entities& entities, std::uint32_t depth = 0)
      : text_(text.substr(0, find_forbidden(text))), whole_(text), file_(file), entities_(entities), depth_(depth) {}

  Scan run() {
    const bool is_well_formed = document();
    if (!is_well_formed && unfinished_merge()) return std::move(result_);
    // What is forbidden ends the text that is scanned; it is the first fault when the scan came that far.
    if (text_.size() < whole_.size() && (is_well_formed || ran_out_)) forbidden_character();
    return std::move(result_);
  }

 private:
  // ---- What all of them use ----
  bool starts_with(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
  bool at_end() const { return at_ >= text_.size(); }
  char here() const { return at_end() ? '\0' : text_[at_]; }
  std::string_view piece(Range range) const { return text_.substr(range.begin, range.end - range.begin); }
  std::string quoted_piece(Range range) const { return quote(piece(range)); }
  std::string_view name_of(const OpenElement& element) const { return piece({element.name_begin, element.name_end}); }
  Span span(Range range) const {
    return {file_, static_cast<std::uint32_t>(range.begin), static_cast<std::uint32_t>(range.end)};
  }
  Range this_character() const { return {at_, at_end() ? at_ : at_ + character_length(text_, at_)}; }
  void skip_spaces() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  // Notes the fault. The finding can be completed by the caller, which returns false.
  Finding& fault(Rule rule, Range range, std::string message, std::string hint = {}) {
    result_.fault = Finding{rule, rules::info(rule).severity, span(range), std::move(message), std::move(hint)};
    return *result_.fault;
  }
  // The same for a fault which is that the text ends.
  Finding& fault_at_end(Rule rule, Range range, std::string message, std::string hint = {}) {
    ran_out_ = true;
    Finding& finding = fault(rule, range, std::move(message), std::move(hint));
    finding.related.push_back({span({text_.size(), text_.size()}), "the file ends here"});
    return finding;
  }
  // The edits of one fault are one fix.
  void add_fix(Range range, std::string replacement, FixGrade grade = FixGrade::safe) {
    std::vector<Fix>& fixes = result_.fault->fixes;
    if (fixes.empty()) {
      fixes.push_back(
          make_fix(span(range), whole_.substr(range.begin, range.end - range.begin), std::move(replacement), grade));
    } else {
      fixes.front().edits.push_back({span(range), std::move(replacement)});
    }
  }
  void add_related(Range range, std::string message) {
    result_.fault->related.push_back({span(range), std::move(message)});
  }
  bool unescaped(Range range, std::string message, std::string written);
  bool no_closing_quote(Range name);
  bool unfinished_merge();
  void forbidden_character();

  // ---- Constructs, from the largest to the smallest ----
  bool document();
  bool outside_root();
  bool character_data();
  bool markup();
  bool not_a_tag();
  bool declaration();
  bool comment();
  bool cdata();
  bool processing_instruction();
  bool start_tag();
  bool attribute(const OpenElement& element, std::vector<Range>& names);
  bool attribute_equals(Range name);
  bool attribute_value(Range name);
  bool unclosed_value(Range name);
  bool typographic_value(Range name);
  bool distinct(const std::vector<Range>& names);
  bool end_tag();
  bool wrong_end_tag(Range tag, Range name);
  bool never_closed();

  // ---- The DOCTYPE and references: scan_entities.cpp ----
  bool doctype();
  bool internal_subset();
  bool entity_declaration();
  bool entity_text(Range name, std::string& text);
  void skip_literal_or_character();
  bool reference(bool in_attribute);
  bool character_reference(char32_t* code);
  bool general_reference(Range* name);
  bool undefined_entity(Range reference, Range name);
  bool declared_reference(Range range, Range name, Entity& entity, bool in_attribute);
  bool external_reference(Range range, Range name, Entity& entity, bool in_attribute);
  void read_entity(Entity& entity, bool in_attribute);
  bool attribute_text();
  bool content();
  void warn_of_external(Range range, std::string_view what, std::string_view name, std::string_view then);
  void warn_of_missing(Range range, std::string_view external);
  void rewritten(std::size_t begin, std::size_t end, std::size_t length);

  std::string_view text_;  // up to the first forbidden character
  std::string_view whole_;
  FileId file_;
  std::size_t at_ = 0;
  std::vector<OpenElement> open_;
  std::vector<Range> attribute_names_;
  std::size_t quote_ = 0;  // the one that opened the last attribute's value
  Range last_closed_;      // the name in the end tag, or the empty-element tag, that came last
  Range root_;             // the root's name
  bool ran_out_ = false;
  std::size_t bottom_ = 0;  // of open_: what an entity's text stands in is not its own

  Entities& entities_;
  std::uint32_t depth_;
  std::uint32_t inner_depth_ = 0;    // of the entities that are referred to
  bool counts_declarations_ = true;  // no parameter entity has hidden some
  bool names_external_subset_ = false;
  std::uint64_t expanded_bytes_ = 0;  // of all references
  std::string_view external_;         // one that is referred to; empty: none
  bool is_fault_of_inner_ = false;    // the fault's message names the entity
  std::uint32_t saved_ = 0;
  Scan result_;
};

}  // namespace espalier::text
