/* A checked build, for debugging: built with ESPALIER_CHECK (a CMake option), the functions of the interface test their
   arguments first: null pointers, trees, ids below their counts, alignment; and before an update, stop, restore and
   move, that the block can belong to an agent of its tree. A misuse is reported. If the handler returns, the function
   does nothing and returns 0, null values, "none" or a status that is not ESPALIER_OK; an update ESPALIER_ERROR. In
   other builds nothing is tested, and the handler is never called. */
#ifndef ESPALIER_CHECKING_H
#define ESPALIER_CHECKING_H

#include "espalier.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Sets the handler for misuse, which any thread may call: with the function's name, and what is wrong with which
   argument. Null, the default: one line on stderr, and abort(). Set it before other functions are used. */
void espalier_set_misuse(void (*misuse)(const char* function, const char* what));

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
