// Breakpoints: which there are, and which of them hold the agent.
#pragma once
#include <espalier/espalier.h>

#include <cstdint>
#include <string_view>

#include "serving/json.h"
#include "serving/output.h"

namespace espalier::serving {

inline constexpr std::uint32_t kBefore = 0;  // positions
inline constexpr std::uint32_t kAfter = 1;

struct Hook {
  std::uint16_t uid = 0;
  std::uint8_t position = kBefore;
  std::uint8_t status = 0;  // `desired_status`, by kStatusNames
  bool is_enabled = false;
  bool is_once = false;
  bool waits = false;       // it holds the agent
  bool goes_on = false;     // a client let it go on before it was reached: it then does not hold
  bool has_notice = false;  // that is not sent yet
  bool is_done = false;     // it is removed when that is sent
  bool replaces = false;    // results by `status`: it does not hold
  std::uint8_t given = 0;   // a status for the next tick, that a client goes on with; 0: none
};

// The nodes that may have hooks.
struct HookedNodes {
  std::uint32_t count;  // uids are from 1 to this
  const void* user;
  bool (*calls_program)(const void* user, std::int64_t uid);
};

class Hooks {
 public:
  // `memory`: `capacity` of them. `may_replace`: results, of nodes that call the program.
  Hooks(Hook* memory, std::uint32_t capacity, bool may_replace)
      : hooks_(memory), capacity_(capacity), may_replace_(may_replace) {}

  // ---- Requests of clients: false: `fault` gets why not

  // One, or a list; those of other nodes are ignored.
  bool insert(std::string_view json, const HookedNodes& nodes, Output& fault);
  bool remove(std::string_view json, Output& fault);
  bool let_go_on(std::string_view json, const HookedNodes& nodes, Output& fault);
  void write(Output& json) const;
  void disable_all();
  void remove_all() { count_ = 0; }

  // ---- The agent

  void reach(std::uint16_t uid, std::uint32_t position);
  bool hold() const;
  // A node is ticked: is its result replaced?
  bool replace(std::uint16_t uid, espalier_result* result);
  // Clients are silent: nothing is held until they ask again.
  void sleep();
  void wake() { is_asleep_ = false; }

  // Calls send(uid) for each notice that is not sent yet.
  template <typename Send>
  void each_notice(const Send& send) {
    for (std::uint32_t i = count_; i-- > 0;) {
      if (hooks_[i].has_notice) send(hooks_[i].uid);
      hooks_[i].has_notice = false;
      if (hooks_[i].is_done) erase(hooks_ + i);
    }
  }

 private:
  Hook* find(std::int64_t uid, std::int64_t position);
  bool insert_one(JsonValue json, const HookedNodes& nodes, Output& fault);
  bool may_replace(std::int64_t uid, std::int64_t position, std::uint8_t status, const HookedNodes& nodes,
                   Output& fault) const;
  void erase(Hook* hook);

  Hook* hooks_;
  std::uint32_t capacity_;
  std::uint32_t count_ = 0;
  const bool may_replace_;
  bool is_asleep_ = false;
};

}  // namespace espalier::serving
