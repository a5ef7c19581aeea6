// Nodes by name and place. See places.h.
#include "replay/places.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "replay/strategy.h"
#include "runtime/poll/calls.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

// A list of indices that a record refers to.
template <typename Record>
const Record& record_at(const Asset& asset, layout::SectionId section, std::uint32_t index) {
  return records<Record>(asset, section)[index];
}

bool ends_with_file(std::string_view path, std::string_view file) {
  return path == file ||
         (path.size() > file.size() && path.ends_with(file) && path[path.size() - file.size() - 1] == '/');
}

}  // namespace

// "12", "guard.xml:12"
static bool read_line_of(std::string_view place, PlacedName& placed) {
  const std::size_t colon = place.rfind(':');
  const std::string_view digits = colon == std::string_view::npos ? place : place.substr(colon + 1);
  const char* const end = digits.data() + digits.size();
  const auto [read_end, error] = std::from_chars(digits.data(), end, placed.line);
  if (error != std::errc() || read_end != end || digits.empty()) return false;
  if (colon == std::string_view::npos) return true;
  placed.file = place.substr(0, colon);
  return !placed.file.ends_with(':');  // "North::3" is a subtree
}

std::optional<PlacedName> read_place(std::string_view name) {
  const std::size_t at = name.rfind('@');
  const std::size_t mark = at == std::string_view::npos ? name.rfind('#') : at;
  if (mark == std::string_view::npos || mark == 0) return std::nullopt;
  const std::string_view place = name.substr(mark + 1);
  PlacedName placed = {.name = name.substr(0, mark)};
  if (name[mark] == '#') {
    placed.rule = place;
    return place.empty() ? std::nullopt : std::optional(placed);
  }
  if (read_line_of(place, placed)) return placed;
  if (parts_of_path(place).empty()) return std::nullopt;
  return PlacedName{.name = placed.name, .path = place};
}

std::string place_text(const PlacedName& placed) {
  if (!placed.path.empty()) return "at " + text::quote(placed.path);
  if (!placed.rule.empty()) return "in rule " + text::quote(placed.rule);
  return "at line " + std::to_string(placed.line) + (placed.file.empty() ? "" : " of " + text::quote(placed.file));
}

Places::Places(const Tree& tree) : tree_(tree) {
  for (std::uint32_t rule = 0; rule < rule_count(tree); ++rule) {
    if (const std::string_view id = rule_id(tree, rule); !id.empty()) rules_.emplace(rule_node(tree, rule), id);
  }
  add_units();
  add_leaves();
}

void Places::add(std::string_view name, std::uint32_t word, bool is_behavior) {
  const codegen::NodeDebug place = codegen::node_debug(*tree_.asset, word);
  askers_[std::string(name)][word] = is_behavior;
  if (place.line != 0) {
    keys_[key_of_place(name, place.file, place.line)] = is_behavior;
    keys_[key_of_line(name, place.line)] = is_behavior;
    lines_[std::string(name)].emplace(place.line, place.file);
  }
  if (const std::string_view rule = rule_of(word); !rule.empty()) keys_[key_of_rule(name, rule)] = is_behavior;
}

