// Types of ports: which literals they take, and what literals of subtrees become.
#include "dialects/btcpp/tree_reader.h"
#include "dialects/btcpp/types.h"
#include "unit.h"

namespace dialects_btcpp_types {

using namespace espalier::dialects::btcpp;

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
      {"5", "int", false},       {"-5", "int", false},     {"007", "int", true},    {"2147483648", "int64", false},
      {"5.5", "double", false},  {"5.0", "double", true},  {"1e3", "double", true}, {"", "string", false},
      {"true", "string", false}, {"5 m", "string", false}, {"+5", "string", false}, {"{x", "string", false},
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
      {"goal", "goal"},
  };
  for (const Case& each : cases) {
    INFO(each.written);
    const PortValue value = read_port_value(each.written, "port");
    CHECK((value.is_pointer ? "{" + value.key + "}" : value.literal) == each.read);
    CHECK(value.is_pointer == (each.read[0] == '{' && std::string(each.read).size() > 2 && each.written[0] != '$' &&
                               std::string(each.read).back() == '}'));
  }
}

TEST_CASE("btcpp: names of trees, nodes and ports") {
  for (const char* const name : {"GoTo", "a", "_x", "1st", "Größe", "a-b"}) CHECK(is_valid_name(name));
  for (const char* const name : {"", "Root", "root", "Go to", "a.b", "a:b", "a/b", "a\tb"})
    CHECK_FALSE(is_valid_name(name));
  for (const char* const name : {"goal", "goal_2", "Goal"}) CHECK(is_port_name(name));
  for (const char* const name : {"", "_goal", "2nd", "goal.x", "a:b"}) CHECK_FALSE(is_port_name(name));
}

}  // namespace dialects_btcpp_types
