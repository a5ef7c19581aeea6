// An asset as text: one record a line, indented by what belongs to what. schemas/asset.md describes the form.
#include "codegen/dump/disassemble.h"

#include <algorithm>
#include <utility>

#include "codegen/block_parts.h"
#include "codegen/dump/decider_text.h"
#include "codegen/dump/node_text.h"
#include "codegen/dump/store_text.h"
#include "runtime/decide/tree.h"
#include "runtime/format/opcode_words.h"
#include "runtime/rule/tree.h"
#include "runtime/tick/agent.h"

namespace espalier::codegen {
namespace {

using layout::SectionId;

constexpr std::uint32_t kBytesALine = 32;  // of an image

// Appends lines made of words, numbers and quoted names.
class TextWriter {
 public:
  TextWriter& line(std::size_t depth) {
    if (!text_.empty()) text_ += '\n';
    text_.append(2 * depth, ' ');
    return *this;
  }
  TextWriter& gap() {
    text_ += '\n';
    return *this;
  }
  TextWriter& word(std::string_view word) {
    text_ += word;
    return *this;
  }
  TextWriter& number(std::uint64_t number) {
    append_number(text_, number);
    return *this;
  }
  TextWriter& quoted(std::string_view name) {
    append_quoted(text_, name);
    return *this;
  }
  TextWriter& hex(const unsigned char* bytes, std::size_t count) {
    append_hex(text_, bytes, count);
    return *this;
  }
  std::string finish() {
    text_ += '\n';
    return std::move(text_);
  }

 private:
  std::string text_;
};

class Disassembler {
 public:
  explicit Disassembler(const Asset& asset) : asset_(asset), names_(names_by_unit(asset)) {}

  std::string run() {
    write_header();
    write_sections();
    for (std::uint32_t i = 0; i < tree_count(asset_); ++i) write_tree({&asset_, i});
    for (std::uint32_t i = 0; i < names_.size(); ++i) write_unit(i);
    write_tables();
    return out_.finish();
  }

 private:
  void write_header() {
    const layout::Header& header = header_of(asset_);
    out_.word("asset: version ").number(header.major_version).word(".").number(header.minor_version);
    out_.word(", bytes ").number(header.size_bytes).word(", hash ").word(hash_text(header.hash));
  }

  void write_sections() {
    out_.gap().line(0).word("sections: ").number(header_of(asset_).section_count);
    for (std::uint32_t i = 0; i < header_of(asset_).section_count; ++i) {
      const layout::Section& section = section_at(asset_, i);
      out_.line(1).number(section.id).word(" ").word(section_name(section.id));
      if ((section.flags & layout::kSectionOptional) != 0) out_.word(" optional");
      out_.word(": bytes ").number(section.size_bytes).word(" at ").number(section.offset_bytes);
      if (section.record_bytes == 1) continue;
      out_.word(", records ").number(section.size_bytes / section.record_bytes);
      out_.word(" of ").number(section.record_bytes);
    }
  }

  void write_tree(const Tree& tree) {
    const layout::Tree& record = tree_record(tree);
    out_.gap().line(0).word("tree ").number(tree.index).word(" ").quoted(tree_name(tree));
    out_.word(": dialect ").word(dialect_name(tree)).word(", engine ").word(engine_name(tree));
    out_.word(", unit ").number(record.unit);
    out_.line(1).word("agent: bytes ").number(record.agent_bytes);
    for (const BlockPart& part : block_parts(tree)) {
      out_.word(", ").word(part.name).word(" ").number(part.size_bytes).word(" at ").number(part.offset_bytes);
    }
    out_.word(", shared ").number(record.shared_bytes);
    switch (espalier::engine_id_of(tree)) {
      case EngineId::select:
        write_state(tree);
        write_leaves(tree);
        break;
      case EngineId::tick:
        write_ticking(tree);
        write_state(tree);
        write_timestamps(tree);
        break;
      case EngineId::rule:
        write_rule_tree(tree);
        break;
      case EngineId::decide:
        write_decider_tree(tree);
        break;
      case EngineId::store:
        write_store_tree(tree);
        break;
    }
  }

  void write_state(const Tree& tree) {
    write_image(tree_record(tree));
    write_variables(tree);
    write_signals(tree);
  }

