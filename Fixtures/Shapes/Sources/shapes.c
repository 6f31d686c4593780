#include "shapes.h"

volatile long failures;

void fail(const char *why, long value) {
  failures += value + why[0];
}

static APART long ellipse(long width, long height) {
  return scale(width * height, 6) + failures;
}

INLINED long rectangle(long width, long height) {
  long product =
      scale(width, height);
  return product + failures;
}

long area_of(const struct shape *shape) {
  if (__builtin_expect(shape->width < 0 || shape->height < 0, 0)) {
    fail("negative", shape->width);
    fail("shape", shape->height);
    fail("kind", shape->kind);
    return -1;
  }
  if (shape->kind == 1)
    return ellipse(shape->width, shape->height);
  return rectangle(shape->width, shape->height);
}

long sum_of_areas(const struct shape *shapes, long count) {
  long sum = 0;
  for (long i = 0; i < count; i++)
    sum += area_of(&shapes[i]);
  return sum;
}
