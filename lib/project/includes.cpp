// Follows includes. See includes.h.
#include "project/includes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "dialects/btcpp/packages.h"
#include "project/incremental/file_facts.h"
#include "project/place.h"
#include "system/filesystem.h"
#include "text/xml.h"

namespace espalier::project {
namespace {

using Leads = FollowedInclude::Leads;

using dialects::btcpp::kPackageFile;

class Follower {
 public:
  Follower(const dialects::Options& options, const CollectOptions& collecting, const ReadMore& read_more,
           Collection& collection, std::vector<ReadFile>& read)
      : options_(options), collecting_(collecting), read_more_(read_more), collection_(collection), read_(read) {
    for (std::size_t i = 0; i < files().size(); ++i) by_canonical_.emplace(files()[i].canonical, i);
  }

  std::vector<std::vector<FollowedInclude>> follow() {
    for (std::size_t begin = 0; begin < files().size();) {
      const std::size_t end = files().size();
      for (std::size_t i = begin; i < end; ++i) {
        std::vector<FollowedInclude> found;
        for (const std::string& path : of(i)) found.push_back(find(path));
        includes_.push_back(std::move(found));
      }
      const auto first = files().begin() + static_cast<std::ptrdiff_t>(end);
      std::vector<ReadFile> more = read_more_({first, files().end()});
      std::move(more.begin(), more.end(), std::back_inserter(read_));
      begin = end;
    }
    if (std::all_of(includes_.begin(), includes_.end(), [](const auto& each) { return each.empty(); }))
      return includes_;
    give_included();
    sort();
    return std::move(includes_);
  }

 private:
  std::vector<InputFile>& files() { return collection_.files; }

  std::vector<std::string> of(std::size_t file) {
    const ReadFile& read = read_[file];
    if (read.facts != nullptr) return read.facts->includes;
    return read.parsed == nullptr ? std::vector<std::string>() : includes_of(files()[file], read.parsed, options_);
  }

  FollowedInclude find(const std::string& path) {
    if (path.empty()) return {};
    if (const std::string in_package = path_in_package(path); !in_package.empty()) return add(in_package);
    if (path.starts_with(dialects::kPackageScheme)) return {};
    if (collecting_.files->is_file(path)) return add(path);
    FollowedInclude include = add(installed_path(path));
    include.is_elsewhere = include.leads != Leads::nowhere;
    return include;
  }

  // The file of a package of the project that is named by kPackageScheme; empty: there is none.
  std::string path_in_package(std::string_view path) {
    if (!path.starts_with(dialects::kPackageScheme)) return {};
    path.remove_prefix(dialects::kPackageScheme.size());
    const std::size_t end = path.find('/');
    return end == std::string_view::npos ? std::string() : file_of_package(path.substr(0, end), path.substr(end + 1));
  }

  // The file of a package of the project that is meant by a path which is right only where the package is installed:
  // what follows the last name of a package. Empty: there is none.
  std::string installed_path(const std::string& path) {
    for (std::size_t end = path.size(); (end = path.rfind('/', end - 1)) != std::string::npos && end != 0;) {
      const std::size_t begin = path.rfind('/', end - 1) + 1;  // 0 if there is no '/'
      const std::string_view all = path;
      std::string found = file_of_package(all.substr(begin, end - begin), all.substr(end + 1));
      if (!found.empty()) return found;
    }
    return {};
  }

  std::string file_of_package(std::string_view package, std::string_view path) {
    if (!has_packages_) find_packages();
    const auto [first, last] = packages_.equal_range(package);
    for (auto known = first; known != last; ++known) {
      std::string file = known->second + '/' + std::string(path);
      if (collecting_.files->is_file(file)) return file;
    }
    return {};
  }

  // Those of the files, and those beside them in a workspace.
  void find_packages() {
    has_packages_ = true;
    std::set<std::string> folders;
    std::set<std::string> workspaces;
    for (const InputFile& file : files()) {
      if (!file.open_path.ends_with(kPackageFile)) continue;
      const std::string folder = file.open_path.substr(0, file.open_path.size() - kPackageFile.size());
      folders.insert(folder);
      workspaces.insert(folder.substr(0, folder.rfind('/')));
    }
    for (const std::string& workspace : workspaces) {
      std::error_code error;
      for (const auto& entry : system::filesystem::directory_iterator(workspace, error))
        folders.insert(entry.path().generic_string());
    }
    for (const std::string& folder : folders) add_package(folder);
  }

