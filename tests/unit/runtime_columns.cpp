// Crowds get what single agents get: random trees of every shape, by vectors of each width, in random states of many
// variables and in all states of few. After each update the crowd is stored in agents' blocks and compared, byte for
// byte, with agents that were updated one by one.
#include <algorithm>
#include <vector>

#include "payloads.h"
#include "runtime/select/columns.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace runtime_columns {

namespace {

using namespace espalier;

using Words = std::vector<std::uint64_t>;

// Words at a multiple of 64, with one after them that must stay as it is.
class Planes {
 public:
  explicit Planes(std::size_t size_bytes) : lines_(size_bytes / sizeof(Line) + 1), after_(size_bytes / 8) {
    words()[after_] = kAfter;
  }
  std::uint64_t* words() { return lines_.front().words; }
  const std::uint64_t* words() const { return lines_.front().words; }
  bool ends_as_it_must() const { return words()[after_] == kAfter; }
  bool operator==(const Planes& other) const { return std::equal(words(), words() + after_, other.words()); }

 private:
  static constexpr std::uint64_t kAfter = 0x1234567812345678;
  struct alignas(64) Line {
    std::uint64_t words[8] = {};
  };
  std::vector<Line> lines_;
  std::size_t after_;
};

// A crowd of one block, or a part of one.
struct Crowd {
  ColumnPath path;
  Planes block;
};

// The same agents as blocks of their own and as crowds.
class Pair {
 public:
  Pair(const Asset& asset, std::uint32_t index, std::uint32_t agent_count)
      : tree_(tree(asset, index)), agent_count_(agent_count), agent_words_(agent_bytes(tree_) / 8) {
    code_.assign(columns_bytes(tree_) / 8, 0);
    if (code_.empty()) return;
    code_.push_back(kAfter);
    columns_ = make_columns(tree_, code_.data());
    agents_.resize(agent_words_ * agent_count);
    for (std::uint32_t i = 0; i < agent_count; ++i) start(tree_, agent(agents_, i));
    for (const ColumnPath path : {ColumnPath::plain, ColumnPath::base, ColumnPath::avx2, ColumnPath::avx512}) {
      if (path > widest_path()) break;
      crowds_.push_back({path, Planes(columns_.block_bytes)});
      start_columns(columns_, crowds_.back().block.words(), 1);
    }
  }

  bool has_columns() const { return !code_.empty(); }
  std::uint32_t variables() const { return variable_count(tree_); }

  void set_all(std::uint32_t index, std::uint32_t variable, bool value) {
    set(tree_, agent(agents_, index), variable, value);
    for (Crowd& crowd : crowds_) set_in_column(columns_, crowd.block.words(), index, variable, value);
  }

  // Updates all and compares.
  bool update_all() {
    std::vector<std::uint32_t> before;
    for (std::uint32_t i = 0; i < agent_count_; ++i) before.push_back(current_leaf(tree_, agent(agents_, i)));
    espalier::update_all(tree_, agents_.data(), agent_words_ * 8, agent_count_, Host{});
    bool is_same = code_.back() == kAfter;
    for (Crowd& crowd : crowds_) {
      Planes work(columns_.work_bytes);
      update_columns(crowd.path, columns_, reinterpret_cast<unsigned char*>(crowd.block.words()), 1,
                     reinterpret_cast<unsigned char*>(work.words()));
      Words stored = agents_;
      for (std::uint32_t i = 0; i < agent_count_; ++i) start(tree_, agent(stored, i));
      store_columns(columns_, crowd.block.words(), stored.data(), agent_words_ * 8, agent_count_);
      is_same = is_same && stored == agents_ && work.ends_as_it_must() && crowd.block.ends_as_it_must() &&
                has_leaves(crowd, before);
      // What was stored is what is loaded.
      Planes loaded = crowd.block;
      load_columns(columns_, loaded.words(), agents_.data(), agent_words_ * 8, agent_count_);
      is_same = is_same && loaded == crowd.block;
    }
    return is_same;
  }

 private:
  static constexpr std::uint64_t kAfter = 0x1234567812345678;

  void* agent(Words& agents, std::uint32_t index) const { return agents.data() + agent_words_ * index; }

