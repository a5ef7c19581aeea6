// See hooks.h.
#include "serving/hooks.h"

namespace espalier::serving {
namespace {

constexpr std::string_view kStatusNames[] = {"IDLE", "RUNNING", "SUCCESS", "FAILURE", "SKIPPED"};
constexpr std::string_view kNotFound = "Node ID not found";
constexpr std::string_view kNoReplacement =
    "this program does not let clients replace results: it has breakpoints alone (\"mode\": 0, \"SKIPPED\" to go on)";

bool read_status(std::string_view name, std::uint8_t* status, Output& fault) {
  for (std::uint8_t i = 0; i < sizeof kStatusNames / sizeof kStatusNames[0]; ++i) {
    if (kStatusNames[i] != name) continue;
    *status = i;
    return true;
  }
  fault.put("Cannot convert this to NodeStatus: ");
  fault.put(name);
  return false;
}

// ESPALIER_RUNNING: it is no result.
espalier_result result_of(std::uint8_t status) {
  return kStatusNames[status] == "SUCCESS"   ? ESPALIER_SUCCESS
         : kStatusNames[status] == "FAILURE" ? ESPALIER_FAILURE
         : kStatusNames[status] == "SKIPPED" ? ESPALIER_SKIPPED
                                             : ESPALIER_RUNNING;
}

bool refuse(std::string_view why, Output& fault) {
  fault.put(why);
  return false;
}

}  // namespace

Hook* Hooks::find(std::int64_t uid, std::int64_t position) {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (hooks_[i].uid == uid && hooks_[i].position == position) return hooks_ + i;
  }
  return nullptr;
}

void Hooks::erase(Hook* hook) { *hook = hooks_[--count_]; }

// A result, of a node that asks for it.
bool Hooks::may_replace(std::int64_t uid, std::int64_t position, std::uint8_t status, const HookedNodes& nodes,
                        Output& fault) const {
  if (!may_replace_) return refuse(kNoReplacement, fault);
  if (position != kBefore) return refuse("results are replaced before a tick (\"position\": 0)", fault);
  if (result_of(status) == ESPALIER_RUNNING) return refuse("a result is SUCCESS, FAILURE or SKIPPED", fault);
  if (uid >= 1 && uid <= nodes.count && !nodes.calls_program(nodes.user, uid))
    return refuse("only results of nodes that call the program can be replaced", fault);
  return true;
}

bool Hooks::insert(std::string_view text, const HookedNodes& nodes, Output& fault) {
  JsonValue json;
  if (!read_json(text, &json, fault)) return false;
  if (!json.is_array()) return insert_one(json, nodes, fault);
  for (JsonValue each = json.first_element(); !each.is_empty(); each = json.element_after(each)) {
    if (!insert_one(each, nodes, fault)) return false;
  }
  return true;
}

bool Hooks::insert_one(JsonValue json, const HookedNodes& nodes, Output& fault) {
  std::int64_t uid = 0;
  std::int64_t position = 0;
  std::int64_t mode = 0;
  std::string_view status;
  Hook hook;
  // In this order the real publisher misses them.
  const bool is_read = json.number("uid", &uid, fault) && json.number("position", &position, fault) &&
                       json.boolean("enabled", &hook.is_enabled, fault) && json.number("mode", &mode, fault) &&
                       json.boolean("once", &hook.is_once, fault) && json.text("desired_status", &status, fault) &&
                       read_status(status, &hook.status, fault);
  if (!is_read) return false;
  if (mode != 0 && !may_replace(uid, position, hook.status, nodes, fault)) return false;
  if (position != kBefore && position != kAfter) return refuse("a position is 0 or 1", fault);
  if (uid < 1 || uid > nodes.count) return true;
  hook.replaces = mode != 0;
  hook.uid = static_cast<std::uint16_t>(uid);
  hook.position = static_cast<std::uint8_t>(position);
  Hook* known = find(uid, position);
  if (known == nullptr && count_ == capacity_) return refuse("there are too many breakpoints", fault);
  if (known == nullptr) {
    known = hooks_ + count_++;
  } else {
    hook.waits = known->waits && hook.is_enabled && !hook.replaces;
    hook.has_notice = known->has_notice;
  }
  *known = hook;
  return true;
}

