// Any bytes as a log, in each format.
#include "fuzz.h"
#include "live/formats/log.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  using namespace espalier::live;
  const LogFile file = read_log({reinterpret_cast<const char*>(data), size_bytes}, {});
  for (const Log& run : file.runs) {
    for (const Change& change : run.changes) fuzz::require(change.name <= run.names.size());
  }
  return 0;
}
