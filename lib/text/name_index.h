// Many names, among which the one that was meant is found without a comparison with each of them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::text {

class NameIndex {
 public:
  NameIndex() = default;
  // What the names view must outlive the index. They may repeat.
  explicit NameIndex(std::vector<std::string_view> names) : names_(std::move(names)) {}

  // As text::nearest(name, names): the same answer, whatever the order of questions. After kMaxSteps in all there is
  // none, so that names that are made to be slow take no more than about a second.
  [[nodiscard]] std::string nearest(std::string_view name);
  // "did you mean 'NEAREST'?", or empty.
  [[nodiscard]] std::string did_you_mean(std::string_view name);
  // The same among the names of both, those of this one being the first.
  [[nodiscard]] std::string did_you_mean(std::string_view name, NameIndex& more);

  [[nodiscard]] std::size_t size() const { return names_.size(); }

  static constexpr std::uint64_t kMaxSteps = 10'000'000;  // letters of names looked at

 private:
  // Names in lower case, without repetitions, and the first that is written so.
  struct Entry {
    std::string lower;
    std::string_view name;
  };
  using Order = std::vector<std::uint32_t>;  // into entries_, sorted as one reads them: forwards or backwards
  struct Search;
  // The nearest names; `distance` is beyond all that are believed where there is none.
  struct Nearest {
    std::string_view name;  // empty: there are several
    std::size_t distance = 0;
  };

  void build();
  Nearest find(std::string_view name);

  std::vector<std::string_view> names_;
  std::vector<Entry> entries_;  // sorted forwards; empty until the first question
  Order backwards_;
  std::uint64_t steps_ = 0;
};

}  // namespace espalier::text