  void write_ticking(const Tree& tree) {
    const layout::Ticking& record = ticking_record(tree);
    out_.word(", limits ").number(record.limit_count);
    if ((record.flags & layout::kStaysStopped) != 0) out_.word(", stays stopped");
  }

  void write_rule_tree(const Tree& tree) {
    const layout::RuleTree& record = rule_tree_record(tree);
    out_.word(", run limit ").number(record.run_limit);
    if ((record.flags & layout::kIsUsed) != 0) out_.word(", used");
    write_image(tree_record(tree));
    const auto occurrences = array<layout::Occurrence>(asset_, SectionId::occurrences) + record.first_occurrence;
    out_.line(1).word("occurrences: ").number(record.occurrence_count);
    for (std::uint32_t i = 0; i < record.occurrence_count; ++i) {
      out_.line(2).number(i).word(" unit=").number(occurrences[i].unit);
      out_.word(" first_rule=").number(occurrences[i].first_rule);
      out_.word(" first_below=").number(occurrences[i].first_below);
      if (occurrences[i].parent != layout::kNone) out_.word(" parent=").number(occurrences[i].parent);
    }
    out_.line(1).word("rules: ").number(record.rule_count);
    for (std::uint32_t rule = 0; rule < record.rule_count; ++rule) {
      const NodeView node = node_at(asset_, rule_node(tree, rule));
      out_.line(2).number(rule).word(" ").word(opcode_name(node.opcode));
      if (const std::string_view id = rule_id(tree, rule); !id.empty()) out_.word(" id=").quoted(id);
    }
  }

  void write_decider_tree(const Tree& tree) {
    const layout::DeciderTree& record = DeciderTree(tree).record;
    out_.word(", scratch ").number(record.scratch_bytes);
    out_.line(1).word("deciders: ").number(record.decider_count).word(" from ").number(record.first_decider);
    out_.word(", units from ").number(record.first_unit).word(", nodes ").number(record.node_count);
    out_.word(", redecides ").number(record.max_redecides);
    out_.line(1).word("flags: ").number(espalier::variable_count(tree));
    for (std::uint32_t i = 0; i < espalier::variable_count(tree); ++i) {
      out_.line(2).number(i).word(" ").quoted(variable_name(tree, i));
    }
    write_stimuli(tree);
    out_.line(1).word("behavior_flags: ").number(behavior_flag_count(tree));
    for (std::uint32_t i = 0; i < behavior_flag_count(tree); ++i) {
      out_.line(2).number(i).word(" ").quoted(behavior_flag_name(tree, i));
    }
  }

  void write_store_tree(const Tree& tree) {
    const layout::StoreTree& record = store_record(tree);
    out_.line(1).word("instance: nodes ").number(record.node_count).word(", slots ").number(record.child_count);
    out_.word(", places ").number(record.place_count).word(" from ").number(record.first_place);
    out_.word(", groups ").number(record.group_count).word(" from ").number(record.first_group);
    out_.line(1).word("levels: ").number(record.level_count).word(", needs");
    for (const std::uint32_t need : needs_of(tree)) out_.word(" ").number(need);
  }

  void write_stimuli(const Tree& tree) {
    const DeciderTree deciders(tree);
    out_.line(1).word("stimuli: ").number(stimulus_count(tree));
    for (std::uint32_t i = 0; i < stimulus_count(tree); ++i) {
      const layout::Stimulus& stimulus = deciders.stimulus(i);
      out_.line(2).number(i).word(" ").quoted(stimulus_name(tree, i));
      if (stimulus.timeout_us == 0) continue;
      out_.word(" timeout=").word(seconds_text(stimulus.timeout_us)).word(" number=").number(stimulus.timeout);
    }
    out_.line(1).word("signals: ").number(signal_count(tree));
    for (std::uint32_t i = 0; i < signal_count(tree); ++i) {
      out_.line(2).number(i).word(" ").quoted(signal_name(tree, i));
      for (const layout::Assignment& assignment : assignments_of(tree, i)) {
        out_.line(3).number(assignment.variable).word(" ").quoted(stimulus_name(tree, assignment.variable));
      }
    }
  }

