// Functions as sums of products. See diagrams.h; the method is that of Minato and Morreale.
#include <algorithm>
#include <utility>

#include "logic/diagrams.h"

namespace espalier::logic {

struct Diagrams::Products {
  std::vector<std::vector<Literal>> found;
  std::vector<Literal> above;  // literals of all products that are found next
  std::size_t most = 0;
};

// Returns the function of the products that it adds, without the literals above them.
Diagrams::Index Diagrams::add_products(Index lower, Index upper, Products& products) {
  if (lower == kUnknown || upper == kUnknown) return kUnknown;
  if (lower == kFalse) return kFalse;
  if (upper == kTrue) {
    if (products.found.size() == products.most) return kUnknown;
    products.found.push_back(products.above);
    return kTrue;
  }
  const Index top = std::min(nodes_[lower].variable, nodes_[upper].variable);
  const auto child = [&](Index of, bool value) {
    if (nodes_[of].variable != top) return of;
    return value ? nodes_[of].high : nodes_[of].low;
  };
  const auto without = [&](Index of, Index other) { return choose(other, kFalse, of); };
  // What only products with the variable can give, for each of its values; then what is left of both.
  Index covered[2];
  Index left = kFalse;
  for (const bool value : {false, true}) {
    const Index needed = without(child(lower, value), child(upper, !value));
    products.above.push_back({static_cast<Variable>(top), value});
    covered[value] = add_products(needed, child(upper, value), products);
    products.above.pop_back();
    if (covered[value] == kUnknown) return kUnknown;
    left = choose(left, kTrue, without(child(lower, value), covered[value]));
  }
  const Index both = add_products(left, choose(child(upper, false), child(upper, true), kFalse), products);
  if (both == kUnknown) return kUnknown;
  return node(top, choose(both, kTrue, covered[0]), choose(both, kTrue, covered[1]));
}

std::optional<std::vector<std::vector<Literal>>> Diagrams::products(Function lower, Function upper, std::size_t most) {
  Products products;
  products.most = most;
  if (!lower.is_known() || !upper.is_known()) return std::nullopt;
  if (add_products(lower.index_, upper.index_, products) == kUnknown) return std::nullopt;
  return std::move(products.found);
}

}  // namespace espalier::logic
