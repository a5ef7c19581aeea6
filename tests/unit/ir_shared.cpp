// Texts and lists of payloads, which nodes share.
#include <memory>
#include <string>
#include <vector>

#include "ir/draft.h"
#include "ir/few.h"
#include "ir/shared.h"
#include "unit.h"

namespace espalier::ir {

TEST_CASE("trees of one reader have each text once, which lives as long as a payload has it") {
  Text kept;
  {
    const auto names = std::make_shared<Names>();
    Drafts first(names);
    Drafts second(names);
    kept = first.text("a name that is too long to be kept in place");
    CHECK(&kept.string() == &second.text("a name that is too long to be kept in place").string());
    CHECK(&kept.string() != &Drafts().text("a name that is too long to be kept in place").string());
    CHECK(first.text("").empty());
  }
  CHECK(kept == "a name that is too long to be kept in place");
  CHECK(kept == Text("a name that is too long to be kept in place"));
  CHECK(Text() == "");
  CHECK("'" + kept + "'" == "'a name that is too long to be kept in place'");
}

TEST_CASE("a short list takes no room while it is empty, and copies and moves as a vector does") {
  static_assert(sizeof(Few<std::string>) == sizeof(void*));
  Few<std::string> list;
  CHECK(list.empty());
  CHECK(list.begin() == list.end());
  std::vector<std::string> expected;
  for (int i = 0; i < 20; ++i) {
    expected.push_back("element number " + std::to_string(i));
    list.push_back(list.empty() ? expected[0] : "element number " + std::to_string(i));
    CHECK(list.back() == expected.back());
  }
  CHECK(list == Few<std::string>(expected));
  const Few<std::string> copy = list;
  Few<std::string> moved = std::move(list);
  list = {"another"};
  CHECK(copy == moved);
  CHECK(list.front() == "another");
  moved.pop_back();
  CHECK(moved.size() == 19);
  CHECK(moved[18] == "element number 18");
  moved.clear();
  CHECK(moved.empty());
}

}  // namespace espalier::ir
