// Which nodes sources register. See nodes.h.
#include "cpp/nodes.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "cpp/optional_ports.h"
#include "cpp/values.h"

namespace espalier::cpp {
namespace {

constexpr int kMaxExpansions = 4;  // of macros in one another

struct SimpleNode {
  std::string_view function;
  Kind kind;
};
constexpr SimpleNode kSimpleNodes[] = {{"registerSimpleAction", Kind::sync_action},
                                       {"registerSimpleCondition", Kind::condition},
                                       {"registerSimpleDecorator", Kind::decorator}};

// Functions of the library and of its wrapper for ROS that register something else.
constexpr std::string_view kOtherRegistrations[] = {"registerScriptingEnum", "registerScriptingEnums",
                                                    "register_ros_msg", "RegisterJsonDefinition",
                                                    "registerJsonDefinition"};

// They load plug-ins: functions, and a program of the wrapper for ROS from which others derive.
constexpr std::string_view kLoaders[] = {"registerFromPlugin", "registerFromROSPlugins"};
constexpr std::string_view kLoadingProgram = "TreeExecutionServer";

template <typename T, std::size_t kCount>
bool contains(const T (&all)[kCount], std::string_view wanted) {
  return std::find(std::begin(all), std::end(all), wanted) != std::end(all);
}

bool registers(std::string_view name) {
  return name == "registerNodeType" || name == "registerBuilder" || name == "CreateRosNodePlugin" ||
         std::any_of(std::begin(kSimpleNodes), std::end(kSimpleNodes),
                     [&](const SimpleNode& each) { return each.function == name; });
}

// "registerBehavior", "RegisterRosNode", "register_node": functions of packages around registerNodeType().
bool may_register(std::string_view name) {
  const bool begins_so = name.substr(0, 8) == "register" || name.substr(0, 8) == "Register";
  return begins_so && !contains(kOtherRegistrations, name);
}

// ---- Macros that register nodes

using MacrosInUse = std::map<std::string_view, const Macro*>;

MacrosInUse macros_with_nodes(const std::deque<Tokens>& all) {
  MacrosInUse result;
  bool is_new = true;
  for (int i = 0; i < kMaxExpansions && is_new; ++i) {
    is_new = false;
    for (const Tokens& tokens : all) {
      for (const auto& [name, macro] : tokens.macros) {
        const auto matters = [&](const Token& token) {
          return token.kind == TokenKind::name &&
                 (registers(token.written) || token.is("providedPorts") || result.count(token.written) != 0);
        };
        if (!std::any_of(macro.body.begin(), macro.body.end(), matters)) continue;
        is_new = result.emplace(name, &macro).second || is_new;
      }
    }
  }
  return result;
}

// The arguments of a macro at its parenthesis, behind which `at` is afterwards.
std::vector<std::vector<Token>> arguments_at(const std::vector<Token>& tokens, std::size_t& at) {
  std::vector<std::vector<Token>> arguments(1);
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    const bool opens = token.is("(") || token.is("{") || token.is("[");
    const bool closes = token.is(")") || token.is("}") || token.is("]");
    depth += opens ? 1 : closes ? -1 : 0;
    if (depth == 0) break;
    if (depth == 1 && opens) continue;
    if (depth == 1 && token.is(",")) {
      arguments.emplace_back();
    } else {
      arguments.back().push_back(token);
    }
  }
  at = std::min(at + 1, tokens.size());
  return arguments;
}

void expand_macros(const MacrosInUse& macros, Tokens& tokens, std::deque<std::string>& made) {
  for (int i = 0; i < kMaxExpansions; ++i) {
    const auto is_use = [&](const Token& token) {
      return token.kind == TokenKind::name && macros.count(token.written) != 0;
    };
    if (std::none_of(tokens.all.begin(), tokens.all.end(), is_use)) return;
    std::vector<Token> result;
    std::vector<std::uint32_t> branches;
    auto branch = tokens.branches.begin();
    for (std::size_t at = 0; at < tokens.all.size();) {
      for (; branch != tokens.branches.end() && *branch <= at; ++branch)
        branches.push_back(static_cast<std::uint32_t>(result.size()));
      const Token& token = tokens.all[at];
      const auto found = token.kind == TokenKind::name ? macros.find(token.written) : macros.end();
      const bool is_called = found != macros.end() && (!found->second->has_parameters ||
                                                       (at + 1 < tokens.all.size() && tokens.all[at + 1].is("(")));
      if (!is_called) {
        result.push_back(token);
        ++at;
        continue;
      }
      std::vector<std::vector<Token>> arguments;
      ++at;
      if (found->second->has_parameters) arguments = arguments_at(tokens.all, at);
      const std::vector<Token> expanded = expand(*found->second, arguments, token.begin, made);
      result.insert(result.end(), expanded.begin(), expanded.end());
    }
    for (; branch != tokens.branches.end(); ++branch) branches.push_back(static_cast<std::uint32_t>(result.size()));
    tokens.all = std::move(result);
    tokens.branches = std::move(branches);
  }
}

// ---- Registrations

class NodeFinder {
 public:
  explicit NodeFinder(const std::deque<Unit>& units) : units_(units), program_(units) {}

