// Why bytes are not a valid asset, as a finding of the AST rules.
#pragma once
#include <cstddef>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>

#include "rules/rules.h"

namespace espalier::codegen {

// The result of open() for people, with the byte offset and a hint.
struct AssetFault {
  rules::Rule rule;
  std::string message;
  std::uint64_t offset_bytes = 0;
  std::string hint;  // empty: none
};

// `fault`: what open() gave for these bytes; its status is not ok.
AssetFault describe_fault(std::string_view bytes, const Fault& fault);

// The lines to print: "guards.espb: byte 16: error: ... [wrong-hash AST004]".
std::string fault_text(std::string_view path, const AssetFault& fault);

}  // namespace espalier::codegen
