/* What the robot needs of its board. */
#pragma once

/* Writes a text that ends with '\0' to the debugger. */
void board_write(const char* text);
