// The ports of a class. See ports.h. What a function makes a list of ports of is followed statement by statement; what
// is not understood makes the list one that may have more.
#include "cpp/ports.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "cpp/values.h"

namespace espalier::cpp {

Ports ports_of_base(const BaseRow& base) {
  Ports ports;
  for (const BasePort& each : base.ports) {
    Port port{.name = std::string(each.name), .type = std::string(each.type)};
    port.direction = each.direction;
    port.has_default = each.direction != Direction::output;  // the node does without it
    ports.all.push_back(std::move(port));
  }
  return ports;
}

namespace {

constexpr int kMaxCalls = 8;  // of functions in one another

void set_port(Port port, Ports& to) {
  const auto known =
      std::find_if(to.all.begin(), to.all.end(), [&](const Port& each) { return each.name == port.name; });
  if (known == to.all.end()) to.all.push_back(std::move(port));  // a map keeps the first one
}

void add_ports(Ports more, Ports& to) {
  for (Port& port : more.all) set_port(std::move(port), to);
  if (!to.unread) to.unread = more.unread;
}

class PortsReader {
 public:
  PortsReader(const Program& program, Context context, std::optional<UsedClass> of, Range body, int depth)
      : program_(program),
        unit_(*context.unit),
        context_(std::move(context)),
        of_(std::move(of)),
        body_(body),
        depth_(depth) {}

  void set(std::string_view variable, Ports ports) { lists_[variable] = std::move(ports); }

  // What the function returns.
  Ports returned() {
    run(body_);
    if (result_) return std::move(*result_);
    return unread(body_.begin);
  }

  // The same statements up to the one of the list.
  std::optional<Ports> list_before(Range list) {
    const Range inside = bare(unit_, list);
    if (!inside.is_empty() && unit_[inside.begin].is("{")) {
      const bool has_ports = std::any_of(
          unit_.tokens.all.begin() + inside.begin, unit_.tokens.all.begin() + inside.end, [](const Token& token) {
            return token.is("InputPort") || token.is("OutputPort") || token.is("BidirectionalPort");
          });
      if (!has_ports && inside.end != inside.begin + 2) return std::nullopt;
    }
    if (inside.end == inside.begin + 1) {
      const std::optional<std::uint32_t> begin = declaration_of(unit_[inside.begin].written, inside.begin);
      if (!begin) return std::nullopt;
      run({*begin, inside.begin});
    }
    return this->list(list);
  }

 private:
  text::Span span_of(std::uint32_t token) const {
    const std::uint32_t at = std::min(token, unit_.size() - 1);
    const std::uint32_t begin = unit_[at].begin;
    return {unit_.file, begin, begin + static_cast<std::uint32_t>(unit_[at].written.size())};
  }
  Ports unread(std::uint32_t token) const { return {{}, span_of(token)}; }
  bool is(std::uint32_t at, std::uint32_t end, std::string_view text) const { return at < end && unit_[at].is(text); }

  // Where the last declaration "PortsList name" before a place begins.
  std::optional<std::uint32_t> declaration_of(std::string_view name, std::uint32_t before) const {
    for (std::uint32_t at = before; at-- > body_.begin + 1;) {
      if (!unit_[at].is(name) || !unit_[at - 1].is("PortsList")) continue;
      std::uint32_t begin = at - 1;
      while (begin > body_.begin && (unit_[begin - 1].is("::") || unit_[begin - 1].kind == TokenKind::name)) --begin;
      return begin;
    }
    return std::nullopt;
  }

  // ---- Statements

  void run(Range range) {
    for (std::uint32_t at = range.begin; at < range.end && !result_;) {
      const std::uint32_t end = end_of_statement(at, range.end);
      const Range statement{at, is(end - 1, range.end, ";") ? end - 1 : end};
      if (unit_.has_branch({at, end})) note_unread(statement);
      if (!statement.is_empty()) read_statement(statement);
      at = end;
    }
  }

