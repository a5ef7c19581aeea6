// A header with the ids of an asset, for C++ and C, so that a game names behaviours, variables, signals, timestamps,
// rules, flags and stimuli without looking them up. Names become identifiers the same way on every run: invalid
// characters are replaced, and equal identifiers get a number. C++ uses namespaces; in C they are a prefix:
// guard_Guard_signals_OnNoise.
#include <array>
#include <espalier/espalier.hpp>
#include <map>
#include <set>
#include <string>

#include "codegen/compile.h"
#include "codegen/dump/listing.h"
#include "runtime/decide/tree.h"
#include "runtime/rule/tree.h"
#include "runtime/store/tree.h"

namespace espalier::codegen {
namespace {

// Words that cannot be identifiers: keywords of C++ up to C++20, namespaces of libraries, and well-known macros of
// system headers.
constexpr std::array kReserved = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq",      "std",      "posix",      "espalier",  "main",      "NULL",         "EOF",
    "TRUE",        "FALSE",    "ERROR",      "DELETE",    "IN",        "OUT",          "OPTIONAL",
    "CONST",       "VOID",     "NAN",        "INFINITY",  "assert",    "errno",        "stdin",
    "stdout",      "stderr",   "linux",      "unix",      "i386",      "near",         "far",
    "min",         "max",      "small",      "interface", "major",     "minor",        "signal",
    "offsetof",    "setjmp",   "va_start",   "va_arg",    "va_end"};

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Letters, digits and single '_', beginning with a letter: names with "__" or a leading '_' are reserved.
std::string identifier(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (is_letter(c) || is_digit(c)) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  if (result.empty() || !is_letter(result.front())) result.insert(0, result.empty() ? "unnamed" : "n");
  for (const char* reserved : kReserved) {
    if (result != reserved) continue;
    result += '_';
    break;
  }
  return result;
}

// The identifiers of one namespace, each once.
class Scope {
 public:
  explicit Scope(std::set<std::string> taken = {}) : taken_(std::move(taken)) {}
  std::string add(std::string_view name) {
    std::string wanted = identifier(name);
    if (taken_.insert(wanted).second) return wanted;
    const std::string stem = wanted.back() == '_' ? wanted : wanted + '_';
    std::uint32_t& number = next_[wanted];
    for (number = number == 0 ? 2 : number;; ++number) {
      std::string result = stem + std::to_string(number);
      if (taken_.insert(result).second) return result;
    }
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, std::uint32_t> next_;  // by identifier that was wanted more than once
};

// Text in a C comment must not end it, nor look like the beginning of another one, which is a compiler warning.
std::string comment_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const char last = result.empty() ? ' ' : result.back();
    if ((last == '*' && c == '/') || (last == '/' && c == '*')) result += ' ';
    result += c;
  }
  return result;
}

// The content of the header in both languages, written in parallel.
class Writer {
 public:
  explicit Writer(std::string name) : path_(std::move(name) + '_') {}

  std::string cpp;
  std::string c;

  void comment(std::string_view text) {
    cpp.append("\n// ").append(text).append("\n");
    c.append("\n/* ").append(comment_text(text)).append(" */\n");
  }

  void begin(std::string_view id) {
    cpp.append("namespace ").append(id).append(" {\n");
    path_.append(id).append("_");
  }
  void end(std::string_view id) {
    cpp.append("}  // namespace ").append(id).append("\n");
    path_.resize(path_.size() - id.size() - 1);
  }

  // `mask_bits`: if not 0, the value is a mask of this width with bit `number` set, for functions that take several ids
  // at once; if 0, the value is the number.
  void id(Scope& scope, std::string_view name, std::uint32_t number, unsigned mask_bits) {
    const std::string digits = std::to_string(number);
    if (mask_bits == 0) {
      constant(scope, name, "::std::uint32_t", digits, "enum { ", " = " + digits + " };");
      return;
    }
    const std::string width = std::to_string(mask_bits);
    const std::string type = "::std::uint" + width + "_t";
    constant(scope, name, type, type + "{1} << " + digits, "#define ", " (UINT" + width + "_C(1) << " + digits + ")");
  }

 private:
  void constant(Scope& scope, std::string_view name, std::string_view type, const std::string& value,
                std::string_view c_before, const std::string& c_behind) {
    const std::string id = scope.add(name);
    std::string note;
    if (id != name) append_quoted(note, name);
    cpp.append("inline constexpr ").append(type).append(" ").append(id).append(" = ").append(value).append(";");
    if (!note.empty()) cpp.append("  // ").append(note);
    cpp += '\n';
    c.append(c_before).append(c_names_.add(path_ + id)).append(c_behind);
    if (!note.empty()) c.append("  /* ").append(comment_text(note)).append(" */");
    c += '\n';
  }

