// Modular trees written in a test, and traces run against them.
#pragma once
#include "dialects/dialect.h"
#include "dialects/modular/options.h"
#include "replay_guard.h"

// A file with these sections, and a root with this content.
inline std::string modular_tree(const std::string& root, const std::string& sections = {}) {
  return "<BehaviorTree>\n" + sections + "<Root>\n" + root + "\n</Root>\n</BehaviorTree>\n";
}

// A compiled project, the trees of which are called 0, 1, ... It does not move: the asset points into it.
class ModularTrees {
 public:
  explicit ModularTrees(const std::vector<std::string>& files, bool strip = false, bool stops = false) {
    using namespace espalier;
    text::Sources sources;
    text::Findings findings;
    std::vector<std::unique_ptr<text::XmlDocument>> documents;
    std::vector<dialects::File> parsed;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string name = std::to_string(i);
      documents.push_back(text::XmlDocument::parse(name + ".xml", files[i], sources, findings));
      REQUIRE(documents.back());
      parsed.push_back({documents.back().get(), name});
    }
    dialects::Options options;
    options.edit<dialects::ModularOptions>().stops_when_root_is_done = stops;
    ir::Project project;
    dialects::modular::dialect().read(parsed, options, project, findings);
    REQUIRE_FALSE(findings.has_errors());
    std::size_t size_bytes = 0;
    words_ = codegen::compile(project, sources, {strip}, findings, &size_bytes);
    REQUIRE(open(words_.data(), size_bytes, &asset_) == Status::ok);
  }
  explicit ModularTrees(const std::string& file, bool strip = false, bool stops = false)
      : ModularTrees(std::vector<std::string>{file}, strip, stops) {}
  ModularTrees(const ModularTrees&) = delete;
  ModularTrees& operator=(const ModularTrees&) = delete;
  const espalier::Asset& asset() const { return asset_; }

 private:
  std::vector<std::uint64_t> words_;
  espalier::Asset asset_;
};

// All events of a trace, as strings; the first line is added.
inline Lines happens(const ModularTrees& trees, const std::string& lines,
                     const std::string& header = "{\"trace\": 1}") {
  const Replayed replayed = run_trace(trees.asset(), header + '\n' + lines, jsonl());
  INFO(replayed.messages());
  CHECK(replayed.is_clean());
  return events_of(replayed.output);
}
