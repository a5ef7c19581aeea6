// How often the files of a package use the nodes that the library does not have, and where first: what is found about
// nodes that nobody declares is told once a package.
#pragma once
#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/btcpp/file_summary.h"
#include "dialects/btcpp/packages.h"

namespace espalier::dialects::btcpp {

// Files and packages are numbers.
class NodeUses {
 public:
  struct Uses {
    std::size_t first = 0;  // the first file
    std::size_t count = 0;  // of elements; 0: the package has none
  };

  // `packages` and `summaries` must outlive this.
  NodeUses(const Packages& packages, const Summaries& summaries);

  [[nodiscard]] Uses of(std::size_t package, std::string_view node) const;
  // Of elements with an attribute for the port.
  [[nodiscard]] Uses of(std::size_t package, std::string_view node, std::string_view port) const;

 private:
  struct Place {
    std::size_t file;
    const NodeUse* use;
  };
  [[nodiscard]] std::span<const Place> places(std::size_t package, std::string_view node) const;

  std::map<std::pair<std::size_t, std::string_view>, std::vector<Place>> places_;  // in the order of files
};

}  // namespace espalier::dialects::btcpp
