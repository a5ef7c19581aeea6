// Moments of a program that runs. See live_history.h.
#include "debug/live_history.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "debug/live_program.h"

namespace espalier::debug {
namespace {

constexpr std::uint64_t kUpdateIsOver_us = 5000;
constexpr std::size_t kMostValueBytes = 200;
constexpr std::size_t kMostNameBytes = 1000;
constexpr std::size_t kMostEntries = 10'000;

}  // namespace

void LiveHistory::set_clock(std::int64_t now_us) {
  ahead_us_ = now_us - since_1970_us();
  if (first_us_ == 0) first_us_ = now_us;
}

// Since the program was attached.
std::uint64_t LiveHistory::now_us() const {
  const std::int64_t now = since_1970_us() + ahead_us_ - first_us_;
  return first_us_ == 0 ? 0 : static_cast<std::uint64_t>(std::max<std::int64_t>(0, now));
}

void LiveHistory::begin_tree(const live::LoggedTree& tree, std::string main) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (are_active_[i]) add(MomentKind::halted, now_us(), rows_[i]);
  }
  const std::map<std::uint32_t, std::uint32_t>& rows = history_.begin_tree(tree.tree(), 0, now_us());
  tree_ = &tree;
  main_ = std::move(main);
  rows_.clear();
  for (const live::LoggedNode& node : tree.nodes()) {
    const auto row = rows.find(node.word);
    rows_.push_back(row == rows.end() ? kNoRow : row->second);
  }
  are_active_.assign(rows_.size(), false);
  held_.reset();
  entries_.clear();
}

// Times never go back.
void LiveHistory::add(MomentKind kind, std::uint64_t time_us, std::uint32_t row, std::uint32_t name,
                      std::uint32_t value) {
  last_us_ = std::max(last_us_, time_us);
  history_.add({.time_us = last_us_, .row = row, .name = name, .value = value, .kind = kind});
}

void LiveHistory::add(const std::vector<live::Change>& changes) {
  if (first_us_ == 0) set_clock(since_1970_us());  // programs before 4.3.3 do not tell theirs
  for (const live::Change& change : changes) take(change);
}

void LiveHistory::take(const live::Change& change) {
  if (change.uid == 0 || change.uid > rows_.size() || rows_[change.uid - 1u] == kNoRow) return;
  const auto number = static_cast<std::uint16_t>(change.uid - 1u);
  const std::uint32_t row = rows_[number];
  const auto time_us = static_cast<std::uint64_t>(std::max<std::int64_t>(0, change.at_us - first_us_));
  if (is_in_update_ && time_us > last_us_ + kUpdateIsOver_us) add(MomentKind::update_ends, last_us_, kNoRow);
  is_in_update_ = true;
  leave_held(row, time_us);
  const bool was_active = are_active_[number];
  are_active_[number] = change.status == live::Status::running;
  if (change.status == live::Status::idle) {
    if (was_active) add(MomentKind::halted, time_us, row);
    return;
  }
  if (!was_active) add(MomentKind::begin, time_us, row);
  if (change.status == live::Status::running) return;
  const bool is_success = change.status == live::Status::success;
  if (const live::LoggedNode& node = tree_->nodes()[number]; node.asks)
    add(MomentKind::answer, time_us, row, history_.number_of(node.name),
        history_.number_of(is_success ? "success" : "failure"));
  add(is_success ? MomentKind::success : MomentKind::failure, time_us, row);
}

// What changes next is the node that was held, or one below it: if not, the node was skipped.
void LiveHistory::leave_held(std::uint32_t row, std::uint64_t time_us) {
  if (!held_) return;
  const std::uint16_t number = *std::exchange(held_, std::nullopt);
  for (std::uint32_t above = row; above != kNoRow; above = history_.rows()[above].parent) {
    if (above == rows_[number]) return;
  }
  are_active_[number] = false;
  add(MomentKind::skipped, time_us, rows_[number]);
}

void LiveHistory::hold(std::uint16_t uid) {
  if (uid == 0 || uid > rows_.size() || rows_[uid - 1u] == kNoRow) return;
  const auto number = static_cast<std::uint16_t>(uid - 1u);
  if (held_) leave_held(held_ == number ? kNoRow : rows_[number], now_us());
  is_in_update_ = true;
  if (are_active_[number]) return add(MomentKind::ticked_again, now_us(), rows_[number]);
  held_ = number;
  are_active_[number] = true;
  add(MomentKind::begin, now_us(), rows_[number]);
}

void LiveHistory::end_update() {
  if (!is_in_update_ || held_ || now_us() <= last_us_ + kUpdateIsOver_us) return;
  add(MomentKind::update_ends, last_us_, kNoRow);
  is_in_update_ = false;
}

// As samples have them: who wrote them is not told.
void LiveHistory::add_entries(const std::string& json) {
  const nlohmann::json boards = nlohmann::json::parse(json, nullptr, false);
  if (!boards.is_object()) return;
  for (const auto& [path, board] : boards.items()) {
    if (!board.is_object() || path == "ROOT") continue;  // a copy that publishers add
    for (const auto& [key, value] : board.items()) {
      if (value.is_null() || key.starts_with('_')) continue;  // null: none yet, or of a type that is not told
      const std::string name = path == main_ ? key : path + '/' + key;
      const std::string text = value.is_string() ? value.get<std::string>()
                                                 : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      if (name.size() > kMostNameBytes || (entries_.size() >= kMostEntries && !entries_.contains(name))) continue;
      const auto hash = std::hash<std::string>{};
      std::size_t& last = entries_.try_emplace(name, hash({})).first->second;
      if (std::exchange(last, hash(text)) == hash(text)) continue;
      add(MomentKind::set, now_us(), kNoRow, history_.number_of(name),
          history_.number_of(text.substr(0, kMostValueBytes)));
    }
  }
}

}  // namespace espalier::debug
