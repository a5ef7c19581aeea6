// Nodes of the host in modular trees: typed as declared, or guessed from their form.
#include <algorithm>

#include "dialects/modular/options.h"
#include "modular_reading.h"
#include "runtime/format/opcodes/tick.h"
#include "unit.h"

namespace dialects_modular_hosts {

using namespace espalier;
using dialects::HostAs;
using dialects::HostAttribute;
using dialects::HostChildren;
using dialects::HostDeclaration;
using ir::ParameterType;

namespace {

HostAttribute attribute(std::string name, ParameterType type, std::optional<std::string> otherwise = {}) {
  HostAttribute result;
  result.name = std::move(name);
  result.type = type;
  result.otherwise = std::move(otherwise);
  return result;
}

HostDeclaration host(std::string name, HostChildren children = HostChildren::none, HostAs as = HostAs::pass) {
  HostDeclaration result;
  result.name = std::move(name);
  result.children = children;
  result.as = as;
  return result;
}

// An action with an attribute of each type, and hosts that hold others.
dialects::Options declared() {
  HostDeclaration all = host("All");
  HostAttribute word = attribute("word", ParameterType::choice, "two");
  word.words = {"One", "Two"};
  HostAttribute text = attribute("text", ParameterType::text);
  text.is_required = true;
  HostAttribute whole = attribute("whole", ParameterType::whole);
  whole.minimum = 0;
  whole.maximum = 9;
  HostAttribute old = attribute("old", ParameterType::text);
  old.deprecated_in = dialects::kAllEngines;
  all.attributes = {text,
                    whole,
                    attribute("number", ParameterType::number, "0.5"),
                    attribute("boolean", ParameterType::boolean, "true"),
                    word,
                    attribute("vector", ParameterType::vector),
                    attribute("event", ParameterType::event),
                    attribute("script", ParameterType::script),
                    old};
  HostDeclaration wanting = host("Wanting");
  wanting.attributes = {attribute("to", ParameterType::text)};
  wanting.attributes[0].is_recommended = true;
  HostDeclaration silent = host("Silent");
  silent.reads_logs = false;
  silent.results = 1U << static_cast<unsigned>(Result::success);
  silent.sends = ir::shared_names({"E"});
  silent.sets = ir::shared_names({});
  HostDeclaration old_one = host("OldOne");
  old_one.is_deprecated = true;

  dialects::Options options;
  auto& hosts = options.edit<dialects::ModularOptions>().hosts;
  hosts = {all,
           host("Keeps", HostChildren::one, HostAs::keep),
           host("Choices", HostChildren::many, HostAs::selector),
           host("Crowd", HostChildren::many, HostAs::parallel),
           host("Line", HostChildren::many, HostAs::sequence),
           old_one,
           host("Pipe", HostChildren::raw),
           silent,
           wanting,
           host("Wraps", HostChildren::one)};
  std::sort(hosts.begin(), hosts.end(),
            [](const HostDeclaration& a, const HostDeclaration& b) { return a.name < b.name; });
  return options;
}

// "whole=3", "word=1:Two".
std::string shown(const ir::Parameter& parameter) {
  const std::string name = parameter.name + "=";
  std::string number = decimal(parameter.numbers[0]);
  switch (parameter.type) {
    case ParameterType::text:
    case ParameterType::event:
    case ParameterType::script:
      return name + '\'' + parameter.text + '\'';
    case ParameterType::whole:
      return name + std::to_string(parameter.whole);
    case ParameterType::boolean:
      return name + (parameter.whole != 0 ? "true" : "false");
    case ParameterType::choice:
      return name + std::to_string(parameter.whole) + ':' + parameter.text;
    case ParameterType::vector:
      number += ',' + decimal(parameter.numbers[1]) + ',' + decimal(parameter.numbers[2]);
      [[fallthrough]];
    case ParameterType::number:
      return name + number;
  }
  return name;
}

Lines parameters_of(const std::string& element, const dialects::Options& options) {
  const ModularReading reading(modular_tree({element}), options);
  CAPTURE(element, reading.found());
  REQUIRE(reading.project.trees.size() == 1);
  const ir::Tree& tree = reading.project.trees[0];
  Lines result;
  for (const ir::Parameter& parameter : tree.root().as<ir::Behavior>().parameters) {
    result.push_back(shown(parameter));
  }
  return result;
}

}  // namespace

TEST_CASE("an undeclared value has the type it looks like") {
  CHECK(parameters_of(
            "<Move a='1' b='-1.5' c='TRUE' d='false' e='x' f='' g='1,2,3' h='99999999999999999999' name='N'/>", {}) ==
        Lines{"a=1", "b=-1.500000", "c=true", "d=false", "e='x'", "f=''", "g='1,2,3'", "h=100000000000000000000.000000",
              "name='N'"});
}

TEST_CASE(
    "a declared one has the declared type, in the order of the declaration, with defaults for what is not there") {
  const dialects::Options options = declared();
  CHECK(parameters_of("<All text='1'/>", options) ==
        Lines{"text='1'", "number=0.500000", "boolean=true", "word=1:Two"});
  CHECK(parameters_of(
            "<All WORD='ONE' script='x = 1' event='E' vector='1, 2,-3.5' boolean='0' number='3' whole='9' text='t'/>",
            options) == Lines{"text='t'", "whole=9", "number=3.000000", "boolean=false", "word=0:One",
                              "vector=1.000000,2.000000,-3.500000", "event='E'", "script='x = 1'"});
}

TEST_CASE("events that a host is given are events of the tree") {
  const ModularReading reading(modular_tree({"<All text='t' event='OnDone'/>"}), declared());
  REQUIRE(reading.project.trees.at(0).signals.size() == 1);
  CHECK(reading.project.trees[0].signals[0].name == "OnDone");
}

TEST_CASE("a host that holds many stands around a composite of no name") {
  const dialects::Options options = declared();
  const auto tree_of = [&](const std::string& name) {
    const ModularReading reading(modular_tree({"<" + name + "><Halt/><Halt/></" + name + ">"}), options);
    REQUIRE(reading.project.trees.size() == 1);
    return reading.project.trees[0];
  };
  for (const auto& [name, opcode] : {std::pair{"Line", opcode::tick_sequence},
                                     {"Choices", opcode::tick_selector},
                                     {"Crowd", opcode::tick_parallel}}) {
    CAPTURE(name);
    const ir::Tree tree = tree_of(name);
    const ir::Node& root = tree.root();
    CHECK(root.opcode == opcode::tick_wrapper);
    CHECK(root.as<ir::Behavior>().name == name);
    REQUIRE(root.children().size() == 1);
    CHECK(root.children()[0].opcode == opcode);
    CHECK(root.children()[0].name.empty());
    CHECK(root.children()[0].children().size() == 2);
  }
}

TEST_CASE("what a host is declared to do is kept for analyses") {
  const ModularReading reading(modular_tree({"<Sequence><Silent/><Wanting to='x'/><Keeps><Halt/></Keeps></Sequence>"}),
                               declared());
  const ir::Tree& tree = reading.project.trees.at(0);
  const auto of = [&](std::size_t i) { return tree.root().children()[i].as<ir::Behavior>(); };
  CHECK(of(0).results == 1U << static_cast<unsigned>(Result::success));
  CHECK(*of(0).sends == Lines{"E"});
  CHECK(*of(0).sets == Lines{});
  CHECK(of(1).results == ir::kAnyResult);
  CHECK_FALSE(of(1).sends);
  CHECK(tree.root().children()[2].flags == kWrapperKeeps);
}

}  // namespace dialects_modular_hosts
