// An asset as text: one record per line, indented by owner. schemas/asset.md describes the format.
#include "codegen/dump/disassemble.h"

#include "codegen/dump/listing.h"
#include "codegen/dump/rows.h"

namespace espalier::codegen {
namespace {

class TextWriter {
 public:
  void write(const Row& row) {
    if (row.depth == 0) begin_block(row);
    text_.append(2 * std::size_t{row.depth + row.indent}, ' ').append(row.title);
    if (row.has_number) append_number(text_ += ' ', row.number);
    if (row.is_plain) text_ += ':';
    if (!row.name.empty()) append_quoted(text_ += ' ', row.name);
    for (const Item& item : row.items) {
      if (item.text.empty()) continue;
      text_ += ' ';
      if (!item.key.empty()) text_.append(item.key).append("=");
      text_ += item.text;
    }
    text_ += '\n';
  }
  std::string finish() { return std::move(text_); }

 private:
  // Each tree and each unit is a block; so is each other list.
  void begin_block(const Row& row) {
    const bool is_alone = row.list == "trees" || row.list == "units";
    if (!text_.empty() && (is_alone || row.list != list_)) text_ += '\n';
    list_ = row.list;
  }

  std::string text_;
  std::string_view list_;  // of the last row that belongs to no other
};

}  // namespace

std::string disassemble(const Asset& asset) {
  TextWriter out;
  visit_rows(asset, [&out](const Row& row) { out.write(row); });
  return out.finish();
}

}  // namespace espalier::codegen
