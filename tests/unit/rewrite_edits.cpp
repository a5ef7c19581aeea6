// Which fixes are applied together, and the text that they give.
#include <memory>
#include <vector>

#include "rewrite/edits.h"
#include "rules/xml.h"
#include "unit.h"

namespace rewrite_edits {

using namespace espalier;
using namespace espalier::rewrite;
using text::FixGrade;

namespace {

text::Findings found(std::vector<std::vector<text::Fix>> fixes) {
  text::Findings findings;
  std::uint32_t place = 0;
  for (std::vector<text::Fix>& each : fixes) {
    findings.add(rules::XML_malformed, {0, place, place + 1}, "a fault").fixes = std::move(each);
    ++place;
  }
  return findings;
}

text::Fix fix(FixGrade grade, std::vector<text::Edit> edits) { return {"Mend it", grade, std::move(edits)}; }

}  // namespace

TEST_CASE("edits replace, remove and insert") {
  CHECK(edited("one two three", {{{0, 0, 3}, "1"}, {{0, 3, 7}, ""}, {{0, 13, 13}, "!"}}) == "1 three!");
  CHECK(edited("", {{{0, 0, 0}, "new"}}) == "new");
}

TEST_CASE("of fixes that touch one another, only the first is applied") {
  const auto chosen = choose_fixes(found({{fix(FixGrade::safe, {{{0, 4, 6}, "a"}})},
                                          {fix(FixGrade::safe, {{{0, 6, 8}, "b"}})},
                                          {fix(FixGrade::safe, {{{0, 4, 4}, "c"}})},
                                          {fix(FixGrade::safe, {{{0, 7, 8}, "d"}, {{0, 0, 1}, "e"}})},
                                          {fix(FixGrade::safe, {{{1, 4, 6}, "f"}})}}),
                                   FixGrade::safe);
  REQUIRE(chosen.fix_count == 3);
  REQUIRE(chosen.edits.size() == 4);
  CHECK(chosen.edits[0].replacement == "e");
  CHECK(chosen.edits[1].replacement == "a");
  CHECK(chosen.edits[2].replacement == "d");
  CHECK(chosen.edits[3].replacement == "f");
}

TEST_CASE("of fixes that rest on the same condition, only the first is applied") {
  text::Fix first = fix(FixGrade::safe, {{{0, 4, 6}, "a"}});
  text::Fix second = fix(FixGrade::safe, {{{0, 8, 9}, "b"}});
  text::Fix third = fix(FixGrade::safe, {{{0, 12, 13}, "c"}});
  const auto spans = [](std::vector<text::Span> each) { return std::make_shared<const std::vector<text::Span>>(each); };
  first.rests_on = {spans({{0, 3, 6}}), spans({{0, 3, 6}, {0, 8, 9}})};
  second.rests_on = {spans({{0, 8, 9}})};
  third.rests_on = {spans({{0, 12, 13}})};
  const auto chosen = choose_fixes(found({{first}, {second}, {third}}), FixGrade::safe);
  REQUIRE(chosen.edits.size() == 2);
  CHECK(chosen.edits[0].replacement == "a");
  CHECK(chosen.edits[1].replacement == "c");
}

TEST_CASE("the first alternative that is safe enough is applied") {
  const text::Findings findings =
      found({{fix(FixGrade::unsafe, {{{0, 0, 1}, "bold"}}), fix(FixGrade::safe, {{{0, 0, 1}, "careful"}})},
             {fix(FixGrade::none, {{{0, 5, 6}, "never"}})}});
  const auto safe = choose_fixes(findings, FixGrade::safe);
  REQUIRE(safe.edits.size() == 1);
  CHECK(safe.edits[0].replacement == "careful");
  const auto unsafe = choose_fixes(findings, FixGrade::unsafe);
  REQUIRE(unsafe.edits.size() == 1);
  CHECK(unsafe.edits[0].replacement == "bold");
}

}  // namespace rewrite_edits
