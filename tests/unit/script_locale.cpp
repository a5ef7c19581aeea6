// Scripts mean the same in every locale. These are run in one that differs, too: tests/CMakeLists.txt.
#include "script_machine.h"
#include "unit.h"

namespace script_locale {

using namespace espalier::test;

TEST_CASE("scripts read, write, order and classify the same in every locale", "[locale]") {
  for (const char* script : {
           "return tostring(0.5) == '0.5'",
           "return 'is ' .. 1.25 == 'is 1.25'",
           "return '0.5' + 1 == 1.5 and tonumber('2.5') == 2.5",
           "return tonumber('0,5') == nil",
           "return string.format('%.2f %g', 1234.5, 0.5) == '1234.50 0.5'",
           "return load('return 0.5')() == 1 / 2",
           "return ('I'):lower() == 'i' and ('i'):upper() == 'I'",
           "return ('\\xFD'):upper() == '\\xFD'",
           "return ('\\xE7'):match('%a') == nil and ('\\xE7'):match('%W') ~= nil and ('\\xA0'):match('%s') == nil",
           "return 'z' < '\\xE7' and 'Z' < 'a'",
       }) {
    CAPTURE(script);
    CHECK(told(run_alone(script)) == "true");
  }
}

}  // namespace script_locale
