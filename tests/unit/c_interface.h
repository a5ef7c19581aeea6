/* What the tests of the C interface share. */
#ifndef ESPALIER_TESTS_C_INTERFACE_H
#define ESPALIER_TESTS_C_INTERFACE_H

#include <espalier/espalier.h>

/* Tells a sentence that does not hold, and counts it. */
void check(bool holds, const char* sentence);

/* What the host's functions were called with, as text. */
typedef struct journal {
  char text[512];
  espalier_call last;
} journal;

void write_entry(journal* entries, const char* what, const char* name);
/* Compares what was written since the last time. */
bool journal_is(journal* entries, const char* expected);

/* Trees that tick, in the asset of c_interface_ticking. */
void trees_that_tick(const espalier_asset* asset);

/* Trees of rules, in the asset of c_interface_rules. */
void trees_of_rules(const espalier_asset* asset);

/* Trees of deciders, in the asset of c_interface_deciders. */
void trees_of_deciders(const espalier_asset* asset);

/* Trees that store their results, in the asset of c_interface_store. */
void trees_that_store(const espalier_asset* asset);

/* Behaviours with times, in the asset of c_interface_times. */
void trees_with_times(const espalier_asset* asset);

#endif
