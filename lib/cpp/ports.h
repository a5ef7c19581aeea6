// The ports that a class of nodes provides: what its providedPorts() returns, as far as it can be read.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpp/classes.h"
#include "text/source.h"

namespace espalier::cpp {

struct Port {
  std::string name;
  std::string type = {};  // empty: any, or not known
  Direction direction = Direction::inout;
  std::optional<std::string> otherwise = {};  // its default, as an attribute would have it
  bool has_default = false;                   // also where the default cannot be read
  std::string doc = {};
  std::optional<text::Span> span = {};  // of its name; none in classes of other packages
};

struct Ports {
  std::vector<Port> all;
  std::optional<text::Span> unread;  // the first place that could not be read: there may be others

  [[nodiscard]] bool is_whole() const { return !unread; }
};

// The ports of a class: of its own providedPorts(), of its nearest base's, or of a base that is known.
[[nodiscard]] Ports ports_of(const Program& program, const UsedClass& of);

// Those of a class that is not among the sources.
[[nodiscard]] Ports ports_of_base(const BaseRow& base);

// What a list of ports is that stands in a function, which is read as far as the list is made there: a list in braces,
// or the name of a variable. Nothing: it is no such list. `of`: the class of the function; nothing: it is of none.
[[nodiscard]] std::optional<Ports> ports_at(const Program& program, const Context& context,
                                            const std::optional<UsedClass>& of, Range body, Range list);

}  // namespace espalier::cpp
