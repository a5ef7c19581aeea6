/* Serving: an agent can be watched while it runs, by the protocol of BehaviorTree.CPP's Groot2Publisher, which Groot2
   and `espalier attach` speak. Programs that do not call these functions do not link them.

   There is no socket here: the program accepts connections and moves their bytes (samples/embed/served.cpp does so with
   POSIX sockets). Whoever can connect reads all entries and can hold the agent: listen on the loopback interface unless
   others are meant to watch.

     espalier_server_options options = {.now_us = microseconds_since_1970};
     void* memory = malloc(espalier_server_bytes(&asset, &options));         // at a multiple of 8
     espalier_server_begin(tree, NULL, 0, &options, memory, &server);        // the asset: compile --with-xml
     for (;;) {
       // A connection was accepted: espalier_server_connect(server, peer), peer < options.peer_count
       // bytes were received:       espalier_server_feed(server, peer, bytes, size)
       // bytes can be sent:         espalier_server_take(server, peer, bytes, size)
       if (!espalier_server_holds(server)) {
         espalier_update_watched(tree, block, &host, espalier_server_watcher(server, block));
         espalier_server_update(server, block, &host);
       }
     }

   The protocol has two ports: PORT for requests, and PORT + 1 for notices of breakpoints. Clients say on each
   connection what it is for, so the peers of both ports are numbered together and handled alike.

   Breakpoints do not block. After an update that reaches one, the agent is held: the program skips its updates until a
   client lets it go on, or sends no request for 5 seconds. The agent then stands at the end of the update in which the
   node began (position 0) or got its result (position 1).

   Results are not replaced unless the program allows it, with ESPALIER_SERVER_ALLOW_REPLACE, and asks
   espalier_server_replaces() in its functions: requests for that (`mode` 1, and going on with SUCCESS or FAILURE) are
   refused with an error.

   A server is used by one thread at a time. */
#ifndef ESPALIER_SERVING_H
#define ESPALIER_SERVING_H

#include "espalier.h"
#include "watching.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

typedef struct espalier_server espalier_server;

/* Clients may replace the results of nodes that call the program, in trees that poll: whoever can connect then decides
   what the agent does. */
#define ESPALIER_SERVER_ALLOW_REPLACE UINT32_C(1)

typedef struct espalier_server_options {
  /* Microseconds since 1970, also while the agent is held. Must not be null. */
  uint64_t (*now_us)(void* user) ESPALIER_ZERO;
  void* user ESPALIER_ZERO;
  uint32_t peer_count ESPALIER_ZERO;    /* connections at the same time, at most 256; 0: 8 */
  uint32_t request_bytes ESPALIER_ZERO; /* of one peer, received and not answered yet; 256 to 1 MiB; 0: 4,096 */
  /* Of one peer, not taken yet, without the tree's XML: a request with a larger answer gets an error; 1,024 to
     4 MiB; 0: 65,536, or more if statuses or changes need it. */
  uint32_t reply_bytes ESPALIER_ZERO;
  uint32_t hook_count ESPALIER_ZERO; /* breakpoints at the same time, at most 4,096; 0: 64 */
  /* Tells clients this agent from others, and this run from others; all 0: made of the time and the memory's place. */
  uint8_t tree_id[16] ESPALIER_ZERO;
  uint32_t flags ESPALIER_ZERO; /* ESPALIER_SERVER_... */
} espalier_server_options;

/* What is shown of a tree: the XML that `espalier compile --with-xml` keeps, without NUL. Null: the asset has none. */
const char* espalier_tree_xml(espalier_tree tree, size_t* size_bytes);

/* Bytes of memory that a server needs for an agent of any tree of the asset; 0: an option is out of its range. */
size_t espalier_server_bytes(const espalier_asset* asset, const espalier_server_options* options);
/* `memory`: espalier_server_bytes() bytes at a multiple of 8, in use for as long as the server is; the asset and the
   XML must outlive it. `xml`: what clients get as the tree, with the same `_uid` for each node; null:
   espalier_tree_xml(). ESPALIER_NOT_FOUND: the asset was compiled without --with-xml. ESPALIER_TOO_LARGE: an option is
   out of its range. ESPALIER_MISSING_BINDING: there is no `now_us`. `*server` is then unchanged. */
espalier_status espalier_server_begin(espalier_tree tree, const char* xml, size_t xml_bytes,
                                      const espalier_server_options* options, void* memory, espalier_server** server);

/* ---- Connections: `peer` is below `peer_count` ---------------------------------------------------------------------
 */

/* A new connection, in place of an earlier one of this number. There is something to take at once. */
void espalier_server_connect(espalier_server* server, uint32_t peer);
/* Bytes that were received; they may have any content. Requests are answered with what the last update left.
   ESPALIER_MALFORMED: the program must close this connection, see espalier_server_fault(). */
espalier_status espalier_server_feed(espalier_server* server, uint32_t peer, const void* bytes, size_t size_bytes);
/* Bytes that are to be sent: at most `size_bytes` of them, returns how many; 0: there are none. */
size_t espalier_server_take(espalier_server* server, uint32_t peer, void* bytes, size_t size_bytes);
/* The connection has ended. */
void espalier_server_disconnect(espalier_server* server, uint32_t peer);
/* Why a connection must be closed, as a static string; null: it need not be. */
const char* espalier_server_fault(const espalier_server* server, uint32_t peer);

/* ---- The agent ------------------------------------------------------------------------------------------------------
 */

/* For espalier_update_watched() of the agent with this block: each change of a status is then known, in order. Without
   it, changes are the differences between updates. Valid until the next call of the function. */
const espalier_watcher* espalier_server_watcher(espalier_server* server, const void* block);
/* After each update: statuses and entries. Copies the block. Returns true if the agent is held from now on, as
   espalier_server_holds() does. */
bool espalier_server_update(espalier_server* server, const void* block, const espalier_host* host);
/* At the begin of a `tick` of the served agent: does a client replace its result? Then the function returns `*result`
   and does nothing else. Else `*result` is unchanged. A result that a client goes on with, from a breakpoint, is that
   of the node's next tick. */
bool espalier_server_replaces(espalier_server* server, const espalier_call* call, espalier_result* result);
/* Is the agent held by a breakpoint? The program must then not update it. To be asked before each update, as a hold
   also ends when clients are silent. */
bool espalier_server_holds(espalier_server* server);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
