// An asset as rows: one for each record and node, in the order in which dump prints them, as text and as JSON.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::codegen {

// One item of a row, already formatted.
struct Item {
  std::string_view key;           // as in schemas/asset.md: "leaf_count"; empty: the text has no key
  std::string text = {};          // empty: only in JSON
  std::string json = {};          // empty: not in JSON, or a string there: `told`
  std::string_view told_as = {};  // JSON: suffix of the key for the name of the target, "Name"; empty: none
  std::string told = {};
  bool is_string = false;
  std::uint32_t ordinal = 1;  // of several operands of one kind
};

struct Row {
  std::uint32_t depth = 0;      // rows that it belongs to
  std::uint32_t indent = 0;     // further, in the text: of nodes
  std::string_view list = {};   // "signals"
  std::string_view title = {};  // "signal", an opcode, "asset"
  bool is_single = false;       // no list: there is at most one
  bool has_number = false;      // else it is counted from the first of its list
  bool is_plain = false;        // values without keys
  std::uint32_t number = 0;
  std::string_view name_key = "name";
  std::string_view name = {};  // empty: none
  std::vector<Item> items = {};
};

// Calls `write` for each row of a verified asset. Rows belong to the last one before them that is less deep.
void visit_rows(const Asset& asset, const std::function<void(const Row&)>& write);

}  // namespace espalier::codegen
