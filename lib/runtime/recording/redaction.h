// Entries of blackboards whose values a recording does not have: others stand for them.
#pragma once
#include <espalier/polling.h>

#include "asset/view.h"

namespace espalier::recording {

inline constexpr std::size_t kRedactedTextBytes = 17;  // '#' and 16 digits

class Redaction {
 public:
  Redaction() = default;
  // The names must outlive it.
  Redaction(const char* const* names, std::uint32_t count, std::uint64_t salt)
      : names_(names), count_(count), salt_(salt) {}

  bool is_empty() const { return count_ == 0; }
  // Is it the value of such an entry, that a function writes to a port or that an entry is given?
  bool covers_port(const Call& call, std::uint32_t port) const;
  bool covers_entry(const Tree& tree, const void* block, std::uint32_t entry) const;
  // What stands for a value: a text for a text, which is a hash of it, and 0 for a number. `text` has room for
  // kRedactedTextBytes.
  espalier_value stand_in(const Tree& tree, const espalier_value& value, char* text) const;
  // A byte of an agent's block, as a recording has it.
  unsigned char byte_of(const Tree& tree, const unsigned char* block, std::size_t at) const;

 private:
  bool is_listed(std::string_view name) const;

  const char* const* names_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint64_t salt_ = 0;
};

}  // namespace espalier::recording
