// See recorded_inputs.h.
#include "live/recorded_inputs.h"

#include <cstring>

#include "replay/entry_changes.h"
#include "replay/event.h"
#include "replay/strategy.h"
#include "text/json.h"

namespace espalier::live {
namespace {

using recording::Input;
using recording::Op;
using recording::StimulusOp;

std::string flags_of(const Tree& tree, std::uint64_t bits) {
  std::string names;
  for (std::uint32_t flag = 0; flag < espalier_count(tree, ESPALIER_VARIABLES); ++flag) {
    if ((bits >> flag & 1) != 0) names += (names.empty() ? "" : ", ") + text::json_string(variable_name(tree, flag));
  }
  return names;
}

std::string stimulus_of(const Tree& tree, std::uint32_t id, const Input& input) {
  std::string text = "{\"stimulus\": " + text::json_string(espalier_name(tree, ESPALIER_STIMULI, id));
  if (static_cast<StimulusOp>(input.number) == StimulusOp::clear) return text + ", \"clear\": true}";
  if (input.data != nullptr) {
    const auto* const bytes = reinterpret_cast<const char*>(input.data->bytes);
    text += ", \"data\": " + text::json_string(std::string(bytes, input.data->size_bytes));
  }
  if (static_cast<StimulusOp>(input.number) == StimulusOp::set_for)
    text += ", \"timeout\": " + replay::seconds_text(input.other);
  return text + '}';
}

}  // namespace

std::string text_of_value(const espalier_value& value, bool is_boolean) {
  if (is_boolean) return value.whole != 0 ? "true" : "false";
  if (value.kind == ESPALIER_VALUE_TEXT) return text::json_string(std::string(value.text, value.text_bytes));
  return replay::number_text(value.kind == ESPALIER_VALUE_REAL ? value.real : replay::entry_number(value));
}

std::string input_line(const Tree& tree, const void* block, const Input& input) {
  const auto id = static_cast<std::uint32_t>(input.id);
  switch (input.op) {
    case Op::stop:
      return "{\"halt\": true}";
    case Op::signal:
      return "{\"signal\": " + text::json_string(signal_name(tree, id)) + '}';
    case Op::set: {
      if (replay::engine_of_tree(tree) == EngineId::decide) {
        const std::uint64_t bit = std::uint64_t{1} << id;
        const std::uint64_t flags = espalier_flags(tree, block);
        return "{\"flags\": [" + flags_of(tree, input.number != 0 ? flags | bit : flags & ~bit) + "]}";
      }
      const std::string value = input.number != 0 ? "true" : "false";
      return "{\"set\": {" + text::json_string(variable_name(tree, id)) + ": " + value + "}}";
    }
    case Op::entry:
      return "{\"set\": {" + text::json_string(espalier_name(tree, ESPALIER_ENTRIES, id)) + ": " +
             text_of_value(*input.value, input.is_boolean) + "}}";
    case Op::stimulus:
      return stimulus_of(tree, id, input);
    case Op::flags:
      return "{\"flags\": [" + flags_of(tree, input.id) + "]}";
    case Op::jump: {
      const std::string rule = id == 0 ? "null" : text::json_string(rule_id(tree, id - 1));
      return "{\"jump\": " + rule + '}';
    }
    case Op::inject: {
      const std::string injected =
          input.other == 0
              ? "null"
              : text::json_string(tree_name(espalier::tree(*tree.asset, static_cast<std::uint32_t>(input.other - 1))));
      return "{\"inject\": {\"slot\": " + text::json_string(espalier_name(tree, ESPALIER_SLOTS, id)) +
             ", \"tree\": " + injected + '}' + (input.number != 0 ? ", \"immediate\": true}" : "}");
    }
    default:
      return {};
  }
}

bool can_be_said(const Tree& tree, const Input& input) {
  const auto id = static_cast<std::uint32_t>(input.id);
  if (input.op == Op::entry) return *espalier_entry_path(tree, id) == '\0';
  return input.op != Op::jump || id == 0 || !std::string_view(rule_id(tree, id - 1)).empty();
}

bool has_effect(const Tree& tree, const void* block, const Input& input) {
  if (input.op != Op::entry) return true;
  std::vector<std::uint64_t> copy(agent_bytes(tree) / 8 + 1);
  std::memcpy(copy.data(), block, agent_bytes(tree));
  const auto id = static_cast<std::uint32_t>(input.id);
  return input.is_boolean ? espalier_set_entry_boolean(tree, copy.data(), id, input.value->whole != 0)
                          : espalier_set_entry(tree, copy.data(), id, input.value);
}

replay::Start moved_start(const replay::Start& start, const std::vector<Tree>& trees, const Asset& other) {
  replay::Start moved = start;
  const auto words_of = [](const std::vector<unsigned char>& bytes) {
    std::vector<std::uint64_t> words(bytes.size() / 8 + 1);
    if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
  };
  std::vector<std::uint64_t> shared = words_of(start.shared);
  std::vector<std::uint64_t> other_shared;
  for (std::uint32_t i = 0; i < start.blocks.size(); ++i) {
    Tree to;
    if (find_tree(other, tree_name(trees[i]), &to) != espalier::Status::ok) return start;  // the trace cannot be run
    const std::size_t shared_size = shared_bytes(to);
    if (i == 0 && shared_size != 0) {
      other_shared.resize(shared_size / 8 + 1);
      start_shared(to, other_shared.data());
    }
    Host from_host;
    Host to_host;
    from_host.clock_us = to_host.clock_us = start.clock_us;
    if (!start.shared.empty()) from_host.shared = shared.data();
    if (!other_shared.empty()) to_host.shared = other_shared.data();
    std::vector<std::uint64_t> from = words_of(start.blocks[i]);
    std::vector<std::uint64_t> block(agent_bytes(to) / 8 + 1);
    espalier_move_agent(trees[i], from.data(), &from_host, to, block.data(), &to_host);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(block.data());
    moved.blocks[i].assign(bytes, bytes + agent_bytes(to));
  }
  const auto* const bytes = reinterpret_cast<const unsigned char*>(other_shared.data());
  moved.shared.assign(bytes, bytes + other_shared.size() * 8);
  return moved;
}

}  // namespace espalier::live
