// What a C++ source file defines. See unit.h. Statements of namespaces and classes are read one by one; what is in
// functions is left to those who look into them.
#include "cpp/unit.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

namespace espalier::cpp {

bool Unit::has_branch(Range range) const {
  const auto first = std::upper_bound(tokens.branches.begin(), tokens.branches.end(), range.begin);
  return first != tokens.branches.end() && *first < range.end;
}

const Function* Unit::function_at(std::uint32_t token) const {
  const auto after = std::upper_bound(functions.begin(), functions.end(), token,
                                      [](std::uint32_t at, const Function& each) { return at < each.body.begin; });
  if (after == functions.begin()) return nullptr;
  const Function& before = *std::prev(after);
  return token < before.body.end ? &before : nullptr;
}

std::string Unit::scope_at(std::uint32_t token) const {
  if (const Function* const function = function_at(token)) return function->scope;
  const Scope* innermost = nullptr;
  for (const Scope& scope : scopes) {
    if (scope.inside.begin <= token && token < scope.inside.end) innermost = &scope;
  }
  return innermost == nullptr ? std::string() : innermost->name;
}

std::uint32_t skip_brackets(const Unit& unit, std::uint32_t open, std::uint32_t end) {
  const bool is_template = unit[open].is("<");
  std::uint32_t angles = 0;
  std::uint32_t depth = 0;
  for (std::uint32_t at = open; at < end; ++at) {
    const Token& token = unit[at];
    if (token.kind != TokenKind::mark) continue;
    const char c = token.written[0];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') {
      if (depth == 0) return is_template ? open : at;
      --depth;
    }
    if (is_template && depth == 0) {
      if (c == ';') return open;
      if (c == '<') ++angles;
      if (c == '>' && --angles == 0) return at + 1;
    }
    if (!is_template && depth == 0) return at + 1;
  }
  return is_template ? open : end;
}

std::vector<Range> split_at_commas(const Unit& unit, Range range) {
  std::vector<Range> parts;
  std::uint32_t begin = range.begin;
  for (std::uint32_t at = range.begin; at < range.end;) {
    const Token& token = unit[at];
    const bool opens = token.is("(") || token.is("[") || token.is("{");
    const bool may_open = token.is("<") && at > range.begin && unit[at - 1].kind == TokenKind::name;
    if (token.is(",")) {
      parts.push_back({begin, at});
      begin = at + 1;
    }
    const std::uint32_t next = opens || may_open ? skip_brackets(unit, at, range.end) : at;
    at = std::max(next, at + 1);
  }
  if (begin < range.end) parts.push_back({begin, range.end});
  return parts;
}

std::string read_path(const Unit& unit, std::uint32_t& begin, std::uint32_t end) {
  std::string path;
  std::uint32_t at = begin;
  if (at < end && unit[at].is("::")) ++at;
  while (at < end && unit[at].kind == TokenKind::name) {
    if (unit[at].is("typename") || unit[at].is("const") || unit[at].is("template")) {
      ++at;
      continue;
    }
    path += (path.empty() ? "" : "::") + std::string(unit[at++].written);
    if (at < end && unit[at].is("<")) at = skip_brackets(unit, at, end);
    if (at >= end || !unit[at].is("::")) break;
    ++at;
  }
  begin = at;
  return path;
}

std::string_view last_part(std::string_view path) {
  const std::size_t last = path.rfind("::");
  return last == std::string_view::npos ? path : path.substr(last + 2);
}

std::string join_scopes(std::string_view scope, std::string_view name) {
  if (scope.empty()) return std::string(name);
  return std::string(scope) + "::" + std::string(name);
}

namespace {

constexpr std::uint32_t kMaxDepth = 200;  // of namespaces and classes in one another

class UnitReader {
 public:
  explicit UnitReader(Unit& unit) : unit_(unit) {}

  void read() {
    while (at_ < unit_.size()) {
      read_scope("", 0);
      ++at_;  // a brace that nothing opened
    }
  }

 private:
  bool is(std::string_view text) const { return is_at(at_, text); }
  bool is_at(std::uint32_t at, std::string_view text) const { return at < unit_.size() && unit_[at].is(text); }

