// Types of ports: which literals they take, and what literals of subtrees become.
#include "ir/poll/types.h"
#include "ir/poll/written.h"
#include "unit.h"

namespace ir_types {

using namespace espalier::ir::poll;

namespace {

// "ok", "bad", "prefix 100", or "at a tick".
std::string checked(std::string_view type, std::string_view literal) {
  std::string read;
  switch (check_literal(read_type(type), literal, &read)) {
    case LiteralFault::none:
      return "ok";
    case LiteralFault::bad:
      return "bad";
    case LiteralFault::prefix:
      return "prefix " + read;
    case LiteralFault::at_a_tick:
      return "at a tick";
  }
  return "";
}

}  // namespace

TEST_CASE("btcpp: a literal is checked as its port's type reads it") {
  struct Case {
    const char* type;
    const char* literal;
    const char* result;
  };
  const Case cases[] = {
      {"int", "12", "ok"},
      {"int", "-12", "ok"},
      {"int", "+12", "bad"},
      {"int", "", "bad"},
      {"int", " 1", "bad"},
      {"int", "0x10", "prefix 0"},
      {"int", "100ms", "prefix 100"},
      {"int", "2.5", "prefix 2"},
      {"int", "2147483647", "ok"},
      {"int", "2147483648", "bad"},
      {"int", "-2147483648", "ok"},
      {"int64_t", "9223372036854775807", "ok"},
      {"int64_t", "9223372036854775808", "bad"},
      {"int8_t", "-128", "ok"},
      {"int8_t", "-129", "bad"},
      {"std::uint8_t", "255", "ok"},
      {"uint8_t", "256", "bad"},
      {"unsigned", "4294967295", "ok"},
      {"unsigned int", "-1", "bad"},
      {"uint64_t", "18446744073709551615", "ok"},
      {"unsigned", "-0", "ok"},
      {"unsigned", "4294967296", "bad"},
      {"uint64_t", "-0", "bad"},
      {"double", "inf", "ok"},
      {"double", "-Infinity", "ok"},
      {"double", "NaN", "ok"},
      {"double", "1e400", "bad"},
      {"float", "3.4e39", "bad"},
      {"double", "1.5e3", "ok"},
      {"double", "-.5", "ok"},
      {"double", "+1.5", "bad"},
      {"double", "0x10", "prefix 0"},
      {"double", "1.5 m", "prefix 1.5"},
      {"float", "", "bad"},
      {"bool", "True", "ok"},
      {"bool", "0", "ok"},
      {"bool", "yes", "bad"},
      {"bool", "tRUE", "bad"},
      {"std::string", "", "ok"},
      {"NodeStatus", "SUCCESS", "ok"},
      {"BT::NodeStatus", "SKIPPED", "ok"},
      {"NodeStatus", "IDLE", "at a tick"},
      {"NodeStatus", "success", "at a tick"},
      {"AnyTypeAllowed", "x", "ok"},
      {"", "x", "ok"},
      {"geometry_msgs::msg::Pose", "1;2", "ok"},
  };
  for (const Case& each : cases) {
    INFO(each.type << " '" << each.literal << "'");
    CHECK(checked(each.type, each.literal) == each.result);
  }
}

TEST_CASE("btcpp: types are equal however they are written") {
  CHECK(read_type("std::string") == read_type("string"));
  CHECK(read_type("unsigned int") == read_type("uint32_t"));
  CHECK(read_type("std::vector< std::string >") == read_type("vector<string>"));
  CHECK_FALSE(read_type("int") == read_type("unsigned"));
  CHECK_FALSE(read_type("float") == read_type("double"));
  CHECK_FALSE(read_type("Pose") == read_type("Path"));
  CHECK(shown(read_type("std::int32_t")) == "int");
  // As compilers name them.
  CHECK(read_type("unsigned short") == read_type("uint16_t"));
  CHECK(read_type("long") == read_type("int64_t"));
  CHECK(read_type("geometry_msgs::msg::Pose_<std::allocator<void> >") == read_type("geometry_msgs::msg::Pose"));
  CHECK(read_type("std::vector<Pose_<std::allocator<void> >, std::allocator<Pose_<std::allocator<void> > > >") ==
        read_type("std::vector<Pose>"));
  CHECK(shown(read_type("my::allocator<int")) == "my::allocator<int");
  CHECK(shown(read_type("nav_msgs::msg::Path")) == "nav_msgs::msg::Path");
}

TEST_CASE("btcpp: a literal of a subtree is a number if it looks like one") {
  struct Case {
    const char* literal;
    const char* type;
    bool changes;  // when it is read as a text
  };
  const Case cases[] = {
      {"5", "int", false},
      {"-5", "int", false},
      {"007", "int", true},
      {"2147483648", "int64", false},
      {"5.5", "double", false},
      {"5.0", "double", true},
      {"1e3", "double", true},
      {"", "AnyTypeAllowed", false},
      {"true", "AnyTypeAllowed", false},
      {"5 m", "AnyTypeAllowed", false},
      {"+5", "AnyTypeAllowed", false},
      {"{x", "AnyTypeAllowed", false},
      {"inf", "double", false},
      {"1e400", "AnyTypeAllowed", false},
  };
  for (const Case& each : cases) {
    INFO(each.literal);
    CHECK(shown(type_of_subtree_literal(each.literal)) == each.type);
    CHECK(changes_as_number(each.literal) == each.changes);
  }
}

TEST_CASE("btcpp: a port's value is an entry if it is in braces") {
  struct Case {
    const char* written;
    const char* read;  // "{key}" or the literal
  };
  const Case cases[] = {
      {"{goal}", "{goal}"}, {" {goal} ", "{goal}"}, {"{ goal }", "{ goal }"},
      {"{=}", "{port}"},    {"=", "{port}"},        {"{@goal}", "{@goal}"},
      {"{}", "{}"},         {"{goal", "{goal"},     {"${goal}", "${goal}"},
      {"goal", "goal"},     {" {=}", "{=}"},        {"\t{goal}", "\t{goal}"},
  };
  for (const Case& each : cases) {
    INFO(each.written);
    const PortValue value = read_port_value(each.written, "port");
    CHECK((value.is_pointer ? "{" + std::string(value.key()) + "}" : std::string(value.literal())) == each.read);
    CHECK(value.is_pointer == (each.read[0] == '{' && std::string(each.read).size() > 2 && each.written[0] != '$' &&
                               std::string(each.read).back() == '}'));
  }
}

TEST_CASE("btcpp: where the library checks literals only braces at both ends make an entry") {
  for (const char* const type : {"int", "double", "bool", "Pose"}) {
    CHECK(read_port_value("{goal}", "port", read_type(type)).key() == "goal");
    CHECK(read_port_value("{=}", "port", read_type(type)).key() == "port");
    for (const char* const literal : {"=", " {goal}", "{goal} "})
      CHECK_FALSE(read_port_value(literal, "port", read_type(type)).is_pointer);
  }
  for (const char* const type : {"", "std::string", "Any", "NodeStatus"})
    CHECK(read_port_value(" {goal}", "port", read_type(type)).key() == "goal");
  CHECK(read_subtree_value("{=}", "port").key() == "port");
  CHECK(read_subtree_value("=", "port").literal() == "=");
  CHECK(read_default_of_tree("{=}").key() == "=");
}

TEST_CASE("btcpp: names of trees, nodes and ports") {
  for (const char* const name : {"GoTo", "a", "_x", "1st", "Größe", "a-b"}) CHECK(is_valid_name(name));
  for (const char* const name : {"", "Root", "root", "Go to", "a.b", "a:b", "a/b", "a\tb"})
    CHECK_FALSE(is_valid_name(name));
  for (const char* const name : {"goal", "goal_2", "Goal"}) CHECK(is_port_name(name));
  for (const char* const name : {"", "_goal", "2nd", "goal.x", "a:b"}) CHECK_FALSE(is_port_name(name));
}

}  // namespace ir_types
