// The benchmarks: how the runtime and the compiler compare with the least possible cost of the work, measured in the
// same run.
//
//   espalier_bench             all of it, some minutes
//   espalier_bench --quick     small inputs, seconds: shows that it still works and that both sides agree, not how fast
//                              it is
//   espalier_bench --json      the rows as JSON, for table.py
//   espalier_bench --count     below callgrind: each side of each row runs once, for counts.py
//   espalier_bench --parse FILE...        the seconds that pugixml needs to parse the files and keep them
//   espalier_bench --update FILE AGENTS   the nanoseconds of one agent's update in a batch of so many
//
// Other options are those of Google Benchmark. Only wrong results fail, never times.
#include "bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <pugixml.hpp>

#include "codegen/compile.h"
#include "dialects/dialect.h"
#include "ir/poll/expand.h"
#include "text/xml.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

namespace bench {

Clock::time_point Clock::now() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  std::timespec time = {};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }
#endif
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::uint64_t Random::next() {
  state += 0x9E3779B97F4A7C15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

std::uint32_t Random::below(std::uint32_t count) {
  return static_cast<std::uint32_t>(((next() >> 32) * std::uint64_t{count}) >> 32);
}

void compile(std::string_view xml, Compiled& compiled) {
  espalier::text::Sources sources;
  espalier::text::Findings findings;
  const auto document = espalier::text::XmlDocument::parse("bench.xml", xml, sources, findings);
  espalier::ir::Project project;
  if (document) {
    const espalier::dialects::File file = {document.get(), "bench"};
    for (const espalier::dialects::Dialect& dialect : espalier::dialects::all()) {
      if (dialect.owns(document->root().name())) dialect.read({&file, 1}, {}, project, findings);
    }
    espalier::ir::poll::expand(project, [](const espalier::ir::poll::WrittenTree&) { return false; });
    compiled.words = espalier::codegen::compile(project, sources, {}, findings, &compiled.size_bytes);
  }
  for (const auto& finding : findings.all()) {
    if (finding.severity == espalier::rules::Severity::error) std::fprintf(stderr, "%s\n", finding.message.c_str());
  }
  if (!compiled.words.empty() &&
      espalier::open(compiled.words.data(), compiled.size_bytes, &compiled.asset) == espalier::Status::ok) {
    return;
  }
  std::fprintf(stderr, "a generated tree does not compile\n");
  std::exit(EXIT_FAILURE);
}

namespace {

// The data of a row other than its times, looked up by the row's name.
struct Row {
  std::string what;
  std::string unit;
  std::size_t item_count;
  double (*measured)(void*);
  double (*floor)(void*);
  void* data;
  std::string group = {};
  std::vector<double> measured_ns = {};  // per item, one per repetition
  std::vector<double> floor_ns = {};
};

std::vector<Row>& rows() {
  static std::vector<Row> all;
  return all;
}

// Of several repetitions: whatever else the machine does only adds to it.
double least(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
}

// Records the time of each repetition for our table, which replaces Google Benchmark's.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.iterations == 0) continue;
      for (Row& row : rows()) {
        const double ns =
            run.real_accumulated_time * 1e9 / static_cast<double>(run.iterations) / static_cast<double>(row.item_count);
        if (run.run_name.function_name == row.what + "/espalier") row.measured_ns.push_back(ns);
        if (run.run_name.function_name == row.what + "/floor") row.floor_ns.push_back(ns);
      }
    }
  }
};

void print_table() {
  std::printf("\n%-44s %-10s %12s %12s %8s\n", "what", "per", "ns", "floor ns", "ratio");
  std::map<std::string, std::vector<double>> ratios;  // of groups
  for (const Row& row : rows()) {
    const double measured = least(row.measured_ns);
    const double floor = least(row.floor_ns);
    if (measured == 0 || floor == 0) continue;  // left out by a filter
    std::printf("%-44s %-10s %12.3f %12.3f %8.2f\n", row.what.c_str(), row.unit.c_str(), measured, floor,
                measured / floor);
    if (!row.group.empty()) ratios[row.group].push_back(measured / floor);
  }
  for (const auto& [group, each] : ratios) {
    double sum = 0;
    for (const double ratio : each) sum += std::log(ratio);
    std::printf("%-44s geometric mean of %zu ratios %26.2f\n", group.c_str(), each.size(),
                std::exp(sum / static_cast<double>(each.size())));
  }
}

// One object a line.
void print_json() {
  for (const Row& row : rows()) {
    const double measured = least(row.measured_ns);
    const double floor = least(row.floor_ns);
    if (measured == 0 || floor == 0) continue;
    std::printf("{\"row\": \"%s\", \"per\": \"%s\", \"ns\": %.6g, \"floor_ns\": %.6g}\n", row.what.c_str(),
                row.unit.c_str(), measured, floor);
  }
}

