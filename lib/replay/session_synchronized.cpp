// Synchronized trees in a replay: what is put into slots, updates, and who is inside gates and groups. See session.h.
#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "replay/session.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

// The values of {"slot": "S", "tree": "T"}.
struct Injection {
  const JsonValue* slot = nullptr;
  const JsonValue* tree = nullptr;
};

std::optional<LineFault> read_injection(const Line& line, Injection* injection) {
  for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
    const JsonValue::Key& key = line.value->keys[i];
    const JsonValue& value = line.value->values[i];
    const bool is_slot = key.name == "slot";
    if (!is_slot && key.name != "tree") {
      return LineFault{Rule::TRC_unknown_key, key.span, "'inject' has no key " + text::quote(key.name),
                       text::did_you_mean(key.name, {"slot", "tree"})};
    }
    const bool is_right = value.kind == JsonKind::string || (!is_slot && value.kind == JsonKind::null);
    if (!is_right) {
      return LineFault{Rule::TRC_wrong_value, value.span,
                       is_slot ? "'slot' should be a string" : "'tree' should be a string or null"};
    }
    (is_slot ? injection->slot : injection->tree) = &value;
  }
  if (injection->slot != nullptr && injection->tree != nullptr) return std::nullopt;
  return LineFault{Rule::TRC_wrong_value, line.value->span,
                   std::string("'inject' needs a ") + (injection->slot == nullptr ? "'slot'" : "'tree'"),
                   "{\"inject\": {\"slot\": \"S\", \"tree\": \"T\"}} fills a slot; null in place of \"T\" empties it"};
}

// A tree of another kind is found where there is no synchronized one of this name.
bool find_exactly(const Asset& asset, std::string_view name, std::uint32_t* index) {
  bool is_found = false;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree = espalier::tree(asset, i);
    if (tree_name(tree) != name) continue;
    *index = i;
    is_found = true;
    if (engine_id_of(tree) == EngineId::store) break;
  }
  return is_found;
}

// Why nothing was put into a slot.
const char* refusal(Status status, const Asset& asset, std::uint32_t index) {
  const bool is_tree = index != kNoTree;
  if (is_tree && engine_id_of(tree(asset, index)) != EngineId::store) return "it is not a synchronized tree";
  if (status == Status::not_accepted) return "the slot does not accept it";
  if (status == Status::too_large) return "it is larger than the slot's budget";
  return "the agent's tree has no such slot";
}

}  // namespace

// ---- Lines

Session::Faults Session::run_inject(const Line& line) {
  Injection injection;
  if (auto fault = read_injection(line, &injection)) return fault;
  const JsonValue* immediate = line.find("immediate");
  const bool is_immediate = immediate != nullptr && immediate->boolean;
  const bool is_emptied = injection.tree->kind == JsonKind::null;
  const std::string& slot_name = injection.slot->string;
  const std::string tree_name = is_emptied ? "None" : injection.tree->string;  // as events write it
  std::uint32_t slot = 0;
  std::uint32_t index = kNoTree;
  const bool has_slot = find_slot(*asset_, slot_name, &slot) == Status::ok;
  const bool has_tree = is_emptied || find_exactly(*asset_, tree_name, &index);
  if (auto fault = warn_of_injection(*injection.slot, has_slot, *injection.tree, has_tree)) return fault;
  return for_each_target(line, [&](std::uint32_t agent) -> Faults {
    void* block = agents_[agent]->state.block.data();
    const bool is_known = has_slot && has_tree;
    const Status status = is_known ? espalier::inject(tree_, block, slot, index, false, host()) : Status::not_found;
    if (status == Status::ok) {
      const std::string what = is_emptied ? "nothing" : tree_name;
      remark(agent, "has " + what + " in slot " + slot_name + (is_immediate ? ", at once" : ""));
      // Once more, so that the story tells first why something is reset.
      if (is_immediate) static_cast<void>(espalier::inject(tree_, block, slot, index, true, host()));
      return std::nullopt;
    }
    Event event{time_us_, current_agent_, EventKind::error, "inject", {}, {slot_name, tree_name}};
    event.reason = is_known   ? refusal(status, *asset_, index)
                   : has_slot ? "there is no such tree"
                              : "no tree has such a slot";
    listener_.event(event);
    return std::nullopt;
  });
}

// Names that are nowhere are most likely misspelt.
Session::Faults Session::warn_of_injection(const JsonValue& slot, bool has_slot, const JsonValue& injected,
                                           bool has_tree) {
  const auto tell = [&](const char* message, const JsonValue& name,
                        const std::vector<std::string_view>& names) -> Faults {
    if (!is_news(Rule::TRC_unknown_name, name.string)) return std::nullopt;
    return warn({Rule::TRC_unknown_name, name.span, message + text::quote(name.string),
                 text::did_you_mean(name.string, names)});
  };
  if (!has_slot) {
    std::vector<std::string_view> names;
    for (std::uint32_t i = 0; i < slot_count(*asset_); ++i) names.push_back(slot_name(*asset_, i));
    if (auto fault = tell("no tree has a slot ", slot, names)) return fault;
  }
  return has_tree ? std::nullopt : tell("there is no tree ", injected, tree_names(*asset_));
}

// ---- What agents share

// Names are debug data: in stripped assets there are none.
void Session::name_places() {
  places_.clear();
  if (!stores() || is_stripped(*asset_)) return;
  for (std::uint32_t i = 0; i < tree_count(*asset_); ++i) {
    const Tree tree = espalier::tree(*asset_, i);
    if (engine_id_of(tree) != EngineId::store) continue;
    codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
      if (node.opcode != Opcode::store_gate && node.opcode != Opcode::store_group) return;
      places_[std::string(codegen::node_debug(*asset_, node.word).name)].push_back(node.word);
    });
  }
}

Session::Faults Session::find_inside(const std::string& name, text::Span span, std::uint64_t* count) const {
  if (is_stripped(*asset_)) {
    return LineFault{Rule::TRC_stripped_names, span, "the asset was stripped of the names of its gates and groups",
                     "expect \"running\" and \"status\" in place of \"inside\""};
  }
  const auto found = places_.find(name);
  if (found == places_.end()) {
    std::vector<std::string_view> names;
    names.reserve(places_.size());
    for (const auto& [known, words] : places_) names.push_back(known);
    return LineFault{Rule::TRC_unknown_name, span, "no tree has a gate or group " + text::quote(name),
                     text::did_you_mean(name, names)};
  }
  *count = 0;
  for (const std::uint32_t word : found->second) *count += inside_count(*asset_, shared_.data(), word);
  return std::nullopt;
}

// ---- Updates

void Session::update_synchronized(std::uint32_t index) {
  Watcher watcher;
  watcher.user = this;
  watcher.node = [](void* session, const NodeStep* step) {
    const Session& self = *static_cast<const Session*>(session);
    if (self.listener_.node) self.listener_.node(self.current_agent_, *step);
  };
  if (listener_.begin_update) listener_.begin_update(index);
  update_telling(index, watcher);
}

// ---- The host

void Session::reset_action(const Call* call) {
  of(call).emit(EventKind::reset, behavior_name(*call->tree.asset, call->behavior));
}

void Session::note_depth(const Call* call, std::uint32_t slot) {
  of(call).emit(EventKind::error, "depth", {}, {std::string(slot_name(*call->tree.asset, slot))});
}

}  // namespace espalier::replay
