// A host that answers by lists: see the header.
#include "runtime_deciders_host.h"

#include <charconv>
#include <numeric>

namespace espalier::test {
namespace {

const DeciderAnswer kGoesOn = std::string("running");

bool is_refusal(const DeciderAnswer& answer) {
  const auto* word = std::get_if<std::string>(&answer);
  return word != nullptr && *word == "refuse";
}

std::string text_of(DeciderHost::Bytes bytes) {
  std::string text;
  for (const unsigned char byte : bytes) text += std::to_string(byte) + '.';
  return text.empty() ? "none" : text;
}

}  // namespace

std::string decimal(double number) {
  char text[40];
  const std::to_chars_result result = std::to_chars(text, text + sizeof text, number);
  return std::string(text, result.ptr);
}

// An Activate consumes the next answer only if it is a refusal; every other call consumes one.
DeciderAnswer DeciderHost::next(const std::string& name, bool only_refusals) {
  const auto found = answers.find(name);
  if (found == answers.end() || found->second.empty()) return kGoesOn;
  std::vector<DeciderAnswer>& list = found->second;
  DeciderAnswer answer = list.front();
  if (list.size() > 1 && (!only_refusals || is_refusal(answer))) list.erase(list.begin());
  return answer;
}

void DeciderHost::look(const char* what, std::uint32_t flags, Bytes memory, Bytes block) {
  ++calls_;
  if (!looks_at_bytes) return;
  events.push_back(std::string(what) + " flags " + std::to_string(flags) + " memory " + text_of(memory) + " block " +
                   text_of(block));
  std::iota(memory.begin(), memory.end(), static_cast<unsigned char>(calls_));
}

double DeciderHost::decide(const std::string& decider, const std::string& function, Bytes block) {
  if (on_decide) on_decide(decider);
  look("decides", 0, {}, block);
  if (looks_at_bytes) std::iota(block.begin(), block.end(), static_cast<unsigned char>(calls_));
  const DeciderAnswer answer = next(function, false);
  const double value = std::holds_alternative<double>(answer) ? std::get<double>(answer) : 1;
  events.push_back("decide " + decider + ' ' + decimal(value));
  return value;
}

bool DeciderHost::activate(const std::string& behavior, std::uint32_t flags, Bytes memory, Bytes block) {
  look("activates", flags, memory, block);
  const bool is_active = !is_refusal(next(behavior, true));
  events.push_back((is_active ? "enter " : "refuse ") + behavior);
  if (meddle) meddle();
  return is_active;
}

bool DeciderHost::tick(const std::string& behavior, std::uint32_t flags, Bytes memory, Bytes block) {
  look("ticks", flags, memory, block);
  const bool goes_on = next(behavior, false) == kGoesOn;
  events.push_back("tick " + behavior + (goes_on ? " running" : " failure"));
  if (meddle) meddle();
  return goes_on;
}

void DeciderHost::deactivate(const std::string& behavior, std::uint32_t flags, Bytes memory, Bytes block) {
  look("deactivates", flags, memory, block);
  events.push_back("leave " + behavior);
  if (meddle) meddle();
}

}  // namespace espalier::test
