#ifndef SHAPES_H
#define SHAPES_H

#define INLINED static inline __attribute__((always_inline))
#define APART __attribute__((noinline))

struct shape { int kind; long width, height; };

extern volatile long failures;

long area_of(const struct shape *shape);
long sum_of_areas(const struct shape *shapes, long count);
long spread(const long *values, long count);
void fail(const char *why, long value) __attribute__((cold, noinline));

INLINED long clamp(long value, long limit) {
  if (value > limit)
    return limit;
  return value;
}

INLINED long scale(long value, long by) {
  long scaled = value * by;
  return clamp(scaled >> 3, 1000000);
}

#endif
