// Files with a new text. See rewritten_files.h.
#include "cli/rewritten_files.h"

#include <iostream>

#include "report/output_form.h"
#include "rewrite/unified_diff.h"
#include "system/output_files.h"

namespace espalier::cli {

int write_rewritten(const std::vector<rewrite::RewrittenFile>& files) {
  system::Outputs outputs;
  for (const rewrite::RewrittenFile& file : files) outputs.files.push_back({file.path, file.bytes, file.bytes_before});
  system::OutputFault fault;
  return system::write_files(outputs, &fault) ? kOk : fail(fault.message, fault.hint);
}

void print_diffs(const std::vector<rewrite::RewrittenFile>& files, const CommonOptions& common) {
  const bool has_color = use_color(common, system::Stream::output);
  const report::FormScope form(std::cout, has_color ? report::OutputForm::colored : report::OutputForm::text);
  for (const rewrite::RewrittenFile& file : files) {
    std::cout << rewrite::unified_diff(file.path, file.before, file.after, has_color);
  }
  std::cout << std::flush;
}

}  // namespace espalier::cli
