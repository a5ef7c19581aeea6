/* Presses Ctrl-C for a program: windows_interrupt SECONDS COMMAND_LINE
   It runs on the console of this one, which returns its exit status. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

int main(int count, char** words) {
  STARTUPINFOA how = {sizeof how};
  PROCESS_INFORMATION process;
  DWORD status = 0;
  if (count < 3) return 90;
  SetConsoleCtrlHandler(NULL, FALSE);
  if (!CreateProcessA(NULL, words[2], NULL, NULL, TRUE, 0, NULL, NULL, &how, &process)) return 91;
  if (WaitForSingleObject(process.hProcess, (DWORD)atoi(words[1]) * 1000) != WAIT_TIMEOUT) return 92;
  SetConsoleCtrlHandler(NULL, TRUE);
  if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) return 93;
  if (WaitForSingleObject(process.hProcess, 30000) == WAIT_TIMEOUT) TerminateProcess(process.hProcess, 94);
  WaitForSingleObject(process.hProcess, INFINITE);
  GetExitCodeProcess(process.hProcess, &status);
  return (int)status;
}
