// A host for the tests of decider trees: it answers from its lists and records all calls in the words of traces. The
// runtime and the model each get one with the same lists, so both must record the same.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace espalier::test {

// A number for Decide functions, a word for behaviours: running, success, failure, refuse.
using DeciderAnswer = std::variant<double, std::string>;

class DeciderHost {
 public:
  using Bytes = std::span<unsigned char>;

  // The answers of a Decide function or a behaviour, one per call; the last one repeats. Without a list: 1, or running.
  std::map<std::string, std::vector<DeciderAnswer>> answers;
  std::vector<std::string> events;
  // Also records the contents of memory and blocks, and fills them with bytes that are different for each call.
  bool looks_at_bytes = false;
  // Called within each call of a behaviour, if set.
  std::function<void()> meddle;
  // Called at each call of a Decide function, before it answers.
  std::function<void(const std::string& decider)> on_decide;

  double decide(const std::string& decider, const std::string& function, Bytes block);
  bool activate(const std::string& behavior, std::uint32_t flags, Bytes memory, Bytes block);
  bool tick(const std::string& behavior, std::uint32_t flags, Bytes memory, Bytes block);
  void deactivate(const std::string& behavior, std::uint32_t flags, Bytes memory, Bytes block);

 private:
  DeciderAnswer next(const std::string& name, bool only_refusals);
  void look(const char* what, std::uint32_t flags, Bytes memory, Bytes block);

  std::uint32_t calls_ = 0;
};

// The shortest decimal that reads back the same, without a point if it is whole.
std::string decimal(double number);

}  // namespace espalier::test
