// The IR of correct synchronized trees.
#include "runtime/format/opcode_words.h"
#include "synchronized_reading.h"
#include "unit.h"

namespace dialects_synchronized_trees {

using namespace espalier;

namespace {

const ir::Tree& only_tree(const SynchronizedReading& reading) {
  CAPTURE(reading.found());
  REQUIRE(reading.found().empty());
  REQUIRE(reading.project.trees.size() == 1);
  return reading.project.trees[0];
}

// "(sequence:label (gate:door*2 A))": a node by its opcode, label, and count if it is not 0; leaves of the host only by
// their names.
std::string outline(const ir::Node& node) {
  if (const auto* behavior = node.as_if<ir::Behavior>()) {
    return node.opcode == Opcode::store_condition ? behavior->name + '?' : behavior->name;
  }
  std::string result = std::string(opcode_name(node.opcode)).substr(std::string("store_").size());
  if (const auto* barrier = node.as_if<ir::Barrier>()) return result + ' ' + barrier->name;
  if (!node.label.empty()) result += ':' + node.label;
  const auto* limit = node.as_if<ir::Limit>();
  const auto* group = node.as_if<ir::Group>();
  const std::uint32_t count = limit != nullptr ? limit->maximum : group != nullptr ? group->agents : 0;
  if (count != 0) result += '*' + std::to_string(count);
  for (const ir::Node& child : node.children) result += ' ' + outline(child);
  return '(' + result + ')';
}

// The one child of the root.
const ir::Node& first_of(const ir::Tree& tree) { return tree.root.children.at(0); }

}  // namespace

TEST_CASE("a synchronized tree keeps its name, its limits and one root node") {
  const SynchronizedReading reading(
      "<?xml version='1.0'?>\n<SynchronizedTree name='Guard' maxDepth='64' agents='1000000000'>\n"
      "  <Action name='Patrol' speed='1.5' name2=''/>\n</SynchronizedTree>");
  const ir::Tree& tree = only_tree(reading);
  CHECK(tree.name == "Guard");
  CHECK(reading.text_at(tree.span) == "Guard");
  CHECK(tree.as<ir::Storing>().max_depth == 64);
  CHECK(tree.as<ir::Storing>().agent_count == 1'000'000'000u);
  CHECK(tree.root.opcode == Opcode::store_action);
  CHECK(reading.text_at(tree.root.span) == "Action");
  const std::vector<ir::Parameter>& parameters = tree.root.as<ir::Behavior>().parameters;
  REQUIRE(parameters.size() == 2);
  CHECK(parameters[0].name == "speed");
  CHECK(parameters[0].text == "1.5");
  CHECK(parameters[1].name == "name2");
  CHECK(parameters[1].text.empty());
}

TEST_CASE("what a synchronized tree does not say is eight levels and any number of agents") {
  const SynchronizedReading reading("<SynchronizedTree name='T'><Condition name='c'/></SynchronizedTree>");
  CHECK(only_tree(reading).as<ir::Storing>().max_depth == 8);
  CHECK_FALSE(only_tree(reading).as<ir::Storing>().agent_count);
}

TEST_CASE("nodes stand in the order of the file, with labels and counts") {
  const SynchronizedReading reading(synchronized_tree({
      "<Sequence name='s'><Monitor name='m'><Invert><Condition name='c'/></Invert></Monitor><Action "
      "name='A'/></Sequence>",
      "<Parallel><Succeed name='u'><Action name='A'/></Succeed><Fail><Action name='B'/></Fail></Parallel>",
      "<Repeat count='65535'><Action name='A'/></Repeat>",
      "<Gate name='g' agents='65535'><Action name='A'/></Gate>",
      "<Group name='h' agents='2'><Role name='r'><Condition name='c'/><Sequence><Action name='A'/><Barrier name='b'/>"
      "</Sequence></Role><Role><Condition name='d'/></Role></Group>",
      "<ChildTree slot='x' default='T' name='k'/>",
  }));
  const ir::Tree& tree = only_tree(reading);
  CHECK(outline(tree.root) ==
        "(selector (sequence:s (monitor:m (invert c?)) A) (parallel (succeed:u A) (fail B)) (repeat*65535 A) "
        "(gate:g*65535 A) (group:h*2 (role:r c? (sequence A barrier b)) (role d?)) (child:k))");
}

TEST_CASE("rules of a parallel and of a repetition are what their attributes say") {
  const std::tuple<const char*, unsigned, std::uint32_t> cases[] = {
      {"<Parallel><Action name='A'/></Parallel>", 0, 0},
      {"<Parallel success='all' failure='any'><Action name='A'/></Parallel>", 0, 0},
      {"<Parallel success='any'><Action name='A'/></Parallel>", kSucceedsWithAny, 0},
      {"<Parallel failure='all'><Action name='A'/></Parallel>", kFailsWithAll, 0},
      {"<Parallel success='any' failure='all'><Action name='A'/></Parallel>", kSucceedsWithAny | kFailsWithAll, 0},
      {"<Repeat><Action name='A'/></Repeat>", 0, 0},
      {"<Repeat count='0' untilFailure='false'><Action name='A'/></Repeat>", 0, 0},
      {"<Repeat count='7' untilFailure='true'><Action name='A'/></Repeat>", kUntilFailure, 7},
      {"<Repeat each='update'><Action name='A'/></Repeat>", kEachUpdate, 0},
      {"<Cooldown seconds='1' starts='end'><Action name='A'/></Cooldown>", 0, 0},
      {"<Cooldown seconds='1' starts='entry'><Action name='A'/></Cooldown>", kStartsAtEntry, 0},
  };
  for (const auto& [element, flags, count] : cases) {
    CAPTURE(element);
    const SynchronizedReading reading(synchronized_tree({element}));
    CHECK(first_of(only_tree(reading)).flags == flags);
    const auto* limit = first_of(only_tree(reading)).as_if<ir::Limit>();
    CHECK((limit == nullptr ? 0 : limit->maximum) == count);
  }
}

TEST_CASE("times are whole microseconds, the nearest ones") {
  const std::pair<const char*, std::uint64_t> cases[] = {
      {"1", 1'000'000},         {"0.000001", 1},
      {"1.0000004", 1'000'000}, {"2.5", 2'500'000},
      {"010", 10'000'000},      {"1000000.0000004", 1'000'000'000'000},
      {"0.1", 100'000},         {"1000000", 1'000'000'000'000},
  };
  for (const auto& [seconds, time_us] : cases) {
    CAPTURE(seconds);
    const SynchronizedReading reading(
        synchronized_tree({"<Cooldown seconds='" + std::string(seconds) + "'><Action name='A'/></Cooldown>"}));
    CHECK(first_of(only_tree(reading)).as<ir::Duration>().time_us == time_us);
    const SynchronizedReading group(synchronized_tree(
        {"<Group agents='1' timeout='" + std::string(seconds) + "'><Role><Action name='A'/></Role></Group>"}));
    CHECK(first_of(only_tree(group)).as<ir::Group>().timeout_us == time_us);
  }
}

TEST_CASE("a cooldown is of the agent, or of all") {
  const std::pair<const char*, Opcode> cases[] = {
      {"", Opcode::store_cooldown},
      {" scope='agent'", Opcode::store_cooldown},
      {" scope='global' starts='entry'", Opcode::store_cooldown_all},
  };
  for (const auto& [scope, opcode] : cases) {
    CAPTURE(scope);
    const SynchronizedReading reading(
        synchronized_tree({"<Cooldown seconds='1'" + std::string(scope) + "><Action name='A'/></Cooldown>"}));
    CHECK(only_tree(reading).root.children.at(0).opcode == opcode);
  }
}

TEST_CASE("a group says what comes when one leaves it, and how long an agent waits") {
  const std::pair<const char*, layout::OnLeave> cases[] = {
      {"", layout::OnLeave::fail},
      {" onLeave='fail'", layout::OnLeave::fail},
      {" onLeave='reset'", layout::OnLeave::reset},
      {" onLeave='ignore'", layout::OnLeave::ignore},
  };
  for (const auto& [leave, expected] : cases) {
    CAPTURE(leave);
    const SynchronizedReading reading(
        synchronized_tree({"<Group agents='1'" + std::string(leave) + "><Role><Action name='A'/></Role></Group>"}));
    CHECK(first_of(only_tree(reading)).as<ir::Group>().on_leave == expected);
    CHECK_FALSE(first_of(only_tree(reading)).as<ir::Group>().timeout_us);
  }
  const SynchronizedReading now(
      synchronized_tree({"<Group agents='1' timeout='0'><Role><Action name='A'/></Role></Group>"}));
  CHECK(first_of(only_tree(now)).as<ir::Group>().timeout_us == 0u);
}

TEST_CASE("slots are of the project, sorted by name, with what all their places agree on") {
  const auto tree = [](const std::string& name, const std::string& child) {
    return "<SynchronizedTree name='" + name + "'><Selector>\n" + child + "</Selector></SynchronizedTree>";
  };
  const SynchronizedReading reading(Lines{
      tree("B", "<ChildTree slot='s' default='A' accepts=' C \tA '/><ChildTree slot='r' default='C' budget='0064'/>"),
      tree("A", "<ChildTree slot='s' default='C' accepts='A C'/>\n<Action name='A'/>"),
      "<SynchronizedTree name='C'><Action name='A'/></SynchronizedTree>"});
  CHECK(reading.found().empty());
  REQUIRE(reading.project.trees.size() == 3);
  CHECK(reading.project.trees[0].name == "A");
  CHECK(reading.project.trees[2].name == "C");
  REQUIRE(reading.project.slots.size() == 2);
  const ir::Slot& first = reading.project.slots[0];
  CHECK(first.name == "r");
  CHECK(first.budget_bytes == 64u);
  CHECK_FALSE(first.accepts);
  const ir::Slot& second = reading.project.slots[1];
  CHECK(second.name == "s");
  CHECK_FALSE(second.budget_bytes);
  CHECK(second.accepts == Lines{"C", "A"});
  CHECK(reading.text_at(second.span) == "ChildTree");
  const ir::Tree& of_b = reading.project.trees[1];
  const ir::ChildTree& child = first_of(of_b).as<ir::ChildTree>();
  CHECK(child.slot == "s");
  CHECK(child.default_tree == "A");
}

TEST_CASE("a name is a label but for gates and groups, and a parameter may have any name") {
  const SynchronizedReading reading(synchronized_tree({
      "<Gate name='n' agents='1'><Sequence name='n'><Cooldown name='n' seconds='1'><Action name='n'/></Cooldown>",
      "<Condition name='n'/></Sequence></Gate>",
      "<Group name='N' agents='1'><Role name='n'><Sequence><Barrier name='n'/><Action name='n' slot='n' agents='n'/>",
      "</Sequence></Role></Group>",
  }));
  CHECK(outline(only_tree(reading).root) ==
        "(selector (gate:n*1 (sequence:n (cooldown:n n) n?)) (group:N*1 (role:n (sequence barrier n n))))");
}

TEST_CASE("a synchronized tree has 65,534 nodes at most") {
  std::string nodes;
  for (int i = 0; i < 65'533; ++i) nodes += "<Action name='A'/>";
  CHECK(SynchronizedReading(synchronized_tree({nodes})).found() == Lines());
  CHECK(SynchronizedReading(synchronized_tree({nodes + "<Action name='A'/>"})).found() == Lines{"1 too-many"});
}

}  // namespace dialects_synchronized_trees
