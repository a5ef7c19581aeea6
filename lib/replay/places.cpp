// Nodes by name and place. See places.h.
#include "replay/places.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "replay/strategy.h"
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

std::optional<PlacedName> read_place(std::string_view name) {
  const std::size_t mark = name.find_last_of("@#");
  if (mark == std::string_view::npos || mark == 0) return std::nullopt;
  const std::string_view place = name.substr(mark + 1);
  PlacedName placed;
  placed.name = name.substr(0, mark);
  if (name[mark] == '#') {
    placed.rule = place;
    return place.empty() ? std::nullopt : std::optional(placed);
  }
  const std::size_t colon = place.rfind(':');
  const std::string_view digits = colon == std::string_view::npos ? place : place.substr(colon + 1);
  if (colon != std::string_view::npos) placed.file = place.substr(0, colon);
  const char* const end = digits.data() + digits.size();
  const auto [read_end, error] = std::from_chars(digits.data(), end, placed.line);
  if (error != std::errc() || read_end != end || digits.empty()) return std::nullopt;
  return placed;
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

std::map<std::string, bool> Places::find(const PlacedName& wanted) const {
  std::map<std::string, bool> found;
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
  const auto found = lines_.find(wanted.name);
  if (found == lines_.end()) return {};
  const auto distance = [&](const auto& line) {
    return std::max(line.first, wanted.line) - std::min(line.first, wanted.line);
  };
  const auto near = std::min_element(found->second.begin(), found->second.end(),
                                     [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return "the nearest is at line " + std::to_string(near->first) + " of " + text::quote(near->second);
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
