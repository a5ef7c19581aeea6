// The words of nodes of trees that poll.
#pragma once
#include <espalier/espalier.hpp>

#include "report/pictures/outline.h"

namespace espalier::report {

// Adds the instance's name, scripts and ports to a node, whose word and name are set.
void add_polled_words(const Tree& tree, PictureNode& node);

}  // namespace espalier::report
