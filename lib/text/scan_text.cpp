// Scans a whole text: blanks what is not content, scans, repairs, and scans the repaired text. See scan.h and
// scanner.h.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "rules/xml.h"
#include "text/scan.h"
#include "text/scanner.h"

namespace espalier::text {
namespace {

struct Conflict {
  std::vector<Range> marks;
  std::size_t second_side = kNone;  // begin of the part that is removed
  std::size_t end = 0;              // of the last marker's line
};

// Merge conflicts that version control has left in the text.
std::vector<Conflict> conflicts_in(std::string_view text) {
  std::vector<Conflict> conflicts;
  bool is_open = false;
  std::size_t middle = kNone;  // a marker between two sides whose first marker is missing
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view marker = conflict_marker(text, at);
    const std::size_t line_end = std::min(text.find_first_of("\r\n", at), text.size());
    const char mark = marker.empty() ? '\0' : marker[0];
    if (mark == '<' || (mark == '>' && !is_open)) {
      conflicts.emplace_back().second_side = mark == '>' ? middle : kNone;
      is_open = true;
    }
    if (mark != '\0' && is_open) {
      Conflict& conflict = conflicts.back();
      conflict.marks.push_back({at, at + marker.size()});
      if (mark != '<' && conflict.second_side == kNone) conflict.second_side = at;
      conflict.end = line_end;
      is_open = mark != '>';
    }
    if (mark == '=' && !is_open) middle = at;
    at = line_end + 1;
  }
  return conflicts;
}

Finding finding_of(const Conflict& conflict, std::string_view text, FileId file) {
  const auto span = [&](Range range) {
    return Span{file, static_cast<std::uint32_t>(range.begin), static_cast<std::uint32_t>(range.end)};
  };
  const Range first = conflict.marks[0];
  Finding finding{
      rules::XML_malformed, Severity::error, span(first),
      quote(text.substr(first.begin, first.end - first.begin)) + " marks one side of a merge conflict",
      "a merge is unfinished: keep the lines that you want from both sides, and remove the conflict markers"};
  for (std::size_t i = 1; i < conflict.marks.size(); ++i) {
    const char mark = text[conflict.marks[i].begin];
    finding.related.push_back({span(conflict.marks[i]), mark == '>'   ? "the conflict ends here"
                                                        : mark == '|' ? "what both sides come from"
                                                                      : "the other side begins here"});
  }
  return finding;
}

Finding finding_of_forbidden(std::string_view text, std::size_t at, FileId file) {
  const auto byte = static_cast<unsigned char>(text[at]);
  // Besides control characters only U+FFFE and U+FFFF are forbidden: EF BF BE and EF BF BF.
  const unsigned code = byte < 0x20 ? byte : 0xFF00u + static_cast<unsigned char>(text[at + 2]) + 0x40u;
  char number[16];
  std::snprintf(number, sizeof number, "U+%04X", code);
  const Span span{file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + character_length(text, at))};
  Finding finding{rules::XML_bad_character, Severity::error, span,
                  std::string("character ") + number + " is not allowed in XML", "remove it"};
  finding.fixes.push_back(make_fix(span, text.substr(at, character_length(text, at)), {}, FixGrade::safe));
  return finding;
}

// Parts of the text that are not content: characters that XML forbids and, in files with faults, the markers of an
// unfinished merge and all sides except one. They are blank in `text`, so that the rest can be scanned.
struct Blanks {
  std::string text;
  std::vector<Replacement> replacements;
  std::vector<Finding> faults;

  void blank(std::size_t begin, std::size_t end) {
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    replacements.push_back(
        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), std::string(end - begin, ' '), true});
  }
};

void blank_forbidden(std::string_view text, FileId file, Blanks& blanks) {
  for (std::size_t at = find_forbidden(text); at < text.size(); at += find_forbidden(text.substr(at))) {
    if (blanks.faults.size() < kMaxFaults) blanks.faults.push_back(finding_of_forbidden(text, at, file));
    const std::size_t end = at + character_length(text, at);
    blanks.blank(at, end);
    at = end;
  }
}

void blank_conflicts(std::string_view text, FileId file, const std::vector<Conflict>& conflicts, Blanks& blanks) {
  for (const Conflict& conflict : conflicts) {
    if (blanks.faults.size() < kMaxFaults) blanks.faults.push_back(finding_of(conflict, text, file));
    for (const Range mark : conflict.marks) blanks.blank(mark.begin, mark.end);
    if (conflict.second_side != kNone) blanks.blank(conflict.second_side, conflict.end);
  }
}

Scan scan_once(std::string_view text, std::string_view source, FileId file, const ScanOptions& options,
               std::vector<Replacement>& replacements) {
  Entities entities;
  Scanner scanner(text, source, file, options, entities);
  scanner.document();
  replacements.insert(replacements.end(), std::make_move_iterator(scanner.replacements().begin()),
                      std::make_move_iterator(scanner.replacements().end()));
  return std::move(scanner.result());
}

// Scans the repaired text again, since items have different places in it. `first` has the other results.
void scan_repaired(std::string_view source, FileId file, const ScanOptions& options,
                   std::vector<Replacement> replacements, Scan& first) {
  first.repaired = repair(source, std::move(replacements));
  std::vector<Replacement> more;
  Scan second = scan_once(first.repaired.text, first.repaired.text, file, options, more);
  first.is_readable = second.faults.empty() && second.is_readable;
  first.items = std::move(second.items);
  first.rewritten = std::move(second.rewritten);
  first.doctype_begin = 0;
  first.doctype_end = 0;
  // The expansion of an entity can cause a fault in its context.
  if (!first.faults.empty() || second.faults.empty()) return;
  Finding& fault = first.faults.emplace_back(std::move(second.faults.front()));
  const auto put_in_source = [&](Span& place) {
    place.begin = place_in_source(first.repaired.replaced, place.begin, false);
    place.end = std::max(place.begin, place_in_source(first.repaired.replaced, place.end, true));
  };
  put_in_source(fault.span);
  for (Related& related : fault.related) put_in_source(related.span);
  fault.fixes.clear();
}

}  // namespace

Scan scan(std::string_view text, FileId file, bool has_forbidden, const ScanOptions& options) {
  Blanks blanks;
  std::string_view scanned = text;
  if (has_forbidden) {
    blanks.text = text;
    blank_forbidden(text, file, blanks);
    scanned = blanks.text;
  }
  std::vector<Replacement> replacements;
  Scan result = scan_once(scanned, text, file, options, replacements);
  if (!result.faults.empty()) {
    if (const std::vector<Conflict> conflicts = conflicts_in(text); !conflicts.empty()) {
      blanks.text = std::string(scanned);
      blank_conflicts(text, file, conflicts, blanks);
      replacements.clear();
      result = scan_once(blanks.text, text, file, options, replacements);
      result.faults.clear();  // the merge may have caused all of them
    }
  }
  replacements.insert(replacements.begin(), std::make_move_iterator(blanks.replacements.begin()),
                      std::make_move_iterator(blanks.replacements.end()));
  result.faults.insert(result.faults.begin(), std::make_move_iterator(blanks.faults.begin()),
                       std::make_move_iterator(blanks.faults.end()));
  if (result.is_readable && !replacements.empty()) scan_repaired(text, file, options, std::move(replacements), result);
  return result;
}

}  // namespace espalier::text
