// The output of replays: JSON Lines, records, the story, JUnit. Long traces need no more memory.
#include <malloc.h>

#include <algorithm>
#include <pugixml.hpp>

#include "replay_guard.h"

namespace replay_outputs {

using namespace espalier;

namespace {

const std::string kSeen =
    "{\"trace\": 1, \"name\": \"seen\"}\n{\"tick\": 0.25}\n{\"signal\": \"OnSeen\"}\n{\"tick\": 0.25, \"times\": 3}\n"
    "{\"expect\": {\"behavior\": \"Combat\"}}\n";

// Gives the lines of a trace one by one, without holding the whole trace.
class LongTrace : public std::streambuf {
 public:
  explicit LongTrace(std::size_t line_count) : line_count_(line_count) {}

  // The greatest use of the heap when lines were requested.
  std::size_t most_bytes() const { return most_bytes_; }

 protected:
  int_type underflow() override {
    if (given_ == line_count_) return traits_type::eof();
    static const std::string lines[] = {
        "{\"signal\": \"OnSeen\"}\n",        "{\"tick\": 0.1}\n",
        "{\"set\": {\"Alerted\": false}}\n", "{\"save\": \"a\"}\n",
        "{\"tick\": 0.1, \"times\": 2}\n",   "{\"expect\": {\"behavior\": \"Idle\"}}\n",
    };
    line_ = given_ == 0 ? "{\"trace\": 1}\n" : lines[given_ % std::size(lines)];
    if (given_ % 500 == 0) most_bytes_ = std::max(most_bytes_, mallinfo2().uordblks);
    ++given_;
    setg(line_.data(), line_.data(), line_.data() + line_.size());
    return traits_type::to_int_type(line_.front());
  }

