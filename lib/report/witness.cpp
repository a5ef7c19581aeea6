// Witnesses of findings. See witness.h.
#include "report/witness.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "rules/rules.h"

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
    const bool is_set = first.key() == "set" && value == Json(true);
    text += ' ' + name + (is_set ? "" : ' ' + json_line(value));
  }
  return text;
}

// `counts`: of the names so far.
std::string name_of(const text::Finding& finding, std::map<std::string, std::uint32_t>& counts) {
  std::string name = std::string(rules::info(finding.rule).name) + '-';
  for (const char letter : finding.witness->tree) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') || letter == '_';
    name += is_plain ? letter : '_';
  }
  const std::uint32_t number = ++counts[name];
  return name + '-' + std::to_string(number) + ".trace.jsonl";
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
  Json json = {{"shows", witness.shows}, {"trace", std::move(trace)}};
  if (witness.agent_count != 1) json["agents"] = witness.agent_count;
  if (witness.seed != 1) json["seed"] = witness.seed;
  return json;
}

std::string witness_file(const text::Witness& witness, const std::string& name) {
  Json header = {{"trace", 1}, {"tree", witness.tree}};
  if (witness.agent_count != 1) header["agents"] = witness.agent_count;
  if (witness.seed != 1) header["seed"] = witness.seed;
  if (!witness.events.empty()) header["events"] = witness.events;
  header["name"] = name;
  std::string bytes = json_line(header) + '\n';
  for (const std::string& line : witness.trace) bytes += line + '\n';
  return bytes + witness.expect + '\n';
}

std::vector<WitnessFile> witness_files(const text::Findings& findings) {
  std::map<std::string, std::uint32_t> counts;
  std::vector<WitnessFile> files;
  for (const text::Finding& finding : findings.all()) {
    if (finding.witness) files.push_back({name_of(finding, counts), witness_file(*finding.witness, finding.message)});
  }
  return files;
}

}  // namespace espalier::report
