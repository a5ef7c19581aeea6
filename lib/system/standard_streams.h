// Standard input, output and error, and the terminal that they may be.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::system {

enum class Stream : std::uint8_t { input, output, errors };

// At the beginning of main(): streams that the caller has closed are opened, as the next file would get their place
// and be overwritten; what is written comes out byte by byte as it is; to write to a closed pipe is an error like
// others. Returns the words of the command line, in UTF-8.
std::vector<std::string> begin_program(int count, const char* const* words);

bool is_terminal(Stream stream);
// Does the terminal show control sequences as text?
bool is_dumb_terminal();
// Columns of the terminal that standard output is; 0: it is none.
std::size_t terminal_width();

// Past the buffers of C++, and safe in a handler of signals. False: errno says why.
bool write_directly(Stream stream, std::string_view bytes);
// Has the reader of standard output, which is a pipe, closed it?
bool has_reader_left();

}  // namespace espalier::system