 private:
  std::string line_;
  std::size_t line_count_;
  std::size_t given_ = 0;
  std::size_t most_bytes_ = 0;
};

// Accepts all output and discards it.
class Nowhere : public std::streambuf {
 protected:
  int_type overflow(int_type letter) override { return traits_type::not_eof(letter); }
  std::streamsize xsputn(const char*, std::streamsize count) override { return count; }
};

}  // namespace

TEST_CASE("events of other agents are not written when one is asked for") {
  RunOptions options = jsonl();
  options.form.story.agent = 1;
  CHECK(events_of(run_trace("{\"trace\": 1, \"agents\": 3}\n{\"tick\": 1}\n", options).output) ==
        Lines{"1 1:enter Idle", "1 1:status running"});
}

TEST_CASE("colours are there only when they are asked for, and change no words") {
  RunOptions options;
  options.form.story.color = true;
  std::string colored = run_trace(kSeen, options).output;
  const std::string plain = run_trace(kSeen).output;
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(colored.find('\x1b') != std::string::npos);
  for (std::size_t begin = colored.find('\x1b'); begin != std::string::npos; begin = colored.find('\x1b')) {
    colored.erase(begin, colored.find('m', begin) + 1 - begin);
  }
  CHECK(colored == plain);
}

TEST_CASE("the story is written before a message about it") {
  std::ostringstream out;
  RunOptions options;
  std::string seen;
  options.form.tell = [&](const std::string&) { seen = out.str(); };
  std::istringstream in(
      "{\"trace\": 1}\n{\"set\": {\"Hurt\": true}}\n{\"expect\": {\"variables\": {\"Hurt\": false}}}\n");
  const CompiledTrees trees({kGuard});
  text::Sources sources;
  const report::ReplayReport report =
      report::replay_trace(trees.asset(), in, "t", options.run, options.form, sources, out);
  CHECK(report.story.empty());
  CHECK(report.result.failed_count == 1);
  CHECK(seen.find("Hurt = true\n") != std::string::npos);
}

namespace {

// Brief output, with the guard.
report::ReplayReport brief_report(const std::string& trace, text::Sources& sources,
                                  report::ReplayFormat format = report::ReplayFormat::junit,
                                  std::ostream* out = nullptr) {
  const CompiledTrees trees({kGuard});
  report::ReplayForm form;
  form.format = format;
  std::istringstream in(trace);
  std::ostringstream nowhere;
  return report::replay_briefly(trees.asset(), in, "t", {}, form, sources, out != nullptr ? *out : nowhere);
}

report::ReplayReport brief_report(const std::string& trace, report::ReplayFormat format = report::ReplayFormat::junit,
                                  std::ostream* out = nullptr) {
  text::Sources sources;
  return brief_report(trace, sources, format, out);
}

// The output for people.
std::string brief_story(const std::string& trace) {
  std::ostringstream out;
  static_cast<void>(brief_report(trace, report::ReplayFormat::human, &out));
  return out.str();
}

}  // namespace

TEST_CASE("a JUnit document has a test for each trace, whatever the messages hold") {
  text::Sources sources;
  const std::vector<report::ReplayReport> reports = {
      brief_report(kSeen, sources),
      brief_report("{\"trace\": 1, \"name\": \"a<b & 'c'\", \"events\": [\"signal\"]}\n"
                   "{\"signal\": \"<&]]>\"}\n{\"expect\": {\"events\": []}}\n{\"expect\": {}}\n",
                   sources),
      brief_report("{\"trace\": 1}\n{\"signal\": \"x\"}\n{\"tock\": \"\x01\x1b\"}\n", sources),
      brief_report("{\"trace\": 1}\n{\"signal\": \"x\"}\n", sources),
  };
  std::ostringstream out;
  report::write_replay_junit(reports, sources, out);
  pugi::xml_document document;
  REQUIRE(document.load_string(out.str().c_str()));
  CHECK(out.str().find_first_of("\x01\x1b") == std::string::npos);
  const pugi::xml_node suites = document.child("testsuites");
  CHECK(suites.attribute("tests").as_int() == 4);
  CHECK(suites.attribute("failures").as_int() == 1);
  CHECK(suites.attribute("errors").as_int() == 1);
  const pugi::xpath_node_set tests = suites.select_nodes("//testcase");
  REQUIRE(tests.size() == 4);
  CHECK(tests[0].node().attribute("name").as_string() == std::string("seen"));
  CHECK(tests[0].node().first_child().empty());
  CHECK(tests[1].node().attribute("name").as_string() == std::string("a<b & 'c'"));
  CHECK(tests[1].node().child("failure").attribute("message").as_string() == std::string("1 of 2 expectations failed"));
  CHECK(std::string(tests[1].node().child("failure").text().get()).find("signal <&]]>") != std::string::npos);
  const pugi::xml_node error = tests[2].node().child("error");
  CHECK(error.attribute("type").as_string() == std::string("not-json"));
  CHECK_FALSE(std::string(error.attribute("message").as_string()).empty());
  for (const std::size_t warned : {std::size_t{2}, std::size_t{3}}) {
    CHECK(std::string(tests[warned].node().child("system-out").text().get()).find("TRC007") != std::string::npos);
  }
}

TEST_CASE("in brief a trace that holds is one line, and one that does not tells its story") {
  const std::string holds =
      "{\"trace\": 1, \"name\": \"calm\"}\n{\"tick\": 1}\n{\"expect\": {\"behavior\": \"Idle\"}}\n";
  const std::string fails = holds + "{\"signal\": \"OnSeen\"}\n{\"tick\": 1}\n{\"expect\": {\"behavior\": \"Idle\"}}\n";
  CHECK(brief_story(holds) == "ok  t: calm  (1 expectation)\n");
  CHECK(brief_story(fails) == run_trace(fails).output);
  const replay::TraceResult failed = brief_report(fails, report::ReplayFormat::human).result;
  CHECK(failed.failed_count == 1);
  CHECK(failed.expectation_count == 2);
  CHECK(brief_story(holds + "{\"tock\": 1}\n") == run_trace(holds).output);
}

TEST_CASE("a report has the story of a trace that does not hold, with its messages, as far as it fits") {
  const std::string holds = "{\"trace\": 1}\n{\"tick\": 1}\n{\"expect\": {\"behavior\": \"Idle\"}}\n";
  CHECK(brief_report(holds).story.empty());
  const std::string fails = holds + "{\"signal\": \"OnSeen\"}\n{\"tick\": 1}\n{\"expect\": {\"behavior\": \"Idle\"}}\n";
  std::ostringstream out;
  const std::string told = brief_report(fails, report::ReplayFormat::junit, &out).story;
  CHECK(out.str().empty());
  const std::size_t because = told.find("because Combat: Alerted is true");
  REQUIRE(because != std::string::npos);
  CHECK(told.find("t:6:25: failed: behavior is not what was expected") > because);
  std::string longer = holds;
  for (int i = 0; i < 2000; ++i) longer += "{\"set\": {\"Hurt\": true}}\n{\"set\": {\"Hurt\": false}}\n";
  longer += "{\"expect\": {\"variables\": {\"Hurt\": true}}}\n";
  const std::string story = brief_report(longer).story;
  CHECK(story.size() < 20000);
  CHECK(story.find("    ... earlier lines are left out\n") == 0);
  CHECK(story.find("failed: variables.Hurt is not what was expected") != std::string::npos);
}

TEST_CASE("a long trace needs no more memory than a short one") {
  const CompiledTrees trees({kGuard});
  const auto most_bytes = [&](std::size_t line_count, const RunOptions& options) {
    LongTrace trace(line_count);
    std::istream in(&trace);
    Nowhere nowhere;
    std::ostream out(&nowhere);
    const std::size_t before = mallinfo2().uordblks;
    text::Sources sources;
    const replay::TraceResult result =
        report::replay_trace(trees.asset(), in, "t", options.run, options.form, sources, out).result;
    CHECK(result.expectation_count > line_count / 7);
    CHECK(result.failed_count == 0);
    return trace.most_bytes() - before;
  };
  for (const RunOptions& options : {RunOptions{}, jsonl()}) {
    const std::size_t short_bytes = most_bytes(2000, options);
    CHECK(most_bytes(20000, options) <= short_bytes + 4096);
  }
}

}  // namespace replay_outputs
