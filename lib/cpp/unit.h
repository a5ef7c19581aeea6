// What a C++ source file defines, as far as nodes of behaviour trees are made of it: classes with their bases,
// functions, constants, other names of types. Nothing is looked up here; see program.h.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "cpp/tokens.h"
#include "text/source.h"

namespace espalier::cpp {

// Tokens of a unit from the first to before the last.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] bool is_empty() const { return begin >= end; }
};

// Enumerations are classes without bases. Scopes are written as in C++, without the global one: "ferry::signals". That
// of a function is the one that it belongs to, and names in it are looked up from there.
struct Class {
  std::string name;  // with its scope
  std::uint32_t begin = 0;
  std::vector<std::string_view> parameters;  // of a template
  std::vector<Range> bases;                  // without "public" and "virtual"
};

struct Function {
  std::string name;                          // with its scope
  std::string scope;                         // of what is in it
  std::vector<std::string_view> parameters;  // their names
  std::vector<std::string_view> types;       // parameters of a template
  Range body;                                // without its braces
};

struct Constant {
  std::string name;  // with its scope
  Range value;
};

// "using name = type" and "using scope::name".
struct Alias {
  std::string name;  // with its scope
  std::string scope;
  Range type;
};

struct UsedNamespace {
  std::string scope;  // in which it is used
  std::string name;
};

// What is between the braces of a namespace or class.
struct Scope {
  std::string name;
  Range inside;
};

struct Unit {
  text::FileId file = 0;
  std::string_view path = {};
  Tokens tokens;
  std::vector<Class> classes;
  std::vector<Function> functions;
  std::vector<Constant> constants;
  std::vector<Alias> aliases;
  std::vector<UsedNamespace> used;
  std::vector<Scope> scopes;  // the outer ones first

  [[nodiscard]] const Token& operator[](std::uint32_t token) const { return tokens.all[token]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(tokens.all.size()); }
  // The function around a token; null: there is none.
  [[nodiscard]] const Function* function_at(std::uint32_t token) const;
  // The scope in which names at a token are looked up.
  [[nodiscard]] std::string scope_at(std::uint32_t token) const;
  // Is there an #if or the like between these tokens?
  [[nodiscard]] bool has_branch(Range range) const;
};

// The path and the text of the tokens must outlive the unit.
[[nodiscard]] Unit read_unit(Tokens tokens, text::FileId file, std::string_view path);

// ---- Tokens in brackets

// Behind the bracket that closes the one at `open`; the range's end if none does. For '<' only what can stand between
// the arguments of a template is skipped: `open` itself if these are none.
[[nodiscard]] std::uint32_t skip_brackets(const Unit& unit, std::uint32_t open, std::uint32_t end);
// The parts between commas that stand in no brackets.
[[nodiscard]] std::vector<Range> split_at_commas(const Unit& unit, Range range);
// "a::b::c" at `begin`, without arguments of templates, which are skipped; `begin` is behind it afterwards. Empty:
// there is no name.
[[nodiscard]] std::string read_path(const Unit& unit, std::uint32_t& begin, std::uint32_t end);
// "c" of "a::b::c".
[[nodiscard]] std::string_view last_part(std::string_view path);
[[nodiscard]] std::string join_scopes(std::string_view scope, std::string_view name);

}  // namespace espalier::cpp
