// Synchronized trees read from text in a test: the results and the findings.
#pragma once
#include <string>

#include "dialects/dialect.h"
#include "trees_reading.h"

using SynchronizedReading = TreesReading<espalier::dialects::synchronized::dialect>;

// A tree with these lines in its root, a Selector, from line 2 on.
inline std::string synchronized_tree(const Lines& children, const std::string& attributes = "") {
  std::string result = "<SynchronizedTree name='T'" + attributes + "><Selector>\n";
  for (const std::string& line : children) result += line + '\n';
  return result + "</Selector></SynchronizedTree>\n";
}
