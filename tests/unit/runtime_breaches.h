// Breaks the promises of the format one at a time, to test that the verifier notices.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/agent_block.h"
#include "runtime/format/node.h"
#include "runtime_assets.h"
#include "unit.h"

namespace espalier::test {

struct Breach {
  const char* name;
  std::function<void(Parts&)> make;
};

// The first word of the `nth` node with this opcode, in the order of NODES.
inline std::size_t find_node(const std::vector<std::uint32_t>& nodes, Opcode opcode, std::size_t nth = 0) {
  for (std::size_t word = 0; word < nodes.size();) {
    const Opcode found = espalier::opcode_of(&nodes[word]);
    if (found == opcode && nth-- == 0) return word;
    word += own_words(found);
  }
  FAIL("the asset has no such node");
  return 0;
}

// Changes word `offset` of the first node with this opcode.
inline std::function<void(Parts&)> node_word(Opcode opcode, std::size_t offset,
                                             std::function<void(std::uint32_t&)> change) {
  return [=](Parts& parts) {
    Records<std::uint32_t> nodes(parts, layout::SectionId::nodes);
    change(nodes[find_node(*nodes, opcode) + offset]);
  };
}

// Sets bits of the first node with this opcode, or its extent.
inline std::function<void(Parts&)> head(Opcode opcode, std::uint32_t bits) {
  return node_word(opcode, 0, [=](std::uint32_t& word) { word |= bits; });
}
inline std::function<void(Parts&)> extent(Opcode opcode, std::uint32_t value) {
  return node_word(opcode, own_words(opcode) - 1, [=](std::uint32_t& word) { word = value; });
}

// Changes the first record of a section.
template <typename Record>
std::function<void(Parts&)> record(layout::SectionId id, std::function<void(Record&)> change) {
  return [=](Parts& parts) {
    Records<Record> records(parts, id);
    change(records[0]);
  };
}

inline std::function<void(Parts&)> tree(std::function<void(layout::Tree&)> change) {
  return record(layout::SectionId::trees, std::move(change));
}
inline std::function<void(Parts&)> unit(std::function<void(layout::Unit&)> change) {
  return record(layout::SectionId::units, std::move(change));
}

// Changes the first part of this kind.
inline std::function<void(Parts&)> part(PartKind kind, std::function<void(layout::Part&)> change) {
  return [=](Parts& parts) {
    Records<layout::Part> records(parts, layout::SectionId::parts);
    const auto found = std::find_if(records->begin(), records->end(), [kind](const layout::Part& each) {
      return each.kind == static_cast<std::uint8_t>(kind);
    });
    REQUIRE(found != records->end());
    change(*found);
  };
}

// Lays out the block of the first tree's agents, and its image, for these needs.
inline void lay_out_again(Parts& parts, const codegen::AgentNeeds& needs) {
  Records<layout::Tree> trees(parts, layout::SectionId::trees);
  Records<layout::Variable> variables(parts, layout::SectionId::variables);
  const auto engine = static_cast<EngineId>(trees[0].engine);
  const codegen::AgentBlock block = codegen::lay_out_agent(engine, needs);
  const std::string image = codegen::image_of(engine, needs, block, *variables);
  Bytes& images = parts[layout::SectionId::images];
  const std::uint32_t old_bytes = trees[0].image == layout::kNone ? 0 : (trees[0].agent_bytes + 7) / 8 * 8;
  images.erase(images.begin(), images.begin() + old_bytes);
  images.insert(images.begin(), image.begin(), image.end());
  for (layout::Tree& tree : *trees) {
    if (tree.image != layout::kNone) tree.image += static_cast<std::uint32_t>(image.size()) - old_bytes;
  }
  trees[0].image = image.empty() ? layout::kNone : 0;
  trees[0].agent_bytes = static_cast<std::uint32_t>(block.size_bytes);
  Records<layout::Part> records(parts, layout::SectionId::parts);
  std::copy(block.parts.begin(), block.parts.end(), records->begin());
}

// Enlarges a part of the first tree's agents by `more`: all parts are laid out correctly, but do not match the needs of
// its nodes.
inline std::function<void(Parts&)> more_of(PartKind kind, std::int32_t more = 1) {
  return [=](Parts& parts) {
    codegen::AgentNeeds needs;
    {
      Records<layout::Tree> trees(parts, layout::SectionId::trees);
      Records<layout::Part> records(parts, layout::SectionId::parts);
      for (std::uint32_t i = 0; i < EngineParts(static_cast<EngineId>(trees[0].engine)).size(); ++i) {
        codegen::PartNeed& need = needs[static_cast<PartKind>(records[i].kind)];
        need.count = records[i].count;
        need.first_name = records[i].first_name;
        need.is_wide = records[i].bits == 32;
      }
    }
    needs[kind].count += static_cast<std::uint32_t>(more);
    lay_out_again(parts, needs);
  };
}
inline std::function<void(Parts&)> fewer_of(PartKind kind) { return more_of(kind, -1); }

// Sets operand `which` of the first node with this opcode.
inline std::function<void(Parts&)> operand(Opcode opcode, std::size_t which, std::uint32_t value) {
  return node_word(opcode, kNodeHeaderWords + which, [=](std::uint32_t& word) { word = value; });
}

// Repeats the last record of a section.
template <typename Record>
std::function<void(Parts&)> one_more(layout::SectionId id) {
  return [=](Parts& parts) {
    Records<Record> records(parts, id);
    records->push_back(records->back());
  };
}

// Why an asset of these parts is refused; empty if it is accepted.
inline std::string reason_of(const Parts& parts) {
  const Bytes bytes = assemble(parts);
  Asset asset;
  Fault fault;
  if (open(bytes.data(), bytes.size(), &asset, &fault) == Status::ok) return "";
  CHECK(fault.status == Status::malformed);
  CHECK(fault.offset_bytes < bytes.size());
  return fault.reason;
}

// Applies each breach to a correct asset, and checks that it is refused for the right reason.
inline void hold(const Bytes& asset, const std::multimap<std::string, Breach>& breaches) {
  const Parts whole = take_apart(asset);
  REQUIRE(reason_of(whole).empty());
  for (const auto& [reason, breach] : breaches) {
    INFO(breach.name);
    Parts parts = whole;
    breach.make(parts);
    REQUIRE(parts != whole);
    CHECK(reason_of(parts) == reason);
  }
}

}  // namespace espalier::test
