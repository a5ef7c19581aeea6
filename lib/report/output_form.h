// The one way out to terminals, logs and other programs: what a terminal would obey or hide never gets there, wherever
// it comes from. A GuardedOutput stands before a stream's own buffer; whoever writes a form other than plain text says
// so with a FormScope, and then hidden characters are spelt in the way of that form.
//
//   GuardedOutput guarded(std::cout);          // in main()
//   FormScope form(out, OutputForm::json);     // in what writes JSON to any stream
//
// Line feeds and tabs pass. Bytes that are not UTF-8 become U+FFFD.
#pragma once
#include <cstdint>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace espalier::report {

enum class OutputForm : std::uint8_t {
  text,     // <U+001B>
  colored,  // the same, but colours pass ("\x1b[1;31m"): the writer makes all else visible() before it adds them
  json,     // \u001b, which means the same to who reads it
  xml,      // &#x9B;, or U+FFFD where XML has no such character
};

class GuardedOutput : public std::streambuf {
 public:
  // Takes the place of the buffer of `out`, until the end of this object.
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
  bool write(std::string_view bytes, bool is_end);
  void append_escaped(std::string& result, char32_t code, bool is_valid) const;

  std::ostream& out_;
  std::streambuf* target_;
  OutputForm form_ = OutputForm::text;
  std::string pending_;  // the beginning of a character or a colour, whose end is not written yet
};

// What is written to `out` is of this form, as long as this object lives. For streams that are not guarded it is the
// same as nothing.
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

// For what the program itself has to say to a terminal, such as where its progress bar begins. Never with text from
// outside.
void write_unguarded(std::ostream& out, std::string_view bytes);

}  // namespace espalier::report