  static bool is_control(const Token& token) {
    constexpr std::string_view kWords[] = {"for", "if", "while", "switch", "do", "try", "else"};
    return token.kind == TokenKind::name &&
           std::find(std::begin(kWords), std::end(kWords), token.written) != std::end(kWords);
  }

  std::uint32_t end_of_statement(std::uint32_t begin, std::uint32_t end) const {
    std::uint32_t at = begin;
    const bool is_block = is_control(unit_[begin]) || unit_[begin].is("{");
    while (at < end && !unit_[at].is(";")) {
      const bool opens_block = unit_[at].is("{");
      const bool opens = opens_block || unit_[at].is("(") || unit_[at].is("[");
      at = opens ? skip_brackets(unit_, at, end) : at + 1;
      if (opens_block && is_block && !is(at, end, "else") && !is(at, end, "while") && !is(at, end, "catch")) return at;
    }
    return std::min(at + 1, end);
  }

  // What the statement does to lists is not known.
  void note_unread(Range statement) {
    for (std::uint32_t at = statement.begin; at < statement.end; ++at) {
      const auto list = lists_.find(unit_[at].written);
      if (unit_[at].kind == TokenKind::name && list != lists_.end() && !list->second.unread)
        list->second.unread = span_of(at);
      if (unit_[at].is("return") && !may_return_more_) may_return_more_ = span_of(at);
    }
  }

  void read_statement(Range statement) {
    const Token& first = unit_[statement.begin];
    if (first.is("return")) {
      result_ = list({statement.begin + 1, statement.end});
      if (may_return_more_ && !result_->unread) result_->unread = may_return_more_;
    } else if (first.is("{")) {
      run({statement.begin + 1, statement.end - 1});
    } else if (is_control(first)) {
      if (!read_loop(statement)) note_unread(statement);
    } else if (!read_change(statement) && !read_declaration(statement)) {
      note_unread(statement);
    }
  }

  // "for (const auto& port : more) { ports.insert(port); }", also with emplace(port.first, port.second).
  bool read_loop(Range statement) {
    if (!unit_[statement.begin].is("for") || !is(statement.begin + 1, statement.end, "(")) return false;
    const std::uint32_t close = skip_brackets(unit_, statement.begin + 1, statement.end);
    std::uint32_t colon = statement.begin + 2;
    while (colon < close && !unit_[colon].is(":")) ++colon;
    if (colon + 2 >= close || colon + 3 != close || unit_[colon - 1].kind != TokenKind::name) return false;
    const auto more = lists_.find(unit_[colon + 1].written);
    const std::string_view each = unit_[colon - 1].written;
    Range body{close, statement.end};
    if (is(body.begin, body.end, "{")) body = {body.begin + 1, body.end - 1};
    if (is(body.end - 1, body.end, ";")) --body.end;
    if (more == lists_.end() || body.end < body.begin + 6 || !unit_[body.begin + 1].is(".")) return false;
    const auto list = lists_.find(unit_[body.begin].written);
    const bool adds = unit_[body.begin + 2].is("insert") || unit_[body.begin + 2].is("emplace");
    if (list == lists_.end() || !adds || skip_brackets(unit_, body.begin + 3, body.end) != body.end) return false;
    std::string arguments;
    for (std::uint32_t at = body.begin + 4; at + 1 < body.end; ++at) arguments += unit_[at].written;
    const std::string name(each);
    if (arguments != name && arguments != name + ".first," + name + ".second") return false;
    add_ports(more->second, list->second);
    return true;
  }

