/* A checked build, for debugging: made with ESPALIER_CHECK (a CMake option), each function of the interface tests its
   arguments first: null pointers, trees, ids below their counts, alignment, and before an update, a stop and a move
   that the block can be one of an agent of its tree. What is wrong is told, and the function does nothing and returns 0
   (an update ESPALIER_ERROR). In other builds nothing is tested. */
#ifndef ESPALIER_CHECKING_H
#define ESPALIER_CHECKING_H

#include "espalier.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Told of each misuse, from any thread: the function's name, and what is wrong with which argument. Null, as at first:
   one line on stderr, and abort(). To be set before other functions are used. */
void espalier_set_misuse(void (*misuse)(const char* function, const char* what));

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
