// When a row of conditions all hold, as a list of cubes: sets of variables with the values that they must have. The
// conditions hold if exactly one of the cubes does.
#pragma once
#include "select/prepared.h"

namespace espalier {

class CubeList {
 public:
  struct Term {
    std::uint32_t variable;
    bool value;
    bool is_second;  // the other value was tried before
  };
  static constexpr std::uint32_t kMaxTerms = 24;
  static constexpr std::uint32_t kMaxCubes = 16;
  static constexpr std::uint32_t kTooMany = kMaxCubes + 1;
  static constexpr std::uint32_t kMaxSteps = 512;  // a step tests all conditions

  // `conditions`: operands.
  // `holding`: false: the cubes say when they do not all hold.
  CubeList(const PreparedTree& tree, const std::uint32_t* conditions, std::uint32_t condition_count,
           bool holding = true)
      : tree_(tree),
        conditions_(conditions),
        condition_count_(condition_count),
        wanted_(holding ? Truth::yes : Truth::no) {}

  // The number of cubes, or kTooMany. The steps that this takes are added to `steps`.
  std::uint32_t count(std::uint64_t& steps) const;

  // Goes to the next cube. False: there is none, or is_too_large().
  bool next();
  bool is_too_large() const { return is_too_large_; }
  const Term* begin() const { return terms_; }
  const Term* end() const { return terms_ + term_count_; }

 private:
  enum class Truth : std::uint8_t { no, yes, open };

  Truth truth();
  Truth truth(std::uint32_t condition);
  Truth truth(const layout::Test& test);
  bool try_other_value();

  const PreparedTree tree_;
  const std::uint32_t* conditions_;
  std::uint32_t condition_count_;
  Truth wanted_;
  bool has_begun_ = false;
  bool is_too_large_ = false;
  std::uint32_t steps_ = 0;
  std::uint32_t open_variable_ = 0;  // one that decides what is open
  std::uint32_t term_count_ = 0;
  Term terms_[kMaxTerms];
};

}  // namespace espalier
