// Where the parts of an agent's block lie, and the block at its start.
#pragma once
#include <string>

#include "codegen/flatten.h"
#include "ir/tree.h"
#include "runtime/format/records.h"

namespace espalier::codegen {

// Fill in the offsets and sizes of the records, from the counts that stand there. False: the block would be larger than
// an asset can tell.
bool lay_out_agent(const layout::Unit& unit, layout::Tree& tree);
// `scope_total`: of the asset.
bool lay_out_ticking_agent(const layout::Unit& unit, const TickingUnit& needs, std::size_t scope_total,
                           layout::Tree& tree, layout::Ticking& ticking);

// The same of every tree of rules.
void lay_out_rule_agent(layout::Tree& tree);

// `ticking` is null for trees that select.
std::string image_of(const ir::Tree& source, const layout::Tree& tree, const layout::Ticking* ticking);
// With the padding behind it.
std::string rule_image_of(const ir::Tree& source);

}  // namespace espalier::codegen
