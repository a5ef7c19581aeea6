// How formats based on XML write it.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace espalier::report {

inline constexpr std::string_view kXmlDeclaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

// Text for an attribute or an element. Characters of `plain` are kept. What XML 1.0 cannot represent becomes U+FFFD.
std::string xml_text(std::string_view text, std::string_view plain = {});
// With a space before it: ` name="value"`.
std::string xml_attribute(std::string_view name, std::string_view value);
std::string xml_attribute(std::string_view name, std::size_t value);

// ---- JUnit

struct XmlCounts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;  // written if there are any
};
// As attributes of a suite.
std::string xml_counts(const XmlCounts& counts);
// An element inside a test. Line breaks and quotes are kept.
std::string xml_element(const std::string& name, const std::string& attributes, std::string_view text);

}  // namespace espalier::report
