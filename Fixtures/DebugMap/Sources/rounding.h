#ifndef ROUNDING_H
#define ROUNDING_H

extern volatile long observed;

// Each unit that uses it has it; the linker keeps one.
template <typename Number> [[gnu::noinline]] inline Number rounded(Number value) {
  observed = value;
  return value - value % 10;
}

[[gnu::always_inline]] inline long twice(long value) {
  observed = value;
  return rounded(value) * 2;
}

long interest(long value);

#endif
