// Runs another program, with files. See run_program.h.
#include "system/run_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "system/reason.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): no header of POSIX declares it

namespace espalier::system {
namespace {

// As exec() wants them.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return pointers;
}

}  // namespace

std::optional<int> run_with_files(std::vector<std::string> words, std::vector<std::string> variables,
                                  const std::string& in, const std::string& out, const std::string& errors,
                                  std::string* reason) {
  std::vector<char*> arguments = pointers_to(words);
  arguments.push_back(nullptr);
  std::vector<char*> environment = pointers_to(variables);
  for (char** variable = environ; *variable != nullptr; ++variable) environment.push_back(*variable);
  environment.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t process = 0;
  const int error = posix_spawnp(&process, arguments.front(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    *reason = error == ENOENT ? std::string() : "cannot run " + words.front() + ": " + reason_of(error);
    return std::nullopt;
  }
  int status = 0;
  while (waitpid(process, &status, 0) == -1 && errno == EINTR) {
  }
  // Systems that cannot say at once that there is no such program, such as an emulator's, end its process so.
  constexpr int kNoProgram = 127;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoProgram) {
    reason->clear();
    return std::nullopt;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace espalier::system
