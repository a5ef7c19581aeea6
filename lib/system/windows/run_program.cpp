// Runs another program, with files. See run_program.h.
#include "system/run_program.h"

#include <algorithm>

#include "system/reason.h"
#include "system/windows/windows.h"

namespace espalier::system {
namespace {

// As programs take a command line apart: in quotes, with a backslash before quotes, and before backslashes before
// these.
std::string quoted(const std::string& word) {
  std::string result = "\"";
  std::size_t backslashes = 0;
  for (const char letter : word) {
    if (letter == '"') result.append(backslashes + 1, '\\');
    backslashes = letter == '\\' ? backslashes + 1 : 0;
    result += letter;
  }
  return result.append(backslashes, '\\') + '"';
}

// "NAME=value" with a zero after each, sorted by name as the system wants them, and those of this program after them.
std::wstring environment_with(const std::vector<std::string>& variables) {
  std::vector<std::wstring> all;
  const auto name_of = [](const std::wstring& variable) { return variable.substr(0, variable.find(L'=', 1)); };
  const auto is_same = [&](const std::wstring& left, const std::wstring& right) {
    return CompareStringOrdinal(name_of(left).c_str(), -1, name_of(right).c_str(), -1, TRUE) == CSTR_EQUAL;
  };
  for (const std::string& variable : variables) all.push_back(wide(variable));
  wchar_t* const own = GetEnvironmentStringsW();
  for (const wchar_t* at = own; at != nullptr && *at != L'\0'; at += std::wstring_view(at).size() + 1) {
    const std::wstring variable = at;
    const auto is_this = [&](const std::wstring& each) { return is_same(each, variable); };
    if (std::none_of(all.begin(), all.end(), is_this)) all.push_back(variable);
  }
  FreeEnvironmentStringsW(own);
  std::sort(all.begin(), all.end(), [&](const std::wstring& left, const std::wstring& right) {
    return CompareStringOrdinal(name_of(left).c_str(), -1, name_of(right).c_str(), -1, TRUE) == CSTR_LESS_THAN;
  });
  std::wstring block;
  for (const std::wstring& variable : all) block += variable + L'\0';
  return block + L'\0';
}

// A file that the program inherits.
Handle inherited(const std::string& path, DWORD access, DWORD disposition) {
  SECURITY_ATTRIBUTES inherits = {sizeof inherits, nullptr, TRUE};
  return Handle(CreateFileW(wide_path(path).c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                            &inherits, disposition, FILE_ATTRIBUTE_NORMAL, nullptr));
}

}  // namespace

std::optional<int> run_with_files(std::vector<std::string> words, std::vector<std::string> variables,
                                  const std::string& in, const std::string& out, const std::string& errors,
                                  std::string* reason) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted(word);
  std::wstring command = wide(line);
  std::wstring environment = environment_with(variables);
  Handle input_file = inherited(in, GENERIC_READ, OPEN_EXISTING);
  Handle output_file = inherited(out, GENERIC_WRITE, CREATE_ALWAYS);
  Handle error_file = inherited(errors, GENERIC_WRITE, CREATE_ALWAYS);
  STARTUPINFOW how = {};
  how.cb = sizeof how;
  how.dwFlags = STARTF_USESTDHANDLES;
  how.hStdInput = input_file.get();
  how.hStdOutput = output_file.get();
  how.hStdError = error_file.get();
  PROCESS_INFORMATION process = {};
  if (CreateProcessW(nullptr, command.data(), nullptr, nullptr, TRUE, CREATE_UNICODE_ENVIRONMENT | CREATE_NO_WINDOW,
                     environment.data(), nullptr, &how, &process) == 0) {
    const std::error_code error = last_error();
    const bool is_none = error == std::errc::no_such_file_or_directory;
    *reason = is_none ? std::string() : "cannot run " + words.front() + ": " + reason_of(error);
    return std::nullopt;
  }
  const Handle thread(process.hThread);
  const Handle running(process.hProcess);
  for (Handle* const file : {&input_file, &output_file, &error_file}) file->close();
  WaitForSingleObject(running.get(), INFINITE);
  DWORD status = 0;
  GetExitCodeProcess(running.get(), &status);
  return static_cast<int>(status);
}

}  // namespace espalier::system
