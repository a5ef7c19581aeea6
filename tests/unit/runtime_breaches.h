// Promises of the format that are broken one at a time, to see the verifier notice.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

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
    const Opcode found = opcode_of(&nodes[word]);
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
  return node_word(opcode, 1, [=](std::uint32_t& word) { word = value; });
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

// Sets operand `which` of the first node with this opcode.
inline std::function<void(Parts&)> operand(Opcode opcode, std::size_t which, std::uint32_t value) {
  return node_word(opcode, kNodeHeaderWords + which, [=](std::uint32_t& word) { word = value; });
}

// The last record of a section once more.
template <typename Record>
std::function<void(Parts&)> one_more(layout::SectionId id) {
  return [=](Parts& parts) {
    Records<Record> records(parts, id);
    records->push_back(records->back());
  };
}

// Why an asset of these parts is refused; empty when it is not.
inline std::string reason_of(const Parts& parts) {
  const Bytes bytes = assemble(parts);
  Asset asset;
  Fault fault;
  if (open(bytes.data(), bytes.size(), &asset, &fault) == Status::ok) return "";
  CHECK(fault.status == Status::malformed);
  CHECK(fault.offset_bytes < bytes.size());
  return fault.reason;
}

// Makes each breach of an asset that is right, and sees it refused for its reason.
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