// What the nodes of all trees name themselves.
void Places::add_units() {
  const Asset& asset = *tree_.asset;
  for (std::uint32_t unit = 0; unit < record_count(asset, layout::SectionId::units); ++unit) {
    codegen::visit_unit(asset, unit, [&](const codegen::NodeView& node, std::size_t) {
      const std::uint32_t* behavior = codegen::operand(node, OperandKind::behavior);
      if (behavior != nullptr) add(behavior_name(asset, *behavior), node.word, true);
      const std::uint32_t* condition = codegen::operand(node, OperandKind::host_condition);
      if (condition != nullptr) add(host_condition_name(asset, *condition), node.word, false);
      const std::uint32_t* query = codegen::operand(node, OperandKind::query);
      if (query != nullptr && *query != 0) {
        const auto& record = record_at<layout::Query>(asset, layout::SectionId::queries, *query - 1);
        for (std::uint32_t i = 0; i < record.condition_count; ++i) {
          const auto asked =
              record_at<std::uint32_t>(asset, layout::SectionId::query_conditions, record.first_condition + i);
          add(host_condition_name(asset, asked), node.word, false);
        }
      }
      if (const std::uint32_t* decider = codegen::operand(node, OperandKind::decider)) {
        const auto& record = record_at<layout::Decider>(asset, layout::SectionId::deciders, *decider);
        if (record.behavior != 0) add(behavior_name(asset, record.behavior - 1), node.word, true);
        if (record.decide != 0) add(host_condition_name(asset, record.decide - 1), node.word, false);
      }
      if (const std::uint32_t* polled = codegen::operand(node, OperandKind::polled)) {
        const std::uint32_t host = record_at<layout::Polled>(asset, layout::SectionId::polled, *polled).host;
        if (calls_behavior(node.opcode)) add(behavior_name(asset, host), node.word, true);
        if (asks_condition(node.opcode)) add(host_condition_name(asset, host), node.word, false);
      }
      if (codegen::operand(node, OperandKind::script) != nullptr) add(script_name(asset, node.word), node.word, false);
    });
  }
}

// Trees that select give their leaves behaviours, also those that they share.
void Places::add_leaves() {
  const Asset& asset = *tree_.asset;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree = espalier::tree(asset, i);
    if (engine_of_tree(tree) != EngineId::select) continue;
    std::uint32_t leaf = 0;
    codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
      if (codegen::is_leaf(node)) add(behavior_name(asset, leaf_behavior(tree, leaf++)), node.word, true);
    });
  }
}

std::map<std::string, bool> Places::find(std::string_view full_name, const PlacedName& wanted) const {
  std::map<std::string, bool> found;
  if (!wanted.path.empty()) {
    for (const Found& node : nodes_at(wanted, false)) found.emplace(full_name, node.is_behavior);
    return found;
  }
  const bool has_file = !wanted.file.empty();
  if (!has_file) {
    const std::string key =
        wanted.rule.empty() ? key_of_line(wanted.name, wanted.line) : key_of_rule(wanted.name, wanted.rule);
    if (const auto known = keys_.find(key); known != keys_.end()) found.insert(*known);
    return found;
  }
  const std::string begin = std::string(wanted.name) + '@';
  const std::string line = ':' + std::to_string(wanted.line);
  for (auto known = keys_.lower_bound(begin); known != keys_.end() && known->first.starts_with(begin); ++known) {
    std::string_view path = std::string_view(known->first).substr(begin.size());
    if (!path.ends_with(line)) continue;
    path.remove_suffix(line.size());
    if (ends_with_file(path, wanted.file)) found.insert(*known);
  }
  return found;
}

