// The nodes of a tree: drafts, and how they are laid out.
#include <string>
#include <vector>

#include "ir/draft.h"
#include "ir/node.h"
#include "runtime/format/opcodes/tick.h"
#include "unit.h"

namespace espalier::ir {
namespace {

// "Sequence(A B(C))"
std::string shape_of(const Node& node) {
  std::string text = node.name;
  if (node.is_leaf()) return text;
  std::string below;
  for (const Node& child : node.children()) below += (below.empty() ? "" : " ") + shape_of(child);
  return text + '(' + below + ')';
}

Draft& named(Drafts& drafts, const char* name, const std::vector<Draft*>& children = {}) {
  Draft& made = drafts.make(opcode::tick_sequence, name);
  for (Draft* const child : children) made.add(*child);
  return made;
}

}  // namespace

TEST_CASE("nodes are laid out with parents before children, in whatever order they are made") {
  Drafts drafts;
  Draft& last = named(drafts, "C");
  Draft& middle = named(drafts, "B", {&last});
  Draft& dropped = named(drafts, "Dropped");
  Draft& first = named(drafts, "A");
  const Draft& root = named(drafts, "Root", {&first, &middle});
  dropped.set_label("nobody's child");
  const Nodes nodes = drafts.lay_out(root);
  CHECK(shape_of(nodes.root()) == "Root(A B(C))");
  REQUIRE(nodes.all().size() == 4);
  CHECK(nodes_from(nodes.root()).size() == 4);
  CHECK(nodes.root().children().size() == 2);
  CHECK(nodes.root().children()[1].name == "B");
  CHECK(nodes.root().children().back().extent == 2);
  for (const Node& node : nodes.all().subspan(1)) {
    CAPTURE(node.name);
    const Node& parent = *(&node - node.rise);
    CHECK(&node < &parent + parent.extent);
  }
  CHECK(nodes.root().rise == 0);
}

TEST_CASE("shared deciders follow the root's nodes, each as a tree of its own") {
  Drafts drafts;
  Draft& below = named(drafts, "Below");
  Draft& shared = named(drafts, "Shared", {&below});
  const Draft& root = named(drafts, "Root", {&named(drafts, "A")});
  const Nodes nodes = drafts.lay_out(root, {&shared, &named(drafts, "Other")});
  CHECK(shape_of(nodes.root()) == "Root(A)");
  REQUIRE(nodes.shared_count() == 2);
  CHECK(shape_of(nodes.shared(0)) == "Shared(Below)");
  CHECK(shape_of(nodes.shared(1)) == "Other");
  CHECK(nodes.shared(1).rise == 0);
}

TEST_CASE("payloads stay where they are while others are added") {
  Drafts drafts;
  Draft& root = drafts.make(opcode::tick_sequence, "Root");
  std::vector<const Limit*> limits;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    Draft& child = drafts.make(opcode::tick_loop, "Loop");
    limits.push_back(&child.set(Limit{i, {}}));
    root.add(child);
  }
  const Nodes nodes = drafts.lay_out(root);
  std::uint32_t number = 0;
  for (const Node& child : nodes.root().children()) {
    REQUIRE(&child.as<Limit>() == limits[number]);
    REQUIRE(child.as<Limit>().maximum == number);
    ++number;
  }
  CHECK(number == 1000);
  CHECK(nodes.root().as_if<Limit>() == nullptr);
  CHECK_THROWS(nodes.root().as<Limit>());
}

TEST_CASE("a name is kept once, and copies of nodes share it") {
  Drafts drafts;
  Draft& one = named(drafts, "Same");
  one.set_label("label");
  Draft& other = named(drafts, "Same");
  const Nodes nodes = drafts.lay_out(named(drafts, "Root", {&one, &other}));
  const Nodes copy = nodes;
  const Node& first = copy.root().children()[0];
  CHECK(&first.name == &nodes.root().children()[1].name);
  CHECK(first.label == "label");
  CHECK(nodes.root().label.empty());
}

TEST_CASE("drafts can be used again once they are laid out") {
  Drafts drafts;
  const Nodes before = drafts.lay_out(named(drafts, "Before"));
  const Nodes after = drafts.lay_out(named(drafts, "After", {&named(drafts, "A")}));
  CHECK(shape_of(before.root()) == "Before");
  CHECK(shape_of(after.root()) == "After(A)");
}

}  // namespace espalier::ir
