// The list of dialects. See dialect.h.
#include "dialects/dialect.h"

#include <algorithm>

namespace espalier::dialects {
namespace {

template <Dialect make()>
Dialect with_elements() {
  Dialect dialect = make();
  dialect.scan.has_element = [](std::string_view name) { return make().table().find(name) != nullptr; };
  return dialect;
}

}  // namespace

std::span<const Dialect> all() {
  static const Dialect kDialects[] = {
#define DIALECT(name) with_elements<name::dialect>(),
#include "runtime/format/dialects.def"
  };
  return kDialects;
}

const Dialect* find_owner(std::string_view root_element) {
  const std::span<const Dialect> dialects = all();
  const auto found =
      std::find_if(dialects.begin(), dialects.end(), [&](const Dialect& each) { return each.owns(root_element); });
  return found == dialects.end() ? nullptr : &*found;
}

std::vector<std::string_view> roots_of(const Dialect& dialect) {
  const ElementTable& table = dialect.table();
  return names_of(table.elements.first(table.root_count));
}

}  // namespace espalier::dialects
