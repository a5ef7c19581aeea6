// Updates by tables: the widest vectors of the processor, chosen when tables are made, where that is known how.
#include "select/tables_walk.h"

#include "select/tables_run.h"

namespace espalier {
namespace {

using Evaluate = decltype(Prepared::internal_evaluate);

#ifdef __GNUC__
struct VectorTablePath {
  using Wide = std::uint64_t __attribute__((vector_size(16), may_alias));
  static Wide wide(const RuleSet& rules) { return Wide{rules.low, rules.high}; }
  static RuleSet rules(const Wide& entry) { return {entry[0], entry[1]}; }
};
// What every processor of the target has: SSE2, NEON, or words.
struct BaseTablePath : VectorTablePath {
  using Lanes = BlockLanes<16>;
};
#else
struct BaseTablePath {
  using Wide = RuleSet;
  static const RuleSet& wide(const RuleSet& rules) { return rules; }
  static const RuleSet& rules(const RuleSet& entry) { return entry; }
  using Lanes = BlockLanes<4>;
};
#endif

template <typename Path, std::uint32_t columns>
[[gnu::always_inline]] inline Result update_any(const Prepared& prepared, void* block, const Host* host) {
  const PreparedTree tree(prepared);
  if (!check_update(tree, block, host)) return Result::error;
  auto* agent = static_cast<unsigned char*>(block);
  const SelectBlock own = tree.block();
  if (!tree.tells_quiet() && !own.needs_evaluation(agent)) return Result::running;
  const std::uint32_t old_leaf = own.leaf(agent);
  const std::uint32_t leaf = TableRun<Path>(tree, agent).template leaf<false, columns>(old_leaf);
  if (tree.tells_quiet() && calls_nothing(tree.asset(), *host)) {
    tree.store_quiet(agent, leaf);
    return leaf == kNoLeaf ? Result::failure : Result::running;
  }
  own.clear_changed(agent);
  return take_leaf(tree, own, agent, old_leaf, leaf, *host);
}

// The same with plain tables, if no behaviour is told.
template <typename Path, std::uint32_t columns>
[[gnu::always_inline]] inline Result update_plain(const Prepared& prepared, void* block) {
  const PreparedTree tree(prepared);
  auto* agent = static_cast<unsigned char*>(block);
  const std::uint32_t leaf = TableRun<Path>(tree, agent).template leaf<true, columns>(0);
  tree.store_quiet(agent, leaf);
  return leaf == kNoLeaf ? Result::failure : Result::running;
}

template <std::uint32_t columns>
espalier_result evaluate(const Prepared* prepared, void* block, const Host* host) {
  return update_any<BaseTablePath, columns>(*prepared, block, host);
}
template <std::uint32_t columns>
espalier_result evaluate_plain(const Prepared* prepared, void* block, const Host* host) {
  if (host->behaviors != nullptr) return evaluate<columns>(prepared, block, host);
  return update_plain<BaseTablePath, columns>(*prepared, block);
}

#if defined(__GNUC__) && defined(__x86_64__)
struct Avx2TablePath : VectorTablePath {
  using Lanes = BlockLanes<32>;
};
template <std::uint32_t columns>
[[gnu::target("avx2,bmi")]] espalier_result evaluate_avx2(const Prepared* prepared, void* block, const Host* host) {
  return update_any<Avx2TablePath, columns>(*prepared, block, host);
}
template <std::uint32_t columns>
[[gnu::target("avx2,bmi")]] espalier_result evaluate_plain_avx2(const Prepared* prepared, void* block,
                                                                const Host* host) {
  if (host->behaviors != nullptr) return evaluate_avx2<columns>(prepared, block, host);
  return update_plain<Avx2TablePath, columns>(*prepared, block);
}
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"); }
#endif

// By the columns of the first group: any, 4, 8.
struct Functions {
  Evaluate any[3];
  Evaluate plain[3];
};
constexpr Functions kBase = {{evaluate<0>, evaluate<4>, evaluate<8>},
                             {evaluate_plain<0>, evaluate_plain<4>, evaluate_plain<8>}};

const Functions& functions_of(bool with_wide_vectors) {
#if defined(__GNUC__) && defined(__x86_64__)
  static constexpr Functions kAvx2 = {{evaluate_avx2<0>, evaluate_avx2<4>, evaluate_avx2<8>},
                                      {evaluate_plain_avx2<0>, evaluate_plain_avx2<4>, evaluate_plain_avx2<8>}};
  if (with_wide_vectors && has_avx2()) return kAvx2;
#endif
  (void)with_wide_vectors;
  return kBase;
}

}  // namespace

std::uint32_t checked_target(const PreparedTree& tree, const unsigned char* agent, const TableGroup& group,
                             const RuleSet& rules) {
  const TableCheck* checks = static_cast<const DecisionTables*>(tree.tables())->checks;
  for (std::uint32_t rule = first_of(rules); rule < kRulesOfGroup; ++rule) {
    if (!rules.has(rule)) continue;
    const std::uint32_t target = group.targets[rule];
    if (kind_of(target) != TargetKind::check) return target;
    const TableCheck& check = checks[index_of(target)];
    if (holds(tree.conditions(), tree.tests(), check.condition, agent)) return check.target;
  }
  return kNoTarget;
}

void use_tables(Prepared& prepared, const DecisionTables& tables, bool with_wide_vectors) {
  const PreparedTree tree(prepared);
  const TableGroup& first = *tables.groups;
  const std::size_t columns = first.form != GroupForm::wide ? 0
                              : first.column_count == 4     ? 1
                              : first.column_count == 8     ? 2
                                                            : 0;
  // A build with ESPALIER_CHECK tests what each update is given.
  const bool is_plain = tables.is_plain && !kChecks && tree.tells_quiet() && calls_nothing(tree.asset(), Host());
  const Functions& functions = functions_of(with_wide_vectors);
  PreparedTree::use_tables(prepared, &tables, is_plain ? functions.plain[columns] : functions.any[columns]);
}

}  // namespace espalier
