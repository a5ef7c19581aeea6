// What a host of trees that poll does beside answering: it reads and writes the ports of its nodes during calls, and
// the entries of blackboards between updates. polling.h
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>

#include "dice.h"

namespace fuzz {

inline void read_value(const espalier_value& value) {
  require(value.kind <= ESPALIER_VALUE_TEXT);
  if (value.kind != ESPALIER_VALUE_TEXT) return;
  std::uint32_t sum = 0;  // touches each byte
  for (std::uint32_t i = 0; i < value.text_bytes; ++i) sum += static_cast<unsigned char>(value.text[i]);
  require(sum <= 255 * value.text_bytes);
}

// `text` is one that is longer than texts may be where the asset has room for few bytes.
inline espalier_value some_value(Dice& dice) {
  static constexpr char kText[] = "12;3.5;true;RUNNING and a text that is longer than most entries have room for";
  espalier_value value;
  value.kind = static_cast<espalier_value_kind>(1 + dice.below(4));
  value.whole = static_cast<std::int64_t>(dice.state) >> dice.below(64);
  value.real = static_cast<double>(value.whole) / 8;
  value.text = kText + dice.below(8);
  value.text_bytes = dice.below(static_cast<std::uint32_t>(sizeof kText) - 8);
  return value;
}

inline void use_ports(const espalier_call* call, Dice& dice) {
  for (std::uint32_t port = 0; port < espalier_port_count(call); ++port) {
    read_name(espalier_port_name(call, port));
    std::uint32_t found = 0;
    require(espalier_find_port(call, espalier_port_name(call, port), &found) == ESPALIER_OK);
    char buffer[ESPALIER_NUMBER_TEXT];
    espalier_value value;
    if (espalier_is_input(call, port) && espalier_read_port(call, port, &value, buffer)) read_value(value);
    if (dice.below(4) != 0) continue;  // a write to what is no output ends the update
    const espalier_value written = some_value(dice);
    if (dice.below(4) == 0) {
      espalier_write_port_boolean(call, port, dice.below(2) == 0);
    } else {
      espalier_write_port(call, port, &written);
    }
  }
}

inline void use_entries(const espalier_tree& tree, void* block, Dice& dice) {
  const std::uint32_t count = espalier_count(tree, ESPALIER_ENTRIES);
  for (std::uint32_t entry = 0; entry < count; ++entry) {
    const char* const path = espalier_entry_path(tree, entry);
    const char* const name = espalier_name(tree, ESPALIER_ENTRIES, entry);
    read_name(path);
    std::uint32_t found = 0;
    // An asset that was changed may have names that no blackboard lists, and room for named entries has no name.
    require(espalier_find_entry(tree, path, name, &found) != ESPALIER_OK || found < count);
    espalier_value value;
    if (espalier_entry(tree, block, entry, &value)) read_value(value);
    const espalier_value written = some_value(dice);
    if (dice.below(4) == 0) espalier_set_entry(tree, block, entry, &written);
    if (dice.below(8) == 0) espalier_set_entry_boolean(tree, block, entry, dice.below(2) == 0);
  }
  std::uint32_t made = 0;
  if (dice.below(4) != 0 || espalier_name_entry(tree, block, "fuzz", &made) != ESPALIER_OK) return;
  const espalier_value written = some_value(dice);
  espalier_set_entry(tree, block, made, &written);
  espalier_value value;
  if (espalier_entry(tree, block, made, &value)) read_value(value);
  espalier_find_entry_now(tree, block, "", "fuzz", &made);
}

}  // namespace fuzz
