// A small asset of trees of rules with every kind of node and record that they have, for tests of the verifier.
#include <utility>

#include "payloads.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime_assets.h"
#include "runtime_random_trees.h"

namespace espalier::test {
namespace {

struct RulePartsMaker {
  DraftTree tree;

  explicit RulePartsMaker(const char* name) {
    tree.name = name;
    tree.parts = ir::Ruling{20, false};
  }
  static Draft rule(Opcode opcode, Operands operands, std::vector<Draft> children = {}) {
    Draft node = node_of(opcode, opcode == opcode::rule_file ? "" : "r", std::move(operands), std::move(children));
    if (opcode == opcode::rule_action) node.as<ir::Rule>().behavior = "a";
    return node;
  }
  static Operands with(std::string id, std::uint32_t flags, std::vector<std::string> conditions = {}) {
    ir::Rule rule;
    rule.conditions = std::move(conditions);
    return {std::move(rule), flags, std::move(id)};
  }
  // The two rules of a file that both trees use.
  static Draft subtree(std::string id, text::FileId file) {
    ir::Rule action;
    action.conditions = {"c", "d"};
    action.mode = layout::QueryMode::any_false;
    action.parameters = {{"p", ParameterType::text, "v"}};
    return rule(opcode::rule_subtree, {ir::RuleFile{file}, kDoesNotFail, id},
                {rule(opcode::rule_action, {std::move(action), 0, id + ".a"}), rule(opcode::rule_yield, with("", 0))});
  }
};

DraftTree rules_tree_of_everything() {
  RulePartsMaker make("T");
  Draft choice = make.rule(opcode::rule_choice, RulePartsMaker::with("c", kBeginsAnew, {"c"}),
                           {make.subtree("s", 1), make.rule(opcode::rule_result, RulePartsMaker::with("", 1))});
  Draft root = make.rule(
      opcode::rule_sequence, RulePartsMaker::with("r", 0),
      {std::move(choice), make.subtree("t", 1), make.rule(opcode::rule_result, RulePartsMaker::with("x", 0, {"d"}))});
  make.tree.root = make.rule(opcode::rule_file, {}, {std::move(root)});
  return std::move(make.tree);
}

// Another version of it, which is used.
DraftTree shorter_rules_tree() {
  RulePartsMaker make("U");
  make.tree.as<ir::Ruling>().is_used = true;
  make.tree.root = make.rule(opcode::rule_file, {ir::RuleFile{2}}, {make.subtree("s", 1)});
  return std::move(make.tree);
}

}  // namespace

Bytes small_rules_asset(bool strip) {
  DraftProject project;
  project.trees.push_back(rules_tree_of_everything());
  project.trees.push_back(shorter_rules_tree());
  return compiled_bytes(project, strip);
}

}  // namespace espalier::test
