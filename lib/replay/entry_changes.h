// Entries of blackboards that get another value during an update.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::replay {

// "key" for "@key", which is an entry of the main tree like all that have no path.
std::string_view own_name(std::string_view name);
// A value as events write it.
std::string text_of(const espalier_value& value);

class EntryChanges {
 public:
  // Of an agent of a tree that polls; both must outlive this.
  EntryChanges(const Tree& tree, const void* block);

  // Calls `changed` for each entry that has another value than at the last call: its key, as in `variables` of a trace,
  // and the value.
  using Changed = std::function<void(std::string_view key, std::string_view value)>;
  void take(const Changed& changed);

 private:
  std::string key_of(std::uint32_t entry) const;
  // Bytes of a block.
  struct Range {
    std::size_t first;
    std::size_t size;
  };

  const Tree tree_;
  const void* const block_;
  std::vector<std::uint64_t> seen_;   // the block as it was at the last call
  std::array<Range, 3> ranges_ = {};  // where its entries are
};

}  // namespace espalier::replay
