// What actions and conditions are given. See given.h.
#include "explore/given.h"

#include <algorithm>
#include <mutex>

#include "codegen/dump/listing.h"
#include "explore/engine.h"
#include "replay/event.h"
#include "runtime/asset/view.h"
#include "runtime/format/opcode_info.h"
#include "script/lexer.h"
#include "text/names.h"

namespace espalier::explore {

std::uint32_t GivenInputs::number(std::size_t side, const Call& call) {
  const Side& in = world_.sides()[side];
  if (in.engine->inputs == nullptr) return 0;
  std::string key(1, static_cast<char>(side));
  key.append(reinterpret_cast<const char*>(&call.node_word), sizeof call.node_word);
  if (in.engine->input_state != nullptr) in.engine->input_state(in, call, key);
  {
    const std::shared_lock lock(mutex_);
    if (const auto known = numbers_.find(key); known != numbers_.end()) return known->second;
  }
  std::vector<Input> inputs;
  in.engine->inputs(in, call, inputs);
  std::stable_sort(inputs.begin(), inputs.end(), [](const Input& a, const Input& b) { return a.name < b.name; });
  // A port that is declared twice is one.
  inputs.erase(std::unique(inputs.begin(), inputs.end(),
                           [](const Input& a, const Input& b) { return a.name == b.name && a.meaning == b.meaning; }),
               inputs.end());
  std::string meaning;
  for (const Input& input : inputs) {
    meaning.append(input.name).push_back('\0');
    meaning.append(input.meaning).push_back('\0');
  }
  const std::unique_lock lock(mutex_);
  std::uint32_t number = 0;
  if (!inputs.empty()) {
    const auto [known, is_new] = meanings_.try_emplace(meaning, static_cast<std::uint32_t>(lists_.size()));
    if (is_new) lists_.push_back(std::move(inputs));
    number = known->second;
  }
  numbers_.emplace(key, number);
  return number;
}

std::vector<Input> GivenInputs::at(std::uint32_t number) const {
  const std::shared_lock lock(mutex_);
  return lists_[number];
}

std::string script_at(const Asset& asset, std::uint32_t node_word) {
  std::string text;
  const codegen::NodeView node = codegen::node_at(asset, node_word);
  const OpcodeInfo& info = opcode_info(node.opcode);
  for (std::uint32_t i = 0; i < info.operand_count; ++i) {
    if (info.operands[i] != OperandKind::script || node.operands[i] == 0) continue;
    for (const script::Token& token : script::read_tokens(script_text(asset, node.operands[i] - 1)))
      text.append(token.text).push_back(' ');
    text.push_back('\0');
  }
  return text;
}

void read_parameters(const Side&, const Call& call, std::vector<Input>& inputs) {
  for (auto& [name, value] : replay::parameters_of(&call)) {
    inputs.push_back({engine_id_of(call.tree) == EngineId::rule ? name : text::lower_case(name), value, value});
  }
}

}  // namespace espalier::explore
