// Claims about trees that select, decided on diagrams: against a model that explores agents one state at a time.
#include "explore/select/selecting.h"
#include "explore_selecting_trees.h"

namespace explore_selecting {

using explore::PropertyKind;
using explore::Truth;

namespace {

// A random expectation: its text, and the model's opinion.
struct Expectation {
  std::string text;
  std::function<bool(const SelectAgent&)> holds;
};

Expectation random_value(test::Random& random, const ir::Tree& tree) {
  const std::uint32_t number = random.below(4);
  switch (random.below(4)) {
    case 0: {
      const std::string name = "Behavior" + std::to_string(random.below(9));
      return {R"("behavior": ")" + name + '"', [name](const SelectAgent& agent) {
                return agent.leaf != nullptr && agent.leaf->as<ir::Leaf>().behavior == name;
              }};
    }
    case 1: {
      const std::string name = "Leaf" + std::to_string(number);
      return {R"("leaf": ")" + name + '"',
              [name](const SelectAgent& agent) { return agent.leaf != nullptr && agent.leaf->name == name; }};
    }
    case 2: {
      const std::uint32_t variable = number % static_cast<std::uint32_t>(tree.variables.size());
      const bool value = random.chance(50);
      return {R"("variables": {")" + tree.variables[variable].name + (value ? "\": true}" : "\": false}"),
              [variable, value](const SelectAgent& agent) { return agent.variables[variable] == value; }};
    }
    default:
      if (random.chance(50)) {
        return {R"("behavior": {"not": null})", [](const SelectAgent& agent) { return agent.leaf != nullptr; }};
      }
      return {R"("status": "failure")", [](const SelectAgent& agent) { return agent.leaf == nullptr; }};
  }
}

Expectation random_expectation(test::Random& random, const ir::Tree& tree) {
  const Expectation first = random_value(random, tree);
  if (random.chance(50)) return {'{' + first.text + '}', first.holds};
  Expectation second = random_value(random, tree);
  // Keys are unique.
  while (second.text.substr(0, 4) == first.text.substr(0, 4)) second = random_value(random, tree);
  const bool is_negated = random.chance(30);
  const std::string both = '{' + first.text + ", " + second.text + '}';
  return {is_negated ? "{\"not\": " + both + '}' : both,
          [=](const SelectAgent& agent) { return (first.holds(agent) && second.holds(agent)) != is_negated; }};
}

struct Step {
  enum Kind { signal, write, tick } kind = tick;
  std::uint32_t index = 0;
  bool value = false;
  bool operator==(const Step&) const = default;
};

struct Watched {
  SelectAgent agent;
  std::uint32_t left = 0;  // updates until the oldest step must have been answered; 0: none waits
  bool operator<(const Watched& other) const { return std::tie(agent, left) < std::tie(other.agent, other.left); }
};

// The shortest trace, in steps, that ends with an update that shows what the claim forbids, or of `reachable` asks for.
class ClaimModel {
 public:
  ClaimModel(const Subject& subject, PropertyKind kind, const Expectation& expectation, Step trigger,
             std::uint32_t within)
      : subject_(subject),
        explorer_(subject.tree()),
        kind_(kind),
        expectation_(expectation),
        trigger_(trigger),
        within_(within) {}

  std::optional<std::size_t> shortest() {
    std::set<Watched> known = {start()};
    std::vector<Watched> layer = {start()};
    for (std::size_t length = 1; !layer.empty(); ++length) {
      std::vector<Watched> next;
      for (const Watched& from : layer) {
        for (const Step& step : steps()) {
          Watched after = from;
          if (shows(after, step)) return length;
          if (known.insert(after).second) next.push_back(after);
        }
      }
      layer.swap(next);
    }
    return std::nullopt;
  }

