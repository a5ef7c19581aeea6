// Compiling and checking expectations. See compiled_expectation.h.
#include "replay/compiled_expectation.h"

#include <algorithm>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "replay/expected_keys.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "runtime/asset/view.h"
#include "runtime/format/opcodes/store.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

namespace {

// `{"not": X}`: X; null: the value is not of this form. A variable that is called `not` has no object as its value.
const JsonValue* negated_value(const JsonValue& value) {
  const bool is_not = value.kind == JsonKind::object && value.keys.size() == 1 && value.keys.front().name == "not";
  return is_not ? &value.values.front() : nullptr;
}

}  // namespace

// ---- Checking

bool holds(const Check& check, const Observed& observed) {
  const auto matches = [&](const Check& part) { return holds(part, observed); };
  const bool is_true = check.is_object ? std::all_of(check.parts.begin(), check.parts.end(), matches)
                                       : check.key->holds(check, observed);
  return is_true != check.is_negated;
}

std::string actual_json(const Check& check, const Observed& observed) {
  if (!check.is_object) return check.key->actual(check, observed);
  std::string text;
  for (const Check& part : check.parts) {
    const std::string_view name = check.key != nullptr ? std::string_view(part.name) : name_of_key(part);
    text += (text.empty() ? "" : ", ") + text::json_string(name) + ": " + actual_json(part, observed);
  }
  return '{' + text + '}';
}

std::string_view name_of_key(const Check& check) { return check.key == nullptr ? "not" : check.key->name; }

std::string key_text(const Check& check) {
  return std::string(name_of_key(check)) + (check.name.empty() ? "" : '.' + check.name);
}

bool is_of_all_agents(const JsonValue::Key& key, const JsonValue& value) {
  if (key.name == "not" && value.kind == JsonKind::object) {
    bool is_of_all = true;
    for (std::size_t i = 0; i < value.keys.size(); ++i) {
      is_of_all = is_of_all && is_of_all_agents(value.keys[i], value.values[i]);
    }
    return is_of_all;
  }
  const std::span<const ExpectedKey> rows = expected_keys();
  return std::any_of(rows.begin(), rows.end(),
                     [&](const ExpectedKey& row) { return row.name == key.name && row.is_of_all_agents; });
}

bool names_key(const JsonValue& object, std::string_view key) {
  if (object.kind != JsonKind::object) return false;
  const JsonValue* inner = object.find("not");
  return object.find(key) != nullptr || (inner != nullptr && names_key(*inner, key));
}

// ---- Compiling

std::optional<LineFault> ExpectationCompiler::compile(const JsonValue& object, const Tree& tree,
                                                      std::span<const Tree> trees, Check* check) {
  check->is_object = true;
  check->value = &object;
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    if (auto fault = compile_key(object.keys[i], object.values[i], tree, trees, &check->parts.emplace_back())) {
      return fault;
    }
  }
  return std::nullopt;
}

std::optional<LineFault> ExpectationCompiler::compile_key(const JsonValue::Key& key, const JsonValue& value,
                                                          const Tree& tree, std::span<const Tree> trees, Check* check) {
  tree_ = tree;
  trees_ = trees;
  if (key.name == "not") {
    if (value.kind != JsonKind::object) return value_fault("not", value, "an object with the keys of 'expect'");
    ++negations_;
    auto fault = compile(value, tree, trees, check);
    --negations_;
    check->is_negated = true;
    return fault;
  }
  if (auto fault = find_key(key, &check->key)) return fault;
  check->value = &value;
  const JsonValue* inner = &value;
  const bool has_names = check->key->names != nullptr;
  const auto take_not = [&](Check* part, bool is_of_names) {
    for (const JsonValue* other = negated_value(*inner); other != nullptr; other = negated_value(*inner)) {
      if (is_of_names && other->kind != JsonKind::object) break;  // a name that is spelt `not`
      part->is_negated = !part->is_negated;
      inner = other;
    }
  };
  take_not(check, has_names);
  if (!has_names) return check->key->compile(*this, nullptr, *inner, *check);
  check->is_object = true;
  const JsonValue& object = *inner;
  if (object.kind != JsonKind::object) return value_fault(key.name, object, check->key->names);
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    Check& part = check->parts.emplace_back();
    part.key = check->key;
    part.name = object.keys[i].name;
    part.value = inner = &object.values[i];
    take_not(&part, false);
    if (auto fault = part.key->compile(*this, &object.keys[i], *inner, part)) return fault;
  }
  return std::nullopt;
}