  // And the plane of agents that have another leaf.
  bool has_leaves(Crowd& crowd, const std::vector<std::uint32_t>& before) {
    std::vector<std::uint16_t> leaves(kColumnAgents);
    column_leaves(columns_, crowd.block.words(), leaves.data());
    const std::uint64_t* switched = plane(crowd.block.words(), columns_.switched_plane);
    for (std::uint32_t i = 0; i < agent_count_; ++i) {
      const std::uint32_t leaf = current_leaf(tree_, agent(agents_, i));
      if (leaves[i] != (leaf == kNoLeaf ? leaf_count(tree_) : leaf)) return false;
      if ((switched[i / 64] >> i % 64 & 1) != (leaf != before[i])) return false;
    }
    return true;
  }

  Tree tree_;
  std::uint32_t agent_count_;
  std::size_t agent_words_;
  Words code_;
  Columns columns_;
  Words agents_;
  std::vector<Crowd> crowds_;
};

}  // namespace

TEST_CASE("crowds get the leaves and states that single agents get") {
  test::Random random{18};
  std::uint32_t with_columns = 0;
  std::uint32_t without = 0;
  const int round_count = rounds_of(150);
  for (int round = 0; round < round_count; ++round) {
    test::Compiled compiled;
    test::compile(test::random_project(random), compiled);
    for (std::uint32_t index = 0; index < tree_count(compiled.asset); ++index) {
      CAPTURE(round, index);
      const std::uint32_t agent_count = random.chance(20) ? kColumnAgents : 1 + random.below(150);
      Pair pair(compiled.asset, index, agent_count);
      ++(pair.has_columns() ? with_columns : without);
      bool is_same = true;
      for (int step = 0; pair.has_columns() && step < 12 && is_same; ++step) {
        for (std::uint32_t agent = 0; agent < agent_count; ++agent) {
          const std::uint32_t flips = random.chance(20) ? pair.variables() : random.below(3);
          for (std::uint32_t i = 0; i < flips; ++i) {
            pair.set_all(agent, random.below(pair.variables()), random.chance(50));
          }
        }
        is_same = pair.update_all();
      }
      CHECK(is_same);
    }
  }
  CHECK(with_columns > rounds_of(250u));
  CHECK(with_columns > 10 * without);
}

TEST_CASE("crowds get the same in every state of few variables, from every state") {
  test::Random random{19};
  test::TreeShape shape;
  shape.max_nodes = 60;
  shape.max_variables = 8;
  for (int round = 0; round < 20; ++round) {
    test::DraftProject project;
    project.trees.push_back(test::random_tree(random, shape, "Tree"));
    test::Compiled compiled;
    test::compile(project, compiled);
    const std::uint32_t states = 1u << variable_count(tree(compiled.asset, 0));
    REQUIRE(states <= kColumnAgents);
    Pair pair(compiled.asset, 0, states);
    CAPTURE(round);
    if (!pair.has_columns()) continue;
    // In step n, agent i is in state i ^ n: each agent in all states.
    bool is_same = true;
    for (std::uint32_t step = 0; step < states && is_same; ++step) {
      for (std::uint32_t agent = 0; agent < states; ++agent) {
        for (std::uint32_t v = 0; v < pair.variables(); ++v) pair.set_all(agent, v, ((agent ^ step) >> v & 1) != 0);
      }
      is_same = pair.update_all();
    }
    CHECK(is_same);
  }
}

TEST_CASE("a column is set from bytes, and tells who has changed") {
  test::Random random{20};
  test::Compiled compiled;
  test::compile(test::random_project(random), compiled);
  const Tree only = tree(compiled.asset, 0);
  REQUIRE(variable_count(only) > 0);
  Words code(columns_bytes(only) / 8);
  REQUIRE(!code.empty());
  const Columns columns = make_columns(only, code.data());
  Planes block(columns.block_bytes);
  std::vector<std::uint8_t> bytes(kColumnAgents);
  for (int round = 0; round < 20; ++round) {
    std::uint64_t* const changed = plane(block.words(), columns.changed_plane);
    std::fill(changed, changed + kColumnAgents / 64, 0);
    const Planes before = block;
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.chance(50) ? random.below(256) : 0);
    set_column(columns, block.words(), 0, bytes.data());
    bool is_right = true;
    for (std::uint32_t i = 0; i < kColumnAgents; ++i) {
      const bool old = (before.words()[i / 64] >> i % 64 & 1) != 0;
      is_right = is_right && (block.words()[i / 64] >> i % 64 & 1) == (bytes[i] != 0);
      is_right = is_right && (changed[i / 64] >> i % 64 & 1) == (old != (bytes[i] != 0));
    }
    CHECK(is_right);
  }
}

}  // namespace runtime_columns