  std::string path_;
  Scope c_names_;
};

// Rules without an id can be neither jumped to nor saved, and need no name; of the trees, only those that fit into
// slots are used by number.
bool has_id(const Tree& tree, espalier_kind kind, std::uint32_t index) {
  if (kind == ESPALIER_RULES) return !rule_id(tree, index).empty();
  return kind != ESPALIER_TREES || is_storing({tree.asset, index});
}

// A namespace with the ids of the names of one kind.
void write_ids(Writer& out, std::string_view scope_name, const Tree& tree, espalier_kind kind, unsigned mask_bits = 0) {
  out.begin(scope_name);
  Scope scope;
  for (std::uint32_t i = 0; i < espalier_count(tree, kind); ++i) {
    if (has_id(tree, kind, i)) out.id(scope, espalier_name(tree, kind, i), i, mask_bits);
  }
  out.end(scope_name);
}

void write_tree(Writer& out, const Tree& tree, const std::string& id) {
  std::string name;
  append_quoted(name, tree_name(tree));
  out.comment("Tree " + name);
  out.begin(id);
  if (is_rule_tree(tree)) {
    write_ids(out, "rules", tree, ESPALIER_RULES);
  } else {
    write_ids(out, "variables", tree, ESPALIER_VARIABLES);
    write_ids(out, "signals", tree, ESPALIER_SIGNALS);
  }
  if (is_decider_tree(tree)) {  // set_flags() takes masks, and so do behaviours; set() takes a flag's number
    write_ids(out, "flags", tree, ESPALIER_VARIABLES, 64);
    write_ids(out, "stimuli", tree, ESPALIER_STIMULI);
    write_ids(out, "behavior_flags", tree, ESPALIER_BEHAVIOR_FLAGS, 32);
  }
  if (timestamp_count(tree) > 0) write_ids(out, "timestamps", tree, ESPALIER_TIMESTAMPS);
  out.end(id);
}

// The header, with the placeholders @name@, @hash@, @cpp@ and @c@.
constexpr std::string_view kHeader =
    R"(/* Ids of a compiled asset, made by espalier from the same run. Do not edit: compile again. */
#pragma once
#ifdef __cplusplus
#include <cstdint>
#include <cstring>

namespace @name@ {

// The content hash of the asset, which stands at byte 16 of its file.
inline constexpr ::std::uint64_t kAssetHash = @hash@;

// Are these the bytes that the ids were made for? For assets that have been opened without a fault.
inline bool matches_asset(const void* bytes) {
  ::std::uint64_t hash = 0;
  ::std::memcpy(&hash, static_cast<const unsigned char*>(bytes) + 16, sizeof hash);
  return hash == kAssetHash;
}

@cpp@
}  // namespace @name@

#else
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The content hash of the asset, which stands at byte 16 of its file. */
#define @name@_kAssetHash UINT64_C(@hash@)

/* Are these the bytes that the ids were made for? For assets that have been opened without a fault. */
static inline bool @name@_matches_asset(const void* bytes) {
  uint64_t hash = 0;
  memcpy(&hash, (const unsigned char*)bytes + 16, sizeof hash);
  return hash == @name@_kAssetHash;
}

@c@
#endif
)";

std::string fill_in(std::string_view text, const std::map<std::string_view, std::string_view>& words) {
  std::string result;
  for (;;) {
    const std::size_t begin = text.find('@');
    result += text.substr(0, begin);
    if (begin == std::string_view::npos) return result;
    const std::size_t end = text.find('@', begin + 1);
    result += words.at(text.substr(begin + 1, end - begin - 1));
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string header_of_ids(const void* asset_bytes, std::size_t size_bytes, const std::string& name) {
  Asset asset;
  if (open(asset_bytes, size_bytes, &asset) != Status::ok) return {};
  const std::string outer = identifier(name);
  const Tree any = {&asset, 0};
  Writer out(outer);
  write_ids(out, "behaviors", any, ESPALIER_BEHAVIORS);
  if (host_condition_count(asset) > 0) write_ids(out, "host_conditions", any, ESPALIER_CONDITIONS);
  if (slot_count(asset) > 0) {
    write_ids(out, "slots", any, ESPALIER_SLOTS);
    write_ids(out, "trees", any, ESPALIER_TREES);
  }
  Scope trees({"kAssetHash", "matches_asset", "behaviors", "host_conditions", "slots", "trees"});
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree{&asset, i};
    if (!is_storing(tree)) write_tree(out, tree, trees.add(tree_name(tree)));
  }
  const std::string hash = "0x" + hash_text(header_of(asset).hash);
  return fill_in(kHeader, {{"name", outer}, {"hash", hash}, {"cpp", out.cpp}, {"c", out.c}});
}

}  // namespace espalier::codegen
