// What is known of a project besides its trees, mostly from espalier.json: what all dialects share, and what each adds.
#pragma once
#include <algorithm>
#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <typeindex>
#include <vector>

#include "dialects/reading/host.h"
#include "text/finding.h"
#include "text/xml.h"

namespace espalier::dialects {

// A file of a project that another dialect reads, or none.
struct OtherFile {
  std::string path;                // as of a File
  std::optional<text::Span> root;  // none: not readable as XML (which has been reported), or skipped
  bool is_tree = true;             // false: it is skipped, since it is something else
  bool has_near_root = false;  // its root element is unknown (which is reported) and similar to one of the dialect's
};

// Readers see only what they need.
struct Options {
  std::vector<std::string> signal_only;               // variables that only signals set ("Var" or "Tree/Var")
  std::vector<std::string> events;                    // declared events, sorted
  std::optional<std::vector<std::string>> behaviors;  // of trees that select, sorted; none: nothing is declared
  std::vector<HostDeclaration> own_behaviors;         // of trees that select and of deciders: their names and times
  std::vector<rules::Rule> lowered;    // rules that are warnings here: the tree is read with the meaning stated
  std::vector<OtherFile> other_files;  // of the project that the dialect does not own
  std::size_t files_elsewhere = 0;     // of the dialect: how many more the project has than are read
  // The files may be only a part of the project. A reference to something that is not in them is reported as
  // XML_unchecked_reference.
  bool is_partial = false;
  // Can one of them belong to the dialect, apart from a fault that has been reported? Then it may declare a name that
  // is not found.
  [[nodiscard]] bool may_lack_files() const {
    return std::any_of(other_files.begin(), other_files.end(),
                       [](const OtherFile& file) { return (!file.root && file.is_tree) || file.has_near_root; });
  }
  std::uint32_t thread_count = 1;  // for reading files; 0: all processors
  // Called with the document of a file that its reader is done with: nothing refers to its elements any more. May be
  // empty. Several threads call it, with different documents.
  std::function<void(const text::XmlDocument& document)> release;

  // A dialect's own options, by their type: ModularOptions in modular/options.h. Their defaults if nothing set them.
  template <typename Own>
  [[nodiscard]] const Own& of() const {
    static const Own kDefaults;
    const auto found = own_.find(typeid(Own));
    return found == own_.end() ? kDefaults : *std::any_cast<Own>(&found->second);
  }
  template <typename Own>
  Own& edit() {
    std::any& own = own_[typeid(Own)];
    if (!own.has_value()) own = Own();
    return *std::any_cast<Own>(&own);
  }

 private:
  std::map<std::type_index, std::any> own_;
};

}  // namespace espalier::dialects
