// What tells two versions apart in a step: what the host hears, and what agents show after it; in words.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/given.h"
#include "explore/run.h"

namespace espalier::explore {

// Used by several threads. The world has two sides, and Pictures::kOwnBytes of its own.
class Pictures {
 public:
  static constexpr std::size_t kOwnBytes = 8;

  explicit Pictures(const World& world);

  // For Observer::heard.
  std::uint64_t number(std::size_t side, const Hearing& hearing);

  // What each version shows or lets hear that the other one does not; none: nothing.
  struct Contrast {
    std::optional<std::string> before = {};
    std::optional<std::string> after = {};
    bool operator<(const Contrast& other) const {
      return std::pair(before, after) < std::pair(other.before, other.after);
    }
  };
  // For Observer::after: marks the contrast that ends a run. Does the world go on?
  bool compare(Run& run, const Step& step, unsigned char* state);

  const Contrast& at(std::uint64_t mark) const { return contrasts_[mark]; }
  // Did some update of one version ask conditions more often than that of the other? Alone, that is no contrast, but
  // lists of answers that go on in later updates may make it one.
  bool asks_unlike() const { return asks_unlike_; }

  // The node that makes the contrast of the step that was compared last, as Run::is_telling().
  struct Place {
    SourcePlace place = {};
    bool is_of_old = false;
  };
  const Place& told_place() const { return told_; }

 private:
  struct Shown;

  std::uint32_t number_of(const std::string& name);
  std::string name(std::uint32_t number) const;
  Shown shown(Run& run, std::size_t side, unsigned char* state) const;
  std::string words(const Shown& shown, bool with_agents, bool with_statuses) const;
  Contrast contrast_of(const Shown& before, const Shown& after) const;
  // `deeds_only`: only what agents do. Sets the place of the contrast.
  std::optional<Contrast> contrast_heard(const Run& run, std::uint32_t agent, bool deeds_only, Place& place);
  std::optional<Contrast> contrast_asked(const Run& run, std::uint32_t agent, Place& place);
  std::string words(const Heard& heard, const Heard* other) const;
  std::uint64_t mark_of(Contrast contrast);
  static Place place_shown(Run& run, unsigned char* state);
  Place place_heard(const Run& run, const Heard* before, const Heard* after) const;
  bool compare_several(Run& run, const Step& step, unsigned char* state);
  bool end(Run& run, Contrast contrast, const Place& place);

  const World& world_;
  GivenInputs inputs_;
  bool has_order_ = true;                                                     // of what agents show
  std::vector<std::vector<std::uint32_t>> behaviors_, conditions_, signals_;  // names, by side
  std::atomic<bool> asks_unlike_ = false;
  std::vector<std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>> scripts_;  // name and text, by node
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> names_;
  std::map<Contrast, std::uint64_t> marks_;
  std::vector<Contrast> contrasts_;
  Place told_;
};

}  // namespace espalier::explore
