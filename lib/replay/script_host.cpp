// The engine as scripts see it in a replay. See script_host.h.
//
// AI.Signal, AI.SetBehaviorVariable and AI.GetBehaviorVariable do what they do in CRYENGINE: signals are queued, as
// those of the node 'Signal', and variables change at once.
#include "replay/script_host.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "replay/strategy.h"
#include "rules/traces.h"
#include "script/syntax.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using script::HostFunctions;
using script::Named;
using script::Value;
using script::ValueKind;

constexpr std::string_view kLibraries[] = {
    "AI",      "ActionMapManager", "Action",  "CryAction", "EntityUtils", "Game",   "Movie",
    "Network", "Particle",         "Physics", "Script",    "Sound",       "System", "UIAction"};
constexpr std::string_view kFunctions[] = {"Log", "LogError", "LogWarning"};

// Agents that can be looked at in the time of an update.
constexpr std::uint64_t kAgentsAnUpdate = 100;

// Who gets a signal. All agents of a replay are one group; the engine has more filters, which depend on where agents
// are.
struct Filter {
  std::string_view name;
  int number;
  espalier_receivers receivers;
};
constexpr Filter kFilters[] = {
    {"SIGNALFILTER_SENDER", 0, Receivers::sender},
    {"SIGNALFILTER_GROUPONLY", 2, Receivers::group},
    {"SIGNALFILTER_ANYONEINCOMM", 4, Receivers::group},
    {"SIGNALFILTER_SUPERGROUP", 6, Receivers::group},
    {"SIGNALFILTER_GROUPONLY_EXCEPT", 14, Receivers::others},
    {"SIGNALFILTER_ANYONEINCOMM_EXCEPT", 15, Receivers::others},
};

template <std::size_t count>
bool contains(const std::string_view (&names)[count], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_engine_function(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos ? contains(kFunctions, name) : contains(kLibraries, name.substr(0, dot));
}

}  // namespace

// A call of one of the engine's functions.
struct ScriptCall {
  Updates& updates;
  std::string_view name;
  const Value* arguments;
  int count;
  std::string error = {};

  const Value& argument(int index) const {
    static constexpr Value kNil;
    return index < count ? arguments[index] : kNil;
  }
  bool fail(std::string message) {
    error = std::string(name) + ": " + std::move(message);
    return false;
  }
  bool read_agent(int index, std::uint32_t* agent) {
    const Value& id = argument(index);
    const bool is_index = id.kind == ValueKind::number && id.number >= 0 && id.number == std::floor(id.number) &&
                          id.number < updates.agents.count() &&
                          updates.agents.find(static_cast<std::uint32_t>(id.number)) != nullptr;
    if (!is_index) return fail("argument " + std::to_string(index + 1) + " is not the id of an entity");
    *agent = static_cast<std::uint32_t>(id.number);
    return true;
  }
  bool read_text(int index, std::string* text) {
    if (argument(index).kind != ValueKind::text) {
      return fail("argument " + std::to_string(index + 1) + " is not a text");
    }
    *text = argument(index).text;
    return true;
  }
};

struct ScriptHostFunctions {
  // Makes another agent the current one for a while.
  class As {
   public:
    As(Updates& updates, std::uint32_t agent) : updates_(updates), before_(updates.agents.current()) {
      updates.agents.act_as(agent);
    }
    ~As() { updates_.agents.act_as(before_); }
    As(const As&) = delete;
    As& operator=(const As&) = delete;

   private:
    Updates& updates_;
    std::uint32_t before_;
  };

  static Answers* answers_of(Updates& updates, std::string_view name) {
    AnswersByName& answers = updates.agents.self().answers;
    const auto found = answers.find(name);
    return found == answers.end() ? nullptr : &found->second;
  }

  static Named find(void* user, std::string_view name, Value* constant) {
    Updates& updates = *static_cast<Updates*>(user);
    if (answers_of(updates, name) != nullptr || is_engine_function(name)) return Named::function;
    if (contains(kLibraries, name)) return Named::library;
    for (const Filter& filter : kFilters) {
      if (filter.name != name) continue;
      constant->kind = ValueKind::number;
      constant->number = filter.number;
      return Named::constant;
    }
    const std::string library = std::string(name) + '.';
    const AnswersByName& answers = updates.agents.self().answers;
    const auto first = answers.lower_bound(library);
    const bool is_library = first != answers.end() && first->first.compare(0, library.size(), library) == 0;
    return is_library ? Named::library : Named::nothing;
  }

  // A variable of an agent, by the first two arguments; none: it is not declared, which the engine reports as well.
  static bool read_variable(ScriptCall& call, std::uint32_t* agent, std::optional<std::uint32_t>* variable) {
    std::string name;
    if (!call.read_agent(0, agent) || !call.read_text(1, &name)) return false;
    std::uint32_t id = 0;
    const Tree tree = call.updates.agents[*agent].bound->tree;
    const EngineId engine = engine_of_tree(tree);
    const bool has_variables = engine == EngineId::tick || engine == EngineId::select;
    if (has_variables && find_variable(tree, name.c_str(), &id) == Status::ok) {
      *variable = id;
    } else {
      const As as(call.updates, *agent);
      const std::string text = "The variable '" + name + "' is not declared.";
      call.updates.reporter.go_wrong(RunFaultKind::variable_unknown, {.subject = text},
                                     "a script uses the variable " + text::quote(name) + ", which is not declared");
    }
    return true;
  }

