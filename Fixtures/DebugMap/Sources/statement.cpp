#include "rounding.h"

volatile long observed;

extern "C" long statement(long value) {
  long sum = rounded(value);
  return twice(sum) + interest(sum);
}
