// Pictures as PNG and PDF: SVG that librsvg paints, where espalier was built with it and it is there.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::report {

// False: the library is not there, or was not when espalier was built.
bool can_paint();

enum class Paper : std::uint8_t {
  png,         // two pixels for each of the picture's, fewer if it would be too large
  one_page,    // PDF, whose page is as large as the picture
  many_pages,  // PDF of A4 pages, beside and below each other
};
// The bytes of the file; empty: it cannot be painted.
std::string painted(std::string_view svg, Paper paper);

}  // namespace espalier::report
