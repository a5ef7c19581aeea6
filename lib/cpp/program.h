// All C++ sources that are read together: what a name means in a scope of one of them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cpp/unit.h"

namespace espalier::cpp {

// A place where names are looked up: in which unit and scope. The types that a template is used with replace the names
// of its parameters.
struct Context {
  const Unit* unit = nullptr;
  std::string scope = {};
  std::map<std::string_view, std::string> types = {};
};

struct FoundClass {
  const Unit* unit = nullptr;
  const Class* definition = nullptr;
};
struct FoundFunction {
  const Unit* unit = nullptr;
  const Function* definition = nullptr;
};
struct FoundConstant {
  const Unit* unit = nullptr;
  Range value;
};

// The name of a type as it is written in a context.
struct TypeName {
  std::string path;                    // without arguments of templates: "nav2_behavior_tree::BtActionNode"
  std::vector<std::string> arguments;  // of its last part, as text
};

// A type without blanks but where they are needed. "using" names and parameters of templates are replaced by what they
// mean, and classes have their scopes.
struct TypeText {
  std::string text;
  bool is_certain = true;
};

class Program {
 public:
  // The units must outlive this.
  explicit Program(const std::deque<Unit>& units);

  [[nodiscard]] TypeName type_at(const Context& context, Range range) const;
  // Where the sources do not say which type a name means, as with "Action::Result", `is_certain` is false.
  [[nodiscard]] TypeText text_of_type(const Context& context, Range range) const;

  // Nothing: it is not there, or it is not known which of several is meant.
  [[nodiscard]] std::optional<FoundClass> find_class(const Context& context, const std::string& path) const;
  [[nodiscard]] std::optional<FoundFunction> find_function(const Context& context, const std::string& path) const;
  [[nodiscard]] std::optional<FoundConstant> find_constant(const Context& context, const std::string& path) const;
  // Null: there is none without parameters, or several are different.
  [[nodiscard]] const Macro* find_macro(std::string_view name) const;
  // The function of a class by its full name; nothing: it has none of this name.
  [[nodiscard]] std::optional<FoundFunction> function_of(const FoundClass& of, std::string_view name) const;
  // What a "using" name of a type means: its type and the context of that. Nothing: it is none.
  struct Meaning {
    Context context;
    Range type;
  };
  [[nodiscard]] std::optional<Meaning> find_alias(const Context& context, const std::string& path) const;

 private:
  template <typename Found>
  struct Table {
    std::unordered_map<std::string, std::vector<Found>> by_name;
    std::unordered_map<std::string_view, std::vector<std::string_view>> by_last_part;  // full names
  };
  struct FoundAlias {
    const Unit* unit = nullptr;
    const Alias* definition = nullptr;
  };

  void add_name(const Context& context, const std::string& path, int depth, TypeText& to) const;
  void add_type(const Context& context, Range range, int depth, TypeText& to) const;
  template <typename Found>
  static void add(Table<Found>& table, const std::string& name, Found found);
  template <typename Found>
  std::optional<Found> find(const Table<Found>& table, const Context& context, const std::string& path) const;
  template <typename Found>
  std::optional<Found> nearest(const std::vector<Found>& all, const Unit& unit) const;
  [[nodiscard]] const std::set<const Unit*>& included_by(const Unit& unit) const;

  std::unordered_map<std::string_view, std::vector<const Unit*>> units_by_name_;  // of the file, without folders
  mutable std::map<const Unit*, std::set<const Unit*>> included_;                 // through others too; once asked for
  Table<FoundClass> classes_;
  Table<FoundFunction> functions_;
  Table<FoundConstant> constants_;
  Table<FoundAlias> aliases_;
  std::map<std::string_view, const Macro*> macros_;  // without parameters; null: there are several
};

}  // namespace espalier::cpp
