// The dialects there are. See dialect.h.
#include "dialects/dialect.h"
#include "dialects/selection/selection.h"

namespace espalier::dialects {
namespace {

constexpr Dialect kDialects[] = {
    {"selection", selection::owns, selection::read},
};

}  // namespace

std::span<const Dialect> all() { return kDialects; }

}  // namespace espalier::dialects
