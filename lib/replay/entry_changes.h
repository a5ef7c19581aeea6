// Entries of blackboards that get another value during an update.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::replay {

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
  struct Known {
    std::uint32_t write_count = 0;
    std::string value = {};
  };
  std::string key_of(std::uint32_t entry) const;
  Known look(std::uint32_t entry, std::uint32_t write_count) const;

  const Tree tree_;
  const void* const block_;
  std::vector<Known> known_;  // by entry
};

}  // namespace espalier::replay
