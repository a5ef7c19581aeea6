// Decider trees as XML: printed for messages, and read for trees that are written by hand.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <pugixml.hpp>
#include <sstream>

#include "runtime_deciders_trees.h"

namespace espalier::test {
namespace {

constexpr const char* kPolicies[] = {"prioritizedList", "sequential", "random", "shuffle", "scored"};

// ---- Printing

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + '"';
}

std::string seconds(std::uint64_t time_us) { return decimal(static_cast<double>(time_us) / 1e6); }

class DeciderPrinter {
 public:
  explicit DeciderPrinter(const ModelDeciderTree& tree) : tree_(tree) {}

  std::string print() {
    text_ = "<DeciderTree name=\"" + tree_.name + "\" maxRedecides=\"" + std::to_string(tree_.max_redecides) + "\">\n";
    std::vector<std::string> entries;
    for (const std::string& flag : tree_.flags) entries.push_back("<Flag" + attribute("name", flag) + "/>");
    section("DecisionFlags", entries);
    for (const ModelStimulus& stimulus : tree_.stimuli) {
      entries.push_back("<Stimulus" + attribute("name", stimulus.name) +
                        attribute("timeout", seconds(stimulus.timeout_us)) + "/>");
    }
    section("Stimuli", entries);
    for (const ModelSignal& signal : tree_.signals) {
      entries.push_back("<Signal" + attribute("name", signal.name) +
                        attribute("stimulus", tree_.stimuli[signal.stimulus].name) + "/>");
    }
    section("SignalStimuli", entries);
    for (const ModelBehavior& behavior : tree_.behaviors) {
      entries.push_back("<Behavior" + attribute("name", behavior.name) +
                        attribute("memory", std::to_string(behavior.memory_bytes)) + "/>");
    }
    section("Behaviors", entries);
    if (!tree_.shared.empty()) text_ += "  <Deciders>\n";
    for (const std::size_t shared : tree_.shared) print_decider(shared, "", 2);
    if (!tree_.shared.empty()) text_ += "  </Deciders>\n";
    print_decider(tree_.root, "", 1);
    return text_ + "</DeciderTree>\n";
  }

 private:
  void section(const char* name, std::vector<std::string>& entries) {
    if (entries.empty()) return;
    text_ += std::string("  <") + name + '>';
    for (const std::string& entry : entries) text_ += ' ' + entry;
    text_ += std::string(" </") + name + ">\n";
    entries.clear();
  }

  template <class Declared>
  std::string words(const char* name, const std::vector<ModelWord>& list, const Declared& declared) {
    std::string value;
    for (const ModelWord& word : list) {
      if (!value.empty()) value += ' ';
      value += (word.is_wanted ? "" : "!") + declared(word.index);
    }
    return list.empty() ? "" : attribute(name, value);
  }

  std::string attributes(const ModelDecider& decider) {
    const auto flag = [&](std::size_t index) { return tree_.flags[index]; };
    const auto stimulus = [&](std::size_t index) { return tree_.stimuli[index].name; };
    std::string text = attribute("name", decider.name);
    if (decider.policy) text += attribute("policy", kPolicies[static_cast<std::size_t>(*decider.policy)]);
    if (decider.behavior) text += attribute("behavior", tree_.behaviors[*decider.behavior].name);
    if (decider.behavior_flags != 0) {
      std::string names;
      for (std::uint32_t bit = 0; bit < 32; ++bit) {
        if ((decider.behavior_flags >> bit & 1) != 0) names += (names.empty() ? "x" : " x") + std::to_string(bit);
      }
      text += attribute("behaviorFlags", names);
    }
    if (!decider.decide.empty()) text += attribute("decide", decider.decide);
    if (decider.block_bytes != 0) text += attribute("block", std::to_string(decider.block_bytes));
    if (decider.delegates) text += attribute("delegate", "true");
    if (decider.decides_on_redecide) text += attribute("decideOnRedecide", "true");
    if (decider.every_us) text += attribute("every", seconds(*decider.every_us));
    return text + words("flagsAll", decider.flags_all, flag) + words("flagsAny", decider.flags_any, flag) +
           words("stimuliAll", decider.stimuli_all, stimulus) + words("stimuliAny", decider.stimuli_any, stimulus);
  }

  void print_decider(std::size_t index, const std::string& weight, std::size_t depth) {
    const ModelDecider& decider = tree_.deciders[index];
    const std::string indent(2 * depth, ' ');
    text_ += indent + (decider.policy ? "<Group" : "<Decider") + attributes(decider) + weight;
    if (!decider.policy) {
      text_ += "/>\n";
      return;
    }
    text_ += ">\n";
    for (const ModelChild& child : decider.children) {
      const std::string its_weight = child.weight == 1 ? "" : attribute("weight", std::to_string(child.weight));
      if (std::find(tree_.shared.begin(), tree_.shared.end(), child.decider) == tree_.shared.end()) {
        print_decider(child.decider, its_weight, depth + 1);
      } else {
        text_ += indent + "  <DeciderRef" + attribute("name", tree_.deciders[child.decider].name) + its_weight + "/>\n";
      }
    }
    text_ += indent + "</Group>\n";
  }

