// The list of dialects. See dialect.h.
#include "dialects/dialect.h"

#include "dialects/decider/decider.h"
#include "dialects/decider/elements.h"
#include "dialects/dragengine/dragengine.h"
#include "dialects/dragengine/elements.h"
#include "dialects/modular/elements.h"
#include "dialects/modular/modular.h"
#include "dialects/reading/wording.h"
#include "dialects/selection/elements.h"
#include "dialects/selection/selection.h"
#include "dialects/synchronized/elements.h"
#include "dialects/synchronized/synchronized.h"

namespace espalier::dialects {
namespace {

constexpr Dialect kDialects[] = {
    {layout::Dialect::selection, "selection", "SEL", selection::owns, nullptr, selection::table, nullptr,
     selection::read},
    {layout::Dialect::modular, "modular", "MBT", modular::owns, modular::has_node, modular::table, modular::declare,
     modular::read},
    {layout::Dialect::dragengine, "dragengine", "DRA", dragengine::owns, nullptr, dragengine::table,
     dragengine::declare, dragengine::read},
    {layout::Dialect::decider, "decider", "DEC", decider::owns, nullptr, decider::table, decider::declare,
     decider::read},
    {layout::Dialect::synchronized, "synchronized", "SYN", synchronized::owns, nullptr, synchronized::table,
     synchronized::declare, synchronized::read},
};

}  // namespace

std::span<const Dialect> all() { return kDialects; }

std::vector<std::string_view> roots_of(const Dialect& dialect) {
  const ElementTable& table = dialect.table();
  return names_of(table.elements.first(table.root_count));
}

}  // namespace espalier::dialects
