/* Runs a program's main many times in one process, and has the instructions counted between: see instructions.py.

   Preloaded, below cachegrind. REPEATED_RUNS names a file with the runs: of each its folder, its words and an empty
   one, each ended by a zero byte. cachegrind writes what it has counted so far whenever a process ends, so one that
   ends at once is forked before and after each run. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 1000 };
typedef int Main(int, char**, char**);
typedef int Start(Main*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);

static Main* program_main;

static void print_count(void) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child < 0 || waitpid(child, NULL, 0) != child) _exit(3);
}

/* How many words there are, without the folder. */
static int read_run(FILE* runs, char** words) {
  int count = 0;
  for (size_t room = 0; count < MOST_WORDS; ++count, room = 0) {
    words[count] = NULL;
    if (getdelim(&words[count], &room, '\0', runs) <= 0) return -1;
    if (words[count][0] == '\0') break;
  }
  words[count] = NULL;
  return count - 1;
}

static int repeat(int count, char** words, char** environment) {
  char* run[MOST_WORDS + 1];
  FILE* runs = fopen(getenv("REPEATED_RUNS"), "rb");
  if (runs == NULL) return 3;
  for (int own_count; (own_count = read_run(runs, run)) >= 0;) {
    if (chdir(run[0]) != 0) return 3;
    run[0] = words[0];
    print_count();
    const int status = program_main(own_count + 1, run, environment);
    print_count();
    fprintf(stderr, "\nstatus of a run: %d\n", status);
  }
  (void)count;
  return 0;
}

/* valgrind's own programs are started with the same environment. */
int __libc_start_main(Main* main, int count, char** words, void (*init)(void), void (*fini)(void), void (*at_end)(void),
                      void* stack) {
  Start* start = (Start*)dlsym(RTLD_NEXT, "__libc_start_main");
  const char* program = getenv("REPEATED_PROGRAM");
  program_main = main;
  return start(program != NULL && strcmp(program, words[0]) == 0 ? repeat : main, count, words, init, fini, at_end,
               stack);
}
