// Words that users bring from other trees, engines and programs: what they mean by an element or an attribute here.
#pragma once
#include <string_view>
#include <vector>

namespace espalier::dialects {

// The only candidate that is another word for `attribute`, without regard to case; empty if there is none, or several.
[[nodiscard]] std::string_view synonym_of_attribute(std::string_view attribute,
                                                    const std::vector<std::string_view>& candidates);
// The same for elements.
[[nodiscard]] std::string_view synonym_of_element(std::string_view element,
                                                  const std::vector<std::string_view>& candidates);
// The same for values that are words; one that contains a candidate means it, too: 'kGroupShuffle'.
[[nodiscard]] std::string_view synonym_of_value(std::string_view value,
                                                const std::vector<std::string_view>& candidates);

}  // namespace espalier::dialects
