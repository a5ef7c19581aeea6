// Catch2, version 2 or 3, and helpers for tests that run in any locale.
#pragma once
#ifdef ESPALIER_CATCH2_V3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <charconv>
#include <cstdlib>
#include <string>

// Of tests that take minutes: the usual run takes every 16th place or a 16th of the rounds, ESPALIER_ALL_TESTS all.
inline int usual_stride() { return std::getenv("ESPALIER_ALL_TESTS") == nullptr ? 16 : 1; }

// Rounds of tests with random input that builds without sanitizers run whole: those with them take a quarter,
// ESPALIER_ALL_TESTS all.
template <typename Number>
Number rounds_of(Number all) {
#ifdef ESPALIER_TESTS_SANITIZED
  return usual_stride() == 1 ? all : all / 4;
#else
  return all;
#endif
}

// Six digits after a point.
inline std::string decimal(double number) {
  char text[400];
  return {text, std::to_chars(text, text + sizeof text, number, std::chars_format::fixed, 6).ptr};
}
