// Offsets, lines and columns.
#include "text/source.h"
#include "unit.h"

namespace text_places {

using namespace espalier::text;

TEST_CASE("a place has a line and a column, both from 1, the column in bytes") {
  const Source source("a.xml", "one\n\xC3\xA9x\n\nlast");
  struct {
    std::uint32_t offset, line, column;
  } const cases[] = {{0, 1, 1}, {2, 1, 3}, {3, 1, 4}, {4, 2, 1}, {6, 2, 3}, {8, 3, 1}, {9, 4, 1}, {13, 4, 5}};
  for (const auto& expected : cases) {
    INFO("offset " << expected.offset);
    CHECK(source.position(expected.offset).line == expected.line);
    CHECK(source.position(expected.offset).column == expected.column);
  }
}

TEST_CASE("a place past the end is the end") {
  const Source source("a.xml", "one\ntwo");
  CHECK(source.position(4000).line == 2);
  CHECK(source.position(4000).column == 4);
  CHECK(Source("empty.xml", "").position(7).line == 1);
  CHECK(Source("empty.xml", "").position(7).column == 1);
}

TEST_CASE("lines end with LF, CR LF or CR, and are shown without it") {
  const Source source("a.xml", "unix\nwindows\r\nmac\rlast");
  CHECK(source.line(0) == "");
  CHECK(source.line(1) == "unix");
  CHECK(source.line(2) == "windows");
  CHECK(source.line(3) == "mac");
  CHECK(source.line(4) == "last");
  CHECK(source.line(5) == "");
  CHECK(source.position(5).line == 2);
  CHECK(source.position(13).line == 2);  // the LF of a CR LF belongs to the line it ends
  CHECK(source.position(14).line == 3);
  CHECK(source.position(18).line == 4);
}

TEST_CASE("lines begin after each end of a line, in all short texts") {
  constexpr std::uint32_t kLength = 6;
  constexpr char kBytes[] = {'a', '\n', '\r'};
  for (std::uint32_t number = 0; number < 729; ++number) {
    std::string text;
    for (std::uint32_t rest = number; text.size() < kLength; rest /= 3) text += kBytes[rest % 3];
    const Source source("a.xml", text);
    std::uint32_t line = 1;
    for (std::uint32_t i = 0; i < kLength; ++i) {
      CAPTURE(text);
      CHECK(source.position(i).line == line);
      if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == kLength || text[i + 1] != '\n'))) ++line;
    }
  }
}

TEST_CASE("files keep their number and their place in memory") {
  Sources sources;
  const FileId first = sources.add("first.xml", "1");
  const Source* const place = &sources[first];
  for (int i = 0; i < 1000; ++i) sources.add("more.xml", "2");
  CHECK(&sources[first] == place);
  CHECK(sources[first].path() == "first.xml");
  CHECK(sources.size() == 1001);
}

}  // namespace text_places
