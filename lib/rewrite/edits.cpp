// Edits of source texts. See edits.h.
#include "rewrite/edits.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace espalier::rewrite {
namespace {

// Places that are edited, in their order; none overlaps or touches another.
class Places {
 public:
  // Are these edits apart from all the places?
  bool are_apart(const std::vector<text::Edit>& edits) const {
    return std::all_of(edits.begin(), edits.end(), [this](const text::Edit& edit) { return is_apart(edit.span); });
  }
  void add(const text::Span& span) { places_.insert(span); }

 private:
  bool is_apart(const text::Span& span) const {
    const auto after = places_.lower_bound(span);
    if (after != places_.end() && after->file == span.file && after->begin <= span.end) return false;
    if (after == places_.begin()) return true;
    const text::Span& before = *std::prev(after);
    return before.file != span.file || before.end < span.begin;
  }

  std::set<text::Span> places_;
};

bool is_as_safe(text::FixGrade fix, text::FixGrade grade) {
  return fix == text::FixGrade::safe || (fix == text::FixGrade::unsafe && grade == text::FixGrade::unsafe);
}

}  // namespace

std::string edited(std::string_view text, const std::vector<text::Edit>& edits) {
  std::string result;
  std::size_t at = 0;
  for (const text::Edit& edit : edits) {
    result.append(text.substr(at, edit.span.begin - at)).append(edit.replacement);
    at = edit.span.end;
  }
  return result.append(text.substr(at));
}

ChosenFixes choose_fixes(const text::Findings& findings, text::FixGrade grade) {
  ChosenFixes chosen;
  Places places;
  std::set<text::Span> relied_on;
  const auto is_apart = [&](const text::Fix& fix) {
    const auto is_taken = [&](const text::SharedSpans& spans) {
      return std::any_of(spans->begin(), spans->end(),
                         [&](const text::Span& each) { return relied_on.count(each) != 0; });
    };
    return places.are_apart(fix.edits) && std::none_of(fix.rests_on.begin(), fix.rests_on.end(), is_taken);
  };
  for (const text::Finding& finding : findings.all()) {
    const auto fix = std::find_if(finding.fixes.begin(), finding.fixes.end(), [&](const text::Fix& each) {
      return is_as_safe(each.grade, grade) && is_apart(each);
    });
    if (fix == finding.fixes.end()) continue;
    ++chosen.fix_count;
    for (const text::SharedSpans& spans : fix->rests_on) relied_on.insert(spans->begin(), spans->end());
    for (const text::Edit& edit : fix->edits) {
      places.add(edit.span);
      if (fix->guess) chosen.guessed.push_back(edit.span);
      chosen.edits.push_back(edit);
    }
  }
  std::sort(chosen.edits.begin(), chosen.edits.end(),
            [](const text::Edit& a, const text::Edit& b) { return a.span < b.span; });
  return chosen;
}

}  // namespace espalier::rewrite
