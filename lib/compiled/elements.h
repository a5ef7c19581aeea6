// Elements of two versions of trees: what they are called, what they say, and their text. Some trees have other names
// in the new version.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/xml.h"

namespace espalier::compiled {

// Does the root of a file hold several trees? Only that of BehaviorTree.CPP does.
bool holds_trees(const text::Element& root);
// "Recovery", "Go": how people call it.
std::string word_of(const text::Element& element);
// The text between its tags, if it is not blank.
std::string text_in(const text::Element& element);
// The elements in it.
std::size_t count_below(const text::Element& element);
void end_tag(const text::Element& element, std::string& out);

class RenamedTrees {
 public:
  void add(std::string before, std::string after);
  const std::map<std::string, std::string>& all() const { return after_; }

  // With the new names of trees: the ID or the name of an element; its attributes, sorted by name; and all that it says
  // without what is below.
  std::string identity_of(const text::Element& element) const;
  std::vector<std::pair<std::string, std::string>> attributes_of(const text::Element& element) const;
  std::string own_text(const text::Element& element) const;

  // With the names of one version.
  void begin_tag(const text::Element& element, bool with_new_names, std::string& out) const;

 private:
  std::map<std::string, std::string> after_, before_;  // by the other name
};

}  // namespace espalier::compiled
