// Trees of rules to units. See flatten_rules.h.
#include "codegen/flatten_rules.h"

#include "runtime/format/opcode.h"

namespace espalier::codegen {
namespace {

// The rules of one file: a rule_file, or a rule_subtree in whose place they stand.
struct Place {
  const ir::Node* list;
  std::uint32_t parent;  // number of the rule_subtree; layout::kNone: of the tree's own file
  std::uint32_t first_rule = 0;
  std::uint32_t first_below = 0;
};

// Calls visit(rule) for the rules of one file in preorder, those below its subtrees left out.
template <typename Visit>
void for_each_rule(const ir::Node& list, const Visit& visit) {
  for (const ir::Node& rule : list.children) {
    visit(rule);
    if (rule.opcode != Opcode::rule_subtree) for_each_rule(rule, visit);
  }
}

text::FileId file_of(const ir::Node& list) { return list.as<ir::RuleFile>().file; }

template <typename Value>
void append_key(std::string& key, const Value& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

// Writes one unit: the rules of a file, where subtrees lead to units that are there.
class RuleFlattener::UnitWriter {
 public:
  explicit UnitWriter(RuleFlattener& flattener) : flattener_(flattener), sections_(flattener.sections_) {}

  layout::Unit write(const ir::Node& list) {
    unit_ = sections_.begin_unit(layout::kNone);
    sections_.origins.push_back({next_word(), nullptr, {file_of(list), 0, 0}});
    write_node(Opcode::rule_file, 0, list, next_word());
    unit_.word_count = next_word() - unit_.first_word;
    unit_.use_count = static_cast<std::uint32_t>(sections_.uses.size()) - unit_.first_use;
    return unit_;
  }

 private:
  std::uint32_t next_word() const { return static_cast<std::uint32_t>(sections_.nodes.size()); }

  void write_rule(const ir::Node& rule, std::uint32_t parent) {
    sections_.origins.push_back({next_word(), &rule.name, rule.span});
    write_node(rule.opcode, rule.flags, rule, parent);
  }

  void write_node(Opcode opcode, std::uint32_t flags, const ir::Node& node, std::uint32_t parent) {
    const OpcodeInfo& info = opcode_info(opcode);
    const std::uint32_t word = next_word();
    const std::uint32_t number = sections_.number_next_node(unit_);
    sections_.nodes.push_back(static_cast<std::uint32_t>(opcode) | flags << 8 | number << 16);
    sections_.nodes.push_back(0);  // the extent, when it is known
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      const OperandKind kind = info.operands[i];
      sections_.nodes.push_back(kind == OperandKind::parent ? word - parent : operand(kind, node));
    }
    ++unit_.node_count;
    if (opcode != Opcode::rule_subtree) {
      for (const ir::Node& child : node.children) write_rule(child, word);
    }
    sections_.nodes[word + 1] = next_word() - word;
  }

  std::uint32_t operand(OperandKind kind, const ir::Node& node) {
    switch (kind) {
      case OperandKind::asking:
        return flattener_.add_asking(node.as<ir::Rule>());
      case OperandKind::behavior:
        return flattener_.behaviors_.at(node.as<ir::Rule>().behavior);
      case OperandKind::use: {
        const std::uint32_t rule = unit_.node_count - 1;  // the rule_file is none
        sections_.uses.push_back({flattener_.units_.at(file_of(node)), rule});
        return static_cast<std::uint32_t>(sections_.uses.size() - 1);
      }
      default:  // of other engines
        return 0;
    }
  }

  RuleFlattener& flattener_;
  Sections& sections_;
  layout::Unit unit_ = {};
};

void RuleFlattener::add(const ir::Tree& source, std::uint32_t tree) {
  layout::RuleTree record = {};
  record.run_limit = source.as<ir::Ruling>().run_limit;
  record.flags = source.as<ir::Ruling>().is_used ? layout::kIsUsed : 0;
  record.first_occurrence = static_cast<std::uint32_t>(sections_.occurrences.size());
  record.first_id = static_cast<std::uint32_t>(sections_.rule_ids.size());
  std::vector<Place> places = {{&source.root, layout::kNone}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].first_rule = record.rule_count;
    places[i].first_below = static_cast<std::uint32_t>(places.size());
    for_each_rule(*places[i].list, [&](const ir::Node& rule) {
      sections_.rule_ids.push_back(sections_.names.add(rule.label));
      if (rule.opcode == Opcode::rule_subtree) places.push_back({&rule, record.rule_count});
      ++record.rule_count;
    });
  }
  // A use stands before the places that it leads to, so that going back finds every unit before its users.
  for (std::size_t i = places.size(); i-- > 0;) {
    const text::FileId file = file_of(*places[i].list);
    if (units_.contains(file)) continue;
    const layout::Unit unit = UnitWriter(*this).write(*places[i].list);
    units_[file] = static_cast<std::uint32_t>(sections_.units.size());
    sections_.units.push_back(unit);
  }
  for (const Place& place : places) {
    const std::uint32_t unit = units_.at(file_of(*place.list));
    sections_.occurrences.push_back({place.first_rule, unit, place.parent, place.first_below});
  }
  record.occurrence_count = static_cast<std::uint32_t>(places.size());
  sections_.trees[tree].unit = sections_.occurrences[record.first_occurrence].unit;
  sections_.trees[tree].record = static_cast<std::uint32_t>(sections_.rule_trees.size());
  sections_.rule_trees.push_back(record);
}

std::uint32_t RuleFlattener::add_asking(const ir::Rule& rule) {
  if (rule.conditions.empty() && rule.parameters.empty()) return 0;
  std::vector<std::uint32_t> questions;
  for (const std::string& name : rule.conditions) questions.push_back(host_conditions_.at(name));
  std::vector<layout::Parameter> parameters;
  for (const ir::Parameter& parameter : rule.parameters) {
    parameters.push_back({sections_.names.add(parameter.name), static_cast<std::uint32_t>(ParameterType::text),
                          sections_.names.add(parameter.text), 0});
  }
  layout::Asking asking = {};
  asking.first_question = static_cast<std::uint32_t>(sections_.questions.size());
  asking.question_count = static_cast<std::uint32_t>(questions.size());
  asking.mode = static_cast<std::uint32_t>(questions.empty() ? layout::AskMode::all_true : rule.mode);
  asking.first_parameter = static_cast<std::uint32_t>(sections_.parameters.size());
  asking.parameter_count = static_cast<std::uint32_t>(parameters.size());
  std::string key;
  append_key(key, asking.mode);
  append_key(key, asking.question_count);
  for (const std::uint32_t question : questions) append_key(key, question);
  for (const layout::Parameter& parameter : parameters) append_key(key, parameter);
  const auto [place, is_new] =
      askings_.emplace(std::move(key), static_cast<std::uint32_t>(sections_.askings.size() + 1));
  if (!is_new) return place->second;
  sections_.questions.insert(sections_.questions.end(), questions.begin(), questions.end());
  sections_.parameters.insert(sections_.parameters.end(), parameters.begin(), parameters.end());
  sections_.askings.push_back(asking);
  return place->second;
}

}  // namespace espalier::codegen