bool Hooks::remove(std::string_view text, Output& fault) {
  JsonValue json;
  std::int64_t uid = 0;
  std::int64_t position = 0;
  if (!read_json(text, &json, fault) || !json.number("uid", &uid, fault) || !json.number("position", &position, fault))
    return false;
  Hook* const hook = find(uid, position);
  if (hook == nullptr) return refuse(kNotFound, fault);
  erase(hook);
  return true;
}

bool Hooks::let_go_on(std::string_view text, const HookedNodes& nodes, Output& fault) {
  JsonValue json;
  std::int64_t uid = 0;
  std::int64_t position = 0;
  std::string_view name;
  std::uint8_t status = 0;
  bool is_removed = false;
  const bool is_read = read_json(text, &json, fault) && json.number("uid", &uid, fault) &&
                       json.text("desired_status", &name, fault) && json.number("position", &position, fault) &&
                       json.boolean("remove_when_done", &is_removed, fault);
  if (!is_read) return false;
  Hook* const hook = find(uid, position);
  if (hook == nullptr) return refuse(kNotFound, fault);
  if (!read_status(name, &status, fault)) return false;
  const bool is_result = kStatusNames[status] == "SUCCESS" || kStatusNames[status] == "FAILURE";
  if (is_result && !may_replace(uid, position, status, nodes, fault)) return false;
  hook->given = is_result ? status : std::uint8_t{0};
  hook->goes_on = !hook->waits;
  hook->is_once = hook->is_once || is_removed;
  if (!hook->waits) return true;
  hook->waits = false;
  if (hook->is_once && hook->given == 0) erase(hook);
  return true;
}

void Hooks::write(Output& json) const {
  json.put("[");
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Hook& hook = hooks_[i];
    json.put(i == 0 ? "{\"desired_status\":\"" : ",{\"desired_status\":\"");
    json.put(kStatusNames[hook.status]);
    json.put(hook.is_enabled ? "\",\"enabled\":true" : "\",\"enabled\":false");
    json.put(hook.replaces ? ",\"mode\":1,\"once\":" : ",\"mode\":0,\"once\":");
    json.put(hook.is_once ? "true,\"position\":" : "false,\"position\":");
    json.put_number(hook.position);
    json.put(",\"uid\":");
    json.put_number(hook.uid);
    json.put("}");
  }
  json.put("]");
}

void Hooks::disable_all() {
  for (std::uint32_t i = 0; i < count_; ++i) hooks_[i].is_enabled = hooks_[i].waits = false;
}

void Hooks::reach(std::uint16_t uid, std::uint32_t position) {
  if (count_ == 0 || is_asleep_) return;
  Hook* const hook = find(uid, position);
  if (hook == nullptr || !hook->is_enabled || hook->waits || hook->is_done || hook->replaces) return;
  hook->has_notice = true;
  hook->waits = !hook->goes_on;
  hook->is_done = hook->goes_on && hook->is_once && hook->given == 0;
  hook->goes_on = false;
}

bool Hooks::replace(std::uint16_t uid, espalier_result* result) {
  if (count_ == 0 || is_asleep_) return false;
  Hook* const hook = find(uid, kBefore);
  if (hook == nullptr || hook->is_done) return false;
  if (hook->given != 0) {
    *result = result_of(hook->given);
    hook->given = 0;
    if (hook->is_once) erase(hook);
    return true;
  }
  if (!hook->replaces || !hook->is_enabled) return false;
  *result = result_of(hook->status);
  hook->has_notice = true;
  hook->is_done = hook->is_once;
  return true;
}

bool Hooks::hold() const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (hooks_[i].waits) return true;
  }
  return false;
}

void Hooks::sleep() {
  is_asleep_ = true;
  for (std::uint32_t i = count_; i-- > 0;) {
    const bool is_done = hooks_[i].waits && hooks_[i].is_once;
    hooks_[i].waits = false;
    if (is_done) erase(hooks_ + i);
  }
}

}  // namespace espalier::serving
