// Runs that share the work. See shard.h.
#include "cli/shard.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <ios>
#include <optional>
#include <string_view>

#include "cli/command_line.h"
#include "system/environment.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

constexpr std::size_t kMaxShards = 1'000'000;

std::optional<std::size_t> whole(std::string_view text) {
  std::size_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size() || number > kMaxShards) return std::nullopt;
  return number;
}

std::string variable(const char* name) { return system::variable(name).value_or(""); }

// "2/3". Nothing: it is none.
std::optional<Shard> parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::optional<std::size_t> index = whole(text.substr(0, slash));
  const std::optional<std::size_t> count = whole(text.substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count) return std::nullopt;
  return Shard{*index, *count};
}

bool read_environment(Shard* shard) {
  const std::string total = variable("TEST_TOTAL_SHARDS");
  if (total.empty()) return true;
  const std::string index = variable("TEST_SHARD_INDEX");
  const std::optional<std::size_t> number = whole(index);
  const std::optional<std::size_t> count = whole(total);
  if (!number || !count || *number >= *count) {
    fail("TEST_SHARD_INDEX " + text::quote(index) + " and TEST_TOTAL_SHARDS " + text::quote(total) + " are not a shard",
         "the index counts from 0, and is less than the total");
    return false;
  }
  *shard = {*number + 1, *count};
  const std::string status_file(variable("TEST_SHARD_STATUS_FILE"));
  if (status_file.empty() || std::ofstream(system::native(status_file), std::ios::app)) return true;
  fail("cannot create " + text::quote(status_file) + ", which TEST_SHARD_STATUS_FILE names: " + std::strerror(errno));
  return false;
}

}  // namespace

std::pair<std::size_t, std::size_t> Shard::part_of(std::size_t thing_count) const {
  return {thing_count * (index - 1) / count, thing_count * index / count};
}

void add_shard_option(CLI::App& verb, const std::string& things, std::string& option) {
  takes(verb.add_option("--shard", option,
                        "runs only part I of N of the " + things +
                            ", such as 1/3; 'espalier merge' joins the reports. Default: TEST_SHARD_INDEX and "
                            "TEST_TOTAL_SHARDS, which Bazel sets"),
        "I/N")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return parse(text) ? std::string()
                               : text::quote(text) + " is not a part, such as 1/3 for the first of three";
          },
          ""));
}

bool read_shard(const std::string& option, Shard* shard) {
  if (option.empty()) return read_environment(shard);
  *shard = parse(option).value_or(Shard());
  return true;
}

}  // namespace espalier::cli
