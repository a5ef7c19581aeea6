// Any bytes as scripts: checked, searched for notes, and run for two agents with saving and restoring in between. A
// zero byte separates scripts.
#include <string>
#include <string_view>
#include <vector>

#include "codegen/compile.h"
#include "fuzz.h"
#include "ir/draft.h"
#include "ir/tree.h"
#include "runtime/format/opcodes/tick.h"
#include "script/machine.h"
#include "script/syntax.h"

namespace {

using namespace espalier;

constexpr std::size_t kMaxScriptCount = 4;

std::vector<std::string> split(std::string_view bytes) {
  std::vector<std::string> scripts;
  while (scripts.size() < kMaxScriptCount) {
    const std::size_t end = bytes.find('\0');
    scripts.emplace_back(bytes.substr(0, end));
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
  }
  return scripts;
}

std::vector<std::uint64_t> compile_scripts(const std::vector<std::string>& scripts, std::size_t* size_bytes) {
  ir::Tree tree;
  tree.name = "Scripts";
  tree.parts = ir::Ticking();
  ir::Drafts drafts;
  ir::Draft& root = drafts.make(opcode::tick_sequence);
  for (const std::string& script : scripts) {
    ir::Draft& node = drafts.make(opcode::tick_script);
    node.set(ir::Scripts{{script}});
    root.add(node);
  }
  tree.nodes = drafts.lay_out(root);
  text::Sources sources;
  sources.add("scripts.xml", "\n");
  text::Findings findings;
  return codegen::compile({{tree}, {}}, sources, {}, findings, size_bytes);
}

void check(const script::Outcome& outcome) {
  if (!outcome.error) return;
  fuzz::require(!outcome.truth);
  for (const char letter : *outcome.error) fuzz::require(static_cast<unsigned char>(letter) >= 0x20);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  const std::vector<std::string> scripts = split({reinterpret_cast<const char*>(data), size_bytes});
  for (const std::string& script : scripts) {
    (void)script::check_syntax(script);
    for (const script::PortabilityNote& note : script::portability_notes(script)) {
      fuzz::require(note.begin < note.end && note.end <= script.size() && !note.message.empty());
    }
  }
  std::size_t asset_bytes = 0;
  const std::vector<std::uint64_t> words = compile_scripts(scripts, &asset_bytes);
  Asset asset;
  if (words.empty() || open(words.data(), asset_bytes, &asset) != Status::ok) return 0;
  script::Limits limits;
  limits.step_count = 20'000;
  limits.memory_bytes = 1 << 20;
  script::Machine machine(asset, 1, limits);
  machine.add_agent(0, "first");
  machine.add_agent(1, "second");
  for (std::uint32_t agent = 0; agent < 2; ++agent) {
    for (std::uint32_t script = 0; script < script_count(asset); ++script) {
      check(machine.run(agent, script));
      const auto snapshot = machine.save(agent);
      check(machine.run(agent, script));
      if (snapshot) fuzz::require(machine.restore(agent, *snapshot));
    }
  }
  return 0;
}
