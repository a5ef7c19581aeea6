// Collecting findings.
#include "rules/xml.h"
#include "text/finding.h"
#include "unit.h"

namespace text_findings {

using namespace espalier::text;
namespace rules = espalier::rules;

TEST_CASE("a finding has its rule's severity unless another is given") {
  Findings findings;
  CHECK(findings.add(rules::XML_malformed, {0, 1, 2}, "error").severity == Severity::error);
  CHECK_FALSE(Findings().has_errors());
  CHECK(findings.has_errors());
  Findings warnings;
  CHECK(warnings.add(rules::XML_unused_suppression, {0, 1, 2}, "warning").severity == Severity::warning);
  CHECK_FALSE(warnings.has_errors());
  warnings.add(Finding{rules::XML_unused_suppression, Severity::error, {0, 5, 6}, "now an error"});
  CHECK(warnings.has_errors());
}

TEST_CASE("one fault is one finding: rule and place the same, related places are collected") {
  Findings findings;
  findings.add(rules::XML_malformed, {0, 1, 2}, "first").related.push_back({{0, 8, 9}, "here"});
  findings.add(Finding{
      rules::XML_malformed, Severity::error, {0, 1, 2}, "again", {}, {{{0, 8, 9}, "here"}, {{0, 3, 4}, "there"}}});
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].message == "first");
  CHECK(findings.all()[0].related.size() == 2);

  findings.add(rules::XML_empty_file, {0, 1, 2}, "another rule");
  findings.add(rules::XML_malformed, {1, 1, 2}, "another file");
  findings.add(rules::XML_malformed, {0, 1, 3}, "another place");
  CHECK(findings.all().size() == 4);
}

TEST_CASE("merged findings are the same as findings added one after the other") {
  Findings findings;
  Findings more;
  findings.add(rules::XML_malformed, {0, 1, 2}, "first");
  more.add(rules::XML_malformed, {0, 1, 2}, "again");
  more.add(rules::XML_malformed, {0, 5, 6}, "second");
  findings.merge(std::move(more));
  CHECK(findings.all().size() == 2);
  Findings empty;
  empty.merge(std::move(findings));
  empty.add(rules::XML_malformed, {0, 5, 6}, "known by now");
  CHECK(empty.all().size() == 2);
}

TEST_CASE("of very many findings of one rule in a file the first and the last are kept, and one says so") {
  constexpr std::uint32_t kMany = 10'000;
  for (const bool is_merged : {false, true}) {
    Findings findings;
    for (std::uint32_t i = 0; i < 3 * kMany; ++i) {
      Findings one;
      Findings& to = is_merged ? one : findings;
      to.add(rules::XML_malformed, {0, 2 * i, 2 * i + 1}, "fault " + std::to_string(i)).hint = "hint";
      if (is_merged) findings.merge(std::move(one));
    }
    findings.add(rules::XML_malformed, {1, 0, 1}, "in another file");
    findings.add(rules::XML_empty_file, {0, 0, 1}, "of another rule");
    const std::vector<Finding>& all = findings.all();
    REQUIRE(all.size() == kMany + 3);
    CHECK(all[kMany - 2].related.empty());
    CHECK(all[kMany - 1].related.size() == 1);
    CHECK(all[kMany].message == "fault " + std::to_string(3 * kMany - 1));
    CHECK(all[kMany].hint == "hint");
  }
}

TEST_CASE("findings are sorted by path, place and code") {
  Sources sources;
  const FileId later = sources.add("b.xml", "0123456789");
  const FileId sooner = sources.add("a.xml", "0123456789");
  Findings findings;
  findings.add(rules::XML_malformed, {later, 1, 2}, "4");
  findings.add(rules::XML_empty_file, {sooner, 5, 6}, "3");
  findings.add(rules::XML_malformed, {sooner, 5, 6}, "2");
  findings.add(rules::XML_malformed, {sooner, 1, 9}, "1");
  findings.sort(sources);
  std::string order;
  for (const Finding& finding : findings.all()) order += finding.message;
  CHECK(order == "1234");
  findings.add(rules::XML_malformed, {later, 1, 2}, "the same is found after sorting");
  CHECK(findings.all().size() == 4);
}

TEST_CASE("after findings were taken away new ones are still told apart") {
  Findings findings;
  findings.add(rules::XML_malformed, {0, 1, 2}, "gone");
  findings.add(rules::XML_malformed, {0, 3, 4}, "kept");
  findings.all().erase(findings.all().begin());
  findings.add(rules::XML_malformed, {0, 1, 2}, "back");
  CHECK(findings.all().size() == 2);
}

}  // namespace text_findings
