// A C++ header with the ids of an asset, so that a game names behaviours, variables, signals, timestamps, rules, flags
// and stimuli without looking them up. Names become identifiers the same way on every run; what cannot be one is
// mended, and two that become the same are told apart by a number.
#include <array>
#include <espalier/espalier.hpp>
#include <map>
#include <set>
#include <string>

#include "codegen/compile.h"
#include "codegen/listing.h"
#include "runtime/decide_tree.h"
#include "runtime/rule_tree.h"
#include "runtime/store_tree.h"

namespace espalier::codegen {
namespace {

// Words that no identifier may be: C++'s own up to C++20, namespaces of others, and macros that system headers are
// known for.
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

// Letters, digits and single '_', with a letter in front: names with "__", or '_' in front, belong to the compiler.
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

void write_constant(std::string& out, Scope& scope, std::string_view name, std::string_view type,
                    const std::string& value) {
  const std::string id = scope.add(name);
  out.append("inline constexpr ").append(type).append(" ").append(id).append(" = ").append(value).append(";");
  if (id != name) append_quoted(out += "  // ", name);
  out += '\n';
}

void write_id(std::string& out, Scope& scope, std::string_view name, std::uint32_t number) {
  write_constant(out, scope, name, "::std::uint32_t", std::to_string(number));
}

// `inline constexpr` for each name, its id being its place.
template <typename NameOf>
void write_ids(std::string& out, std::string_view scope_name, std::uint32_t count, const NameOf& name_of) {
  out.append("namespace ").append(scope_name).append(" {\n");
  Scope scope;
  for (std::uint32_t i = 0; i < count; ++i) write_id(out, scope, name_of(i), i);
  out.append("}  // namespace ").append(scope_name).append("\n");
}

// Rules without an id can be neither jumped to nor saved at, and need no name.
void write_rules(std::string& out, const Tree& tree) {
  out += "namespace rules {\n";
  Scope scope;
  for (std::uint32_t i = 0; i < rule_count(tree); ++i) {
    if (const std::string_view id = rule_id(tree, i); !id.empty()) write_id(out, scope, id, i);
  }
  out += "}  // namespace rules\n";
}

// For each name its bit, for what takes several of them at once.
template <typename NameOf>
void write_masks(std::string& out, std::string_view scope_name, const std::string& type, std::uint32_t count,
                 const NameOf& name_of) {
  out.append("namespace ").append(scope_name).append(" {\n");
  Scope scope;
  for (std::uint32_t i = 0; i < count; ++i) {
    write_constant(out, scope, name_of(i), type, type + "{1} << " + std::to_string(i));
  }
  out.append("}  // namespace ").append(scope_name).append("\n");
}

// Decision flags are given to set_flags() and behaviour flags to behaviours as masks; set() takes a flag's number.
void write_deciders(std::string& out, const Tree& tree) {
  write_masks(out, "flags", "::std::uint64_t", variable_count(tree),
              [&](std::uint32_t i) { return variable_name(tree, i); });
  write_ids(out, "stimuli", stimulus_count(tree), [&](std::uint32_t i) { return stimulus_name(tree, i); });
  write_masks(out, "behavior_flags", "::std::uint32_t", behavior_flag_count(tree),
              [&](std::uint32_t i) { return behavior_flag_name(tree, i); });
}

// Trees that can be put into slots, by their numbers.
void write_slots(std::string& out, const Asset& asset) {
  write_ids(out, "slots", slot_count(asset), [&](std::uint32_t i) { return slot_name(asset, i); });
  out += "namespace trees {\n";
  Scope scope;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    if (is_storing({&asset, i})) write_id(out, scope, tree_name({&asset, i}), i);
  }
  out += "}  // namespace trees\n";
}

void write_tree(std::string& out, const Tree& tree, const std::string& id) {
  out += "\n// Tree ";
  append_quoted(out, tree_name(tree));
  out.append("\nnamespace ").append(id).append(" {\n");
  if (is_rule_tree(tree)) {
    write_rules(out, tree);
  } else {
    write_ids(out, "variables", variable_count(tree), [&](std::uint32_t i) { return variable_name(tree, i); });
    write_ids(out, "signals", signal_count(tree), [&](std::uint32_t i) { return signal_name(tree, i); });
  }
  if (is_decider_tree(tree)) write_deciders(out, tree);
  if (timestamp_count(tree) > 0) {
    write_ids(out, "timestamps", timestamp_count(tree), [&](std::uint32_t i) { return timestamp_name(tree, i); });
  }
  out.append("}  // namespace ").append(id).append("\n");
}

}  // namespace

std::string header_of_ids(const void* asset_bytes, std::size_t size_bytes, const std::string& name) {
  Asset asset;
  if (open(asset_bytes, size_bytes, &asset) != Status::ok) return {};
  const std::string outer = identifier(name);
  std::string out =
      "// Ids of a compiled asset, made by espalier from the same run. Do not edit: compile again.\n"
      "#pragma once\n"
      "#include <cstdint>\n"
      "#include <cstring>\n\n"
      "namespace " +
      outer +
      " {\n\n"
      "// The content hash of the asset, which stands at byte 16 of its file.\n"
      "inline constexpr ::std::uint64_t kAssetHash = 0x" +
      hash_text(header_of(asset).hash) +
      ";\n\n"
      "// Are these the bytes that the ids were made for? For assets that espalier::open() has accepted.\n"
      "inline bool matches_asset(const void* bytes) {\n"
      "  ::std::uint64_t hash = 0;\n"
      "  ::std::memcpy(&hash, static_cast<const unsigned char*>(bytes) + 16, sizeof hash);\n"
      "  return hash == kAssetHash;\n"
      "}\n\n";
  write_ids(out, "behaviors", behavior_count(asset), [&](std::uint32_t i) { return behavior_name(asset, i); });
  if (host_condition_count(asset) > 0) {
    write_ids(out, "host_conditions", host_condition_count(asset),
              [&](std::uint32_t i) { return host_condition_name(asset, i); });
  }
  if (slot_count(asset) > 0) write_slots(out, asset);
  Scope trees({"kAssetHash", "matches_asset", "behaviors", "host_conditions", "slots", "trees"});
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree{&asset, i};
    if (!is_storing(tree)) write_tree(out, tree, trees.add(tree_name(tree)));
  }
  out += "\n}  // namespace " + outer + "\n";
  return out;
}

}  // namespace espalier::codegen
