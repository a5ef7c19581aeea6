// Which nodes C++ sources register, and with which ports: what packages of robots write, line by line.
#include <string>
#include <vector>

#include "cpp/nodes.h"
#include "unit.h"

namespace espalier::cpp {
namespace {

struct Case {
  const char* name;
  std::vector<std::string> files;
  const char* expected;
};

std::string_view word_of(Kind kind) {
  constexpr std::string_view kWords[] = {"unknown", "sync", "action", "condition", "control", "decorator"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string text_of(const Port& port) {
  constexpr std::string_view kDirections[] = {"in", "out", "inout"};
  std::string text = "  " + std::string(kDirections[static_cast<std::size_t>(port.direction)]) + ' ' + port.name;
  if (!port.type.empty()) text += ": " + port.type;
  if (port.has_default) text += " = " + (port.otherwise ? '"' + *port.otherwise + '"' : "?");
  if (!port.doc.empty()) text += "  // " + port.doc;
  return text + '\n';
}

// A line for each node and port, and for what is not read.
std::string listed(const std::vector<std::string>& texts) {
  text::Sources sources;
  std::vector<text::FileId> files;
  for (const std::string& text : texts) {
    files.push_back(sources.add("file" + std::to_string(files.size() + 1), text));
  }
  const Nodes nodes = find_nodes(sources, files);
  const auto place = [&](text::Span span) {
    return sources[span.file].path() + ':' + std::to_string(sources[span.file].position(span.begin).line);
  };
  std::string list;
  for (const Node& node : nodes.all) {
    list += node.id + ' ' + std::string(word_of(node.kind)) + (node.is_open ? " open" : "") + '\n';
    for (const Port& port : node.ports) list += text_of(port);
  }
  for (const Unread& each : nodes.unread) list += place(each.span) + ": " + each.message + '\n';
  if (nodes.has_other_ids) list += "there may be others\n";
  return list;
}

// A class with these ports, and its registration.
std::string node_with(const std::string& ports) {
  return "class Walk : public BT::SyncActionNode { static BT::PortsList providedPorts() { " + ports +
         " } };\nvoid f(BT::BehaviorTreeFactory& factory) { factory.registerNodeType<Walk>(\"Walk\"); }\n";
}

const std::string kRegistersWalk = "BT_REGISTER_NODES(factory) { factory.registerNodeType<Walk>(\"Walk\"); }\n";

void check(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    INFO(each.name);
    CHECK(listed(each.files) == each.expected);
  }
}

}  // namespace

TEST_CASE("registrations of nodes", "[cpp]") {
  const std::string walk = "struct Walk : BT::StatefulActionNode {};\n";
  check({
      {"registerNodeType with further arguments",
       {walk + "int main() { factory.registerNodeType<Walk>(\"Walk\", 1, std::make_shared<int>(2)); }"},
       "Walk action\n"},
      {"registerBuilder with a lambda",
       {walk + "void f() { factory.registerBuilder<Walk>(\"Go\", [](const std::string& n, const BT::NodeConfig& c) {"
               " return std::make_unique<Walk>(n, c); }); }"},
       "Go action\n"},
      {"registerBuilder with a manifest",
       {walk + "void f() { factory.registerBuilder(BT::CreateManifest<Walk>(\"Go\"), builder); }"},
       "Go action\n"},
      {"a plug-in for ROS, at the end of a file",
       {"#include <x.hpp>\n" + walk + "CreateRosNodePlugin(Walk, \"Walk\");\n"},
       "Walk action\n"},
      {"a function of the package around it",
       {walk + "template <class T> void add(BT::BehaviorTreeFactory& f, const std::string& id) { "
               "f.registerNodeType<T>(id); }\n"
               "void g() { add<Walk>(factory, \"Walk\"); }"},
       "Walk action\n"},
      {"a function of another package around it",
       {walk + "void g() { moveit_pro::behaviors::registerBehavior<Walk>(factory, \"Walk\", shared); }"},
       "Walk action\n"},
      {"a function that registers something else",
       {"struct Color {};\nvoid g() { factory.registerScriptingEnums<Color>(); json::registerType<Color>(\"Color\"); "
        "}"},
       ""},
      {"a macro of the package makes a text of the name",
       {walk, "#define ADD(T) factory.registerNodeType<T>(#T)\nvoid f() { ADD(Walk); }"},
       "Walk action\n"},
      {"constants as IDs, of the class, of a namespace, of the function and of a macro",
       {"struct A : BT::ConditionNode { static constexpr const char* kName = \"One\"; };\n"
        "namespace ids { const std::string kTwo = \"Two\"; inline constexpr char kFive[] = \"Five\"; }\n#define FOUR "
        "\"Four\"\n"
        "void f() { const std::string three{\"x\"}; const auto id = \"Three\";\n"
        "r.registerNodeType<A>(A::kName); r.registerNodeType<A>(ids::kTwo); r.registerNodeType<A>(id);\n"
        "r.registerNodeType<A>(FOUR); r.registerNodeType<A>(ids::kFive); }"},
       "Five condition\nFour condition\nOne condition\nThree condition\nTwo condition\n"},
      {"a computed ID",
       {walk + "void f() { for (auto& n : names) { r.registerNodeType<Walk>(n + \"_walk\"); } }"},
       "file1:2: the ID of this node is computed\nthere may be others\n"},
      {"plug-ins that are loaded",
       {"void load(BT::BehaviorTreeFactory& factory) { factory.registerFromPlugin(path); }"},
       "file1:1: the nodes of plug-ins are registered here, which may be in other packages\nthere may be others\n"},
      {"a copy of the library among the sources",
       {"namespace BT { class TreeNode {}; class ActionNodeBase : public TreeNode {};\n"
        "class SyncActionNode : public ActionNodeBase {};\n"
        "class BehaviorTreeFactory { public: void registerBuilder(const TreeNodeManifest& m, const NodeBuilder& b);\n"
        "template <typename T> void registerNodeType(const std::string& ID) { registerBuilder(CreateManifest<T>(ID), "
        "CreateBuilder<T>()); } }; }\n",
        "BT::BehaviorTreeFactory::BehaviorTreeFactory() { registerNodeType<SequenceNode>(\"Sequence\"); }\n",
        "using namespace BT;\nclass Walk : public SyncActionNode {};\n" + kRegistersWalk},
       "Walk sync\n"},
      {"a class template of the library",
       {"void f() { r.registerNodeType<BT::LoopNode<Pose2D>>(\"LoopPose\"); }"},
       "LoopPose decorator\n  in if_empty: BT::NodeStatus = ?\n  inout queue = ?\n  out value\n"},
      {"a base of the package that is called as one of Nav2's",
       {"template <class T> class BtActionNode : public BT::ActionNodeBase {\n"
        "static BT::PortsList providedBasicPorts(BT::PortsList more) { BT::PortsList basic = "
        "{BT::InputPort<std::string>(\"server_name\", \"The server\")}; basic.insert(more.begin(), more.end()); "
        "return basic; } };\n"
        "class Walk : public BtActionNode<Go> { static BT::PortsList providedPorts() { return "
        "providedBasicPorts({BT::InputPort<int>(\"steps\")}); } };\n" +
        kRegistersWalk},
       "Walk action\n  in server_name: std::string = ?  // The server\n  in steps: int\n"},
      {"a program that loads the plug-ins of its parameters",
       {"class Server : public BT::TreeExecutionServer {};\n"},
       "file1:1: the nodes of plug-ins are registered here, which may be in other packages\nthere may be others\n"},
      {"one class with several IDs",
       {walk + "void f() { r.registerNodeType<Walk>(\"A\"); r.registerNodeType<Walk>(\"B\"); }"},
       "A action\nB action\n"},
      {"what is no code",
       {walk +
        "void f() {\n// r.registerNodeType<Walk>(\"A\");\n/* r.registerNodeType<Walk>(\"B\"); */\n"
        "const char* s = \"r.registerNodeType<Walk>(\\\"C\\\")\";\nauto t = R\"(r.registerNodeType<Walk>(\"D\");)\";\n"
        "#if 0\nr.registerNodeType<Walk>(\"E\");\n#else\nr.registerNodeType<Walk>(\"F\");\n#endif\n"
        "#ifdef WITH_G\nr.registerNodeType<Walk>(\"G\");\n#endif\n}"},
       "F action\nG action\n"},
      {"a declaration of such a function", {"template <typename T> void registerNodeType(const std::string& ID);"}, ""},
      {"one of two classes of a name, which its file includes",
       {"struct Walk : BT::ConditionNode {};", "struct Walk : BT::SyncActionNode {};",
        "#include \"file2\"\n" + kRegistersWalk},
       "Walk sync\n"},
      {"two classes of a name, of neither of which is said that it is meant",
       {"struct Walk : BT::ConditionNode {};", "struct Walk : BT::SyncActionNode {};", kRegistersWalk},
       "Walk unknown open\nfile3:1: the class of 'Walk' is not among the sources\n"},
      {"a class that is not there",
       {"void f() { r.registerNodeType<other::Walk>(\"Walk\"); }"},
       "Walk unknown open\nfile1:1: the class of 'Walk' is not among the sources\n"},
      {"one ID of two classes",
       {"namespace a { struct W : BT::SyncActionNode { static BT::PortsList providedPorts() { return "
        "{BT::InputPort<int>(\"n\"), BT::InputPort<int>(\"m\")}; } }; }\n"
        "namespace b { struct W : BT::SyncActionNode { static BT::PortsList providedPorts() { return "
        "{BT::InputPort<int>(\"n\")}; } }; }\n"
        "void f() { r.registerNodeType<a::W>(\"W\"); }\nvoid g() { r.registerNodeType<b::W>(\"W\"); }"},
       "W sync open\n  in n: int\nfile1:4: 'W' is registered with different classes\n"},
  });
}

TEST_CASE("nodes that are made of functions", "[cpp]") {
  check({
      {"without ports",
       {"void f() { r.registerSimpleAction(\"Ring\", std::bind(ring)); r.registerSimpleCondition(\"IsOpen\", "
        "[](BT::TreeNode&) { return ok(); }); }"},
       "IsOpen condition\nRing sync\n"},
      {"with ports in place",
       {"void f() { r.registerSimpleDecorator(\"Twice\", twice, {BT::InputPort<int>(\"n\", 2, \"how often\")}); }"},
       "Twice decorator\n  in n: int = \"2\"  // how often\n"},
      {"with ports in a variable",
       {"void f() { BT::PortsList ports = "
        "{BT::InputPort<int>(\"n\")};\nports.insert(BT::OutputPort<int>(\"m\"));\nr.registerSimpleAction(\"Say\", say, "
        "ports); }"},
       "Say sync\n  in n: int\n  out m: int\n"},
      {"with ports from elsewhere",
       {"void f() { r.registerSimpleAction(\"Say\", say, other::ports()); }"},
       "Say sync open\nfile1:1: not all ports of 'Say' can be read\n"},
  });
}

TEST_CASE("what nodes derive from", "[cpp]") {
  check({
      {"over several levels, in other files, with namespaces and other names",
       {"namespace pkg { class Base : public BT::ConditionNode { public: static BT::PortsList providedPorts() { return "
        "{BT::InputPort<int>(\"n\")}; } }; }",
        "namespace pkg { using Middle = Base;\nclass Walk final : public Middle { using Middle::Middle; }; }",
        "using namespace pkg;\n" + kRegistersWalk},
       "Walk condition\n  in n: int\n"},
      {"a template with its arguments",
       {"template <typename Msg, class Parent = BT::SyncActionNode> class Publish : public Parent { static "
        "BT::PortsList providedPorts() { return {BT::InputPort<Msg>(\"message\")}; } };\n"
        "void f() { r.registerNodeType<Publish<std_msgs::msg::String, BT::StatefulActionNode>>(\"Publish\"); }"},
       "Publish action\n  in message: std_msgs::msg::String\n"},
      {"bases of other packages and their ports",
       {"struct A : BT::RosActionNode<Move> { static BT::PortsList providedPorts() { return "
        "providedBasicPorts({BT::InputPort<double>(\"speed\")}); } };\n"
        "struct B : nav2_behavior_tree::BtServiceNode<Trigger> {};\n"
        "void f() { r.registerNodeType<A>(\"A\"); r.registerNodeType<B>(\"B\"); }"},
       "A action\n  in speed: double\n  in action_name: std::string = ?\n"
       "B action\n  in service_name: std::string = ?\n  in server_timeout: std::chrono::milliseconds = ?\n"},
      {"a wrapper of another package around a known base",
       {"class Walk final : public moveit_pro::behaviors::SharedResourcesNode<BT::SyncActionNode> { static "
        "BT::PortsList providedPorts() { return BT::PortsList({}); } };\n" +
        kRegistersWalk},
       "Walk sync\n"},
      {"an unknown base that may have ports",
       {"class Walk : public other::Base {};\n" + kRegistersWalk},
       "Walk unknown open\nfile1:1: not all ports of 'Walk' can be read\n"},
      {"a class with the name of its base",
       {"class SyncActionNode : public BT::SyncActionNode {};\nclass Walk : public SyncActionNode {};\n" +
        kRegistersWalk},
       "Walk sync\n"},
      {"a class in itself",
       {"class Walk : public Walk {};\n" + kRegistersWalk},
       "Walk unknown open\nfile1:1: not all ports of 'Walk' can be read\n"},
      {"behind macros and attributes",
       {"class PKG_PUBLIC [[nodiscard]] Walk : public BT::DecoratorNode {\npublic:\n  "
        "RCLCPP_SMART_PTR_DEFINITIONS(Walk)\n"
        "  static BT::PortsList providedPorts() { return {BT::InputPort<int>(\"n\")}; }\n};\n" +
        kRegistersWalk},
       "Walk decorator\n  in n: int\n"},
  });
}

TEST_CASE("lists of ports", "[cpp]") {
  const std::string port = "BT::InputPort<int>(\"n\")";
  check({
      {"names, descriptions and defaults",
       {node_with("return { BT::InputPort<std::string>(\"a\"), BT::OutputPort<int>(\"b\", \"no default\"), "
                  "BT::BidirectionalPort<bool>(\"c\", true, \"a default\"), BT::InputPort(\"d\") };")},
       "Walk sync\n  in a: std::string\n  out b: int  // no default\n  inout c: bool = \"true\"  // a default\n  in "
       "d\n"},
      {"defaults as attributes have them",
       {node_with("return { BT::InputPort<float>(\"a\", 1.5f, \"\"), BT::InputPort<int>(\"b\", -3, \"\"), "
                  "BT::InputPort<unsigned>(\"c\", 0x1Fu, \"\"), "
                  "BT::InputPort<std::string>(\"d\", std::string(\"x\" \"\\\"y\\u00e9\"), \"\"), "
                  "BT::InputPort<int>(\"e\", \"{=}\", \"\"), BT::InputPort<double>(\"f\", .5, \"\"), "
                  "BT::InputPort<long>(\"g\", 1'000, \"\"), BT::InputPort<int>(\"h\", kMany + 1, \"\"), "
                  "BT::InputPort<Pose>(\"i\", Pose{1, 2}, \"\") };")},
       "Walk sync\n  in a: float = \"1.5\"\n  in b: int = \"-3\"\n  in c: unsigned = \"31\"\n  in d: std::string = "
       "\"x\"y\xC3\xA9\"\n  in e: int = \"{=}\"\n"
       "  in f: double = \"0.5\"\n  in g: long = \"1000\"\n  in h: int = ?\n  in i = ?\n"},
      {"a variable that is filled and returned",
       {node_with(
           "BT::PortsList ports; ports.insert(" + port +
           "); ports.emplace(BT::OutputPort<int>(\"m\")); ports.insert({BT::InputPort<int>(\"k\")}); return ports;")},
       "Walk sync\n  in n: int\n  out m: int\n  in k: int\n"},
      {"lists of a base are inserted",
       {"struct Base : BT::SyncActionNode { static BT::PortsList providedPorts() { return {" + port +
        "}; } };\n"
        "struct Walk : Base { static BT::PortsList providedPorts() { auto ports = Base::providedPorts(); BT::PortsList "
        "more{BT::InputPort<int>(\"m\")};"
        " ports.insert(more.begin(), more.end()); return ports; } };\n" +
        kRegistersWalk},
       "Walk sync\n  in n: int\n  in m: int\n"},
      {"a function of the base adds to what it is given",
       {"struct Base : BT::SyncActionNode { static BT::PortsList basic(BT::PortsList more) { BT::PortsList all = {" +
        port +
        "}; all.insert(more.begin(), more.end()); return all; } };\n"
        "struct Walk : Base { static BT::PortsList providedPorts(); };\nBT::PortsList Walk::providedPorts() { return "
        "basic({BT::InputPort<int>(\"m\")}); }\n" +
        kRegistersWalk},
       "Walk sync\n  in n: int\n  in m: int\n"},
      {"constants as names",
       {"namespace keys { constexpr auto kGoal = \"goal\"; }\n" +
        node_with("return {BT::InputPort<int>(keys::kGoal)};")},
       "Walk sync\n  in goal: int\n"},
      {"ports in variables",
       {node_with("const auto a = " + port + "; return {a, BT::InputPort<int>(\"m\")};")},
       "Walk sync\n  in n: int\n  in m: int\n"},
      {"a computed name",
       {node_with("return {" + port + ", BT::InputPort<int>(prefix + \"x\")};")},
       "Walk sync open\n  in n: int\nfile1:1: not all ports of 'Walk' can be read\n"},
      {"ports of a loop",
       {node_with("BT::PortsList ports = {" + port +
                  "}; for (auto& k : keys()) { ports.insert(BT::InputPort<int>(k)); } return ports;")},
       "Walk sync open\n  in n: int\nfile1:1: not all ports of 'Walk' can be read\n"},
      {"ports under a condition",
       {node_with("BT::PortsList ports = {" + port + "};\nif (newer()) return {};\nreturn ports;")},
       "Walk sync open\n  in n: int\nfile1:2: not all ports of 'Walk' can be read\n"},
      {"ports in a branch of the preprocessor",
       {node_with("return {" + port + ",\n#ifdef NEWER\nBT::InputPort<int>(\"m\"),\n#endif\n};")},
       "Walk sync open\n  in n: int\n  in m: int\nfile1:1: not all ports of 'Walk' can be read\n"},
      {"unknown functions",
       {node_with("return add_defaults({" + port + "});")},
       "Walk sync open\n  in n: int\nfile1:1: not all ports of 'Walk' can be read\n"},
      {"functions that call one another",
       {"BT::PortsList ping() { return pong(); }\nBT::PortsList pong() { return ping(); }\n" +
        node_with("return ping();")},
       "Walk sync open\nfile1:2: not all ports of 'Walk' can be read\n"},
      {"a function of no class",
       {"BT::PortsList common() { return {" + port + "}; }\n" + node_with("return common();")},
       "Walk sync\n  in n: int\n"},
      {"lists that are added in loops, and ports that are replaced",
       {"struct Base : BT::SyncActionNode { static BT::PortsList join(const BT::PortsList& a, BT::PortsList b) { "
        "BT::PortsList all;"
        " for (const auto& each : a) { all.emplace(each.first, each.second); } for (auto& each : b) all.insert(each); "
        "return all; } };\n"
        "struct Walk : Base { static BT::PortsList providedPorts() { auto ports = join({" +
        port +
        "}, {BT::InputPort<int>(\"m\")});\n"
        "auto other = BT::InputPort<int>(\"x\", 3, \"\"); BT::PortsList result = ports; result[\"n\"] = other.second; "
        "return result; } };\n" +
        kRegistersWalk},
       "Walk sync\n  in m: int\n  in n: int = \"3\"\n"},
      {"ports that are given at the registration",
       {"struct Walk : BT::SyncActionNode {};\nvoid f() { BT::PortsList ports = {" + port +
        "}; r.registerNodeType<Walk>(\"Walk\", ports); }"},
       "Walk sync\n  in n: int\n"},
      {"in comments",
       {node_with("return {" + port + ", // BT::InputPort<int>(\"a\"),\n/* BT::InputPort<int>(\"b\"), */ };")},
       "Walk sync\n  in n: int\n"},
  });
}

TEST_CASE("types of ports are those that the sources tell", "[cpp]") {
  check({
      {"with commas, spaces and other names",
       {"using Table = std::map<std::string, std::vector<double>>;\nnamespace robot { struct Pose {}; enum class Mode "
        "{ a }; }\nusing namespace robot;\n" +
        node_with(
            "return {BT::InputPort< std::vector<std::pair<int, unsigned int>> >(\"a\"), BT::InputPort<Table>(\"b\"), "
            "BT::InputPort<Pose>(\"c\"), BT::InputPort<Mode>(\"d\"), BT::InputPort<BT::NodeStatus>(\"e\")};")},
       "Walk sync\n  in a: std::vector<std::pair<int,unsigned int>>\n  in b: "
       "std::map<std::string,std::vector<double>>\n  in c: robot::Pose\n  in d: robot::Mode\n  in e: BT::NodeStatus\n"},
      {"what only other packages know is any type",
       {"struct Walk : BT::RosActionNode<Move> { using Result = Move::Result; static BT::PortsList providedPorts() { "
        "return {BT::OutputPort<Result>(\"a\"),"
        " BT::OutputPort<Result::_code_type>(\"b\"), BT::OutputPort<sensor_msgs::msg::Image::SharedPtr>(\"c\"), "
        "BT::OutputPort<Pose>(\"d\")}; } };\n" +
        kRegistersWalk},
       "Walk action\n  out a\n  out b\n  out c\n  out d\n"},
  });
}

TEST_CASE("any text is read", "[cpp]") {
  for (const char* text : {"",
                           "#if",
                           "#endif\n#else",
                           "\"",
                           "R\"(",
                           "R\"",
                           "/*",
                           "'",
                           "class",
                           "class X : ",
                           "class X : public",
                           "template <",
                           "namespace {",
                           "}}}}",
                           "registerNodeType<",
                           "void f() { registerNodeType<A>(",
                           "void f() { registerSimpleAction(\"x\", ",
                           "#define A(x",
                           "\\",
                           "using x =",
                           "BT_REGISTER_NODES(f) { f.registerNodeType<>(\"x\"); }",
                           "enum",
                           "= {",
                           "operator()(",
                           "#define A #x\nA A A",
                           "a::b::",
                           "::",
                           "x<y<z>>>"}) {
    INFO(text);
    CHECK_NOTHROW(listed({text}));
  }
}

}  // namespace espalier::cpp
