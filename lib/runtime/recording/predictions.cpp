// What is expected next. See predictions.h.
#include "recording/predictions.h"

#include <new>

#include "core/frame.h"
#include "format/node.h"
#include "format/opcodes/poll.h"

namespace espalier::recording {
namespace {

std::size_t table_bytes_of(const Asset& asset) {
  std::size_t most = Places().size_bytes();
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const std::size_t size_bytes = places_of({&asset, i}).size_bytes();
    if (size_bytes > most) most = size_bytes;
  }
  return most;
}

}  // namespace

std::uint32_t crc32c(const unsigned char* bytes, std::size_t size_bytes) {
  constexpr std::uint32_t kPolynomial = 0x82F63B78;
  std::uint32_t table[16] = {};
  for (std::uint32_t i = 0; i < 16; ++i) {
    table[i] = i;
    for (int bit = 0; bit < 4; ++bit) table[i] = table[i] >> 1 ^ ((table[i] & 1) != 0 ? kPolynomial : 0);
  }
  std::uint32_t crc = 0xFFFFFFFF;
  for (std::size_t i = 0; i < size_bytes; ++i) {
    crc ^= bytes[i];
    crc = crc >> 4 ^ table[crc & 15];
    crc = crc >> 4 ^ table[crc & 15];
  }
  return ~crc;
}

std::uint64_t hash_of(const unsigned char* bytes, std::size_t size_bytes, std::uint64_t seed) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  std::uint64_t hash = (seed ^ size_bytes) * kFactor;
  for (; size_bytes >= 8; bytes += 8, size_bytes -= 8) hash = (hash ^ hash >> 29 ^ load_u64(bytes)) * kFactor;
  for (; size_bytes > 0; ++bytes, --size_bytes) hash = (hash ^ hash >> 29 ^ *bytes) * kFactor;
  return hash ^ hash >> 32;
}

std::uint64_t hash_of_agent(const Tree& tree, const unsigned char* block, std::uint64_t seed) {
  const std::size_t size_bytes = tree_record(tree).agent_bytes;
  if (engine_id_of(tree) != EngineId::poll) return hash_of(block, size_bytes, seed);
  const layout::Part& memory = part_of<EngineId::poll, PartKind::poll_memory>(tree);
  const layout::Part& statuses = part_of<EngineId::poll, PartKind::statuses>(tree);
  const layout::Part& cursor = part_of<EngineId::poll, PartKind::cursor>(tree);
  const auto cursor_end = static_cast<std::size_t>(end_bits(cursor) / 8);
  seed = hash_of(block, offset_bytes(memory), seed);
  seed = hash_of(block + offset_bytes(statuses), offset_bytes(cursor) - offset_bytes(statuses), seed);
  return hash_of(block + cursor_end, size_bytes - cursor_end, seed);
}

std::uint32_t first_port_of(const Asset& asset, std::uint32_t node_word) {
  const std::uint32_t* const node = nodes_of(asset) + node_word;
  return records<layout::Polled>(asset, layout::SectionId::polled)[operand<OperandKind::polled, EngineId::poll>(node)]
      .first_port;
}

namespace {

// At least so many places, but not too many.
std::uint32_t places_for(std::uint32_t count) {
  constexpr std::uint32_t kMostPlaces = 1024;
  std::uint32_t places = 1;
  while (places < count && places < kMostPlaces) places *= 2;
  return places;
}

std::uint32_t port_count_of(const Tree& tree) {
  const layout::Unit& unit = unit_record(tree);
  const auto polled = records<layout::Polled>(*tree.asset, layout::SectionId::polled);
  const std::uint32_t* node = nodes_of(*tree.asset) + unit.first_word;
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < unit.node_count; ++i, node = next_node(node))
    count += polled[operand<OperandKind::polled, EngineId::poll>(node)].port_count;
  return count;
}

}  // namespace

