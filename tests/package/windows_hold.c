/* Holds a file open, as an editor does that lets others only read it: windows_hold FILE
   Says "held", and ends when its input does. */
#include <stdio.h>
#include <windows.h>

int main(int count, char** words) {
  const HANDLE file = count < 2 ? INVALID_HANDLE_VALUE
                                : CreateFileA(words[1], GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
  if (file == INVALID_HANDLE_VALUE) return 1;
  puts("held");
  fflush(stdout);
  while (getchar() != EOF) {
  }
  return 0;
}
