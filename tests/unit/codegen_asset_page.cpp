// schemas/asset.md says what the code says: opcodes, records, limits.
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "runtime/decide/layout.h"
#include "runtime/format/opcode.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/records.h"
#include "source_folder.h"
#include "unit.h"

namespace codegen_asset_page {

namespace {

using namespace espalier;
using namespace espalier::layout;

const std::string& page() {
  static const std::string text = [] {
    const auto path = source_folder() / "schemas/asset.md";
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file);
    return (std::ostringstream() << file.rdbuf()).str();
  }();
  return text;
}

// What stands between the first `begin` and the next `end`.
std::string part(const std::string& begin, const std::string& end) {
  const std::size_t first = page().find(begin);
  REQUIRE(first != std::string::npos);
  const std::size_t from = first + begin.size();
  return page().substr(from, page().find(end, from) - from);
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

struct OperandWords {
  const char* words[kMaxOperands];
};

struct Row {
  std::size_t number;
  const char* children;
  const char* flags;
  OperandWords operands;
};

constexpr Row kTable[] = {
#define OP(number, name, engine, children, agent, flags, a, b, c, d, meaning) \
  {number, #children, #flags, {{#a, #b, #c, #d}}},
#include "runtime/format/opcodes.def"
#undef OP
};

// The fields of one record as the page must have them.
struct Field {
  const char* name;
  std::size_t offset;
  std::size_t size;
};

void check_record(const std::string& title, std::size_t size, std::initializer_list<Field> fields) {
  const std::string text = part("### " + title + ": " + std::to_string(size) + " bytes\n", "\n#");
  INFO(title);
  for (const Field& field : fields) {
    const std::string row =
        "| " + std::to_string(field.offset) + " | " + std::to_string(field.size) + " | " + field.name + " |";
    INFO(row);
    CHECK(text.find(row) != std::string::npos);
  }
  std::size_t rows = 0;
  for (std::size_t at = text.find("\n| "); at != std::string::npos; at = text.find("\n| ", at + 1)) ++rows;
  CHECK(rows == fields.size() + 1);
}

#define FIELD(record, field) \
  Field { #field, offsetof(record, field), sizeof(record::field) }

#define TEST_FIELDS(test)                                                                                        \
  Field{#test "_mask", offsetof(Precondition, test) + offsetof(MaskTest, mask), sizeof(MaskTest::mask)}, Field { \
#test "_value", offsetof(Precondition, test) + offsetof(MaskTest, value), sizeof(MaskTest::value)            \
  }

}  // namespace

TEST_CASE("the page's opcode table is the code's") {
  std::map<std::size_t, std::string> rows;  // by number
  for (const Row& row : kTable) {
    const OpcodeInfo& info = kOpcodes.rows[row.number];
    std::string operands;
    for (std::size_t j = 0; j < info.operand_count; ++j) {
      operands += (j == 0 ? "" : ", ") + std::string(row.operands.words[j]);
    }
    const OpcodeWords words = opcode_words(static_cast<Opcode>(row.number));
    rows[row.number] = "| " + std::to_string(row.number) + " | " + words.name + " | " + row.children + " | " +
                       (info.agent_bytes == varies ? "varies" : std::to_string(info.agent_bytes)) + " | " + row.flags +
                       " | " + operands + " | " + words.meaning + " |\n";
  }
  std::string expected;
  for (const auto& [number, row] : rows) expected += row;
  const std::string table = part("<!-- opcodes -->\n", "<!-- end of opcodes -->");
  const std::string rule = "|---|---|---|---|---|---|---|\n";
  CHECK(table.substr(table.find(rule) + rule.size()) == expected);
}

TEST_CASE("the page's parts of agents' blocks are the code's") {
  const std::string table = part("<!-- parts -->\n", "<!-- end of parts -->");
  std::size_t at = table.find("|---");
  const auto add = [&](const std::string& row) {
    at = table.find('\n', at) + 1;
    CHECK(table.substr(at, row.size()) == row);
  };
#define PART(engine, kind, bits, wide, align, count, start, names, moved)                   \
  add("| " #engine " | " #kind " | " #bits + std::string((wide) == 0 ? "" : " or " #wide) + \
      " | " #align " | " #start " | " + (std::string(#names) == "none" ? std::string() : #names " ") + "|");
#include "runtime/format/parts.def"
#undef PART
  at = table.find('\n', at) + 1;
  CHECK(at == table.size());
}

TEST_CASE("the page's records are the code's") {
  check_record("header", sizeof(Header),
               {FIELD(Header, magic), FIELD(Header, major_version), FIELD(Header, minor_version),
                FIELD(Header, size_bytes), FIELD(Header, hash), FIELD(Header, section_count), FIELD(Header, reserved)});
  check_record("section", sizeof(Section),
               {FIELD(Section, id), FIELD(Section, flags), FIELD(Section, record_bytes), FIELD(Section, offset_bytes),
                FIELD(Section, size_bytes)});
  check_record("trees", sizeof(layout::Tree),
               {FIELD(layout::Tree, name), FIELD(layout::Tree, unit), FIELD(layout::Tree, first_signal),
                FIELD(layout::Tree, signal_count), FIELD(layout::Tree, first_leaf), FIELD(layout::Tree, leaf_count),
                FIELD(layout::Tree, image), FIELD(layout::Tree, agent_bytes), FIELD(layout::Tree, shared_bytes),
                FIELD(layout::Tree, first_part), FIELD(layout::Tree, record), FIELD(layout::Tree, engine),
                FIELD(layout::Tree, dialect), FIELD(layout::Tree, reserved)});
  check_record("parts", sizeof(layout::Part),
               {FIELD(layout::Part, offset_bits), FIELD(layout::Part, count), FIELD(layout::Part, first_name),
                FIELD(layout::Part, kind), FIELD(layout::Part, bits), FIELD(layout::Part, reserved)});
  check_record("units", sizeof(Unit),
               {FIELD(Unit, first_word), FIELD(Unit, word_count), FIELD(Unit, node_count), FIELD(Unit, leaf_count),
                FIELD(Unit, state_bytes), FIELD(Unit, region_count), FIELD(Unit, variable_count), FIELD(Unit, tree),
                FIELD(Unit, first_use), FIELD(Unit, use_count), FIELD(Unit, first_node_word)});
  check_record("conditions", sizeof(Condition),
               {FIELD(Condition, first_test), FIELD(Condition, test_count), FIELD(Condition, variable_count)});
  check_record("tests", sizeof(Test),
               {FIELD(Test, test), FIELD(Test, combine), FIELD(Test, word), FIELD(Test, mask), FIELD(Test, value)});
  check_record("transitions", sizeof(Transition), {FIELD(Transition, condition), FIELD(Transition, state)});
  check_record("variables", sizeof(Variable), {FIELD(Variable, name), FIELD(Variable, initial)});
  check_record("signals", sizeof(Signal),
               {FIELD(Signal, name), FIELD(Signal, first_assignment), FIELD(Signal, assignment_count)});
  check_record("assignments", sizeof(Assignment), {FIELD(Assignment, variable), FIELD(Assignment, condition)});
  check_record("behaviors", sizeof(layout::Behavior), {FIELD(layout::Behavior, name)});
  check_record("ticking", sizeof(Ticking), {FIELD(Ticking, flags), FIELD(Ticking, limit_count)});
  check_record("timestamps", sizeof(Timestamp),
               {FIELD(Timestamp, name), FIELD(Timestamp, signal), FIELD(Timestamp, exclusive_to)});
  check_record("event_transitions", sizeof(EventTransition),
               {FIELD(EventTransition, signal), FIELD(EventTransition, state)});
  check_record("numbers", 8, {{"number", 0, 8}});
  check_record("parameters", sizeof(layout::Parameter),
               {FIELD(layout::Parameter, name), FIELD(layout::Parameter, type), FIELD(layout::Parameter, value),
                FIELD(layout::Parameter, extra)});
  check_record("scripts", sizeof(Script), {FIELD(Script, text)});
  check_record("scopes", sizeof(Scope), {FIELD(Scope, name)});
  check_record("rule_trees", sizeof(RuleTree),
               {FIELD(RuleTree, run_limit), FIELD(RuleTree, rule_count), FIELD(RuleTree, first_occurrence),
                FIELD(RuleTree, occurrence_count), FIELD(RuleTree, first_id), FIELD(RuleTree, flags)});
  check_record("occurrences", sizeof(Occurrence),
               {FIELD(Occurrence, first_rule), FIELD(Occurrence, unit), FIELD(Occurrence, parent),
                FIELD(Occurrence, first_below)});
  check_record("uses", sizeof(Use), {FIELD(Use, unit), FIELD(Use, rule)});
  check_record("askings", sizeof(Asking),
               {FIELD(Asking, first_question), FIELD(Asking, question_count), FIELD(Asking, mode),
                FIELD(Asking, first_parameter), FIELD(Asking, parameter_count)});
  check_record("questions", 4, {{"condition", 0, 4}});
  check_record("rule_ids", 4, {{"name", 0, 4}});
  check_record("host_conditions", sizeof(HostCondition), {FIELD(HostCondition, name)});
  check_record(
      "decider_trees", sizeof(DeciderTree),
      {FIELD(DeciderTree, max_redecides), FIELD(DeciderTree, first_unit), FIELD(DeciderTree, node_count),
       FIELD(DeciderTree, first_decider), FIELD(DeciderTree, decider_count), FIELD(DeciderTree, first_behavior_flag),
       FIELD(DeciderTree, behavior_flag_count), FIELD(DeciderTree, scratch_bytes)});
  check_record("deciders", sizeof(Decider),
               {FIELD(Decider, every_us), FIELD(Decider, timer), FIELD(Decider, precondition), FIELD(Decider, decide),
                FIELD(Decider, behavior), FIELD(Decider, behavior_flags), FIELD(Decider, memory_bytes),
                FIELD(Decider, block_bytes), FIELD(Decider, state), FIELD(Decider, child_count),
                FIELD(Decider, level_count), FIELD(Decider, path_bytes), FIELD(Decider, answer_bytes),
                FIELD(Decider, scratch_bytes), FIELD(Decider, asked_count), FIELD(Decider, reserved)});
  check_record("preconditions", sizeof(Precondition),
               {TEST_FIELDS(flags_all), TEST_FIELDS(flags_any), TEST_FIELDS(stimuli_all), TEST_FIELDS(stimuli_any)});
  check_record("stimuli", sizeof(layout::Stimulus),
               {FIELD(layout::Stimulus, timeout_us), FIELD(layout::Stimulus, name), FIELD(layout::Stimulus, timeout)});
  check_record("behavior_flags", sizeof(BehaviorFlag), {FIELD(BehaviorFlag, name)});
  check_record("store_trees", sizeof(StoreTree),
               {FIELD(StoreTree, tree), FIELD(StoreTree, level_count), FIELD(StoreTree, node_count),
                FIELD(StoreTree, child_count), FIELD(StoreTree, first_place), FIELD(StoreTree, place_count),
                FIELD(StoreTree, first_group), FIELD(StoreTree, group_count), FIELD(StoreTree, first_need)});
  check_record("groups", sizeof(Group),
               {FIELD(Group, timeout_us), FIELD(Group, role_count), FIELD(Group, on_leave), FIELD(Group, first_barrier),
                FIELD(Group, barrier_count), FIELD(Group, shared_offset), FIELD(Group, reserved)});
  check_record("barriers", sizeof(Barrier), {FIELD(Barrier, name), FIELD(Barrier, roles)});
  check_record(
      "slots", sizeof(Slot),
      {FIELD(Slot, name), FIELD(Slot, budget_bytes), FIELD(Slot, first_accepted), FIELD(Slot, accepted_count)});
  check_record("accepts", 4, {{"tree", 0, 4}});
  check_record("tree_needs", 4, {{"bytes", 0, 4}});
  check_record("slot_rooms", 4, {{"bytes", 0, 4}});
  check_record("node_words", 4, {{"word", 0, 4}});
  check_record("leaves", 2, {{"behavior", 0, 2}});
  check_record("files", sizeof(File), {FIELD(File, name)});
  check_record("node_places", sizeof(NodePlace),
               {FIELD(NodePlace, word), FIELD(NodePlace, name), FIELD(NodePlace, file), FIELD(NodePlace, line),
                FIELD(NodePlace, column)});
}

TEST_CASE("the page's sizes of what is kept while deciders choose are the code's") {
  const std::string frame = std::to_string(kFrameBytes);
  const std::string answer = std::to_string(kAnswerBytes);
  for (const std::string& said : {"a *frame* of " + frame + " bytes", "An answer takes " + answer + " bytes",
                                  "\nanswer_bytes  = " + answer + " + block", "\nchoosing      = " + frame + " + ",
                                  "\nscratch_bytes = " + answer + " + block"}) {
    INFO(said);
    CHECK(page().find(said) != std::string::npos);
  }
}

TEST_CASE("the page's limits are the code's") {
  const std::string limits = part("## 10. Limits\n", "\n## ");
  const std::pair<const char*, std::uint64_t> kLimits[] = {
      {"nodes of a tree, shared units counted as often as they are used", kMaxNodes},
      {"nodes within nodes, in one unit", kMaxDepth},
      {"the same where the tree ticks, has rules or stores", kMaxTickDepth},
      {"machines and shared units within one another; parallels", kMaxRegions},
      {"states of a machine that selects", kMaxStates},
      {"states of a machine that ticks, cases of a priority", kMaxEventStates},
      {"branches of a parallel", kMaxBranches},
      {"limits of a tree", kMaxLimits},
      {"rules of a tree, those of units counted as often as they are used", kMaxRules},
      {"nodes of a tree of deciders, each unit counted once", kMaxNodes},
      {"deciders on a path", kMaxLevels},
      {"deciders that are asked when one is", kMaxAsked},
      {"children of a `decide_shuffle`", kMaxShuffled},
      {"decision flags of a tree", kMaxFlags},
      {"stimuli of a tree", kMaxStimuli},
      {"behaviour flags of a tree", kMaxBehaviorFlags},
      {"`max_redecides`", kMaxRedecides},
      {"bytes of a behaviour's memory", kMaxMemoryBytes},
      {"bytes of a decider block", kMaxBlockBytes},
      {"microseconds of `every_us` and `timeout_us`", kMaxTimeUs},
      {"bytes of the block, and of the memory for a choice, of a tree of deciders", kMaxDecideBytes},
      {"trees up to the last one that stores", kMaxStoreTrees},
      {"roles of a group", kMaxRoles},
      {"barriers of a group, each name counted once", kMaxNodes},
      {"levels of trees in slots", kMaxTreeLevels},
      {"bytes that needs are counted to", kMaxNeedBytes},
      {"results put aside in a condition", kMaxBits},
      {"bytes of an agent's block, but of deciders", kMaxAgentBytes},
  };
  for (const auto& [name, value] : kLimits) {
    INFO(name);
    CHECK(limits.find("\n| " + std::string(name) + " | " + with_commas(value) + " |") != std::string::npos);
  }
  CHECK(page().find("format version " + std::to_string(kMajorVersion) + "." + std::to_string(kMinorVersion)) !=
        std::string::npos);
}

}  // namespace codegen_asset_page