std::optional<LineFault> ExpectationCompiler::find_key(const JsonValue::Key& name, const ExpectedKey** key) const {
  // For a key of all agents: does any tree have it?
  const auto is_of = [](const ExpectedKey& row, const Tree& tree) {
    return names_engine(row.engines, engine_of_tree(tree));
  };
  const auto has_key = [&](const ExpectedKey& row) {
    if (!row.is_of_all_agents) return is_of(row, tree_);
    return std::any_of(trees_.begin(), trees_.end(), [&](const Tree& tree) { return is_of(row, tree); });
  };
  std::vector<std::string_view> known;
  for (const ExpectedKey& row : expected_keys()) {
    const bool is_known = has_key(row);
    if (is_known) known.push_back(row.name);
    if (row.name != name.name) continue;
    *key = &row;
    if (is_known) return std::nullopt;
    return LineFault{rules::TRC_unsupported_line, name.span,
                     text::quote(name.name) + " cannot be expected of " +
                         std::string(strategy_of(engine_of_tree(tree_)).kind) + " trees",
                     "it is for " + trees_text([&](EngineId id) { return names_engine(row.engines, id); })};
  }
  return LineFault{rules::TRC_unknown_key, name.span, "unknown key " + text::quote(name.name) + " of 'expect'",
                   text::did_you_mean(name.name, known)};
}

const std::vector<std::string>& ExpectationCompiler::leaf_paths() {
  if (leaf_tree_.asset != tree_.asset || leaf_tree_.index != tree_.index) {
    leaf_paths_ = codegen::leaf_paths(tree_);
    leaf_tree_ = tree_;
  }
  return leaf_paths_;
}

const std::map<std::string, std::vector<std::uint32_t>>& ExpectationCompiler::places() {
  const Asset& asset = *tree_.asset;
  if (std::exchange(places_asset_, &asset) == &asset) return places_;
  places_.clear();
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree = espalier::tree(asset, i);
    if (engine_of_tree(tree) != EngineId::store) continue;
    codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
      if (node.opcode != opcode::store_gate && node.opcode != opcode::store_group) return;
      places_[std::string(codegen::node_debug(asset, node.word).name)].push_back(node.word);
    });
  }
  return places_;
}

std::optional<LineFault> ExpectationCompiler::find_placed(const JsonValue& value, bool by_own_name,
                                                          std::optional<std::vector<Places::Found>>* found) {
  const std::optional<PlacedName> placed = read_place(value.string);
  if (!placed) return std::nullopt;
  if (is_stripped(*tree_.asset)) {
    return LineFault{rules::TRC_stripped_names, value.span, "the asset was stripped of the places of its nodes",
                     "expect " + text::quote(placed->name) + ", without a place"};
  }
  if (placed_ == nullptr || placed_tree_.asset != tree_.asset || placed_tree_.index != tree_.index) {
    placed_ = std::make_unique<const Places>(tree_);
    placed_tree_ = tree_;
  }
  std::vector<Places::Found> nodes = placed_->nodes_at(*placed, by_own_name);
  if (nodes.empty()) {
    return LineFault{rules::TRC_unknown_name, value.span, text::quote(placed->name) + " is not " + place_text(*placed),
                     placed_->nearest(*placed)};
  }
  if (!placed->path.empty()) {
    if (std::string several = placed_->several_at(*placed); !several.empty()) {
      return LineFault{rules::TRC_ambiguous_place, value.span, text::quote(value.string) + " fits several nodes",
                       "they are at " + std::move(several)};
    }
  }
  *found = std::move(nodes);
  return std::nullopt;
}

void ExpectationCompiler::note_unknown(std::string_view word, const JsonValue& value,
                                       const std::vector<std::string_view>& names) {
  if (std::find(names.begin(), names.end(), value.string) != names.end()) return;
  unknown.push_back(
      {rules::TRC_unknown_name, value.span,
       "unknown " + std::string(word) + ' ' + text::quote(value.string) + " of tree " + text::quote(tree_name(tree_)),
       text::did_you_mean(value.string, names)});
}

std::optional<LineFault> find_name(const Tree& tree, espalier_kind kind, std::string_view word, const std::string& name,
                                   text::Span span, std::uint32_t* id) {
  if (espalier::find(tree, kind, name, id) == Status::ok) return std::nullopt;
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < espalier_count(tree, kind); ++i) names.emplace_back(espalier_name(tree, kind, i));
  return LineFault{
      rules::TRC_unknown_name, span,
      "unknown " + std::string(word) + ' ' + text::quote(name) + " of tree " + text::quote(tree_name(tree)),
      text::did_you_mean(name, names)};
}

}  // namespace espalier::replay
