// Constraints. See values.h. Numbers that are tried are those that the tree compares with, and one between each two,
// below and above: in their order each second one is a number that the tree has.
#include "live/values.h"

#include <espalier/polling.h>

#include <algorithm>
#include <vector>

#include "replay/names.h"

namespace espalier::live {
namespace {

using explore::EntryValue;

// The different values of an output that were tried, numbers in their order, and which of them fit.
struct Tried {
  std::vector<EntryValue> values;
  std::vector<bool> fits;
};

bool are_equal(const EntryValue& a, const EntryValue& b) {
  return a.kind == b.kind && a.number == b.number && a.text == b.text;
}

Tried tried(const LoggedNode& node, const LeafAnswer& answer, std::size_t output) {
  Tried tried;
  for (std::size_t i = 0; i < node.tried_count; ++i) {
    const EntryValue& value = node.outputs[i][output].value;
    const bool is_there = std::any_of(tried.values.begin(), tried.values.end(),
                                      [&](const EntryValue& each) { return are_equal(each, value); });
    if (!is_there) tried.values.push_back(value);
  }
  std::stable_sort(tried.values.begin(), tried.values.end(),
                   [](const EntryValue& a, const EntryValue& b) { return a.number < b.number; });
  tried.fits.resize(tried.values.size());
  for (std::size_t i = 0; i < node.tried_count; ++i) {
    if ((answer.fitting >> i & 1) == 0) continue;
    for (std::size_t k = 0; k < tried.values.size(); ++k)
      if (are_equal(tried.values[k], node.outputs[i][output].value)) tried.fits[k] = true;
  }
  return tried;
}

// Are they numbers around those that the tree has, none left out?
bool is_line(const Tried& tried) {
  return tried.values.size() % 2 == 1 && tried.values.size() > 1 &&
         std::all_of(tried.values.begin(), tried.values.end(), [](const EntryValue& value) {
           return value.kind == EntryValue::Kind::whole || value.kind == EntryValue::Kind::real;
         });
}

std::string listed(const Tried& tried) {
  std::vector<std::string> fitting;
  for (std::size_t i = 0; i < tried.values.size(); ++i)
    if (tried.fits[i]) fitting.push_back(explore::text_of(tried.values[i]));
  std::string list;
  for (std::size_t i = 0; i < fitting.size(); ++i)
    list += (i == 0 ? "" : i + 1 == fitting.size() ? " or " : ", ") + fitting[i];
  return list;
}

}  // namespace

std::string constraint_of(const LoggedNode& node, const LeafAnswer& answer, std::size_t output) {
  if (answer.fitting == 0 || node.is_computed[output]) return {};
  const Tried all = tried(node, answer, output);
  const auto first = static_cast<std::size_t>(std::find(all.fits.begin(), all.fits.end(), true) - all.fits.begin());
  const std::size_t last =
      all.fits.size() - 1 -
      static_cast<std::size_t>(std::find(all.fits.rbegin(), all.fits.rend(), true) - all.fits.rbegin());
  if (first == 0 && last + 1 == all.fits.size() && std::find(all.fits.begin(), all.fits.end(), false) == all.fits.end())
    return {};
  const bool is_range = is_line(all) && first <= last &&
                        std::find(all.fits.begin() + static_cast<std::ptrdiff_t>(first),
                                  all.fits.begin() + static_cast<std::ptrdiff_t>(last),
                                  false) == all.fits.begin() + static_cast<std::ptrdiff_t>(last);
  if (!is_range) return listed(all);
  const auto number = [&](std::size_t i) { return explore::text_of(all.values[i]); };
  if (first == last && first % 2 == 1) return number(first);
  const std::string low = first == 0 ? "" : first % 2 == 1 ? "at least " + number(first) : "above " + number(first - 1);
  const std::string high = last + 1 == all.values.size() ? ""
                           : last % 2 == 1               ? "at most " + number(last)
                                                         : "below " + number(last + 1);
  return low + (low.empty() || high.empty() ? "" : " and ") + high;
}

IsInferred inferred_values(const LoggedTree& tree, const FittedRun& run) {
  return [&tree, is_recorded = run.is_recorded, sampled = sampled_outputs(run)](std::uint64_t time_us,
                                                                                std::uint32_t word) {
    return word == kNoNode ? !is_recorded : !sampled.contains({time_us, tree.number_of(word)});
  };
}

std::set<std::pair<std::uint64_t, std::uint32_t>> sampled_outputs(const FittedRun& run) {
  std::set<std::pair<std::uint64_t, std::uint32_t>> sampled;
  for (const Update& update : run.updates) {
    for (std::uint32_t i = 0; i < update.answer_count; ++i) {
      const LeafAnswer& answer = run.answers[update.first_answer + i];
      if (answer.outputs != 0 && answer.fitting == 0) sampled.emplace(update.clock_us, answer.node);
    }
  }
  return sampled;
}

bool is_known(const LoggedNode& node, const LeafAnswer& answer, std::size_t output) {
  if (answer.outputs > node.tried_count || answer.fitting == 0) return true;  // sampled
  if (node.is_computed[output]) return false;
  const Tried all = tried(node, answer, output);
  if (std::count(all.fits.begin(), all.fits.end(), true) != 1) return false;
  const auto only = static_cast<std::size_t>(std::find(all.fits.begin(), all.fits.end(), true) - all.fits.begin());
  const EntryValue& value = all.values[only];
  return value.kind == EntryValue::Kind::boolean || (is_line(all) && only % 2 == 1);
}

std::string entry_of(const LoggedTree& tree, const LoggedNode& node, const std::string& port) {
  const PollTreeView& view = tree.view();
  const std::uint32_t* const at = view.nodes + node.word;
  for (std::uint32_t i = 0; i < view.polled_of(at).port_count; ++i) {
    const layout::PollPort& each = view.port_of(at, i);
    if (view.name(each.name) != port) continue;
    const std::uint32_t entry = view.keys[each.value].entry;
    const std::string path = espalier_entry_path(tree.tree(), entry);
    return (path.empty() ? path : path + '/') + std::string(view.name(view.entries[entry].name));
  }
  return port;
}

}  // namespace espalier::live