  void write_timestamps(const Tree& tree) {
    const auto timestamps = records<layout::Timestamp>(asset_, SectionId::timestamps) +
                            part_of<EngineId::tick, PartKind::timestamps>(tree).first_name;
    out_.line(1).word("timestamps: ").number(timestamp_count(tree));
    for (std::uint32_t i = 0; i < timestamp_count(tree); ++i) {
      out_.line(2).number(i).word(" ").quoted(timestamp_name(tree, i));
      out_.word(" signal=").number(timestamps[i].signal).word(" ").quoted(signal_name(tree, timestamps[i].signal));
      const std::uint32_t other = timestamps[i].exclusive_to;
      if (other == layout::kNone) continue;
      out_.word(" exclusive_to=").number(other).word(" ").quoted(timestamp_name(tree, other));
    }
  }

  void write_image(const layout::Tree& record) {
    const unsigned char* image = array<unsigned char>(asset_, SectionId::images) + record.image;
    out_.line(1).word("image: bytes ").number(record.agent_bytes);
    for (std::uint32_t i = 0; i < record.agent_bytes; i += kBytesALine) {
      out_.line(2).hex(image + i, std::min(kBytesALine, record.agent_bytes - i));
    }
  }

  void write_variables(const Tree& tree) {
    const auto variables =
        records<layout::Variable>(asset_, SectionId::variables) + find_part(tree, PartKind::variables)->first_name;
    out_.line(1).word("variables: ").number(espalier::variable_count(tree));
    for (std::uint32_t i = 0; i < espalier::variable_count(tree); ++i) {
      out_.line(2).number(i).word(" ").quoted(variable_name(tree, i));
      out_.word(variables[i].initial != 0 ? " = true" : " = false");
    }
  }

  void write_signals(const Tree& tree) {
    out_.line(1).word("signals: ").number(signal_count(tree));
    for (std::uint32_t i = 0; i < signal_count(tree); ++i) {
      out_.line(2).number(i).word(" ").quoted(signal_name(tree, i));
      for (const layout::Assignment& assignment : assignments_of(tree, i)) {
        out_.line(3).quoted(variable_name(tree, assignment.variable));
        out_.word(" = ").quoted(condition_text(tree, assignment.condition));
      }
    }
  }

  void write_leaves(const Tree& tree) {
    const std::vector<std::string_view> names = leaf_names(tree);
    out_.line(1).word("leaves: ").number(leaf_count(tree));
    for (std::uint32_t i = 0; i < leaf_count(tree); ++i) {
      out_.line(2).number(i);
      if (!names[i].empty()) out_.word(" ").quoted(names[i]);
      const std::uint32_t behavior = leaf_behavior(tree, i);
      out_.word(" behavior=").number(behavior).word(" ").quoted(behavior_name(asset_, behavior));
    }
  }

  void write_unit(std::uint32_t index) {
    const layout::Unit& unit = unit_record(asset_, index);
    const VariableNames& names = names_[index];
    out_.gap().line(0).word("unit ").number(index).word(": nodes ").number(unit.node_count);
    out_.word(", leaves ").number(unit.leaf_count).word(", state ").number(unit.state_bytes);
    out_.word(", regions ").number(unit.region_count).word(", uses ").number(unit.use_count);
    out_.word(", variables ").number(unit.variable_count);
    if (unit.variable_count != 0 && names.tree != layout::kNone) {
      out_.word(" of ").quoted(tree_name({&asset_, names.tree}));
    }
    const NodeNames node_names = codegen::node_names(asset_, index, names);
    visit_unit(asset_, index,
               [&](const NodeView& node, std::size_t depth) { write_node(node, depth + 1, node_names); });
  }

