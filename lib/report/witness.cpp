// Witnesses of findings. See witness.h.
#include "report/witness.h"

#include <algorithm>
#include <utility>

namespace espalier::report {
namespace {

constexpr std::size_t kMaxSteps = 12;  // shown in one line

Json json_of_line(const std::string& line) { return Json::parse(line, nullptr, false); }

// "signal OnNoise", "set LowAmmo", "set LowAmmo false", "tick"
std::string step_text(const Json& step) {
  if (!step.is_object() || step.empty()) return {};
  const auto first = step.begin();
  if (first.key() == "tick") return "tick";
  std::string text = first.key();
  if (first.value().is_string()) return text + ' ' + first.value().get<std::string>();
  if (!first.value().is_object()) return text + ' ' + json_line(first.value());
  for (const auto& [name, value] : first.value().items()) {
    text += ' ' + name + (value == Json(true) ? "" : ' ' + json_line(value));
  }
  return text;
}

}  // namespace

std::string witness_text(const text::Witness& witness) {
  std::string text;
  const std::size_t count = witness.trace.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (count > kMaxSteps && i == kMaxSteps - 1) {
      text += ", ... (" + std::to_string(count) + " steps)";
      break;
    }
    text += (i == 0 ? "" : ", ") + step_text(json_of_line(witness.trace[i]));
  }
  return text + " -> " + witness.shows;
}

Json witness_json(const text::Witness& witness) {
  Json trace = Json::array();
  for (const std::string& line : witness.trace) trace.push_back(json_of_line(line));
  return {{"shows", witness.shows}, {"trace", std::move(trace)}};
}

std::string witness_file(const text::Witness& witness, const std::string& name) {
  std::string bytes = json_line({{"trace", 1}, {"tree", witness.tree}, {"name", name}}) + '\n';
  for (const std::string& line : witness.trace) bytes += line + '\n';
  return bytes + witness.expect + '\n';
}

}  // namespace espalier::report
