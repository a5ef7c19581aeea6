// Names and places of nodes, and the history of completed nodes. See debugging.h.
#include "asset/recorded.h"
#include "core/check.h"

using namespace espalier;

const char* espalier_node_name(const espalier_asset* asset, uint32_t node_word) {
  if (!Check(__func__).asset(asset).node(asset, node_word)) return "";
  return node_debug_name(*asset, node_word);
}

espalier_place espalier_node_place(const espalier_asset* asset, uint32_t node_word) {
  if (!Check(__func__).asset(asset).node(asset, node_word)) return {"", 0, 0};
  const layout::NodeLocation* location = find_location(*asset, node_word);
  if (location == nullptr) return {"", 0, 0};
  const layout::File& file = records<layout::File>(*asset, layout::SectionId::files)[location->file];
  return {array<char>(*asset, layout::SectionId::debug_names) + file.name, location->line, location->column};
}

void espalier_record(espalier_history* history, const espalier_node_step* step, uint64_t clock_us) {
  if (step->kind != NodeStepKind::complete || history->capacity == 0) return;
  history->entries[history->internal_next] = {step->node_word, static_cast<espalier_result>(step->value), clock_us};
  history->internal_next = (history->internal_next + 1) % history->capacity;
  if (history->count < history->capacity) ++history->count;
}

espalier_result espalier_update_recorded(espalier_tree tree, void* block, const espalier_host* host,
                                         espalier_history* history) {
  struct Recording {
    espalier_history* history;
    std::uint64_t clock_us;
    const Asset* asset;
  };
  if (!Check(__func__).host(host).given(history, "the history is null")) return ESPALIER_ERROR;
  Recording recording = {history, host->clock_us, tree.asset};
  Watcher watcher;
  watcher.user = &recording;
  watcher.node = [](void* user, const NodeStep* step) {
    const auto& own = *static_cast<Recording*>(user);
    if (is_recorded(*own.asset, step->node_word)) record(*own.history, *step, own.clock_us);
  };
  return espalier_update_watched(tree, block, host, &watcher);
}

const espalier_completed* espalier_recent(const espalier_history* history, uint32_t index) {
  if (index >= history->count) return nullptr;
  return &history->entries[(history->internal_next + history->capacity - 1 - index) % history->capacity];
}

const espalier_completed* espalier_last_of(const espalier_history* history, uint32_t node_word) {
  for (std::uint32_t i = 0; i < history->count; ++i) {
    const espalier_completed* entry = espalier_recent(history, i);
    if (entry->node_word == node_word) return entry;
  }
  return nullptr;
}
