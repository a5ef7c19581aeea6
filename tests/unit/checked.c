/* A build with ESPALIER_CHECK tells each kind of misuse: checked GUARD.espb WALKER.espb, the assets of c_interface.xml
   and c_interface_ticking. */
#include <espalier/checking.h>
#include <espalier/columns.h>
#include <espalier/rules.h>
#include <espalier/selecting.h>
#include <espalier/ticking.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* told_function;
static const char* told_what;
static int failure_count = 0;

static void on_misuse(const char* function, const char* what) {
  told_function = function;
  told_what = what;
}

/* Was this told of this function, and nothing since? */
static void expect(const char* function, const char* what) {
  const bool is_right = told_what == NULL
                            ? what == NULL
                            : what != NULL && strcmp(told_what, what) == 0 && strcmp(told_function, function) == 0;
  if (!is_right) {
    fprintf(stderr, "expected %s: %s\nbut got %s: %s\n", function, what == NULL ? "nothing" : what,
            told_function == NULL ? "" : told_function, told_what == NULL ? "nothing" : told_what);
    ++failure_count;
  }
  told_function = NULL;
  told_what = NULL;
}

static espalier_asset open_asset(const char* path, uint64_t* bytes, size_t capacity_bytes) {
  espalier_asset asset;
  FILE* file = fopen(path, "rb");
  const size_t size_bytes = file == NULL ? 0 : fread(bytes, 1, capacity_bytes, file);
  if (file != NULL) fclose(file);
  if (espalier_open(bytes, size_bytes, &asset, NULL) != ESPALIER_OK) exit(EXIT_FAILURE);
  return asset;
}

