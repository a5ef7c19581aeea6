// Runs another program. See run_program.h.
#include "system/run_program.h"

#include <utility>

#include "system/output_files.h"
#include "system/read_file.h"

namespace espalier::system {

std::optional<ProgramResult> run_program(std::vector<std::string> words, std::vector<std::string> variables,
                                         const std::string& input, const std::string& folder, std::string* reason) {
  const std::string program = words.front();
  const std::string in = folder + "/in";
  const std::string out = folder + "/out";
  const std::string errors = folder + "/errors";
  OutputFault fault;
  if (!write_files({{{in, input}}}, &fault)) {
    *reason = fault.message;
    return std::nullopt;
  }
  const std::optional<int> status = run_with_files(std::move(words), std::move(variables), in, out, errors, reason);
  if (!status) return std::nullopt;
  ProgramResult result;
  result.status = *status;
  if (!read_bytes(out, kMaxOutputBytes, result.output, *reason) ||
      !read_bytes(errors, kMaxOutputBytes, result.errors, *reason)) {
    *reason = "cannot read what " + program + " writes: " + *reason;
    return std::nullopt;
  }
  return result;
}

}  // namespace espalier::system
