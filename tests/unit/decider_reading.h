// Trees of deciders read from text in a test: the results and the findings.
#pragma once
#include <string>

#include "dialects/dialect.h"
#include "trees_reading.h"

using DeciderReading = TreesReading<espalier::dialects::decider::dialect>;

// Declarations of trees in tests, on one line: the flags Dead, Night and Herd, the stimuli TookHit and Smell, and the
// behaviours flee, guard and idle.
inline constexpr const char* kDeclarations =
    "<DecisionFlags><Flag name='Dead'/><Flag name='Night'/><Flag name='Herd'/></DecisionFlags>"
    "<Stimuli><Stimulus name='TookHit' timeout='2'/><Stimulus name='Smell'/></Stimuli>"
    "<Behaviors><Behavior name='flee'/><Behavior name='guard' memory='8'/><Behavior name='idle'/></Behaviors>";

// A tree with these lines in its root group, from line 3 on.
inline std::string decider_tree(const Lines& children, const std::string& policy = "prioritizedList",
                                const Lines& behind = {}) {
  std::string result =
      std::string("<DeciderTree name='Guard'>") + kDeclarations + "\n<Group name='Root' policy='" + policy + "'>\n";
  for (const std::string& line : children) result += line + '\n';
  result += "</Group>\n";
  for (const std::string& line : behind) result += line + '\n';
  return result + "</DeciderTree>\n";
}