AnswerTable::AnswerTable(unsigned char* bytes, std::uint32_t places) : bytes_(bytes) {
  const std::uint32_t mask = places - 1;
  std::memcpy(bytes, &mask, sizeof mask);
}

std::size_t Places::size_bytes() const {
  const std::size_t decision_bytes = decisions == 0 ? 0 : DecisionTable::size_bytes(decisions);
  return round_up(decision_bytes + sizeof(KeptValue) * ports + AnswerTable::size_bytes(answers) + begins + ports);
}

Places places_of(const Tree& tree) {
  Places places;
  const EngineId engine_id = engine_id_of(tree);
  if (engine_id == EngineId::select) return places;  // its functions answer nothing
  places.answers = places_for(unit_record(tree).word_count);
  if (engine_id == EngineId::poll) {
    places.begins = places.answers;
    places.ports = places_for(port_count_of(tree));
  }
  if (engine_id == EngineId::decide) places.decisions = places.answers;
  return places;
}

std::size_t Agents::size_bytes(const Asset& asset, std::uint32_t count) {
  return DecisionTable::size_bytes(1) +
         (sizeof(AgentEntry) + sizeof(AnswerTable) + sizeof(DecisionTable) + table_bytes_of(asset)) * count;
}

void Agents::begin(const Asset& asset, std::uint32_t count, unsigned char* memory) {
  count_ = count;
  table_bytes_ = table_bytes_of(asset);
  no_decisions_ = reinterpret_cast<std::uint64_t*>(memory);
  memory += DecisionTable::size_bytes(1);
  entries_ = reinterpret_cast<AgentEntry*>(memory);
  memory += sizeof(AgentEntry) * count;
  answers_ = reinterpret_cast<AnswerTable*>(memory);
  memory += sizeof(AnswerTable) * count;
  decisions_ = reinterpret_cast<DecisionTable*>(memory);
  tables_ = memory + sizeof(DecisionTable) * count;
  for (std::uint32_t i = 0; i < count; ++i) {
    new (entries_ + i) AgentEntry();
    new (answers_ + i) AnswerTable();
    new (decisions_ + i) DecisionTable();
    put(i, {});
  }
  after_frame_ = {};
  no_decisions_[1] = 0;
}

void Agents::put(std::uint32_t agent, const Tree& tree) {
  AgentEntry& entry = entries_[agent];
  entry = {};
  entry.tree = tree;
  // Also of an agent that is no more: it may be in a call of a function.
  const Places places = tree.asset == nullptr ? Places() : places_of(tree);
  unsigned char* table = tables(agent);
  std::memset(table, 0, places.size_bytes());
  entry.decisions = {no_decisions_, 1};
  if (places.decisions != 0) {
    entry.decisions = {reinterpret_cast<std::uint64_t*>(table), places.decisions};
    table += DecisionTable::size_bytes(places.decisions);
  }
  if (places.ports != 0) entry.values = reinterpret_cast<KeptValue*>(table);
  table += sizeof(KeptValue) * places.ports;
  entry.answers = {table, places.answers};
  table += AnswerTable::size_bytes(places.answers);
  if (places.begins != 0) {
    entry.port_mask = places.ports - 1;
    entry.begins = table;
    entry.ports = table + places.begins;
  }
  answers_[agent] = entry.answers;
  decisions_[agent] = entry.decisions;
}

std::uint64_t Agents::hash_of_blocks() const {
  std::uint64_t hash = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (entries_[i].tree.asset != nullptr) hash = hash_of_agent(entries_[i].tree, entries_[i].block, hash + i);
  }
  return hash;
}

void Agents::forget() {
  after_frame_ = {};
  receiver_ = 0xFFFFFFFF;
  no_decisions_[1] = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const AgentEntry old = entries_[i];
    put(i, old.tree);
    entries_[i].block = old.block;
    entries_[i].shared_block = old.shared_block;
    entries_[i].group_block = old.group_block;
  }
}

}  // namespace espalier::recording
