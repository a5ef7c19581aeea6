// Agents as text: the lines of all kinds of trees are in tests/golden (print-writes-trees-of-all-kinds); here what they
// have no case for.
#include <espalier/espalier.hpp>
#include <string>

#include "payloads.h"
#include "runtime/format/opcodes/select.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace espalier {
namespace {

struct PrintedText {
  std::string text;
  std::size_t longest = 0;

  static void add(void* user, const char* piece, std::size_t size_bytes) {
    auto& own = *static_cast<PrintedText*>(user);
    own.text.append(piece, size_bytes);
    own.longest = std::max(own.longest, size_bytes);
  }
};

std::string printed(const Tree& tree, const void* block, const PrintOptions& options = {}) {
  PrintedText text;
  print(tree, block, options, PrintedText::add, &text);
  return text.text;
}

// A leaf within `depth` other nodes.
test::DraftProject nested(std::size_t depth, const std::string& leaf_name) {
  test::Draft node;
  node.opcode = opcode::select_leaf;
  node.name = leaf_name;
  node.payload = ir::Leaf{std::nullopt, "Wait"};
  for (std::size_t i = 0; i < depth; ++i) {
    test::Draft around;
    around.opcode = opcode::select_priority;
    around.name = "N";
    around.payload = ir::Guard{};
    around.children.push_back(std::move(node));
    node = std::move(around);
  }
  test::DraftProject project;
  test::DraftTree& tree = project.trees.emplace_back();
  tree.name = "Deep";
  tree.root = std::move(node);
  return project;
}

struct OpenedForPrint {
  explicit OpenedForPrint(const test::DraftProject& project) {
    test::compile(project, compiled, false);
    REQUIRE(open(compiled.words.data(), compiled.size_bytes, &asset) == Status::ok);
    first = tree(asset, 0);
    block.resize(agent_bytes(first) / 8 + 1);
    start(first, block.data());
  }

  test::Compiled compiled;
  Asset asset;
  Tree first;
  std::vector<std::uint64_t> block;
};

TEST_CASE("nodes nested too deep are left out, and the text says so", "[print]") {
  const OpenedForPrint shallow(nested(127, "Leaf"));
  CHECK(printed(shallow.first, shallow.block.data()).find("Leaf") != std::string::npos);
  CHECK(printed(shallow.first, shallow.block.data()).find("...") == std::string::npos);
  const OpenedForPrint deep(nested(128, "Leaf"));
  CHECK(printed(deep.first, deep.block.data()).find("Leaf") == std::string::npos);
  CHECK(printed(deep.first, deep.block.data()).find("...\n") != std::string::npos);
}

TEST_CASE("control characters of names do not break lines", "[print]") {
  const OpenedForPrint opened(nested(0, "a\nb\x1b[31m"));
  CHECK(printed(opened.first, opened.block.data()).find("  a?b?[31m, leaf, behavior Wait") != std::string::npos);
}

TEST_CASE("a buffer gets what fits", "[print]") {
  const OpenedForPrint opened(nested(1, "\xC3\xA4\xC3\xB6"));  // two letters of two bytes
  const std::string whole = printed(opened.first, opened.block.data());
  for (std::size_t size = 0; size <= whole.size() + 2; ++size) {
    std::string buffer(whole.size() + 8, '#');
    REQUIRE(print(opened.first, opened.block.data(), {}, buffer.data(), size) == whole.size());
    REQUIRE(buffer.find_first_not_of('#', size) == std::string::npos);  // nothing after its end
    if (size == 0) continue;
    const std::string written = buffer.c_str();
    const bool is_cut = size <= whole.size();
    const bool cuts_letter = is_cut && (static_cast<unsigned char>(whole[size - 1]) & 0xC0) == 0x80;
    REQUIRE(written == whole.substr(0, is_cut ? size - 1 - (cuts_letter ? 1 : 0) : whole.size()));
  }
}

TEST_CASE("a history keeps the newest nodes", "[print]") {
  Completed entries[3];
  History history;
  history.entries = entries;
  history.capacity = 3;
  CHECK(recent(history, 0) == nullptr);
  CHECK(last_of(history, 1) == nullptr);
  for (std::uint32_t i = 0; i < 5; ++i) {
    record(history, {NodeStepKind::complete, i % 4, Result::success}, i);
    record(history, {NodeStepKind::begin, 9, 0}, i);  // completes nothing
  }
  CHECK(history.count == 3);
  CHECK(recent(history, 0)->node_word == 0);
  CHECK(recent(history, 1)->node_word == 3);
  CHECK(recent(history, 2)->node_word == 2);
  CHECK(recent(history, 3) == nullptr);
  CHECK(last_of(history, 0)->clock_us == 4);
  CHECK(last_of(history, 9) == nullptr);
  History none;
  record(none, {NodeStepKind::complete, 1, Result::success}, 0);
  CHECK(recent(none, 0) == nullptr);
}

TEST_CASE("nodes have names and places unless the asset is stripped", "[print]") {
  const OpenedForPrint opened(nested(0, "Leaf"));
  CHECK(std::string(node_name(opened.asset, 0)) == "Leaf");
  CHECK(node_place(opened.asset, 0).line == 1);
  test::Compiled compiled;
  test::compile(nested(0, "Leaf"), compiled, true);
  Asset stripped;
  REQUIRE(open(compiled.words.data(), compiled.size_bytes, &stripped) == Status::ok);
  CHECK(std::string(node_name(stripped, 0)).empty());
  CHECK(node_place(stripped, 0).line == 0);
  CHECK(std::string(node_place(stripped, 0).file).empty());
  CHECK(printed(tree(stripped, 0), opened.block.data()).find("leaf, behavior Wait") != std::string::npos);
}

}  // namespace
}  // namespace espalier
