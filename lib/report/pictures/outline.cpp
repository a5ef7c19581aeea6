// From the rows of an asset to outlines. See outline.h.
#include "report/pictures/outline.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "codegen/dump/rows.h"
#include "report/pictures/polled_words.h"
#include "runtime/format/opcode.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

// A node as it is stored; `shares`: the unit that is drawn below it.
struct StoredNode {
  PictureNode node = {};
  std::size_t depth = 0;
  std::optional<std::uint32_t> shares = {};
  bool is_leaf = false;  // of a tree that selects
};
using StoredUnit = std::vector<StoredNode>;

// Trees whose shared parts share others can be far larger than their files.
constexpr std::size_t kMaxNodes = 200'000;

// What only an engine needs to know.
constexpr std::array<std::string_view, 25> kHiddenKeys = {
    "has_hooks",    "word",        "depth",       "opcode",       "extent",      "leaf",       "agent_offset",
    "memory_bytes", "file",        "line",        "column",       "state",       "index",      "shared_value",
    "timer",        "rule",        "level_count", "answer_bytes", "asked_count", "path_bytes", "scratch_bytes",
    "block_bytes",  "child_count", "time",        "type"};

// What a node calls, sends or enters: said with its kind, where it is the first of these.
constexpr std::array<std::string_view, 9> kCalledKeys = {"behavior",  "host_condition", "signal", "scope",  "slot",
                                                         "timestamp", "tree",           "script", "barrier"};

bool is_called(const codegen::Item& item, const PictureNode& node) {
  const bool is_state_name = item.key == "text" && node.kind == "state";
  const bool is_called_key = std::find(kCalledKeys.begin(), kCalledKeys.end(), item.key) != kCalledKeys.end();
  return (is_state_name || is_called_key) && node.calls.empty();
}

bool is_hidden_key(std::string_view key) {
  return key.empty() || std::find(kHiddenKeys.begin(), kHiddenKeys.end(), key) != kHiddenKeys.end() ||
         key.ends_with("_count");
}

std::uint32_t item_number(const codegen::Item& item) {
  std::uint32_t number = 0;
  std::from_chars(item.json.data(), item.json.data() + item.json.size(), number);
  return number;
}

std::string item_text(const codegen::Item& item) { return text::visible(item.told.empty() ? item.text : item.told); }

bool says_nothing(const codegen::Item& item) {
  return is_hidden_key(item.key) || item.text.empty() || item.text == "none" || item.text == "false" ||
         item.text == "\"\"" || (item.key == "weight" && item.text == "1");
}

void append_words(std::string& to, std::string_view words) {
  if (!to.empty() && !words.empty()) to += ' ';
  to += words;
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
    node.name = row.name.empty() ? node.kind : text::visible(row.name);
    for (const codegen::Item& item : row.items) add_item(item, stored);
    const auto view = codegen::node_at(asset_, node.word);
    const auto debug = codegen::node_debug(asset_, node.word);
    node.file = text::visible(debug.file);
    node.line = debug.line;
    node.column = debug.column;
    stored.is_leaf = codegen::is_leaf(view);
    if (opcode_info(view.opcode).engine == EngineId::poll) add_polled_words(tree_, node);
  }

  static void add_item(const codegen::Item& item, StoredNode& stored) {
    PictureNode& node = stored.node;
    if (item.key == "word") node.word = item_number(item);
    if (item.key == "unit") {
      stored.shares = item_number(item);
    } else if (says_nothing(item)) {
      return;
    } else if (item.key == "condition") {
      if (item.told != "true") node.condition = item_text(item);
    } else if (is_called(item, node)) {
      if (item_text(item) != node.name) node.calls = item_text(item);
    } else {
      node.details.push_back(std::string(item.key) + ' ' + item_text(item));
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
    if (row.title == "decider") {
      for (const codegen::Item& item : row.items) add_item(item, stored);
      return;
    }
    std::string words = text::visible(row.name);
    for (const codegen::Item& item : row.items) {
      if (says_nothing(item) && item.key != "state") continue;
      if (item.key != "value" && item.key != "condition") append_words(words, item.key);
      append_words(words, item_text(item));
    }
    if (words.empty() || row.title == "polled" || row.title == "poll_port") return;
    const bool is_asked = row.title == "query_condition" || row.title == "precondition";
    if (is_asked) {
      node.condition += (node.condition.empty() ? "" : ", ") + words;
    } else if (row.title != "query") {
      node.details.push_back(std::string(row.title) + ' ' + words);
    } else if (words != "mode all_true") {
      node.details.push_back(words);
    }
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

  void draw(std::uint32_t unit, std::uint32_t parent) {
    const auto stored_unit = units_.find(unit);
    if (stored_unit == units_.end()) return;
    std::vector<std::uint32_t> path;
    for (const StoredNode& stored : stored_unit->second) {
      if (nodes_.size() >= kMaxNodes) return;
      path.resize(stored.depth);
      const auto index = static_cast<std::uint32_t>(nodes_.size());
      PictureNode& node = nodes_.emplace_back(stored.node);
      node.parent = path.empty() ? parent : path.back();
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
    if (name != node.name) node.calls = name;
  }

  const Tree& tree_;
  const std::map<std::uint32_t, StoredUnit>& units_;
  std::vector<PictureNode>& nodes_;
  std::uint32_t leaf_ = 0;
};

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

// "Sequence" says that it is a sequence, and "ReactiveSequence" that it is a reactive_sequence.
bool says_kind(std::string_view name, std::string_view kind) {
  std::string word(kind);
  word.erase(std::remove(word.begin(), word.end(), '_'), word.end());
  return std::equal(name.begin(), name.end(), word.begin(), word.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

}  // namespace

std::vector<PictureTree> outline(const Asset& asset, std::string_view tree) {
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
  });
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

std::vector<std::string> box_lines(const PictureNode& node) {
  std::vector<std::string> lines = {node.name};
  if (!node.calls.empty()) {
    lines.push_back(says_kind(node.calls, node.kind) ? node.calls : node.kind + ": " + node.calls);
  } else if (!says_kind(node.name, node.kind)) {
    lines.push_back(node.kind);
  }
  if (!node.condition.empty()) lines.push_back("if " + node.condition);
  lines.insert(lines.end(), node.scripts.begin(), node.scripts.end());
  return lines;
}

std::string box_note(const PictureNode& node) {
  const std::size_t count = node.items.size() + node.findings.size();
  if (count == 0) return {};
  const std::string& first = node.items.empty() ? node.findings.front() : node.items.front();
  return count == 1 ? first : first + " (and " + std::to_string(count - 1) + " more)";
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
