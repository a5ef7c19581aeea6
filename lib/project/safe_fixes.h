// Which fixes that guess what was meant are safe: the one place that decides it. lib/rewrite/README.md says the same in
// words.
#pragma once
#include <string_view>

#include "project/misspelt_declarations.h"
#include "text/finding.h"
#include "text/source.h"

namespace espalier::project {

// Is `written` a slip of the finger for `meant`? The two differ in case, or in one word of at least five letters two
// neighbours are swapped or an inner letter is doubled, or in one of at least six an inner letter is lost. Words end at
// capitals and at whatever is no letter. What differs otherwise may be another name that somebody meant: with another
// number, a prefix such as "un", an ending such as "s", or another word.
[[nodiscard]] bool is_slip(std::string_view written, std::string_view meant);

// May one be the other misspelt, as far as the names tell? Less certain than a slip of the finger: any letters may
// differ, but not a number, a prefix that turns a word around, or a whole word.
[[nodiscard]] bool may_be_slip(std::string_view written, std::string_view meant);

// Lowers the grade of each fix that a reader took for safe, and that guesses what somebody may not have meant. Files of
// which a dialect knows nothing but the root element are somebody else's: they get no such fixes. Names that are
// declared are counted in all sources: of two spellings the odd one out is misspelt, and if that is the declaration,
// the findings of its uses become one finding there.
void settle_guesses(const text::Sources& sources, const DeclaringFiles& declaring, text::Findings& findings);

}  // namespace espalier::project
