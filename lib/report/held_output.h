// What a run writes to standard output and standard error, in order, until it is known whether it is shown.
#pragma once
#include <cstddef>
#include <iostream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "report/output_form.h"

namespace espalier::report {

// While it exists, nothing is written.
class HeldOutput {
 public:
  HeldOutput() : output_(std::cout, parts_), errors_(std::cerr, parts_) {}

  struct Part {
    std::ostream& out;
    std::string bytes;
  };

  // The parts so far.
  std::vector<Part> take() {
    output_.stream.flush();
    errors_.stream.flush();
    return std::exchange(parts_, {});
  }

 private:
  class Buffer : public std::streambuf {
   public:
    Buffer(std::ostream& out, std::vector<Part>& parts) : out_(out), parts_(parts), before_(out.rdbuf(this)) {}
    ~Buffer() override { out_.rdbuf(before_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

   protected:
    std::streamsize xsputn(const char* bytes, std::streamsize count) override {
      if (parts_.empty() || &parts_.back().out != &out_) parts_.push_back({out_, {}});
      parts_.back().bytes.append(bytes, static_cast<std::size_t>(count));
      return count;
    }
    int_type overflow(int_type byte) override {
      const char letter = traits_type::to_char_type(byte);
      xsputn(&letter, 1);
      return byte;
    }

   private:
    std::ostream& out_;
    std::vector<Part>& parts_;
    std::streambuf* before_;
  };

  struct Held {
    Held(std::ostream& out, std::vector<Part>& parts) : stream(out), buffer(out, parts), guarded(out) {}
    std::ostream& stream;
    Buffer buffer;
    GuardedOutput guarded;
  };

  std::vector<Part> parts_;
  Held output_;
  Held errors_;
};

}  // namespace espalier::report
