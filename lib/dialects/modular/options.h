// What espalier.json says of modular trees: under "modular", "hosts" and "hostFiles".
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/configuration.h"
#include "dialects/options.h"
#include "dialects/reading/host.h"
#include "text/source.h"

namespace espalier::dialects {

// Something in a script that has another meaning in an engine's Lua; without a message: a comment that only the end of
// the script ends.
struct ScriptNote {
  std::uint32_t begin = 0;  // byte range in the script
  std::uint32_t end = 0;
  std::string message;
  std::string hint;
};

struct ModularOptions {
  GameEngine engine = GameEngine::cryengine_5_6;  // that findings are about
  std::vector<HostDeclaration> hosts;  // of "hosts" and "hostFiles", sorted by name; empty: nothing is declared
  // The nodes of the engines' own artificial intelligence, sorted by name, and the events that the engine registers. Of
  // nodes that are not among `hosts`, only the name and the possible results are known.
  std::vector<HostDeclaration> engine_hosts;
  std::vector<std::string> engine_events;  // sorted
  bool stops_when_root_is_done = false;    // "rootDone": "stop"
  // "lua": files of Lua that run before the first script of an agent, in order.
  struct Prelude {
    std::string file;  // as configured
    text::FileId id;
    std::string text;
  };
  std::vector<Prelude> preludes;
  std::optional<std::uint32_t> agent_count;  // "agents": at most so many have the same tree
  // The first returns a syntax error of a script, or nothing if there is none. The second returns the notes on it. The
  // third what to write in place of a syntax error, or nothing. Empty: scripts are not checked.
  std::function<std::optional<std::string>(std::string_view script)> check_script;
  std::function<std::vector<ScriptNote>(std::string_view script)> note_script;
  std::function<std::string(std::string_view script)> hint_script;
};

namespace modular {

[[nodiscard]] DialectConfiguration configuration();

// Adds to `engine_hosts` and `engine_events` what a host file declares whose root is given. No fault is reported.
void add_engine_knowledge(const text::JsonValue& root, std::string_view text, Options& options);
// The same, without reading it again, if the project names that host file. False: it does not.
[[nodiscard]] bool take_engine_knowledge(Options& options);

// Makes declared nodes of the engines' that the project does not declare.
void declare_known(Options& options);

// Removes the declarations of nodes that the configured engine does not have.
void forget_other_engines(Options& options);

}  // namespace modular
}  // namespace espalier::dialects
