// `expect` lines: compares expected values with actual ones.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/session.h"

namespace espalier::replay {

class Expectations {
 public:
  explicit Expectations(Session& session) : session_(session) {}

  // Checks an `expect` line for every agent that it applies to. `failures` gets the mismatches, with spans in `text`,
  // the line. Returns a fault if the line expects something that is not available.
  [[nodiscard]] std::optional<LineFault> check(std::string_view text, const Line& line, std::vector<Failure>* failures);

 private:
  using Faults = std::optional<LineFault>;
  // A key of an `expect` line: the check of its value for one agent, or for all if `is_of_all`.
  struct Key {
    std::string_view name;
    std::string_view engines;  // whose trees have it, as in events.def
    bool is_of_all;
    Faults (Expectations::*check)(const text::JsonValue& expected, std::uint32_t agent);
  };
  static const Key kKeys[];
  static bool is_key_of_all(std::string_view name);
  bool has_key(const Key& key) const;

  [[nodiscard]] Faults find_key(const text::JsonValue::Key& name, const Key** key) const;
  [[nodiscard]] Faults check_behavior(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_leaf(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_status(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_variables(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_stimuli(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_path(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_running(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_rule(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_timestamps(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_inside(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_events(const text::JsonValue& expected, std::uint32_t agent);

  LineFault value_fault(std::string_view key, const text::JsonValue& value, std::string_view should_be) const;
  // An object of names: `check` returns the actual value as JSON, nothing if it is the expected one, or a fault.
  struct Checked {
    Faults fault = {};
    std::optional<std::string> actual = {};
  };
  [[nodiscard]] Faults check_names(
      const text::JsonValue& expected, std::uint32_t agent, const char* should_be,
      const std::function<Checked(const text::JsonValue::Key& name, const text::JsonValue& value)>& check);
  // `actual` is null if there is no value.
  void compare(const text::JsonValue& expected, std::uint32_t agent, const std::string* actual);
  void fail(std::string_view subkey, const text::JsonValue& expected, std::uint32_t agent, std::string actual,
            std::string note = {});

  Session& session_;
  std::string_view text_;  // of the line being checked
  std::vector<Failure>* failures_ = nullptr;
  const Key* key_ = nullptr;             // being checked
  std::vector<std::string> leaf_paths_;  // of leaves of leaf_tree_, computed when first needed
  Tree leaf_tree_;
};

}  // namespace espalier::replay
