// The condition language: what terms a text becomes, and what is said about a text that is none.
#include "dialects/condition/condition.h"

#include <string>

#include "unit.h"

namespace dialects_condition {

using namespace espalier;
using dialects::condition::FaultKind;
using dialects::condition::parse;
using dialects::condition::Parsed;

namespace {

// Terms written out with all parentheses: "((a or b) and !c)".
std::string shape(const Parsed& parsed, std::string_view text) {
  std::vector<std::string> shapes;
  for (const ir::Term& term : parsed.terms) {
    auto binary = [&](const char* name) { return "(" + shapes.at(term.left) + name + shapes.at(term.right) + ")"; };
    switch (term.kind) {
      case ir::TermKind::constant:
        shapes.push_back(term.left != 0 ? "true" : "false");
        break;
      case ir::TermKind::variable:
        shapes.emplace_back(text.substr(term.begin, term.end - term.begin));
        break;
      case ir::TermKind::negation:
        shapes.push_back("!" + shapes.at(term.left));
        break;
      case ir::TermKind::conjunction:
        shapes.push_back(binary(" and "));
        break;
      case ir::TermKind::disjunction:
        shapes.push_back(binary(" or "));
        break;
      case ir::TermKind::exclusive:
        shapes.push_back(binary(" xor "));
        break;
      case ir::TermKind::equal:
        shapes.push_back(binary(" == "));
        break;
      case ir::TermKind::unequal:
        shapes.push_back(binary(" != "));
        break;
    }
  }
  return shapes.empty() ? std::string() : shapes.back();
}

std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("conditions are read from left to right, comparisons before the rest") {
  struct {
    const char* text;
    const char* shape;
  } const cases[] = {
      {"a", "a"},
      {" \t a\n ", "a"},
      {"TRUE", "true"},
      {"False", "false"},
      {"_x.y_9", "_x.y_9"},
      {"true1", "true1"},
      {"and1", "and1"},
      {"!a", "!a"},
      {"! a", "!a"},
      {"!(!a)", "!!a"},
      {"((a))", "a"},
      {"a and b and c", "((a and b) and c)"},
      {"a or b and c", "((a or b) and c)"},
      {"a and b or c xor d", "(((a and b) or c) xor d)"},
      {"a or (b and c)", "(a or (b and c))"},
      {"(a)and(b)", "(a and b)"},
      {"a AND b Or c", "((a and b) or c)"},
      {"a == b", "(a == b)"},
      {"a==b", "(a == b)"},
      {"a!=b", "(a != b)"},
      {"!a != !b", "(!a != !b)"},
      {"a and b == c", "(a and (b == c))"},
      {"a == b and c", "((a == b) and c)"},
      {"(a == b) == c", "((a == b) == c)"},
      {"a == (b == c)", "(a == (b == c))"},
      {"!(a or b) == true", "(!(a or b) == true)"},
      {"a == b xor c != d", "((a == b) xor (c != d))"},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    const Parsed parsed = parse(text);
    CHECK(parsed.is_complete);
    CHECK(shape(parsed, text) == expected);
  }
}

TEST_CASE("a term knows the text that it fills") {
  const std::string text = "a and !(b or c) == d";
  const Parsed parsed = parse(text);
  std::vector<std::string> parts;
  for (const ir::Term& term : parsed.terms) parts.push_back(text.substr(term.begin, term.end - term.begin));
  CHECK(parts == std::vector<std::string>{"a", "b", "c", "b or c", "!(b or c)", "d", "!(b or c) == d", text});
}

TEST_CASE("a text that is no condition gets one error, at the character that is wrong") {
  struct {
    const char* text;
    FaultKind kind;
    const char* at;  // what stands at the place and behind it
    const char* hint;
  } const cases[] = {
      {"", FaultKind::empty, "", "leave the attribute out or write 'true'"},
      {"   ", FaultKind::empty, "   ", "leave the attribute out or write 'true'"},
      {"a and", FaultKind::missing_value, "", ""},
      {"a and and b", FaultKind::missing_value, "and b", ""},
      {"and b", FaultKind::missing_value, "and b", "'and' stands between two values"},
      {"a ==", FaultKind::missing_value, "", ""},
      {"!", FaultKind::missing_value, "", ""},
      {"()", FaultKind::missing_value, ")", ""},
      {"a and ()", FaultKind::missing_value, ")", ""},
      {"(", FaultKind::missing_value, "", ""},
      {"1", FaultKind::missing_value, "1", "write 'true'"},
      {"a and 0", FaultKind::missing_value, "0", "write 'false'"},
      {"12", FaultKind::missing_value, "12", ""},
      {"\xC3\x84rger", FaultKind::missing_value, "\xC3\x84rger", ""},
      {"== a", FaultKind::missing_value, "== a", ""},
      {"!!a", FaultKind::double_not, "!a", nullptr},
      {"! !a", FaultKind::double_not, "!a", nullptr},
      {"(a", FaultKind::unclosed_parenthesis, "(a", "')' is expected at the end"},
      {"b and ((a)", FaultKind::unclosed_parenthesis, "((a)", "')' is expected at the end"},
      {"(a && b)", FaultKind::unclosed_parenthesis, "&& b)", "write 'and' for '&&'"},
      {"(a == b == c)", FaultKind::unclosed_parenthesis, "== c)",
       "one comparison at most: put the first in parentheses"},
      {"a && b", FaultKind::text_after, "&& b", "write 'and' for '&&'"},
      {"a || b", FaultKind::text_after, "|| b", "write 'or' for '||'"},
      {"a = b", FaultKind::text_after, "= b", "write '==' for '='"},
      {"not a", FaultKind::text_after, "a", "write '!' for 'not'"},
      {"a == not b", FaultKind::text_after, "b", "write '!' for 'not'"},
      {"a not b", FaultKind::text_after, "not b", "write '!' for 'not'"},
      {"a or b == c == d", FaultKind::text_after, "== d", "one comparison at most: put the first in parentheses"},
      {"a)", FaultKind::text_after, ")", "no '(' is open here"},
      {"a b", FaultKind::text_after, "b", "an operator is missing: write 'and', 'or' or 'xor' before it"},
      {"a!b", FaultKind::text_after, "!b", "an operator is missing: write 'and', 'or' or 'xor' before it"},
      {"Low-Ammo", FaultKind::text_after, "-Ammo", ""},
  };
  for (const auto& [text, kind, at, hint] : cases) {
    CAPTURE(text);
    const Parsed parsed = parse(text);
    CHECK_FALSE(parsed.is_complete);
    CHECK(parsed.has_text_after == (kind == FaultKind::text_after));
    REQUIRE(parsed.faults.size() == 1);
    const auto& fault = parsed.faults[0];
    CHECK(fault.kind == kind);
    CHECK(std::string(text).substr(fault.begin) == at);
    CHECK(fault.end >= fault.begin);
    if (hint) CHECK(fault.hint == hint);
  }
}

TEST_CASE("what stands before an error is read all the same") {
  CHECK(parse("a and b and && c").terms.size() == 3);
  CHECK(parse("a == !(b").terms.size() == 2);
}

TEST_CASE("text behind a condition leaves the condition, in which 'not' is no variable but false") {
  struct {
    const char* text;
    const char* shape;
  } const cases[] = {
      {"a and b && c", "(a and b)"},
      {"a or b == c == d", "(a or (b == c))"},
      {"not a", "false"},
      {"a == !not b", "(a == !false)"},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    CHECK(shape(parse(text), text) == expected);
  }
}

TEST_CASE("operators that are mixed without parentheses are warned of, once in each pair of parentheses") {
  struct {
    const char* text;
    std::vector<const char*> at;
  } const cases[] = {
      {"a and b and c", {}},
      {"a or (b and c)", {}},
      {"a == b and c != d", {}},
      {"a or b and c", {"and c"}},
      {"a xor b or c xor d and e", {"or c xor d and e"}},
      {"(a or b and c) xor d", {"and c) xor d"}},
      {"(a or b and c) xor (a and b or c)", {"and c) xor (a and b or c)", "or c)"}},
  };
  for (const auto& [text, at] : cases) {
    CAPTURE(text);
    const Parsed parsed = parse(text);
    CHECK(parsed.is_complete);
    REQUIRE(parsed.faults.size() == at.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
      CHECK(parsed.faults[i].kind == FaultKind::mixed_operators);
      CHECK(std::string(text).substr(parsed.faults[i].begin) == at[i]);
    }
  }
}

TEST_CASE("more than 257 operations are warned of: values and operators count, parentheses do not") {
  CHECK(parse("(a)" + repeat(" and b", 128)).faults.empty());
  const Parsed large = parse("!a" + repeat(" and b", 128));
  CHECK(large.is_complete);
  REQUIRE(large.faults.size() == 1);
  CHECK(large.faults[0].kind == FaultKind::large);
}

TEST_CASE("size and nesting cost heap, not stack") {
  constexpr std::size_t kMany = 100'000;
  CHECK(parse(repeat("(", kMany) + "a" + repeat(")", kMany)).terms.size() == 1);
  CHECK(parse(repeat("!(", kMany) + "a" + repeat(")", kMany)).terms.size() == kMany + 1);
  CHECK(parse("a" + repeat(" and a", kMany)).terms.size() == 2 * kMany + 1);
  CHECK(parse(repeat("(a or ", kMany) + "a" + repeat(")", kMany)).terms.size() == 2 * kMany + 1);
  CHECK_FALSE(parse(repeat("(", kMany)).is_complete);
  CHECK(parse(repeat("(a or b and ", kMany) + "a" + repeat(")", kMany)).faults.size() == kMany + 1);
}

TEST_CASE("names that a condition can spell") {
  for (const char* name : {"a", "_", "Low_Ammo", "Zone.3", "android", "True1"}) {
    CAPTURE(name);
    CHECK(dialects::condition::can_spell(name));
  }
  for (const char* name : {"", "and", "OR", "Xor", "true", "FALSE", "Low-Ammo", "3rd", ".a", "a b", "\xC3\x84"}) {
    CAPTURE(name);
    CHECK_FALSE(dialects::condition::can_spell(name));
  }
}

}  // namespace dialects_condition
