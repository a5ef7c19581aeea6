// Line coverage. See lcov.h.
#include "report/lcov.h"

namespace espalier::report {

LcovWriter::LcovWriter(std::string_view file) : file_(file) {}

void LcovWriter::add(std::uint32_t line, bool is_hit, const std::vector<bool>& branches) {
  const std::string number = std::to_string(line);
  for (std::size_t i = 0; i < branches.size(); ++i) {
    // "-": the line was never executed.
    const char* const count = branches[i] ? "1" : is_hit ? "0" : "-";
    branches_ += "BRDA:" + number + ",0," + std::to_string(i) + ',' + count + '\n';
    taken_count_ += branches[i] ? 1 : 0;
  }
  branch_count_ += branches.size();
  lines_ += "DA:" + number + (is_hit ? ",1\n" : ",0\n");
  ++line_count_;
  hit_count_ += is_hit ? 1 : 0;
}

std::string LcovWriter::text() const {
  std::string text = "TN:\nSF:" + file_ + '\n' + branches_;
  if (branch_count_ > 0) {
    text += "BRF:" + std::to_string(branch_count_) + "\nBRH:" + std::to_string(taken_count_) + '\n';
  }
  return text + lines_ + "LF:" + std::to_string(line_count_) + "\nLH:" + std::to_string(hit_count_) +
         "\nend_of_record\n";
}

}  // namespace espalier::report
