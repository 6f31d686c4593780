/* Functions in several sections, and one that nothing calls. */
extern long imported(long);

static __attribute__((noinline)) long weigh(long value) {
  return value * 3 + imported(value);
}

__attribute__((section("__TEXT,__early,regular,pure_instructions"), noinline)) long early(long value) {
  long sum = 0;
  for (long index = 0; index < value; ++index) {
    sum += weigh(index);
  }
  return sum;
}

long unused(long value) {
  return value - 1;
}
