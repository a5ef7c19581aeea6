// The agents of a playback: their updates, and what is told of them. See playback.h.
#include "core/check.h"
#include "core/engine.h"
#include "recording/playback.h"

using namespace espalier;
using namespace espalier::recording;

bool espalier_playback::look_at(std::uint32_t agent, bool is_called, Host* host) {
  if (agent >= agents_.count() || agents_[agent].tree.asset == nullptr || depth_ > kMostDepth) return fail();
  AgentEntry& entry = agents_[agent];
  if (is_called && entry.is_busy) return fail();
  void* const shared = entry.shared == 0 ? nullptr : shared_[entry.shared - 1].bytes;
  if (!is_checked_[agent]) {
    const bool is_fine = (shared == nullptr || espalier_check_shared(entry.tree, shared) == ESPALIER_OK) &&
                         espalier_check_agent(entry.tree, entry.block, shared) == ESPALIER_OK;
    if (!is_fine) return fail();
    is_checked_[agent] = true;
  }
  *host = host_;
  host->clock_us = clock_us_;
  host->first_agent = agent;
  host->shared = shared;
  host->group = entry.group == 0 ? nullptr : groups_[entry.group - 1].bytes;
  return true;
}

bool espalier_playback::update(std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = first; i - first < count && !has_diverged_; ++i) {
    Host host;
    if (!look_at(i, true, &host)) return false;
    AgentEntry& entry = agents_[i];
    entry.is_busy = true;
    const bool is_told = listener_ != nullptr && depth_ == 0;
    if (is_told && listener_->begin != nullptr) listener_->begin(listener_->user, i);
    const espalier_result result = watcher_ != nullptr && depth_ == 0
                                       ? espalier_update_watched(entry.tree, entry.block, &host, watcher_)
                                       : espalier_update(entry.tree, entry.block, &host);
    entry.is_busy = false;
    if (is_told && listener_->end != nullptr) listener_->end(listener_->user, i, result);
  }
  return !has_diverged_;
}

bool espalier_playback::run_more(MoreOp op) {
  switch (op) {
    case MoreOp::reset:
      if (depth_ != 0) return fail();
      if (listener_ != nullptr && listener_->reset != nullptr) listener_->reset(listener_->user);
      clock_us_ = clock_before_us_ = reader_.number();
      frame_ = reader_.number();
      step_us_ = 0;
      last_ = kFrameNext;
      agent_ = 0;
      for (std::uint32_t i = 0; i < agents_.count(); ++i) agents_.put(i, {});
      agents_.forget();
      for (std::uint32_t i = 0; i < needs_.shared_count; ++i) std::memset(shared_[i].bytes, 0, shared_[i].size_bytes);
      for (std::uint32_t i = 0; i < needs_.group_count; ++i) std::memset(groups_[i].bytes, 0, groups_[i].size_bytes);
      announce();
      return true;
    case MoreOp::functions:
      return put_functions();
    case MoreOp::agent:
      return put_agent();
    case MoreOp::patch:
      return put_patch();
    case MoreOp::hash: {
      std::uint64_t hash = 0;
      reader_.read(&hash, sizeof hash);
      announce();
      return hash == agents_.hash_of_blocks() || fail();
    }
    case MoreOp::name: {
      const std::uint32_t agent = take_agent();
      const std::uint64_t size_bytes = reader_.number();
      Host host;
      if (size_bytes >= kTextBytes || !look_at(agent, true, &host)) return fail();
      reader_.read(text_, static_cast<std::size_t>(size_bytes));
      text_[size_bytes] = '\0';
      announce();
      std::uint32_t entry = 0;
      if (depth_ != 0 || engine_id_of(agents_[agent].tree) != EngineId::poll) return fail();
      espalier_name_entry(agents_[agent].tree, agents_[agent].block, text_, &entry);
      return true;
    }
    default:
      return fail();
  }
}

bool espalier_playback::put_agent() {
  const std::uint32_t agent = take_agent();
  const std::uint64_t tree = reader_.number();
  if (agent >= agents_.count() || tree > tree_count(*asset_) || agents_[agent].is_busy) return fail();
  const bool is_again = agents_[agent].tree.asset != nullptr;
  if (tree == 0) {
    agents_.put(agent, {});
    announce();
    if (listener_ != nullptr && listener_->agent != nullptr) listener_->agent(listener_->user, agent);
    return true;
  }
  agents_.put(agent, {asset_, static_cast<std::uint32_t>(tree - 1)});
  AgentEntry& entry = agents_[agent];
  entry.block = blocks_ + block_bytes_ * agent;
  entry.shared = static_cast<std::uint32_t>(reader_.number());
  const std::uint64_t shared_bytes = reader_.number();
  entry.group = static_cast<std::uint32_t>(reader_.number());
  const std::uint64_t group_bytes = reader_.number();
  announce();
  const bool is_fine = entry.shared <= needs_.shared_count && entry.group <= needs_.group_count &&
                       (entry.shared == 0 || shared_bytes == espalier_shared_bytes(entry.tree)) &&
                       (entry.group == 0 || group_bytes == espalier_group_bytes(asset_));
  if (!is_fine) return fail();
  espalier_start(entry.tree, entry.block);
  if (is_again && entry.shared != 0)
    std::memset(shared_[entry.shared - 1].bytes, 0, static_cast<std::size_t>(shared_bytes));
  if (is_again && entry.group != 0)
    std::memset(groups_[entry.group - 1].bytes, 0, static_cast<std::size_t>(group_bytes));
  is_checked_[agent] = false;
  if (listener_ != nullptr && listener_->agent != nullptr) listener_->agent(listener_->user, agent);
  return true;
}

void espalier_playback::tell_input(Input input) {
  input.is_inside = depth_ != 0;
  if (listener_ != nullptr && listener_->input != nullptr) listener_->input(listener_->user, input);
}

bool espalier_playback::put_patch() {
  const unsigned target = reader_.byte();
  const std::uint64_t number = reader_.number();
  const std::uint64_t offset = reader_.number();
  const std::uint64_t size_bytes = reader_.number();
  unsigned char* bytes = nullptr;
  std::uint64_t all_bytes = 0;
  if (target == static_cast<unsigned>(PatchTarget::agent) && number < agents_.count() &&
      agents_[static_cast<std::uint32_t>(number)].tree.asset != nullptr) {
    const AgentEntry& entry = agents_[static_cast<std::uint32_t>(number)];
    bytes = entry.block;
    all_bytes = espalier_agent_bytes(entry.tree);
    is_checked_[number] = false;
    if (entry.is_busy) return fail();
  }
  const auto take_other = [&](PatchTarget kind, SharedBlock* blocks, std::uint32_t count) {
    if (target != static_cast<unsigned>(kind) || number == 0 || number > count) return;
    bytes = blocks[number - 1].bytes;
    all_bytes = blocks[number - 1].size_bytes;
    for (std::uint32_t i = 0; i < agents_.count(); ++i) {
      is_checked_[i] = false;
      if (agents_[i].is_busy) fail();
    }
  };
  take_other(PatchTarget::shared, shared_, needs_.shared_count);
  take_other(PatchTarget::group, groups_, needs_.group_count);
  if (has_diverged_ || offset > all_bytes || size_bytes > all_bytes - offset) return fail();
  reader_.read(bytes + offset, static_cast<std::size_t>(size_bytes));
  announce();
  return !reader_.is_done() || fail();
}
