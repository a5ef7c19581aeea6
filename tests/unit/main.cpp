// The unit tests' main program. With ESPALIER_TEST_LOCALE set they run in the locale of the environment, as in a host
// that calls setlocale(): nothing in the libraries depends on it.
#ifdef ESPALIER_CATCH2_V3
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif
#ifdef ESPALIER_LARGE_STACK
#include <sys/resource.h>
#include <unistd.h>
#endif

#include <clocale>
#include <cstdlib>
#include <locale>

#include "source_folder.h"

std::filesystem::path source_folder() { return ESPALIER_SOURCE_FOLDER; }

#ifdef ESPALIER_LARGE_STACK
// Frames are several times as large with the sanitizer, and so is the stack: this program begins again with a larger one.
void grow_stack(char** words) {
  constexpr rlim_t kBytes = rlim_t{64} << 20;
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kBytes) return;
  stack.rlim_cur = kBytes;
  if (setrlimit(RLIMIT_STACK, &stack) == 0) execv("/proc/self/exe", words);
}
#endif

int main(int count, char** words) {
#ifdef ESPALIER_LARGE_STACK
  grow_stack(words);
#endif
  if (std::getenv("ESPALIER_TEST_LOCALE") != nullptr) {
    if (std::setlocale(LC_ALL, "") == nullptr) return EXIT_FAILURE;
    std::locale::global(std::locale(""));
  }
  return Catch::Session().run(count, words);
}
