// The implementation of scan.h: one function for each construct of XML 1.0. Each scans from at_ to the end of what it
// read, even after a fault: fault() records a fault, and replace() or blank() describe how the text is repaired. The
// document and its tags are in scan.cpp, wrong tags and attributes in scan_faults.cpp, comments and similar markup in
// scan_markup.cpp, the DOCTYPE and references in scan_entities.cpp, and the whole text, before and after a repair, in
// scan_text.cpp.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/characters.h"
#include "text/entities.h"
#include "text/names.h"
#include "text/scan.h"

namespace espalier::text {

inline constexpr std::size_t kNone = std::string_view::npos;
inline constexpr std::string_view kLessThan = "&lt;";
inline constexpr std::size_t kMaxFaults = 1000;  // per file: a file with more is not read

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A start tag whose end tag has not been read yet.
struct OpenElement {
  Range name;
  std::size_t tag_end = 0;  // after its '>'
  std::uint32_t item = kNoItem;
  bool is_empty = true;      // no content so far except white space and comments
  bool is_doubtful = false;  // its tag is damaged and may have been meant as empty: no missing end tag is reported
  std::size_t edit = kNone;  // the edit that inserts the '>' that its tag lacks
};

struct ScannedAttribute {
  std::uint32_t name_begin = 0;
  std::uint32_t name_end = 0;
  std::uint32_t end = 0;  // after the closing quote
  Range name() const { return {name_begin, name_end}; }
};

// An element that was closed without an end tag because that of an outer element came. If its own end tag follows
// later, the tags cross, or the outer one was superfluous.
struct MissedEnd {
  std::string_view name;
  std::size_t depth = 0;  // of the outer element
  std::size_t fault = 0;  // index of the fault that reports it
  Range end_tag;          // the name in the outer element's end tag
  bool is_outer = false;  // this is the outer element itself
};

class Scanner {
 public:
  // `source` is the original text; `text` has blanks in place of what cannot be scanned. `depth` is 0 for a file,
  // otherwise the nesting depth of the entity whose text is scanned. Declared entities are added to `entities`.
  Scanner(std::string_view text, std::string_view source, FileId file, const ScanOptions& options, Entities& entities,
          std::uint32_t depth = 0)
      : text_(text), source_(source), file_(file), options_(options), entities_(entities), depth_(depth) {}

  // Stores the findings in result(). replacements() then has the repairs of the text and the expansions of references.
  void document();
  Scan& result() { return result_; }
  std::vector<Replacement>& replacements() { return replacements_; }

 private:
  // ---- Helpers ----
  char at(std::size_t place) const { return text_.data()[place]; }  // up to the NUL at the end
  char here() const { return at(at_); }
  bool at_end() const { return at_ >= text_.size(); }
  bool starts_with(std::string_view word) const {
    return text_.substr(std::min(at_, text_.size()), word.size()) == word;
  }
  std::string_view piece(Range range) const { return text_.substr(range.begin, range.end - range.begin); }
  std::string quoted_piece(Range range) const { return quote(piece(range)); }
  Span span(Range range) const {
    return {file_, static_cast<std::uint32_t>(range.begin), static_cast<std::uint32_t>(range.end)};
  }
  Range this_character() const { return {at_, at_end() ? at_ : at_ + character_length(text_, at_)}; }
  // The first character from `place` on that is in none of the classes. Unrolled, since most of the text is skipped
  // here.
  static const char* skip(const char* place, CharacterClass classes) {
    while (is_of(place[0], classes)) {
      if (!is_of(place[1], classes)) return place + 1;
      if (!is_of(place[2], classes)) return place + 2;
      if (!is_of(place[3], classes)) return place + 3;
      place += 4;
    }
    return place;
  }
  void skip(CharacterClass classes) {
    at_ = static_cast<std::size_t>(skip(text_.data() + at_, classes) - text_.data());
  }
  void skip_spaces() { skip(kSpace); }
  // The end of the name at `place`; `place` itself if there is no name.
  std::size_t name_end(std::size_t place) const {
    const char* end = text_.data() + place;
    if (is_of(*end, kNameStart)) end = skip(end + 1, kName);
    const auto found = static_cast<std::size_t>(end - text_.data());
    return static_cast<unsigned char>(*end) < 0x80 ? found : end_of_name(text_, place);
  }
  bool is_name_start(std::size_t place) const {
    return is_of(at(place), kNameStart) || (static_cast<unsigned char>(at(place)) >= 0x80 && name_end(place) > place);
  }
  // Requires at_ at a '<'.
  bool begins_markup() const {
    const char next = at(at_ + 1);
    return next == '/' || next == '!' || next == '?' || is_name_start(at_ + 1);
  }
  bool was_replaced(std::size_t place) const { return place < text_.size() && at(place) != source_[place]; }
  // The end of the text if `word` is not found.
  std::size_t find(std::string_view word, std::size_t from) const {
    return std::min(text_.find(word, from), text_.size());
  }
  std::size_t find_first_of(std::string_view set, std::size_t from) const {
    return std::min(text_.find_first_of(set, from), text_.size());
  }

