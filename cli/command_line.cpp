// Reads command lines. See command_line.h.
#include "cli/command_line.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include "cli/usage_faults.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

std::vector<std::string> split(std::string_view words) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find('|', begin), words.size());
    result.emplace_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

// Windows has two separators, and letters of drives in two cases. Everything else has one name for a file.
[[maybe_unused]] std::string with_slashes(std::string& path) {
  path = system::filesystem::path(path).generic_string();
  if (path.size() > 1 && path[1] == ':' && path[0] >= 'a' && path[0] <= 'z')
    path[0] = static_cast<char>(path[0] - 'a' + 'A');
  return {};
}

}  // namespace

CLI::Option* takes(CLI::Option* option, const std::string& name) {
  constexpr std::string_view kPaths[] = {"DIR", "FILE", "FOLDER", "PATH"};
  const bool is_path = std::find(std::begin(kPaths), std::end(kPaths), name) != std::end(kPaths);
  if constexpr (system::filesystem::path::preferred_separator != '/') {
    if (is_path) option->transform(CLI::Validator(with_slashes, ""));
  }
  return option->type_name(name);
}

CLI::Option* takes_one_of(CLI::Option* option, const std::string& name, const std::string& words) {
  const auto check = [option, words = split(words)](std::string& value) -> std::string {
    if (std::find(words.begin(), words.end(), value) != words.end()) return {};
    const std::string hint = text::did_you_mean(value, {words.begin(), words.end()});
    return text::quote(value) + " is not a valid value for " + quoted_name(*option) + kHintMark +
           (hint.empty() ? one_of(words) : hint);
  };
  return option->type_name(name + "=" + words)->check(CLI::Validator(check, ""));
}

CLI::Option* takes_number(CLI::Option* option, const std::string& name, std::uint64_t first, std::uint64_t last) {
  const auto check = [option, first, last](std::string& value) -> std::string {
    std::uint64_t number = 0;
    const char* end = value.data() + value.size();
    const auto [parsed, fault] = std::from_chars(value.data(), end, number);
    if (fault == std::errc() && parsed == end && first <= number && number <= last) return {};
    return text::quote(value) + " is not a valid value for " + quoted_name(*option) + kHintMark +
           "a whole number from " + std::to_string(first) + " to " + std::to_string(last);
  };
  return option->type_name(name)->check(CLI::Validator(check, ""));
}

std::string value_name(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  return name.substr(0, name.find('='));
}

std::vector<std::string> value_words(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  const std::size_t mark = name.find('=');
  return mark == std::string::npos ? std::vector<std::string>() : split(std::string_view(name).substr(mark + 1));
}

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

std::string shown_name(const CLI::Option& option) { return option.get_name(); }

const CLI::App* find_verb(const CLI::App& program, std::string_view name) {
  for (const CLI::App* verb : program.get_subcommands(nullptr)) {
    if (verb->get_name() == name) return verb;
  }
  return nullptr;
}

}  // namespace espalier::cli
