// Trees of deciders written in a test, and traces run against them.
#pragma once
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "replay_guard.h"

// A compiled project of one tree. It does not move: the asset points into it.
class DeciderTrees {
 public:
  explicit DeciderTrees(const std::string& tree, bool strip = false) {
    using namespace espalier;
    text::Sources sources;
    text::Findings findings;
    const auto document = text::XmlDocument::parse("creature.xml", tree, sources, findings);
    REQUIRE(document);
    ir::Project project;
    const std::vector<dialects::File> files = {{document.get(), "creature", "/project/creature.xml", "/project"}};
    dialects::decider::dialect().read(files, {}, project, findings);
    REQUIRE_FALSE(findings.has_errors());
    std::size_t size_bytes = 0;
    words_ = codegen::compile(project, sources, {strip}, findings, &size_bytes);
    REQUIRE(open(words_.data(), size_bytes, &asset_) == Status::ok);
  }
  DeciderTrees(const DeciderTrees&) = delete;
  DeciderTrees& operator=(const DeciderTrees&) = delete;
  const espalier::Asset& asset() const { return asset_; }

 private:
  std::vector<std::uint64_t> words_;
  espalier::Asset asset_;
};

// A creature that flees if it was hit, unless it is dead, and otherwise guards or idles.
inline const std::string kCreature =
    "<DeciderTree name='Creature' maxRedecides='3'>\n"
    "<DecisionFlags><Flag name='Dead'/><Flag name='Night'/></DecisionFlags>\n"
    "<Stimuli><Stimulus name='Hit' timeout='2'/><Stimulus name='Noise'/></Stimuli>\n"
    "<SignalStimuli><Signal name='OnHit' stimulus='Hit'/><Signal name='OnHit' stimulus='Noise'/></SignalStimuli>\n"
    "<Behaviors><Behavior name='Flee'/><Behavior name='OnGuard'/><Behavior name='Growl'/><Behavior name='Idle'/>"
    "</Behaviors>\n"
    "<Group name='Root' policy='prioritizedList'>\n"
    "<Decider name='Run' behavior='Flee' decide='Afraid' stimuliAny='Hit' flagsAll='!Dead'/>\n"
    "<Group name='Guard' policy='prioritizedList' behavior='OnGuard' decide='Sees'>\n"
    "<Decider name='Warn' behavior='Growl' every='1.5'/>\n"
    "</Group>\n"
    "<Decider name='Rest' behavior='Idle'/>\n"
    "</Group>\n"
    "</DeciderTree>\n";

inline Replayed run_lines(const DeciderTrees& trees, const std::string& lines, const RunOptions& options = jsonl()) {
  return run_trace(trees.asset(), "{\"trace\": 1}\n" + lines, options);
}
