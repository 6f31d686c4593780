#include "rounding.h"

static long rate = 3;

namespace {

struct Year {
  [[gnu::noinline]] long sum(long value) const { return twice(value) * rate; }
};

} // namespace

long interest(long value) {
  rate = value & 7;
  return Year().sum(value + 1);
}
