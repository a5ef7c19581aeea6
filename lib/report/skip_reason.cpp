// Why nodes are skipped. See skip_reason.h.
#include "report/skip_reason.h"

#include <espalier/polling.h>
#include <espalier/watching.h>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "report/line_view.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/tree.h"

namespace espalier::report {
namespace {

constexpr std::string_view kScripts[] = {"_failureIf", "_successIf", "_skipIf", "_while"};  // by espalier_skip_reason
constexpr std::size_t kMaxEntries = 4;                                                      // that are shown

std::string value_text(const Tree& tree, const void* block, std::uint32_t entry) {
  espalier_value value;
  if (!espalier_entry(tree, block, entry, &value)) return "nothing";
  if (value.kind == ESPALIER_VALUE_TEXT) return visible(std::string_view(value.text, value.text_bytes));
  return replay::number_text(replay::entry_number(value));
}

// The entry that the name of a script stands for now.
std::uint32_t entry_of(const PollTreeView& tree, const PollAgent& agent, std::uint32_t key) {
  std::uint32_t entry = tree.keys[key].entry;
  for (std::uint32_t at = key; at != layout::kNone; at = tree.keys[at].next) {
    entry = tree.keys[at].entry;
    if (agent.entry(entry).is_there) break;
  }
  return entry;
}

// As events name it: "docked", "north/docked".
std::string key_of(const replay::AgentView& agent, const PollTreeView& tree, std::uint32_t entry) {
  const std::string path(espalier_entry_path(agent.tree, entry));
  return (path.empty() ? path : path + '/') + std::string(tree.name(tree.entries[entry].name));
}

// The keys that a script reads, each once.
std::vector<std::uint32_t> read_keys(const PollTreeView& tree, std::uint32_t script) {
  const auto record =
      records<layout::PollScript>(tree.asset, SectionId::poll_scripts)[tree.record.first_script + script];
  const auto* code = array<layout::Instruction>(tree.asset, SectionId::poll_code) + record.first_instruction;
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 0; i < record.instruction_count; ++i) {
    const bool is_load = code[i].op == static_cast<std::uint32_t>(layout::PollOp::load);
    if (is_load && std::find(keys.begin(), keys.end(), code[i].operand) == keys.end()) keys.push_back(code[i].operand);
  }
  return keys;
}

// "docked = 1, level = 0.9"
std::string entries_text(const replay::AgentView& agent, const PollTreeView& tree, std::uint32_t script,
                         const std::set<std::string, std::less<>>& inferred) {
  const PollAgent own(tree, const_cast<void*>(agent.block));
  const std::vector<std::uint32_t> keys = read_keys(tree, script);
  std::string text;
  for (std::size_t i = 0; i < keys.size() && i < kMaxEntries; ++i) {
    const std::uint32_t entry = entry_of(tree, own, keys[i]);
    text += (i == 0 ? "" : ", ") + visible(tree.name(tree.keys[keys[i]].name)) + " = " +
            value_text(agent.tree, agent.block, entry);
    if (!inferred.empty() && inferred.count(key_of(agent, tree, entry)) != 0) text += kInferred;
  }
  return keys.size() > kMaxEntries ? text + ", ..." : text;
}

// Does a script of the node read one of these entries?
bool scripts_read(const replay::AgentView& agent, std::uint32_t node_word,
                  const std::set<std::string, std::less<>>& entries) {
  if (entries.empty()) return false;
  const PollTreeView tree(agent.tree);
  const PollAgent own(tree, const_cast<void*>(agent.block));
  const layout::Polled& polled = tree.polled_of(tree.nodes + node_word);
  const auto reads = [&](std::uint32_t script) {  // 1 + its number; 0: there is none
    if (script == 0) return false;
    const std::vector<std::uint32_t> keys = read_keys(tree, script - 1);
    return std::any_of(keys.begin(), keys.end(), [&](std::uint32_t key) {
      return entries.count(key_of(agent, tree, entry_of(tree, own, key))) != 0;
    });
  };
  for (std::uint32_t i = 0; i < layout::kHookCount; ++i) {
    if (reads(hook_of(polled, static_cast<layout::PollHook>(i)))) return true;
  }
  return reads(polled.script);
}

// Why a node that was ticked is skipped without a result of its own; of others: all their children were.
struct Reason {
  Opcode opcode;
  std::string_view words;
};
constexpr std::string_view kChosenWasSkipped = "the child that it has chosen was skipped";
constexpr Reason kReasons[] = {
    {opcode::poll_if_then_else, kChosenWasSkipped},
    {opcode::poll_while_do_else, kChosenWasSkipped},
    {opcode::poll_switch, kChosenWasSkipped},
    {opcode::poll_recovery, kChosenWasSkipped},
    {opcode::poll_run_once, "its child has run already"},
    {opcode::poll_updated, "the entry was not written since"},
};

// Null: it has none.
const Reason* own_reason(Opcode opcode) {
  const Reason* const found =
      std::find_if(std::begin(kReasons), std::end(kReasons), [&](const Reason& each) { return each.opcode == opcode; });
  return found == std::end(kReasons) ? nullptr : found;
}

}  // namespace

