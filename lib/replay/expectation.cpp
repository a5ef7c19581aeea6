// Checking `expect` lines. See expectation.h.
#include "replay/expectation.h"

#include "codegen/disassemble.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;

constexpr std::size_t kRecentEvents = 6;
constexpr std::size_t kMaxEvents = kMaxLineBytes / 8;  // more than fit into a line

// Expectations of selection trees, and those of others with whose they are.
constexpr std::pair<std::string_view, std::string_view> kForeignKeys[] = {
    {"running", "trees with actions"}, {"path", "decider trees"},  {"rule", "Drag[en]gine trees"},
    {"inside", "synchronized trees"},  {"flags", "decider trees"}, {"stimuli", "decider trees"},
    {"timestamps", "modular trees"},
};

const std::vector<std::string_view>& own_keys() {
  static const std::vector<std::string_view> keys = {"behavior", "leaf", "status", "variables", "events"};
  return keys;
}

LineFault key_fault(std::string_view text, const std::string& key) {
  for (const auto& [foreign, owner] : kForeignKeys) {
    if (foreign != key) continue;
    return {Rule::TRC_unsupported_line, column_of(text, key),
            text::quoted(key) + " can be expected of " + std::string(owner) + ", and this is a selection tree"};
  }
  return {Rule::TRC_unknown_key, column_of(text, key), "nothing called " + text::quoted(key) + " can be expected",
          text::did_you_mean(key, own_keys())};
}

LineFault value_fault(std::string_view text, std::string_view key, const char* should_be) {
  return {Rule::TRC_wrong_value, column_of(text, key), text::quoted(key) + " should be " + should_be};
}

std::string leaf_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string shown(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

void EventLog::add(const Event& event) {
  if (since_.size() < kMaxEvents) since_.push_back(event);
  recent_.push_back(event);
  if (recent_.size() > kRecentEvents) recent_.pop_front();
}

void EventLog::forget() { since_.clear(); }

std::vector<std::string> EventLog::since_last(KindSet kinds, bool several_agents) const {
  std::vector<std::string> texts;
  for (const Event& event : since_) {
    if (kinds.has(event.kind)) texts.push_back(event_text(event, several_agents));
  }
  return texts;
}

std::optional<LineFault> Expectations::check(std::string_view text, const Line& line,
                                             std::vector<Difference>* differences, Json* actual) {
  std::vector<std::uint32_t> indices;
  if (auto fault = session_.targets(text, line, &indices)) return fault;
  *actual = Json::object();
  for (const std::uint32_t index : indices) {
    for (const auto& [key, expected] : line.value().items()) {
      Json is;
      if (auto fault = actual_of(text, key, expected, index, &is)) return fault;
      if (is != expected) differences->push_back({index, key, shown(expected), shown(is)});
      if (index == indices.front()) (*actual)[key] = std::move(is);
    }
  }
  return std::nullopt;
}

std::optional<LineFault> Expectations::actual_of(std::string_view text, const std::string& key, const Json& expected,
                                                 std::uint32_t agent, Json* actual) {
  if (key == "behavior") {
    if (!expected.is_string() && !expected.is_null()) return value_fault(text, key, "the name of a behaviour, or null");
    const std::uint32_t behavior = current_behavior(session_.tree(), session_.block(agent));
    if (behavior != kNoBehavior) *actual = std::string(behavior_name(*session_.tree().asset, behavior));
    return std::nullopt;
  }
  if (key == "leaf") return actual_leaf(text, expected, agent, actual);
  if (key == "status") {
    if (expected != "running" && expected != "failure" && expected != "success" && !expected.is_null()) {
      return value_fault(text, key, "\"running\", \"success\" or \"failure\"");
    }
    const std::optional<Result> status = session_.agent(agent)->status;
    if (status) *actual = *status == Result::running ? "running" : "failure";
    return std::nullopt;
  }
  if (key == "variables") return actual_variables(text, expected, agent, actual);
  if (key == "events") {
    if (!expected.is_array()) return value_fault(text, key, "a list of events as strings");
    *actual = log_.since_last(session_.expected_kinds(), session_.has_several_agents());
    return std::nullopt;
  }
  return key_fault(text, key);
}

// A leaf is told as it is asked for: by its path where the expectation has one, else by its name.
std::optional<LineFault> Expectations::actual_leaf(std::string_view text, const Json& expected, std::uint32_t agent,
                                                   Json* actual) {
  if (!expected.is_string() && !expected.is_null())
    return value_fault(text, "leaf", "the name or path of a leaf, or null");
  const Tree& tree = session_.tree();
  const std::uint32_t leaf = current_leaf(tree, session_.block(agent));
  if (leaf == kNoLeaf) return std::nullopt;
  if (leaf_tree_.asset != tree.asset || leaf_tree_.index != tree.index) {
    leaf_paths_ = codegen::leaf_paths(tree);
    leaf_tree_ = tree;
  }
  if (leaf >= leaf_paths_.size()) {
    return LineFault{Rule::TRC_no_leaf_names, column_of(text, "leaf"),
                     "the asset was stripped of the names of its leaves", "expect 'behavior' in place of 'leaf'"};
  }
  const std::string& path = leaf_paths_[leaf];
  const bool is_path = expected.is_string() && expected.get_ref<const std::string&>().find('/') != std::string::npos;
  *actual = is_path ? path : leaf_name(path);
  return std::nullopt;
}

std::optional<LineFault> Expectations::actual_variables(std::string_view text, const Json& expected,
                                                        std::uint32_t agent, Json* actual) {
  if (!expected.is_object()) return value_fault(text, "variables", "an object of names and values");
  *actual = Json::object();
  for (const auto& [name, value] : expected.items()) {
    std::uint32_t id = 0;
    if (auto fault = session_.find(text, name, &id)) return fault;
    if (!value.is_boolean()) return value_fault(text, name, "true or false");
    (*actual)[name] = variable(session_.tree(), session_.block(agent), id);
  }
  return std::nullopt;
}

}  // namespace espalier::replay
