// Covers of small random trees of deciders are what brute force over their model finds.
#include <algorithm>

#include "explore_brute_force.h"
#include "runtime_deciders_trees.h"
#include "unit.h"

namespace explore_deciders {

using namespace espalier::test;
using espalier::test::Random;

class SmallDeciders {
 public:
  explicit SmallDeciders(Random& random) : random_(random) {}

  ModelDeciderTree make() {
    tree_.name = "T";
    tree_.max_redecides = random_.chance(80) ? 16 : 1 + random_.below(2);
    for (std::uint32_t i = random_.below(3); i > 0; --i) tree_.flags.push_back("F" + std::to_string(i));
    if (random_.chance(40)) tree_.stimuli.push_back({"S", random_.chance(60) ? 300'000u : 0u});
    if (!tree_.stimuli.empty() && random_.chance(50)) tree_.signals.push_back({"On", 0});
    for (std::uint32_t i = 1 + random_.below(2); i > 0; --i) tree_.behaviors.push_back({"b" + std::to_string(i), 0});
    budget_ = 2 + random_.below(4);
    if (random_.chance(35)) tree_.shared.push_back(random_.chance(30) ? group(0) : leaf());
    tree_.root = group(2);
    ModelDecider& root = tree_.deciders[tree_.root];
    root.decide.clear();
    root.delegates = root.decides_on_redecide = false;
    root.every_us.reset();
    root.flags_all = root.flags_any = root.stimuli_all = root.stimuli_any = {};
    return std::move(tree_);
  }

 private:
  std::size_t below(std::size_t count) { return random_.below(static_cast<std::uint32_t>(count)); }
  std::vector<ModelWord> words(std::size_t count) {
    if (count == 0 || !random_.chance(20)) return {};
    return {{below(count), random_.chance(60)}};
  }
  std::size_t add(ModelDecider made) {
    made.name = "D" + std::to_string(tree_.deciders.size());
    tree_.deciders.push_back(std::move(made));
    return tree_.deciders.size() - 1;
  }
  ModelDecider any() {
    ModelDecider made;
    if (random_.chance(45)) made.decide = "d" + std::to_string(random_.below(2));
    if (random_.chance(20)) made.every_us = random_.chance(50) ? 200'000 : 1'000'000;
    made.flags_all = words(tree_.flags.size());
    made.flags_any = words(tree_.flags.size());
    made.stimuli_all = words(tree_.stimuli.size());
    made.stimuli_any = words(tree_.stimuli.size());
    return made;
  }
  std::size_t leaf() {
    ModelDecider made = any();
    made.behavior = below(tree_.behaviors.size());
    return add(std::move(made));
  }
  std::size_t group(std::uint32_t depth) {
    ModelDecider made = any();
    made.policy = static_cast<ModelPolicy>(random_.below(5));
    made.delegates = random_.chance(30);
    if (made.delegates) made.decide.clear();
    made.decides_on_redecide = !made.decide.empty() && random_.chance(50);
    if (random_.chance(30)) made.behavior = below(tree_.behaviors.size());
    for (std::uint32_t i = 1 + random_.below(3); i > 0; --i) {
      ModelChild child;
      if (!tree_.shared.empty() && random_.chance(30)) {
        child.decider = tree_.shared[0];
      } else {
        const bool is_group = depth > 0 && budget_ > 1 && random_.chance(35);
        if (budget_ > 0) --budget_;
        child.decider = is_group ? group(depth - 1) : leaf();
      }
      if (made.policy == ModelPolicy::random) child.weight = 1 + random_.below(3);
      made.children.push_back(child);
      if (budget_ == 0) break;
    }
    return add(std::move(made));
  }

  Random& random_;
  ModelDeciderTree tree_;
  std::uint32_t budget_ = 0;
};

// Of two versions, whose groups have up to three children of one weight, each random number is in one of these.
constexpr std::size_t kParts = 6;

// An agent of the model, its host and its items: a decider at each of its places, in the order of the file.
struct Agent : ModelAgents {
  const ModelDeciderTree& tree;
  DeciderHost host;
  DeciderModel model;
  std::vector<std::string> names;  // of the host
  std::vector<std::vector<DeciderAnswer>> answers;
  std::vector<std::size_t> present;
  std::string status;
  ModelDraws* draws_now = nullptr;
  std::map<std::vector<std::size_t>, std::size_t> items;  // by the places on the way from the root

  // `other`: a version whose names it hears, too.
  explicit Agent(const ModelDeciderTree& of, const ModelDeciderTree* other = nullptr) : tree(of), model(of, host, 1) {
    is_decider = true;
    for (const ModelBehavior& behavior : tree.behaviors) {
      const std::size_t index = static_cast<std::size_t>(&behavior - tree.behaviors.data());
      const auto runs = [&](const ModelDecider& decider) { return decider.behavior == index; };
      if (std::any_of(tree.deciders.begin(), tree.deciders.end(), runs)) behaviors.push_back(behavior.name);
    }
    const auto ask = [&](const std::string& name, const std::vector<DeciderAnswer>& possible) {
      if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
      names.push_back(name);
      answers.push_back(possible);
      present.push_back(0);
    };
    for (const ModelDeciderTree* each : {&tree, other == nullptr ? &tree : other}) {
      for (const ModelDecider& decider : each->deciders) ask(decider.decide, {1.0, 0.0, 2.0});
    }
    for (const ModelBehavior& behavior : tree.behaviors)
      ask(behavior.name, {std::string("running"), std::string("failure"), std::string("refuse")});
    if (other != nullptr) sort_names();
    for (std::size_t i = 0; i < names.size(); ++i) host.answers[names[i]] = {answers[i][0]};
    add_items(tree.root, {});
    model.draw = [this](std::uint64_t count) -> std::uint64_t {
      const auto parts = static_cast<std::uint32_t>(numbers ? kParts : count);
      return draw(parts, *draws_now) * count / parts;
    };
    model.activated = [this] {
      std::vector<std::size_t> places;
      for (const DeciderModel::Active& active : model.state.path) places.push_back(active.place);
      reached.insert(items.at(places));
    };
    lines = [this] { return find_lines(); };
    waits = [this] { return find_waits(); };
    run = [this](const ModelLine& line, ModelDraws& draws) { run_line(line, draws); };
    state = [this] { return state_text(); };
    text = [this](const ModelLine& line) { return text_of_line(line); };
    view = [this](std::size_t) { return view_now(); };
  }
  Agent(const Agent&) = delete;

  // So that two versions have the same order.
  void sort_names() {
    std::map<std::string, std::vector<DeciderAnswer>> sorted;
    for (std::size_t i = 0; i < names.size(); ++i) sorted[names[i]] = answers[i];
    names.clear();
    answers.clear();
    for (const auto& [name, possible] : sorted) {
      names.push_back(name);
      answers.push_back(possible);
    }
  }

  void add_items(std::size_t decider, std::vector<std::size_t> places) {
    if (places.empty()) places.push_back(0);
    const std::size_t item = items.size();
    items[places] = item;
    for (std::size_t place = 0; place < tree.deciders[decider].children.size(); ++place) {
      places.push_back(place);
      add_items(tree.deciders[decider].children[place].decider, places);
      places.pop_back();
    }
  }

  // Times from now on at which something changes.
  std::set<std::uint64_t> find_waits() const {
    std::set<std::uint64_t> found;
    const auto add = [&](std::uint64_t end_us) {
      if (end_us > model.now_us) found.insert({0, end_us - model.now_us});
    };
    for (const auto& [stimulus, set] : model.state.stimuli) {
      if (tree.stimuli[stimulus].timeout_us != 0) add(set.set_us + tree.stimuli[stimulus].timeout_us);
    }
    for (const auto& [decider, asked_us] : model.state.last_asked_us) {
      if (tree.deciders[decider].every_us) add(asked_us + *tree.deciders[decider].every_us);
    }
    return found;
  }

  std::vector<ModelLine> find_lines() const {
    std::vector<ModelLine> found;
    for (std::size_t i = 0; i < tree.signals.size(); ++i) found.push_back({.kind = ModelLine::signal, .id = i});
    for (std::size_t bits = 0; bits < std::size_t{1} << tree.flags.size() && !tree.flags.empty(); ++bits)
      found.push_back({.kind = ModelLine::flags, .value = bits});
    for (std::size_t i = 0; i < tree.stimuli.size(); ++i) {
      for (const std::size_t value : {1, 0}) found.push_back({.kind = ModelLine::stimulus, .id = i, .value = value});
    }
    for (std::size_t name = 0; name < names.size(); ++name) {
      for (std::size_t value = 0; value < answers[name].size(); ++value) {
        if (value != present[name]) found.push_back({.kind = ModelLine::host, .id = name, .value = value});
      }
    }
    return found;
  }

  void run_line(const ModelLine& line, ModelDraws& draws) {
    draws_now = &draws;
    switch (line.kind) {
      case ModelLine::signal:
        return model.signal(tree.signals[line.id].name, {});
      case ModelLine::flags:
        for (std::size_t i = 0; i < tree.flags.size(); ++i) model.state.flags[i] = (line.value >> i & 1) != 0;
        return;
      case ModelLine::stimulus:
        return line.value != 0 ? model.set_stimulus(line.id, {}) : model.clear_stimulus(line.id);
      case ModelLine::host:
        present[line.id] = line.value;
        host.answers[names[line.id]] = {answers[line.id][line.value]};
        return;
      default: {
        model.now_us += line.time_us;
        constexpr const char* kWords[] = {"running", "failure", "error"};
        status = kWords[static_cast<std::size_t>(model.tick())];
        host.events.clear();
        return;
      }
    }
  }

  std::string text_of_line(const ModelLine& line) const {
    const auto quoted = [](const std::string& name) { return '"' + name + '"'; };
    switch (line.kind) {
      case ModelLine::signal:
        return "{\"signal\": " + quoted(tree.signals[line.id].name) + '}';
      case ModelLine::flags: {
        std::string flags;
        for (std::size_t i = 0; i < tree.flags.size(); ++i) {
          if ((line.value >> i & 1) != 0) flags += (flags.empty() ? "" : ", ") + quoted(tree.flags[i]);
        }
        return "{\"flags\": [" + flags + "]}";
      }
      case ModelLine::stimulus:
        return "{\"stimulus\": " + quoted(tree.stimuli[line.id].name) + (line.value != 0 ? "}" : ", \"clear\": true}");
      case ModelLine::host: {
        const DeciderAnswer& answer = answers[line.id][line.value];
        const auto* word = std::get_if<std::string>(&answer);
        return "{\"host\": {" + quoted(names[line.id]) + ": " +
               (word != nullptr ? quoted(*word) : std::to_string(static_cast<int>(std::get<double>(answer)))) + "}}";
      }
      default:
        return "{\"tick\": 0.1}";
    }
  }

  ModelView view_now() const {
    ModelView seen;
    seen.running = seen.shown = model.running();
    seen.behavior = model.behavior();
    seen.status = status;
    for (std::size_t i = 0; i < tree.flags.size(); ++i) seen.flags[tree.flags[i]] = model.state.flags[i];
    for (std::size_t i = 0; i < tree.stimuli.size(); ++i)
      seen.stimuli[tree.stimuli[i].name] = model.state.stimuli.count(i) != 0;
    return seen;
  }

  std::string state_text() const {
    std::ostringstream words;
    for (const DeciderModel::Active& active : model.state.path) words << active.place << ' ';
    for (const auto& [decider, last_us] : model.state.last_asked_us) {
      if (!tree.deciders[decider].every_us) continue;
      const std::uint64_t end_us = last_us + *tree.deciders[decider].every_us;
      if (end_us > model.now_us) words << "every " << decider << ' ' << end_us - model.now_us << ' ';
    }
    for (const auto& [group, place] : model.state.ran_last) {
      if (tree.deciders[group].policy == ModelPolicy::sequential) words << "last " << group << ' ' << place << ' ';
    }
    for (const auto& [group, order] : model.state.orders) {
      words << "order " << group << ' ';
      for (std::size_t i = order.position; i < order.places.size(); ++i) words << order.places[i] << ' ';
    }
    for (const auto& [stimulus, set] : model.state.stimuli) {
      const std::uint64_t timeout_us = tree.stimuli[stimulus].timeout_us;
      words << "stimulus " << stimulus << ' ' << (timeout_us == 0 ? 0 : set.set_us + timeout_us - model.now_us) << ' ';
    }
    for (const bool flag : model.state.flags) words << flag;
    for (const std::size_t answer : present) words << ' ' << answer;
    return words.str();
  }
};

// Another version, with the same flags, stimuli and behaviours.
void mutate(Random& random, ModelDeciderTree& tree) {
  const auto below = [&](std::size_t count) { return random.below(static_cast<std::uint32_t>(count)); };
  ModelDecider& decider = tree.deciders[below(tree.deciders.size())];
  const bool is_root = &decider == &tree.deciders[tree.root];
  switch (random.below(5)) {
    case 0:
      if (!decider.policy) decider.behavior = below(tree.behaviors.size());
      return;
    case 1:
      if (decider.policy) decider.policy = static_cast<ModelPolicy>(random.below(5));
      return;
    case 2:
      if (!is_root && !decider.delegates && !decider.decides_on_redecide)
        decider.decide = random.chance(50) ? "" : "d0";
      return;
    case 3:
      if (!is_root && !tree.flags.empty()) decider.flags_all = {{below(tree.flags.size()), random.chance(50)}};
      return;
    default:
      if (decider.children.size() > 1) std::swap(decider.children[0], decider.children[1]);
      return;
  }
}

struct RandomDeciders {
  static constexpr const char* kTree = "T";
  // Two versions draw the same numbers, but may have other children to choose among.
  static ModelDeciderTree make(Random& random, Claims claims) {
    ModelDeciderTree tree = SmallDeciders(random).make();
    for (ModelDecider& decider : tree.deciders) {
      for (ModelChild& child : decider.children) child.weight = claims == Claims::diffs ? 1 : child.weight;
    }
    return tree;
  }
  static void mutate(Random& random, ModelDeciderTree& tree) { explore_deciders::mutate(random, tree); }
  static void compile(const ModelDeciderTree& tree, Compiled& compiled) {
    espalier::test::compile(ir_of(tree), compiled);
  }
  static std::shared_ptr<ModelAgents> agents(const ModelDeciderTree& tree, const ModelDeciderTree* other) {
    return std::make_shared<Agent>(tree, other);
  }
  static std::string text(const ModelDeciderTree& tree) { return text_of(tree); }
};

TEST_CASE("what is claimed of random deciders is what brute force finds") {
  const RandomTest test = GENERATE(RandomTest{Claims::covers, 30, 50, 1}, RandomTest{Claims::proofs, 10, 5, 1},
                                   RandomTest{Claims::diffs, 20, 3, 1});
  compare_random_trees<RandomDeciders>(test);
}

TEST_CASE("of many flags only sets that tests tell apart are steps") {
  std::string text = "<DeciderTree name='T'><DecisionFlags>";
  for (int i = 0; i < 40; ++i) text += "<Flag name='F" + std::to_string(i) + "'/>";
  text +=
      "</DecisionFlags><Behaviors><Behavior name='b'/></Behaviors><Group name='R' policy='prioritizedList'>"
      "<Decider name='A' behavior='b' flagsAll='F1 F2 F3 F4 !F5'/><Decider name='B' behavior='b' flagsAny='F30 F31'/>"
      "<Decider name='C' behavior='b' flagsAll='F1 F2 F3 F4' flagsAny='F5'/><Decider name='D' behavior='b'/>"
      "<Decider name='E' behavior='b'/></Group></DeciderTree>";
  const ModelDeciderTree tree = deciders_of(text);
  Compiled compiled;
  compile(ir_of(tree), compiled);
  espalier::explore::Options options;
  options.budget.threads = 1;
  const espalier::explore::Cover cover = espalier::explore::cover(compiled.asset, {"T"}, options);
  REQUIRE(cover.trees.size() == 1);
  std::string steps;
  for (const espalier::explore::Item& item : cover.trees[0].items) {
    if (item.reached != espalier::explore::Reached::yes) continue;
    steps += item.name + ' ' + std::to_string(item.steps) + ' ';
  }
  CHECK(steps == "R 1 A 2 B 2 C 2 D 1 E 2 ");
  CHECK(cover.trees[0].is_complete);
}

TEST_CASE("answers that one version has not come to are no answers of its later updates") {
  const std::string begin =
      "<DeciderTree name='T'><DecisionFlags><Flag name='F'/></DecisionFlags>"
      "<Behaviors><Behavior name='b'/></Behaviors>";
  const auto pair = GENERATE(
      std::pair("<Group name='R' policy='shuffle'><Decider name='A' behavior='b' every='0.2'/>"
                "<Decider name='B' behavior='b' decide='d0' every='1'/></Group></DeciderTree>",
                "<Group name='R' policy='shuffle'><Decider name='A' behavior='b' decide='d0' every='0.2'/>"
                "<Decider name='B' behavior='b' decide='d0' every='1'/></Group></DeciderTree>"),
      std::pair("<Group name='R' policy='prioritizedList'><Decider name='A' behavior='b' decide='d1' flagsAll='F'/>"
                "<Decider name='B' behavior='b' decide='d0'/><Decider name='C' behavior='b' decide='d1'/></Group>"
                "</DeciderTree>",
                "<Group name='R' policy='prioritizedList'><Decider name='A' behavior='b' decide='d1' flagsAll='F'/>"
                "<Decider name='B' behavior='b' decide='d0'/><Decider name='C' behavior='b' decide='d0'/></Group>"
                "</DeciderTree>"));
  const ModelDeciderTree before = deciders_of(begin + pair.first);
  const ModelDeciderTree after = deciders_of(begin + pair.second);
  Compiled old_trees;
  Compiled new_trees;
  compile(ir_of(before), old_trees);
  compile(ir_of(after), new_trees);
  Compared compared;
  compare_diff(
      old_trees.asset, new_trees.asset, "T", [&] { return RandomDeciders::agents(before, &after); },
      [&] { return RandomDeciders::agents(after, &before); }, [&] { return text_of(before) + text_of(after); },
      compared);
  CHECK(compared.by_wide_choices > 0);
}

}  // namespace explore_deciders
