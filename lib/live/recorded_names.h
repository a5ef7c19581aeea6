// What traces of recordings call the nodes that ask the program.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "replay/node_paths.h"

namespace espalier::live {

enum class Asked : std::uint8_t { behavior, condition, script };

// A node that asks the program, and for what.
struct Asker {
  std::uint32_t tree = 0;
  std::uint32_t word = 0;
  Asked asked = Asked::behavior;
  std::uint32_t number = 0;
  friend auto operator<=>(const Asker&, const Asker&) = default;
};

class AskerNames {
 public:
  // `other`: another version of the asset, whose nodes are to have the answers; null: there is none.
  AskerNames(const Asset& asset, const Asset* other) : asset_(asset), other_(other) {}

  void see(const Asker& asker) { words_[{asker.tree, plain(asker)}].insert(asker.word); }
  // With its path, where several nodes ask for the name.
  const std::string& of(const Asker& asker);
  // Has a node that is at several places no name of its own?
  [[nodiscard]] bool has_shared() const { return has_shared_; }

 private:
  using Paths = std::set<std::string, std::less<>>;

  [[nodiscard]] std::string plain(const Asker& asker) const;
  const replay::NodePaths& paths_of(std::uint32_t tree);
  const Paths& others_of(std::uint32_t tree);

  const Asset& asset_;
  const Asset* const other_;
  std::map<std::uint32_t, Paths> others_;  // by tree, those that the other version's tree of its name has
  std::map<std::pair<std::uint32_t, std::string>, std::set<std::uint32_t>> words_;
  std::map<Asker, std::string> names_;
  std::map<std::uint32_t, replay::NodePaths> paths_;
  bool has_shared_ = false;
};

}  // namespace espalier::live