  // To the brace that closes it.
  void read_scope(const std::string& scope, std::uint32_t depth) {
    types_.clear();
    while (at_ < unit_.size() && !is("}")) read_statement(scope, depth);
  }

  void read_statement(const std::string& scope, std::uint32_t depth) {
    if (is(";") || is(":")) {
      ++at_;
    } else if (is("template")) {
      read_template();
    } else if (is("namespace") || (is("inline") && is_at(at_ + 1, "namespace"))) {
      read_namespace(scope, depth);
    } else if (is("using")) {
      read_using(scope);
    } else if (is("typedef")) {
      read_typedef(scope);
    } else if ((is("public") || is("private") || is("protected")) && is_at(at_ + 1, ":")) {
      at_ += 2;
    } else if (is("enum")) {
      read_enum(scope);
    } else if (!((is("class") || is("struct")) && read_class(scope, depth))) {
      read_other(scope, depth);
    }
  }

  // "template <typename T, class U = V>": what follows has these parameters.
  void read_template() {
    ++at_;
    types_.clear();
    if (!is("<")) return;
    const std::uint32_t end = skip_brackets(unit_, at_, unit_.size());
    if (end == at_) return;
    for (const Range& part : split_at_commas(unit_, {at_ + 1, end - 1})) {
      std::uint32_t name = part.end;
      for (std::uint32_t at = part.begin; at < part.end && !unit_[at].is("="); ++at) {
        if (unit_[at].kind == TokenKind::name) name = at;
      }
      types_.push_back(name < part.end ? unit_[name].written : std::string_view());
    }
    at_ = end;
  }

  void read_namespace(const std::string& scope, std::uint32_t depth) {
    while (at_ < unit_.size() && !is("namespace")) ++at_;
    ++at_;
    while (is("[")) at_ = skip_brackets(unit_, at_, unit_.size());
    std::string inner = scope;
    while (at_ < unit_.size() && (unit_[at_].kind == TokenKind::name || is("::"))) {
      if (unit_[at_].kind == TokenKind::name && !is("inline")) inner = join_scopes(inner, unit_[at_].written);
      ++at_;
    }
    if (is("=")) {  // another name of a namespace
      const std::uint32_t begin = ++at_;
      skip_statement();
      unit_.aliases.push_back({inner, scope, {begin, at_}});
      return;
    }
    if (!is("{")) return skip_statement();
    read_braces(inner, depth);
  }

  void read_braces(const std::string& scope, std::uint32_t depth) {
    if (depth >= kMaxDepth) {
      at_ = skip_brackets(unit_, at_, unit_.size());
      return;
    }
    const std::size_t number = unit_.scopes.size();
    unit_.scopes.push_back({scope, {++at_, 0}});
    read_scope(scope, depth + 1);
    unit_.scopes[number].inside.end = at_++;
  }

  // To the semicolon, or to a brace that closes more than the statement opens.
  void skip_statement() {
    while (at_ < unit_.size() && !is(";") && !is("}")) {
      const bool opens = is("(") || is("[") || is("{");
      at_ = opens ? skip_brackets(unit_, at_, unit_.size()) : at_ + 1;
    }
  }

  void read_using(const std::string& scope) {
    ++at_;
    const bool is_namespace = is("namespace");
    if (is_namespace) ++at_;
    const std::uint32_t begin = at_;
    skip_statement();
    const Range all{begin, at_};
    if (is_namespace) {
      std::uint32_t name = begin;
      unit_.used.push_back({scope, read_path(unit_, name, at_)});
    } else if (all.end > all.begin + 2 && unit_[begin + 1].is("=")) {
      unit_.aliases.push_back({join_scopes(scope, unit_[begin].written), scope, {begin + 2, at_}});
    } else if (!all.is_empty() && unit_[at_ - 1].kind == TokenKind::name) {
      unit_.aliases.push_back({join_scopes(scope, unit_[at_ - 1].written), scope, all});
    }
  }

  void read_typedef(const std::string& scope) {
    const std::uint32_t begin = ++at_;
    skip_statement();
    if (at_ < begin + 2 || unit_[at_ - 1].kind != TokenKind::name) return;
    unit_.aliases.push_back({join_scopes(scope, unit_[at_ - 1].written), scope, {begin, at_ - 1}});
  }

