// An index of many names: finds the nearest one without a comparison with each of them.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace espalier::text {

class NameIndex {
 public:
  NameIndex() = default;
  // The memory that the names refer to must outlive the index. Names may repeat.
  explicit NameIndex(std::vector<std::string_view> names) : names_(std::move(names)) {}

  // The same result as text::nearest(name, names), whatever the order of calls. After kMaxSteps in total the result is
  // empty, so that names chosen to be slow take no more than about a second.
  [[nodiscard]] std::string nearest(std::string_view name);
  // The same for the names of both indexes; those of this one come first.
  [[nodiscard]] std::string nearest(std::string_view name, NameIndex& more);
  // "did you mean 'NEAREST'?", or empty.
  [[nodiscard]] std::string did_you_mean(std::string_view name);

  // From here on, allows so many steps in place of kMaxSteps. What was found before is looked for anew, so that it does
  // not decide what is found.
  void allow(std::uint64_t steps) {
    most_steps_ = steps;
    steps_ = 0;
    known_.clear();
  }

  [[nodiscard]] std::size_t size() const { return names_.size(); }

  static constexpr std::uint64_t kMaxSteps = 10'000'000;  // letters of names compared
  // For each of `count` files that share an index, whatever the order in which they are read. The same for similar
  // counts, so that what is found in one file seldom changes as others come and go.
  static constexpr std::uint64_t steps_of_file(std::size_t count) {
    constexpr std::uint64_t kLeast = 20'000;
    return kLeast + kMaxSteps / std::bit_ceil(count);
  }

 private:
  // A name in lower case, without repetitions, and its first original spelling.
  struct Entry {
    std::string lower;
    std::string_view name;
  };
  using Order = std::vector<std::uint32_t>;  // into entries_, sorted by letters read forwards or backwards
  struct Search;
  // The nearest name; if none is near enough, `distance` is above every accepted one.
  struct Nearest {
    std::string_view name;  // empty: there are several
    std::size_t distance = 0;
  };

  void build();
  Nearest find(std::string_view name);
  Nearest search(const std::string& wanted);

  std::vector<std::string_view> names_;
  std::vector<Entry> entries_;  // sorted forwards; empty until the first call
  Order backwards_;
  std::unordered_map<std::string, Nearest> known_;  // by a name in lower case: texts repeat their unknown names
  std::uint64_t steps_ = 0;
  std::uint64_t most_steps_ = kMaxSteps;
};

}  // namespace espalier::text
