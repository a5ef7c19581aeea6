// The condition language: the terms that a text is parsed into, and the faults of texts that are not conditions.
#include "dialects/condition/condition.h"
#include "dialects/condition/notation.h"

#include <string>

#include "repeat.h"
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

TEST_CASE("a term has the range of its text") {
  const std::string text = "a and !(b or c) == d";
  const Parsed parsed = parse(text);
  std::vector<std::string> parts;
  for (const ir::Term& term : parsed.terms) parts.push_back(text.substr(term.begin, term.end - term.begin));
  CHECK(parts == std::vector<std::string>{"a", "b", "c", "b or c", "!(b or c)", "d", "!(b or c) == d", text});
}

TEST_CASE("an invalid condition has one error, at the first wrong character") {
  struct {
    const char* text;
    FaultKind kind;
    const char* at;  // the text from the position of the fault
    const char* hint;
  } const cases[] = {
      {"", FaultKind::empty, "", "remove the attribute or use 'true'"},
      {"   ", FaultKind::empty, "   ", "remove the attribute or use 'true'"},
      {"a and", FaultKind::missing_value, "", ""},
      {"a and and b", FaultKind::missing_value, "and b", ""},
      {"and b", FaultKind::missing_value, "and b", "'and' needs a value on each side"},
      {"a ==", FaultKind::missing_value, "", ""},
      {"!", FaultKind::missing_value, "", ""},
      {"()", FaultKind::missing_value, ")", ""},
      {"a and ()", FaultKind::missing_value, ")", ""},
      {"(", FaultKind::missing_value, "", ""},
      {"1", FaultKind::missing_value, "1", "use 'true'"},
      {"a and 0", FaultKind::missing_value, "0", "use 'false'"},
      {"12", FaultKind::missing_value, "12", ""},
      {"\xC3\x84rger", FaultKind::missing_value, "\xC3\x84rger", ""},
      {"== a", FaultKind::missing_value, "== a", ""},
      {"!!a", FaultKind::double_not, "!a", nullptr},
      {"! !a", FaultKind::double_not, "!a", nullptr},
      {"(a", FaultKind::unclosed_parenthesis, "(a", "expected ')' at the end"},
      {"b and ((a)", FaultKind::unclosed_parenthesis, "((a)", "expected ')' at the end"},
      {"(a && b)", FaultKind::unclosed_parenthesis, "&& b)", "use 'and' instead of '&&'"},
      {"(a == b == c)", FaultKind::unclosed_parenthesis, "== c)",
       "only one comparison is allowed: put the first in parentheses"},
      {"a && b", FaultKind::text_after, "&& b", "use 'and' instead of '&&'"},
      {"a || b", FaultKind::text_after, "|| b", "use 'or' instead of '||'"},
      {"a = b", FaultKind::text_after, "= b", "use '==' instead of '='"},
      {"not a", FaultKind::text_after, "a", "use '!' instead of 'not'"},
      {"a == not b", FaultKind::text_after, "b", "use '!' instead of 'not'"},
      {"a not b", FaultKind::text_after, "not b", "use '!' instead of 'not'"},
      {"a or b == c == d", FaultKind::text_after, "== d",
       "only one comparison is allowed: put the first in parentheses"},
      {"a)", FaultKind::text_after, ")", "there is no matching '('"},
      {"a b", FaultKind::text_after, "b", "missing operator: expected 'and', 'or' or 'xor' before it"},
      {"a!b", FaultKind::text_after, "!b", "missing operator: expected 'and', 'or' or 'xor' before it"},
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

TEST_CASE("terms before an error are parsed") {
  CHECK(parse("a and b and && c").terms.size() == 3);
  CHECK(parse("a == !(b").terms.size() == 2);
}

TEST_CASE("text after a condition leaves the condition intact, and 'not' in it reads as false") {
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

TEST_CASE("mixed operators without parentheses are reported once in each pair of parentheses") {
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

TEST_CASE("more than 257 operations are reported: values and operators count, parentheses do not") {
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

TEST_CASE("parentheses within one another have a limit, since each takes memory") {
  const auto nested = [](std::size_t count) { return repeat("(", count) + "a" + repeat(")", count); };
  CHECK(parse(nested(dialects::condition::kMaxOpenParentheses)).faults.empty());
  const Parsed deep = parse(nested(dialects::condition::kMaxOpenParentheses + 1));
  REQUIRE(deep.faults.size() == 1);
  CHECK(deep.faults[0].message == "more than 130000 parentheses are open here");
  CHECK(deep.faults[0].begin == dialects::condition::kMaxOpenParentheses);
}

TEST_CASE("names that a condition can contain") {
  for (const char* name : {"a", "_", "Low_Ammo", "Zone.3", "android", "True1"}) {
    CAPTURE(name);
    CHECK(dialects::condition::can_spell(name));
  }
  for (const char* name : {"", "and", "OR", "Xor", "true", "FALSE", "Low-Ammo", "3rd", ".a", "a b", "\xC3\x84"}) {
    CAPTURE(name);
    CHECK_FALSE(dialects::condition::can_spell(name));
  }
}

TEST_CASE("conditions in the notation of other languages keep the order of evaluation") {
  struct {
    const char* text;
    const char* meant;  // empty: it is not clear
  } const cases[] = {
      {"a && b", "a and b"},
      {"a&&!b", "a and !b"},
      {"a || b && c", "a or (b and c)"},
      {"a && b || c", "(a and b) or c"},
      {"a||b&&c||d", "a or (b and c) or d"},
      {"(a || b) && c", "(a or b) and c"},
      {"a && (b || c && d)", "a and (b or (c and d))"},
      {"a & b && c || d", "(a and b and c) or d"},
      {"a ^ b && c", "(a xor b) and c"},
      {"a | b ^ c & d", "a or (b xor (c and d))"},
      {"not a && not (b || c)", "!a and !(b or c)"},
      {"a = b", "a == b"},
      {"a <> b && c", "a != b and c"},
      {"(a = b) ~= c || d && e", "(a == b) != c or (d and e)"},
      {"!(a || b && c)", "!(a or (b and c))"},
      {"a == 1 && ~b", "a == true and !b"},
      {"a && b and c", "a and b and c"},
      {"a || b and c", ""},
      {"a or b && c", ""},
      {"a = b = c", ""},
      {"a && b c", ""},
      {"a && ", ""},
      {"(a && b", ""},
      {"a && b)", ""},
      {"a, b", ""},
      {"a + b", ""},
      {"not not a", ""},
      {"a && 7", ""},
      {"-a && b", ""},
      {"", ""},
  };
  for (const auto& each : cases) {
    CAPTURE(each.text);
    const auto changes = dialects::condition::translation(each.text);
    CHECK((changes.empty() ? std::string() : dialects::condition::changed(each.text, changes)) == each.meant);
  }
}

}  // namespace dialects_condition
