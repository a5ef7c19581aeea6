// From the rows of an asset to outlines. See outline.h.
#include "report/pictures/outline.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "codegen/dump/rows.h"
#include "report/pictures/element_words.h"
#include "report/pictures/polled_words.h"
#include "runtime/format/opcode.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

// A node as it is stored; `shares`: the unit that is drawn below it, or in its place.
struct StoredNode {
  PictureNode node = {};
  std::size_t depth = 0;
  std::optional<std::uint32_t> shares = {};
  bool is_leaf = false;    // of a tree that selects
  bool is_hidden = false;  // stands for what has no element of its own: its children are drawn in its place
};
using StoredUnit = std::vector<StoredNode>;

// Trees whose shared parts share others can be far larger than their files.
constexpr std::size_t kMaxNodes = 200'000;

constexpr Opcode kHidden[] = {Opcode::select_share, Opcode::tick_branch, Opcode::tick_log, Opcode::decide_share,
                              Opcode::rule_file};

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

std::string item_text(const codegen::Item& item) {
  std::string_view text = item.told.empty() ? std::string_view(item.text) : std::string_view(item.told);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return item.key == "mode" ? camel_case(text) : text::visible(text);
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
    if (opcode == Opcode::rule_file) {
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

// Draws a tree's unit, and shared ones at each of their places.
class Drawing {
 public:
  Drawing(const Tree& tree, const std::map<std::uint32_t, StoredUnit>& units, std::vector<PictureNode>& nodes)
      : tree_(tree), units_(units), nodes_(nodes) {}

  void draw(std::uint32_t unit, std::uint32_t parent, const PictureNode* place = nullptr) {
    const auto stored_unit = units_.find(unit);
    if (stored_unit == units_.end()) return;
    std::vector<std::uint32_t> path;
    const std::ptrdiff_t below_root = std::count_if(stored_unit->second.begin(), stored_unit->second.end(),
                                                    [](const StoredNode& stored) { return stored.depth == 1; });
    for (const StoredNode& stored : stored_unit->second) {
      if (nodes_.size() >= kMaxNodes) return;
      path.resize(stored.depth);
      const std::uint32_t above = path.empty() ? parent : path.back();
      if (stored.is_hidden && (above != kNoParent || stored.shares || below_root == 1)) {
        path.push_back(above);
        if (stored.shares) draw(*stored.shares, above, &stored.node);
        continue;
      }
      const auto index = static_cast<std::uint32_t>(nodes_.size());
      PictureNode& node = nodes_.emplace_back(stored.node);
      node.parent = above;
      if (place != nullptr && path.empty()) {
        node.is_block = true;
        node.rows.insert(node.rows.begin(), place->rows.begin(), place->rows.end());
      }
      path.push_back(index);
      if (stored.is_leaf) translate(node);
      if (stored.shares) draw(*stored.shares, index);
    }
  }

 private:
  // Trees that share nodes may have other behaviours for their leaves.
  void translate(PictureNode& node) {
    const std::uint32_t behavior = leaf_behavior(tree_, leaf_++);
    const std::string name = text::visible(behavior_name(*tree_.asset, behavior));
    if (name != node.name) node.rows.push_back({"behavior", ":", name});
  }

  const Tree& tree_;
  const std::map<std::uint32_t, StoredUnit>& units_;
  std::vector<PictureNode>& nodes_;
  std::uint32_t leaf_ = 0;
};

// Transitions lead to the n-th state beside their own: its name is told.
void name_states(std::vector<PictureNode>& nodes) {
  std::map<std::uint32_t, std::vector<std::string>> states;  // by machine
  for (const PictureNode& node : nodes) {
    if (node.kind == "state") states[node.parent].push_back(node.head());
  }
  for (PictureNode& node : nodes) {
    if (node.kind != "state") continue;
    const std::vector<std::string>& names = states[node.parent];
    for (PictureRow& row : node.rows) {
      std::uint32_t number = 0;
      const auto [end, fault] = std::from_chars(row.value.data(), row.value.data() + row.value.size(), number);
      if (row.arrow == "→" && fault == std::errc() && number < names.size()) row.value = names[number];
    }
  }
}

// The last node of the line that begins at or before the note.
std::vector<PictureNode*> nodes_at(PictureTree& tree, const PictureNote& note) {
  std::vector<PictureNode*> found;
  for (PictureNode& node : tree.nodes) {
    if (node.line != note.line || node.column > note.column || node.file != note.file) continue;
    if (!found.empty() && found.back()->column < node.column) found.clear();
    if (found.empty() || found.back()->column == node.column) found.push_back(&node);
  }
  return found;
}

struct Look {
  Opcode opcode;
  NodeLook look;
};
constexpr Look kLooks[] = {
#define NODE(opcode, role, signs) {Opcode::opcode, {PictureRole::role, signs}},
#include "report/pictures/node_looks.def"
};

}  // namespace

NodeLook look_of(Opcode opcode) {
  const auto* const row =
      std::find_if(std::begin(kLooks), std::end(kLooks), [&](const Look& each) { return each.opcode == opcode; });
  return row == std::end(kLooks) ? NodeLook{} : row->look;
}

std::string_view name_of(PictureRole role) {
  constexpr std::string_view kNames[] = {"control", "decorator", "condition", "action", "subtree"};
  return kNames[static_cast<std::size_t>(role)];
}

std::string row_text(const PictureRow& row) {
  if (row.arrow.empty()) return row.label + (row.label.empty() ? "" : " ") + row.value;
  return row.label + (row.arrow == ":" ? "" : " ") + std::string(row.arrow) + ' ' + row.value;
}

std::vector<PictureTree> outline(const Asset& asset, const text::Sources& sources, std::string_view tree) {
  const std::map<std::uint32_t, StoredUnit> units = Reading(asset).take_units();
  std::vector<PictureTree> trees;
  codegen::visit_rows(asset, [&](const codegen::Row& row) {
    if (row.depth != 0 || row.list != "trees" || (!tree.empty() && row.name != tree)) return;
    PictureTree& picture = trees.emplace_back();
    picture.name = text::visible(row.name);
    for (const codegen::Item& item : row.items) {
      if (item.key == "dialect") picture.dialect = item_text(item);
    }
    const Tree drawn = espalier::tree(asset, row.number);
    Drawing(drawn, units, picture.nodes).draw(tree_record(drawn).unit, kNoParent);
    name_states(picture.nodes);
  });
  add_element_words(trees, sources);
  return trees;
}

void add_findings(std::vector<PictureTree>& trees, const std::vector<PictureNote>& notes) {
  for (const PictureNote& note : notes) {
    bool is_placed = false;
    for (PictureTree& tree : trees) {
      for (PictureNode* node : nodes_at(tree, note)) {
        node->findings.push_back(note.text);
        is_placed = true;
      }
    }
    if (is_placed) continue;
    for (PictureTree& tree : trees) {
      const bool is_of_file = std::any_of(tree.nodes.begin(), tree.nodes.end(),
                                          [&](const PictureNode& node) { return node.file == note.file; });
      if (is_of_file) tree.findings.push_back(std::to_string(note.line) + ": " + note.text);
    }
  }
}

void fit_rows(PictureNode& node) {
  constexpr std::size_t kMostRows = 6;
  constexpr std::size_t kMostCharacters = 64;
  std::vector<std::string> left_out;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    PictureRow& row = node.rows[i];
    const std::string whole = row_text(row);
    row.label = shortened_line(row.label, kMostCharacters - 12);
    row.value = shortened_line(row.value, kMostCharacters - std::min(kMostCharacters - 12, row.label.size() + 3));
    if (i >= kMostRows || row_text(row) != whole) left_out.push_back(whole);
  }
  node.rows.resize(std::min(node.rows.size(), kMostRows));
  for (std::string& tag : node.tags) {
    const std::string whole = tag;
    tag = shortened_line(tag, kMostCharacters);
    if (tag != whole) left_out.push_back(whole);
  }
  node.details.insert(node.details.begin(), left_out.begin(), left_out.end());
}

std::vector<std::string> box_lines(const PictureNode& node) {
  std::vector<std::string> lines = {node.head()};
  if (!node.name.empty() && node.name != node.type) lines.push_back(node.type);
  for (const PictureRow& row : node.rows) lines.push_back(row_text(row));
  lines.insert(lines.end(), node.tags.begin(), node.tags.end());
  if (!node.note.empty()) lines.push_back(node.note);
  return lines;
}

std::string shortened_line(std::string_view line, std::size_t most) {
  std::size_t end = 0;
  std::size_t last = 0;  // where the last character that fits begins
  for (std::size_t count = 0; end < line.size(); ++count) {
    if (count == most) return std::string(line.substr(0, last)) + "…";
    last = end;
    end += text::character_at(line, end).size_bytes;
  }
  return std::string(line);
}

std::string full_text(const PictureNode& node) {
  std::string text;
  for (const std::string& line : box_lines(node)) text += line + '\n';
  for (const auto* list : {&node.details, &node.items, &node.findings}) {
    for (const std::string& line : *list) text += line + '\n';
  }
  if (node.line != 0) text += node.file + ':' + std::to_string(node.line) + '\n';
  text.pop_back();
  return text;
}

}  // namespace espalier::report