  // "ports.insert(...)", "ports = ...", "ports["name"] = port.second"
  bool read_change(Range statement) {
    const auto list = lists_.find(unit_[statement.begin].written);
    const std::uint32_t at = statement.begin + 1;
    if (list == lists_.end() || at >= statement.end) return false;
    Ports& ports = list->second;
    if (unit_[at].is("=")) {
      ports = this->list({at + 1, statement.end});
      return true;
    }
    if (unit_[at].is("[")) return read_replacement(statement, ports);
    if (!unit_[at].is(".") || at + 2 >= statement.end || !unit_[at + 2].is("(")) return false;
    const std::string_view what = unit_[at + 1].written;
    const std::uint32_t close = skip_brackets(unit_, at + 2, statement.end);
    if (close != statement.end) return false;
    const std::vector<Range> arguments = split_at_commas(unit_, {at + 3, close - 1});
    if (what == "insert" && arguments.size() == 2) {  // (more.begin(), more.end())
      const Range more = arguments.front();
      const bool is_whole_list =
          more.end > more.begin + 2 && unit_[more.begin + 1].is(".") && is(more.begin + 2, more.end, "begin");
      const auto other = lists_.find(unit_[more.begin].written);
      if (!is_whole_list || other == lists_.end()) return false;
      add_ports(other->second, ports);
      return true;
    }
    if ((what != "insert" && what != "merge" && what != "emplace") || arguments.size() != 1) return false;
    const std::optional<Port> port = item(arguments.front());
    add_ports(port ? Ports{{*port}, {}} : this->list(arguments.front()), ports);
    return true;
  }

  bool read_replacement(Range statement, Ports& ports) {
    const std::uint32_t open = statement.begin + 1;
    const std::uint32_t close = skip_brackets(unit_, open, statement.end);
    const bool takes_second =
        statement.end > close + 3 && unit_[statement.end - 1].is("second") && unit_[statement.end - 2].is(".");
    if (!is(close, statement.end, "=") || !takes_second) return false;
    const std::optional<std::string> name = text_at(program_, context_, body_, {open + 1, close - 1});
    std::optional<Port> port = item({close + 1, statement.end - 2});
    if (!name || !port) return false;
    port->name = *name;
    std::erase_if(ports.all, [&](const Port& each) { return each.name == *name; });
    ports.all.push_back(std::move(*port));
    return true;
  }

  // "BT::PortsList ports = ...", "auto port = BT::InputPort<...>(...)"
  bool read_declaration(Range statement) {
    std::uint32_t at = statement.begin;
    while (at < statement.end && (unit_[at].is("const") || unit_[at].is("static") || unit_[at].is("constexpr"))) ++at;
    std::uint32_t name = at;
    const std::string type = read_path(unit_, name, statement.end);
    while (is(name, statement.end, "&") || is(name, statement.end, "const")) ++name;
    if (type.empty() || name >= statement.end || unit_[name].kind != TokenKind::name) return false;
    const std::string_view variable = unit_[name].written;
    const bool is_list = last_part(type) == "PortsList";
    if (name + 1 == statement.end) {
      if (is_list) lists_[variable] = {};
      return is_list;
    }
    const bool has_equals = unit_[name + 1].is("=");
    const Range value{name + (has_equals ? 2u : 1u), statement.end};
    if (!has_equals && !unit_[name + 1].is("{") && !unit_[name + 1].is("(")) return false;
    if (is_list) {
      const bool is_call = unit_[value.begin].is("(");
      lists_[variable] = list(is_call ? Range{value.begin + 1, value.end - 1} : value);
      return true;
    }
    if (const std::optional<Port> port = item(value)) {
      items_[variable] = *port;
      return true;
    }
    if (type == "auto" && makes_list(value)) lists_[variable] = list(value);
    return lists_.count(variable) != 0 || !mentions_list(value);
  }

  bool mentions_list(Range value) const {
    return std::any_of(
        unit_.tokens.all.begin() + value.begin, unit_.tokens.all.begin() + value.end,
        [&](const Token& token) { return token.kind == TokenKind::name && lists_.count(token.written) != 0; });
  }
  bool makes_list(Range value) const {
    std::uint32_t at = value.begin;
    const std::string path = read_path(unit_, at, value.end);
    const std::string_view name = last_part(path);
    if (name == "PortsList" || name == "providedPorts" || name == "providedBasicPorts") return true;
    if (!is(at, value.end, "(")) return false;
    return (of_ && find_member(program_, *of_, name).function) || program_.find_function(context_, path);
  }

  // ---- Expressions

