// The unit tests' main program. Catch2 3 brings its own.
#ifndef ESPALIER_CATCH2_V3
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
