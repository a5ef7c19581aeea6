// Values that are stored once. See pools.h.
#include "codegen/pools.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "codegen/condition.h"
#include "codegen/flatten.h"
#include "ir/poll/expand.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/opcodes/tick.h"
#include "text/names.h"

namespace espalier::codegen {
namespace {

template <typename Visit>
void for_each_node(const ir::Node& root, const Visit& visit) {
  for (const ir::Node& node : ir::nodes_from(root)) visit(node);
}

// Of behaviours: trees of other engines give them none.
bool has_parameters(const ir::Tree& tree) {
  const EngineId engine = tree.engine();
  return engine == EngineId::tick || engine == EngineId::rule || engine == EngineId::store;
}

// In the order of the names.
template <typename Record>
void number_names(NameIds& ids, NamePool& pool, std::vector<Record>& records) {
  std::vector<std::string_view> names;
  names.reserve(ids.size());
  for (const auto& [name, id] : ids) names.push_back(name);
  std::sort(names.begin(), names.end());
  for (const std::string_view name : names) {
    ids[name] = count32(records.size());
    records.push_back({pool.add(std::string(name))});
  }
}

template <typename Record, typename Records>
void append(std::vector<Record>& section, const Records& records) {
  section.insert(section.end(), records.begin(), records.end());
}

}  // namespace

Pools::Pools(const ir::Project& project, Sections& sections_) : sections(sections_), names(sections.names) {
  const auto visit = [&](const ir::Node& node) {
    if (const std::string_view behavior = ir::behavior_of(node); !behavior.empty()) behaviors_.try_emplace(behavior, 0);
    if (node.opcode == opcode::store_condition) host_conditions_.try_emplace(node.as<ir::Behavior>().name, 0);
    if (const auto* rule = node.as_if<ir::Rule>()) {
      for (const std::string& condition : rule->conditions) host_conditions_.try_emplace(condition, 0);
    }
    if (const auto* place = node.as_if<ir::PlacedDecider>(); place != nullptr && !place->decider->decide.empty()) {
      host_conditions_.try_emplace(place->decider->decide, 0);
    }
  };
  for (const ir::Tree& tree : project.trees) {
    if (tree.engine() == EngineId::poll) continue;
    for (const std::uint32_t shared : stored_shared(tree)) for_each_node(tree.nodes.shared(shared), visit);
    for_each_node(tree.root(), visit);
  }
  ir::Names& names_of_hosts = *names_of_nodes.emplace_back(std::make_shared<ir::Names>());
  ir::poll::each_host(project, [&](const ir::PolledNode& node) {
    (node.is_condition ? host_conditions_ : behaviors_).try_emplace(names_of_hosts.intern(node.host), 0);
  });
  add_parameter_names(project);
  number_names(behaviors_, names, sections.behaviors);
  number_names(host_conditions_, names, sections.host_conditions);
  add_declared(project);
}

// Early, because a parameter has 24 bits for its name.
void Pools::add_parameter_names(const ir::Project& project) {
  const auto visit = [&](const ir::Node& node) {
    const auto* behavior = node.as_if<ir::Behavior>();
    const auto* rule = node.as_if<ir::Rule>();
    if (behavior == nullptr && rule == nullptr) return;
    for (const ir::Parameter& parameter : behavior != nullptr ? behavior->parameters : rule->parameters) {
      names.add(parameter.name);
    }
  };
  for (const ir::Tree& tree : project.trees) {
    if (has_parameters(tree)) for_each_node(tree.root(), visit);
  }
}

// What the host has declared about behaviours. Those that tick have their times at the end of their memory.
void Pools::add_declared(const ir::Project& project) {
  std::vector<std::uint32_t> sizes(sections.behaviors.size());
  std::vector<std::uint32_t> timed(sections.behaviors.size());
  for (const auto& [name, id] : behaviors_) {
    const auto declared = project.behaviors.find(name);
    if (declared == project.behaviors.end()) continue;
    timed[id] = declared->second.keeps_times ? 1 : 0;
    if (declared->second.text != nullptr) sections.texts.try_emplace(id, declared->second.text.get());
  }
  for (const ir::Tree& tree : project.trees) {
    if (!has_parameters(tree)) continue;
    for_each_node(tree.root(), [&](const ir::Node& node) {
      const bool is_stored = node.opcode == opcode::store_action;
      if (node.opcode != opcode::tick_action && !is_stored) return;
      const std::string_view name = ir::behavior_of(node);
      const std::uint32_t id = behavior(name);
      const auto declared = project.behaviors.find(name);
      std::uint32_t bytes = declared == project.behaviors.end() ? 0 : declared->second.memory_bytes;
      if (!is_stored) bytes = std::max(bytes, node.as<ir::Behavior>().memory_bytes);
      if (is_stored && bytes == 0) return;  // times alone have a place of their own
      sizes[id] = std::max(sizes[id], ir::memory_with_times(bytes, timed[id] != 0));
    });
  }
  const auto is_set = [](std::uint32_t value) { return value != 0; };
  if (std::any_of(timed.begin(), timed.end(), is_set)) sections.timed_behaviors = std::move(timed);
  if (std::any_of(sizes.begin(), sizes.end(), is_set)) sections.memory_sizes = std::move(sizes);
}

std::uint32_t Pools::add_condition(const ir::Condition& condition) {
  const std::vector<layout::Test> tests = compile_condition(condition);
  if (tests.empty()) return 0;
  if (const std::optional<std::uint32_t> operand = short_condition(tests)) return *operand;
  const auto [place, is_new] =
      conditions_.try_emplace(std::string(bytes_of(tests)), count32(sections.conditions.size()));
  if (is_new) {
    sections.conditions.push_back({count32(sections.tests.size()), count32(tests.size()), variable_count(tests)});
    append(sections.tests, tests);
  }
  return 1 + place->second;
}

const std::vector<std::uint32_t>& Pools::conditions_of(const ir::Tree& tree) {
  const auto [place, is_new] = conditions_of_.try_emplace(&tree);
  if (is_new) {
    place->second.reserve(tree.conditions.size());
    for (const ir::Condition& condition : tree.conditions) place->second.push_back(add_condition(condition));
  }
  return place->second;
}

std::uint32_t Pools::add_number(std::uint64_t number) {
  const auto [place, is_new] = numbers_.try_emplace(number, count32(sections.numbers.size()));
  if (is_new) sections.numbers.push_back(number);
  return place->second;
}

std::uint32_t Pools::add_vector(const std::array<std::uint64_t, 3>& numbers) {
  const auto [place, is_new] = vectors_.try_emplace(std::string(bytes_of(numbers)), count32(sections.numbers.size()));
  if (is_new) append(sections.numbers, numbers);
  return place->second;
}

std::uint32_t Pools::add_script(const std::string& source) {
  if (source.empty()) return 0;
  const auto [place, is_new] = scripts_.try_emplace(source, count32(sections.scripts.size()));
  if (is_new) sections.scripts.push_back({names.add(source)});
  return 1 + place->second;
}

void Pools::add_preludes(const std::vector<ir::Prelude>& preludes) {
  for (const auto& [file, text] : preludes) sections.preludes.push_back({names.add(text), names.add(file)});
}

std::uint32_t Pools::add_scope(const std::string& name) {
  const auto [place, is_new] = scopes_.try_emplace(text::lower_case(name), count32(sections.scopes.size()));
  if (is_new) sections.scopes.push_back({names.add(name)});
  return place->second;
}

std::uint32_t Pools::add_precondition(const layout::Precondition& tests) {
  if ((tests.flags_all.mask | tests.flags_any.mask | tests.stimuli_all.mask | tests.stimuli_any.mask) == 0) return 0;
  std::string key;
  append_bytes(key, tests);
  const auto [place, is_new] = preconditions_.try_emplace(std::move(key), count32(sections.preconditions.size()));
  if (is_new) sections.preconditions.push_back(tests);
  return 1 + place->second;
}

std::uint32_t Pools::add_query(const ir::Rule& rule) {
  if (rule.conditions.empty() && rule.parameters.empty()) return 0;
  std::vector<std::uint32_t> query_conditions;
  for (const std::string& name : rule.conditions) query_conditions.push_back(host_condition(name));
  layout::Query query = {};
  query.condition_count = count32(query_conditions.size());
  query.mode = static_cast<std::uint32_t>(query_conditions.empty() ? layout::QueryMode::all_true : rule.mode);
  query.first_parameter = add_parameters(rule.parameters);
  query.parameter_count = count32(rule.parameters.size());
  std::string key;
  append_bytes(key, query);
  key.append(bytes_of(query_conditions));
  const auto [place, is_new] = queries_.try_emplace(std::move(key), count32(sections.queries.size()));
  if (is_new) {
    query.first_condition = count32(sections.query_conditions.size());
    append(sections.query_conditions, query_conditions);
    sections.queries.push_back(query);
  }
  return 1 + place->second;
}

std::uint32_t Pools::add_parameters(const ir::Few<ir::Parameter>& parameters) {
  if (parameters.empty()) return 0;
  std::vector<layout::Parameter> records;
  records.reserve(parameters.size());
  for (const ir::Parameter& parameter : parameters) records.push_back(parameter_record(parameter));
  records.back().type |= layout::kLastParameter;
  const auto [place, is_new] =
      parameter_lists_.try_emplace(std::string(bytes_of(records)), count32(sections.parameters.size()));
  if (is_new) append(sections.parameters, records);
  return place->second;
}

layout::Parameter Pools::parameter_record(const ir::Parameter& parameter) {
  const std::uint32_t name = names.add(parameter.name);
  sections.has_far_parameters |= name > layout::kMaxParameterName;
  layout::Parameter record = {
      {static_cast<std::uint8_t>(name), static_cast<std::uint8_t>(name >> 8), static_cast<std::uint8_t>(name >> 16)},
      static_cast<std::uint8_t>(parameter.type),
      0};
  const auto numbers = std::bit_cast<std::array<std::uint64_t, 3>>(parameter.numbers);
  switch (parameter.type) {
    case ParameterType::text:
    case ParameterType::event:
    case ParameterType::script:
      record.value = names.add(parameter.text);
      break;
    case ParameterType::whole:
      record.value = static_cast<std::uint32_t>(parameter.whole);
      if (static_cast<std::int32_t>(record.value) != parameter.whole) {
        record.type = layout::kLongParameter;
        record.value = add_number(static_cast<std::uint64_t>(parameter.whole));
      }
      break;
    case ParameterType::boolean:
      record.value = parameter.whole != 0 ? 1 : 0;
      break;
    case ParameterType::choice:
      record.value =
          add_number(std::uint64_t{names.add(parameter.text)} << 32 | static_cast<std::uint32_t>(parameter.whole));
      break;
    case ParameterType::number:
      record.value = add_number(numbers[0]);
      break;
    case ParameterType::vector:
      record.value = add_vector(numbers);
      break;
  }
  return record;
}

}  // namespace espalier::codegen
