// Entries that were sampled while a log was written, as what the program's nodes wrote then.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "live/formats/log.h"
#include "live/logged_tree.h"

namespace espalier::live {

class SampledValues {
 public:
  // Adds the sampled values to those that the nodes of the tree may write. A sample is of a node's result if nothing
  // that may write the entry changed between the two, nor near the sample: whoever asks is not quite in time with the
  // program.
  SampledValues(LoggedTree& tree, const Log& log);

  bool is_empty() const { return known_.empty(); }
  // What the node wrote with this change of the log: 1 + the number of its LoggedNode::outputs; 0: it is not known.
  std::uint32_t outputs_of(std::uint32_t node, std::uint32_t change) const;

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known_;  // by node and change
};

}  // namespace espalier::live
