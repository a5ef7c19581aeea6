// Trees of BehaviorTree.CPP 4, as Nav2 and MoveIt Pro load them. A file holds trees, models of the host's nodes, and
// includes; all files together are one project.
#include <string>
#include <string_view>
#include <vector>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/format_3.h"
#include "dialects/btcpp/host_rows.h"
#include "dialects/btcpp/options.h"
#include "dialects/btcpp/poll.h"
#include "dialects/btcpp/project_reader.h"
#include "dialects/dialect.h"
#include "system/filesystem.h"

namespace espalier::dialects::btcpp {
namespace {

namespace fs = system::filesystem;

bool owns(std::string_view root_element) { return root_element == kRootElement; }

bool has_node(std::string_view element) {
  return find_library_node(element) != nullptr || kind_of_tag(element).has_value();
}

bool is_part(std::string_view name) { return name == kTreeElement || name == kModelElement || name == kIncludeElement; }

// Many other formats have the root element "root".
bool is_tree(const text::XmlDocument& document) {
  const Element root = document.root();
  if (!root || root.attribute("BTCPP_format") || root.attribute("main_tree_to_execute")) return true;
  for (Element child = root.first_child(); child; child = child.next_sibling()) {
    if (is_part(child.name())) return true;
  }
  return false;
}

std::vector<std::string> includes(const text::XmlDocument& document, const std::string& path, const Options& options) {
  std::vector<std::string> paths;
  if (document.source().text().find(kIncludeElement) == std::string_view::npos) return paths;
  const Element root = document.root();
  for (Element child = root ? root.first_child() : root; child; child = child.next_sibling()) {
    if (child.name() != kIncludeElement) continue;
    std::string& target = paths.emplace_back();
    const Attribute written = child.attribute("path");
    if (!written || written.value().empty()) continue;
    fs::path folder = fs::path(path).parent_path();
    if (const Attribute package = child.attribute("ros_pkg")) {
      const auto& packages = options.of<BtcppOptions>().packages;
      const auto known = packages.find(package.value());
      if (known == packages.end()) {
        target.append(kPackageScheme).append(package.value()).append("/").append(written.value());
        continue;
      }
      folder = known->second;
    }
    target = (folder / fs::path(written.value())).generic_string();
  }
  return paths;
}

}  // namespace

Dialect dialect() {
  static const Migration kFromFormat3 = migration_from_format_3();
  Dialect dialect{layout::Dialect::btcpp, "btcpp", "BTC", owns, has_node, table, declare, read_project, configuration(),
                  {.is_lenient = true},   is_tree};
  dialect.includes = includes;
  dialect.migration = &kFromFormat3;
  dialect.is_joined = true;
  return dialect;
}

}  // namespace espalier::dialects::btcpp
