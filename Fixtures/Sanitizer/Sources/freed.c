#include <stdlib.h>

// Reads memory that was freed, in a function that is inlined into another one.

static inline __attribute__((always_inline)) int value(const int *cell) {
  return *cell;
}

__attribute__((noinline)) int total(const int *cells, int count) {
  int sum = 0;
  for (int index = 0; index < count; index++)
    sum += value(cells + index);
  return sum;
}

__attribute__((noinline)) int descend(int *cells, int depth) {
  if (depth > 0)
    return descend(cells, depth - 1) + 1;
  free(cells);
  return total(cells, 2);
}

int main(void) {
  int *cells = calloc(2, sizeof *cells);
  return descend(cells, 3);
}