  const ModelDeciderTree& tree_;
  std::string text_;
};

// ---- Reading

std::vector<std::string> words_of(const pugi::xml_attribute& attribute) {
  std::istringstream stream(attribute.value());
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::uint64_t microseconds(const pugi::xml_attribute& attribute) {
  return static_cast<std::uint64_t>(std::llround(attribute.as_double() * 1e6));
}

// Reads valid text; any other text may give any tree.
class DeciderReader {
 public:
  ModelDeciderTree read(const pugi::xml_node& source) {
    tree_.name = source.attribute("name").value();
    tree_.max_redecides = source.attribute("maxRedecides").as_uint(16);
    for (const pugi::xml_node& flag : source.child("DecisionFlags")) {
      tree_.flags.emplace_back(flag.attribute("name").value());
    }
    for (const pugi::xml_node& stimulus : source.child("Stimuli")) {
      tree_.stimuli.push_back({stimulus.attribute("name").value(), microseconds(stimulus.attribute("timeout"))});
    }
    for (const pugi::xml_node& signal : source.child("SignalStimuli")) {
      tree_.signals.push_back({signal.attribute("name").value(), stimulus(signal.attribute("stimulus").value())});
    }
    for (const pugi::xml_node& behavior : source.child("Behaviors")) {
      tree_.behaviors.push_back({behavior.attribute("name").value(), behavior.attribute("memory").as_uint()});
    }
    for (const pugi::xml_node& shared : source.child("Deciders")) tree_.shared.push_back(child(shared).decider);
    tree_.root = child(source.child("Group")).decider;
    return std::move(tree_);
  }

 private:
  std::size_t flag(const std::string& name) const { return index_in(tree_.flags, name); }
  std::size_t stimulus(const std::string& name) const { return stimulus_of(tree_, name); }
  std::size_t behavior(const std::string& name) {
    std::size_t index = 0;
    while (index < tree_.behaviors.size() && tree_.behaviors[index].name != name) ++index;
    if (index == tree_.behaviors.size()) tree_.behaviors.push_back({name, 0});
    return index;
  }
  static std::size_t index_in(const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  template <class Declared>
  std::vector<ModelWord> words(const pugi::xml_attribute& attribute, const Declared& declared) {
    std::vector<ModelWord> list;
    for (const std::string& word : words_of(attribute)) {
      const bool is_wanted = word[0] != '!';
      list.push_back({declared(is_wanted ? word : word.substr(1)), is_wanted});
    }
    return list;
  }

  // A decider's index is given when its name is first met, which may be by a reference.
  std::size_t index_of(const std::string& name) {
    const auto added = indices_.emplace(name, tree_.deciders.size());
    if (added.second) tree_.deciders.emplace_back();
    return added.first->second;
  }

  ModelChild child(const pugi::xml_node& source) {
    const std::string name = source.attribute("name").value();
    const ModelChild placed = {index_of(name), source.attribute("weight").as_uint(1)};
    if (source.name() == std::string("DeciderRef")) return placed;
    ModelDecider made;
    made.name = name;
    if (const pugi::xml_attribute used = source.attribute("behavior")) made.behavior = behavior(used.value());
    for (const std::string& word : words_of(source.attribute("behaviorFlags"))) {
      const std::size_t bit = index_in(behavior_flags_, word);
      if (bit == behavior_flags_.size()) behavior_flags_.push_back(word);
      made.behavior_flags |= 1U << bit;
    }
    made.decide = source.attribute("decide").value();
    made.block_bytes = source.attribute("block").as_uint();
    if (const pugi::xml_attribute every = source.attribute("every")) made.every_us = microseconds(every);
    const auto flag_of = [this](const std::string& word) { return flag(word); };
    const auto stimulus_of = [this](const std::string& word) { return stimulus(word); };
    made.flags_all = words(source.attribute("flagsAll"), flag_of);
    made.flags_any = words(source.attribute("flagsAny"), flag_of);
    made.stimuli_all = words(source.attribute("stimuliAll"), stimulus_of);
    made.stimuli_any = words(source.attribute("stimuliAny"), stimulus_of);
    if (const pugi::xml_attribute policy = source.attribute("policy")) {
      const auto* const found = std::find(std::begin(kPolicies), std::end(kPolicies), std::string(policy.value()));
      made.policy = static_cast<ModelPolicy>(found - std::begin(kPolicies));
    }
    made.delegates = source.attribute("delegate").as_bool();
    made.decides_on_redecide = source.attribute("decideOnRedecide").as_bool();
    for (const pugi::xml_node& below : source) made.children.push_back(child(below));
    tree_.deciders[placed.decider] = std::move(made);
    return placed;
  }

  ModelDeciderTree tree_;
  std::map<std::string, std::size_t> indices_;
  std::vector<std::string> behavior_flags_;
};

}  // namespace

std::string text_of(const ModelDeciderTree& tree) { return DeciderPrinter(tree).print(); }

std::size_t stimulus_of(const ModelDeciderTree& tree, const std::string& name) {
  std::size_t index = 0;
  while (tree.stimuli[index].name != name) ++index;
  return index;
}

ModelDeciderTree deciders_of(const std::string& xml) {
  pugi::xml_document document;
  document.load_string(xml.c_str());
  return DeciderReader().read(document.first_child());
}

ModelDeciderTree tree_of(const std::string& root, const std::string& shared, int max_redecides) {
  return deciders_of("<DeciderTree name='T' maxRedecides='" + std::to_string(max_redecides) +
                     "'>"
                     "<DecisionFlags><Flag name='P'/><Flag name='Q'/></DecisionFlags>"
                     "<Stimuli><Stimulus name='Hit' timeout='2'/><Stimulus name='Calm'/></Stimuli>"
                     "<SignalStimuli><Signal name='OnHit' stimulus='Hit'/>"
                     "<Signal name='OnHit' stimulus='Calm'/></SignalStimuli>"
                     "<Behaviors><Behavior name='a' memory='3'/></Behaviors>"
                     "<Deciders>" +
                     shared + "</Deciders>" + root + "</DeciderTree>");
}

}  // namespace espalier::test
