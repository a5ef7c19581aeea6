// Visits the records of an asset. See rows.h.
#include "codegen/dump/rows.h"

#include <algorithm>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/fields.h"
#include "codegen/dump/items.h"
#include "codegen/dump/listing.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/parts.h"
#include "runtime/store/tree.h"
#include "text/json.h"

namespace espalier::codegen {
namespace {

using layout::SectionId;

constexpr std::uint32_t kNumbersALine = 16;
constexpr std::uint32_t kBytesALine = 32;  // of an image

// A record that is one number.
bool is_plain(SectionId section) {
  const std::span<const Field> fields = fields_of(section);
  return fields.size() == 1 && fields[0].kind == FieldKind::number;
}

class Walk {
 public:
  Walk(const Asset& asset, const std::function<void(const Row&)>& write) : asset_(asset), write_(write) {}

  void run() {
    visit_header();
    const Context nowhere = {{&asset_, layout::kNone}};
    for (std::uint32_t i = 0; i < tree_count(asset_); ++i) visit_tree(i);
    const std::vector<VariableNames> names = names_by_unit(asset_);
    for (std::uint32_t i = 0; i < names.size(); ++i) visit_unit_of(i, names[i]);
    for (std::uint32_t id = 1; id < static_cast<std::uint32_t>(SectionId::count); ++id) {
      const auto section = static_cast<SectionId>(id);
      if (is_listed(section)) visit_records(nowhere, section, 0, record_count(asset_, section), {});
    }
  }

 private:
  // The depth of a row.
  struct Level {
    std::uint32_t depth = 0;
    std::uint32_t indent = 0;
    Level below() const { return {depth + 1, indent}; }
  };

  void visit_header() {
    const layout::Header& header = header_of(asset_);
    const std::string hash = hash_text(header.hash);
    Row row = {.list = "asset", .title = "asset", .is_single = true};
    row.items = {{"", "version " + std::to_string(header.major_version) + "." + std::to_string(header.minor_version)},
                 {"major_version", "", std::to_string(header.major_version)},
                 {"minor_version", "", std::to_string(header.minor_version)},
                 number_item("size_bytes", header.size_bytes),
                 string_item("hash", hash, hash)};
    write_(row);
    std::uint64_t end = sizeof header + std::uint64_t{header.section_count} * sizeof(layout::Section);
    for (std::uint32_t i = 0; i < header.section_count; ++i) {
      const layout::Section& section = section_at(asset_, i);
      const bool is_optional = (section.flags & layout::kSectionOptional) != 0;
      const std::uint64_t begin = layout::section_begin(end, section.record_bytes);
      end = begin + section.size_bytes;
      row = {.list = "sections", .title = "section", .has_number = true, .number = section.id};
      row.name = section_name(section.id);
      row.items = {{"id", "", std::to_string(section.id)},
                   {"optional", is_optional ? "true" : "", is_optional ? "true" : "false"},
                   number_item("record_count", section.size_bytes / section.record_bytes),
                   number_item("record_bytes", section.record_bytes),
                   number_item("offset_bytes", begin),
                   number_item("size_bytes", section.size_bytes)};
      write_(row);
    }
  }

  void visit_tree(std::uint32_t index) {
    const VariableNames names = {&asset_, index, {}};
    visit_record({{&asset_, index}, &names}, SectionId::trees, index, index, {}, false);
  }

  void visit_unit_of(std::uint32_t index, const VariableNames& names) {
    const Tree tree = {&asset_, unit_record(asset_, index).tree};
    visit_record({tree, &names}, SectionId::units, index, index, {}, false);
    visit_unit(asset_, index, [&](const NodeView& node, std::size_t depth) {
      visit_node({tree, &names, &node}, static_cast<std::uint32_t>(depth));
    });
  }

  // Records of one owner.
  void visit_records(const Context& context, SectionId section, std::uint32_t first, std::uint32_t count, Level level) {
    if (section == SectionId::none) return;
    if (is_plain(section)) {
      visit_numbers(section, first, count, level);
      return;
    }
    for (std::uint32_t i = 0; i < count; ++i) visit_record(context, section, first + i, i, level, false);
  }

  void visit_record(const Context& context, SectionId section, std::uint32_t index, std::uint32_t number, Level level,
                    bool is_single) {
    const unsigned char* record = record_at(asset_, section, index);
    Row row = {level.depth, level.indent, section_name(static_cast<std::uint32_t>(section)), record_name(section)};
    if (is_single) row.list = row.title;
    row.is_single = is_single;
    row.has_number = true;
    row.number = number;
    if (is_single) row.items.push_back({"index", "", std::to_string(index)});
    for (const Field& field : fields_of(section)) {
      const bool is_name = field.kind == FieldKind::name || field.kind == FieldKind::debug_name;
      if (is_name) {
        row.name_key = field.name;
        row.name = text_at(asset_, field.kind, field_value(field, record));
      } else {
        row.items.push_back(field_item(context, field, record));
      }
    }
    write_(row);
    visit_below(context, section, record, level.below());
  }

  // The number of records from the one that a field of the kind `first` refers to.
  static std::uint32_t count_of(const Context& context, std::span<const Field> fields, const Field& first,
                                const unsigned char* record) {
    for (const Field& field : fields) {
      if (field.name != first.words) continue;
      const std::uint64_t count = field_value(field, record);
      return is_absent(field, count) ? 0 : static_cast<std::uint32_t>(count);
    }
    if (first.target == SectionId::parts) return EngineParts(espalier::engine_id_of(context.tree)).size();
    // Of a record of another section: the same in all trees that store.
    return first.target == SectionId::tree_needs ? need_count(*context.tree.asset) : 0;
  }

