// From the rows of an asset to nodes. See stored_nodes.h.
#include "report/pictures/stored_nodes.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "codegen/dump/rows.h"
#include "report/pictures/element_words.h"
#include "report/pictures/polled_words.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcodes/decide.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/opcodes/select.h"
#include "runtime/format/opcodes/tick.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

constexpr Opcode kHidden[] = {opcode::select_share, opcode::tick_branch, opcode::tick_log, opcode::decide_share,
                              opcode::rule_file};

// How the asset calls what elements have other words for, or none.
struct KeyWord {
  std::string_view key;
  std::string_view word;  // empty: nobody wrote it
};
constexpr KeyWord kKeyWords[] = {{"has_hooks", ""},
                                 {"word", ""},
                                 {"depth", ""},
                                 {"opcode", ""},
                                 {"extent", ""},
                                 {"leaf", ""},
                                 {"agent_offset", ""},
                                 {"memory_bytes", ""},
                                 {"file", ""},
                                 {"line", ""},
                                 {"column", ""},
                                 {"state", ""},
                                 {"index", ""},
                                 {"shared_value", ""},
                                 {"shared_offset", ""},
                                 {"group", ""},
                                 {"roles", ""},
                                 {"timer", ""},
                                 {"rule", ""},
                                 {"level_count", ""},
                                 {"answer_bytes", ""},
                                 {"asked_count", ""},
                                 {"path_bytes", ""},
                                 {"scratch_bytes", ""},
                                 {"block_bytes", ""},
                                 {"child_count", ""},
                                 {"time", ""},
                                 {"type", ""},
                                 {"result", ""},
                                 {"until", ""},
                                 {"barrier", ""},
                                 {"flags_all", "flagsAll"},
                                 {"flags_any", "flagsAny"},
                                 {"stimuli_all", "stimuliAll"},
                                 {"stimuli_any", "stimuliAny"},
                                 {"every_us", "every"},
                                 {"timeout_us", "timeout"},
                                 {"on_leave", "onLeave"},
                                 {"decides_again", "decideOnRedecide"},
                                 {"delegates", "delegate"},
                                 {"behavior_flags", "behaviorFlags"},
                                 {"does_not_fail", "doNotFail"},
                                 {"mode", "conditionMode"},
                                 {"success", "successMode"},
                                 {"failure", "failureMode"},
                                 {"maximum", "agents"},
                                 {"number", "seconds"},
                                 {"tree", "default"}};

std::string_view shown_key(std::string_view key) {
  if (key.ends_with("_count")) return {};
  const auto* const row =
      std::find_if(std::begin(kKeyWords), std::end(kKeyWords), [&](const KeyWord& each) { return each.key == key; });
  return row == std::end(kKeyWords) ? key : row->word;
}

std::uint32_t item_number(const codegen::Item& item) {
  std::uint32_t number = 0;
  std::from_chars(item.json.data(), item.json.data() + item.json.size(), number);
  return number;
}

// "allFalse" of "all_false".
std::string camel_case(std::string_view words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_next = i > 0 && words[i - 1] == '_';
    if (words[i] != '_') text += is_next ? static_cast<char>(words[i] - 'a' + 'A') : words[i];
  }
  return text;
}

bool says_nothing(const codegen::Item& item) {
  return shown_key(item.key).empty() || item.text.empty() || item.text == "none" || item.text == "false" ||
         item.text == "\"\"" || item.text == "0s" || (item.key == "weight" && item.text == "1") ||
         (item.key == "mode" && item.text == "all_true") || (item.key == "count" && item.text == "0");
}

// The row of a node for a condition: all of them together are "if A, B".
PictureRow& condition_row(PictureNode& node) {
  for (PictureRow& row : node.rows) {
    if (row.label == "if") return row;
  }
  return *node.rows.insert(node.rows.begin(), {"if", "", ""});
}

void add_condition(PictureNode& node, const std::string& condition) {
  if (condition.empty() || condition == "true") return;
  PictureRow& row = condition_row(node);
  row.value += (row.value.empty() ? "" : ", ") + condition;
}

class Reading {
 public:
  explicit Reading(const Asset& asset) : asset_(asset) {
    codegen::visit_rows(asset, [this](const codegen::Row& row) { take(row); });
  }
  std::map<std::uint32_t, StoredUnit> take_units() { return std::move(units_); }

 private:
  void take(const codegen::Row& row) {
    if (row.depth == 0) {
      unit_ = row.list == "units" ? &units_[row.number] : nullptr;
      if (unit_ != nullptr) tree_ = {&asset_, unit_record(asset_, row.number).tree};
    } else if (unit_ != nullptr && row.list == "nodes") {
      add_node(row);
    } else if (unit_ != nullptr && !unit_->empty()) {
      add_detail(row, unit_->back());
    }
  }

