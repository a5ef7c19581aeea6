// Checks of a file's root element and its parts.
#pragma once
#include <span>
#include <string_view>

#include "dialects/btcpp/poll.h"
#include "dialects/reading/reporter.h"
#include "text/xml.h"

namespace espalier::dialects::btcpp {

inline constexpr std::string_view kFormat = "4";

// The format is missing, or another one than 4.
void report_format(const Element& root, const Attribute& format, Reporter& reporter);
// Of the root element, an attribute that was probably meant to name the main tree, where none does; else false.
Attribute misspelt_main(const Element& root, Reporter& reporter);
void report_root_attributes(const Element& root, Reporter& reporter);
// An element below the root that nothing reads.
void report_unread(const Element& element, Reporter& reporter);
// Characters in attributes, here and below, that the library's reader takes and others do not.
void note_raw_characters(const Element& element, Reporter& reporter);

// Notes nodes and ports that only other releases of Nav2 than the project's have: one note for a file. `trees`: its
// own.
void note_other_releases(std::span<const WrittenTree> trees, const WrittenProject& project, Reporter& reporter);

}  // namespace espalier::dialects::btcpp
