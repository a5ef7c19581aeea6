// Random decider trees with random steps, through the runtime and the model side by side: all calls of a host, every
// result and the visible state of an agent must be the same after each step.
#include <limits>

#include "runtime_deciders_agent.h"
#include "unit.h"

namespace runtime_deciders {

namespace {

using namespace espalier;
using test::DeciderAgent;
using test::DeciderAnswer;
using test::DeciderPair;
using test::Random;

class RandomSteps {
 public:
  RandomSteps(Random& random, DeciderPair& pair) : random_(random), pair_(pair) {}

  void step() {
    const std::uint32_t dice = random_.below(20);
    if (dice < 5) change_answers();
    if (dice == 5 || dice == 6) change_flags();
    if (dice == 7) pair_.signal("On" + std::to_string(random_.below(4)), data());
    if (dice == 8 && !pair_.tree().stimuli.empty()) pair_.set_stimulus(any_stimulus(), data());
    if (dice == 9 && !pair_.tree().stimuli.empty()) pair_.clear_stimulus(any_stimulus());
    if (dice == 10 && random_.chance(30)) saved_.push_back(pair_.save());
    if (dice == 11 && !saved_.empty()) pair_.restore(saved_[random_.below(static_cast<std::uint32_t>(saved_.size()))]);
    if (dice == 12 && random_.chance(30)) pair_.stop();
    if (dice == 13 && random_.chance(50)) pair_.move();
    constexpr double kSteps[] = {0, 0.1, 0.3, 0.5, 1, 1, 2};
    pair_.tick(kSteps[random_.below(7)], static_cast<DeciderAgent::How>(random_.below(3)));
  }

 private:
  std::string any_stimulus() {
    return pair_.tree().stimuli[random_.below(static_cast<std::uint32_t>(pair_.tree().stimuli.size()))].name;
  }
  std::string data() { return random_.chance(50) ? std::string() : std::string(random_.below(17), 'd'); }

  void change_flags() {
    std::vector<std::string> names;
    for (const std::string& flag : pair_.tree().flags) {
      if (random_.chance(50)) names.push_back(flag);
    }
    pair_.set_flags(names);
  }

  void change_answers() {
    const bool is_decide = random_.chance(50);
    const std::string name =
        is_decide ? "d" + std::to_string(random_.below(5)) : "b" + std::to_string(random_.below(7));
    std::vector<DeciderAnswer> list;
    for (std::uint32_t i = 1 + random_.below(4); i > 0; --i) list.push_back(is_decide ? value() : word());
    pair_.answer(name, list);
  }
  DeciderAnswer value() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double values[] = {0, 1, 1, 2, 0.5, -1, 3, 1e-300, kInfinity, std::numeric_limits<double>::quiet_NaN()};
    return values[random_.below(10)];
  }
  DeciderAnswer word() {
    const char* const words[] = {"running", "running", "running", "failure", "refuse"};
    return std::string(words[random_.below(5)]);
  }

  Random& random_;
  DeciderPair& pair_;
  std::vector<DeciderPair::Saved> saved_;
};

}  // namespace

TEST_CASE("random trees of deciders run as the page says, tick by tick") {
  const std::uint64_t seed_count = rounds_of(2500u);
  for (std::uint64_t seed = 1; seed <= seed_count; ++seed) {
    CAPTURE(seed);
    Random random{seed};
    DeciderPair pair(test::random_deciders(random), random.next(), true);
    if (random.chance(40)) pair.meddle(random.next(), 20);
    RandomSteps steps(random, pair);
    for (int step = 0; step < 40; ++step) steps.step();
    pair.stop();
  }
}

}  // namespace runtime_deciders
