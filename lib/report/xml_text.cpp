// Writing XML. See xml_text.h.
#include "report/xml_text.h"

#include <cstdint>

#include "text/characters.h"
#include "text/visible.h"

namespace espalier::report {

std::string xml_text(std::string_view text, std::string_view plain) {
  std::string result;
  for (std::size_t offset = 0; offset < text.size();) {
    const text::Character character = text::character_at(text, offset);
    const char32_t code = character.is_valid && text::is_xml_character(character.code) ? character.code : 0xFFFD;
    const auto is_one_of = [&](std::string_view letters) {
      return code < 0x80 && letters.find(static_cast<char>(code)) != std::string_view::npos;
    };
    if (code == 0xFFFD) {
      result += "\xEF\xBF\xBD";
    } else if (!is_one_of(plain) && (code < 0x20 || is_one_of("&<>\"'") || text::is_hidden(code))) {
      result += "&#" + std::to_string(static_cast<std::uint32_t>(code)) + ';';
    } else {
      result += text.substr(offset, character.size_bytes);
    }
    offset += character.size_bytes;
  }
  return result;
}

std::string xml_attribute(std::string_view name, std::string_view value) {
  return ' ' + std::string(name) + "=\"" + xml_text(value) + '"';
}

std::string xml_attribute(std::string_view name, std::size_t value) {
  return xml_attribute(name, std::to_string(value));
}

std::string xml_counts(const XmlCounts& counts) {
  std::string text = xml_attribute("tests", counts.tests) + xml_attribute("failures", counts.failures) +
                     xml_attribute("errors", counts.errors);
  return counts.skipped == 0 ? text : text + xml_attribute("skipped", counts.skipped);
}

std::string xml_element(const std::string& name, const std::string& attributes, std::string_view text) {
  return "      <" + name + attributes + '>' + xml_text(text, "\n\"'") + "</" + name + ">\n";
}

}  // namespace espalier::report
