// The words of the elements that nodes were read from: what is written decides, in the words of its dialect.
#pragma once
#include <vector>

#include "report/pictures/outline.h"
#include "text/source.h"

namespace espalier::report {

// Gives nodes that have a place in one of the files the words of the element there. Trees that poll have those of their
// ports already, with their directions: only subtrees and hooks get more.
void add_element_words(std::vector<PictureTree>& trees, const text::Sources& sources);

}  // namespace espalier::report
