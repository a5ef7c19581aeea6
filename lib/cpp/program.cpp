// What names mean. See program.h.
#include "cpp/program.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace espalier::cpp {
namespace {

constexpr int kMaxAliases = 16;  // of names that mean one another

std::string_view file_name(std::string_view path) {
  const std::size_t last = path.find_last_of('/');
  return last == std::string_view::npos ? path : path.substr(last + 1);
}

// Is it the path of a file in whichever folder? "../a/b.hpp" is "b.hpp" in some "a".
bool ends_with_folders(std::string_view path, std::string_view written) {
  while (written.substr(0, 3) == "../" || written.substr(0, 2) == "./") written.remove_prefix(written.find('/') + 1);
  if (path.size() < written.size() || path.substr(path.size() - written.size()) != written) return false;
  return path.size() == written.size() || path[path.size() - written.size() - 1] == '/';
}

bool is_same(const Macro& left, const Macro& right) {
  return std::equal(left.body.begin(), left.body.end(), right.body.begin(), right.body.end(),
                    [](const Token& a, const Token& b) { return a.kind == b.kind && a.written == b.written; });
}

bool ends_with_path(std::string_view name, std::string_view path) {
  if (name.size() == path.size()) return name == path;
  return name.size() > path.size() + 2 && name.substr(name.size() - path.size()) == path &&
         name.substr(name.size() - path.size() - 2, 2) == "::";
}

}  // namespace

template <typename Found>
void Program::add(Table<Found>& table, const std::string& name, Found found) {
  const auto [place, is_new] = table.by_name.try_emplace(name);
  place->second.push_back(found);
  if (is_new) table.by_last_part[last_part(place->first)].push_back(place->first);
}

Program::Program(const std::deque<Unit>& units) {
  for (const Unit& unit : units) {
    units_by_name_[file_name(unit.path)].push_back(&unit);
    for (const Class& each : unit.classes) add(classes_, each.name, FoundClass{&unit, &each});
    for (const Function& each : unit.functions) add(functions_, each.name, FoundFunction{&unit, &each});
    for (const Constant& each : unit.constants) add(constants_, each.name, FoundConstant{&unit, each.value});
    for (const Alias& each : unit.aliases) add(aliases_, each.name, FoundAlias{&unit, &each});
    for (const auto& [name, macro] : unit.tokens.macros) {
      if (macro.has_parameters || macro.body.empty()) continue;
      const auto [known, is_new] = macros_.emplace(name, &macro);
      if (!is_new && known->second != nullptr && !is_same(macro, *known->second)) known->second = nullptr;
    }
  }
}

const Macro* Program::find_macro(std::string_view name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : found->second;
}

// Of several of one full name: the one of the same file, else of the files that this includes. Nothing: it is not known
// which is meant.
template <typename Found>
std::optional<Found> Program::nearest(const std::vector<Found>& all, const Unit& unit) const {
  if (all.size() == 1) return all.front();
  const auto only_one = [&](const auto& is_meant) -> std::optional<Found> {
    const auto first = std::find_if(all.begin(), all.end(), is_meant);
    if (first == all.end() || std::find_if(std::next(first), all.end(), is_meant) != all.end()) return std::nullopt;
    return *first;
  };
  if (const auto own = only_one([&](const Found& found) { return found.unit == &unit; })) return own;
  const std::set<const Unit*>& included = included_by(unit);
  return only_one([&](const Found& found) { return included.count(found.unit) != 0; });
}

const std::set<const Unit*>& Program::included_by(const Unit& unit) const {
  const auto [place, is_new] = included_.try_emplace(&unit);
  if (!is_new) return place->second;
  std::set<const Unit*>& all = place->second;
  std::vector<const Unit*> open = {&unit};
  while (!open.empty()) {
    const Unit* const next = open.back();
    open.pop_back();
    for (const std::string_view path : next->tokens.includes) {
      const auto named = units_by_name_.find(file_name(path));
      if (named == units_by_name_.end()) continue;
      for (const Unit* const each : named->second) {
        if (ends_with_folders(each->path, path) && all.insert(each).second) open.push_back(each);
      }
    }
  }
  return all;
}

// From the scope outwards, then in the namespaces that the file uses, then wherever there is one of this name alone.
template <typename Found>
std::optional<Found> Program::find(const Table<Found>& table, const Context& context, const std::string& path) const {
  if (path.empty()) return std::nullopt;
  const auto find_full = [&](const std::string& name) -> std::optional<std::optional<Found>> {
    const auto known = table.by_name.find(name);
    if (known == table.by_name.end()) return std::nullopt;
    return nearest(known->second, *context.unit);
  };
  for (std::string scope = context.scope;;) {
    if (const auto found = find_full(join_scopes(scope, path))) return *found;
    if (scope.empty()) break;
    const std::size_t last = scope.rfind("::");
    scope.resize(last == std::string::npos ? 0 : last);
  }
  for (const UsedNamespace& used : context.unit->used) {
    if (const auto found = find_full(join_scopes(used.name, path))) return *found;
  }
  const auto named = table.by_last_part.find(last_part(path));
  if (named == table.by_last_part.end()) return std::nullopt;
  std::optional<std::string_view> only;
  for (const std::string_view name : named->second) {
    if (!ends_with_path(name, path)) continue;
    if (only) return std::nullopt;
    only = name;
  }
  return only ? nearest(table.by_name.at(std::string(*only)), *context.unit) : std::nullopt;
}