  Ports list(Range expression) {
    const Range inside = bare(unit_, expression);
    if (inside.is_empty()) return {};
    if (unit_.has_branch(inside)) {
      Ports ports = plain_list(inside);
      if (!ports.unread) ports.unread = span_of(inside.begin);
      return ports;
    }
    return plain_list(inside);
  }

  Ports plain_list(Range inside) {
    if (unit_[inside.begin].is("{")) {
      if (skip_brackets(unit_, inside.begin, inside.end) != inside.end) return unread(inside.begin);
      return items({inside.begin + 1, inside.end - 1});
    }
    if (const std::optional<Port> port = item(inside)) return {{*port}, {}};
    std::uint32_t open = inside.begin;
    const std::string path = read_path(unit_, open, inside.end);
    if (path.empty()) return unread(inside.begin);
    if (open == inside.end) return named(path, inside);
    const bool is_call =
        (unit_[open].is("(") || unit_[open].is("{")) && skip_brackets(unit_, open, inside.end) == inside.end;
    if (!is_call) return unread(inside.begin);
    if (last_part(path) == "PortsList") {
      const Range made{open + 1, inside.end - 1};
      return unit_[open].is("{") ? items(made) : list(made);
    }
    return called(path, inside, split_at_commas(unit_, {open + 1, inside.end - 1}));
  }

  Ports items(Range range) {
    Ports ports;
    for (const Range& part : split_at_commas(unit_, range)) {
      if (part.is_empty()) continue;
      if (std::optional<Port> port = item(part)) {
        set_port(std::move(*port), ports);
      } else if (const bool is_list = unit_[part.begin].is("{"); is_list) {
        add_ports(list(part), ports);
      } else if (!ports.unread) {
        ports.unread = span_of(part.begin);
      }
    }
    return ports;
  }

  Ports named(const std::string& path, Range inside) {
    if (const auto list = lists_.find(path); list != lists_.end()) return list->second;
    const auto constant = program_.find_constant(context_, path);
    if (!constant || depth_ >= kMaxCalls) return unread(inside.begin);
    PortsReader reader(program_, {constant->unit, context_.scope, context_.types}, of_, {}, depth_ + 1);
    return reader.list(constant->value);
  }

  // A function that gives ports: of the class, of one that the path names, or of none.
  Ports called(const std::string& path, Range call, const std::vector<Range>& arguments) {
    const std::string_view name = last_part(path);
    std::optional<UsedClass> in = of_;
    const BaseRow* known = nullptr;
    if (path.size() > name.size()) {
      const Base base = base_at(program_, context_, range_before_name(call));
      in = base.own;
      known = base.known;
    }
    std::optional<FoundFunction> function;
    if (in) {
      const Member member = find_member(program_, *in, name);
      if (member.function) in = member.of;
      function = member.function;
      known = member.known;
    }
    if (function && depth_ < kMaxCalls) return result_of(*function, in, arguments);
    const bool is_of_base = name == "providedPorts" || name == "providedBasicPorts";
    if (!function && (known == nullptr || !is_of_base) && depth_ < kMaxCalls) {
      if (const auto free = program_.find_function(context_, path)) return result_of(*free, std::nullopt, arguments);
    }
    Ports ports;
    for (const Range& argument : arguments) add_ports(list(argument), ports);
    if (known != nullptr && is_of_base && !known->has_other_ports) {
      add_ports(ports_of_base(*known), ports);
      return ports;
    }
    if (!ports.unread) ports.unread = span_of(call.begin);
    return ports;
  }

  // "A::B<C>" of "A::B<C>::name(...)".
  Range range_before_name(Range call) const {
    std::uint32_t last = call.begin;
    for (std::uint32_t at = call.begin; at < call.end && !unit_[at].is("("); ++at) {
      if (unit_[at].is("::")) last = at;
      if (unit_[at].is("<")) at = std::max(skip_brackets(unit_, at, call.end), at + 1) - 1;
    }
    return {call.begin, last};
  }

