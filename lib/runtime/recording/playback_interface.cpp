// The functions of recording.h that repeat a recording. See playback.h.
#include <cstdint>
#include <cstring>
#include <new>

#include "core/engine.h"
#include "recording/playback.h"

using namespace espalier;
using namespace espalier::recording;

size_t espalier_playback_bytes(const void* bytes, size_t size_bytes, const espalier_asset* asset) {
  File file;
  Needs needs;
  std::size_t at = 0;
  const bool is_one = open_file(bytes, size_bytes, &file, nullptr) == ESPALIER_OK &&
                      find_needs(static_cast<const unsigned char*>(bytes), file, &needs, &at);
  return is_one ? espalier_playback::size_bytes(file, needs, *asset) : 0;
}

espalier_status espalier_playback_open(const void* bytes, size_t size_bytes, const espalier_asset* asset, void* memory,
                                       espalier_playback** playback, espalier_fault* fault) {
  File file;
  const espalier_status status = open_file(bytes, size_bytes, &file, fault);
  if (status != ESPALIER_OK) return status;
  const auto refuse = [fault](espalier_status why, const char* reason, std::size_t at) {
    if (fault != nullptr) *fault = {why, reason, at};
    return why;
  };
  if (file.has_compressed)
    return refuse(ESPALIER_UNSUPPORTED_VERSION, "it is compressed: 'espalier import' unpacks it", 0);
  layout::Header header = {};
  std::memcpy(&header, first_byte(*asset), sizeof header);
  if (header.hash != file.facts.asset_hash || header.size_bytes != file.facts.asset_bytes)
    return refuse(ESPALIER_WRONG_HASH, "it was recorded with another asset", 0);
  Needs needs;
  std::size_t at = 0;
  const bool is_whole = file.facts.behavior_count == behavior_count(*asset) &&
                        file.facts.condition_count == host_condition_count(*asset) &&
                        find_needs(static_cast<const unsigned char*>(bytes), file, &needs, &at);
  if (!is_whole) return refuse(ESPALIER_MALFORMED, "an event is malformed", at);
  auto* const own = new (memory) espalier_playback();
  own->begin(static_cast<const unsigned char*>(bytes), file, needs, *asset, static_cast<unsigned char*>(memory));
  *playback = own;
  return ESPALIER_OK;
}

espalier_status espalier_playback_step(espalier_playback* playback, const espalier_watcher* watcher) {
  return playback->step(watcher);
}

uint64_t espalier_playback_clock_us(const espalier_playback* playback) { return playback->clock_us(); }

uint64_t espalier_playback_frame(const espalier_playback* playback) { return playback->frame(); }

void* espalier_playback_block(const espalier_playback* playback, uint32_t agent, espalier_tree* tree) {
  if (agent >= playback->agents().count()) return nullptr;
  const AgentEntry& entry = playback->agents()[agent];
  if (tree != nullptr) *tree = entry.tree;
  return entry.tree.asset == nullptr ? nullptr : entry.block;
}

uint32_t espalier_playback_agent_count(const espalier_playback* playback) { return playback->agents().count(); }

bool espalier_playback_has_hashes(const espalier_playback* playback) { return playback->has_hashes(); }

bool espalier_playback_is_redacted(const espalier_playback* playback) { return playback->is_redacted(); }
