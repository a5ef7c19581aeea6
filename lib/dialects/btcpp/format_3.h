// Format 3 of files: what the library's version 3 called otherwise, and how to rewrite it.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "dialects/btcpp/poll.h"
#include "dialects/dialect.h"
#include "dialects/reading/reporter.h"
#include "text/finding.h"
#include "text/xml.h"

namespace espalier::dialects::btcpp {

// What a name of format 3 is called now; empty: it is none.
[[nodiscard]] std::string_view new_name_of_node(std::string_view name);
[[nodiscard]] std::string_view new_name_of_port(std::string_view name);
[[nodiscard]] std::string_view new_name_of_attribute(std::string_view name);

// Is it a node of version 3 that nothing does the work of in version 4?
[[nodiscard]] bool has_no_successor(std::string_view node);

// Can the file only be of format 3? The first place that shows it, for a file that says "3" or nothing: the library
// does not look at what it says.
[[nodiscard]] std::optional<Span> mark_of_format_3(const Element& root);

// The node of version 3 that an unknown name is a slip of the finger for, where version 4 has none of that name; empty:
// none.
[[nodiscard]] std::string_view node_of_format_3_near(std::string_view name);

// A node that the library had in version 3, has no more, and that files of that version may use; null: it is none.
[[nodiscard]] const Declaration* find_node_of_format_3(std::string_view name);

// The edits that rewrite a file of format 3; none if it says that it is of another one. `nodes`: what others than the
// file declare.
[[nodiscard]] std::vector<text::Edit> edits_from_format_3(const text::XmlDocument& document, const Declarations& nodes);

// For those who rewrite files without reading them as a project.
[[nodiscard]] Migration migration_from_format_3();

}  // namespace espalier::dialects::btcpp