  // ---- Faults and repairs ----
  // Records a fault. The caller may add to the finding.
  Finding& fault(Rule rule, Range range, std::string message, std::string hint = {});
  // The same for a fault caused by the end of the text.
  Finding& fault_at_end(Rule rule, Range range, std::string message, std::string hint = {});
  // All replacements for one fault form one fix.
  void add_fix(Finding& finding, Range range, std::string written, FixGrade grade = FixGrade::safe) const {
    if (finding.fixes.empty()) {
      finding.fixes.push_back(make_fix(span(range), piece(range), std::move(written), grade));
    } else {
      finding.fixes.front().edits.push_back({span(range), std::move(written)});
    }
  }
  void add_related(Finding& finding, Range range, std::string message) const {
    finding.related.push_back({span(range), std::move(message)});
  }
  void replace(Range range, std::string replacement) {
    if (gave_up_) return;
    replacements_.push_back(
        {static_cast<std::uint32_t>(range.begin), static_cast<std::uint32_t>(range.end), std::move(replacement), true});
  }
  void blank(Range range) { replace(range, std::string(range.end - range.begin, ' ')); }
  // Stops at a limit: the file is not read.
  void give_up(Rule rule, Range range, std::string message) {
    fault(rule, range, std::move(message));
    gave_up_ = true;
  }
  void unescaped(Range range, std::string message, std::string_view written);
  void raw_conjunction(Range range);
  bool is_in_condition() const;

  // ---- Constructs, from the largest to the smallest ----
  void markup_and_text();
  void cpp_code();
  void outside_root();
  void character_data(std::size_t begin);
  void other_markup();
  void not_a_tag();
  void start_tag();
  void plain_attributes();
  void grow_attributes();
  bool is_repeated(const ScannedAttribute& attribute) const;
  void note_attribute(std::size_t name_begin, std::size_t name_end, std::size_t end);
  void attribute();
  bool attribute_equals(Range name);
  bool attribute_value(Range name);
  bool less_than(Range name, char closing);
  void end_tag();
  void close(std::size_t tag_begin);
  void grow_and_add_item(Item::Kind kind, std::size_t begin);
  // The item from `begin` to at_.
  void add_item(Item::Kind kind, std::size_t begin) {
    if (result_.items.size() == result_.items.capacity()) return grow_and_add_item(kind, begin);
    const auto end = static_cast<std::uint32_t>(at_);
    const auto next = static_cast<std::uint32_t>(result_.items.size() + 1);
    Item& item = result_.items.emplace_back();
    item.begin = static_cast<std::uint32_t>(begin);
    item.end = end;
    item.tag_end = kind == Item::Kind::element ? end : 0;
    item.parent = open_.empty() ? kNoItem : open_.back().item;
    item.next = next;
    item.kind = kind;
  }

  // ---- Wrong tags and attributes: scan_faults.cpp ----
  bool unusual(std::size_t spaces_begin);
  void comment_in_tag();
  void comma_in_tag();
  void skip_junk();
  bool is_closed_on_line(char closing);
  void not_quoted(Range name);
  void typographic_value(Range name);
  Finding& no_closing_quote(Range name);
  void end_unclosed_value();
  void missing_value(Range name);
  void quote_was_missing();
  void distinct();
  void after_root(Range name);
  void unclosed_tag();
  void unfinished_end_tag(Range name);
  void wrong_end_tag(Range tag, Range name);
  bool is_meant_for(const OpenElement& element, Range name) const;
  bool is_element(std::string_view name) const { return options_.has_element != nullptr && options_.has_element(name); }
  std::size_t count_names(std::string_view name, std::size_t most) const;
  bool is_start_misspelt(Range tag, Range name, std::size_t waiting) const;
  void misspelt_start_tag(Range tag, Range name);
  bool closes_too_early(std::size_t waiting) const;
  void miss_ends(std::size_t waiting, Range tag, Range name);
  bool is_missed_end(Range tag, Range name);
  void stray_end_tag(Range tag, Range name);
  std::size_t indentation_of(std::size_t tag) const;
  bool has_children(const OpenElement& element) const;
  std::size_t end_by_indentation(const OpenElement& element) const;
  std::size_t close_without_end_tag(std::size_t index, std::size_t place, std::size_t inner_end);
  void never_closed();
  void forget_missed();

