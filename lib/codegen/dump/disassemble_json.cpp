// An asset as JSON: the same data as the text, with every number of the asset. One record a line, so that it can be
// compared line by line and no record's size depends on the asset's.
#include <nlohmann/json.hpp>

#include "codegen/block_parts.h"
#include "codegen/dump/decider_text.h"
#include "codegen/dump/disassemble.h"
#include "codegen/dump/node_text.h"
#include "codegen/dump/store_text.h"
#include "runtime/decide/tree.h"
#include "runtime/format/opcode_words.h"
#include "runtime/rule/tree.h"
#include "runtime/store/tree.h"
#include "runtime/tick/agent.h"

namespace espalier::codegen {
namespace {

using Json = nlohmann::ordered_json;
using layout::SectionId;

constexpr std::uint32_t kFormVersion = 1;  // of this JSON, raised when a key changes its meaning

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string hex_of(const unsigned char* bytes, std::size_t count) {
  std::string text;
  append_hex(text, bytes, count);
  return text;
}

// Top-level keys and arrays, one element a line.
class JsonWriter {
 public:
  void value(std::string_view key, const Json& json) {
    open_key(key);
    text_ += line_of(json);
  }
  void open_array(std::string_view key) {
    open_key(key);
    text_ += '[';
    element_count_ = 0;
  }
  void element(const Json& json) {
    text_ += element_count_++ == 0 ? "\n    " : ",\n    ";
    text_ += line_of(json);
  }
  void close_array() { text_ += element_count_ == 0 ? "]" : "\n  ]"; }
  template <typename MakeElement>
  void array(std::string_view key, std::uint32_t count, const MakeElement& make_element) {
    open_array(key);
    for (std::uint32_t i = 0; i < count; ++i) element(make_element(i));
    close_array();
  }
  std::string finish() { return std::move(text_) + "\n}\n"; }

