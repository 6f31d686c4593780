#include "shapes.h"

static struct shape board[4] = {{0, 2, 3}, {1, 4, 5}, {0, 6, 7}, {1, 8, 9}};
static long sizes[4] = {2, 7, 1, 8};

int main(void) {
  long sum = sum_of_areas(board, 4);
  long width = spread(sizes, 4);
  return (int)(sum + width);
}

#ifdef FREESTANDING
void _start(void) {
  main();
  for (;;) {
  }
}
#endif