  void read_enum(const std::string& scope) {
    ++at_;
    if (is("class") || is("struct")) ++at_;
    if (at_ < unit_.size() && unit_[at_].kind == TokenKind::name) {
      unit_.classes.push_back({join_scopes(scope, unit_[at_].written), at_, {}, {}});
    }
    skip_statement();
  }

  // False: it is not the definition of a class.
  bool read_class(const std::string& scope, std::uint32_t depth) {
    std::uint32_t at = at_ + 1;
    std::optional<std::uint32_t> name;
    while (at < unit_.size()) {
      const Token& token = unit_[at];
      if (token.is("[") || token.is("(")) {  // attributes, and macros that stand for some
        at = skip_brackets(unit_, at, unit_.size());
      } else if (token.is("<")) {  // a specialization
        const std::uint32_t end = skip_brackets(unit_, at, unit_.size());
        if (end == at) return false;
        at = end;
      } else if (token.kind == TokenKind::name) {
        if (!token.is("final") && !token.is("alignas")) name = at;
        ++at;
      } else if (token.is("::")) {
        ++at;
      } else {
        break;
      }
    }
    if (!name || at >= unit_.size() || (!unit_[at].is("{") && !unit_[at].is(":"))) return false;
    Class found;
    found.name = join_scopes(scope, unit_[*name].written);
    found.begin = *name;
    found.parameters = std::exchange(types_, {});
    if (unit_[at].is(":")) at = read_bases(at + 1, found);
    if (at >= unit_.size() || !unit_[at].is("{")) return false;
    const std::string inner = found.name;
    unit_.classes.push_back(std::move(found));
    at_ = at;
    read_braces(inner, depth);
    skip_statement();
    return true;
  }

  // Returns where its braces open.
  std::uint32_t read_bases(std::uint32_t begin, Class& of) const {
    std::uint32_t end = begin;
    while (end < unit_.size() && !unit_[end].is("{") && !unit_[end].is(";")) {
      const bool opens = unit_[end].is("<") || unit_[end].is("(");
      end = std::max(opens ? skip_brackets(unit_, end, unit_.size()) : end, end + 1);
    }
    for (Range base : split_at_commas(unit_, {begin, end})) {
      const auto is_word = [&](const Token& token) {
        return token.is("public") || token.is("private") || token.is("protected") || token.is("virtual");
      };
      while (!base.is_empty() && is_word(unit_[base.begin])) ++base.begin;
      if (!base.is_empty()) of.bases.push_back(base);
    }
    return end;
  }

  // A declaration of functions and variables, or the definition of one.
  void read_other(const std::string& scope, std::uint32_t depth) {
    const std::uint32_t begin = at_;
    std::optional<std::uint32_t> parentheses;  // the first ones
    std::optional<std::uint32_t> equals;
    while (at_ < unit_.size() && !is(";") && !is("}")) {
      if (is("(")) {
        if (!parentheses && !equals) parentheses = at_;
        at_ = skip_brackets(unit_, at_, unit_.size());
        if (begins_declaration(at_)) return;  // before it was the use of a macro
      } else if (is("[")) {
        at_ = skip_brackets(unit_, at_, unit_.size());
      } else if (is("=") && !equals && !is_operator(at_)) {
        equals = at_++;
      } else if (is("{")) {
        if (!equals && parentheses && !is_initializer(at_)) return read_function(scope, *parentheses, begin);
        if (!equals && !parentheses && is_text_before(begin)) return read_braces(scope, depth);  // extern "C"
        at_ = skip_brackets(unit_, at_, unit_.size());
      } else {
        ++at_;
      }
    }
    if (!parentheses) read_constant(scope, {begin, at_}, equals);
    types_.clear();
  }

  // Names behind parentheses that do not belong to what is before them: "MACRO(x) static PortsList providedPorts()".
  bool begins_declaration(std::uint32_t at) const {
    constexpr std::string_view kWordsOfFunctions[] = {"const",   "override", "final", "noexcept", "volatile",
                                                      "mutable", "requires", "try",   "throw",    "__attribute__"};
    if (at + 1 >= unit_.size() || unit_[at].kind != TokenKind::name) return false;
    if (std::find(std::begin(kWordsOfFunctions), std::end(kWordsOfFunctions), unit_[at].written) !=
        std::end(kWordsOfFunctions))
      return false;
    return unit_[at + 1].kind == TokenKind::name || unit_[at + 1].is("::");
  }

