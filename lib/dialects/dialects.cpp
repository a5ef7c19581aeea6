// The dialects there are. See dialect.h.
#include "dialects/dialect.h"

#include "dialects/decider/decider.h"
#include "dialects/dragengine/dragengine.h"
#include "dialects/modular/modular.h"
#include "dialects/selection/selection.h"
#include "dialects/synchronized/elements.h"
#include "dialects/synchronized/synchronized.h"

namespace espalier::dialects {
namespace {

constexpr std::string_view kSelectionRoots[] = {"SelectionTree", "SelectionTrees", "Blocks"};
constexpr std::string_view kModularRoots[] = {"BehaviorTree"};
constexpr std::string_view kDragengineRoots[] = {"behaviorTree"};
constexpr std::string_view kDeciderRoots[] = {"DeciderTree"};
constexpr std::string_view kSynchronizedRoots[] = {"SynchronizedTree"};

constexpr Dialect kDialects[] = {
    {layout::Dialect::selection, "selection", "SEL", kSelectionRoots, selection::owns, nullptr, nullptr,
     selection::read},
    {layout::Dialect::modular, "modular", "MBT", kModularRoots, modular::owns, modular::has_node, nullptr,
     modular::read},
    {layout::Dialect::dragengine, "dragengine", "DRA", kDragengineRoots, dragengine::owns, nullptr, nullptr,
     dragengine::read},
    {layout::Dialect::decider, "decider", "DEC", kDeciderRoots, decider::owns, nullptr, decider::table, decider::read},
    {layout::Dialect::synchronized, "synchronized", "SYN", kSynchronizedRoots, synchronized::owns, nullptr,
     synchronized::table, synchronized::read},
};

}  // namespace

std::span<const Dialect> all() { return kDialects; }

}  // namespace espalier::dialects
