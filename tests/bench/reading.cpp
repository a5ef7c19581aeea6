// Opening an asset (hash and verification) against copying its bytes; checking that a text is well-formed, and
// compiling a project from its text, each against only parsing that text with pugixml.
#include <cstdio>
#include <cstring>
#include <pugixml.hpp>

#include "bench.h"
#include "runtime/asset/hash.h"
#include "runtime/asset/view.h"
#include "text/scan.h"

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

// Leaves with twelve attributes each.
std::string make_attributes(std::size_t size_bytes) {
  constexpr const char* kNames[] = {"name", "type",  "cond", "from", "to",     "value",
                                    "min",  "timer", "max",  "tag",  "policy", "node"};
  constexpr const char* kValues[] = {"Idle", "AttackFromCover", "0.5", "true", "Alert and not Hidden"};
  Random random;
  std::string text = "<SelectionTrees>\n";
  while (text.size() < size_bytes) {
    text += "  <Leaf";
    for (const char* const name : kNames) {
      text.append(" ").append(name).append("=\"").append(kValues[random.below(5)]);
      text.append(std::to_string(random.below(100))).append("\"");
    }
    text += "/>\n";
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

double scan_text(void* data) {
  const std::string& text = *static_cast<std::string*>(data);
  const Clock::time_point begin = Clock::now();
  const espalier::text::Scan scan = espalier::text::scan(text, 0, false);
  benchmark::DoNotOptimize(scan.items.data());
  return seconds_since(begin);
}

double parse_text(void* data) {
  const std::string& text = *static_cast<std::string*>(data);
  const Clock::time_point begin = Clock::now();
  pugi::xml_document document;
  benchmark::DoNotOptimize(document.load_buffer(text.data(), text.size()));
  return seconds_since(begin);
}

double parse_project(void* data) { return parse_text(&static_cast<Reading*>(data)->xml); }

// Both accept the text and find the same number of elements.
bool agree(const std::string& text) {
  struct Counter : pugi::xml_tree_walker {
    std::size_t count = 0;
    bool for_each(pugi::xml_node& node) override {
      count += node.type() == pugi::node_element ? 1 : 0;
      return true;
    }
  } counter;
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size())) return false;
  document.traverse(counter);
  const espalier::text::Scan scan = espalier::text::scan(text, 0, false);
  return scan.faults.empty() && scan.items.size() == counter.count;
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
  static std::string attributes = make_attributes(size_bytes);
  if (!agree(reading.xml) || !agree(attributes)) return false;
  add_row("scan plain trees", "byte", reading.xml.size(), scan_text, parse_text, &reading.xml);
  add_row("scan many attributes", "byte", attributes.size(), scan_text, parse_text, &attributes);
  add_row("compile a project", "byte", reading.xml.size(), compile_project, parse_project, &reading);
  return true;
}

}  // namespace bench
