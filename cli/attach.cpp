// espalier attach: shows what the trees of running programs do, as their publishers tell it, and records it. Exit
// status 0; 1 when a program has another tree than the files that were named; 2 when it cannot be watched.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <system_error>

#include "cli/attached.h"
#include "cli/interruption.h"
#include "cli/page_server.h"
#include "cli/pictures.h"
#include "system/filesystem.h"
#include "system/standard_streams.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

constexpr double kLeastRate = 0.01;
constexpr double kMostRate = 1000;
constexpr double kMostSeconds = 1e6;

std::int64_t now_us() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

FindingOptions error_form() { return {.format = "human", .verb = "attach"}; }

// Addresses, and paths.
int split_words(AttachOptions& options, std::vector<Address>& addresses) {
  for (const std::string& word : options.words) {
    if (word.find("://") == std::string::npos) {
      options.common.paths.push_back(word);
      continue;
    }
    const std::optional<Address> address = read_address(word);
    if (!address) return fail(text::quote(word) + " is no address", "write tcp://HOST:PORT");
    addresses.push_back(*address);
  }
  if (!addresses.empty()) return kOk;
  const auto is_missing = [](const std::string& path) {
    std::error_code error;
    return !system::filesystem::exists(path, error);
  };
  const std::vector<std::string>& paths = options.common.paths;
  if (const auto word = std::find_if(paths.begin(), paths.end(), is_missing); word != paths.end())
    return fail(text::quote(*word) + " is neither an address nor a file", "an address is tcp://" + *word);
  return fail("no address is named", "write tcp://HOST:PORT; without a port it is 1667");
}

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

// A number may follow "--page".
int find_page_port(AttachOptions& options) {
  if (!options.has_page) return kOk;
  options.page_port = 0;
  const auto number = std::find_if(options.words.begin(), options.words.end(), is_number);
  if (number == options.words.end()) return kOk;
  const std::string port = *number;
  options.words.erase(number);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), *options.page_port);
  return error == std::errc() ? kOk : fail(text::quote(port) + " is no port", "ports are 1 to 65535");
}

int check(const AttachOptions& options) {
  const auto is_within = [](double number, double least) { return number >= least && number <= kMostRate; };
  if (!is_within(options.rate, kLeastRate)) return fail("the value of '--rate' is not from 0.01 to 1000");
  if (!is_within(options.entries_rate, 0)) return fail("the value of '--entries' is not from 0 to 1000");
  if (!(options.for_seconds >= 0 && options.for_seconds <= kMostSeconds))
    return fail("the value of '--for' is not a number of seconds from 0 to 1000000");
  if (options.is_once && (!options.output.empty() || options.for_seconds > 0))
    return fail("--once takes neither -o nor --for", "it shows what is now, and ends");
  if (options.page_port && options.is_once) return fail("--once takes no --page", "it shows what is now, and ends");
  if (options.output.ends_with(".esprec")) {
    return fail(
        "a program that is watched cannot be recorded as .esprec: it tells which statuses change, but not all "
        "updates and answers",
        "record to a .btlog, which 'espalier import' makes a story, a page or a trace of; a recorder in the "
        "program loses nothing: espalier_recorder.h for BehaviorTree.CPP, espalier/recording.h for espalier's "
        "runtime");
  }
  if (!options.output.empty() && !options.output.ends_with(".btlog"))
    return fail("the file of -o must end in .btlog", "Groot2 and 'espalier import' read it");
  const std::string entries = live::BtlogWriter::entries_path(options.output);
  for (const std::string& path : {options.output, options.entries_rate > 0 ? entries : options.output}) {
    std::error_code error;
    if (!options.output.empty() && system::filesystem::exists(path, error))
      return fail("cannot write " + text::quote(path) + ": it exists already",
                  "a recording is never overwritten: name another file");
  }
  for (const std::string& word : {std::string("conditions"), std::string("idle"), std::string("conditions,idle"),
                                  std::string("idle,conditions"), std::string()}) {
    if (options.hidden == word) return kOk;
  }
  return fail("--hide takes 'conditions', 'idle' or both", "with ',' between them");
}

std::string last_line(const std::vector<std::unique_ptr<Attached>>& programs) {
  std::string line;
  for (const std::unique_ptr<Attached>& program : programs) {
    const std::string running = program->running();
    if (running.empty()) continue;
    line += (line.empty() ? "running: " : "; ") + (program->name().empty() ? std::string() : program->name() + ": ") +
            running;
  }
  constexpr std::size_t kMostColumns = 78;
  return line.substr(0, kMostColumns);
}

