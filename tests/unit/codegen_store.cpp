// How trees that store their results are laid out: nodes, instances, groups, slots, what they need, and what does not
// fit.
#include "codegen/compile.h"
#include "codegen/listing.h"
#include "codegen_store_trees.h"
#include "codegen_trees.h"
#include "ir/store_needs.h"
#include "unit.h"

namespace {

using namespace espalier;
using enum Opcode;
using layout::SectionId;

const layout::StoreTree& record_of(const Asset& asset, std::uint32_t tree) {
  return records<layout::StoreTree>(asset, SectionId::store_trees)[tree];
}

}  // namespace

TEST_CASE("an instance has its times first, then words, bytes and results, and is a multiple of 8") {
  test::Compiled compiled;
  test::compile(test::fighters(), compiled);
  const layout::StoreTree& record = record_of(compiled.asset, 0);
  // A cooldown and a group with a timeout; repeat, monitor, four barriers and four slots; two groups.
  CHECK(record.node_count == 40);
  CHECK(record.results_offset == 2 * 8 + (1 + 1 + 4 + 4 * 2) * 2 + 2);
  CHECK(record.own_bytes == 56);
  CHECK(record.child_count == 4);
}
