// Text in Markdown, as GitHub and GitLab show it, in which nothing from outside is markup.
#pragma once
#include <string>
#include <string_view>

namespace espalier::report::markdown {

// A comment of at most this size is accepted everywhere, with room for what is around it.
inline constexpr std::size_t kMaxCommentBytes = 60'000;

// On one line.
std::string plain(std::string_view text);
// The same, as code.
std::string code(std::string_view text);
// A line of XML as a block of code, indented by so many spaces.
std::string xml_block(std::string_view line, std::size_t indent);

}  // namespace espalier::report::markdown
