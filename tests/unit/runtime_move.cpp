// Hot reload: agents that carry on in another version of their tree.
#include <cstring>
#include <map>
#include <memory>

#include "codegen/compile.h"
#include "dialects/dialect.h"
#include "dialects/modular/options.h"
#include "payloads.h"
#include "runtime/asset/view.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/tick.h"
#include "text/xml.h"
#include "unit.h"

namespace runtime_move {

namespace {

using namespace espalier;

// One version of a tree, compiled and bound. Actions keep running, except those named Now..., which succeed at once.
// Calls are recorded as "enter Shoot".
class Version {
 public:
  explicit Version(const std::string& root, const std::string& above = "", const dialects::Options& options = {}) {
    const std::string file = "<BehaviorTree>\n" + above + "<Root>" + root + "</Root>\n</BehaviorTree>\n";
    INFO(file);
    text::Findings findings;
    document_ = text::XmlDocument::parse("tree.xml", file, sources_, findings);
    REQUIRE(document_ != nullptr);
    ir::Project project;
    const dialects::File file_of_tree{document_.get(), "tree"};
    dialects::modular::dialect().read({&file_of_tree, 1}, options, project, findings);
    REQUIRE_FALSE(findings.has_errors());
    std::size_t size_bytes = 0;
    words_ = codegen::compile(project, sources_, {}, findings, &size_bytes);
    REQUIRE(open(words_.data(), size_bytes, &asset_) == Status::ok);
    tree = espalier::tree(asset_, 0);
    table_.resize(behavior_count(asset_));
    for (Behavior& behavior : table_) {
      behavior.enter = [](const Call* call) { tell(call, "enter "); };
      behavior.leave = [](const Call* call) { tell(call, "leave "); };
      behavior.interrupt = [](const Call* call) { tell(call, "interrupt "); };
      behavior.tick = [](const Call* call) {
        return name_of(call).substr(0, 3) == "Now" ? ESPALIER_SUCCESS : ESPALIER_RUNNING;
      };
    }
    shared_.resize(shared_bytes(tree) / sizeof(std::uint64_t));
    start_shared(tree, shared_.data());
    group_.resize(group_bytes(asset_) / sizeof(std::uint64_t));
    start_group(asset_, group_.data());
  }

  Host host(std::uint64_t clock_us) {
    Host host;
    host.behaviors = table_.data();
    host.user = this;
    host.clock_us = clock_us;
    host.shared = shared_.data();
    host.group = group_.data();
    return host;
  }

  std::vector<std::uint64_t> begin() const {
    std::vector<std::uint64_t> block(agent_bytes(tree) / sizeof(std::uint64_t));
    start(tree, block.data());
    return block;
  }

  std::vector<std::string> take_calls() { return std::exchange(calls_, {}); }
  std::uint32_t event(const char* name) const {
    std::uint32_t id = 0;
    REQUIRE(find_signal(tree, name, &id) == Status::ok);
    return id;
  }

  Tree tree;

 private:
  static std::string name_of(const Call* call) { return std::string(behavior_name(*call->tree.asset, call->behavior)); }
  static void tell(const Call* call, const char* what) {
    static_cast<Version*>(call->host->user)->calls_.push_back(what + name_of(call));
  }

