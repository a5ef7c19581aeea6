// What the lines of a trace do. See session.h.
#include "replay/session.h"

#include <algorithm>

#include "runtime/asset/view.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

// Names that are kept so as not to warn of them twice, and their bytes.
constexpr std::size_t kMaxTold = 1000;
constexpr std::size_t kMaxToldBytes = 200;

std::string_view last_part(std::string_view tree_name) { return tree_name.substr(tree_name.rfind('/') + 1); }

// Does a rule of another file stand for the rules of this one?
bool is_used(const Tree& tree) {
  if (engine_id_of(tree) != EngineId::rule) return false;
  const std::uint32_t record = tree_record(tree).record;
  return (records<layout::RuleTree>(*tree.asset, layout::SectionId::rule_trees)[record].flags & layout::kIsUsed) != 0;
}

// The tree of this name; else those whose names end so.
std::vector<Tree> trees_called(const Asset& asset, std::string_view name) {
  Tree tree;
  if (find_tree(asset, name, &tree) == Status::ok) return {tree};
  std::vector<Tree> alike;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    tree = espalier::tree(asset, i);
    if (text::equal_any_case(last_part(tree_name(tree)), name)) alike.push_back(tree);
  }
  return alike;
}

// The only tree, or the one that no other uses.
std::optional<Tree> only_tree(const Asset& asset) {
  if (tree_count(asset) == 1) return espalier::tree(asset, 0);
  std::optional<Tree> only;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree = espalier::tree(asset, i);
    if (is_used(tree)) continue;
    if (only) return std::nullopt;
    only = tree;
  }
  return only;
}

}  // namespace

Session::Session(const Asset& asset, const ReplayOptions& options, Listener listener)
    : asset_(&asset), options_(options), listener_(std::move(listener)) {}

const Agent* Session::agent(std::uint32_t index) const {
  return index < agents_.size() ? agents_[index].get() : nullptr;
}

// ---- The first line

Session::Faults Session::begin(const Line& line) {
  if (line.kind != LineKind::trace) {
    return LineFault{Rule::TRC_missing_header, line.key, "the trace does not begin with {\"trace\": 1}"};
  }
  if (auto fault = choose_tree(line)) return fault;
  if (const JsonValue* name = line.find("name")) name_ = name->string;
  if (const JsonValue* events = line.find("events")) {
    expected_kinds_ = {};
    for (const JsonValue& kind : events->values) {
      if (expected_kinds_.add(kind.string)) continue;
      return LineFault{Rule::TRC_wrong_value, kind.span, "there are no events of the kind " + text::quote(kind.string),
                       text::did_you_mean(kind.string, kind_names())};
    }
  }
  seed_ = line.seed;
  bind_tree(tree_);
  const JsonValue* agents = line.find("agents");
  const std::uint32_t count = line.count("agents", 1);
  several_agents_ = count > 1;
  return add_agents(count, agents != nullptr ? agents->span : line.key);
}

// By its name, or by the last part of it when no other tree's name ends so.
Session::Faults Session::choose_tree(const Line& line) {
  const std::vector<std::string_view> names = tree_names(*asset_);
  const JsonValue* wanted = line.find("tree");
  if (wanted == nullptr) {
    if (const std::optional<Tree> only = only_tree(*asset_)) {
      tree_ = *only;
      return std::nullopt;
    }
    return LineFault{Rule::TRC_unknown_tree, line.key, "the trace does not tell which tree it is for",
                     "add \"tree\": there are " + listed(names)};
  }
  const std::vector<Tree> called = trees_called(*asset_, wanted->string);
  if (called.size() == 1) {
    tree_ = called.front();
    return std::nullopt;
  }
  std::vector<std::string_view> alike;
  alike.reserve(called.size());
  for (const Tree& tree : called) alike.push_back(tree_name(tree));
  std::string hint = text::did_you_mean(wanted->string, names);
  if (!alike.empty()) hint = "there are " + listed(alike);
  if (hint.empty()) hint = (names.size() == 1 ? "there is " : "there are ") + listed(names);
  return LineFault{Rule::TRC_unknown_tree, wanted->span,
                   (alike.empty() ? "there is no tree " : "there are several trees ") + text::quote(wanted->string),
                   std::move(hint)};
}