  void write_node(const NodeView& node, std::size_t depth, const NodeNames& names) {
    const OpcodeInfo& info = opcode_info(node.opcode);
    const NodeDebug debug = node_debug(asset_, node.word);
    out_.line(depth).word(opcode_name(node.opcode));
    if (!debug.name.empty()) out_.word(" ").quoted(debug.name);
    for (const FlagWord& flag : flag_words(node)) out_.word(" ").word(flag.name).word("=").word(flag.text);
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      const std::string text = operand_text(names, node, i);
      if (!text.empty()) out_.word(" ").word(text);
    }
    if (has_agent_offset(node)) out_.word(" agent_offset=").number(node.agent_offset);
    if (debug.line != 0)
      out_.word(" at ").quoted(debug.file).word(":").number(debug.line).word(":").number(debug.column);
    write_transitions(node, depth + 1, names.variables);
    write_event_transitions(node, depth + 1, names.tree);
    write_questions(node, depth + 1);
    if (const layout::Decider* decider = decider_of(asset_, node)) {
      for (const std::string& row : decider_rows(names.tree, node, *decider)) out_.line(depth + 1).word(row);
    }
    if (const layout::Group* group = group_of(asset_, node)) {
      for (const std::string& row : group_rows(asset_, *group)) out_.line(depth + 1).word(row);
    }
    for (const layout::Parameter& parameter : parameters_of(asset_, node)) {
      out_.line(depth + 1).word("- ").word(parameter_text(asset_, parameter));
    }
  }

  void write_transitions(const NodeView& node, std::size_t depth, const VariableNames& names) {
    const std::uint32_t* count = operand(node, OperandKind::transition_count);
    if (count == nullptr) return;
    const layout::Transition* transitions =
        array<layout::Transition>(asset_, SectionId::transitions) + *operand(node, OperandKind::transition);
    for (std::uint32_t i = 0; i < *count; ++i) {
      out_.line(depth).word("-> ").number(transitions[i].state);
      out_.word(" condition=").quoted(condition_text(names, transitions[i].condition));
    }
  }

  void write_event_transitions(const NodeView& node, std::size_t depth, const Tree& tree) {
    const std::uint32_t* count = operand(node, OperandKind::event_transition_count);
    if (count == nullptr) return;
    const layout::EventTransition* transitions = array<layout::EventTransition>(asset_, SectionId::event_transitions) +
                                                 *operand(node, OperandKind::event_transition);
    for (std::uint32_t i = 0; i < *count; ++i) {
      out_.line(depth).word("-> ").number(transitions[i].state);
      out_.word(" signal=").number(transitions[i].signal).word(" ").quoted(signal_name(tree, transitions[i].signal));
    }
  }

  void write_questions(const NodeView& node, std::size_t depth) {
    const layout::Asking* asking = asking_of(asset_, node);
    if (asking == nullptr) return;
    for (const std::uint32_t condition : questions_of(asset_, *asking)) {
      out_.line(depth).word("? ").number(condition).word(" ").quoted(host_condition_name(asset_, condition));
    }
  }

  // A block of names, each with its number.
  template <typename NameOf>
  void write_names(std::string_view title, std::uint32_t count, const NameOf& name_of) {
    out_.gap().line(0).word(title).word(": ").number(count);
    for (std::uint32_t i = 0; i < count; ++i) out_.line(1).number(i).word(" ").quoted(name_of(i));
  }

  void write_tables() {
    write_names("behaviors", behavior_count(asset_), [&](std::uint32_t i) { return behavior_name(asset_, i); });
    if (host_condition_count(asset_) > 0) {
      write_names("host_conditions", host_condition_count(asset_),
                  [&](std::uint32_t i) { return host_condition_name(asset_, i); });
    }
    if (slot_count(asset_) > 0) {
      out_.gap().line(0).word("slots: ").number(slot_count(asset_));
      for (std::uint32_t i = 0; i < slot_count(asset_); ++i) {
        out_.line(1).number(i).word(" ").quoted(slot_name(asset_, i)).word(": ").word(slot_text(asset_, i));
      }
    }
    if (script_count(asset_) > 0) {
      write_names("scripts", script_count(asset_), [&](std::uint32_t i) { return script_text(asset_, i); });
    }
    if (scope_count(asset_) > 0) {
      write_names("scopes", scope_count(asset_), [&](std::uint32_t i) { return scope_name(asset_, i); });
    }
    if (is_stripped(asset_)) return;
    write_names("files", file_count(asset_), [&](std::uint32_t i) { return file_name(asset_, i); });
  }

  const Asset& asset_;
  std::vector<VariableNames> names_;
  TextWriter out_;
};

}  // namespace

std::string disassemble(const Asset& asset) { return Disassembler(asset).run(); }

}  // namespace espalier::codegen
