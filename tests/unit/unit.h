// Catch2, version 2 or 3.
#pragma once
#ifdef ESPALIER_CATCH2_V3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
