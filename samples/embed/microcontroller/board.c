/* A Cortex-M board without an operating system: its vectors, and text for a debugger (semihosting), which qemu is too.
 */
#include "board.h"

#include <stddef.h>
#include <stdint.h>

extern uint64_t stack_top[]; /* board.ld has these */
extern unsigned char data_begin[], data_end[], data_in_flash[], zero_begin[], zero_end[];

int main(void);

static int ask_debugger(int operation, const void* argument) {
  register int result __asm__("r0") = operation;
  register const void* given __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xAB" : "+r"(result) : "r"(given) : "memory");
  return result;
}

void board_write(const char* text) { ask_debugger(0x04, text); } /* SYS_WRITE0 */

static void end(int status) {
  const int block[] = {0x20026, status}; /* ADP_Stopped_ApplicationExit */
  ask_debugger(0x20, block);             /* SYS_EXIT_EXTENDED */
  for (;;) {
  }
}

static void fault(void) {
  board_write("fault\n");
  end(2);
}

void board_begin(void) {
  for (size_t i = 0; data_begin + i < data_end; ++i) data_begin[i] = data_in_flash[i];
  for (unsigned char* byte = zero_begin; byte < zero_end; ++byte) *byte = 0;
  end(main());
}

struct vectors {
  void* stack;
  void (*handlers[15])(void);
};
__attribute__((section(".vectors"), used)) static const struct vectors vectors = {
    stack_top, {board_begin, fault, fault, fault, fault, fault}};
