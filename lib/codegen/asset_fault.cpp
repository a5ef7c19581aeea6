// Why files are not valid assets, as findings. See asset_fault.h.
#include "codegen/asset_fault.h"

#include <algorithm>
#include <cstring>

#include "rules/assets.h"
#include "rules/rules.h"
#include "runtime/format/records.h"
#include "text/visible.h"

namespace espalier::codegen {
namespace {

rules::Rule rule_of(Status status) {
  switch (status) {
    case Status::not_an_asset:
    case Status::wrong_byte_order:
      return rules::AST_not_an_asset;
    case Status::unsupported_version:
      return rules::AST_unsupported_version;
    case Status::wrong_size:
      return rules::AST_wrong_size;
    case Status::wrong_hash:
      return rules::AST_wrong_hash;
    default:  // malformed; open() gives no other status for a file
      return rules::AST_malformed_asset;
  }
}

// Does the file begin like XML, after a byte order mark and white space? In UTF-16 every other byte is 0.
bool looks_like_xml(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(std::string_view("\xEF\xBB\xBF\xFF\xFE\0 \t\r\n", 10));
  return first != std::string_view::npos && bytes[first] == '<';
}

AssetFault describe_not_an_asset(std::string_view bytes, const Fault& fault) {
  const rules::Rule rule = rules::AST_not_an_asset;
  if (bytes.empty()) return {rule, "the file is empty", 0, {}};
  if (looks_like_xml(bytes)) {
    return {rule, "this is XML, not a compiled asset", 0, "compile it first: espalier compile FILE.xml -o FILE.espb"};
  }
  return {rule, std::string("this is not a compiled asset: ") + fault.reason, fault.offset_bytes, {}};
}

}  // namespace

AssetFault describe_fault(std::string_view bytes, const Fault& fault) {
  if (fault.status == Status::not_an_asset) return describe_not_an_asset(bytes, fault);
  layout::Header header = {};
  std::memcpy(&header, bytes.data(), std::min(bytes.size(), sizeof header));
  AssetFault result{rule_of(fault.status), fault.reason, fault.offset_bytes, {}};
  if (fault.status == Status::unsupported_version && header.major_version != layout::kMajorVersion) {
    result.message = "the asset has version " + std::to_string(header.major_version) + "." +
                     std::to_string(header.minor_version) + ", which this espalier cannot read";
    result.hint = "this espalier reads version " + std::to_string(layout::kMajorVersion) + "; compile the asset again";
  } else if (fault.status == Status::wrong_size && header.size_bytes != bytes.size()) {
    result.message = "the header says " + std::to_string(header.size_bytes) + " bytes, but the file has " +
                     std::to_string(bytes.size());
    result.hint = header.size_bytes > bytes.size()
                      ? "the file was cut off; copy it or compile it again"
                      : "there are bytes after the end of the asset; copy it or compile it again";
  } else if (fault.status == Status::wrong_hash) {
    result.message = "the bytes were changed: their hash differs from the one in the header";
    result.hint = "the file was damaged or changed; copy it in binary mode or compile it again";
  }
  return result;
}

std::string fault_text(std::string_view path, const AssetFault& fault) {
  const rules::RuleInfo& rule = rules::info(fault.rule);
  std::string text = espalier::text::visible(path);
  text += ": byte " + std::to_string(fault.offset_bytes) + ": ";
  text.append(rules::severity_name(rule.severity)).append(": ").append(fault.message);
  text.append(" [").append(rule.name).append(" ").append(rule.code).append("]\n");
  if (!fault.hint.empty()) text += "  hint: " + fault.hint + "\n";
  return text;
}

}  // namespace espalier::codegen