int main(int argument_count, char** arguments) {
  static uint64_t bytes[2][8192];
  static uint64_t blocks[64];
  static uint64_t tables[4096];
  static espalier_asset closed;
  if (argument_count != 3) return EXIT_FAILURE;
  espalier_set_misuse(on_misuse);
  const espalier_asset guards = open_asset(arguments[1], bytes[0], sizeof bytes[0]);
  const espalier_asset walkers = open_asset(arguments[2], bytes[1], sizeof bytes[1]);
  const espalier_tree guard = espalier_tree_at(&guards, 0);
  const espalier_tree walker = espalier_tree_at(&walkers, 0);
  const espalier_host host = {.clock_us = 1};
  uint32_t id = 0;

  /* What is right is not told. */
  espalier_start(guard, blocks);
  espalier_signal(guard, blocks, 0, &host, NULL);
  if (espalier_update(guard, blocks, &host) != ESPALIER_RUNNING) ++failure_count;
  expect("", NULL);

  /* Assets and trees. */
  espalier_agent_bytes(espalier_tree_at(NULL, 0));
  expect("espalier_agent_bytes", "the asset is null");
  espalier_agent_bytes(espalier_tree_at(&closed, 0));
  expect("espalier_agent_bytes", "the asset is not open");
  espalier_agent_bytes(espalier_tree_at(&guards, 1));
  expect("espalier_agent_bytes", "the asset has no tree of this index");
  espalier_run_limit(guard);
  expect("espalier_run_limit", "the tree is of another kind");

  /* Names and ids. */
  espalier_count(guard, (espalier_kind)15);
  expect("espalier_count", "there is no such kind of names");
  if (strcmp(espalier_name(guard, ESPALIER_SIGNALS, 2), "") != 0) ++failure_count;
  expect("espalier_name", "the id is not below its count");
  espalier_find(guard, ESPALIER_SIGNALS, NULL, &id);
  expect("espalier_find", "the name is null");
  espalier_set(guard, blocks, 2, true);
  expect("espalier_set", "the id is not below its count");
  espalier_signal(guard, blocks, 9, &host, NULL);
  expect("espalier_signal", "the id is not below its count");
  espalier_leaf_behavior(guard, 3);
  expect("espalier_leaf_behavior", "the tree has no such leaf");

  /* Blocks and hosts. */
  espalier_start(guard, NULL);
  expect("espalier_start", "the block is null");
  espalier_start(guard, (unsigned char*)blocks + 4);
  expect("espalier_start", "the block is not aligned");
  if (espalier_update(guard, blocks, NULL) != ESPALIER_ERROR) ++failure_count;
  expect("espalier_update", "the host is null");
  const espalier_host slanted = {.shared = (unsigned char*)blocks + 1};
  espalier_update(guard, blocks, &slanted);
  expect("espalier_update", "one of the host's blocks is not aligned");
  const espalier_host later = {.reserved = {blocks}};
  espalier_update(guard, blocks, &later);
  expect("espalier_update", "a reserved member of the host is not null");
  espalier_update_all(guard, blocks, 0, 2, &host);
  expect("espalier_update_all", "the stride is less than an agent");
  memset(blocks, 0x55, sizeof blocks);
  espalier_update(guard, blocks, &host);
  expect("espalier_update", "the block is not one of an agent of this tree");
  espalier_start(guard, blocks);
  memset((unsigned char*)blocks + espalier_agent_bytes(guard), 0x7F, 64);
  espalier_update(walker, blocks, &host);
  expect("espalier_update", "the block is not one of an agent of this tree");

  /* Prepared trees. */
  espalier_prepared prepared = {.tree = walker};
  const espalier_tree missing = {.asset = walker.asset, .index = 1000};
  espalier_prepare(missing, &prepared);
  expect("espalier_prepare", "the asset has no tree of this index");
  espalier_prepare(walker, &prepared);
  expect("", NULL);
  espalier_prepare(guard, NULL);
  expect("espalier_prepare", "the prepared tree is null");
  if (espalier_tables_bytes(walker) != 0) ++failure_count;
  espalier_make_tables(NULL, tables);
  expect("espalier_make_tables", "the prepared tree is null");
  espalier_make_tables(&prepared, tables);
  expect("espalier_make_tables", "the tree is of another kind");
  espalier_prepare(guard, &prepared);
  for (int with_tables = 0; with_tables < 2; ++with_tables) {
    espalier_start(guard, blocks);
    if (espalier_update_prepared(&prepared, blocks, &host) != ESPALIER_RUNNING) ++failure_count;
    espalier_update_all_prepared(&prepared, blocks, espalier_agent_bytes(guard), 1, &host);
    expect("", NULL);
    if (espalier_update_prepared(&prepared, blocks, NULL) != ESPALIER_ERROR) ++failure_count;
    expect("espalier_update_prepared", "the host is null");
    espalier_update_all_prepared(&prepared, blocks, 0, 2, &host);
    expect("espalier_update_all_prepared", "the stride is less than an agent");
    memset(blocks, 0x55, sizeof blocks);
    espalier_update_prepared(&prepared, blocks, &host);
    expect("espalier_update_prepared", "the block is not one of an agent of this tree");
    espalier_make_tables(&prepared, NULL);
    expect("espalier_make_tables", "the memory is null");
    espalier_make_tables(&prepared, (unsigned char*)tables + 4);
    expect("espalier_make_tables", "the memory is not aligned");
    if (espalier_tables_bytes(guard) == 0 || espalier_tables_bytes(guard) > sizeof tables) return EXIT_FAILURE;
    espalier_make_tables(&prepared, tables);
  }
  espalier_update_all_prepared(NULL, blocks, 0, 1, &host);
  expect("espalier_update_all_prepared", "the prepared tree is null");
  espalier_start(guard, blocks);

  /* Crowds. */
  static uint64_t memory[8192];
  unsigned char* const planes = (unsigned char*)memory + (64 - (uintptr_t)memory % 64) % 64;
  espalier_columns columns = {.tree = walker};
  if (espalier_columns_bytes(walker) != 0) ++failure_count;
  espalier_make_columns(guard, (unsigned char*)tables + 4, &columns);
  expect("espalier_make_columns", "the memory is not aligned");
  espalier_make_columns(guard, tables, NULL);
  expect("espalier_make_columns", "the columns are null");
  if (espalier_columns_bytes(guard) == 0 || espalier_columns_bytes(guard) > sizeof tables) return EXIT_FAILURE;
  espalier_make_columns(guard, tables, &columns);
  unsigned char* const work = planes + columns.block_bytes;
  if (columns.block_bytes + columns.work_bytes + 64 > sizeof memory) return EXIT_FAILURE;
  espalier_start_columns(&columns, planes + 8, 1);
  expect("espalier_start_columns", "the memory is not aligned");
  espalier_start_columns(&columns, planes, 1);
  espalier_update_columns(&columns, planes, 1, work);
  expect("", NULL);
  espalier_update_columns(NULL, planes, 1, work);
  expect("espalier_update_columns", "the columns are null");
  espalier_update_columns(&columns, planes, 1, NULL);
  expect("espalier_update_columns", "the memory is null");
  espalier_set_column(&columns, planes, 2, work);
  expect("espalier_set_column", "the id is not below its count");
  espalier_set_column(&columns, planes, 0, NULL);
  expect("espalier_set_column", "the bytes are null");
  espalier_column_leaves(&columns, planes, NULL);
  expect("espalier_column_leaves", "the leaves are null");
  espalier_store_columns(&columns, planes, blocks, 0, 2);
  expect("espalier_store_columns", "the stride is less than an agent");
  espalier_load_columns(&columns, planes, blocks, 0, 2);
  expect("espalier_load_columns", "the stride is less than an agent");

  /* Calls. */
  espalier_parameter_count(NULL);
  expect("espalier_parameter_count", "the call is null");
  espalier_call call = {.tree = walker, .node_word = UINT32_MAX};
  espalier_parameter_count(&call);
  expect("espalier_parameter_count", "the call is of no node");
  call.node_word = 0;
  espalier_parameter_at(&call, 100000);
  expect("espalier_parameter_at", "the node has no such parameter");
  return failure_count == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