 private:
  void open_key(std::string_view key) {
    text_ += text_.empty() ? "{" : ",";
    text_.append("\n  \"").append(key).append("\": ");
  }
  std::string text_;
  std::size_t element_count_ = 0;
};

Json or_null(std::uint32_t index) { return index == layout::kNone ? Json(nullptr) : Json(index); }

Json header_json(const Asset& asset) {
  const layout::Header& header = header_of(asset);
  return {{"majorVersion", header.major_version},
          {"minorVersion", header.minor_version},
          {"sizeBytes", header.size_bytes},
          {"hash", hash_text(header.hash)}};
}

Json section_json(const Asset& asset, std::uint32_t index) {
  const layout::Section& section = section_at(asset, index);
  return {{"id", section.id},
          {"name", section_name(section.id)},
          {"optional", (section.flags & layout::kSectionOptional) != 0},
          {"recordBytes", section.record_bytes},
          {"offsetBytes", section.offset_bytes},
          {"sizeBytes", section.size_bytes}};
}

Json variables_json(const Tree& tree) {
  const auto variables =
      records<layout::Variable>(*tree.asset, SectionId::variables) + find_part(tree, PartKind::variables)->first_name;
  Json json = Json::array();
  for (std::uint32_t i = 0; i < espalier::variable_count(tree); ++i) {
    json.push_back({{"name", variable_name(tree, i)}, {"initial", variables[i].initial != 0}});
  }
  return json;
}

Json assignment_json(const Tree& tree, const layout::Assignment& assignment) {
  if (espalier::engine_id_of(tree) == EngineId::decide) return {{"stimulus", assignment.variable}};
  return {{"variable", assignment.variable},
          {"condition", assignment.condition},
          {"conditionText", condition_text(tree, assignment.condition)}};
}

Json signals_json(const Tree& tree) {
  Json json = Json::array();
  for (std::uint32_t i = 0; i < signal_count(tree); ++i) {
    Json rows = Json::array();
    for (const layout::Assignment& assignment : assignments_of(tree, i))
      rows.push_back(assignment_json(tree, assignment));
    json.push_back({{"name", signal_name(tree, i)}, {"assignments", std::move(rows)}});
  }
  return json;
}

Json timestamps_json(const Tree& tree) {
  const auto timestamps = records<layout::Timestamp>(*tree.asset, SectionId::timestamps) +
                          part_of<EngineId::tick, PartKind::timestamps>(tree).first_name;
  Json json = Json::array();
  for (std::uint32_t i = 0; i < timestamp_count(tree); ++i) {
    json.push_back({{"name", timestamp_name(tree, i)},
                    {"signal", timestamps[i].signal},
                    {"exclusiveTo", or_null(timestamps[i].exclusive_to)}});
  }
  return json;
}

Json ticking_json(const Tree& tree) {
  const layout::Ticking& record = ticking_record(tree);
  return {{"staysStopped", (record.flags & layout::kStaysStopped) != 0},
          {"limitCount", record.limit_count},
          {"timestamps", timestamps_json(tree)}};
}

Json rule_tree_json(const Tree& tree) {
  const layout::RuleTree& record = rule_tree_record(tree);
  return {{"runLimit", record.run_limit},
          {"isUsed", (record.flags & layout::kIsUsed) != 0},
          {"ruleCount", record.rule_count},
          {"occurrenceCount", record.occurrence_count}};
}

Json occurrence_json(const Tree& tree, std::uint32_t index) {
  const layout::Occurrence& occurrence =
      array<layout::Occurrence>(*tree.asset, SectionId::occurrences)[rule_tree_record(tree).first_occurrence + index];
  return {{"tree", tree.index},
          {"occurrence", index},
          {"unit", occurrence.unit},
          {"firstRule", occurrence.first_rule},
          {"firstBelow", occurrence.first_below},
          {"parent", or_null(occurrence.parent)}};
}

Json rule_json(const Tree& tree, std::uint32_t rule) {
  const std::string_view id = rule_id(tree, rule);
  return {{"tree", tree.index},
          {"rule", rule},
          {"word", rule_node(tree, rule)},
          {"id", id.empty() ? Json(nullptr) : Json(id)}};
}

Json stimuli_json(const Tree& tree) {
  const DeciderTree deciders(tree);
  Json json = Json::array();
  for (std::uint32_t i = 0; i < stimulus_count(tree); ++i) {
    const layout::Stimulus& stimulus = deciders.stimulus(i);
    json.push_back(
        {{"name", stimulus_name(tree, i)}, {"timeoutUs", stimulus.timeout_us}, {"timeout", or_null(stimulus.timeout)}});
  }
  return json;
}

Json block_json(const std::vector<BlockPart>& parts) {
  Json block = Json::object();
  for (const BlockPart& part : parts) {
    block[std::string(part.name)] = {{"offset", part.offset_bytes}, {"bytes", part.size_bytes}};
  }
  return block;
}

Json decider_tree_json(const Tree& tree) {
  const layout::DeciderTree& record = DeciderTree(tree).record;
  Json flags = Json::array();
  for (std::uint32_t i = 0; i < behavior_flag_count(tree); ++i) flags.push_back(behavior_flag_name(tree, i));
  return {{"maxRedecides", record.max_redecides}, {"firstUnit", record.first_unit},
          {"nodeCount", record.node_count},       {"firstDecider", record.first_decider},
          {"deciderCount", record.decider_count}, {"scratchBytes", record.scratch_bytes},
          {"stimuli", stimuli_json(tree)},        {"behaviorFlags", std::move(flags)}};
}

Json numbers_json(const Asset& asset, SectionId id, std::uint32_t first, std::uint32_t count) {
  const std::uint32_t* numbers = array<std::uint32_t>(asset, id) + first;
  return std::vector<std::uint32_t>(numbers, numbers + count);
}

Json store_tree_json(const Tree& tree) {
  const layout::StoreTree& record = store_record(tree);
  return {{"levelCount", record.level_count},
          {"nodeCount", record.node_count},
          {"childCount", record.child_count},
          {"firstPlace", record.first_place},
          {"placeCount", record.place_count},
          {"firstGroup", record.first_group},
          {"groupCount", record.group_count},
          {"needs", numbers_json(*tree.asset, SectionId::tree_needs, record.first_need, layout::kMaxTreeLevels)}};
}

Json group_json(const Asset& asset, std::uint32_t index) {
  const layout::Group& group = records<layout::Group>(asset, SectionId::groups)[index];
  Json barriers = Json::array();
  for (std::uint32_t i = 0; i < group.barrier_count; ++i) {
    const layout::Barrier& barrier = barrier_at(asset, group, i);
    barriers.push_back({{"name", std::string_view(name_at(asset, barrier.name))}, {"roles", barrier.roles}});
  }
  return {{"roleCount", group.role_count},
          {"onLeave", on_leave_name(group.on_leave)},
          {"timeoutUs", group.timeout_us == layout::kNoTimeout ? Json(nullptr) : Json(group.timeout_us)},
          {"sharedOffset", group.shared_offset},
          {"sharedBytes", shared_group_bytes(group)},
          {"barriers", std::move(barriers)}};
}

Json slot_json(const Asset& asset, std::uint32_t index) {
  const layout::Slot& slot = slot_record(asset, index);
  Json accepts = nullptr;
  if (slot.accepted_count != layout::kNone) {
    accepts = numbers_json(asset, SectionId::accepts, slot.first_accepted, slot.accepted_count);
  }
  const std::uint32_t first_room = index * layout::kMaxTreeLevels;
  return {{"name", slot_name(asset, index)},
          {"accepts", std::move(accepts)},
          {"budgetBytes", or_null(slot.budget_bytes)},
          {"rooms", numbers_json(asset, SectionId::slot_rooms, first_room, layout::kMaxTreeLevels)}};
}

Json leaves_json(const Tree& tree) {
  const std::vector<std::string_view> names = leaf_names(tree);
  Json json = Json::array();
  for (std::uint32_t i = 0; i < leaf_count(tree); ++i) {
    Json leaf = {{"behavior", leaf_behavior(tree, i)}};
    if (!names[i].empty()) leaf["name"] = names[i];
    json.push_back(std::move(leaf));
  }
  return json;
}

Json tree_json(const Tree& tree) {
  const layout::Tree& record = tree_record(tree);
  const unsigned char* image = array<unsigned char>(*tree.asset, SectionId::images) + record.image;
  const std::uint32_t image_bytes = record.image != layout::kNone ? record.agent_bytes : 0;
  Json json = {{"name", tree_name(tree)},
               {"dialect", dialect_name(tree)},
               {"engine", engine_name(tree)},
               {"unit", record.unit},
               {"agentBytes", record.agent_bytes},
               {"sharedBytes", record.shared_bytes},
               {"block", block_json(block_parts(tree))},
               {"image", hex_of(image, image_bytes)},
               {"variables", variables_json(tree)},
               {"signals", signals_json(tree)},
               {"leaves", leaves_json(tree)}};
  if (is_ticking(tree)) json["ticking"] = ticking_json(tree);
  if (is_rule_tree(tree)) json["ruleTree"] = rule_tree_json(tree);
  if (is_decider_tree(tree)) json["deciderTree"] = decider_tree_json(tree);
  if (is_storing(tree)) json["storeTree"] = store_tree_json(tree);
  return json;
}

Json unit_json(const Asset& asset, std::uint32_t index, const VariableNames& names) {
  const layout::Unit& unit = unit_record(asset, index);
  return {{"firstWord", unit.first_word},         {"wordCount", unit.word_count},
          {"nodeCount", unit.node_count},         {"leafCount", unit.leaf_count},
          {"stateBytes", unit.state_bytes},       {"regionCount", unit.region_count},
          {"useCount", unit.use_count},           {"firstNodeWord", unit.first_node_word},
          {"variableCount", unit.variable_count}, {"variablesOfTree", or_null(names.tree)}};
}

Json transitions_json(const NodeView& node, const VariableNames& names) {
  const layout::Transition* transitions =
      array<layout::Transition>(*names.asset, SectionId::transitions) + *operand(node, OperandKind::transition);
  Json json = Json::array();
  for (std::uint32_t i = 0; i < *operand(node, OperandKind::transition_count); ++i) {
    json.push_back({{"state", transitions[i].state},
                    {"condition", transitions[i].condition},
                    {"conditionText", condition_text(names, transitions[i].condition)}});
  }
  return json;
}

Json event_transitions_json(const NodeView& node, const Tree& tree) {
  const layout::EventTransition* transitions =
      array<layout::EventTransition>(*tree.asset, SectionId::event_transitions) +
      *operand(node, OperandKind::event_transition);
  Json json = Json::array();
  for (std::uint32_t i = 0; i < *operand(node, OperandKind::event_transition_count); ++i) {
    json.push_back({{"state", transitions[i].state},
                    {"signal", transitions[i].signal},
                    {"signalName", signal_name(tree, transitions[i].signal)}});
  }
  return json;
}

Json parameter_value(const Asset& asset, const layout::Parameter& parameter) {
  switch (static_cast<ParameterType>(parameter.type)) {
    case ParameterType::text:
    case ParameterType::event:
    case ParameterType::script:
      return std::string_view(name_at(asset, parameter.value));
    case ParameterType::whole:
      return static_cast<std::int64_t>(std::uint64_t{parameter.extra} << 32 | parameter.value);
    case ParameterType::number:
      return number_at(asset, parameter.value);
    case ParameterType::boolean:
      return parameter.value != 0;
    case ParameterType::choice:
      return {{"index", parameter.value}, {"word", std::string_view(name_at(asset, parameter.extra))}};
    case ParameterType::vector:
      return {number_at(asset, parameter.value), number_at(asset, parameter.value + 1),
              number_at(asset, parameter.value + 2)};
  }
  return nullptr;
}

Json parameters_json(const NodeView& node, const Asset& asset) {
  Json json = Json::array();
  for (const layout::Parameter& parameter : parameters_of(asset, node)) {
    json.push_back({{"name", std::string_view(name_at(asset, parameter.name))},
                    {"type", parameter_type_name(parameter.type)},
                    {"value", parameter_value(asset, parameter)}});
  }
  return json;
}

Json asking_json(const layout::Asking& asking, const Asset& asset) {
  Json conditions = Json::array();
  for (const std::uint32_t condition : questions_of(asset, asking)) {
    conditions.push_back({{"hostCondition", condition}, {"name", host_condition_name(asset, condition)}});
  }
  return {{"mode", ask_mode_name(asking.mode)}, {"conditions", std::move(conditions)}};
}

Json precondition_json(const Tree& tree, const layout::Precondition& precondition) {
  Json json = Json::object();
  for (const WantedField& field : kWantedFields) {
    const layout::MaskTest& test = precondition.*field.test;
    if (test.mask == 0) continue;
    json[std::string(field.json_name)] = {
        {"mask", test.mask}, {"value", test.value}, {"text", wanted_text(tree, field, test)}};
  }
  return json;
}

Json decider_json(const Tree& tree, const layout::Decider& decider) {
  Json json = {{"everyUs", decider.every_us}, {"timer", or_null(decider.timer)}};
  if (const layout::Precondition* precondition = precondition_of(*tree.asset, decider)) {
    json["precondition"] = decider.precondition - 1;
    json["asks"] = precondition_json(tree, *precondition);
  }
  if (decider.decide != 0) {
    json["decide"] = {{"hostCondition", decider.decide - 1},
                      {"name", host_condition_name(*tree.asset, decider.decide - 1)}};
  }
  if (decider.behavior != 0) {
    json["behavior"] = {{"behavior", decider.behavior - 1},
                        {"name", behavior_name(*tree.asset, decider.behavior - 1)},
                        {"memoryBytes", decider.memory_bytes},
                        {"flags", decider.behavior_flags},
                        {"flagsText", behavior_flags_text(tree, decider.behavior_flags)}};
  }
  json["blockBytes"] = decider.block_bytes;
  json["state"] = decider.state;
  json["childCount"] = decider.child_count;
  json["levelCount"] = decider.level_count;
  json["pathBytes"] = decider.path_bytes;
  json["answerBytes"] = decider.answer_bytes;
  json["scratchBytes"] = decider.scratch_bytes;
  json["askedCount"] = decider.asked_count;
  return json;
}

// What operands lead to, where that is a name, a text or a number.
Json values_json(const NodeView& node, const NodeNames& names) {
  Json json = Json::object();
  for (std::uint32_t i = 0; i < opcode_info(node.opcode).operand_count; ++i) {
    const OperandValue value = operand_value(names, node, i);
    if (const std::string_view* text = std::get_if<std::string_view>(&value)) json[operand_key(node, i)] = *text;
    if (const std::uint64_t* number = std::get_if<std::uint64_t>(&value)) json[operand_key(node, i)] = *number;
  }
  return json;
}

Json flags_json(const NodeView& node) {
  Json json = Json::object();
  for (const FlagWord& flag : flag_words(node)) {
    Json& value = json[std::string(flag.name)];
    value = flag.text;
    if (flag.is_number) value = node.flags;
    if (flag.text == "true" || flag.text == "false") value = flag.text == "true";
  }
  return json;
}

Json node_json(const NodeView& node, std::uint32_t unit, std::size_t depth, const NodeNames& names) {
  const Asset& asset = *names.tree.asset;
  const OpcodeInfo& info = opcode_info(node.opcode);
  Json json = {{"word", node.word},
               {"unit", unit},
               {"depth", depth},
               {"opcode", opcode_name(node.opcode)},
               {"extent", node.extent}};
  if (has_agent_offset(node)) json["agentOffset"] = node.agent_offset;
  if (info.flags != FlagsKind::none) json["flags"] = flags_json(node);
  Json operands = Json::object();
  for (std::uint32_t i = 0; i < info.operand_count; ++i) {
    operands[operand_key(node, i)] = node.operands[i];
  }
  json["operands"] = std::move(operands);
  if (Json values = values_json(node, names); !values.empty()) json["values"] = std::move(values);
  if (const std::uint32_t* condition = operand(node, OperandKind::condition)) {
    json["conditionText"] = condition_text(names.variables, *condition);
  }
  if (operand(node, OperandKind::transition_count) != nullptr) {
    json["transitions"] = transitions_json(node, names.variables);
  }
  if (operand(node, OperandKind::event_transition_count) != nullptr) {
    json["transitions"] = event_transitions_json(node, names.tree);
  }
  const layout::Asking* asking = asking_of(asset, node);
  if (asking != nullptr) json["asking"] = asking_json(*asking, asset);
  if (asking != nullptr || operand(node, OperandKind::parameter_count) != nullptr) {
    json["parameters"] = parameters_json(node, asset);
  }
  if (const layout::Decider* decider = decider_of(asset, node)) json["decider"] = decider_json(names.tree, *decider);
  const NodeDebug debug = node_debug(asset, node.word);
  if (debug.line == 0) return json;
  json["name"] = debug.name;
  json["file"] = debug.file;
  json["line"] = debug.line;
  json["column"] = debug.column;
  return json;
}

Json condition_json(const Asset& asset, std::uint32_t index) {
  constexpr const char* kTests[] = {"all", "any", "combine"};
  constexpr const char* kCombines[] = {"set", "both", "either", "differ", "same", "aside"};
  const layout::Condition& condition = array<layout::Condition>(asset, SectionId::conditions)[index];
  const layout::Test* tests = array<layout::Test>(asset, SectionId::tests) + condition.first_test;
  Json rows = Json::array();
  for (std::uint32_t i = 0; i < condition.test_count; ++i) {
    rows.push_back({{"test", kTests[tests[i].test]},
                    {"combine", kCombines[tests[i].combine]},
                    {"word", tests[i].word},
                    {"mask", tests[i].mask},
                    {"value", tests[i].value}});
  }
  return {{"variableCount", condition.variable_count}, {"tests", std::move(rows)}};
}

void write_rules(const Asset& asset, JsonWriter& out) {
  const auto for_each_tree = [&asset](const auto& visit) {
    for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
      if (const Tree tree{&asset, i}; is_rule_tree(tree)) visit(tree);
    }
  };
  out.open_array("occurrences");
  for_each_tree([&](const Tree& tree) {
    for (std::uint32_t i = 0; i < rule_tree_record(tree).occurrence_count; ++i) out.element(occurrence_json(tree, i));
  });
  out.close_array();
  out.open_array("rules");
  for_each_tree([&](const Tree& tree) {
    for (std::uint32_t rule = 0; rule < rule_count(tree); ++rule) out.element(rule_json(tree, rule));
  });
  out.close_array();
}

}  // namespace

