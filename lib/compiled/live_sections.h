// What clients of an agent's server (espalier/serving.h) see of trees: XML in the form of BehaviorTree.CPP's
// WriteTreeToXML(), with metadata, and which node is which element. Trees of other dialects are one tree of that form,
// with the names of their elements as IDs.
#pragma once
#include "codegen/compile.h"

namespace espalier::compiled {

// Of an asset with debug data, compiled from `trees`, whose files are `sources`. A tree with more than 65,535 elements
// is a finding; the result is then of no use.
[[nodiscard]] codegen::LiveSections live_sections(const Asset& asset, const ir::Project& trees,
                                                  const text::Sources& sources, text::Findings& findings);

}  // namespace espalier::compiled
