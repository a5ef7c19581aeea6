// Declared answers. See declared_answers.h.
#include "compiled/declared_answers.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "dialects/btcpp/options.h"
#include "dialects/dragengine/options.h"
#include "dialects/modular/options.h"
#include "dialects/synchronized/options.h"
#include "ir/poll/expand.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::compiled {
namespace {

// Of trees that do not poll.
template <typename Visit>
void visit_nodes(const ir::Project& trees, const Visit& visit) {
  for (const ir::Tree& tree : trees.trees) {
    if (tree.engine() == EngineId::poll) continue;
    for (const ir::Node& node : ir::nodes_from(tree.root())) visit(tree, node);
  }
}

using VisitAction =
    std::function<void(const ir::Tree& tree, const ir::Node& node, const std::string& name, ir::Results results)>;

void visit_actions(const ir::Project& trees, const VisitAction& visit) {
  visit_nodes(trees, [&](const ir::Tree& tree, const ir::Node& node) {
    if (node.opcode == opcode::tick_action || node.opcode == opcode::store_action) {
      const auto& action = node.as<ir::Behavior>();
      visit(tree, node, action.name, action.results);
    } else if (node.opcode == opcode::rule_action) {
      const auto& action = node.as<ir::Rule>();
      visit(tree, node, action.behavior, action.results);
    }
  });
}

// The engine's own nodes among those that nobody declares: a game may have a 'Look' of its own, but hardly two nodes
// with names and attributes of the engine's.
std::set<std::string> nodes_of_engine(const ir::Project& trees) {
  constexpr std::size_t kFewest = 2;
  std::map<std::string, bool> are_like;
  std::set<std::string> with_attributes;
  visit_nodes(trees, [&](const ir::Tree&, const ir::Node& node) {
    if (node.opcode != opcode::tick_action) return;
    const auto& action = node.as<ir::Behavior>();
    const auto place = are_like.try_emplace(action.name, true).first;
    place->second = place->second && action.is_like_engines;
    if (!action.parameters.empty()) with_attributes.insert(action.name);
  });
  std::set<std::string> names;
  for (const auto& [name, is_like] : are_like) {
    if (is_like) names.insert(name);
    if (!is_like) with_attributes.erase(name);
  }
  return with_attributes.size() < kFewest ? std::set<std::string>() : names;
}

struct PolledAnswers {
  ir::Results results = 0;  // 0: any
  bool is_any = false;      // of one node of the name
  bool fails_anew = true;   // each node of the name
};

// What is certain of the nodes of the host, by name: as they are declared, or as a framework's are known.
std::map<std::string, PolledAnswers> polled_answers(const ir::Project& trees) {
  std::map<std::string, PolledAnswers> known;
  ir::poll::each_host(trees, [&](const ir::PolledNode& polled) {
    PolledAnswers& answers = known[polled.host];
    answers.results |= polled.results;
    answers.is_any = answers.is_any || polled.results == 0;
    answers.fails_anew = answers.fails_anew && polled.fails_anew;
  });
  for (auto& [name, answers] : known) {
    if (answers.is_any) answers.results = 0;
  }
  return known;
}

void add_answers(const std::string& node, const PolledAnswers& answers, explore::HostFacts& host) {
  if (answers.fails_anew) host.fails_anew.insert(node);
  if (answers.results == 0) return;
  host.answers[node] = ir::poll::words_of(answers.results);
}

}  // namespace

explore::DeclaredResults declared_results(const ir::Project& trees, const text::Sources& sources) {
  explore::DeclaredResults declared;
  visit_actions(trees, [&](const ir::Tree&, const ir::Node& node, const std::string&, ir::Results results) {
    if (results == ir::kAnyResult || results == 0) return;
    const text::Source& source = sources[node.span.file];
    const text::Position position = source.position(node.span.begin);
    declared[{std::string(source.path()), position.line, position.column}] = results;
  });
  return declared;
}