  // Does the trace show it with its last line, and not before?
  bool is_shown_by(const std::vector<std::string>& lines) {
    Watched watched = start();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto all = steps();
      const auto step =
          std::find_if(all.begin(), all.end(), [&](const Step& each) { return text_of(each) == lines[i]; });
      REQUIRE(step != all.end());
      if (shows(watched, *step)) return i + 1 == lines.size();
    }
    return false;
  }

 private:
  Watched start() const { return {explorer_.start(), 0}; }

  std::vector<Step> steps() const {
    std::vector<Step> result;
    const ir::Tree& tree = subject_.tree();
    for (std::uint32_t i = 0; i < tree.signals.size(); ++i) result.push_back({Step::signal, i, false});
    for (std::uint32_t i = 0; i < tree.variables.size(); ++i) {
      if (!subject_.is_writable[i]) continue;
      result.push_back({Step::write, i, true});
      result.push_back({Step::write, i, false});
    }
    result.push_back({});
    return result;
  }

  std::string text_of(const Step& step) const {
    const ir::Tree& tree = subject_.tree();
    if (step.kind == Step::tick) return R"({"tick": 0.1})";
    if (step.kind == Step::signal) return R"({"signal": ")" + tree.signals[step.index].name + "\"}";
    return R"({"set": {")" + tree.variables[step.index].name + (step.value ? "\": true}}" : "\": false}}");
  }

  bool shows(Watched& watched, const Step& step) const {
    bool is_shown = false;
    if (step.kind == Step::signal) explorer_.signal(watched.agent, step.index);
    if (step.kind == Step::write) explorer_.set(watched.agent, step.index, step.value);
    if (step.kind == Step::tick) {
      explorer_.tick(watched.agent);
      const bool holds = expectation_.holds(watched.agent);
      is_shown = kind_ == PropertyKind::always ? !holds : holds;
      if (kind_ == PropertyKind::expect) {
        if (holds) watched.left = 0;
        is_shown = watched.left == 1;
        if (watched.left > 0) --watched.left;
      }
    }
    if (kind_ == PropertyKind::expect && step == trigger_ && watched.left == 0) watched.left = within_;
    return is_shown;
  }

  const Subject& subject_;
  const SelectExplorer explorer_;
  const PropertyKind kind_;
  const Expectation& expectation_;
  const Step trigger_;
  const std::uint32_t within_;
};

text::JsonValue parsed(const std::string& text, text::Sources& sources) {
  text::Findings findings;
  const text::FileId file = sources.add("p", R"({"properties": [{"name": "p", "always": )" + text + "}]}");
  std::vector<explore::Property> properties;
  explore::read_property_file(file, sources, findings, properties);
  REQUIRE(properties.size() == 1);
  return properties.front().claim.value;
}

Step random_trigger(test::Random& random, const ir::Tree& tree) {
  const auto below = [&](std::size_t count) { return random.below(static_cast<std::uint32_t>(count)); };
  if (random.chance(10)) return {};
  if (!tree.signals.empty() && random.chance(60)) return {Step::signal, below(tree.signals.size()), false};
  return {Step::write, below(tree.variables.size()), random.chance(50)};
}

}  // namespace

TEST_CASE("claims about selection trees are decided as functions as by a model") {
  const Method method = GENERATE(Method::diagrams, Method::solver);
  std::size_t undecided = 0;
  std::size_t shown = 0;
  std::size_t never_shown = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Subject subject(seed);
    test::Random random{seed};
    const auto kind = static_cast<PropertyKind>(seed % 4);
    const Expectation expectation = random_expectation(random, subject.tree());
    const Step trigger = random_trigger(random, subject.tree());
    const std::uint32_t within = 1 + random.below(4);
    INFO("seed " << seed << ": " << expectation.text);
    ClaimModel model(subject, kind, expectation, trigger, within);
    const std::optional<std::size_t> length = model.shortest();

    text::Sources sources;
    const text::JsonValue value = parsed(expectation.text, sources);
    const Tree tree = espalier::tree(subject.compiled.asset, 0);
    const explore::Predicate predicate(value, tree);
    REQUIRE(predicate.is_valid());
    const auto is_trigger = [&](const explore::Step& step) {
      switch (step.kind) {
        case explore::StepKind::signal:
          return trigger.kind == Step::signal && step.id == trigger.index;
        case explore::StepKind::set:
          return trigger.kind == Step::write && step.id == trigger.index && (step.value != 0) == trigger.value;
        default:
          return trigger.kind == Step::tick;
      }
    };
    const explore::World world({{tree, 1}}, subject.signal_only);
    const explore::SelectingProof proof =
        prove_selecting(world, {kind, predicate, is_trigger, within}, subject.options(method));
    if (proof.result == Truth::undecided && method == Method::solver) {
      ++undecided;
      continue;
    }
    REQUIRE(proof.trace.has_value() == length.has_value());
    const bool is_good = kind == PropertyKind::reachable;
    REQUIRE(proof.result == (length.has_value() == is_good ? Truth::holds : Truth::fails));
    ++(length ? shown : never_shown);
    if (!length) continue;
    REQUIRE(proof.trace->steps.size() == *length);
    REQUIRE(model.is_shown_by(proof.trace->steps));
  }
  CHECK(undecided <= 2);
  CHECK(shown > 100);
  CHECK(never_shown > 80);
}

}  // namespace explore_selecting