  bool is_operator(std::uint32_t at) const { return at > 0 && unit_[at - 1].is("operator"); }
  bool is_text_before(std::uint32_t begin) const { return at_ > begin && unit_[at_ - 1].is_text(); }

  // In "Door() : name_{1}, size_(2) {": the braces behind a name. Names and words like "const" and "override" differ in
  // what stands before them.
  bool is_initializer(std::uint32_t brace) const {
    const Token& before = unit_[brace - 1];
    if (before.kind != TokenKind::name && !before.is(">")) return false;
    std::uint32_t at = brace - 1;
    while (at > 0 && !unit_[at].is(",") && !unit_[at].is(":") && !unit_[at].is(")")) --at;
    return unit_[at].is(",") || unit_[at].is(":");
  }

  void read_function(const std::string& scope, std::uint32_t open, std::uint32_t begin) {
    const std::uint32_t end = skip_brackets(unit_, at_, unit_.size());
    Function function;
    function.body = {at_ + 1, end > at_ + 1 && is_at(end - 1, "}") ? end - 1 : end};
    at_ = end;
    const std::string path = path_before(open, begin);
    function.name = join_scopes(scope, path);
    const std::size_t last = path.rfind("::");
    function.scope = last == std::string::npos ? scope : join_scopes(scope, path.substr(0, last));
    for (const Range& part : split_at_commas(unit_, {open + 1, skip_brackets(unit_, open, end) - 1})) {
      std::string_view name;
      for (std::uint32_t at = part.begin; at < part.end && !unit_[at].is("="); ++at) {
        if (unit_[at].kind == TokenKind::name) name = unit_[at].written;
      }
      function.parameters.push_back(name);
    }
    function.types = std::exchange(types_, {});
    unit_.functions.push_back(std::move(function));
  }

  // The name before its parentheses: "Moor::providedPorts".
  std::string path_before(std::uint32_t open, std::uint32_t begin) const {
    std::uint32_t at = open;
    while (at > begin) {
      const Token& token = unit_[at - 1];
      if (token.is(">")) {
        std::uint32_t angle = at - 1;
        while (angle > begin && !(unit_[angle].is("<") && skip_brackets(unit_, angle, at) == at)) --angle;
        if (angle == begin) break;
        at = angle;
      } else if (token.kind != TokenKind::name && !token.is("::")) {
        break;
      } else if (token.kind == TokenKind::name && at < open && unit_[at].kind == TokenKind::name) {
        break;  // the name of the type that it returns
      } else {
        --at;
      }
    }
    return read_path(unit_, at, open);
  }

  // "static constexpr const char* kName = ..."; also "std::string name{...}" and "char name[] = ...".
  void read_constant(const std::string& scope, Range all, std::optional<std::uint32_t> equals) {
    std::uint32_t end = equals.value_or(all.end);
    Range value{end + 1, all.end};
    if (!equals) {
      for (end = all.begin; end < all.end && !unit_[end].is("{"); ++end) {
      }
      if (end == all.end) return;
      value = {end + 1, skip_brackets(unit_, end, all.end) - 1};
    }
    while (end > all.begin && unit_[end - 1].is("]")) {
      while (end > all.begin && !unit_[end - 1].is("[")) --end;
      if (end > all.begin) --end;
    }
    if (end < all.begin + 2 || unit_[end - 1].kind != TokenKind::name || value.is_empty()) return;
    std::string name(unit_[end - 1].written);
    for (std::uint32_t at = end - 1; at >= all.begin + 2 && unit_[at - 1].is("::"); at -= 2) {
      name = std::string(unit_[at - 2].written) + "::" + name;
    }
    unit_.constants.push_back({join_scopes(scope, name), value});
  }

  Unit& unit_;
  std::uint32_t at_ = 0;
  std::vector<std::string_view> types_;  // of the template whose declaration follows
};

}  // namespace

Unit read_unit(Tokens tokens, text::FileId file, std::string_view path) {
  Unit unit;
  unit.file = file;
  unit.path = path;
  unit.tokens = std::move(tokens);
  UnitReader(unit).read();
  return unit;
}

}  // namespace espalier::cpp