// Trees of rules are called as their files are, which may lie elsewhere now.
bool Session::find_reloaded(const Asset& asset, Tree* tree) const {
  const std::string_view name = tree_name(tree_);
  if (find_tree(asset, name, tree) == Status::ok) return true;
  if (!has_rules()) return false;
  const std::vector<Tree> called = trees_called(asset, last_part(name));
  const std::optional<Tree> only = called.size() == 1 ? called.front() : only_tree(asset);
  if (only) *tree = *only;
  return only.has_value();
}

// ---- Lines

Session::Faults Session::take_work(const Line& line) {
  constexpr std::size_t kLineBytesAnUpdate = 256;
  if (!line.all_agents || line.kind == LineKind::tick) return std::nullopt;
  const text::Span span = line.object.span;
  return take_updates(living_count_ * (1 + (span.end - span.begin) / kLineBytesAnUpdate), line.agent_span);
}

Session::Faults Session::run(const Line& line) {
  switch (line.kind) {
    case LineKind::trace:
      return LineFault{Rule::TRC_unknown_key, line.key, "a first line that is not the first", "one file is one trace"};
    case LineKind::signal:
      return run_signal(line);
    case LineKind::set:
      return has_rules() || has_deciders() || stores() ? unsupported(line) : run_set(line);
    case LineKind::host:
      return run_host(line);
    case LineKind::tick:
      return run_tick(line);
    case LineKind::jump:
      return has_rules() ? run_jump(line) : unsupported(line);
    case LineKind::spawn:
      return run_spawn(line);
    case LineKind::destroy:
      return run_destroy(line);
    case LineKind::reload:
      return run_reload(line);
    case LineKind::save:
      return stores() ? unsupported(line) : run_save(line);
    case LineKind::restore:
      return stores() ? unsupported(line) : run_restore(line);
    case LineKind::flags:
      return has_deciders() ? run_flags(line) : unsupported(line);
    case LineKind::stimulus:
      return has_deciders() ? run_stimulus(line) : unsupported(line);
    case LineKind::inject:
      return stores() ? run_inject(line) : unsupported(line);
    case LineKind::expect:
    case LineKind::comment:
    case LineKind::event:
      break;
  }
  return std::nullopt;
}

LineFault Session::unsupported(const Line& line) const {
  if (line.kind == LineKind::save || line.kind == LineKind::restore) {
    return {Rule::TRC_unsupported_line, line.key,
            text::quote(key_of(line.kind)) + " cannot be done in synchronized trees",
            "what an agent shares with others, as places in gates and groups, cannot be put back"};
  }
  std::string owner = "decider trees";
  if (line.kind == LineKind::jump) owner = "Drag[en]gine trees";
  if (line.kind == LineKind::set) owner = "trees with variables";
  if (line.kind == LineKind::inject) owner = "synchronized trees";
  LineFault fault{Rule::TRC_unsupported_line, line.key,
                  text::quote(key_of(line.kind)) + " belongs to " + owner + ", and this is a " +
                      std::string(kind_name()) + " tree"};
  if (has_deciders() && line.kind == LineKind::set) {
    fault.hint = "{\"flags\": [...]} names the decision flags that are 1 from then on";
  }
  return fault;
}

Session::Faults Session::targets(const Line& line, std::vector<std::uint32_t>* indices) const {
  if (line.all_agents) {
    for (std::uint32_t i = 0; i < agents_.size(); ++i) {
      if (agents_[i] != nullptr) indices->push_back(i);
    }
    return std::nullopt;
  }
  const std::uint32_t index = line.agent.value_or(0);
  if (agent(index) == nullptr) return no_agent(index, line.agent_span);
  indices->push_back(index);
  return std::nullopt;
}