  // What a record refers to.
  void visit_below(const Context& context, SectionId section, const unsigned char* record, Level level) {
    const std::span<const Field> fields = fields_of(section);
    for (const Field& field : fields) {
      const std::uint64_t value = field_value(field, record);
      if (field.kind == FieldKind::bytes && !is_absent(field, value)) visit_image(context.tree, level);
      if (field.kind == FieldKind::part_names) {
        const auto& part = *reinterpret_cast<const layout::Part*>(record);
        visit_records(context, names_of_part(espalier::engine_id_of(context.tree), part), part.first_name, part.count,
                      level);
      }
      if (field.kind == FieldKind::first) {
        visit_records(context, field.target, static_cast<std::uint32_t>(value),
                      count_of(context, fields, field, record), level);
      }
      if (field.kind == FieldKind::record) visit_single(context, field.target, record_index(field, value), level);
      if (field.kind == FieldKind::engine_record) {
        visit_single(context, layout::engine_section(espalier::engine_id_of(context.tree)), record_index(field, value),
                     level);
      }
    }
  }

  void visit_single(const Context& context, SectionId section, std::uint32_t index, Level level) {
    if (section == SectionId::none || index == layout::kNone) return;
    visit_record(context, section, index, index, level, true);
  }

  void visit_image(const Tree& tree, Level level) {
    const layout::Tree& record = tree_record(tree);
    const unsigned char* image = array<unsigned char>(asset_, SectionId::images) + record.image;
    for (std::uint32_t i = 0; i < record.agent_bytes; i += kBytesALine) {
      std::string hex;
      append_hex(hex, image + i, std::min(kBytesALine, record.agent_bytes - i));
      write_({.depth = level.depth,
              .list = "image_bytes",
              .title = "image",
              .has_number = true,
              .is_plain = true,
              .number = i,
              .items = {{"", hex, text::json_string(hex)}}});
    }
  }

  void visit_numbers(SectionId section, std::uint32_t first, std::uint32_t count, Level level) {
    const Field& field = fields_of(section)[0];
    Row row = {.depth = level.depth, .indent = level.indent, .has_number = true, .is_plain = true};
    row.list = section_name(static_cast<std::uint32_t>(section));
    row.title = record_name(section);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t value = field_value(field, record_at(asset_, section, first + i));
      row.items.push_back(number_item("", value));
      if (row.items.size() < kNumbersALine && i + 1 < count) continue;
      write_(row);
      row.items.clear();
      row.number = i + 1;
    }
  }

  void visit_node(const Context& context, std::uint32_t depth) {
    const NodeView& node = *context.node;
    const OpcodeInfo& info = opcode_info(node.opcode);
    const NodeDebug debug = node_debug(asset_, node.word);
    Row row = {.depth = 1, .indent = depth, .list = "nodes", .title = opcode_name(node.opcode), .name = debug.name};
    row.items = {{"word", "", std::to_string(node.word)},
                 {"depth", "", std::to_string(depth)},
                 string_item("opcode", "", row.title),
                 {"extent", "", std::to_string(node.extent)}};
    for (Item& item : flag_items(node)) row.items.push_back(std::move(item));
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      if (info.operands[i] != OperandKind::extent) row.items.push_back(operand_item(context, i));
    }
    if (is_leaf(node)) row.items.push_back(number_item("leaf", node.agent_offset));
    if (has_agent_offset(asset_, node)) row.items.push_back(number_item("agent_offset", node.agent_offset));
    if (const std::uint32_t bytes = memory_bytes_of(asset_, node); bytes > 0) {
      row.items.push_back(number_item("memory_bytes", bytes));
    }
    if (debug.line != 0) {
      const std::string line = std::to_string(debug.line);
      const std::string column = std::to_string(debug.column);
      row.items.push_back({"", "at " + quoted_text(debug.file) + ":" + line + ":" + column});
      row.items.push_back(string_item("file", "", debug.file));
      row.items.push_back({"line", "", line});
      row.items.push_back({"column", "", column});
    }
    write_(row);
    for (std::uint32_t i = 0; i < info.operand_count; ++i) visit_operand(context, i, {2, depth});
  }

  void visit_operand(const Context& context, std::uint32_t index, Level level) {
    const OpcodeInfo& info = opcode_info(context.node->opcode);
    const Field& field = operand_field(info.operands[index]);
    const std::uint32_t value = context.node->operands[index];
    if (field.kind == FieldKind::record) visit_single(context, field.target, record_index(field, value), level);
    if (field.kind == FieldKind::parameters) {
      const ParameterList list = parameter_list(asset_, value);
      visit_records(context, field.target, list.first, list.count, level);
    }
    if (field.kind != FieldKind::first) return;
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      if (operand_name(context.node->opcode, i) != field.words) continue;
      visit_records(context, field.target, value, context.node->operands[i], level);
    }
  }

  const Asset& asset_;
  const std::function<void(const Row&)>& write_;
};

}  // namespace

void visit_rows(const Asset& asset, const std::function<void(const Row&)>& write) { Walk(asset, write).run(); }

}  // namespace espalier::codegen
