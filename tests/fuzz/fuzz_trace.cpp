// Any bytes as a trace: replayed, or refused with a message.
#include <sstream>
#include <utility>

#include "codegen/compile.h"
#include "dialects/dialect.h"
#include "fuzz.h"
#include "replay/replay.h"
#include "text/xml.h"

namespace {

using namespace espalier;

constexpr std::string_view kTree = R"(<SelectionTree name="Guard" type="BehaviorSelectionTree">
  <Variables><Variable name="Alerted"/><Variable name="Near"/><Variable name="Empty"/></Variables>
  <SignalVariables>
    <Signal name="OnSeen" variable="Alerted" value="true"/><Signal name="OnLost" variable="Alerted" value="Near and !Empty"/>
  </SignalVariables>
  <Priority name="Root">
    <StateMachine name="Combat" condition="Alerted">
      <State name="Approach"><Transition state="Fight" condition="Near"/><Leaf name="Run"/></State>
      <State name="Fight"><Transition state="Approach" condition="Empty"/><Leaf name="Shoot"/></State>
    </StateMachine>
    <Leaf name="Idle" condition="!Near"/>
  </Priority>
</SelectionTree>)";

struct Compiled {
  std::vector<std::uint64_t> words;
  Asset asset;
};

Compiled compile_tree() {
  text::Sources sources;
  text::Findings findings;
  const auto document = text::XmlDocument::parse("guard.xml", kTree, sources, findings);
  ir::Project project;
  const dialects::File file{document.get(), "guard"};
  dialects::all()[0].read({&file, 1}, {}, project, findings);
  Compiled compiled;
  std::size_t asset_bytes = 0;
  compiled.words = codegen::compile(project, sources, {}, findings, &asset_bytes);
  fuzz::require(open(compiled.words.data(), asset_bytes, &compiled.asset) == Status::ok);
  return compiled;
}

// A trace may ask for very many agents or updates: that is work, not a fault, and is left out. Lines add up: a hundred
// that ask for a thousand agents each are too many.
bool asks_for_much(std::string_view bytes) {
  constexpr unsigned kMaxSum = 1000;
  unsigned sum = 0;
  unsigned number = 0;
  bool is_number = false;
  for (const char letter : bytes) {
    if (is_number && (letter == 'e' || letter == 'E')) return true;
    is_number = letter >= '0' && letter <= '9';
    if (is_number) {
      number = number * 10 + static_cast<unsigned>(letter - '0');
    } else {
      sum += std::exchange(number, 0);
    }
    if (sum + number > kMaxSum) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  static const Compiled compiled = compile_tree();
  const std::string bytes(reinterpret_cast<const char*>(data), size_bytes);
  if (asks_for_much(bytes)) return 0;
  std::istringstream trace(bytes);
  std::ostringstream out;
  const replay::TraceResult result = replay::replay(compiled.asset, trace, "fuzz.trace.jsonl", {}, out);
  for (const std::string& error : result.errors) fuzz::require(!error.empty());
  for (const std::string& mismatch : result.mismatches) fuzz::require(!mismatch.empty());
  return 0;
}