explore::DeclaredResults declared_results(const Asset& asset, const dialects::Options& declarations) {
  explore::DeclaredResults declared;
  const dialects::ModularOptions& modular = declarations.of<dialects::ModularOptions>();
  const auto find = [&](Opcode opcode, std::string_view name) {
    if (opcode == opcode::rule_action)
      return dialects::find_declaration(declarations.of<dialects::DragengineOptions>().actions, name);
    if (opcode == opcode::store_action)
      return dialects::find_declaration(declarations.of<dialects::SynchronizedOptions>().actions, name);
    const dialects::HostDeclaration* const own = dialects::find_declaration(modular.hosts, name);
    return own != nullptr ? own : dialects::find_declaration(modular.engine_hosts, name);
  };
  for (std::uint32_t unit = 0; unit < record_count(asset, layout::SectionId::units); ++unit) {
    codegen::visit_unit(asset, unit, [&](const codegen::NodeView& node, std::size_t) {
      const bool is_action = node.opcode == opcode::tick_action || node.opcode == opcode::store_action ||
                             node.opcode == opcode::rule_action;
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

replay::DeclaredAnswers declared_answers(const ir::Project& trees, const dialects::Options& declarations) {
  constexpr std::pair<ir::Results, replay::Answer> kAnswers[] = {{ir::kRuns, replay::Answer::running},
                                                                 {ir::kSucceeds, replay::Answer::success},
                                                                 {ir::kFails, replay::Answer::failure},
                                                                 {ir::kSkips, replay::Answer::skipped}};
  replay::DeclaredAnswers declared;
  const auto add = [&](EngineId engine, const std::string& name, replay::Answer answer) {
    declared[{engine, name}] |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(answer));
  };
  const std::set<std::string> of_engine = nodes_of_engine(trees);
  visit_actions(trees, [&](const ir::Tree& tree, const ir::Node&, const std::string& name, ir::Results results) {
    const std::vector<dialects::HostDeclaration>& own =
        tree.engine() == EngineId::tick   ? declarations.of<dialects::ModularOptions>().hosts
        : tree.engine() == EngineId::rule ? declarations.of<dialects::DragengineOptions>().actions
                                          : declarations.of<dialects::SynchronizedOptions>().actions;
    const bool is_engines = tree.engine() == EngineId::tick && of_engine.count(name) != 0;
    if (dialects::find_declaration(own, name) == nullptr && !is_engines) return;
    for (const auto& [result, answer] : kAnswers) {
      if (ir::can(results, result) || (results == 0 && result != ir::kSkips)) add(tree.engine(), name, answer);
    }
  });
  std::erase_if(declared, [](const auto& entry) {
    return replay::allows(entry.second, replay::Answer::running) &&
           replay::allows(entry.second, replay::Answer::success) &&
           replay::allows(entry.second, replay::Answer::failure);
  });
  const auto add_polled = [&](const std::string& name, ir::Results results, bool fails_anew) {
    declared.erase({EngineId::poll, name});
    for (const auto& [result, answer] : kAnswers) {
      const bool is_any = fails_anew && results == 0;
      if (is_any || ir::can(results, result)) add(EngineId::poll, name, answer);
    }
    if (fails_anew) declared[{EngineId::poll, name}] |= replay::kFailsAnew;
  };
  for (const dialects::btcpp::Declaration& node : declarations.of<dialects::BtcppOptions>().nodes) {
    add_polled(node.name, node.results, node.fails_anew());
  }
  for (const auto& [name, answers] : polled_answers(trees)) add_polled(name, answers.results, answers.fails_anew);
  return declared;
}

std::set<std::string> declared_nodes(const ir::Project& trees) {
  std::set<std::string> names;
  std::set<std::string> undeclared;
  ir::poll::each_host(trees,
                      [&](const ir::PolledNode& node) { (node.is_declared ? names : undeclared).insert(node.host); });
  for (const std::string& name : undeclared) names.erase(name);
  return names;
}

void add_configured_facts(const dialects::Options& options, explore::HostFacts& host) {
  const dialects::BtcppOptions& own = options.of<dialects::BtcppOptions>();
  host.entries = own.entries;
  for (const dialects::btcpp::Declaration& node : own.nodes) {
    add_answers(node.name, {node.results, false, node.fails_anew()}, host);
    for (const std::string& thing : node.uses) host.uses[thing].push_back(node.name);
  }
  for (const std::vector<dialects::HostDeclaration>* actions :
       {&options.of<dialects::ModularOptions>().hosts, &options.of<dialects::DragengineOptions>().actions,
        &options.of<dialects::SynchronizedOptions>().actions}) {
    for (const dialects::HostDeclaration& action : *actions) {
      for (const std::string& thing : action.uses) host.uses[thing].push_back(action.name);
    }
  }
}

explore::HostFacts host_facts(const ir::Project& trees, const project::Snapshot& snapshot) {
  explore::HostFacts host;
  add_configured_facts(snapshot.configuration.dialects, host);
  for (const auto& [name, answers] : polled_answers(trees)) add_answers(name, answers, host);
  host.results = declared_results(trees, snapshot.sources);
  return host;
}

}  // namespace espalier::compiled