  Ports result_of(const FoundFunction& function, const std::optional<UsedClass>& in,
                  const std::vector<Range>& arguments) {
    const Context context{function.unit, function.definition->scope, in ? in->context.types : context_.types};
    PortsReader reader(program_, context, in, function.definition->body, depth_ + 1);
    const auto& parameters = function.definition->parameters;
    for (std::size_t i = 0; i < std::min(parameters.size(), arguments.size()); ++i) {
      reader.set(parameters[i], list(arguments[i]));
    }
    return reader.returned();
  }

  // Nothing: it is not a port that can be read.
  std::optional<Port> item(Range expression) {
    const Range inside = bare(unit_, expression);
    if (inside.is_empty()) return std::nullopt;
    std::uint32_t open = inside.begin;
    const std::string path = read_path(unit_, open, inside.end);
    if (open == inside.end) {
      const auto known = items_.find(path);
      return known == items_.end() ? std::nullopt : std::optional(known->second);
    }
    const std::optional<Direction> direction = direction_of(last_part(path));
    if (!direction || !unit_[open].is("(") || skip_brackets(unit_, open, inside.end) != inside.end) return std::nullopt;
    const std::vector<Range> arguments = split_at_commas(unit_, {open + 1, inside.end - 1});
    if (arguments.empty() || arguments.size() > 3) return std::nullopt;
    const std::optional<std::string> name = text_at(program_, context_, body_, arguments.front());
    if (!name || name->empty()) return std::nullopt;
    Port port{.name = *name, .type = type_of_port({inside.begin, open}), .direction = *direction};
    port.span = span_of(arguments.front().begin);
    if (arguments.size() == 3) {
      port.has_default = true;
      port.otherwise = value_at(program_, context_, body_, arguments[1]);
    }
    if (arguments.size() > 1) port.doc = text_at(program_, context_, body_, arguments.back()).value_or("");
    return port;
  }

  static std::optional<Direction> direction_of(std::string_view name) {
    if (name == "InputPort") return Direction::input;
    if (name == "OutputPort") return Direction::output;
    if (name == "BidirectionalPort") return Direction::inout;
    return std::nullopt;
  }

  // `made`: "BT::InputPort<int>".
  std::string type_of_port(Range made) const {
    std::uint32_t open = made.begin;
    while (open < made.end && !unit_[open].is("<")) ++open;
    if (open == made.end) return {};
    TypeText type = program_.text_of_type(context_, {open + 1, made.end - 1});
    return type.is_certain ? std::move(type.text) : std::string();
  }

  const Program& program_;
  const Unit& unit_;
  Context context_;
  std::optional<UsedClass> of_;
  Range body_;
  int depth_;
  std::map<std::string_view, Ports, std::less<>> lists_;
  std::map<std::string_view, Port, std::less<>> items_;
  std::optional<Ports> result_;
  std::optional<text::Span> may_return_more_;  // a return of which it is not known when it comes
};

text::Span span_of_class(const UsedClass& of) {
  const Token& name = (*of.found.unit)[of.found.definition->begin];
  return {of.found.unit->file, name.begin, name.begin + static_cast<std::uint32_t>(name.written.size())};
}

}  // namespace

Ports ports_of(const Program& program, const UsedClass& of) {
  const Member member = find_member(program, of, "providedPorts");
  if (member.function) {
    const Context context{member.function->unit, member.function->definition->scope, member.of->context.types};
    // Names are looked up in the class itself, even if the function stands outside.
    return PortsReader(program, context, member.of, member.function->definition->body, 0).returned();
  }
  Ports ports;
  if (member.known != nullptr) ports = ports_of_base(*member.known);
  const bool may_have_more = member.known != nullptr ? member.known->has_other_ports : member.may_be_elsewhere;
  if (may_have_more) ports.unread = span_of_class(of);
  return ports;
}

std::optional<Ports> ports_at(const Program& program, const Context& context, const std::optional<UsedClass>& of,
                              Range body, Range list) {
  return PortsReader(program, context, of, body, 0).list_before(list);
}

}  // namespace espalier::cpp
