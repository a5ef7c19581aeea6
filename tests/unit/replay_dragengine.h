// Drag[en]gine trees written in a test, and traces run against them.
#pragma once
#include <utility>

#include "dialects/dialect.h"
#include "replay_guard.h"

// A compiled project of files by name, all in one folder; a name may contain folders. It does not move: the asset
// points into it.
class RuleTrees {
 public:
  using Files = std::vector<std::pair<std::string, std::string>>;

  explicit RuleTrees(const Files& files, bool strip = false) {
    using namespace espalier;
    text::Sources sources;
    text::Findings findings;
    std::vector<std::unique_ptr<text::XmlDocument>> documents;
    std::vector<dialects::File> parsed;
    for (const auto& [name, rules] : files) {
      const std::string text = "<behaviorTree>\n" + rules + "\n</behaviorTree>\n";
      documents.push_back(text::XmlDocument::parse(name + ".debt", text, sources, findings));
      REQUIRE(documents.back());
      parsed.push_back({documents.back().get(), name, "/project/" + name + ".debt", "/project"});
    }
    ir::Project project;
    dialects::dragengine::dialect().read(parsed, {}, project, findings);
    REQUIRE_FALSE(findings.has_errors());
    std::size_t size_bytes = 0;
    words_ = codegen::compile(project, sources, {strip}, findings, &size_bytes);
    REQUIRE(open(words_.data(), size_bytes, &asset_) == Status::ok);
  }
  explicit RuleTrees(const std::string& rules, bool strip = false) : RuleTrees(Files{{"guard", rules}}, strip) {}
  RuleTrees(const RuleTrees&) = delete;
  RuleTrees& operator=(const RuleTrees&) = delete;
  const espalier::Asset& asset() const { return asset_; }

 private:
  std::vector<std::uint64_t> words_;
  espalier::Asset asset_;
};
