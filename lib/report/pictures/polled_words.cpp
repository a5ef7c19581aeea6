// From the records of a polled node. See polled_words.h.
#include "report/pictures/polled_words.h"

#include <array>
#include <bit>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/dump/script_text.h"
#include "runtime/poll/tree.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

using layout::PollDirection;
using layout::PollPortKind;

// The attributes, by PollHook.
constexpr std::array<std::string_view, layout::kHookCount> kHookNames = {
    "_failureIf", "_successIf", "_skipIf", "_while", "_onSuccess", "_onFailure", "_onHalted", "_post"};

std::string port_text(const PollTreeView& tree, const PollPort& port) {
  switch (static_cast<PollPortKind>(port.kind)) {
    case PollPortKind::missing:
      return {};
    case PollPortKind::key:
      return '{' + std::string(tree.name(tree.keys[port.value].name)) + '}';
    case PollPortKind::text:
      return std::string(tree.name(port.value));
    case PollPortKind::whole:
      return std::to_string(static_cast<std::int64_t>(tree.number(port.value)));
    case PollPortKind::real:
      break;
  }
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, std::bit_cast<double>(tree.number(port.value))).ptr};
}

}  // namespace

void add_polled_words(const Tree& tree, PictureNode& node) {
  const PollTreeView view(tree);
  const Polled& polled = view.polled_of(view.nodes + node.word);
  const auto add_script = [&](std::string_view name, std::uint32_t script) {
    if (script == 0) return;
    node.tags.push_back(std::string(name) + ": " + text::visible(codegen::script_text(tree, script - 1)));
  };
  if (const std::string_view instance = view.name(polled.instance); !instance.empty()) {
    if (std::string name = text::visible(instance); name != node.type) node.name = std::move(name);
  }
  for (std::size_t i = 0; i < kHookNames.size(); ++i) add_script(kHookNames[i], polled.*layout::kHooks[i]);
  add_script("script", polled.script);
  for (std::uint32_t i = 0; i < polled.port_count; ++i) {
    const PollPort& port = view.ports[polled.first_port + i];
    const std::string value = text::visible(port_text(view, port));
    if (value.empty()) continue;
    const std::string name = text::visible(view.name(port.name));
    const bool is_written = static_cast<PollDirection>(port.direction) != PollDirection::input && value.front() == '{';
    if (port.is_default != 0) {
      node.details.push_back(name + ": " + value + " (default)");
    } else {
      node.rows.push_back({name, is_written ? "→" : ":", value});
    }
  }
}

}  // namespace espalier::report
