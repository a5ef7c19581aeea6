// Writing the groups of tables: see the header of tables.h.
#pragma once
#include "select/cubes.h"
#include "select/tables.h"

namespace espalier {

// What is made; without memory only the numbers change.
struct MadeTables {
  template <typename Record>
  struct Array {
    Record* records = nullptr;
    std::uint32_t count = 0;

    std::uint32_t add(const Record& record) {
      if (records != nullptr) records[count] = record;
      return count++;
    }
    // In `memory`, which is advanced. All of them begin at a multiple of 8.
    void place(unsigned char*& memory, std::uint32_t needed) {
      records = reinterpret_cast<Record*>(memory);
      memory += size_bytes(needed);
    }
    static std::uint64_t size_bytes(std::uint32_t needed) {
      return (std::uint64_t{needed} * sizeof(Record) + 7) / 8 * 8;
    }
  };

  Array<TableGroup> groups;
  Array<std::uint32_t> columns;  // their bytes
  Array<std::uint32_t> targets;
  Array<TableMachine> machines;
  Array<TableState> states;
  Array<TableCheck> checks;
  Array<std::uint64_t> words;  // of columns and listed rules, aligned

  std::uint64_t size_bytes() const {
    return sizeof(DecisionTables) + kAlignment - 8 + groups.size_bytes(groups.count) +
           columns.size_bytes(columns.count) + targets.size_bytes(targets.count) + machines.size_bytes(machines.count) +
           states.size_bytes(states.count) + checks.size_bytes(checks.count) + words.size_bytes(words.count);
  }
  static constexpr std::uint64_t kAlignment = 64;  // of a cache line
};

// Where a group continues when none of its rules selects a leaf.
struct Continuation {
  const TableGroup* group = nullptr;
  RuleSet rules;
};

// Of rules that are to be one group: how many there are, and which words of variables they read.
struct RuleSurvey {
  std::uint32_t rule_count = 0;
  std::uint32_t word_count = 0;  // more than kWordsOfList: several
  std::uint32_t words[kWordsOfList] = {};

  // A list is worth its tests only where columns would be many.
  bool is_listed() const { return can_be_listed() && word_count == kWordsOfList; }
  // `count`: of the cubes.
  void add(CubeList cubes, std::uint32_t count) {
    rule_count += count;
    while (can_be_listed() && cubes.next()) {
      for (const CubeList::Term& term : cubes) add_word(term.variable / 32);
    }
  }

 private:
  bool can_be_listed() const { return rule_count <= kListedRules && word_count <= kWordsOfList; }
  void add_word(std::uint32_t word) {
    for (std::uint32_t i = 0; i < word_count && i < kWordsOfList; ++i) {
      if (words[i] == word) return;
    }
    if (word_count < kWordsOfList) words[word_count] = word;
    ++word_count;
  }
};

// Adds groups to tables, one after the other: without memory it only counts.
class GroupWriter {
 public:
  explicit GroupWriter(MadeTables& made) : made_(made) {}

  // Opens a group for the rules of the survey, or as many as it can have. Returns its index.
  std::uint32_t open(const RuleSurvey& survey) {
    rule_count_ = 0;
    column_count_ = 0;
    survey_ = survey;
    form_ = form_of(survey);
    TableGroup group{};
    if (is_filling()) {
      group.bytes = made_.columns.records + made_.columns.count;
      group.words = made_.words.records + made_.words.count;
      group.targets = made_.targets.records + made_.targets.count;
      group.form = form_;
    }
    const std::uint32_t index = made_.groups.add(group);
    if (is_listed()) open_list();
    return index;
  }
  void close(const Continuation& after) {
    if (is_first() && form_ == GroupForm::wide && column_count_ <= 8) {
      const std::uint32_t wanted = column_count_ <= 4 ? 4 : 8;
      while (column_count_ < wanted) add_column(0);  // which contradicts nothing
    }
    if (!is_filling()) return;
    TableGroup& group = made_.groups.records[made_.groups.count - 1];
    group.rules = RuleSet::before(rule_count_);
    group.next = after.group;
    group.next_rules = after.rules;
    group.column_count = is_listed() ? blocks() : column_count_;
  }

  // The number of rules that the open group has.
  std::uint32_t rule_count() const { return rule_count_; }

