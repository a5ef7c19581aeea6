// A small asset of trees of rules with every kind of node and record that they have, for tests of the verifier.
#include <utility>

#include "runtime_assets.h"
#include "runtime_random_trees.h"

namespace espalier::test {
namespace {

struct RulePartsMaker {
  ir::Tree tree;

  explicit RulePartsMaker(const char* name) {
    tree.name = name;
    tree.run_limit = 20;
  }
  ir::Node rule(Opcode opcode, ir::Details details, std::vector<ir::Node> children = {}) {
    ir::Node node;
    node.opcode = opcode;
    node.name = opcode == Opcode::rule_file ? "" : "r";
    node.details = static_cast<ir::DetailsIndex>(tree.details.size());
    node.children = std::move(children);
    if (opcode == Opcode::rule_action) node.behavior = "a";
    tree.details.push_back(std::move(details));
    return node;
  }
  static ir::Details with(std::string id, std::uint32_t flags, std::vector<std::string> conditions = {}) {
    ir::Details details;
    details.id = std::move(id);
    details.flags = static_cast<std::uint8_t>(flags);
    details.host_conditions = std::move(conditions);
    return details;
  }
  // The two rules of a file that both trees use.
  ir::Node subtree(std::string id, text::FileId file) {
    ir::Details details = with(id, kDoesNotFail);
    details.file = file;
    ir::Details action = with(id + ".a", 0, {"c", "d"});
    action.mode = layout::AskMode::any_false;
    action.parameters = {{"p", ParameterType::text, "v"}};
    return rule(Opcode::rule_subtree, std::move(details),
                {rule(Opcode::rule_action, std::move(action)), rule(Opcode::rule_yield, with("", 0))});
  }
};

ir::Tree rules_tree_of_everything() {
  RulePartsMaker make("T");
  ir::Node choice = make.rule(Opcode::rule_choice, RulePartsMaker::with("c", kBeginsAnew, {"c"}),
                              {make.subtree("s", 1), make.rule(Opcode::rule_result, RulePartsMaker::with("", 1))});
  ir::Node root = make.rule(
      Opcode::rule_sequence, RulePartsMaker::with("r", 0),
      {std::move(choice), make.subtree("t", 1), make.rule(Opcode::rule_result, RulePartsMaker::with("x", 0, {"d"}))});
  make.tree.root = make.rule(Opcode::rule_file, {}, {std::move(root)});
  return std::move(make.tree);
}

// Another version of it, which is used.
ir::Tree shorter_rules_tree() {
  RulePartsMaker make("U");
  make.tree.is_used = true;
  ir::Details file;
  file.file = 2;
  make.tree.root = make.rule(Opcode::rule_file, std::move(file), {make.subtree("s", 1)});
  return std::move(make.tree);
}

}  // namespace

Bytes small_rules_asset(bool strip) {
  ir::Project project;
  project.trees.push_back(rules_tree_of_everything());
  project.trees.push_back(shorter_rules_tree());
  return compiled_bytes(project, strip);
}

}  // namespace espalier::test
