// Rooms of child trees that overlap: what the verifier promises, and that no layout of them does harm.
#include <cstring>
#include <map>
#include <string>

#include "runtime/asset/view.h"
#include "runtime_breaches.h"

namespace runtime_store_rooms {

namespace {

using namespace espalier;
using layout::SectionId;
using test::Parts;
using test::Records;

// The place in TREE_NEEDS of the offsets of the first tree's rooms, by store_child.
std::uint32_t offsets_of(Parts& parts, std::size_t child) {
  return Records<layout::ChildRoom>(parts, SectionId::child_rooms)[child].first_offset;
}

// Changes the offset of the second room, with two levels of trees.
test::Breach offset(const char* name, std::uint32_t value) {
  return {name, [=](Parts& parts) {
            const std::uint32_t first = offsets_of(parts, 1);
            Records<std::uint32_t>(parts, SectionId::tree_needs)[first + 1] = value;
          }};
}

std::function<void(Parts&)> room(std::function<void(layout::ChildRoom&)> change) {
  return test::record(SectionId::child_rooms, std::move(change));
}

// All rooms of all levels of the first child begin where those of the second one begin.
Parts with_one_room() {
  Parts parts = test::take_apart(test::overlapping_store_asset(false));
  const std::uint32_t first = offsets_of(parts, 0);
  const std::uint32_t second = offsets_of(parts, 1);
  Records<std::uint32_t> needs(parts, SectionId::tree_needs);
  for (std::uint32_t i = 0; i < second - first; ++i) needs[first + i] = needs[second + i];
  return parts;
}

int entered_count = 0;
int interrupted_count = 0;

}  // namespace

TEST_CASE("each promise of the format about rooms that overlap is held") {
  const char* apart = "rooms of child trees are not consecutive";
  const char* elsewhere = "a room of a child tree has the wrong offset";
  const char* other_need = "the needs of a tree do not match its nodes";
  test::hold(test::overlapping_store_asset(true),
             {
                 {apart, {"a room of another node", room([](auto& r) { ++r.word; })}},
                 {apart,
                  {"a room too few",
                   [](Parts& parts) { Records<layout::ChildRoom>(parts, SectionId::child_rooms)->pop_back(); }}},
                 {"records are not referenced by anything",
                  {"a room of nobody", test::one_more<layout::ChildRoom>(SectionId::child_rooms)}},
                 {apart, {"another room's offsets", room([](auto& r) { ++r.first_offset; })}},
                 {apart, {"offsets beyond all", room([](auto& r) { r.first_offset = layout::kNone; })}},
                 {elsewhere, offset("a room in the tree's own results", 0)},
                 {elsewhere, offset("a room that is not aligned", 44)},
                 {other_need, offset("a room beyond the end", 0x10000)},
             });
}

TEST_CASE("trees that run at once in one room take it from each other") {
  const test::Bytes bytes = test::assemble(with_one_room());
  Asset asset;
  REQUIRE(open(bytes.data(), bytes.size(), &asset) == Status::ok);
  const Tree all = tree(asset, 0);
  std::vector<std::uint64_t> block(agent_bytes(all) / 8);
  std::vector<std::uint64_t> shared(shared_bytes(all) / 8);
  start(all, block.data());
  start_shared(all, shared.data());
  Behavior action;
  action.enter = [](const Call*) { ++entered_count; };
  action.interrupt = [](const Call*) { ++interrupted_count; };
  action.tick = [](const Call*) { return ESPALIER_RUNNING; };
  Host host;
  host.behaviors = &action;
  host.shared = shared.data();
  REQUIRE(behavior_count(asset) == 1);
  for (int update = 1; update <= 3; ++update) {
    CHECK(espalier::update(all, block.data(), host) == Result::running);
    CHECK(entered_count == 1 + 2 * update);      // the third child's action goes on
    CHECK(interrupted_count == 2 * update - 1);  // the second child has the room
    CHECK(check_agent(all, block.data(), shared.data()) == Status::ok);
  }
  stop(all, block.data(), host);
  CHECK(interrupted_count == entered_count);
}

TEST_CASE("an agent with two trees in one room is refused") {
  const test::Bytes apart_bytes = test::overlapping_store_asset(false);
  const test::Bytes one_bytes = test::assemble(with_one_room());
  Asset apart;
  Asset one;
  REQUIRE(open(apart_bytes.data(), apart_bytes.size(), &apart) == Status::ok);
  REQUIRE(open(one_bytes.data(), one_bytes.size(), &one) == Status::ok);
  Behavior action;
  action.tick = [](const Call*) { return ESPALIER_RUNNING; };
  Host host;
  host.behaviors = &action;
  std::vector<std::uint64_t> shared(shared_bytes(tree(apart, 0)) / 8);
  host.shared = shared.data();
  std::vector<std::uint64_t> block(agent_bytes(tree(apart, 0)) / 8);
  start(tree(apart, 0), block.data());
  CHECK(espalier::update(tree(apart, 0), block.data(), host) == Result::running);
  CHECK(check_agent(tree(apart, 0), block.data()) == Status::ok);
  // The first child's tree has another offset.
  CHECK(check_agent(tree(one, 0), block.data()) != Status::ok);
  std::uint16_t offsets[2] = {};
  const std::uint32_t* nodes = array<std::uint32_t>(apart, SectionId::nodes);
  const std::uint32_t begin = offset_bytes(*find_part(tree(apart, 0), PartKind::times));
  unsigned char* places[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::uint32_t* child = nodes + array<layout::ChildRoom>(apart, SectionId::child_rooms)[i].word;
    places[i] = reinterpret_cast<unsigned char*>(block.data()) + begin +
                espalier::operand<OperandKind::state, EngineId::store>(child) + 2;
    std::memcpy(&offsets[i], places[i], 2);
  }
  CHECK(offsets[0] < offsets[1]);
  std::memcpy(places[0], &offsets[1], 2);
  CHECK(check_agent(tree(one, 0), block.data()) != Status::ok);
}

}  // namespace runtime_store_rooms
