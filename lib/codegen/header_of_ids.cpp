// A header with the ids of an asset, for C++ and C, so that a game names behaviours, variables, signals, timestamps,
// rules, flags and stimuli without looking them up. Names become identifiers the same way on every run; what cannot be
// one is mended, and two that become the same are told apart by a number. C++ has namespaces; in C a name has theirs
// before it: guard_Guard_signals_OnNoise.
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

// What stands in a comment of C neither ends it nor seems to begin another, which compilers warn of.
std::string comment_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const char last = result.empty() ? ' ' : result.back();
    if ((last == '*' && c == '/') || (last == '/' && c == '*')) result += ' ';
    result += c;
  }
  return result;
}

// What the header holds in each language, written side by side.
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

  void id(Scope& scope, std::string_view name, std::uint32_t number) {
    const std::string value = std::to_string(number);
    constant(scope, name, "::std::uint32_t", value, "enum { ", " = " + value + " };");
  }
  // Its bit, for what takes several at once.
  void mask(Scope& scope, std::string_view name, unsigned width_bits, std::uint32_t bit) {
    const std::string width = std::to_string(width_bits);
    const std::string type = "::std::uint" + width + "_t";
    const std::string shift = "(1) << " + std::to_string(bit);
    constant(scope, name, type, type + "{1} << " + std::to_string(bit), "#define ",
             " (UINT" + width + "_C" + shift + ")");
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

// For each name its id, which is its place.
template <typename NameOf>
void write_ids(Writer& out, std::string_view scope_name, std::uint32_t count, const NameOf& name_of) {
  out.begin(scope_name);
  Scope scope;
  for (std::uint32_t i = 0; i < count; ++i) out.id(scope, name_of(i), i);
  out.end(scope_name);
}

// Rules without an id can be neither jumped to nor saved at, and need no name.
void write_rules(Writer& out, const Tree& tree) {
  out.begin("rules");
  Scope scope;
  for (std::uint32_t i = 0; i < rule_count(tree); ++i) {
    if (const std::string_view id = rule_id(tree, i); !id.empty()) out.id(scope, id, i);
  }
  out.end("rules");
}

template <typename NameOf>
void write_masks(Writer& out, std::string_view scope_name, unsigned width_bits, std::uint32_t count,
                 const NameOf& name_of) {
  out.begin(scope_name);
  Scope scope;
  for (std::uint32_t i = 0; i < count; ++i) out.mask(scope, name_of(i), width_bits, i);
  out.end(scope_name);
}

// Decision flags are given to set_flags() and behaviour flags to behaviours as masks; set() takes a flag's number.
void write_deciders(Writer& out, const Tree& tree) {
  write_masks(out, "flags", 64, espalier::variable_count(tree),
              [&](std::uint32_t i) { return variable_name(tree, i); });
  write_ids(out, "stimuli", stimulus_count(tree), [&](std::uint32_t i) { return stimulus_name(tree, i); });
  write_masks(out, "behavior_flags", 32, behavior_flag_count(tree),
              [&](std::uint32_t i) { return behavior_flag_name(tree, i); });
}

// Trees that can be put into slots, by their numbers.
void write_slots(Writer& out, const Asset& asset) {
  write_ids(out, "slots", slot_count(asset), [&](std::uint32_t i) { return slot_name(asset, i); });
  out.begin("trees");
  Scope scope;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    if (is_storing({&asset, i})) out.id(scope, tree_name({&asset, i}), i);
  }
  out.end("trees");
}

void write_tree(Writer& out, const Tree& tree, const std::string& id) {
  std::string name;
  append_quoted(name, tree_name(tree));
  out.comment("Tree " + name);
  out.begin(id);
  if (is_rule_tree(tree)) {
    write_rules(out, tree);
  } else {
    write_ids(out, "variables", espalier::variable_count(tree),
              [&](std::uint32_t i) { return variable_name(tree, i); });
    write_ids(out, "signals", signal_count(tree), [&](std::uint32_t i) { return signal_name(tree, i); });
  }
  if (is_decider_tree(tree)) write_deciders(out, tree);
  if (timestamp_count(tree) > 0) {
    write_ids(out, "timestamps", timestamp_count(tree), [&](std::uint32_t i) { return timestamp_name(tree, i); });
  }
  out.end(id);
}

}  // namespace

std::string header_of_ids(const void* asset_bytes, std::size_t size_bytes, const std::string& name) {
  Asset asset;
  if (open(asset_bytes, size_bytes, &asset) != Status::ok) return {};
  const std::string outer = identifier(name);
  Writer out(outer);
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
  const std::string hash = "0x" + hash_text(header_of(asset).hash);
  const std::string hash_comment = "The content hash of the asset, which stands at byte 16 of its file.";
  const std::string match_comment =
      "Are these the bytes that the ids were made for? For assets that have been opened without a fault.";
  return "/* Ids of a compiled asset, made by espalier from the same run. Do not edit: compile again. */\n"
         "#pragma once\n"
         "#ifdef __cplusplus\n"
         "#include <cstdint>\n"
         "#include <cstring>\n\n"
         "namespace " +
         outer + " {\n\n// " + hash_comment + "\ninline constexpr ::std::uint64_t kAssetHash = " + hash + ";\n\n// " +
         match_comment +
         "\ninline bool matches_asset(const void* bytes) {\n"
         "  ::std::uint64_t hash = 0;\n"
         "  ::std::memcpy(&hash, static_cast<const unsigned char*>(bytes) + 16, sizeof hash);\n"
         "  return hash == kAssetHash;\n"
         "}\n\n" +
         out.cpp + "\n}  // namespace " + outer +
         "\n\n#else\n"
         "#include <stdbool.h>\n"
         "#include <stdint.h>\n"
         "#include <string.h>\n\n/* " +
         hash_comment + " */\n#define " + outer + "_kAssetHash UINT64_C(" + hash + ")\n\n/* " + match_comment +
         " */\nstatic inline bool " + outer +
         "_matches_asset(const void* bytes) {\n"
         "  uint64_t hash = 0;\n"
         "  memcpy(&hash, (const unsigned char*)bytes + 16, sizeof hash);\n"
         "  return hash == " +
         outer + "_kAssetHash;\n}\n\n" + out.c + "\n#endif\n";
}

}  // namespace espalier::codegen
