// Comparing names, guessing the one that was meant, and showing them.
#include "text/names.h"
#include "unit.h"

namespace text_names {

using namespace espalier::text;

TEST_CASE("the hint from an unknown element says that prefixes are not read") {
  CHECK(local_name("bt:Leaf") == "Leaf");
  CHECK(local_name("a:b:Leaf") == "Leaf");
  CHECK(local_name("Leaf") == "Leaf");
  CHECK(local_name("Leaf:") == "Leaf:");
  CHECK(element_hint("Laef", "Leaf") == "did you mean 'Leaf'?");
  CHECK(element_hint("bt:Laef", "Leaf") == "namespace prefixes are not read: write 'Leaf'");
  CHECK(element_hint("bt:Thing", "").empty());
}

TEST_CASE("names are compared without the case of ASCII letters") {
  CHECK(equal_any_case("Leaf", "lEAF"));
  CHECK_FALSE(equal_any_case("Leaf", "Leafs"));
  CHECK_FALSE(equal_any_case("[", "{"));
  CHECK_FALSE(equal_any_case("\xC3\x84", "\xC3\xA4"));
  CHECK(lower_case("Lo-\xC3\x84") == "lo-\xC3\x84");
}

TEST_CASE("the nearest name is the one most likely meant") {
  struct {
    const char* name;
    std::vector<std::string_view> candidates;
    const char* nearest;
  } const cases[] = {
      {"alerted", {"Alarmed", "Alerted"}, "Alerted"},   // without case
      {"Alertd", {"Alarmed", "Alerted"}, "Alerted"},    // a letter is missing
      {"Allerted", {"Alarmed", "Alerted"}, "Alerted"},  // one too many
      {"Alertef", {"Alarmed", "Alerted"}, "Alerted"},   // another
      {"Aletred", {"Alarmed", "Alerted"}, "Alerted"},   // two swapped
      {"laetred", {"Alarmed", "Alerted"}, "Alerted"},   // two swapped, twice
      {"lAERTDE", {"Alarmed", "Alerted"}, "Alerted"},   // and without case
      {"Alrtd", {"Alarmed", "Alerted"}, "Alerted"},     // two are missing
      {"Artd", {"Alarmed", "Alerted"}, ""},             // three are
      {"Frobnicate", {"Alarmed", "Alerted"}, ""},       // nothing similar
      {"Alerted", {}, ""},                              // nothing at all
      {"Leaf1", {"Leaf2", "Leaf3"}, ""},                // two are as near
      {"Leaf1", {"Leaf2", "LEAF2"}, "Leaf2"},           // the same one twice
      {"Leafs", {"Leaf2x", "Leaf"}, "Leaf"},            // nearer wins
      {"Leafs", {"Leaf", "Leaf2x"}, "Leaf"},            // in any order
      {"Lefa", {"Leaf"}, "Leaf"},                       // one slip in a short name
      {"Lxxf", {"Leaf"}, ""},                           // but not two
      {"a", {"b"}, ""},                                 // nothing in common
      {"", {"a"}, ""},                                  //
      {"ab", {"a"}, "a"},                               //
      {"ca", {"abc"}, ""},                              // no letter is edited twice
  };
  for (const auto& expected : cases) {
    INFO("name " << expected.name);
    CHECK(nearest(expected.name, expected.candidates) == expected.nearest);
  }
}

TEST_CASE("a hint asks for the nearest name, or is empty") {
  CHECK(did_you_mean("alertd", {"Alerted"}) == "did you mean 'Alerted'?");
  CHECK(did_you_mean("x", {"Alerted"}).empty());
}

TEST_CASE("names of megabytes are compared in time linear in them") {
  const std::string name(1'000'000, 'a');
  std::string other = name;
  other[500'000] = 'b';
  other.pop_back();
  CHECK(nearest(name, {other}) == other);
  CHECK(nearest(name, {"aaa", std::string(999'990, 'a'), std::string(1'000'000, 'b')}).empty());
}

TEST_CASE("a name in a message is short and on one line") {
  CHECK(quote("Leaf") == "'Leaf'");
  CHECK(quote("a\nb\x7F") == "'a b '");
  CHECK(quote(std::string(80, 'x')) == "'" + std::string(80, 'x') + "'");
  CHECK(quote(std::string(81, 'x')) == "'" + std::string(80, 'x') + "...'");
  // A character is shown whole or not at all.
  CHECK(quote(std::string(79, 'x') + "\xC3\xA9") == "'" + std::string(79, 'x') + "...'");
}

}  // namespace text_names