// Callgrind writes a file of counts for each side of each row, in the order of what is printed here; see counts.py.
bool count_instructions() {
#ifdef CALLGRIND_START_INSTRUMENTATION
  std::printf("build %s\n", ESPALIER_BENCH_BUILD);
  for (const Row& row : rows()) {
    std::printf("items %zu %s\n", row.item_count, row.what.c_str());
    for (double (*const run)(void*) : {row.measured, row.floor}) {
      CALLGRIND_START_INSTRUMENTATION;
      (void)run(row.data);
      CALLGRIND_STOP_INSTRUMENTATION;
      CALLGRIND_DUMP_STATS;
    }
  }
  return true;
#else
  std::fprintf(stderr, "built without the headers of valgrind\n");
  return false;
#endif
}

// The floor of everything that reads XML.
bool parse_files(char** begin, char** end) {
  std::vector<pugi::xml_document> documents(static_cast<std::size_t>(end - begin));
  std::vector<std::string> texts;
  std::size_t bytes = 0;
  for (char** name = begin; name != end; ++name) {
    std::ifstream file(*name, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    bytes += texts.back().size();
  }
  const Clock::time_point start = Clock::now();
  bool is_read = true;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    is_read = documents[i].load_buffer(texts[i].data(), texts[i].size()) && is_read;
  }
  const double seconds = seconds_since(start);
  std::printf("{\"bytes\": %zu, \"seconds\": %.6f}\n", bytes, seconds);
  return is_read;
}

}  // namespace

void add_row(const std::string& what, const std::string& unit, std::size_t item_count, double (*measured)(void*),
             double (*floor)(void*), void* data, const std::string& group) {
  rows().push_back({what, unit, item_count, measured, floor, data, group});
  const auto add_side = [&](const char* side, double (*run)(void*)) {
    benchmark::RegisterBenchmark((what + side).c_str(),
                                 [run, data](benchmark::State& state) {
                                   for ([[maybe_unused]] auto unused : state) state.SetIterationTime(run(data));
                                 })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  };
  add_side("/espalier", measured);
  add_side("/floor", floor);
}

}  // namespace bench

int main(int argument_count, char** arguments) {
  if (argument_count > 1 && std::strcmp(arguments[1], "--parse") == 0) {
    return bench::parse_files(arguments + 2, arguments + argument_count) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  if (argument_count == 4 && std::strcmp(arguments[1], "--update") == 0) {
    std::printf("%.3f\n", bench::update_ns(arguments[2], std::strtoul(arguments[3], nullptr, 10)));
    return EXIT_SUCCESS;
  }
  bool quick = false;
  bool as_json = false;
  bool counts = false;
  std::vector<char*> passed_on;
  for (int i = 0; i < argument_count; ++i) {
    const std::string_view word = arguments[i];
    if (word == "--quick") {
      quick = true;
    } else if (word == "--json") {
      as_json = true;
    } else if (word == "--count") {
      quick = counts = true;
    } else {
      passed_on.push_back(arguments[i]);
    }
  }
  // Many short runs: resetting agents costs more than the measured work, and is not counted.
  static char min_time[] = "--benchmark_min_time=0.02";
  static char repetitions[] = "--benchmark_repetitions=7";
  static char quick_time[] = "--benchmark_min_time=0.001";
  const std::vector<char*> ours = quick ? std::vector<char*>{quick_time} : std::vector<char*>{min_time, repetitions};
  passed_on.insert(passed_on.begin() + 1, ours.begin(), ours.end());
  int count = static_cast<int>(passed_on.size());
  benchmark::Initialize(&count, passed_on.data());
  if (benchmark::ReportUnrecognizedArguments(count, passed_on.data())) return 2;
  if (!bench::add_selecting(quick) || !bench::add_crowds(quick) || !bench::add_ticking(quick) ||
      !bench::add_deciding(quick) || !bench::add_storing(quick) || !bench::add_rules(quick) ||
      !bench::add_polling(quick) || !bench::add_recording(quick)) {
    return EXIT_FAILURE;
  }
  if (counts) return bench::count_instructions() ? EXIT_SUCCESS : EXIT_FAILURE;
  if (!bench::add_reading(quick)) return EXIT_FAILURE;
  bench::Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  if (as_json) {
    bench::print_json();
  } else {
    bench::print_table();
    if (quick) std::printf("\nThese are the times of --quick, which say nothing about speed.\n");
  }
  return EXIT_SUCCESS;
}
