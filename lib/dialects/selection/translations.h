// Leaf translations: the behaviour of each leaf of a tree.
#pragma once
#include <vector>

#include "dialects/reading/reporter.h"
#include "ir/draft.h"

namespace espalier::dialects::selection {

// One `Map`. A missing attribute, which has been reported, is empty.
struct TranslationMap {
  UseIndex use;
  Attribute node;
  Attribute target;
};

// One `LeafTranslations`, in file order.
struct TranslationSection {
  std::vector<TranslationMap> maps;
};

// Gives each leaf below `root`, if there is one, its behaviour, and reports maps that are repeated or have no effect.
// With `may_lack_leaves` a map that matches no leaf is not reported: a reported fault may have hidden the leaf.
void translate_leaves(ir::Draft* root, const std::vector<TranslationSection>& sections, bool may_lack_leaves,
                      Reporter& reporter);

}  // namespace espalier::dialects::selection