LineFault Session::no_agent(std::uint32_t index, text::Span span) const {
  std::string hint;
  if (index < agents_.size()) {
    hint = "it was destroyed";
  } else if (agents_.size() == 1) {
    hint = "there is agent 0 alone; \"agents\" in the first line tells how many there are";
  } else if (!agents_.empty()) {
    hint = "agents are counted from 0: the last one is " + std::to_string(agents_.size() - 1);
  }
  return {Rule::TRC_no_such_agent, span, "there is no agent " + std::to_string(index), std::move(hint)};
}

Session::Faults Session::for_each_target(const Line& line, const std::function<Faults(std::uint32_t)>& act) {
  std::vector<std::uint32_t> indices;
  if (auto fault = targets(line, &indices)) return fault;
  for (const std::uint32_t index : indices) {
    current_agent_ = index;
    if (auto fault = act(index)) return fault;
  }
  return std::nullopt;
}

Session::Faults Session::find(const std::string& variable, text::Span span, std::uint32_t* id) const {
  if (find_variable(tree_, variable, id) == Status::ok) return std::nullopt;
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < variable_count(tree_); ++i) names.push_back(variable_name(tree_, i));
  const char* kind = has_deciders() ? " has no decision flag " : " has no variable ";
  return LineFault{Rule::TRC_unknown_name, span, "tree " + text::quote(tree_name(tree_)) + kind + text::quote(variable),
                   text::did_you_mean(variable, names)};
}

Session::Faults Session::run_signal(const Line& line) {
  const std::string& name = line.value->string;
  std::uint32_t id = 0;
  const bool is_known = find_signal(tree_, name, &id) == Status::ok;
  if (!is_known) {
    if (auto fault = warn_of_signal(line)) return fault;
  }
  const std::optional<StimulusData> data = data_of(line);
  return for_each_target(line, [&](std::uint32_t) -> Faults {
    deliver(name, is_known ? std::optional(id) : std::nullopt, data ? &*data : nullptr);
    return std::nullopt;
  });
}

// A signal that the tree does not list changes nothing; one that no tree lists is most likely misspelt.
Session::Faults Session::warn_of_signal(const Line& line) {
  const std::string& name = line.value->string;
  if (!is_news(Rule::TRC_unknown_signal, name)) return std::nullopt;
  if (has_rules() || stores()) {
    return warn({Rule::TRC_unknown_signal, line.value->span,
                 "the signal " + text::quote(name) + " changes nothing: " +
                     (has_rules() ? "Drag[en]gine" : "synchronized") + " trees have no signals"});
  }
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < tree_count(*asset_); ++i) {
    const Tree other = espalier::tree(*asset_, i);
    for (std::uint32_t j = 0; j < signal_count(other); ++j) names.push_back(signal_name(other, j));
  }
  if (std::find(names.begin(), names.end(), name) != names.end()) return std::nullopt;
  return warn({Rule::TRC_unknown_signal, line.value->span, "no tree knows the signal " + text::quote(name),
               text::did_you_mean(name, names)});
}

// A host that sets what a modular tree does not declare is told so, and nothing comes of it.
Session::Faults Session::run_set(const Line& line) {
  struct Write {
    const std::string& name;
    std::optional<std::uint32_t> variable;
    bool value;
  };
  std::vector<Write> writes;
  for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
    const JsonValue::Key& key = line.value->keys[i];
    const JsonValue& value = line.value->values[i];
    if (value.kind != JsonKind::boolean) {
      return LineFault{Rule::TRC_wrong_value, value.span, "a variable is set to true or false"};
    }
    std::uint32_t id = 0;
    auto fault = find(key.name, key.span, &id);
    if (fault && !ticks()) return fault;
    if (fault && is_news(Rule::TRC_unknown_name, key.name)) {
      if (auto error = warn(*fault)) return error;
    }
    writes.push_back({key.name, fault ? std::nullopt : std::optional(id), value.boolean});
  }
  return for_each_target(line, [&](std::uint32_t index) -> Faults {
    void* block = agents_[index]->state.block.data();
    for (const Write& write : writes) {
      if (!write.variable) {
        emit(EventKind::error, "The variable '" + write.name + "' is not declared.");
      } else if (variable(tree_, block, *write.variable) != write.value) {
        espalier::set(tree_, block, *write.variable, write.value);
        note_variable(this, *write.variable, write.value);
      }
    }
    return std::nullopt;
  });
}