  // By its name, and that of its folder.
  void add_package(const std::string& folder) {
    const std::string path = folder + std::string(kPackageFile);
    std::string bytes, error;
    if (!collecting_.files->is_file(path) || !collecting_.files->read(path, text::kMaxFileBytes, bytes, error)) return;
    packages_.emplace(folder.substr(folder.rfind('/') + 1), folder);
    const std::string name = name_of_package(path, std::move(bytes));
    if (!name.empty()) packages_.emplace(name, folder);
  }

  static std::string name_of_package(const std::string& path, std::string bytes) {
    const auto parsed = ParsedFiles(0).parse(path, std::move(bytes));
    if (!parsed->has_document) return {};
    const text::XmlDocument document(parsed, 0);
    const text::Element root = document.root();
    for (text::Element child = root ? root.first_child() : root; child; child = child.next_sibling()) {
      if (child.name() != "name") continue;
      std::string name;
      for (const text::TextPiece& piece : child.text()) name += piece.text;
      std::erase_if(name, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
      return name;
    }
    return {};
  }

  // Adds the file, if it is new.
  FollowedInclude add(const std::string& path) {
    if (path.empty()) return {};
    std::vector<std::string> errors;
    Collection found = collect({path}, {}, collecting_, errors);
    if (!errors.empty()) return {};
    if (found.files.empty()) return {Leads::to_what_is_left_out};
    InputFile& file = found.files.front();
    const auto [known, is_new] = by_canonical_.emplace(file.canonical, files().size());
    if (is_new) {
      file.is_named = false;  // what is no tree is not read
      file.is_rest = true;    // until a given file includes it
      files().push_back(std::move(file));
    }
    return {Leads::to_file, known->second};
  }

  void give_included() {
    std::vector<std::size_t> given;
    for (std::size_t i = 0; i < files().size(); ++i) {
      if (!files()[i].is_rest) given.push_back(i);
    }
    while (!given.empty()) {
      const std::size_t file = given.back();
      given.pop_back();
      for (const FollowedInclude& include : includes_[file]) {
        if (include.leads != Leads::to_file || !files()[include.file].is_rest) continue;
        files()[include.file].is_rest = false;
        given.push_back(include.file);
      }
    }
  }

  // By path, as the collection was.
  void sort() {
    std::vector<std::size_t> order(files().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return files()[a].shown < files()[b].shown; });
    std::vector<std::size_t> places(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
    std::vector<InputFile> files_in_order;
    std::vector<ReadFile> read_in_order;
    std::vector<std::vector<FollowedInclude>> includes_in_order;
    for (const std::size_t i : order) {
      files_in_order.push_back(std::move(files()[i]));
      read_in_order.push_back(std::move(read_[i]));
      includes_in_order.push_back(std::move(includes_[i]));
      for (FollowedInclude& include : includes_in_order.back()) include.file = places[include.file];
    }
    files() = std::move(files_in_order);
    read_ = std::move(read_in_order);
    includes_ = std::move(includes_in_order);
  }

  const dialects::Options& options_;
  const CollectOptions& collecting_;
  const ReadMore& read_more_;
  Collection& collection_;
  std::vector<ReadFile>& read_;
  std::unordered_map<std::string, std::size_t> by_canonical_;
  std::multimap<std::string, std::string, std::less<>> packages_;  // folders by names
  bool has_packages_ = false;
  std::vector<std::vector<FollowedInclude>> includes_;
};

}  // namespace

std::vector<std::string> includes_of(const InputFile& file, const std::shared_ptr<const text::ParsedXml>& parsed,
                                     const dialects::Options& options) {
  if (!parsed->has_document) return {};
  const text::XmlDocument document(parsed, 0);
  const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
  if (dialect == nullptr || dialect->includes == nullptr) return {};
  return dialect->includes(document, place_in_project(file, {}).path, options);
}

std::vector<std::vector<FollowedInclude>> follow_includes(const dialects::Options& options,
                                                          const CollectOptions& collecting, const ReadMore& read_more,
                                                          Collection& collection, std::vector<ReadFile>& read) {
  return Follower(options, collecting, read_more, collection, read).follow();
}

}  // namespace espalier::project
