// See redaction.h.
#include "recording/redaction.h"

#include "poll/blackboard.h"
#include "recording/format.h"

namespace espalier::recording {
namespace {

// A number that is written as a text stays one, since its port may take nothing else.
bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
}

}  // namespace

bool Redaction::is_listed(std::string_view name) const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (name == names_[i]) return true;
  }
  return false;
}

// By the name of any port or blackboard that stands for it.
bool Redaction::covers_entry(const Tree& tree, const void* block, std::uint32_t entry) const {
  if (is_empty() || engine_id_of(tree) != EngineId::poll) return false;
  const PollTreeView view(tree);
  const PollAgent agent(view, const_cast<void*>(block));
  if (is_listed(Blackboard(view, agent).name(entry))) return true;
  const layout::PollBoard last = view.board(view.record.board_count - 1);
  const std::uint32_t key_count = last.first_key + last.key_count - view.board(0).first_key;
  for (std::uint32_t key = 0; key < key_count; ++key) {
    if (view.keys[key].entry == entry && is_listed(view.name(view.keys[key].name))) return true;
  }
  return false;
}

// A write that reaches no entry has no effect: its value is not needed.
bool Redaction::covers_port(const Call& call, std::uint32_t port) const {
  if (is_empty()) return false;
  const PollTreeView view(call.tree);
  const Polled& polled = view.polled_of(view.nodes + call.node_word);
  if (port >= polled.port_count) return true;
  const PollPort& own = view.ports[polled.first_port + port];
  if (own.kind != static_cast<std::uint8_t>(layout::PollPortKind::key) || is_listed(view.name(own.name))) return true;
  for (std::uint32_t key = own.value; key != layout::kNone; key = view.keys[key].next) {
    if (covers_entry(call.tree, call.agent, view.keys[key].entry)) return true;
  }
  return false;
}

espalier_value Redaction::stand_in(const Tree& tree, const espalier_value& value, char* text) const {
  espalier_value other = value;
  other.whole = 0;
  other.real = 0;
  if (value.kind != ESPALIER_VALUE_TEXT) return other;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(value.text);
  std::uint64_t hash = hash_of(bytes, value.text_bytes, salt_);
  text[0] = '#';
  for (std::size_t i = kRedactedTextBytes - 1; i > 0; --i, hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  const std::uint32_t most = PollTreeView(tree).record.text_bytes;
  other.text = text;
  other.text_bytes = most < kRedactedTextBytes ? most : static_cast<std::uint32_t>(kRedactedTextBytes);
  if (!is_number({value.text, value.text_bytes})) return other;
  text[0] = '0';
  other.text_bytes = 1;
  return other;
}

// A text keeps its size. The rooms of loops have what is left of the queue that one has read.
unsigned char Redaction::byte_of(const Tree& tree, const unsigned char* block, std::size_t at) const {
  if (engine_id_of(tree) != EngineId::poll) return block[at];
  const PollTreeView view(tree);
  const PollAgent agent(view, const_cast<unsigned char*>(block));
  const std::size_t entries = offset_bytes(view.part<PartKind::entries>());
  const std::size_t texts = offset_bytes(view.part<PartKind::texts>());
  const std::size_t values_end = entries + std::size_t{8} * view.entry_count();
  if (at >= entries && at < values_end) {
    const auto entry = static_cast<std::uint32_t>((at - entries) / 8);
    const bool is_size =
        agent.kind(entry) == ValueKind::text || entry >= view.fixed_entry_count() + view.record.named_count;
    return !is_size && covers_entry(tree, block, entry) ? 0 : block[at];
  }
  if (at < texts || view.record.text_bytes == 0) return block[at];
  const auto room = static_cast<std::uint32_t>((at - texts) / view.record.text_bytes);
  return room >= view.entry_count() || covers_entry(tree, block, room) ? 'x' : block[at];
}

}  // namespace espalier::recording
