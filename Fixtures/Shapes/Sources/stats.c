#include "shapes.h"
#include "generated.inc"

static APART long midpoint(long low, long high) {
  failures += low > high;
  return low + (high - low) / 2;
}

long spread(const long *values, long count) {
  long low = values[0], high = values[0];
  for (long i = 1; i < count; i++) {
    if (values[i] < low)
      low = values[i];
    if (values[i] > high)
      high = values[i];
  }
  return scale(midpoint(low, high), table_lookup(count));
}