// Until it is over, for whatever reason.
// `server`: of the page; null: there is none.
int watch(const AttachOptions& options, std::vector<std::unique_ptr<Attached>>& programs, PageServer* server,
          LiveOutput& output) {
  const Interruption interruption;
  const std::int64_t begin_us = now_us();
  constexpr std::int64_t kSecond_us = 1'000'000;
  constexpr std::int64_t kMostWait_us = kSecond_us / 5;
  const auto end_us = options.for_seconds > 0
                          ? begin_us + static_cast<std::int64_t>(options.for_seconds * static_cast<double>(kSecond_us))
                          : INT64_MAX;
  while (!interruption.has_come() && now_us() < end_us) {
    for (const auto& program : programs) program->ask(now_us());
    std::int64_t next_us = std::min(end_us, now_us() + kMostWait_us);
    std::vector<system::Connection*> connections;
    for (const auto& program : programs) {
      next_us = std::min(next_us, program->next_us());
      if (program->connection() != nullptr) connections.push_back(program->connection());
    }
    const std::int64_t wait_ms = std::max<std::int64_t>(0, next_us - now_us() + 999) / 1000;
    if (server != nullptr) server->add_connections(connections);
    system::wait_for(connections, server == nullptr ? nullptr : &server->listener(), static_cast<int>(wait_ms));
    if (server != nullptr) server->go_on(now_us());
    bool are_done = true;
    for (const auto& program : programs) {
      program->take(now_us());
      if (program->status() != kOk) return program->status();
      are_done = are_done && program->is_done();
    }
    if (are_done) return kOk;
    output.show(last_line(programs));
  }
  for (const auto& program : programs) program->end();
  output.clear();
  return options.for_seconds > 0 ? interruption.status(kOk) : kOk;
}

std::optional<PageServer::Content> content_of(const report::LivePage& page, std::string_view path) {
  if (path.empty()) return PageServer::Content{"text/html; charset=utf-8", page.html()};
  constexpr std::string_view kNews = "news?";
  if (path.starts_with(kNews)) return PageServer::Content{"application/json", page.news(path.substr(kNews.size()))};
  return std::nullopt;
}

int run_attach(AttachOptions& options) {
  std::vector<Address> addresses;
  if (const int status = find_page_port(options); status != kOk) return status;
  if (const int status = split_words(options, addresses); status != kOk) return status;
  if (const int status = check(options); status != kOk) return status;
  LiveOutput output(system::is_terminal(system::Stream::errors) && system::is_terminal(system::Stream::output) &&
                    !options.common.quiet);
  report::LivePage page("live: " + addresses.front().text);
  std::optional<PageServer> server;
  if (options.page_port) {
    server.emplace(*options.page_port, [&](std::string_view path) { return content_of(page, path); });
    if (!server->error().empty())
      return fail("cannot serve the page on port " + std::to_string(*options.page_port) + ": " + server->error(),
                  "without a port, any that is free is taken");
    output.note("page: " + server->address() + '\n');
  }
  std::vector<std::unique_ptr<Attached>> programs;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const std::string name = addresses.size() == 1 ? std::string() : "robot" + std::to_string(i + 1);
    page.add_agent();
    programs.push_back(std::make_unique<Attached>(options, output, server ? &page : nullptr, addresses[i], name,
                                                  static_cast<std::uint32_t>(i)));
  }
  return watch(options, programs, server ? &*server : nullptr, output);
}

}  // namespace

void add_attach(CLI::App& program, int& status) {
  auto options = std::make_shared<AttachOptions>();
  CLI::App* verb = program.add_subcommand("attach", "shows what the tree of a running robot does");
  takes(verb->add_option("ADDRESS", options->words,
                         "tcp://HOST:PORT of a program of BehaviorTree.CPP 4 with a Groot2Publisher (port 1667 "
                         "without one), one or more; then the files of its trees, for their places"),
        "ADDRESS")
      ->required()
      ->expected(-1);
  add_output_options(*verb, options->common);
  takes_one_of(verb->add_option("--format", options->format, "human: the story; jsonl: events"), "FORMAT",
               "human|jsonl")
      ->capture_default_str();
  takes(verb->add_option("-o,--output", options->output,
                         "records to this .btlog, and entries to FILE.entries.jsonl beside it"),
        "FILE");
  takes(verb->add_option("--rate", options->rate, "how often a second changes are asked for"), "HZ")
      ->capture_default_str();
  takes(verb->add_option("--entries", options->entries_rate, "how often a second entries are asked for; 0: never"),
        "HZ")
      ->capture_default_str();
  takes(verb->add_option("--for", options->for_seconds, "ends after so many seconds (default: when interrupted)"),
        "SECONDS");
  verb->add_flag("--page", options->has_page,
                 "shows it in a browser on this machine too, at an address that is printed; a number behind it is the "
                 "port (default: any that is free)");
  verb->add_flag("--once", options->is_once, "shows what runs now and all entries, and ends");
  takes(verb->add_option("--hide", options->hidden, "leaves out: conditions, idle, or both with ',' between them"),
        "KINDS");
  takes(verb->add_option("--only", options->only, "tells these nodes alone: NAME,NAME"), "NAMES");
  takes(verb->add_option("--tree", options->tree, "the tree of the files (default: the program's main tree)"), "NAME");
  verb->add_flag("--any-tree", options->takes_any_tree, "goes on if the program has another tree than the files");
  verb->footer(
      "Examples:\n"
      "  espalier attach tcp://localhost\n"
      "  espalier attach tcp://robot.local:1667 src/my_robot -o run.btlog\n"
      "  espalier attach --once tcp://localhost:1667\n\n"
      "It asks for statuses, changes and entries, and for nothing that holds or changes the program.");
  verb->callback([options, &status] {
    status = run_reported(error_form(), options->common, [&] { return run_attach(*options); });
  });
}

}  // namespace espalier::cli
