// Classes as they are used. See classes.h.
#include "cpp/classes.h"

#include <algorithm>
#include <cstddef>

namespace espalier::cpp {
namespace {

constexpr int kMaxLevels = 16;  // of bases, and of names that mean one another

std::optional<UsedClass> class_named(const Program& program, const Context& context, const TypeName& type) {
  const std::optional<FoundClass> found = program.find_class(context, type.path);
  if (!found) return std::nullopt;
  UsedClass used{*found, {found->unit, found->definition->name, {}}};
  const std::vector<std::string_view>& parameters = found->definition->parameters;
  for (std::size_t i = 0; i < std::min(parameters.size(), type.arguments.size()); ++i) {
    used.context.types.emplace(parameters[i], type.arguments[i]);
  }
  return used;
}

// What is known of a class of the library or of Nav2 that is among the sources, such as a copy of them; null: nothing.
const BaseRow* find_copy(const UsedClass& of) {
  const std::string_view name = of.found.definition->name;
  const bool is_copy = name.starts_with("BT::") || name.starts_with("nav2_behavior_tree::");
  return is_copy ? find_base(last_part(name)) : nullptr;
}

// Of the kinds of several bases, the first that is known.
Kind kind_of(const Program& program, const UsedClass& of, int level) {
  for (const Base& base : bases_of(program, of)) {
    const BaseRow* const known = base.own ? find_copy(*base.own) : base.known;
    if (known != nullptr) return known->kind;
    if (!base.own || level >= kMaxLevels) continue;
    if (const Kind kind = kind_of(program, *base.own, level + 1); kind != Kind::unknown) return kind;
  }
  return Kind::unknown;
}

const BaseRow* find_namesake(const Program& program, const UsedClass& of, int level) {
  for (const Base& base : bases_of(program, of)) {
    if (base.known != nullptr) return base.known;
    if (!base.own || level >= kMaxLevels) continue;
    if (const BaseRow* const known = find_base(last_part(base.own->found.definition->name))) return known;
    if (const BaseRow* const known = find_namesake(program, *base.own, level + 1)) return known;
  }
  return nullptr;
}

Member find_member(const Program& program, const UsedClass& of, std::string_view name, int level) {
  if (const auto function = program.function_of(of.found, name)) return {of, function, nullptr, false};
  Member result;
  for (const Base& base : bases_of(program, of)) {
    if (base.own && level < kMaxLevels) {
      const Member found = find_member(program, *base.own, name, level + 1);
      if (found.function || found.known != nullptr) return found;
      result.may_be_elsewhere = result.may_be_elsewhere || found.may_be_elsewhere;
    } else if (base.known != nullptr) {
      result.known = base.known;
      return result;
    } else {
      result.may_be_elsewhere = true;
    }
  }
  return result;
}

}  // namespace

std::optional<UsedClass> class_at(const Program& program, const Context& context, Range type) {
  Context in = context;
  Range meant = type;
  for (int i = 0; i < kMaxLevels; ++i) {
    const TypeName name = program.type_at(in, meant);
    if (const auto used = class_named(program, in, name)) return used;
    const auto alias = program.find_alias(in, name.path);
    if (!alias) return std::nullopt;
    in = alias->context;
    meant = alias->type;
  }
  return std::nullopt;
}

Base base_at(const Program& program, const Context& context, Range type) {
  Base base;
  base.own = class_at(program, context, type);
  if (base.own) return base;
  Context in = context;
  Range meant = type;
  for (int i = 0; i < kMaxLevels; ++i) {
    const TypeName name = program.type_at(in, meant);
    base.known = find_base(last_part(name.path));
    // A wrapper of another package around a class that is known: SharedResourcesNode<BT::SyncActionNode>.
    if (base.known == nullptr && name.arguments.size() == 1) {
      const std::string& argument = name.arguments.front();
      base.known = find_base(last_part(std::string_view(argument).substr(0, argument.find('<'))));
    }
    if (base.known != nullptr) break;
    const auto alias = program.find_alias(in, name.path);
    if (!alias) break;
    in = alias->context;
    meant = alias->type;
  }
  return base;
}

std::vector<Base> bases_of(const Program& program, const UsedClass& of) {
  // A class is not looked up in itself, since it may have the name of its base.
  Context outside = of.context;
  const std::size_t last = outside.scope.rfind("::");
  outside.scope.resize(last == std::string::npos ? 0 : last);
  std::vector<Base> bases;
  for (const Range& base : of.found.definition->bases) {
    Base found = base_at(program, outside, base);
    if (found.own && found.own->found.definition == of.found.definition) found.own.reset();
    bases.push_back(std::move(found));
  }
  return bases;
}

Kind kind_of(const Program& program, const UsedClass& of) { return kind_of(program, of, 0); }

const BaseRow* find_namesake(const Program& program, const UsedClass& of) { return find_namesake(program, of, 0); }

Member find_member(const Program& program, const UsedClass& of, std::string_view name) {
  return find_member(program, of, name, 0);
}

}  // namespace espalier::cpp