  Nodes find() {
    for (const Unit& unit : units_) find_wrappers(unit);
    for (const Unit& unit : units_) {
      find_loading_programs(unit);
      for (std::uint32_t at = 0; at + 1 < unit.size(); ++at) {
        if (unit[at].kind == TokenKind::name) look(unit, at);
      }
    }
    for (auto& [id, node] : nodes_) result_.all.push_back(std::move(node));
    return std::move(result_);
  }

 private:
  struct Call {
    const Unit* unit;
    std::uint32_t at;  // its name
    std::optional<Range> type;
    std::vector<Range> arguments;
    Context context;
    Range body;  // of the function around it
    const Function* function;
  };

  // Function templates that register a class which they are given.
  void find_wrappers(const Unit& unit) {
    for (const Function& function : unit.functions) {
      if (function.types.empty()) continue;
      for (std::uint32_t at = function.body.begin; at < function.body.end; ++at) {
        if (unit[at].kind != TokenKind::name || !registers(unit[at].written)) continue;
        const std::size_t last = function.name.rfind("::");
        wrappers_.insert(last == std::string::npos ? function.name : function.name.substr(last + 2));
      }
    }
  }

  void find_loading_programs(const Unit& unit) {
    for (const Class& each : unit.classes) {
      for (const Range& base : each.bases) {
        std::uint32_t at = base.begin;
        if (last_part(read_path(unit, at, base.end)) == kLoadingProgram) note_loader(unit, each.begin);
      }
    }
  }

  void note_loader(const Unit& unit, std::uint32_t at) {
    result_.has_other_ids = true;
    note(unit, {at, at + 1}, "the nodes of plug-ins are registered here, which may be in other packages");
  }

  void look(const Unit& unit, std::uint32_t at) {
    const std::string_view name = unit[at].written;
    if (contains(kLoaders, name) && call_at(unit, at)) return note_loader(unit, at);
    const bool is_known = registers(name);
    if (!is_known && !may_register(name) && wrappers_.count(name) == 0) return;
    const std::optional<Call> call = call_at(unit, at);
    if (!call || is_in_wrapper(*call) || is_in_library(*call)) return;
    if (name == "CreateRosNodePlugin") {
      if (call->arguments.size() == 2) add_class(*call, call->arguments[0], call->arguments[1], std::nullopt);
    } else if (const auto* simple = std::find_if(std::begin(kSimpleNodes), std::end(kSimpleNodes),
                                                 [&](const SimpleNode& each) { return each.function == name; });
               simple != std::end(kSimpleNodes)) {
      add_simple(*call, simple->kind);
    } else if (is_known) {
      add_typed(*call);
    } else if (call->type) {
      add_wrapped(*call);
    }
  }

  // "name<T>(...)" or "name(...)"; not where it is declared or defined.
  std::optional<Call> call_at(const Unit& unit, std::uint32_t at) const {
    Call call{&unit, at, {}, {}, {&unit, unit.scope_at(at), {}}, {}, unit.function_at(at)};
    std::uint32_t open = at + 1;
    if (unit[open].is("<")) {
      const std::uint32_t end = skip_brackets(unit, open, unit.size());
      if (end == open) return std::nullopt;
      call.type = Range{open + 1, end - 1};
      open = end;
    }
    if (open >= unit.size() || !unit[open].is("(")) return std::nullopt;
    const std::uint32_t close = skip_brackets(unit, open, unit.size());
    call.arguments = split_at_commas(unit, {open + 1, close - 1});
    if (call.function != nullptr) call.body = call.function->body;
    const bool is_in_code = call.function != nullptr || unit[at].is("CreateRosNodePlugin");
    return is_in_code && !call.arguments.empty() ? std::optional(std::move(call)) : std::nullopt;
  }

