// Opening an asset (hash and verification) against copying its bytes, and compiling a project from its text against
// only parsing that text with pugixml.
#include <cstdio>
#include <cstring>
#include <pugixml.hpp>

#include "bench.h"
#include "runtime/asset/hash.h"
#include "runtime/asset/view.h"

namespace bench {
namespace {

struct Reading {
  std::string xml;
  Compiled compiled;
  std::vector<std::uint64_t> copy;
};

// Repeats the first tree of the benchmarks under other names until the text has `size_bytes`.
std::string make_project(std::size_t size_bytes) {
  const std::string tree = kFloorTrees[0].xml;
  const std::size_t name = tree.find('"') + 1;
  std::string text = "<SelectionTrees>\n";
  for (int i = 0; text.size() < size_bytes; ++i) {
    text.append(tree, 0, name).append("T" + std::to_string(i) + "-").append(tree, name);
  }
  return text + "</SelectionTrees>\n";
}

double open_asset(void* data) {
  const Reading& reading = *static_cast<Reading*>(data);
  espalier::Asset asset;
  const Clock::time_point begin = Clock::now();
  const espalier::Status status = espalier::open(reading.compiled.words.data(), reading.compiled.size_bytes, &asset);
  benchmark::DoNotOptimize(status);
  return seconds_since(begin);
}

double hash_asset(void* data) {
  const Reading& reading = *static_cast<Reading*>(data);
  const Clock::time_point begin = Clock::now();
  benchmark::DoNotOptimize(espalier::asset_hash(reading.compiled.words.data(), reading.compiled.size_bytes));
  return seconds_since(begin);
}

double copy_asset(void* data) {
  Reading& reading = *static_cast<Reading*>(data);
  const Clock::time_point begin = Clock::now();
  std::memcpy(reading.copy.data(), reading.compiled.words.data(), reading.compiled.size_bytes);
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

double compile_project(void* data) {
  const Reading& reading = *static_cast<Reading*>(data);
  Compiled compiled;
  const Clock::time_point begin = Clock::now();
  compile(reading.xml, compiled);
  return seconds_since(begin);
}

double parse_project(void* data) {
  const Reading& reading = *static_cast<Reading*>(data);
  const Clock::time_point begin = Clock::now();
  pugi::xml_document document;
  benchmark::DoNotOptimize(document.load_buffer(reading.xml.data(), reading.xml.size()));
  return seconds_since(begin);
}

std::uint32_t node_count(const Compiled& compiled) {
  std::uint32_t count = 0;
  const auto units = espalier::records<espalier::layout::Unit>(compiled.asset, espalier::layout::SectionId::units);
  for (std::uint32_t i = 0; i < espalier::record_count(compiled.asset, espalier::layout::SectionId::units); ++i)
    count += units[i].node_count;
  return count;
}

}  // namespace

bool add_reading(bool quick) {
  static Reading reading;
  const std::size_t size_bytes = quick ? 200'000 : 50'000'000;
  reading.xml = make_project(size_bytes);
  compile(reading.xml, reading.compiled);
  reading.copy.resize(reading.compiled.words.size());
  const std::uint32_t nodes = node_count(reading.compiled);
  std::printf("project      %zu bytes of XML, %u trees, %u nodes, %zu bytes of asset\n", reading.xml.size(),
              espalier::tree_count(reading.compiled.asset), nodes, reading.compiled.size_bytes);
  add_row("open an asset", "byte", reading.compiled.size_bytes, open_asset, copy_asset, &reading);
  add_row("open an asset, hashing alone", "byte", reading.compiled.size_bytes, hash_asset, copy_asset, &reading);
  add_row("open an asset, by nodes", "node", nodes, open_asset, copy_asset, &reading);
  add_row("compile a project", "byte", reading.xml.size(), compile_project, parse_project, &reading);
  return true;
}

}  // namespace bench