  // Adds a rule for each of the cubes. A group that is full is continued in the next one.
  void add(CubeList cubes, std::uint32_t target) {
    while (cubes.next()) {
      if (!is_listed() && (rule_count_ == kRulesOfGroup || column_count_ + CubeList::kMaxTerms > kMaxColumns)) {
        close(is_filling() ? Continuation{made_.groups.records + made_.groups.count, RuleSet::all()} : Continuation());
        open({kRulesOfGroup});
      }
      made_.targets.add(target);
      const bool fills_list = is_listed() && is_filling();
      if (fills_list) open_rule_of_list();
      for (const CubeList::Term& term : cubes) {
        if (!is_listed()) require_in_column(term.variable, term.value);
        if (fills_list) require_in_list(term.variable, term.value);
      }
      ++rule_count_;
    }
  }

 private:
  static constexpr std::uint32_t kMaxColumns = 192;  // of one group

  bool is_filling() const { return made_.groups.records != nullptr; }
  bool is_first() const { return made_.groups.count <= 1; }

  GroupForm form_of(const RuleSurvey& survey) const {
    if (survey.is_listed()) return GroupForm::list;
    return survey.rule_count <= kRulesOfWord && made_.groups.count > 0 ? GroupForm::narrow : GroupForm::wide;
  }

  // ---- Columns

  // The last rule holds only with this value of a variable.
  void require_in_column(std::uint32_t variable, bool value) {
    const std::uint32_t column = column_of(variable / 8);
    if (!is_filling()) return;
    const std::uint32_t width = words_of_entry(form_);
    std::uint64_t* const words = made_.words.records + made_.words.count -
                                 std::size_t{kColumnEntries} * width * (column_count_ - column) +
                                 rule_count_ / kRulesOfWord;
    for (std::uint32_t byte = 0; byte < kColumnEntries; ++byte) {
      if (((byte >> variable % 8 & 1) != 0) == value) continue;
      words[std::size_t{width} * byte] &= ~(std::uint64_t{1} << rule_count_ % kRulesOfWord);
    }
  }
  // The number in the group of the column of a byte, which is added if there is none.
  std::uint32_t column_of(std::uint32_t byte) {
    for (std::uint32_t i = 0; i < column_count_; ++i) {
      if (columns_[i] == byte) return i;
    }
    add_column(byte);
    return column_count_ - 1;
  }
  void add_column(std::uint32_t byte) {
    columns_[column_count_++] = byte;
    made_.columns.add(byte);
    const std::uint32_t words = kColumnEntries * words_of_entry(form_);
    if (is_filling()) std::memset(made_.words.records + made_.words.count, 0xFF, words * sizeof(std::uint64_t));
    made_.words.count += words;
  }

  // ---- Lists

  bool is_listed() const { return form_ == GroupForm::list; }
  std::uint32_t blocks() const { return (survey_.rule_count + kRulesOfBlock - 1) / kRulesOfBlock; }

  BlockTest* test_of(std::uint32_t rule, std::uint32_t word) const {
    BlockTest* const end = reinterpret_cast<BlockTest*>(made_.words.records + made_.words.count);
    return end - std::size_t{kWordsOfList} * (blocks() - rule / kRulesOfBlock) + word;
  }

  // The list of rules that never hold.
  void open_list() {
    for (const std::uint32_t word : survey_.words) made_.columns.add(word * 4);
    constexpr std::uint32_t kWordsOfTest = sizeof(BlockTest) / sizeof(std::uint64_t);
    made_.words.count += blocks() * kWordsOfList * kWordsOfTest;
    for (std::uint32_t rule = 0; is_filling() && rule < blocks() * kRulesOfBlock; ++rule) {
      for (std::uint32_t word = 0; word < kWordsOfList; ++word) {
        test_of(rule, word)->masks[rule % kRulesOfBlock] = 0;
        test_of(rule, word)->values[rule % kRulesOfBlock] = 1;
      }
    }
  }
  void open_rule_of_list() {
    for (std::uint32_t word = 0; word < kWordsOfList; ++word) {
      test_of(rule_count_, word)->values[rule_count_ % kRulesOfBlock] = 0;
    }
  }
  void require_in_list(std::uint32_t variable, bool value) {
    const std::uint32_t word = variable / 32 == survey_.words[0] ? 0 : 1;
    BlockTest& test = *test_of(rule_count_, word);
    test.masks[rule_count_ % kRulesOfBlock] |= std::uint32_t{1} << variable % 32;
    test.values[rule_count_ % kRulesOfBlock] |= std::uint32_t{value ? 1u : 0u} << variable % 32;
  }

  MadeTables& made_;
  RuleSurvey survey_;
  GroupForm form_ = GroupForm::narrow;
  std::uint32_t rule_count_ = 0;  // of the last group
  std::uint32_t column_count_ = 0;
  std::uint32_t columns_[kMaxColumns];  // their bytes
};

}  // namespace espalier