Session::Faults Session::run_host(const Line& line) {
  AnswersByName scripted;
  for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
    const JsonValue::Key& key = line.value->keys[i];
    Answers answers;
    if (auto fault = answers.read(line.value->values[i], answer_forms(key.name))) return fault;
    if (host_names_.count(key.name) > 0) {
      scripted[key.name] = std::move(answers);
    } else if (auto fault = warn_of_host(key)) {
      return fault;
    }
  }
  is_scripted_ = true;
  return for_each_target(line, [&](std::uint32_t index) -> Faults {
    Agent& agent = *agents_[index];
    memory_bytes_ -= answer_bytes(agent);
    for (const auto& [name, answers] : scripted) agent.answers[name] = answers;
    return take_memory(answer_bytes(agent), line.value->span);
  });
}

// In decider trees a name may be that of a behaviour, of a Decide function, or of both, which then share what is
// scripted; in synchronized trees that of an action, of a condition, or of both.
AnswerForms Session::answer_forms(const std::string& name) const {
  AnswerForms forms;
  forms.has_refusal = !ticks() && !stores();
  const auto known = host_names_.find(name);
  const bool may_run = known == host_names_.end() || known->second;
  if (stores()) forms.has_running = may_run;
  if (!has_deciders()) return forms;
  forms.yes = Answer::running;
  forms.has_words = may_run;
  return forms;
}

Session::Faults Session::warn_of_host(const JsonValue::Key& name) {
  if (!is_news(Rule::TRC_unknown_host, name.name)) return std::nullopt;
  std::vector<std::string_view> names;
  names.reserve(host_names_.size());
  for (const auto& [known, is_behavior] : host_names_) names.push_back(known);
  constexpr std::string_view kAsked[] = {"a behaviour ", "an action, decorator or script ", "an action or condition ",
                                         "a behaviour or Decide function ", "an action or condition "};
  return warn({Rule::TRC_unknown_host, name.span,
               "no tree has " + std::string(kAsked[static_cast<unsigned>(engine_id_)]) + text::quote(name.name),
               text::did_you_mean(name.name, names)});
}

// ---- Telling

void Session::emit(EventKind kind, std::string_view name, std::string_view value,
                   std::vector<std::string> details) const {
  listener_.event({time_us_, current_agent_, kind, std::string(name), std::string(value), std::move(details)});
}

void Session::remark(std::uint32_t agent, const std::string& text) const {
  if (listener_.remark) listener_.remark(agent, text);
}

bool Session::is_news(Rule rule, const std::string& name) {
  return told_.size() < kMaxTold &&
         told_.insert(std::string(rules::info(rule).code) + name.substr(0, kMaxToldBytes)).second;
}

Session::Faults Session::warn(LineFault fault) const {
  if (options_.strict) return fault;
  if (listener_.warning) listener_.warning(fault);
  return std::nullopt;
}

void Session::fail(text::Span span, std::string message, std::string hint) const {
  if (listener_.failure) listener_.failure({span, std::move(message), std::move(hint)});
}

std::string_view Session::kind_name() const {
  constexpr std::string_view kNames[] = {"selection", "modular", "dragengine", "decider", "synchronized"};
  return kNames[static_cast<unsigned>(engine_id_)];
}

std::vector<std::string_view> tree_names(const Asset& asset) {
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) names.push_back(tree_name(tree(asset, i)));
  return names;
}

std::string listed(const std::vector<std::string_view>& names) {
  constexpr std::size_t kShown = 8;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i) list += (i == 0 ? "" : ", ") + text::quote(names[i]);
  return names.size() > kShown ? list + " and " + std::to_string(names.size() - kShown) + " more" : list;
}

}  // namespace espalier::replay