std::string Places::nearest(const PlacedName& wanted) const {
  if (!wanted.rule.empty()) {
    std::vector<std::string_view> rules;
    for (const auto& [word, rule] : rules_) {
      if (keys_.count(key_of_rule(wanted.name, rule)) != 0) rules.push_back(rule);
    }
    return rules.empty()
               ? ""
               : text::quote(wanted.name) + " is in " + (rules.size() == 1 ? "rule " : "rules ") + listed(rules);
  }
  if (!wanted.path.empty()) {
    const auto askers = askers_.find(wanted.name);
    if (askers == askers_.end()) return {};
    std::vector<std::string> written;
    for (const auto& [word, is_behavior] : askers->second) {
      if (std::string path = paths().path_of(word); !path.empty()) written.push_back(std::move(path));
    }
    if (written.empty()) return {};
    return text::quote(wanted.name) + " is at " + listed({written.begin(), written.end()});
  }
  const auto found = lines_.find(wanted.name);
  if (found == lines_.end()) return {};
  const auto distance = [&](const auto& line) {
    return std::max(line.first, wanted.line) - std::min(line.first, wanted.line);
  };
  const auto near = std::min_element(found->second.begin(), found->second.end(),
                                     [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return "the nearest is at line " + std::to_string(near->first) + " of " + text::quote(near->second);
}

std::string Places::several_at(const PlacedName& wanted) const {
  std::vector<std::string> written;
  std::vector<std::uint32_t> words;
  for (const Found& node : nodes_at(wanted, false)) {
    const bool is_known = std::find(words.begin(), words.end(), node.word) != words.end();
    if (is_known && engine_of_tree(tree_) != EngineId::rule) continue;  // it is used at several places
    words.push_back(node.word);
    written.push_back(paths().path_of(*node.node));
  }
  return written.size() < 2 ? "" : listed({written.begin(), written.end()});
}

const NodePaths& Places::paths() const {
  if (paths_ == nullptr) paths_ = std::make_unique<const NodePaths>(tree_);
  return *paths_;
}

bool Places::has_kind(std::string_view kind) const {
  const std::vector<PlacedNode>& nodes = paths().nodes();
  return std::any_of(nodes.begin(), nodes.end(), [&](const PlacedNode& node) { return node.kind == kind; });
}

bool Places::is_at(const PlacedNode& node, const PlacedName& wanted) const {
  if (!wanted.rule.empty())
    return engine_of_tree(tree_) == EngineId::rule && rule_id(tree_, node.number) == wanted.rule;
  const codegen::NodeDebug place = codegen::node_debug(*tree_.asset, node.word);
  return place.line == wanted.line && (wanted.file.empty() || ends_with_file(place.file, wanted.file));
}

std::vector<Places::Found> Places::nodes_at(const PlacedName& wanted, bool by_own_name) const {
  std::vector<Found> found;
  const std::vector<std::string_view> parts = parts_of_path(wanted.path);
  const auto askers = askers_.find(wanted.name);
  NodePaths::Fit best = NodePaths::Fit::below_subtree;
  for (const PlacedNode& node : paths().nodes()) {
    bool is_behavior = false;
    if (by_own_name) {
      if (node.name != wanted.name) continue;
    } else {
      if (askers == askers_.end()) break;
      const auto asker = askers->second.find(node.word);
      if (asker == askers->second.end()) continue;
      is_behavior = asker->second;
    }
    if (wanted.path.empty()) {
      if (is_at(node, wanted)) found.push_back({node.word, node.number, is_behavior, &node});
      continue;
    }
    const NodePaths::Fit fit = paths().fit(node, parts);
    if (fit > best) found.clear();
    best = std::max(best, fit);
    if (fit == best) found.push_back({node.word, node.number, is_behavior, &node});
  }
  return found;
}

bool Places::is_at_path(const std::string& full_name, std::uint32_t word, std::uint32_t rule) const {
  auto known = at_paths_.find(full_name);
  if (known == at_paths_.end()) {
    const std::optional<PlacedName> placed = read_place(full_name);
    const bool has_path = placed && !placed->path.empty();
    known = at_paths_.emplace(full_name, has_path ? nodes_at(*placed, false) : std::vector<Found>()).first;
  }
  return std::any_of(known->second.begin(), known->second.end(),
                     [&](const Found& node) { return node.word == word && (rule == kNoRule || node.number == rule); });
}

std::string_view Places::rule_of(std::uint32_t node_word) const {
  const auto found = rules_.find(node_word);
  return found == rules_.end() ? std::string_view() : found->second;
}

std::string Places::key_of_place(std::string_view name, std::string_view file, std::uint32_t line) {
  return std::string(name) + '@' + std::string(file) + ':' + std::to_string(line);
}

std::string Places::key_of_line(std::string_view name, std::uint32_t line) {
  return std::string(name) + '@' + std::to_string(line);
}

std::string Places::key_of_rule(std::string_view name, std::string_view rule) {
  return std::string(name) + '#' + std::string(rule);
}

}  // namespace espalier::replay
