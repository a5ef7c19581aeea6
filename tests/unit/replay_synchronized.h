// Synchronized trees written in a test, and traces run against them.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "replay_guard.h"

// A compiled project of trees, one per file: 0.xml, 1.xml, ... It does not move: the asset points into it.
class SynchronizedTrees {
 public:
  explicit SynchronizedTrees(const std::vector<std::string>& trees, bool strip = false) {
    using namespace espalier;
    text::Sources sources;
    text::Findings findings;
    std::vector<std::unique_ptr<text::XmlDocument>> documents;
    std::vector<dialects::File> files;
    for (const std::string& tree : trees) {
      const std::string name = std::to_string(files.size());
      documents.push_back(text::XmlDocument::parse(name + ".xml", tree, sources, findings));
      REQUIRE(documents.back());
      files.push_back({documents.back().get(), name, "/project/" + name + ".xml", "/project"});
    }
    ir::Project project;
    dialects::synchronized::dialect().read(files, {}, project, findings);
    REQUIRE_FALSE(findings.has_errors());
    std::size_t size_bytes = 0;
    words_ = codegen::compile(project, sources, {strip}, findings, &size_bytes);
    REQUIRE(open(words_.data(), size_bytes, &asset_) == Status::ok);
  }
  SynchronizedTrees(const SynchronizedTrees&) = delete;
  SynchronizedTrees& operator=(const SynchronizedTrees&) = delete;
  const espalier::Asset& asset() const { return asset_; }

 private:
  std::vector<std::uint64_t> words_;
  espalier::Asset asset_;
};

// A porter that investigates noises, goes through a door (one agent at a time), carries a crate with another, or else
// waits.
inline const std::string kPorter =
    "<SynchronizedTree name='Porter'>\n"
    "<Selector>\n"
    "<Sequence><Monitor><Condition name='Noise'/></Monitor><Action name='Look'/></Sequence>\n"
    "<Gate name='Door' agents='1'><Action name='Pass'/></Gate>\n"
    "<Group name='Crate' agents='2' timeout='3'>\n"
    "<Role name='Front'><Action name='Lift'/></Role>\n"
    "<Role name='Back'><Condition name='Strong'/><Action name='Push'/></Role>\n"
    "</Group>\n"
    "<ChildTree slot='Task' default='Rest' accepts='Rest Sweep'/>\n"
    "</Selector>\n"
    "</SynchronizedTree>\n";
inline const std::string kRest = "<SynchronizedTree name='Rest'><Action name='Sit'/></SynchronizedTree>\n";
inline const std::string kSweep =
    "<SynchronizedTree name='Sweep'><Gate name='Broom' agents='1'><Action name='Brush'/></Gate></SynchronizedTree>\n";
inline const std::string kOther = "<SynchronizedTree name='Other'><Action name='Hide'/></SynchronizedTree>\n";
inline const std::vector<std::string> kPorters = {kPorter, kRest, kSweep, kOther};

// The first line of traces of porters.
inline std::string porters(std::uint32_t count) {
  return "{\"trace\": 1, \"tree\": \"Porter\", \"agents\": " + std::to_string(count) + "}\n";
}
// All of them do one thing forever, and ignore noises.
inline const std::string kBusy =
    "{\"host\": {\"Noise\": false, \"Strong\": true, \"Look\": \"running\", \"Pass\": \"running\", \"Lift\": "
    "\"running\", \"Push\": \"running\", \"Sit\": \"running\", \"Brush\": \"running\", \"Hide\": \"running\"}, "
    "\"agent\": \"all\"}\n";

inline Replayed run_porters(const SynchronizedTrees& trees, std::uint32_t count, const std::string& lines,
                            const RunOptions& options = jsonl()) {
  return run_trace(trees.asset(), porters(count) + lines, options);
}