std::string disassemble_json(const Asset& asset) {
  const std::vector<VariableNames> names = names_by_unit(asset);
  const std::uint32_t unit_total = static_cast<std::uint32_t>(names.size());
  JsonWriter out;
  out.value("version", kFormVersion);
  out.value("asset", header_json(asset));
  out.array("sections", header_of(asset).section_count, [&](std::uint32_t i) { return section_json(asset, i); });
  out.array("trees", tree_count(asset), [&](std::uint32_t i) { return tree_json({&asset, i}); });
  write_rules(asset, out);
  out.array("units", unit_total, [&](std::uint32_t i) { return unit_json(asset, i, names[i]); });
  out.open_array("nodes");
  for (std::uint32_t unit = 0; unit < unit_total; ++unit) {
    const NodeNames node_names = codegen::node_names(asset, unit, names[unit]);
    visit_unit(asset, unit,
               [&](const NodeView& node, std::size_t depth) { out.element(node_json(node, unit, depth, node_names)); });
  }
  out.close_array();
  out.array("conditions", record_count(asset, SectionId::conditions),
            [&](std::uint32_t i) { return condition_json(asset, i); });
  out.array("behaviors", behavior_count(asset), [&](std::uint32_t i) { return Json(behavior_name(asset, i)); });
  out.array("hostConditions", host_condition_count(asset),
            [&](std::uint32_t i) { return Json(host_condition_name(asset, i)); });
  out.array("groups", record_count(asset, SectionId::groups), [&](std::uint32_t i) { return group_json(asset, i); });
  out.array("slots", slot_count(asset), [&](std::uint32_t i) { return slot_json(asset, i); });
  out.array("numbers", record_count(asset, SectionId::numbers),
            [&](std::uint32_t i) { return Json(array<std::uint64_t>(asset, SectionId::numbers)[i]); });
  out.array("scripts", script_count(asset), [&](std::uint32_t i) { return Json(script_text(asset, i)); });
  out.array("scopes", scope_count(asset), [&](std::uint32_t i) { return Json(scope_name(asset, i)); });
  out.array("files", file_count(asset), [&](std::uint32_t i) { return Json(file_name(asset, i)); });
  return out.finish();
}

}  // namespace espalier::codegen