  // ---- Comments and similar markup: scan_markup.cpp ----
  void declaration();
  bool declaration_part(std::size_t& next);
  void comment();
  void cdata();
  void processing_instruction();
  std::size_t end_of_markup(std::string_view end, std::size_t& found, std::size_t from);
  void unclosed_markup(Range begin, std::string message);

  // ---- The DOCTYPE and references: scan_entities.cpp ----
  void doctype();
  void internal_subset();
  void skip_subset();
  bool entity_declaration();
  bool entity_text(Range name, std::string& text);
  void skip_literal_or_character();
  void reference(bool in_attribute);
  bool character_reference(char32_t* code);
  bool general_reference(Range* name, bool in_attribute);
  void undefined_entity(Range reference, Range name);
  void declared_reference(Range range, Range name, Entity& entity, bool in_attribute);
  void external_reference(Range range, Range name, Entity& entity, bool in_attribute);
  void read_entity(Entity& entity, bool in_attribute);
  void attribute_text();
  void content();
  void warn_of_external(Range range, std::string_view what, std::string_view name, std::string_view then);
  void warn_of_missing(Range range, std::string_view external);
  void rewritten(std::size_t begin, std::size_t end, std::size_t length);

  std::string_view text_;
  std::string_view source_;
  FileId file_;
  ScanOptions options_;
  std::size_t at_ = 0;
  std::vector<OpenElement> open_;
  std::size_t bottom_ = 0;          // of open_: the elements below it are outside of the entity's text
  Range root_;                      // the root's name
  std::size_t after_root_ = kNone;  // begin of the first content that is not allowed after the root element
  Range last_closed_;               // the name in the last end tag or empty-element tag
  bool doubts_tags_ = false;        // an entity with a fault may contain other tags
  bool is_unfinished_ = false;      // the current end tag lacks its '>'
  std::vector<MissedEnd> missed_;
  std::size_t comment_end_ = 0;       // the next "-->" found
  std::size_t section_end_ = 0;       // the next "]]>" found
  std::size_t instruction_end_ = 0;   // the next "?>" found
  std::size_t last_end_tag_ = kNone;  // in the text; found when first needed

  // Of the current start tag:
  OpenElement tag_;
  bool is_tag_faulty_ = false;
  std::vector<ScannedAttribute> attributes_;  // the first attribute_count_ of them
  std::size_t attribute_count_ = 0;
  std::uint64_t attribute_bits_ = 0;  // of their names, which may be equal if they have the same bit
  bool may_repeat_ = false;           // two attributes may have the same name
  std::size_t quote_ = 0;             // the opening quote of the last attribute's value
  std::size_t next_quote_ = 0;        // the next occurrence of the same quote

  std::vector<Replacement> replacements_;
  std::vector<Reference> references_;
  bool ran_out_ = false;  // a fault was caused by the end of the text
  bool gave_up_ = false;  // nothing can be read
  Finding unsaid_;        // dummy for faults beyond the limit

  Entities& entities_;
  std::uint32_t depth_;
  std::uint32_t inner_depth_ = 0;    // of the referenced entities
  bool counts_declarations_ = true;  // no parameter entity has hidden declarations so far
  bool names_external_subset_ = false;
  bool is_doctype_faulty_ = false;    // it may have declared more entities
  std::uint64_t expanded_bytes_ = 0;  // of all references
  std::string_view external_;         // a referenced external entity; empty if there is none
  bool is_fault_of_inner_ = false;    // the last fault's message names the entity
  std::uint32_t saved_ = 0;
  Scan result_;
};

}  // namespace espalier::text
