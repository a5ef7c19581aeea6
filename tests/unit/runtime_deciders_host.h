// A host for the tests of decider trees: it answers as its lists say and keeps all that it is told, in the words of
// traces. The runtime and the model are each given one with the same lists, so both must tell the same.
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

  // What a Decide function or a behaviour answers, one a call, the last one staying. Without: 1, and it goes on.
  std::map<std::string, std::vector<DeciderAnswer>> answers;
  std::vector<std::string> events;
  // Notes what memory and blocks hold as well, and fills them with bytes that no other call leaves.
  bool looks_at_bytes = false;
  // Done within each call of a behaviour, when there is one.
  std::function<void()> meddle;
  // Done at each call of a Decide function, before it answers.
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

// The shortest decimal that reads back the same, without a point where it is whole.
std::string decimal(double number);

}  // namespace espalier::test
