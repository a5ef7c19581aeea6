// Breakpoints: which there are, and which of them hold the agent.
#pragma once
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
};

class Hooks {
 public:
  // `memory`: `capacity` of them.
  Hooks(Hook* memory, std::uint32_t capacity) : hooks_(memory), capacity_(capacity) {}

  // ---- Requests of clients: false: `fault` gets why not

  // One, or a list; of nodes with uids up to `uid_count`, others are ignored.
  bool insert(std::string_view json, std::uint32_t uid_count, Output& fault);
  bool remove(std::string_view json, Output& fault);
  bool let_go_on(std::string_view json, Output& fault);
  void write(Output& json) const;
  void disable_all();
  void remove_all() { count_ = 0; }

  // ---- The agent

  void reach(std::uint16_t uid, std::uint32_t position);
  bool hold() const;
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
  bool insert_one(JsonValue json, std::uint32_t uid_count, Output& fault);
  void erase(Hook* hook);

  Hook* hooks_;
  std::uint32_t capacity_;
  std::uint32_t count_ = 0;
  bool is_asleep_ = false;
};

}  // namespace espalier::serving
