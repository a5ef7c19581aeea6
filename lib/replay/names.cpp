// Names. See names.h.
#include "replay/names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "runtime/asset/view.h"
#include "runtime/decide/layout.h"
#include "runtime/format/by_engine.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/poll/tree.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {

EngineId engine_of_tree(const Tree& tree) { return engine_id_of(tree); }

bool names_engine(std::string_view engines, EngineId engine) {
  using namespace std::string_view_literals;
  constexpr ByEngine<std::string_view> kNames = {.select = "select"sv,
                                                 .tick = "tick"sv,
                                                 .rule = "rule"sv,
                                                 .decide = "decide"sv,
                                                 .store = "store"sv,
                                                 .poll = "poll"sv};
  return engines.find(kNames[engine]) != std::string_view::npos;
}

std::string listed(const std::vector<std::string_view>& names) {
  constexpr std::size_t kShown = 8;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i) list += (i == 0 ? "" : ", ") + text::quote(names[i]);
  return names.size() > kShown ? list + " and " + std::to_string(names.size() - kShown) + " more" : list;
}

std::vector<std::string_view> tree_names(const Asset& asset) {
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) names.push_back(tree_name(tree(asset, i)));
  return names;
}

FileAndName split_tree_name(std::string_view tree_name) {
  const std::size_t end = tree_name.rfind(layout::kAfterFile);
  if (end == std::string_view::npos) return {{}, tree_name};
  const std::string_view file = tree_name.substr(0, end);
  const bool is_file = file.find('.', file.rfind('/') + 1) != std::string_view::npos;
  return is_file ? FileAndName{file, tree_name.substr(end + layout::kAfterFileBytes)} : FileAndName{{}, tree_name};
}

std::string with_file(std::string_view file, std::string_view name) {
  return std::string(file).append(layout::kAfterFile).append(name);
}

std::string_view file_of(const Tree& tree) {
  const FileAndName parts = split_tree_name(tree_name(tree));
  if (!parts.file.empty() || engine_of_tree(tree) != EngineId::poll) return parts.file;
  return codegen::node_debug(*tree.asset, unit_record(tree).first_word).file;
}

std::string tree_members(std::string_view tree_name) {
  const FileAndName parts = split_tree_name(tree_name);
  const std::string tree = "\"tree\": " + text::json_string(parts.name);
  return parts.file.empty() ? tree : "\"file\": " + text::json_string(parts.file) + ", " + tree;
}

std::string plain_tree_name(std::string_view tree_name) {
  const FileAndName parts = split_tree_name(tree_name);
  std::string name(parts.file.substr(0, parts.file.rfind('.')));
  name.append(name.empty() ? "" : "-").append(parts.name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '\\' || c == ':'; }, '-');
  return name;
}

std::string_view last_part(std::string_view tree_name) {
  const FileAndName parts = split_tree_name(tree_name);
  return parts.name.substr(parts.name.rfind('/') + 1);
}

bool is_in_file(const Tree& tree, std::string_view file) {
  const std::string_view own = file_of(tree);
  return own == file || (own.size() > file.size() && own.ends_with(file) && own[own.size() - file.size() - 1] == '/');
}

std::vector<Tree> trees_called(const Asset& asset, std::string_view name) {
  Tree tree;
  if (find_tree(asset, name, &tree) == Status::ok) return {tree};
  const FileAndName wanted = split_tree_name(name);
  std::vector<Tree> alike;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    tree = espalier::tree(asset, i);
    if (!wanted.file.empty() && !is_in_file(tree, wanted.file)) continue;
    if (text::equal_any_case(last_part(tree_name(tree)), wanted.name)) alike.push_back(tree);
  }
  return alike;
}

std::string_view result_name(Result result) {
  if (result == Result::running) return "running";
  if (result == Result::error) return "error";
  if (result == Result::skipped) return "skipped";
  return result == Result::success ? "success" : "failure";
}

std::optional<Result> result_called(std::string_view name) {
  for (const Result result : kUpdateResults) {
    if (result_name(result) == name) return result;
  }
  return std::nullopt;
}

namespace {

// Numbers that a double does not hold have their digits.
void set_whole(const TraceValue& from, espalier_value& value) {
  const char* const end = from.text.data() + from.text.size();
  std::uint64_t natural = 0;
  if (from.text.empty()) {
    value.whole = static_cast<std::int64_t>(from.number);
  } else if (std::from_chars(from.text.data(), end, value.whole).ec == std::errc{}) {
  } else if (std::from_chars(from.text.data(), end, natural).ec == std::errc{}) {
    value.kind = ESPALIER_VALUE_UNSIGNED;
    value.whole = static_cast<std::int64_t>(natural);
  } else {
    value.kind = ESPALIER_VALUE_REAL;
    value.real = from.number;
  }
}

}  // namespace

espalier_value value_of(const TraceValue& from) {
  espalier_value value;
  switch (from.kind) {
    case TraceValue::Kind::boolean:
    case TraceValue::Kind::whole:
      value.kind = ESPALIER_VALUE_WHOLE;
      set_whole(from, value);
      break;
    case TraceValue::Kind::real:
      value.kind = ESPALIER_VALUE_REAL;
      value.real = from.number;
      break;
    case TraceValue::Kind::text:
      value.kind = ESPALIER_VALUE_TEXT;
      value.text = from.text.data();
      value.text_bytes = static_cast<std::uint32_t>(from.text.size());
      break;
  }
  return value;
}

double entry_number(const espalier_value& value) {
  if (value.kind == ESPALIER_VALUE_REAL) return value.real;
  return value.kind == ESPALIER_VALUE_UNSIGNED ? static_cast<double>(static_cast<std::uint64_t>(value.whole))
                                               : static_cast<double>(value.whole);
}