  static bool set_variable(ScriptCall& call, Value*) {
    std::uint32_t agent = 0;
    std::optional<std::uint32_t> id;
    const Value& value = call.argument(2);
    const bool is_number = value.kind == ValueKind::number;
    if (!is_number && value.kind != ValueKind::boolean) return call.fail("argument 3 is not a boolean");
    if (!read_variable(call, &agent, &id)) return false;
    if (!id) return true;
    const bool is_true = is_number ? value.number != 0 : value.boolean;
    Updates& updates = call.updates;
    void* block = updates.agents[agent].block();
    const As as(updates, agent);
    if (variable(updates.agents.tree(), block, *id) == is_true) return true;
    set(updates.agents.tree(), block, *id, is_true);
    Updates::note_variable(&updates, *id, is_true);
    return true;
  }

  static bool get_variable(ScriptCall& call, Value* result) {
    std::uint32_t agent = 0;
    std::optional<std::uint32_t> id;
    if (!read_variable(call, &agent, &id)) return false;
    result->kind = ValueKind::boolean;
    result->boolean = id && variable(call.updates.agents[agent].bound->tree, call.updates.agents[agent].block(), *id);
    return true;
  }

  // A signal that no tree of the project knows is most likely misspelt.
  static void note_unheard(Updates& updates, const std::string& name) {
    for (std::uint32_t i = 0; i < tree_count(updates.agents.asset()); ++i) {
      std::uint32_t id = 0;
      if (find_signal(espalier::tree(updates.agents.asset(), i), name.c_str(), &id) == Status::ok) return;
    }
    if (updates.reporter.is_news(rules::TRC_unknown_signal, name)) updates.note_unheard(name);
  }

  // Filter, number, name, sender.
  static bool signal(ScriptCall& call, Value*) {
    Updates& updates = call.updates;
    std::uint32_t sender = 0;
    std::string name;
    if (!call.read_text(2, &name) || !call.read_agent(3, &sender)) return false;
    const Value& number = call.argument(0);
    const auto filter = std::find_if(std::begin(kFilters), std::end(kFilters), [&](const Filter& each) {
      return number.kind == ValueKind::number && number.number == each.number;
    });
    if (filter == std::end(kFilters)) return call.fail("argument 1 is not a filter that a replay has");
    const As as(updates, sender);
    updates.reporter.emit(EventKind::send, name);
    for (std::uint32_t index = 0; index < updates.agents.count(); ++index) {
      Agent* const agent = updates.agents.find(index);
      const bool gets =
          filter->receivers == Receivers::group || (filter->receivers == Receivers::sender) == (index == sender);
      std::uint32_t id = 0;
      if (agent == nullptr || !gets || updates.agents.is_queue_full()) continue;
      if (find_signal(agent->bound->tree, name.c_str(), &id) != Status::ok) continue;  // nothing of its tree hears it
      updates.agents.queue(index, id);
    }
    updates.agents.add_work(updates.agents.count() / kAgentsAnUpdate);
    note_unheard(updates, name);
    return true;
  }

  static bool answer(Updates& updates, std::string_view name, Value* result) {
    if (Answers* const answers = answers_of(updates, name)) {
      *result = answers->take_value();
      return true;
    }
    const auto known = updates.agents.bound().host_names.try_emplace(std::string(name), false).first;
    updates.note_unscripted("function", known->first, "returns true");
    result->kind = ValueKind::boolean;
    result->boolean = true;
    return true;
  }

  static bool call(void* user, std::string_view name, const Value* arguments, int count, Value* result) {
    constexpr struct {
      std::string_view name;
      bool (*call)(ScriptCall& call, Value* result);
    } kOfEngine[] = {
        {"AI.Signal", signal}, {"AI.SetBehaviorVariable", set_variable}, {"AI.GetBehaviorVariable", get_variable}};
    Updates& updates = *static_cast<Updates*>(user);
    if (answers_of(updates, name) == nullptr) {
      for (const auto& [known, function] : kOfEngine) {
        if (known != name) continue;
        ScriptCall called{updates, name, arguments, count};
        if (function(called, result)) return true;
        updates.notes.script_error = std::move(called.error);
        result->kind = ValueKind::text;
        result->text = updates.notes.script_error;
        return false;
      }
    }
    return answer(updates, name, result);
  }
};

HostFunctions ScriptHost::functions(Updates& updates) {
  return {&updates, ScriptHostFunctions::find, ScriptHostFunctions::call};
}

void ScriptHost::add_names(BoundTree& bound) {
  const Asset& asset = *bound.tree.asset;
  const auto add = [&](std::string_view script) {
    for (std::string& name : script::called_names(script)) bound.host_names.emplace(std::move(name), false);
  };
  for (std::uint32_t i = 0; i < script_count(asset); ++i) add(script_text(asset, i));
  for (std::uint32_t i = 0; i < prelude_count(asset); ++i) add(prelude_text(asset, i));
}

}  // namespace espalier::replay