  // The class is a parameter of the template around it: who calls that says which it is.
  bool is_in_wrapper(const Call& call) const {
    if (call.function == nullptr || !call.type) return false;
    std::uint32_t begin = call.type->begin;
    const std::string path = read_path(*call.unit, begin, call.type->end);
    const auto& types = call.function->types;
    return std::find(types.begin(), types.end(), path) != types.end();
  }

  // The library registers its own nodes, which are known, and what it is given.
  static bool is_in_library(const Call& call) {
    return call.function != nullptr && call.function->scope == "BT::BehaviorTreeFactory";
  }

  text::Span span_of(const Unit& unit, Range range) const {
    const std::uint32_t at = std::min(range.begin, unit.size() - 1);
    const std::uint32_t begin = unit[at].begin;
    return {unit.file, begin, begin + static_cast<std::uint32_t>(unit[at].written.size())};
  }
  void note(const Unit& unit, Range range, std::string message) {
    result_.unread.push_back({span_of(unit, range), std::move(message)});
  }

  std::optional<std::string> id_at(const Call& call, Range range) {
    std::optional<std::string> id = text_at(program_, call.context, call.body, range);
    if (id) return id;
    result_.has_other_ids = true;
    note(*call.unit, range, "the ID of this node is computed");
    return std::nullopt;
  }

  // registerNodeType<T>("ID", ...), registerBuilder<T>("ID", builder), registerBuilder(CreateManifest<T>("ID"),
  // builder)
  void add_typed(const Call& call) {
    if (call.type) {
      std::optional<Range> ports;
      if ((*call.unit)[call.at].is("registerNodeType") && call.arguments.size() > 1) ports = call.arguments[1];
      return add_class(call, *call.type, call.arguments[0], ports);
    }
    const Range manifest = call.arguments[0];
    for (std::uint32_t at = manifest.begin; at + 1 < manifest.end; ++at) {
      if (!(*call.unit)[at].is("CreateManifest")) continue;
      const std::optional<Call> made = call_at(*call.unit, at);
      if (!made || !made->type) break;
      std::optional<Range> ports;
      if (made->arguments.size() > 1) ports = made->arguments[1];
      return add_class(*made, *made->type, made->arguments[0], ports);
    }
    if ((*call.unit)[call.at].is("registerNodeType")) return;  // of another library
    result_.has_other_ids = true;
    note(*call.unit, manifest, "the ID of this node is computed");
  }

  // A function of the package around registerNodeType(): its only text is the ID.
  void add_wrapped(const Call& call) {
    std::optional<Range> id;
    for (const Range& argument : call.arguments) {
      if (!text_at(program_, call.context, call.body, argument)) continue;
      if (id) return;
      id = argument;
    }
    if (!id) return;
    const bool is_wrapper = wrappers_.count((*call.unit)[call.at].written) != 0;
    const std::optional<UsedClass> of = class_at(program_, call.context, *call.type);
    if (is_wrapper || (of && kind_of(program_, *of) != Kind::unknown)) add_class(call, *call.type, *id, std::nullopt);
  }

  void add_simple(const Call& call, Kind kind) {
    if (call.arguments.size() < 2) return;
    const std::optional<std::string> id = id_at(call, call.arguments[0]);
    if (!id) return;
    Node node{.id = *id, .kind = kind, .registered = span_of(*call.unit, call.arguments[0])};
    if (call.arguments.size() > 2) {
      std::optional<Ports> ports = ports_at(program_, call.context, class_around(call), call.body, call.arguments[2]);
      if (!ports) ports = Ports{{}, span_of(*call.unit, call.arguments[2])};
      take_ports(std::move(*ports), node);
    }
    add(std::move(node));
  }

  std::optional<UsedClass> class_around(const Call& call) const {
    const auto found = program_.find_class(call.context, call.context.scope);
    if (!found) return std::nullopt;
    return UsedClass{*found, {found->unit, found->definition->name, {}}};
  }

  void take_ports(Ports ports, Node& node) {
    node.ports = std::move(ports.all);
    if (ports.is_whole()) return;
    node.is_open = true;
    result_.unread.push_back({*ports.unread, "not all ports of '" + node.id + "' can be read"});
  }

  // Nodes do without what tells them which server they use, in copies of these bases too.
  static void make_base_optional(std::span<const BasePort> of_base, Node& node) {
    for (Port& port : node.ports) {
      const bool is_of_base = std::any_of(of_base.begin(), of_base.end(), [&](const BasePort& each) {
        return each.name == port.name && each.direction != Direction::output && port.direction == each.direction;
      });
      port.has_default = port.has_default || is_of_base;
    }
  }

