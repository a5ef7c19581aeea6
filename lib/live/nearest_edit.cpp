// Numbers that would let a log fit. See nearest_edit.h.
#include "live/nearest_edit.h"

#include <espalier/debugging.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "explore/host_values.h"
#include "live/follow.h"
#include "runtime/asset/view.h"

namespace espalier::live {
namespace {

using layout::PollPort;
using layout::PollPortKind;

constexpr std::size_t kChangesBehind = 100;    // behind the misfit, that must fit first
constexpr std::size_t kMostTries = 200;        // of one number, and then of pairs
constexpr std::size_t kMostChanges = 500'000;  // in all of these

// A port whose number is another one, in all nodes of its element.
struct OtherNumber {
  std::uint32_t node = 0;  // the first of these
  std::uint32_t port = 0;  // of the node
  PollPortKind kind = PollPortKind::whole;
  std::uint64_t bits = 0;  // as in NUMBERS
  double change = 0;       // how much another it is
};

double value_of(PollPortKind kind, std::uint64_t bits) {
  if (kind == PollPortKind::whole) return static_cast<double>(static_cast<std::int64_t>(bits));
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint64_t bits_of(PollPortKind kind, double value) {
  if (kind == PollPortKind::whole) return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

std::string text_of(PollPortKind kind, std::uint64_t bits) {
  explore::EntryValue value;
  value.kind = kind == PollPortKind::whole ? explore::EntryValue::Kind::whole : explore::EntryValue::Kind::real;
  value.number = value_of(kind, bits);
  return explore::text_of(value);
}

double change_between(double a, double b) {
  if ((a > 0) != (b > 0) || a == 0) return 100 + std::abs(a - b);
  return std::abs(std::log(a / b));
}

bool is_number(const PollPort& port) {
  const auto kind = static_cast<PollPortKind>(port.kind);
  return kind == PollPortKind::whole || kind == PollPortKind::real;
}

// A subtree that is used at several places has each of its elements several times.
bool are_same_element(const LoggedTree& tree, std::uint32_t a, std::uint32_t b) {
  if (a == b) return true;
  const espalier_place one = espalier_node_place(tree.tree().asset, tree.nodes()[a].word);
  const espalier_place other = espalier_node_place(tree.tree().asset, tree.nodes()[b].word);
  return one.line != 0 && one.line == other.line && one.column == other.column &&
         std::string_view(one.file) == other.file;
}

using Edits = std::vector<OtherNumber>;

// The tree of an asset of which some numbers are others. It must not be moved.
class EditedTree {
 public:
  EditedTree(const LoggedTree& tree, const Edits& edits) : asset_(tree.view().asset), index_(tree.tree().index) {
    const std::uint32_t first = record_count(asset_, SectionId::numbers);
    auto* const numbers = copy<std::uint64_t>(SectionId::numbers, edits.size());
    PollPort* const ports = copy<PollPort>(SectionId::poll_ports, 0);
    for (std::uint32_t i = 0; i < edits.size(); ++i) {
      numbers[first + i] = edits[i].bits;
      edit(tree, edits[i], first + i, ports);
    }
  }
  EditedTree(const EditedTree&) = delete;
  Tree tree() const { return {&asset_, index_}; }

 private:
  static void edit(const LoggedTree& tree, const OtherNumber& edit, std::uint32_t number, PollPort* ports) {
    const PollTreeView& view = tree.view();
    for (std::uint32_t node = edit.node; node < tree.nodes().size(); ++node) {
      if (!are_same_element(tree, node, edit.node)) continue;
      PollPort& port = ports[view.polled_of(view.nodes + tree.nodes()[node].word).first_port + edit.port];
      if (!is_number(port)) continue;
      port.value = number;
      port.kind = static_cast<std::uint8_t>(edit.kind);
    }
  }

  template <typename Record>
  Record* copy(SectionId id, std::size_t more) {
    const AssetSection section = section_of(asset_, id);
    const std::size_t size = std::size_t{section.count} * sizeof(Record);
    std::vector<std::uint64_t>& own = sections_.emplace_back((size + more * sizeof(Record) + 7) / 8);
    if (size != 0) std::memcpy(own.data(), section.records, size);
    const auto place = static_cast<std::size_t>(id);
    asset_.internal[place] = own.data();
    asset_.internal_numbers[place] = static_cast<std::uint32_t>(section.count + more);
    return reinterpret_cast<Record*>(own.data());
  }

  Asset asset_;
  const std::uint32_t index_;
  std::vector<std::vector<std::uint64_t>> sections_;
};

// The numbers of a tree that may be others.
class OtherNumbers {
 public:
  OtherNumbers(const LoggedTree& tree, const Log& log) : tree_(tree), log_(log) {}

  // Numbers that are others in the log's own tree.
  Edits of_log(const LoggedTree& of_log) const {
    Edits edits;
    for (std::uint32_t node = 0; node < tree_.nodes().size(); ++node) {
      const std::uint32_t* const at = tree_.view().nodes + tree_.nodes()[node].word;
      const std::uint32_t* const old = of_log.view().nodes + of_log.nodes()[node].word;
      const std::uint32_t count =
          std::min(tree_.view().polled_of(at).port_count, of_log.view().polled_of(old).port_count);
      for (std::uint32_t i = 0; i < count; ++i) {
        const PollPort& port = tree_.view().port_of(at, i);
        const PollPort& before = of_log.view().port_of(old, i);
        if (!is_number(port) || !is_number(before) || tree_.view().name(port.name) != of_log.view().name(before.name))
          continue;
        const auto kind = static_cast<PollPortKind>(before.kind);
        add(node, i, kind, of_log.view().number(before.value), edits);
      }
    }
    return edits;
  }

  // Others near those of the nodes around a misfit, the nearest first.
  Edits around(const Misfit& misfit) const {
    std::uint32_t changed = 0;
    while (changed < tree_.nodes().size() && !tree_.is_of(log_.changes[misfit.change], log_, changed)) ++changed;
    Edits edits;
    add_around(misfit.node, edits);
    if (changed < tree_.nodes().size()) add_around(changed, edits);
    std::stable_sort(edits.begin(), edits.end(),
                     [](const OtherNumber& a, const OtherNumber& b) { return a.change < b.change; });
    return edits;
  }

  bool are_of_one_number(const OtherNumber& a, const OtherNumber& b) const {
    return a.port == b.port && are_same_element(tree_, a.node, b.node);
  }

  NumberEdit told(const OtherNumber& edit, bool is_of_log) const {
    const std::uint32_t* const at = tree_.view().nodes + tree_.nodes()[edit.node].word;
    const PollPort& port = tree_.view().port_of(at, edit.port);
    return {edit.node, std::string(tree_.view().name(port.name)),
            text_of(static_cast<PollPortKind>(port.kind), tree_.view().number(port.value)),
            text_of(edit.kind, edit.bits), is_of_log};
  }

 private:
  void add_around(std::uint32_t node, Edits& edits) const {
    for (std::uint32_t above = 0; above <= node; ++above) {
      const std::uint32_t* const at = tree_.view().nodes + tree_.nodes()[above].word;
      if (above + nodes_within(at) <= node || tree_.nodes()[above].asks) continue;
      for (std::uint32_t i = 0; i < tree_.view().polled_of(at).port_count; ++i) {
        const PollPort& port = tree_.view().port_of(at, i);
        if (is_number(port)) add_near(above, i, static_cast<PollPortKind>(port.kind), edits);
      }
    }
  }

  // What a port has in the tree.
  double own_value(std::uint32_t node, std::uint32_t port) const {
    const PollPort& own = tree_.view().port_of(tree_.view().nodes + tree_.nodes()[node].word, port);
    return value_of(static_cast<PollPortKind>(own.kind), tree_.view().number(own.value));
  }

  void add(std::uint32_t node, std::uint32_t port, PollPortKind kind, std::uint64_t bits, Edits& edits) const {
    const double own = own_value(node, port);
    const double other = value_of(kind, bits);
    const bool is_known = std::any_of(edits.begin(), edits.end(), [&](const OtherNumber& each) {
      return each.port == port && each.bits == bits && are_same_element(tree_, each.node, node);
    });
    if (own == other || is_known) return;
    edits.push_back({node, port, kind, bits, change_between(own, other)});
  }

  void add_near(std::uint32_t node, std::uint32_t port, PollPortKind kind, Edits& edits) const {
    const double own = own_value(node, port);
    std::set<double> others;
    for (const double step : {1.0, 2.0, 3.0, 4.0, 5.0}) others.insert({own - step, own + step});
    for (const double factor : {1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 10.0, 20.0}) others.insert({own * factor, own / factor});
    for (const double other : others) {
      const bool is_whole = other == std::floor(other);
      if (other > 0 && (is_whole || kind == PollPortKind::real)) add(node, port, kind, bits_of(kind, other), edits);
    }
  }

  const LoggedTree& tree_;
  const Log& log_;
};

// Runs edited trees on a log, as many as the budget allows.
class EditSearch {
 public:
  EditSearch(const LoggedTree& tree, const Log& log, const FittedRun& run) : tree_(tree), log_(log), run_(run) {}

  // The first edits of the list with which all of the log fits. `misfits`: gets what does not fit with each of them.
  const Edits* first_fitting(const std::vector<Edits>& list, std::vector<std::optional<Misfit>>* misfits) {
    Log begin = log_;
    if (log_.updates.empty())
      begin.changes.resize(std::min(begin.changes.size(), run_.misfit->change + kChangesBehind));
    std::size_t try_count = 0;
    std::size_t change_count = 0;
    for (const Edits& edits : list) {
      change_count += begin.changes.size();
      if (++try_count > kMostTries || change_count > kMostChanges) {
        is_complete_ = false;
        return nullptr;
      }
      const EditedTree edited(tree_, edits);
      LoggedTree tree(edited.tree());
      ++tried_count_;
      std::optional<Misfit> misfit = misfit_of(tree, begin);
      if (!misfit && begin.changes.size() < log_.changes.size()) {
        change_count += log_.changes.size();
        if (change_count > kMostChanges) {
          is_complete_ = false;
          return nullptr;
        }
        misfit = misfit_of(tree, log_);
      }
      if (!misfit) return &edits;
      if (misfits != nullptr) misfits->push_back(std::move(misfit));
    }
    return nullptr;
  }

  std::size_t tried_count() const { return tried_count_; }
  bool is_complete() const { return is_complete_; }

 private:
  std::optional<Misfit> misfit_of(LoggedTree& tree, const Log& log) const {
    const bool may_have_run = run_.first_change != 0 || !run_.start.empty();
    FittedRun run = log.updates.empty() ? fit(tree, log, may_have_run) : follow(tree, log);
    if (!run.misfit && run.first_change != run_.first_change) return run_.misfit;
    return std::move(run.misfit);
  }

  const LoggedTree& tree_;
  const Log& log_;
  const FittedRun& run_;
  std::size_t tried_count_ = 0;
  bool is_complete_ = true;
};

// Each edit with one of those behind it, or, without the log's own tree, with one around what does not fit then.
std::vector<Edits> pairs_of(const OtherNumbers& numbers, const Edits& edits,
                            const std::vector<std::optional<Misfit>>& misfits, const Misfit& first, bool is_of_log) {
  std::vector<Edits> pairs;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (!is_of_log && misfits[i]->change <= first.change) continue;
    const Edits more = is_of_log ? Edits(edits.begin() + static_cast<std::ptrdiff_t>(i) + 1, edits.end())
                                 : numbers.around(*misfits[i]);
    for (const OtherNumber& other : more)
      if (!numbers.are_of_one_number(edits[i], other)) pairs.push_back({edits[i], other});
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Edits& a, const Edits& b) {
    return a.front().change + a.back().change < b.front().change + b.back().change;
  });
  return pairs;
}

}  // namespace

NearestEdits nearest_edits(const LoggedTree& tree, const Log& log, const FittedRun& run, const LoggedTree* of_log) {
  const OtherNumbers numbers(tree, log);
  const Edits edits = of_log != nullptr ? numbers.of_log(*of_log) : numbers.around(*run.misfit);
  std::vector<Edits> singles;
  for (const OtherNumber& edit : edits) singles.push_back({edit});
  EditSearch search(tree, log, run);
  std::vector<std::optional<Misfit>> misfits;
  const Edits* found = search.first_fitting(singles, &misfits);
  std::vector<Edits> pairs;
  if (found == nullptr && search.is_complete()) {
    pairs = pairs_of(numbers, edits, misfits, *run.misfit, of_log != nullptr);
    found = search.first_fitting(pairs, nullptr);
  }
  NearestEdits nearest{{}, search.tried_count(), search.is_complete()};
  if (found == nullptr) return nearest;
  for (const OtherNumber& edit : *found) nearest.edits.push_back(numbers.told(edit, of_log != nullptr));
  return nearest;
}

}  // namespace espalier::live
