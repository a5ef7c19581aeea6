// Follows includes. See includes.h.
#include "project/includes.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "project/incremental/file_facts.h"
#include "project/place.h"
#include "text/xml.h"

namespace espalier::project {
namespace {

using Leads = FollowedInclude::Leads;

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

  // Adds the file, if it is new.
  FollowedInclude find(const std::string& path) {
    if (path.empty() || !collecting_.files->is_file(path)) return {};
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
