// All output to terminals, logs and other programs passes through here, so that no control character or hidden
// character from any input reaches them. A GuardedOutput replaces a stream's buffer. Code that writes anything but
// plain text declares the form with a FormScope; hidden characters are then escaped as that form requires.
//
//   GuardedOutput guarded(std::cout);          // in main()
//   FormScope form(out, OutputForm::json);     // in what writes JSON to any stream
//
// Line feeds and tabs pass unchanged. Invalid UTF-8 becomes U+FFFD. Whatever files and trees are called, no line for
// people begins with "::", and nothing but pages and pictures has "##[" or "##vso[": the runners of GitHub and of Azure
// take such parts of a log for commands.
#pragma once
#include <cstdint>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace espalier::report {

enum class OutputForm : std::uint8_t {
  text,      // <U+001B>
  colored,   // the same, but colours pass ("\x1b[1;31m"), and links: the writer makes other text visible() before it
             // adds them
  document,  // the same as text, for other programs: pages, pictures, commands to GitHub's runner
  json,      // \u001b, which a JSON reader decodes to the same character
  xml,       // &#x9B;, or U+FFFD for characters that XML does not allow
};

// Between these is the address of a link of a terminal (OSC 8), of characters of ASCII without blanks; without an
// address they end it.
inline constexpr std::string_view kLinkBegin = "\x1b]8;;";
inline constexpr std::string_view kLinkEnd = "\x1b\\";

class GuardedOutput : public std::streambuf {
 public:
  // Replaces the buffer of `out` for the lifetime of this object.
  explicit GuardedOutput(std::ostream& out);
  ~GuardedOutput() override;
  GuardedOutput(const GuardedOutput&) = delete;
  GuardedOutput& operator=(const GuardedOutput&) = delete;

 protected:
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;
  int_type overflow(int_type byte) override;
  int sync() override;

 private:
  friend class FormScope;
  friend void write_unguarded(std::ostream& out, std::string_view bytes);
  friend std::uint64_t written_bytes(const std::ostream& out);
  enum class LineStart : std::uint8_t { blank, after_colon, past };
  bool write(std::string_view bytes, bool is_end);
  bool send(std::string_view bytes);
  std::string_view escaped(char c) const;
  bool ends_command(std::string_view before) const;
  void append_escaped(std::string& result, char32_t code, bool is_valid) const;

  std::ostream& out_;
  std::streambuf* target_;
  OutputForm form_ = OutputForm::text;
  std::string pending_;                      // the beginning of a character or a colour whose end is not written yet
  LineStart line_start_ = LineStart::blank;  // what the current line has so far
  std::string tail_;                         // the last bytes that were sent
  std::uint64_t written_bytes_ = 0;
};

// Declares the form of everything written to `out` during the lifetime of this object. No effect on streams that are
// not guarded.
class FormScope {
 public:
  FormScope(std::ostream& out, OutputForm form);
  ~FormScope();
  FormScope(const FormScope&) = delete;
  FormScope& operator=(const FormScope&) = delete;

 private:
  GuardedOutput* guarded_;
  OutputForm before_ = OutputForm::text;
};

// How much was written to `out` so far; 0 if it is not guarded.
std::uint64_t written_bytes(const std::ostream& out);

// For the program's own control sequences for a terminal, such as the beginning of its progress bar. Must not be used
// for text from outside, but for messages of the language server, whose JSON a client decodes.
void write_unguarded(std::ostream& out, std::string_view bytes);

}  // namespace espalier::report