  text::Sources sources_;
  std::unique_ptr<text::XmlDocument> document_;
  std::vector<std::uint64_t> words_;
  Asset asset_;
  std::vector<Behavior> table_;
  std::vector<std::uint64_t> shared_;
  std::vector<std::uint64_t> group_;
  std::vector<std::string> calls_;
};

struct Reload {
  const char* name;
  const char* before;
  const char* after;
  std::vector<std::string> interrupted;  // by the move
  std::vector<std::string> then;         // by the next update
};

using Calls = std::vector<std::string>;

}  // namespace

TEST_CASE("A running path is carried over as far as both versions have it") {
  const Reload reloads[] = {
      {"nothing changed", "<Sequence><Aim/><Shoot/></Sequence>", "<Sequence><Aim/><Shoot/></Sequence>", {}, {}},
      {"a node was put in before",
       "<Sequence><NowLook/><Shoot/></Sequence>",
       "<Sequence><NowLook/><NowAim/><Shoot/></Sequence>",
       {},
       {}},
      {"the running action is gone: its parent begins again",
       "<Loop><Sequence><NowLook/><Shoot/></Sequence></Loop>",
       "<Loop><Sequence><NowLook/><Hide/></Sequence></Loop>",
       {"interrupt Shoot"},
       {"enter NowLook", "leave NowLook", "enter Hide"}},
      {"another root",
       "<Sequence><Shoot/></Sequence>",
       "<Selector><Shoot/></Selector>",
       {"interrupt Shoot"},
       {"enter Shoot"}},
      {"the second of two actions of one name",
       "<Sequence><NowLook/><Move to=\"A\"/></Sequence>",
       "<Sequence><NowLook/><NowLook/><Move to=\"B\"/><Halt/></Sequence>",
       {},
       {}},
      {"a sequence was put in before the one that runs",
       "<Selector><Sequence><Shoot/></Sequence></Selector>",
       "<Selector><Sequence><NowAim/><Fail/></Sequence><Sequence><Shoot/></Sequence></Selector>",
       {},
       {}},
      {"the sequence that runs was edited too",
       "<Selector><Sequence><NowAim/><Fail/></Sequence><Sequence><Shoot/></Sequence></Selector>",
       "<Selector><Sequence><NowAim/><Fail/></Sequence><Sequence><NowLook/><Shoot/></Sequence></Selector>",
       {},
       {}},
      {"branches of a parallel",
       "<Parallel><Sequence><NowAim/><Shoot/></Sequence><Guard/></Parallel>",
       "<Parallel><Sequence><Shoot/><NowAim/></Sequence><Guard/></Parallel>",
       {},
       {}},
      {"a parallel with other branches begins again",
       "<Loop><Parallel><Shoot/><Guard/></Parallel></Loop>",
       "<Loop><Parallel><Shoot/></Parallel></Loop>",
       {"interrupt Shoot", "interrupt Guard"},
       {"enter Shoot"}},
      {"a branch that lost its action begins again",
       "<Parallel><Sequence><Shoot/></Sequence><Guard/></Parallel>",
       "<Parallel><Sequence><Hide/></Sequence><Guard/></Parallel>",
       {"interrupt Shoot"},
       {"enter Hide"}},
      {"a case that no longer holds is left at the next update",
       "<Priority><Case><Shoot/></Case></Priority>",
       "<Priority><Case condition=\"false\"><Shoot/></Case><Case><Hide/></Case></Priority>",
       {},
       {"interrupt Shoot", "enter Hide"}},
      {"a wrapper is left after its child",
       "<Guarded><Shoot/></Guarded>",
       "<Halt/>",
       {"interrupt Shoot", "interrupt Guarded"},
       {}},
  };
  for (const Reload& reload : reloads) {
    INFO(reload.name);
    Version before(reload.before);
    Version after(reload.after);
    std::vector<std::uint64_t> old_block = before.begin();
    static_cast<void>(update(before.tree, old_block.data(), before.host(0)));
    before.take_calls();
    std::vector<std::uint64_t> block = after.begin();
    move_agent(before.tree, old_block.data(), before.host(0), after.tree, block.data(), after.host(0));
    CHECK(before.take_calls() == reload.interrupted);
    CHECK(after.take_calls() == Calls{});
    CHECK(update(after.tree, block.data(), after.host(0)) == Result::running);
    CHECK(after.take_calls() == reload.then);
  }
}

TEST_CASE("Variables and timestamps are carried over by name") {
  const char* old_above =
      "<Variables><Variable name=\"A\"/><Variable name=\"B\"/></Variables>"
      "<Timestamps><Timestamp name=\"Seen\" setOnEvent=\"See\"/><Timestamp name=\"Heard\" "
      "setOnEvent=\"Hear\"/></Timestamps>";
  const char* new_above =
      "<Variables><Variable name=\"C\" default=\"true\"/><Variable name=\"b\"/></Variables>"
      "<Timestamps><Timestamp name=\"Heard\" setOnEvent=\"Hear\"/><Timestamp name=\"Seen\" "
      "setOnEvent=\"See\"/></Timestamps>";
  Version before("<Halt/>", old_above);
  Version after("<Halt/>", new_above);
  std::vector<std::uint64_t> old_block = before.begin();
  set(before.tree, old_block.data(), 0, true);
  set(before.tree, old_block.data(), 1, true);
  signal(before.tree, old_block.data(), before.event("See"), before.host(5));
  std::vector<std::uint64_t> block = after.begin();
  move_agent(before.tree, old_block.data(), before.host(9), after.tree, block.data(), after.host(9));
  CHECK(variable(after.tree, block.data(), 0));  // C, at its default
  CHECK(variable(after.tree, block.data(), 1));
  std::uint64_t time_us = 0;
  CHECK_FALSE(timestamp(after.tree, block.data(), 0, &time_us));
  REQUIRE(timestamp(after.tree, block.data(), 1, &time_us));
  CHECK(time_us == 5);
}

TEST_CASE("What nodes keep is carried over: waits, counts, states, events") {
  Version before("<Sequence><Wait duration=\"2\"/><Shoot/></Sequence>");
  Version after("<Sequence><NowLook/><Wait duration=\"9\"/><Shoot/></Sequence>");
  std::vector<std::uint64_t> old_block = before.begin();
  static_cast<void>(update(before.tree, old_block.data(), before.host(0)));
  std::vector<std::uint64_t> block = after.begin();
  move_agent(before.tree, old_block.data(), before.host(1'000'000), after.tree, block.data(), after.host(1'000'000));
  static_cast<void>(update(after.tree, block.data(), after.host(1'999'999)));
  CHECK(after.take_calls() == Calls{});
  static_cast<void>(update(after.tree, block.data(), after.host(2'000'000)));
  CHECK(after.take_calls() == Calls{"enter Shoot"});
}

TEST_CASE("An action keeps its memory in a new version, if its size is the same") {
  const auto with_memory = [](std::uint32_t bytes) {
    dialects::Options options;
    auto& hosts = options.edit<dialects::ModularOptions>().hosts;
    hosts.resize(2);
    hosts[0].name = "NowLook";
    hosts[1].name = "Shoot";
    hosts[1].memory_bytes = bytes;
    return options;
  };
  const auto memory_in = [](const Version& version, std::vector<std::uint64_t>& block) {
    const std::uint32_t word = unit_record(version.tree).first_word;
    const std::uint32_t* nodes = array<std::uint32_t>(*version.tree.asset, layout::SectionId::nodes);
    std::uint32_t shoot = word;
    while (opcode_of(nodes + shoot) != opcode::tick_action || extent_of(nodes + shoot) == 0 ||
           behavior_name(*version.tree.asset, operand<OperandKind::behavior, opcode::tick_action>(nodes + shoot)) !=
               "Shoot")
      shoot += own_words(nodes + shoot);
    const layout::Part& states = part_of<EngineId::tick, PartKind::states>(version.tree);
    return reinterpret_cast<unsigned char*>(block.data()) + offset_bytes(states) + state_offset_of(nodes + shoot);
  };
  for (const bool is_same : {true, false}) {
    Version before("<Sequence><Shoot/></Sequence>", "", with_memory(8));
    Version after("<Sequence><NowLook/><Shoot/></Sequence>", "", with_memory(is_same ? 8 : 16));
    std::vector<std::uint64_t> old_block = before.begin();
    static_cast<void>(update(before.tree, old_block.data(), before.host(0)));
    std::memcpy(memory_in(before, old_block), "loaded!", 8);
    std::vector<std::uint64_t> block = after.begin();
    move_agent(before.tree, old_block.data(), before.host(0), after.tree, block.data(), after.host(0));
    CHECK((std::memcmp(memory_in(after, block), "loaded!", 8) == 0) == is_same);
    CHECK(before.take_calls() == (is_same ? Calls{"enter Shoot"} : Calls{"enter Shoot", "interrupt Shoot"}));
    static_cast<void>(update(after.tree, block.data(), after.host(0)));
    CHECK(after.take_calls() == (is_same ? Calls{} : Calls{"enter NowLook", "leave NowLook", "enter Shoot"}));
  }
}

TEST_CASE("A transition that waits leads to the state of that name") {
  const std::string calm =
      "<State name=\"Calm\"><Transitions><Transition to=\"Alert\" onEvent=\"E\"/></Transitions>"
      "<BehaviorTree><Idle/></BehaviorTree></State>";
  const std::string alert = "<State name=\"Alert\"><BehaviorTree><Shoot/></BehaviorTree></State>";
  Version before("<StateMachine>" + calm + alert + "</StateMachine>");
  Version after("<StateMachine>" + calm + "<State name=\"New\"><BehaviorTree><Halt/></BehaviorTree></State>" + alert +
                "</StateMachine>");
  std::vector<std::uint64_t> old_block = before.begin();
  static_cast<void>(update(before.tree, old_block.data(), before.host(0)));
  signal(before.tree, old_block.data(), before.event("E"), before.host(0));
  std::vector<std::uint64_t> block = after.begin();
  move_agent(before.tree, old_block.data(), before.host(0), after.tree, block.data(), after.host(0));
  static_cast<void>(update(after.tree, block.data(), after.host(0)));
  CHECK(after.take_calls() == Calls{"interrupt Idle", "enter Shoot"});
}

TEST_CASE("Places that are held move with the agent, and are given back where it ends") {
  const char* both =
      "<GroupScope name=\"Attack\"><LimitConcurrentUsers max=\"1\"><Shoot/></LimitConcurrentUsers></GroupScope>";
  Version before(both);
  Version after(std::string("<Selector>") + both + "<Hide/></Selector>");
  Version same(both);
  std::vector<std::uint64_t> old_block = before.begin();
  static_cast<void>(update(before.tree, old_block.data(), before.host(0)));
  std::vector<std::uint64_t> block = same.begin();
  move_agent(before.tree, old_block.data(), before.host(0), same.tree, block.data(), same.host(0));

  std::vector<std::uint64_t> other = before.begin();
  CHECK(update(before.tree, other.data(), before.host(0)) == Result::running);  // the old block is free
  std::vector<std::uint64_t> closed = same.begin();
  CHECK(update(same.tree, closed.data(), same.host(0)) == Result::failure);  // the new one is not
  stop(same.tree, block.data(), same.host(0));
  CHECK(update(same.tree, closed.data(), same.host(0)) == Result::running);

  // If the root is another node, everything is released.
  std::vector<std::uint64_t> last = after.begin();
  move_agent(before.tree, other.data(), before.host(0), after.tree, last.data(), after.host(0));
  std::vector<std::uint64_t> next = before.begin();
  CHECK(update(before.tree, next.data(), before.host(0)) == Result::running);
}

}  // namespace runtime_move