  // `ports`: what may be a list of them, given with the ID.
  void add_class(const Call& call, Range type, Range id_range, std::optional<Range> ports) {
    const std::optional<std::string> id = id_at(call, id_range);
    if (!id) return;
    Node node{.id = *id, .registered = span_of(*call.unit, id_range)};
    const Base base = base_at(program_, call.context, type);
    std::optional<Ports> given;
    if (ports) given = ports_at(program_, call.context, class_around(call), call.body, *ports);
    if (base.own) {
      node.kind = kind_of(program_, *base.own);
      node.class_name = base.own->found.definition->name;
      const Token& name = (*base.own->found.unit)[base.own->found.definition->begin];
      node.defined = text::Span{base.own->found.unit->file, name.begin,
                                name.begin + static_cast<std::uint32_t>(name.written.size())};
      const bool has_own = find_member(program_, *base.own, "providedPorts").function.has_value();
      take_ports(given && !has_own ? std::move(*given) : ports_of(program_, *base.own), node);
      make_optional(program_, units_, *base.own, node.ports);
      if (const BaseRow* const known = find_namesake(program_, *base.own)) make_base_optional(known->ports, node);
    } else if (base.known != nullptr) {
      node.kind = base.known->kind;
      Ports of_base = ports_of_base(*base.known);
      if (base.known->has_other_ports) of_base.unread = span_of(*call.unit, type);
      take_ports(given ? std::move(*given) : std::move(of_base), node);
    } else if (given) {
      take_ports(std::move(*given), node);
    } else {
      node.is_open = true;
      note(*call.unit, type, "the class of '" + node.id + "' is not among the sources");
    }
    add(std::move(node));
  }

  // Of several classes with one ID, any may be the one.
  void add(Node node) {
    if (node.id.empty()) return;
    const auto [place, is_new] = nodes_.try_emplace(node.id, node);
    if (is_new) return;
    Node& known = place->second;
    if (!node.class_name.empty() && known.class_name == node.class_name && known.defined == node.defined) return;
    if (known.kind != node.kind) known.kind = Kind::unknown;
    const auto is_same = [](const Port& left, const Port& right) {
      return left.name == right.name && left.type == right.type && left.direction == right.direction &&
             left.has_default == right.has_default && left.otherwise == right.otherwise;
    };
    const bool are_same =
        std::equal(known.ports.begin(), known.ports.end(), node.ports.begin(), node.ports.end(), is_same);
    if (are_same && known.is_open == node.is_open) return;
    known.is_open = true;
    std::erase_if(known.ports, [&](const Port& port) {
      return std::none_of(node.ports.begin(), node.ports.end(), [&](const Port& each) { return is_same(port, each); });
    });
    result_.unread.push_back({node.registered, "'" + node.id + "' is registered with different classes"});
  }

  const std::deque<Unit>& units_;
  Program program_;
  std::set<std::string, std::less<>> wrappers_;
  std::map<std::string, Node> nodes_;
  Nodes result_;
};

// Does the program call tickExactlyOnce(), and no other function that ticks a tree?
bool tick_exactly_once(const std::deque<Tokens>& all) {
  constexpr std::string_view kOthers[] = {"tickOnce", "tickWhileRunning", "tickRoot", "tickRootWhileRunning"};
  bool is_called = false;
  for (const Tokens& file : all) {
    for (std::size_t i = 1; i + 1 < file.all.size(); ++i) {
      const bool is_call = (file.all[i - 1].is(".") || file.all[i - 1].is("->")) && file.all[i + 1].is("(");
      if (!is_call) continue;
      const auto is_name = [&](std::string_view name) { return file.all[i].is(name); };
      if (std::any_of(std::begin(kOthers), std::end(kOthers), is_name)) return false;
      is_called = is_called || is_name("tickExactlyOnce");
    }
  }
  return is_called;
}

}  // namespace

Nodes find_nodes(const text::Sources& sources, std::span<const text::FileId> files) {
  std::deque<Tokens> tokens;
  for (const text::FileId file : files) tokens.push_back(tokenize(sources[file].text()));
  const MacrosInUse macros = macros_with_nodes(tokens);
  std::deque<std::string> made;
  std::deque<Unit> units;
  for (std::size_t i = 0; i < files.size(); ++i) {
    Tokens expanded = tokens[i];
    if (!macros.empty()) expand_macros(macros, expanded, made);
    units.push_back(read_unit(std::move(expanded), files[i], sources[files[i]].path()));
  }
  Nodes nodes = NodeFinder(units).find();
  nodes.ticks_exactly_once = tick_exactly_once(tokens);
  return nodes;
}

}  // namespace espalier::cpp