std::string_view skip_cause(const NodeStep& step) {
  return step.value < std::size(kScripts) ? kScripts[step.value] : "ticked";
}

std::string skip_words(const replay::AgentView& agent, const NodeStep& step) {
  const codegen::NodeView node = codegen::node_at(*agent.tree.asset, step.node_word);
  const bool is_by_itself = step.value == ESPALIER_SKIP_CHILDREN;
  const bool is_leaf = opcode_info(node.opcode).children == Children::none;
  const bool has_own_reason = own_reason(node.opcode) != nullptr;
  // What a host answers is told, and a decorator is skipped with its child.
  if (is_by_itself && (is_leaf || (opcode_info(node.opcode).children == Children::one && !has_own_reason))) return {};
  std::string name(codegen::node_debug(*agent.tree.asset, step.node_word).name);
  if (name.empty()) name = opcode_name(node.opcode);
  const char* const verb = step.value == ESPALIER_SKIP_FAILURE_IF   ? "fails "
                           : step.value == ESPALIER_SKIP_SUCCESS_IF ? "succeeds "
                                                                    : "skips ";
  return verb + visible(name);
}

std::string skip_reason(const replay::AgentView& agent, const NodeStep& step,
                        const std::set<std::string, std::less<>>& inferred) {
  const Asset& asset = *agent.tree.asset;
  const PollTreeView tree(agent.tree);
  std::string text;
  if (step.value < std::size(kScripts)) {
    text = std::string(skip_cause(step)) + (step.value == ESPALIER_SKIP_WHILE ? " is false" : " is true");
    const auto hook = static_cast<layout::PollHook>(step.value);
    const std::uint32_t script = hook_of(tree.polled_of(tree.nodes + step.node_word), hook);
    const std::string entries = script == 0 ? std::string() : entries_text(agent, tree, script - 1, inferred);
    if (!entries.empty()) text += ": " + entries;
  } else {
    const Reason* const own = own_reason(codegen::node_at(asset, step.node_word).opcode);
    text = own != nullptr ? own->words : "all its children were skipped";
  }
  const codegen::NodeDebug place = codegen::node_debug(asset, step.node_word);
  if (place.line != 0) text += "  (" + visible(place.file) + ':' + std::to_string(place.line) + ')';
  return text;
}

std::string entry_key(const replay::AgentView& agent, std::uint32_t key) {
  const PollTreeView tree(agent.tree);
  const PollAgent own(tree, const_cast<void*>(agent.block));
  return key_of(agent, tree, entry_of(tree, own, key));
}

namespace {

// Is what was written an output of the node? Then the program wrote it.
bool is_output(const replay::Event& event) {
  const PollTreeView tree(event.state->tree);
  const std::uint32_t* const node = tree.nodes + event.node.word;
  const Opcode opcode = opcode_of(node);
  const bool is_of_program = opcode == opcode::poll_action || opcode == opcode::poll_sync_action ||
                             opcode == opcode::poll_condition || opcode == opcode::poll_gate;
  for (std::uint32_t i = 0; is_of_program && i < tree.polled_of(node).port_count; ++i) {
    const PollPort& port = tree.port_of(node, i);
    const bool is_input = port.direction == static_cast<std::uint8_t>(layout::PollDirection::input);
    if (!is_input && port.kind == static_cast<std::uint8_t>(layout::PollPortKind::key) &&
        entry_key(*event.state, port.value) == event.subject)
      return true;
  }
  return false;
}

}  // namespace

bool is_inferred_write(const replay::Event& event,
                       const std::function<bool(std::uint64_t time_us, std::uint32_t node_word)>& is_inferred,
                       const std::set<std::string, std::less<>>& inferred) {
  if (!is_inferred || event.node.asset == nullptr) return false;
  return is_output(event) ? is_inferred(event.time_us, event.node.word)
                          : scripts_read(*event.state, event.node.word, inferred);
}

}  // namespace espalier::report
