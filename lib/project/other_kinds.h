// Files of another kind than what they are taken for: no XML at all, or the content of another dialect in a root
// element.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "dialects/dialect.h"
#include "text/xml.h"

namespace espalier::project {

// What a robot has recorded: "a log of BehaviorTree.CPP (FileLogger2)", by the first bytes of a file, or by its name
// where they do not tell; empty if it is nothing of that kind.
[[nodiscard]] std::string recording_of(std::string_view path, std::string_view bytes);
inline constexpr std::size_t kRecordingBytes = std::size_t{1} << 16;  // that tell
inline constexpr std::string_view kNoReader = "no command of espalier reads it yet";

// What a named file is that cannot be meant as XML, as a file with this one finding; null if it may be XML.
[[nodiscard]] std::shared_ptr<const text::ParsedXml> not_xml(const std::string& path, std::string_view bytes);

// The root element of another dialect.
struct OtherRoot {
  std::string_view name;    // empty: there is none
  bool is_wrapped = false;  // the nodes stand in a 'Root', which it does not have
};

// The root element to which the whole content of a document belongs, while it is not what `owner`, the dialect of its
// own one, allows there.
[[nodiscard]] OtherRoot other_root(const text::XmlDocument& document, const dialects::Dialect& owner);

}  // namespace espalier::project
