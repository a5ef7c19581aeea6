// The unit tests' main program. With ESPALIER_TEST_LOCALE set they run in the locale of the environment, as in a host
// that calls setlocale(): nothing in the libraries depends on it.
#ifdef ESPALIER_CATCH2_V3
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif
#include <clocale>
#include <cstdlib>
#include <locale>

#include "source_folder.h"

std::filesystem::path source_folder() { return ESPALIER_SOURCE_FOLDER; }

int main(int count, char** words) {
  if (std::getenv("ESPALIER_TEST_LOCALE") != nullptr) {
    if (std::setlocale(LC_ALL, "") == nullptr) return EXIT_FAILURE;
    std::locale::global(std::locale(""));
  }
  return Catch::Session().run(count, words);
}
