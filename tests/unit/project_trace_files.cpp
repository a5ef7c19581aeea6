// Files of traces: their names, and how they are opened.
#include "project/trace_files.h"
#include "temporary_folder.h"
#include "unit.h"

namespace project_trace_files {

using namespace espalier;

TEST_CASE("names of traces have plain letters and are unique, also on systems without case") {
  project::TraceNames names("out/");
  CHECK(names.next("Guard: enter 'Idle'") == "out/Guard-enter-Idle.trace.jsonl");
  CHECK(names.next("guard enter idle") == "out/guard-enter-idle-2.trace.jsonl");
  CHECK(names.next("..hidden") == "out/hidden.trace.jsonl");
  CHECK(names.next("\xc3\xa4") == "out/trace.trace.jsonl");
  CHECK(names.next(std::string(200, 'a')).size() == std::string("out/.trace.jsonl").size() + 100);
}

TEST_CASE("a trace that cannot be opened has a reason") {
  const TemporaryFolder folder;
  folder.write("a.trace.jsonl", "{\"trace\": 1}\n");
  std::string error;
  const auto trace = project::open_trace("a.trace.jsonl", true, &error);
  REQUIRE(trace);
  std::string line;
  CHECK(std::getline(*trace, line));
  CHECK(project::open_trace("b.trace.jsonl", false, &error) == nullptr);
  CHECK(error == "cannot read the trace 'b.trace.jsonl': No such file or directory");
}

}  // namespace project_trace_files