std::optional<FoundClass> Program::find_class(const Context& context, const std::string& path) const {
  return find(classes_, context, path);
}
std::optional<FoundFunction> Program::find_function(const Context& context, const std::string& path) const {
  return find(functions_, context, path);
}
std::optional<FoundConstant> Program::find_constant(const Context& context, const std::string& path) const {
  return find(constants_, context, path);
}

std::optional<FoundFunction> Program::function_of(const FoundClass& of, std::string_view name) const {
  const auto found = functions_.by_name.find(join_scopes(of.definition->name, name));
  if (found == functions_.by_name.end()) return std::nullopt;
  return nearest(found->second, *of.unit);
}

std::optional<Program::Meaning> Program::find_alias(const Context& context, const std::string& path) const {
  const std::optional<FoundAlias> found = find(aliases_, context, path);
  if (!found) return std::nullopt;
  Meaning meaning{{found->unit, found->definition->scope, context.types}, found->definition->type};
  // "using BT::SyncActionNode": the name is looked up outside, or it would mean itself.
  std::uint32_t begin = meaning.type.begin;
  if (read_path(*found->unit, begin, meaning.type.end) == path) return std::nullopt;
  return meaning;
}

TypeName Program::type_at(const Context& context, Range range) const {
  const Unit& unit = *context.unit;
  TypeName result;
  std::uint32_t at = range.begin;
  result.path = read_path(unit, at, range.end);
  if (const auto type = context.types.find(result.path); type != context.types.end()) {
    const std::string& text = type->second;
    const std::size_t open = text.find('<');
    result.path = text.substr(0, open);
    if (open != std::string::npos && text.back() == '>') {
      result.arguments.push_back(text.substr(open + 1, text.size() - open - 2));
    }
    return result;
  }
  if (at > range.begin && unit[at - 1].is(">")) {
    std::uint32_t open = at - 1;
    while (open > range.begin && !(unit[open].is("<") && skip_brackets(unit, open, at) == at)) --open;
    for (const Range& part : split_at_commas(unit, {open + 1, at - 1})) {
      result.arguments.push_back(text_of_type(context, part).text);
    }
  }
  return result;
}

namespace {

constexpr std::string_view kPlainTypes[] = {
    "bool",  "char",   "double", "float",  "int",      "int16_t",  "int32_t",  "int64_t", "int8_t",   "long",
    "short", "signed", "size_t", "string", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "unsigned", "void"};
constexpr std::string_view kTypesOfLibrary[] = {"Any", "AnyTypeAllowed", "NodeStatus"};

template <std::size_t kCount>
bool contains(const std::string_view (&words)[kCount], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Members of classes that are types: what they mean is known to their class alone.
bool is_member_type(std::string_view name) {
  return name.size() > 3 && (name.substr(name.size() - 3) == "Ptr" || name.substr(name.size() - 2) == "_t" ||
                             (name.size() > 5 && name.substr(name.size() - 5) == "_type"));
}

// Does a name that begins so name its namespaces from the outermost on? Classes have capitals, and "msg" is within
// others.
bool is_full(std::string_view first) {
  constexpr std::string_view kInner[] = {"action", "msg", "srv"};
  const bool has_capital = first.front() >= 'A' && first.front() <= 'Z';
  return first == "BT" || (!has_capital && !contains(kInner, first));
}

void append_word(std::string_view word, std::string& text) {
  const auto is_part = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  if (!text.empty() && !word.empty() && is_part(text.back()) && is_part(word.front())) text += ' ';
  text += word;
}

}  // namespace

// Of a name that stands for no other one.
void Program::add_name(const Context& context, const std::string& path, int depth, TypeText& to) const {
  if (const std::optional<Meaning> alias = find_alias(context, path); alias && depth < kMaxAliases) {
    add_type(alias->context, alias->type, depth + 1, to);
  } else if (const std::optional<FoundClass> found = find_class(context, path)) {
    append_word(found->definition->name, to.text);
  } else {
    append_word(path, to.text);
    const std::size_t first = path.find("::");
    if (first == std::string::npos) {
      to.is_certain = to.is_certain && (contains(kPlainTypes, path) || contains(kTypesOfLibrary, path));
    } else {
      const std::string outer = path.substr(0, first);
      const std::string_view last = last_part(path);
      const bool is_of_class =
          find_alias(context, outer) || find_class(context, outer) || context.types.count(outer) != 0;
      const bool is_plain = outer == "std" && contains(kPlainTypes, last);
      to.is_certain = to.is_certain && !is_of_class && is_full(outer) && (is_plain || !is_member_type(last));
    }
  }
}

void Program::add_type(const Context& context, Range range, int depth, TypeText& to) const {
  const Unit& unit = *context.unit;
  for (std::uint32_t at = range.begin; at < range.end;) {
    const Token& token = unit[at];
    if (token.is("typename") || token.is("template")) {
      ++at;
    } else if (token.is("const") || token.kind != TokenKind::name) {
      append_word(token.written, to.text);
      ++at;
    } else if (const auto type = context.types.find(token.written); type != context.types.end()) {
      append_word(type->second, to.text);
      if (at + 1 < range.end && unit[at + 1].is("::")) to.is_certain = false;
      ++at;
    } else {
      std::string path(token.written);
      for (++at; at + 1 < range.end && unit[at].is("::") && unit[at + 1].kind == TokenKind::name; at += 2) {
        path += "::" + std::string(unit[at + 1].written);
      }
      add_name(context, path, depth, to);
    }
  }
}

TypeText Program::text_of_type(const Context& context, Range range) const {
  TypeText result;
  add_type(context, range, 0, result);
  return result;
}

}  // namespace espalier::cpp
