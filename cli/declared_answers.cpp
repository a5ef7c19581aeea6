// Declared answers. See declared_answers.h.
#include "cli/declared_answers.h"

#include <functional>
#include <string>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"

namespace espalier::cli {
namespace {

using VisitAction =
    std::function<void(const ir::Tree& tree, const ir::Node& node, const std::string& name, ir::Results results)>;

void visit_actions(const project::Project& project, const VisitAction& visit) {
  for (const ir::Tree& tree : project.ir.trees) {
    std::vector<const ir::Node*> open = {&tree.root};
    while (!open.empty()) {
      const ir::Node& node = *open.back();
      open.pop_back();
      for (const ir::Node& child : node.children) open.push_back(&child);
      if (node.opcode == Opcode::tick_action || node.opcode == Opcode::store_action) {
        const auto& action = node.as<ir::Behavior>();
        visit(tree, node, action.name, action.results);
      } else if (node.opcode == Opcode::rule_action) {
        const auto& action = node.as<ir::Rule>();
        visit(tree, node, action.behavior, action.results);
      }
    }
  }
}

}  // namespace

explore::DeclaredResults declared_results(const project::Project& project) {
  explore::DeclaredResults declared;
  visit_actions(project, [&](const ir::Tree&, const ir::Node& node, const std::string&, ir::Results results) {
    if (results == ir::kAnyResult || results == 0) return;
    const text::Source& source = project.snapshot.sources[node.span.file];
    const text::Position position = source.position(node.span.begin);
    declared[{std::string(source.path()), position.line, position.column}] = results;
  });
  return declared;
}

explore::DeclaredResults declared_results(const Asset& asset, const dialects::Options& declarations) {
  explore::DeclaredResults declared;
  const auto find = [&](Opcode opcode, std::string_view name) {
    if (opcode == Opcode::rule_action) return dialects::find_declaration(declarations.rule_actions, name);
    if (opcode == Opcode::store_action) return dialects::find_declaration(declarations.store_actions, name);
    const dialects::HostDeclaration* const own = dialects::find_declaration(declarations.hosts, name);
    return own != nullptr ? own : dialects::find_declaration(declarations.engine_hosts, name);
  };
  for (std::uint32_t unit = 0; unit < record_count(asset, layout::SectionId::units); ++unit) {
    codegen::visit_unit(asset, unit, [&](const codegen::NodeView& node, std::size_t) {
      const bool is_action = node.opcode == Opcode::tick_action || node.opcode == Opcode::store_action ||
                             node.opcode == Opcode::rule_action;
      if (!is_action) return;
      const std::uint32_t behavior = *codegen::operand(node, OperandKind::behavior);
      const dialects::HostDeclaration* const host = find(node.opcode, behavior_name(asset, behavior));
      if (host == nullptr || host->results == ir::kAnyResult) return;
      const codegen::NodeDebug place = codegen::node_debug(asset, node.word);
      declared[{std::string(place.file), place.line, place.column}] = host->results;
    });
  }
  return declared;
}

replay::DeclaredAnswers declared_answers(const project::Project& project) {
  constexpr std::pair<Result, replay::Answer> kAnswers[] = {{Result::running, replay::Answer::running},
                                                            {Result::success, replay::Answer::success},
                                                            {Result::failure, replay::Answer::failure}};
  // In the order of the outcomes of btcpp.
  constexpr replay::Answer kOutcomes[] = {replay::Answer::success, replay::Answer::failure, replay::Answer::running,
                                          replay::Answer::skipped};
  replay::DeclaredAnswers declared;
  const auto add = [&](EngineId engine, const std::string& name, replay::Answer answer) {
    declared[{engine, name}] |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(answer));
  };
  const dialects::Options& options = project.snapshot.configuration.dialects;
  visit_actions(project, [&](const ir::Tree& tree, const ir::Node&, const std::string& name, ir::Results results) {
    const std::vector<dialects::HostDeclaration>& own = tree.engine() == EngineId::tick   ? options.hosts
                                                        : tree.engine() == EngineId::rule ? options.rule_actions
                                                                                          : options.store_actions;
    if (dialects::find_declaration(own, name) == nullptr) return;  // a game may have a node of an engine's name
    for (const auto& [result, answer] : kAnswers) {
      const bool is_declared = (results >> static_cast<unsigned>(result) & 1) != 0;
      if (is_declared || results == 0) add(tree.engine(), name, answer);
    }
  });
  std::erase_if(declared, [](const auto& entry) {
    return replay::allows(entry.second, replay::Answer::running) &&
           replay::allows(entry.second, replay::Answer::success) &&
           replay::allows(entry.second, replay::Answer::failure);
  });
  for (const dialects::btcpp::Declaration& node : options.btcpp.nodes) {
    const bool is_any = node.fails_anew() && node.results == 0;
    for (std::size_t i = 0; i < std::size(kOutcomes); ++i) {
      if (is_any || (node.results >> i & 1) != 0) add(EngineId::poll, node.name, kOutcomes[i]);
    }
    if (node.fails_anew()) declared[{EngineId::poll, node.name}] |= replay::kFailsAnew;
  }
  return declared;
}

}  // namespace espalier::cli
