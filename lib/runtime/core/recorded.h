// What a function of the interface does when its host has a recorder (recording.h): the recorder's function of the same
// name is called, which calls `function` with the host as it is to be seen in the calls, and records these. The runtime
// reaches the recorder only through this table, so that programs without one do not link it.
#pragma once
#include "asset/view.h"

namespace espalier {

struct RecorderCalls {
  Result (*update)(espalier_tree tree, void* block, const espalier_host* host, const espalier_watcher* watcher);
  Result (*update_prepared)(const espalier_prepared* prepared, void* block, const espalier_host* host);
  void (*update_all)(espalier_tree tree, void* blocks, size_t stride_bytes, size_t count, const espalier_host* host);
  void (*signal)(espalier_tree tree, void* block, uint32_t signal, const espalier_host* host, const void* data,
                 const espalier_watcher* watcher);
  void (*stop)(espalier_tree tree, void* block, const espalier_host* host);
  void (*jump)(espalier_tree tree, void* block, uint32_t rule, const espalier_host* host,
               decltype(espalier_jump)* function);
  espalier_status (*inject)(espalier_tree tree, void* block, uint32_t slot, uint32_t injected, bool immediate,
                            const espalier_host* host, decltype(espalier_inject)* function);
  // Before a port is written in a call.
  void (*write)(const espalier_call* call, uint32_t port, const espalier_value* value);
  void (*write_boolean)(const espalier_call* call, uint32_t port, bool value);
};

}  // namespace espalier

struct espalier_recorder {
  const espalier::RecorderCalls* calls;
};