  void add_node(const codegen::Row& row) {
    StoredNode& stored = unit_->emplace_back();
    stored.depth = row.indent;
    PictureNode& node = stored.node;
    const std::string_view opcode = row.title;
    node.kind = opcode.substr(opcode.find('_') + 1);
    for (const codegen::Item& item : row.items) {
      if (item.key == "word") node.word = item_number(item);
      if (item.key == "unit") stored.shares = item_number(item);
    }
    const auto view = codegen::node_at(asset_, node.word);
    name_node(view.opcode, text::visible(row.name), node);
    if (opcode_info(view.opcode).engine == EngineId::decide && node.role == PictureRole::control)
      node.rows.push_back({"policy", ":", node.kind == "prioritized" ? "prioritizedList" : node.kind});
    for (const codegen::Item& item : row.items) add_item(item, node);
    const auto debug = codegen::node_debug(asset_, node.word);
    node.file = text::visible(debug.file);
    node.line = debug.line;
    node.column = debug.column;
    stored.is_leaf = codegen::is_leaf(view);
    stored.is_hidden = std::find(std::begin(kHidden), std::end(kHidden), view.opcode) != std::end(kHidden);
    if (opcode_info(view.opcode).engine == EngineId::poll) add_polled_words(tree_, node);
  }

  static void name_node(Opcode opcode, const std::string& name, PictureNode& node) {
    const NodeLook look = look_of(opcode);
    node.role = look.role;
    node.signs = look.signs;
    node.type = opcode_info(opcode).engine == EngineId::poll ? "" : codegen::element_of(opcode);
    if (opcode == opcode::rule_file) {
      node.type = "behaviorTree";
    } else if (node.type.empty()) {
      node.type = name.empty() ? node.kind : name;
    } else if (name != node.type) {
      node.name = name;
    }
  }

  static void add_item(const codegen::Item& item, PictureNode& node) {
    const bool is_name = item.key == "text" && node.kind == "state";
    const bool is_called = item.key == "behavior" || item.key == "host_condition" || item.key == "slot" ||
                           item.key == "barrier" || item.key == "scope";
    const bool is_number =
        item.key == "number" && (node.kind == "state" || node.kind == "case" || node.kind == "branch");
    if (item.key == "unit" || is_number || (!is_called && !is_name && says_nothing(item))) return;
    const std::string text = item_text(item);
    if (item.key == "condition") {
      add_condition(node, text);
    } else if ((is_called || is_name) && node.name.empty()) {
      if (text != node.type) node.name = text;
    } else if (!text.empty() && (!is_called || text != node.name)) {
      node.rows.push_back({std::string(shown_key(item.key)), ":", text});
    }
  }

  // A row below a node: "parameter tool Welder".
  static void add_detail(const codegen::Row& row, StoredNode& stored) {
    PictureNode& node = stored.node;
    if (row.title == "reference") {
      for (const codegen::Item& item : row.items) {
        if (item.key == "unit") stored.shares = item_number(item);
      }
      return;
    }
    if (row.title == "polled" || row.title == "poll_port" || row.title == "barrier") return;
    std::string condition;
    std::string state;
    std::string signal;
    for (const codegen::Item& item : row.items) {
      if (item.key == "state") {
        state = item_text(item);
      } else if (item.key == "condition") {
        condition = item_text(item);
      } else if (item.key == "signal") {
        signal = item_text(item);
      }
    }
    if (row.title == "transition" || row.title == "event_transition") {
      node.rows.push_back({signal.empty() ? "if " + condition : "on " + signal, "→", state});
    } else if (row.title == "query_condition") {
      add_condition(node, condition.empty() ? text::visible(row.name) : condition);
    } else if (row.title == "parameter") {
      node.rows.push_back({text::visible(row.name), ":", parameter_value(row)});
    } else {
      for (const codegen::Item& item : row.items) add_item(item, node);
    }
  }

  static std::string parameter_value(const codegen::Row& row) {
    for (const codegen::Item& item : row.items) {
      if (item.key != "value") continue;
      const std::size_t quote = item.text.find('"');  // of a choice the name follows its number
      if (quote == std::string::npos || quote == 0) return item_text(item);
      return text::visible(std::string_view(item.text).substr(quote + 1, item.text.size() - quote - 2));
    }
    return "false";
  }

  const Asset& asset_;
  std::map<std::uint32_t, StoredUnit> units_;
  StoredUnit* unit_ = nullptr;
  Tree tree_ = {};  // that the unit is of
};

}  // namespace

std::string item_text(const codegen::Item& item) {
  std::string_view text = item.told.empty() ? std::string_view(item.text) : std::string_view(item.told);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return item.key == "mode" ? camel_case(text) : text::visible(text);
}

std::map<std::uint32_t, StoredUnit> stored_units(const Asset& asset) { return Reading(asset).take_units(); }

}  // namespace espalier::report
