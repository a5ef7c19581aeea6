// One file of rules as it is written: ids are those within the file, and subtrees name other files by number.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "ir/tree.h"
#include "runtime/format/opcodes/rule.h"
#include "text/finding.h"
#include "text/xml.h"

namespace espalier::dialects::dragengine {

using rules::Rule;
using text::Attribute;
using text::Element;
using text::Span;

inline constexpr std::size_t kNoFile = static_cast<std::size_t>(-1);
inline constexpr std::uint64_t kMaxIdBytes = std::uint64_t{16} << 20;  // of all ids of a tree, and of a file

struct FileRule {
  Opcode opcode = opcode::rule_result;
  ir::Text name;  // of the element
  Span span;      // of the element's name
  std::uint8_t flags = 0;
  ir::Rule rule;  // what it asks and calls
  ir::Text id;    // within the file
  Span id_span;
  bool takes_prefix = true;    // false: an id that begins with a dot, which is the same at every place
  ir::Text path;               // rule_subtree: as written, without blanks around; empty: a fault that has been reported
  Span value_span;             // rule_action: of its name; rule_subtree: of its path
  std::size_t used = kNoFile;  // rule_subtree: the file; kNoFile: it cannot be used, which has been reported
  ir::Few<FileRule> children;
};

struct RuleFile {
  File file;               // without its document
  std::string shown_path;  // as findings show it
  Span root;               // of the root element's name
  ir::Few<FileRule> rules;
  bool has_errors = false;
  bool is_doubtful = false;        // it, or a file that it uses, has a slip that is no error
  bool has_faulty_rules = false;   // it has unknown elements, so rules may be missing
  bool is_used = false;            // by a subtree of another file
  std::uint64_t copied_count = 0;  // rules of its subtrees; counted if there is no fault
};

}  // namespace espalier::dialects::dragengine
