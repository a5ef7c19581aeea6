// Scripts: how they are parsed, and what can be said of them without running them.
#include "ir/poll/expand.h"
#include "ir/poll/script.h"
#include "ir/poll/script_check.h"
#include "rules/rules.h"
#include "unit.h"

namespace ir_scripts {

using namespace espalier::ir::poll;

namespace {

const char* const kTokens[] = {"",  "",  "",   "-",  "~", "!", "+",  "-", "*",  "/",  "..", "&",
                               "|", "^", "&&", "||", "",  "?", ":=", "=", "+=", "-=", "*=", "/="};
const char* const kComparisons[] = {"==", "!=", "<", ">", "<=", ">="};

// With all parentheses: "(a + (b * 2))".
std::string shown(const Script& script, std::uint32_t index) {
  const Expression& each = script.expressions[index];
  const std::string token = kTokens[static_cast<std::size_t>(each.op)];
  const auto operand = [&](std::uint32_t of) { return shown(script, of); };
  switch (each.op) {
    case Operator::number:
      return (std::to_string(static_cast<int>(each.number)) + "." +
              std::to_string(1000 + static_cast<int>(each.number * 1000) % 1000).substr(1))
                 .substr(0, 4) +
             (each.is_whole ? "i" : "");
    case Operator::text:
      return "'" + each.text + "'";
    case Operator::name:
      return each.text;
    case Operator::negate:
    case Operator::complement:
    case Operator::invert:
      return token + operand(each.a);
    case Operator::compare: {
      std::string chain = "(" + operand(each.a);
      for (std::uint32_t i = 0; i < each.c; ++i) {
        const Compared& compared = script.comparisons[each.b + i];
        chain += std::string(" ") + kComparisons[static_cast<std::size_t>(compared.with)] + " " +
                 operand(compared.expression);
      }
      return chain + ")";
    }
    case Operator::choose:
      return "(" + operand(each.a) + " ? " + operand(each.b) + " : " + operand(each.c) + ")";
    default:
      return "(" + operand(each.a) + " " + token + " " + operand(each.b) + ")";
  }
}

// The statements with '; ' between them; '| ' where there is no ';' in the script. A fault: "2-3 message".
std::string parsed(std::string_view source) {
  const Script script = parse_script(source);
  if (script.fault) {
    return std::to_string(script.fault->begin) + "-" + std::to_string(script.fault->end) + " " + script.fault->message;
  }
  std::string result;
  for (const std::uint32_t statement : script.statements) {
    bool is_separated = true;
    for (const std::uint32_t other : script.unseparated) is_separated = is_separated && other != statement;
    if (!result.empty()) result += is_separated ? "; " : " | ";
    result += shown(script, statement);
  }
  return result;
}

// The findings as "rule text", the truth of a condition last.
std::string checked(const std::string& source, bool is_condition, const Enumeration& enumeration = {}) {
  const Script script = parse_script(source);
  REQUIRE_FALSE(script.fault);
  const CheckedScript result = check_script(script, enumeration, is_condition);
  std::string findings;
  for (const ScriptFinding& each : result.findings) {
    const std::string_view name = espalier::rules::info(each.rule).name;
    findings += std::string(name) + " " + source.substr(each.begin, each.end - each.begin) + "; ";
  }
  return findings + (result.truth ? *result.truth ? "true" : "false" : "");
}

}  // namespace

TEST_CASE("btcpp: scripts are parsed by precedence") {
  struct Case {
    const char* source;
    const char* result;
  };
  const Case cases[] = {
      {"a := 1", "(a := 1.00i)"},
      {"a := b += 2.5", "(a := (b += 2.50))"},
      {"a := 1; b = 2;", "(a := 1.00i); (b = 2.00i)"},
      {"a := 1 b := 2", "(a := 1.00i) | (b := 2.00i)"},
      {"a and b", "a | and | b"},
      {"a || b && c", "(a || (b && c))"},
      {"a | b & c + d * e", "(a | (b & (c + (d * e))))"},
      {"a - b - c", "((a - b) - c)"},
      {"a .. 'x' .. b", "((a .. 'x') .. b)"},
      {"-a * !b", "(-a * !b)"},
      {"- -1", "--1.00i"},
      {"(a + b) * c", "((a + b) * c)"},
      {"a < b <= c == d", "(a < b <= c == d)"},
      {"a == b && c != d", "((a == b) && (c != d))"},
      {"a ? b : c ? d : e", "(a ? b : (c ? d : e))"},
      {"x := a ? 1 : 2", "(x := (a ? 1.00i : 2.00i))"},
      {"a ? b := 1 : c", "(a ? (b := 1.00i) : c)"},
      {"(a ? b : c) := 1", "((a ? b : c) := 1.00i)"},
      {"0xFFFFFFFFFFFFFFFF", "0.00i"},
      {"0x1F + 1e1", "(31.0i + 10.0)"},
      {"1..2", "(1.00i .. 2.00i)"},
      {"true == false", "(1.00 == 0.00)"},
      {"@a := _b", "(@a := _b)"},
      {"'it is \"x\"'", "'it is \"x\"'"},
  };
  for (const Case& each : cases) {
    INFO(each.source);
    CHECK(parsed(each.source) == each.result);
  }
}

TEST_CASE("btcpp: a malformed script is one fault at its token") {
  struct Case {
    const char* source;
    const char* result;
  };
  const Case cases[] = {
      {"a := \"x\"", "5-6 a text is written in single quotes since version 4.9"},
      {"a := 'x", "5-7 the text is not closed"},
      {"a +", "2-3 an operand is missing at the end"},
      {"(a", "0-1 the parenthesis is not closed"},
      {"a)", "1-2 ')' without '(' before it"},
      {"a ? b", "5-5 ':' is missing"},
      {"* a", "0-1 an operand is missing before '*'"},
      {"a ++", "3-4 an operand is missing before '+'"},
      {"12ab", "0-4 '12ab' is neither a number nor a name"},
      {"a $ b", "2-3 an operand is missing before '$'"},
      {"a ? b : c := 1", "10-12 'a ? b : c' cannot be assigned to"},
      {"; a := 1", "0-1 a script begins with a statement, not with ';'"},
      {" \t", "0-2 a script of blanks only"},
      {"0x1..'a'", "0-4 '0x1.' is not a number"},
  };
  for (const Case& each : cases) {
    INFO(each.source);
    CHECK(parsed(each.source) == each.result);
  }
}

TEST_CASE("btcpp: a deep script is a fault, not a full stack") {
  for (const char* const opening : {"(", "-", "a := ", "a ? b : ", "a ? "}) {
    std::string source;
    for (int i = 0; i < 100000; ++i) source += opening;
    const Script script = parse_script(source + "1");
    REQUIRE(script.fault);
    CHECK(script.fault->message == "the script is nested too deeply");
  }
}

TEST_CASE("btcpp: a script that would take very much memory is a fault") {
  std::string source;
  for (std::size_t i = 0; i < kMaxScriptExpressions; ++i) source += "a;";
  CHECK_FALSE(parse_script(source).fault);
  const Script script = parse_script(source + "b");
  REQUIRE(script.fault);
  CHECK(script.fault->message == "the script is too long: at most 1,000,000 operands and operators");
}

TEST_CASE("btcpp: a chain of operators may be long") {
  constexpr std::size_t kMany = 80'000;  // of which each would take more than 100 bytes of a stack of 8 MB
  struct Case {
    const char* first;
    const char* link;
    std::size_t uses;
  };
  for (const Case& each : {Case{"1", "+1", 0}, Case{"a", " - 1", 1}, Case{"a", " && b", kMany + 1},
                           Case{"a", " == b", kMany + 1}, Case{"'x'", "..'y'", 0}, Case{"1", "+1*2", 0}}) {
    std::string source = each.first;
    for (std::size_t i = 0; i < kMany; ++i) source += each.link;
    const Script script = parse_script(source);
    REQUIRE_FALSE(script.fault);
    const CheckedScript checked = check_script(script, {}, false);
    CHECK(checked.uses.size() == each.uses);
    CHECK(checked.findings.empty());
    CHECK(instructions_of(script, {}, [](std::string_view) { return 0U; }).size() > kMany);
  }
}

TEST_CASE("btcpp: what throws or is constant whatever the entries hold is a finding") {
  struct Case {
    const char* source;
    bool is_condition;
    const char* result;
  };
  const Case cases[] = {
      {"a", true, ""},
      {"a = 1", true, "assignment-in-condition a = 1; "},
      {"a = 2", true, "assignment-in-condition a = 2; "},
      {"a == 1 && b = 2", true, "assignment-in-condition a == 1 && b = 2; "},
      {"a = 1", false, ""},
      {"a == 1", true, ""},
      {"1 == 1", true, "constant-condition 1 == 1; true"},
      {"1 > 2 || false", true, "constant-condition 1 > 2 || false; false"},
      {"a := 1 b := 2", false, "missing-semicolon b := 2; "},
      {"a := True", false, "capital-boolean True; "},
      {"'a' + 1", false, "script-type 'a' + 1; "},
      {"'a' .. 1", false, ""},
      {"1 .. 2", false, "script-type 1 .. 2; "},
      {"'a' - b", false, "script-type 'a' - b; "},
      {"'a' == 1", false, "script-type 'a' == 1; "},
      {"a * 2 < 'b'", false, "script-type a * 2 < 'b'; "},
      {"'3' == 1 && 'true' == 1", false, ""},
      {"1 == 2 == 'a'", false, ""},
      {"(a * b) .. 1", false, "script-type (a * b) .. 1; "},
      {"1.5 & 2", false, "script-type 1.5 & 2; "},
      {"!'a'", false, "script-type !'a'; "},
      {"1 := 2", false, "script-type 1 := 2; "},
      {"2", true, "script-type 2; "},
      {"2.0", true, "constant-condition 2.0; true"},
      {"-1", true, "script-type -1; "},
      {"'a'", true, "script-type 'a'; "},
      {"a && 'b'", true, "script-type 'b'; "},
      {"a ? 1 : 0", true, ""},
      {"'a' ? 1 : 0", false, "script-type 'a'; "},
      {"a == 9007199254740992", true, "script-type 9007199254740992; "},
      {"a := 9007199254740993", false, ""},
      {"a < 0 / 0", true, ""},
  };
  for (const Case& each : cases) {
    INFO(each.source);
    CHECK(checked(each.source, each.is_condition) == each.result);
  }
  CHECK(checked("RED == 1", true, {{"RED", 1}}) == "constant-condition RED == 1; true");
}

TEST_CASE("btcpp: a script's uses of entries are in the order in which they happen") {
  const Script script = parse_script("a := b .. 'x'; c += d; e = 1");
  std::string uses;
  for (const ScriptUse& each : check_script(script, {}, false).uses) {
    const char* const hows[] = {"reads ", "makes ", "assigns "};
    uses += hows[static_cast<std::size_t>(each.use)] + std::string(each.name) + (each.is_joined ? " as a text" : "") +
            (each.is_number ? " a number" : "") + "; ";
  }
  CHECK(uses == "reads b as a text; makes a; reads d; reads c; assigns c; assigns e a number; ");
}

}  // namespace ir_scripts