std::string number_text(double number) {
  constexpr std::size_t kMaxBytes = 512;  // the smallest numbers have more than 300 digits
  char text[kMaxBytes];
  const double shown = number == 0 ? 0 : number;  // without the sign of -0
  if (std::isnan(shown)) return "nan";            // without a sign
  const std::to_chars_result result = std::to_chars(text, text + kMaxBytes, shown, std::chars_format::fixed);
  return {text, result.ptr};
}

std::string_view digit_text(double number) {
  constexpr std::string_view kDigits = "0123456789";
  if (!(number >= 0 && number <= 9)) return {};
  const auto digit = static_cast<std::size_t>(number);
  return static_cast<double>(digit) == number ? kDigits.substr(digit, 1) : std::string_view();
}

std::vector<std::uint32_t> active_nodes(const Tree& tree, const void* block) {
  std::vector<std::uint32_t> words;
  const auto add = [](void* user, std::uint32_t word) {
    static_cast<std::vector<std::uint32_t>*>(user)->push_back(word);
  };
  visit_active(tree, block, add, &words);
  return words;
}

std::vector<RunningNode> running_nodes(const AgentView& agent) {
  const Asset& asset = *agent.tree.asset;
  std::vector<RunningNode> nodes;
  const auto add_action = [&](std::uint32_t word) {
    if (const std::uint32_t* behavior = codegen::operand(codegen::node_at(asset, word), OperandKind::behavior))
      nodes.push_back({*behavior, word});
  };
  switch (engine_of_tree(agent.tree)) {
    case EngineId::select:
      break;
    case EngineId::rule:
      if (is_action_running(agent.tree, agent.block))
        add_action(rule_node(agent.tree, current_rule(agent.tree, agent.block)));
      break;
    case EngineId::decide:
      for (const ActiveDecider& decider : active_path(agent)) {
        if (decider.behavior != kNoBehavior) nodes.push_back({decider.behavior, decider.node_word});
      }
      break;
    case EngineId::poll: {
      const PollTreeView tree(agent.tree);
      const PollAgent own(tree, const_cast<void*>(agent.block));
      for (std::uint32_t i = 0; i < tree.unit.node_count; ++i) {
        const std::uint32_t* const node = tree.node(i);
        const bool is_action = opcode_of(node) == opcode::poll_action;
        if (is_action && own.status(node) == PollStatus::running)
          nodes.push_back({tree.polled_of(node).host, tree.word_of(node)});
      }
      break;
    }
    default:
      for (const std::uint32_t word : active_nodes(agent.tree, agent.block)) {
        const Opcode opcode = codegen::node_at(asset, word).opcode;
        if (opcode == opcode::tick_action || opcode == opcode::store_action) add_action(word);
      }
      break;
  }
  return nodes;
}

std::string node_text(const Asset& asset, std::uint32_t node_word) {
  const Opcode opcode = codegen::node_at(asset, node_word).opcode;
  if (opcode_info(opcode).engine == EngineId::rule) return rule_name(asset, node_word);
  const std::string_view name = codegen::node_debug(asset, node_word).name;
  if (!name.empty()) return std::string(name);
  const std::string_view word = opcode_name(opcode);
  return std::string(word.substr(word.find('_') + 1));
}

// ---- Deciders

std::vector<ActiveDecider> active_path(const AgentView& agent) {
  std::vector<ActiveDecider> path;
  const std::uint32_t count = active_count(agent.tree, agent.block);
  path.reserve(count);
  for (std::uint32_t level = 0; level < count; ++level) {
    path.push_back(active_decider(agent.tree, const_cast<void*>(agent.block), level));
  }
  return path;
}

std::string decider_text(const Tree& tree, std::uint32_t node_word) {
  const std::string_view name = decider_name(tree, node_word);
  if (!name.empty()) return std::string(name);
  const layout::DeciderTree& record =
      records<layout::DeciderTree>(*tree.asset, layout::SectionId::decider_trees)[tree_record(tree).record];
  const std::uint32_t first_word = unit_record(*tree.asset, record.first_unit).first_word;
  return '#' + std::to_string((node_word - first_word) / kDeciderWords);
}

// ---- Rules

std::string rule_name(const Asset& asset, std::uint32_t node_word) {
  constexpr std::size_t kPrefix = 5;  // of opcodes: "rule_"
  const codegen::NodeView node = codegen::node_at(asset, node_word);
  std::string name(codegen::node_debug(asset, node_word).name);
  if (name.empty()) {
    name = node.opcode == opcode::rule_result ? result_name(static_cast<Result>(node.flags & kResultMask))
                                              : std::string_view(opcode_name(node.opcode)).substr(kPrefix);
  }
  if (node.opcode != opcode::rule_action) return name;
  return name + ' ' + std::string(behavior_name(asset, *codegen::operand(node, OperandKind::behavior)));
}

std::string rule_text(const Tree& tree, std::uint32_t rule) {
  const std::uint32_t word = rule_node(tree, rule);
  std::string text = rule_name(*tree.asset, word);
  if (const std::string_view id = rule_id(tree, rule); !id.empty()) text += ' ' + std::string(id);
  const codegen::NodeDebug debug = codegen::node_debug(*tree.asset, word);
  if (debug.line != 0) text += " (" + std::string(debug.file) + ':' + std::to_string(debug.line) + ')';
  return text;
}

std::string nearest_rule(const Tree& tree, std::string_view id) {
  std::vector<std::string_view> ids;
  for (std::uint32_t rule = 0; rule < rule_count(tree); ++rule) {
    if (const std::string_view other = rule_id(tree, rule); !other.empty()) ids.push_back(other);
  }
  return text::did_you_mean(id, ids);
}

}  // namespace espalier::replay
