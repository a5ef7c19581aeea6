// Which properties hold. See explored.h.
#include <array>
#include <map>

#include "report/explored.h"
#include "report/explored_json.h"
#include "report/human.h"
#include "report/line_view.h"
#include "report/output_form.h"
#include "report/xml_text.h"

namespace espalier::report {
namespace {

using explore::Proof;
using explore::Truth;

std::array<std::size_t, 3> counts_of(std::span<const Proof> proofs) {
  std::array<std::size_t, 3> counts = {};
  for (const Proof& proof : proofs) ++counts[static_cast<std::size_t>(proof.result)];
  return counts;
}

std::string explored_text(const Proof& proof) {
  return grouped(proof.state_count) + (proof.state_count == 1 ? " state" : " states");
}

std::string outcome_text(const Proof& proof) {
  if (proof.result == Truth::undecided && !proof.hint.empty()) return "explored " + explored_text(proof);
  if (proof.result == Truth::undecided) return "the budget was used up after " + explored_text(proof);
  if (!proof.trace && proof.result == Truth::fails) return "not reachable: explored all " + explored_text(proof);
  if (!proof.trace) return explored_text(proof);
  const std::size_t steps = proof.trace->steps.size();
  return "after " + std::to_string(steps) + (steps == 1 ? " step" : " steps");
}

std::string hint_text(const Proof& proof) {
  std::string place = place_text(proof.hint_place);
  if (proof.hint.empty()) return place;
  return place.empty() ? proof.hint : place + ": " + proof.hint;
}

// ---- For people

void write_human_proofs(std::span<const Proof> proofs, const ProofForm& form, std::ostream& out) {
  const FormScope scope(out, form.color ? OutputForm::colored : OutputForm::text);
  const Palette& colors = palette(form.color);
  for (std::size_t i = 0; i < proofs.size(); ++i) {
    const Proof& proof = proofs[i];
    const bool holds = proof.result == Truth::holds;
    if (holds && !form.tells_passed) continue;
    const std::string_view word = holds ? "ok" : proof.result == Truth::fails ? "FAILED" : "undecided";
    const std::string_view color = holds ? colors.mark : proof.result == Truth::fails ? colors.error : colors.warning;
    out << color << word << colors.reset << "  " << visible(proof.tree) << ": " << visible(proof.property) << "  ("
        << outcome_text(proof) << ")\n";
    if (holds) continue;
    for (const std::string& line : lines_of(proof)) out << "    " << visible(line) << '\n';
    if (const std::string hint = hint_text(proof); !hint.empty()) {
      out << "  " << colors.note << "hint" << colors.reset << ": " << visible(hint) << '\n';
    }
    if (i < form.files.size() && !form.files[i].empty()) {
      out << "  " << colors.note << "trace" << colors.reset << ": " << visible(form.files[i]) << '\n';
    }
  }
}

// ---- JSON

Json json_of(const Proof& proof) {
  Json json = {{"property", proof.property}, {"tree", proof.tree}, {"result", explore::name_of(proof.result)},
               {"steps", nullptr},           {"trace", nullptr},   {"states", proof.state_count}};
  if (proof.trace) {
    json["steps"] = proof.trace->steps.size();
    add_trace(json, *proof.trace, lines_of(proof));
  }
  if (!proof.hint.empty()) json["hint"] = proof.hint;
  if (proof.hint_place.line != 0) {
    json["file"] = proof.hint_place.file;
    json["line"] = proof.hint_place.line;
    json["column"] = proof.hint_place.column;
  }
  return json;
}

void write_json_proofs(std::span<const Proof> proofs, bool is_interrupted, std::ostream& out) {
  const FormScope scope(out, OutputForm::json);
  out << "{\"version\":1,\"results\":[";
  for (std::size_t i = 0; i < proofs.size(); ++i) out << (i == 0 ? "\n" : ",\n") << json_line(json_of(proofs[i]));
  const auto [holds, fails, undecided] = counts_of(proofs);
  const Json summary = {{"properties", proofs.size()}, {"holds", holds}, {"fails", fails}, {"undecided", undecided}};
  out << (proofs.empty() ? "]" : "\n]") << ",\"summary\":" << json_line(summary)
      << (is_interrupted ? ",\"interrupted\":true" : "") << "}\n";
}

// ---- JUnit

// A tree is a suite, a property a test.
void write_junit_proofs(std::span<const Proof> proofs, const ProofForm& form, std::ostream& out) {
  struct TreeSuite {
    std::string tests = {};
    XmlCounts counts = {};
  };
  std::vector<std::string> order;
  std::map<std::string, TreeSuite> suites;
  XmlCounts all;
  for (const Proof& proof : proofs) {
    const auto [suite, is_new] = suites.try_emplace(proof.tree);
    if (is_new) order.push_back(proof.tree);
    std::string outcome;
    const bool is_skipped = proof.result == Truth::undecided && form.allows_undecided;
    if (is_skipped) {
      outcome = xml_element("skipped", xml_attribute("message", outcome_text(proof)), {});
    } else if (proof.result != Truth::holds) {
      std::string text;
      for (const std::string& line : lines_of(proof)) text += visible(line) + '\n';
      if (const std::string hint = hint_text(proof); !hint.empty()) text += "hint: " + visible(hint) + '\n';
      const std::string message = std::string(explore::name_of(proof.result)) + ": " + outcome_text(proof);
      outcome = xml_element(
          "failure", xml_attribute("type", explore::name_of(proof.result)) + xml_attribute("message", message), text);
    }
    for (XmlCounts* counts : {&suite->second.counts, &all}) {
      ++counts->tests;
      if (is_skipped) ++counts->skipped;
      if (!is_skipped && !outcome.empty()) ++counts->failures;
    }
    suite->second.tests += "    <testcase" + xml_attribute("classname", visible(proof.tree)) +
                           xml_attribute("name", visible(proof.property)) +
                           (outcome.empty() ? "/>\n" : ">\n" + outcome + "    </testcase>\n");
  }
  const FormScope scope(out, OutputForm::xml);
  out << kXmlDeclaration << "<testsuites" << xml_attribute("name", "espalier prove") << xml_counts(all) << ">\n";
  for (const std::string& tree : order) {
    const TreeSuite& suite = suites[tree];
    out << "  <testsuite" << xml_attribute("name", visible(tree)) << xml_counts(suite.counts) << ">\n"
        << suite.tests << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

}  // namespace

void write_proofs(std::span<const Proof> proofs, const ProofForm& form, std::ostream& out) {
  if (form.format == ProofFormat::human) write_human_proofs(proofs, form, out);
  if (form.format == ProofFormat::json) write_json_proofs(proofs, form.is_interrupted, out);
  if (form.format == ProofFormat::junit) write_junit_proofs(proofs, form, out);
}

std::string proof_summary(std::span<const Proof> proofs) {
  const auto [holds, fails, undecided] = counts_of(proofs);
  std::string text;
  const auto add = [&](std::size_t count, const char* one, const char* several) {
    if (count == 0) return;
    text +=
        (text.empty() ? grouped(count) + (count == 1 ? " property " : " properties ") : ", " + grouped(count) + ' ');
    text += count == 1 ? one : several;
  };
  add(holds, "holds", "hold");
  add(fails, "fails", "fail");
  add(undecided, "is undecided", "are undecided");
  return text.empty() ? "no properties" : text;
}

}  // namespace espalier::report
