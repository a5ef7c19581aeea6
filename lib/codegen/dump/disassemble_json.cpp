// An asset as JSON: the same rows as the text, with every number of the asset. One record per line, so that it can be
// compared line by line.
#include "codegen/dump/disassemble.h"
#include "codegen/dump/items.h"
#include "codegen/dump/rows.h"
#include "text/json.h"

namespace espalier::codegen {
namespace {

constexpr std::uint32_t kFormVersion = 2;  // of this JSON, raised when a key changes its meaning

std::string camel_case(std::string_view words) {
  std::string text;
  bool is_first = false;
  for (const char c : words) {
    if (c != '_') text += is_first ? static_cast<char>(c - 'a' + 'A') : c;
    is_first = c == '_';
  }
  return text;
}

class JsonWriter {
 public:
  void write(const Row& row) {
    close(row.depth + 1);
    const bool is_open = open_.size() > row.depth && !row.is_single && open_[row.depth].list == row.list;
    if (is_open) {
      end_record();
      text_ += ',';
    } else {
      close(row.depth);
      text_.append(",\n").append(2 + 4 * row.depth, ' ').append("\"").append(camel_case(row.list)).append("\": ");
      if (!row.is_single) text_ += '[';
      open_.push_back({row.list, row.is_single, row.is_plain});
    }
    if (!row.is_single) text_.append("\n").append(4 + 4 * row.depth, ' ');
    row.is_plain ? write_plain(row) : write_object(row);
  }

  std::string finish() {
    close(0);
    return std::move(text_) + "\n}\n";
  }

 private:
  // A list, or a single record, to which more may be added.
  struct Open {
    std::string_view list;
    bool is_single;
    bool is_plain;
  };

  void end_record() {
    if (!open_.back().is_plain) text_ += '}';
  }

  // Closes all deeper levels.
  void close(std::size_t depth) {
    while (open_.size() > depth) {
      end_record();
      if (!open_.back().is_single) text_.append("\n").append(4 * open_.size() - 2, ' ').append("]");
      open_.pop_back();
    }
  }

  void write_plain(const Row& row) {
    for (std::size_t i = 0; i < row.items.size(); ++i) text_.append(i == 0 ? "" : ", ").append(row.items[i].json);
  }

  // Its end is written together with what follows.
  void write_object(const Row& row) {
    text_ += '{';
    is_empty_ = true;
    if (!row.name.empty()) key(camel_case(row.name_key)).append(text::json_string(row.name));
    for (const Item& item : row.items) {
      if (item.json.empty() && !item.is_string) continue;
      const std::string name = camel_case(item.key) + (item.ordinal == 1 ? "" : std::to_string(item.ordinal));
      key(name).append(item.is_string ? text::json_string(item.told) : item.json);
      if (!item.told_as.empty()) key(name + std::string(item.told_as)).append(text::json_string(item.told));
    }
  }

  std::string& key(const std::string& name) {
    text_.append(is_empty_ ? "\"" : ", \"").append(name).append("\": ");
    is_empty_ = false;
    return text_;
  }

  std::string text_ = "{\n  \"version\": " + std::to_string(kFormVersion);
  std::vector<Open> open_;
  bool is_empty_ = true;  // the object that is being written
};

}  // namespace

std::string disassemble_json(const Asset& asset) {
  JsonWriter out;
  visit_rows(asset, [&out](const Row& row) { out.write(row); });
  return out.finish();
}

}  // namespace espalier::codegen
